using System;

namespace Formatters;

/// <summary>
/// A case of a union whose tag the reader does not know. Writing it produces the same bytes again. See <see cref="MessageUnionAttribute"/>.
/// </summary>
public interface IUnknownCase
{
    /// <summary>Gets or sets the tag, 0 or greater.</summary>
    int Tag { get; set; }

    /// <summary>Gets or sets the bytes of the object, without tag and byte count.</summary>
    ReadOnlyMemory<byte> Body { get; set; }
}
