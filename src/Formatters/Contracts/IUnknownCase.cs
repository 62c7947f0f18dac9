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

    /// <summary>Gets or sets the wire format of the bytes, as its body type (<see cref="BodyTypes"/>).</summary>
    /// <remarks>Set on reading. Writing the case in another wire format fails with <see cref="MessageFormatErrorCode.ForeignBytes"/>.</remarks>
    int BodyType { get; set; }
}
