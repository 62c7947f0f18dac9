using System;

namespace Formatters;

/// <summary>What a union was whose tag its reader does not know: written again, it has the same bytes. See <see cref="MessageUnionAttribute"/>.</summary>
public interface IUnknownCase
{
    /// <summary>The tag, 0 or greater.</summary>
    int Tag { get; set; }

    /// <summary>The bytes of the object, without tag and byte count.</summary>
    ReadOnlyMemory<byte> Body { get; set; }
}
