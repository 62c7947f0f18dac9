using System;
using System.Net;
using System.Net.Sockets;
using System.Numerics;
using Formatters.Binary;

namespace Formatters.Generated;

// Types of the base library without a method of the writer and the reader: docs/wire/binary.md, "Further values". To add one, add a method to write
// it, one to read it, and a row at the end.
public static partial class ContractCode
{
    /// <summary>Writes the original string of a URI.</summary>
    /// <inheritdoc cref="WriteBigInteger"/>
    public static ref byte WriteUri(ref BinaryBodyWriter writer, ref byte position, Uri? value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        return ref WriteText(ref writer, ref position, value.OriginalString, 0);
    }

    /// <summary>Reads a URI.</summary>
    /// <inheritdoc cref="ReadBigInteger"/>
    public static Uri ReadUri(ref BinaryBodyReader reader)
    {
        int byteOffset = reader.ByteOffset;
        if (!Uri.TryCreate(reader.ReadString(), UriKind.RelativeOrAbsolute, out Uri? value))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Uri));
        return value!;
    }

    /// <summary>Writes four Int32: major, minor, build, revision; -1 if missing.</summary>
    /// <inheritdoc cref="WriteBigInteger"/>
    public static ref byte WriteVersion(ref BinaryBodyWriter writer, ref byte position, Version? value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        position = ref Reserve(ref writer, ref position, 16);
        position = ref Write(ref position, value.Major);
        position = ref Write(ref position, value.Minor);
        position = ref Write(ref position, value.Build);
        return ref Write(ref position, value.Revision);
    }

    /// <summary>Reads a version.</summary>
    /// <inheritdoc cref="ReadBigInteger"/>
    public static Version ReadVersion(ref BinaryBodyReader reader)
    {
        int byteOffset = reader.ByteOffset;
        ref byte run = ref reader.Take(16);
        int major = LittleEndian.ReadInt32(ref run);
        int minor = LittleEndian.ReadInt32(ref System.Runtime.CompilerServices.Unsafe.Add(ref run, 4));
        int build = LittleEndian.ReadInt32(ref System.Runtime.CompilerServices.Unsafe.Add(ref run, 8));
        int revision = LittleEndian.ReadInt32(ref System.Runtime.CompilerServices.Unsafe.Add(ref run, 12));
        if (major < 0 || minor < 0 || build < -1 || revision < -1 || build == -1 && revision != -1)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Version));
        return build < 0 ? new Version(major, minor) : revision < 0 ? new Version(major, minor, build) : new Version(major, minor, build, revision);
    }

    /// <summary>Writes an IP address as a string, "192.0.2.1" or "2001:db8::1".</summary>
    /// <inheritdoc cref="WriteBigInteger"/>
    public static ref byte WriteIPAddress(ref BinaryBodyWriter writer, ref byte position, IPAddress? value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        return ref WriteText(ref writer, ref position, value.ToString(), 0);
    }

    /// <summary>Reads an IP address.</summary>
    /// <inheritdoc cref="ReadBigInteger"/>
    public static IPAddress ReadIPAddress(ref BinaryBodyReader reader) => IPAddresses.Parse(reader.ByteOffset, reader.ReadString());

    /// <summary>Writes an Int32 byte count and the shortest two's complement, little endian.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The value; null is an error.</param>
    /// <returns>The position after it.</returns>
    public static ref byte WriteBigInteger(ref BinaryBodyWriter writer, ref byte position, BigInteger value)
    {
        writer.Output.MoveTo(ref position);
        writer.WriteBytes(value.ToByteArray());
        return ref writer.Output.Position;
    }

    /// <summary>Reads a number of any size.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The bytes are invalid.</exception>
    public static BigInteger ReadBigInteger(ref BinaryBodyReader reader)
    {
        int byteOffset = reader.ByteOffset;
        byte[] bytes = reader.ReadBytes();
        int last = bytes.Length - 1;
        // An empty or non-minimal encoding, which a writer does not produce.
        if (last < 0 || last > 0 && (bytes[last] == 0 && bytes[last - 1] < 0x80 || bytes[last] == 0xFF && bytes[last - 1] >= 0x80))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(BigInteger));
        return new BigInteger(bytes);
    }

    /// <summary>Writes an Int32 byte count and the bytes.</summary>
    /// <inheritdoc cref="WriteBigInteger"/>
    public static ref byte WriteReadOnlyMemory(ref BinaryBodyWriter writer, ref byte position, ReadOnlyMemory<byte> value)
    {
        writer.Output.MoveTo(ref position);
        writer.WriteBytes(value.Span);
        return ref writer.Output.Position;
    }

    /// <summary>Reads bytes into a new array.</summary>
    /// <inheritdoc cref="ReadBigInteger"/>
    internal static ReadOnlyMemory<byte> ReadReadOnlyMemory(ref BinaryBodyReader reader) => reader.ReadBytes();

    /// <inheritdoc cref="WriteReadOnlyMemory"/>
    internal static ref byte WriteMemory(ref BinaryBodyWriter writer, ref byte position, Memory<byte> value) =>
        ref WriteReadOnlyMemory(ref writer, ref position, value);

    /// <inheritdoc cref="ReadReadOnlyMemory"/>
    internal static Memory<byte> ReadMemory(ref BinaryBodyReader reader) => reader.ReadBytes();
}
