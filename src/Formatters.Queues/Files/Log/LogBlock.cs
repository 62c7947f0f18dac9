using System;
using System.Buffers.Binary;

namespace Formatters.Queues;

/// <summary>The frame of a block, which is written and flushed as a unit, all or nothing.</summary>
/// <remarks>
/// <para>24 bytes, little-endian: magic <c>FMTB</c> (UInt32), checksum (UInt32), payload byte count (UInt32), zero (UInt32), block number (UInt64).
/// Then the payload, and zeros up to a multiple of 512: a sector written during a power failure may contain anything afterwards, so no sector is
/// written twice. The checksum is CRC-32C over the segment's salt and everything after the checksum field, without padding.</para>
/// <para>Block numbers increase by one over the whole log. A block is written only after the flush of the preceding one. An invalid block followed by
/// a valid one with a higher number is therefore damage; an invalid block at the end is an interrupted write.</para>
/// </remarks>
internal static class LogBlock
{
    internal const int HeaderByteCount = 24;
    internal const int Alignment = 512;
    internal const uint Magic = 'F' | ('M' << 8) | ('T' << 16) | ('B' << 24);

    private const int ChecksummedFrom = 8;

    internal static long Align(long byteCount) => (byteCount + Alignment - 1) & -Alignment;

    /// <summary>Fills in the header of a block.</summary>
    /// <param name="block">The space for the header, and the payload, without padding.</param>
    /// <param name="number">The block's number.</param>
    /// <param name="salt">The segment's salt.</param>
    internal static void Seal(Span<byte> block, ulong number, uint salt)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(block, Magic);
        BinaryPrimitives.WriteInt32LittleEndian(block[8..], block.Length - HeaderByteCount);
        BinaryPrimitives.WriteUInt32LittleEndian(block[12..], 0);
        BinaryPrimitives.WriteUInt64LittleEndian(block[16..], number);
        BinaryPrimitives.WriteUInt32LittleEndian(block[4..], Crc32C.Of(block[ChecksummedFrom..], salt));
    }

    /// <summary>Reads a header, which is valid only if the checksum of the whole block matches.</summary>
    internal static bool TryReadHeader(ReadOnlySpan<byte> header, out uint checksum, out int payloadByteCount, out ulong number)
    {
        checksum = BinaryPrimitives.ReadUInt32LittleEndian(header[4..]);
        payloadByteCount = BinaryPrimitives.ReadInt32LittleEndian(header[8..]);
        number = BinaryPrimitives.ReadUInt64LittleEndian(header[16..]);
        return BinaryPrimitives.ReadUInt32LittleEndian(header) == Magic && payloadByteCount >= 0;
    }

    /// <summary>Returns the checksum in the header of a block.</summary>
    internal static uint ChecksumOf(ReadOnlySpan<byte> block) => BinaryPrimitives.ReadUInt32LittleEndian(block[4..]);

    internal static bool IsWhole(ReadOnlySpan<byte> block, uint checksum, uint salt) => Crc32C.Of(block[ChecksummedFrom..], salt) == checksum;
}
