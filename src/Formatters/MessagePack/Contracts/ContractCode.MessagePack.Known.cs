using System;
using System.Net;

namespace Formatters.Generated;

// Values of the base library that MessagePack has no type for: docs/wire/messagepack.md, "Values".
public static partial class ContractCode
{
    /// <summary>Writes a value by the writer's own method, and makes room for it.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="value">The value; null is an error.</param>
    /// <returns>The position behind it.</returns>
    /// <exception cref="MessageFormatException">A null.</exception>
    public static ref byte PackKnown(ref MessagePackBodyWriter writer, ref byte position, Uri value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        return ref writer.WriteTextAt(ref position, value.OriginalString, 0);
    }

    /// <inheritdoc cref="PackKnown(ref MessagePackBodyWriter, ref byte, Uri)"/>
    public static ref byte PackKnown(ref MessagePackBodyWriter writer, ref byte position, Version value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        return ref writer.WriteTextAt(ref position, value.ToString(), 0);
    }

    /// <inheritdoc cref="PackKnown(ref MessagePackBodyWriter, ref byte, Uri)"/>
    public static ref byte PackKnown(ref MessagePackBodyWriter writer, ref byte position, IPAddress value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        return ref writer.WriteTextAt(ref position, value.ToString(), 0);
    }

    /// <inheritdoc cref="PackKnown(ref MessagePackBodyWriter, ref byte, Uri)"/>
    public static ref byte PackKnown(ref MessagePackBodyWriter writer, ref byte position, System.Numerics.BigInteger value)
    {
        writer.End(ref position);
        writer.Write(value);
        return ref writer.Begin();
    }

    /// <summary>Reads an address.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    public static Uri UnpackUri(ref MessagePackBodyReader reader) => reader.ReadUri();

    /// <summary>Reads a version.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    public static Version UnpackVersion(ref MessagePackBodyReader reader) => reader.ReadVersion();

    /// <summary>Reads a network address.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    public static IPAddress UnpackIPAddress(ref MessagePackBodyReader reader) => ParseIPAddress(reader.ByteOffset, reader.ReadString());

    /// <summary>Reads a large number.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    public static System.Numerics.BigInteger UnpackBigInteger(ref MessagePackBodyReader reader) => reader.ReadBigInteger();
}
