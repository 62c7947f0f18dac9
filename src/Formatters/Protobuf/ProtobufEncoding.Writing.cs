// https://protobuf.dev/programming-guides/encoding/
using System;
using System.Runtime.InteropServices;

namespace Formatters.Protobuf;

/// <summary>
/// Encodes and decodes tags and numbers of protobuf over spans, without state: the basis of <see cref="ProtobufBodyWriter"/> and <see
/// cref="ProtobufBodyReader"/>.
/// </summary>
/// <remarks>Numbers of fixed size are those of <see cref="System.Buffers.Binary.BinaryPrimitives"/>, little endian.</remarks>
public static partial class ProtobufEncoding
{
    /// <summary>The maximum number of bytes of a varint.</summary>
    public const int MaxVarintByteCount = ProtobufBytes.MaxVarintByteCount;

    /// <summary>The highest number of a field.</summary>
    public const int MaxNumber = ProtobufBytes.MaxNumber;

    /// <summary>Returns the number of bytes of a varint.</summary>
    /// <param name="value">The value.</param>
    /// <returns>1 to 10.</returns>
    public static int GetVarintByteCount(ulong value) => ProtobufBytes.GetByteCount(value);

    /// <summary>Writes a varint: seven bits a byte, the lowest first, the top bit set in all but the last.</summary>
    /// <param name="destination">Receives 1 to 10 bytes.</param>
    /// <param name="value">The value; a negative one of <c>int32</c> or <c>int64</c> as the 64 bits of its two's complement.</param>
    /// <param name="bytesWritten">The number of bytes, also when <paramref name="destination"/> is too small: the number required.</param>
    /// <returns><see langword="false"/> if <paramref name="destination"/> is too small; nothing is written then.</returns>
    public static bool TryWriteVarint(Span<byte> destination, ulong value, out int bytesWritten)
    {
        bytesWritten = ProtobufBytes.GetByteCount(value);
        if (destination.Length < bytesWritten)
            return false;
        ProtobufBytes.Write(ref MemoryMarshal.GetReference(destination), value);
        return true;
    }

    /// <summary>Writes the tag of a field: its number and its wire type as a varint.</summary>
    /// <param name="destination">Receives 1 to 5 bytes.</param>
    /// <param name="number">The number, 1 to 536,870,911.</param>
    /// <param name="wireType">The wire type.</param>
    /// <param name="bytesWritten">The number of bytes, also when <paramref name="destination"/> is too small.</param>
    /// <returns><see langword="false"/> if <paramref name="destination"/> is too small; nothing is written then.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The number or the wire type is not valid.</exception>
    public static bool TryWriteTag(Span<byte> destination, int number, ProtobufWireType wireType, out int bytesWritten)
    {
        if (number is < 1 or > ProtobufBytes.MaxNumber)
            throw new ArgumentOutOfRangeException(nameof(number), number, "Field numbers are 1 to 536870911.");
        if (wireType is < ProtobufWireType.Varint or > ProtobufWireType.Fixed32)
            throw new ArgumentOutOfRangeException(nameof(wireType), wireType, "Wire types are 0 to 5.");
        return TryWriteVarint(destination, ProtobufBytes.Tag(number, wireType), out bytesWritten);
    }

    /// <summary>Maps a signed integer to an unsigned one so that numbers of small absolute value are small: 0, -1, 1, -2 become 0, 1, 2, 3.</summary>
    /// <param name="value">The value.</param>
    /// <returns>The value as a varint of <c>sint32</c> or <c>sint64</c> has it.</returns>
    public static ulong EncodeZigZag(long value) => ProtobufBytes.ZigZag(value);

    /// <inheritdoc cref="EncodeZigZag(long)"/>
    public static uint EncodeZigZag(int value) => ProtobufBytes.ZigZag(value);

    /// <summary>Reverses <see cref="EncodeZigZag(long)"/>.</summary>
    /// <param name="value">The value of the varint.</param>
    /// <returns>The signed integer.</returns>
    public static long DecodeZigZag(ulong value) => ProtobufBytes.UnZigZag(value);

    /// <inheritdoc cref="DecodeZigZag(ulong)"/>
    public static int DecodeZigZag(uint value) => ProtobufBytes.UnZigZag(value);
}
