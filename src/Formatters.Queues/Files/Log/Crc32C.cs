using System;
using System.Buffers.Binary;
using System.Numerics;

namespace Formatters.Queues;

/// <summary>CRC-32C (Castagnoli, as in RFC 3720, section 12.1): against accidents, not against a forger.</summary>
internal static class Crc32C
{
    /// <summary>The checksum of bytes, which may continue another's.</summary>
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
