using System;
using System.Buffers;
using System.ComponentModel;
using System.Xml;

namespace Formatters.Generated;

/// <summary>
/// The elements and attributes of a type in XML bodies, as defined by XmlSerializer: with generated code, or with XmlSerializer itself.
/// </summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>Immutable and safe for use by several threads.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class XmlContract<T>
{
    private protected XmlContract()
    {
    }

    /// <summary>Writes a body and returns its number of bytes.</summary>
    internal abstract int Write(IBufferWriter<byte> destination, T value, XmlBodyStyle style, FormatterLimits limits);

    /// <summary>Reads a body.</summary>
    /// <returns>Null if the root is xsi:nil.</returns>
    internal abstract T? Read(ReadOnlySpan<byte> body, FormatterLimits limits);

    /// <summary>Gets the root element of the type: its namespace in braces, and its name.</summary>
    internal abstract string Root { get; }

    /// <summary>Determines whether a reader is at the root element of the type.</summary>
    internal abstract bool IsRoot(XmlReader reader);
}
