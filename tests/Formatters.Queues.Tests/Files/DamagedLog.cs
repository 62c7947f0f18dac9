using System;
using System.Collections.Generic;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Damage of a log's first segment.</summary>
internal static class DamagedLog
{
    internal const string FirstSegment = "0000000000000001.log";

    /// <summary>Where the last sector ends that was written: the last bytes of a block may be zeros that are its own.</summary>
    internal static int EndOf(SimulatedDisk disk) => (disk.BytesOf(FirstSegment).AsSpan().LastIndexOfAnyExcept((byte)0) / 512 * 512) + 512;

    /// <summary>What a power cut may leave of the blocks between two states of a log: all before a byte, and zeros from there on. Nobody was told of them, and neither was the manifest.</summary>
    internal static IEnumerable<SimulatedDisk> Tear(SimulatedDisk before, SimulatedDisk after)
    {
        for (int from = EndOf(before); from <= EndOf(after); from++)
        {
            SimulatedDisk torn = after.Clone();
            before.BytesOf(LogManifest.FileName).CopyTo(torn.BytesOf(LogManifest.FileName), 0);
            torn.BytesOf(FirstSegment).AsSpan(from).Clear();
            yield return torn;
        }
    }

    /// <summary>Flips every bit of a log that was closed in order, one at a time: it is read as before, or refused with the place; so is a bit of the block that closes it.</summary>
    /// <param name="disk">The disk; it stays as it is.</param>
    /// <param name="read">Opens the log of a disk and says what is in it.</param>
    /// <returns>How many were refused.</returns>
    internal static int FlipEveryBit(SimulatedDisk disk, Func<SimulatedDisk, string> read)
    {
        string whole = read(disk.Clone());
        byte[] log = disk.BytesOf(FirstSegment);
        int end = EndOf(disk);
        int closedBlock = end - 512;
        int closedEnd = closedBlock + LogBlock.HeaderByteCount + 1 + 16;
        int refused = 0;
        for (int bit = 0; bit < (end + 64) * 8; bit++)
        {
            // Sectors are long: their zeros are looked at one bit a byte.
            if (log[bit / 8] == 0 && bit % 8 != 3)
                continue;
            SimulatedDisk flipped = disk.Clone();
            flipped.BytesOf(FirstSegment)[bit / 8] ^= (byte)(1 << (bit % 8));
            try
            {
                string found = read(flipped);
                Assert.True(found == whole, $"bit {bit}:\n{found}");
                Assert.False(bit / 8 >= closedBlock && bit / 8 < closedEnd, $"bit {bit} of the end is not noticed");
            }
            catch (QueueException e)
            {
                Assert.True(bit / 8 < closedEnd, $"bit {bit} behind the end is refused");
                Assert.Contains($"segment '{FirstSegment}', offset ", e.Message, StringComparison.Ordinal);
                refused++;
            }
        }

        return refused;
    }
}
