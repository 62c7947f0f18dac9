using System;
using System.Buffers.Binary;
using System.Numerics;

namespace Formatters.Queues;

/// <summary>Computes CRC-32C (Castagnoli, as in RFC 3720, section 12.1), which detects accidental damage, not forgery.</summary>
internal static class Crc32C
{
    /// <summary>Computes the checksum of bytes, optionally continuing another.</summary>
    internal static uint Of(ReadOnlySpan<byte> bytes, uint before = 0)
    {
        uint crc = ~before;
        while (bytes.Length >= 8)
        {
            crc = BitOperations.Crc32C(crc, BinaryPrimitives.ReadUInt64LittleEndian(bytes));
            bytes = bytes[8..];
        }

        foreach (byte value in bytes)
            crc = BitOperations.Crc32C(crc, value);
        return ~crc;
    }
}
