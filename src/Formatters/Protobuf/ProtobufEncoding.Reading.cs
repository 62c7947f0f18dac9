// https://protobuf.dev/programming-guides/encoding/
using System;
using System.Runtime.InteropServices;

namespace Formatters.Protobuf;

public static partial class ProtobufEncoding
{
    /// <summary>Reads a varint, even one with more bytes than it needs; bits beyond the 64th are ignored, as protobuf's own libraries do.</summary>
    /// <param name="source">The bytes.</param>
    /// <param name="value">The value; 0 if there is none.</param>
    /// <param name="bytesRead">The number of bytes, 1 to 10; 0 for bytes that are not a valid varint; one more than there are if it does not
    /// end.</param>
    /// <returns>Whether the bytes are a valid varint.</returns>
    public static bool TryReadVarint(ReadOnlySpan<byte> source, out ulong value, out int bytesRead)
    {
        bytesRead = ProtobufBytes.Read(ref MemoryMarshal.GetReference(source), source.Length, out value);
        if (bytesRead > 0)
            return true;
        bytesRead = source.Length < ProtobufBytes.MaxVarintByteCount ? source.Length + 1 : 0;
        return false;
    }

    /// <summary>Reads the tag of a field.</summary>
    /// <param name="source">The bytes.</param>
    /// <param name="number">The number, 1 to 536,870,911.</param>
    /// <param name="wireType">The wire type.</param>
    /// <param name="bytesRead">The number of bytes; 0 for bytes that are not a valid tag; one more than there are if it does not end.</param>
    /// <returns>Whether the bytes are a valid tag: not if the number is 0 or too large, or the wire type 6 or 7.</returns>
    public static bool TryReadTag(ReadOnlySpan<byte> source, out int number, out ProtobufWireType wireType, out int bytesRead)
    {
        bool isVarint = TryReadVarint(source, out ulong tag, out bytesRead);
        number = 0;
        wireType = default;
        if (!isVarint)
            return false;
        if (!IsTag(tag) || bytesRead > ProtobufBytes.MaxVarint32ByteCount)
        {
            bytesRead = 0;
            return false;
        }

        number = (int)(tag >> 3);
        wireType = (ProtobufWireType)(tag & 7);
        return true;
    }

    internal static bool IsTag(ulong tag) => tag is >= 8 and <= uint.MaxValue && (tag & 7) <= (ulong)ProtobufWireType.Fixed32;
}
