using System;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Damage of a log's first segment.</summary>
internal static class DamagedLog
{
    internal const string FirstSegment = "0000000000000001.log";

    /// <summary>Where the last sector ends that was written: the last bytes of a block may be zeros that are its own.</summary>
    internal static int EndOf(SimulatedDisk disk) => (disk.BytesOf(FirstSegment).AsSpan().LastIndexOfAnyExcept((byte)0) / 512 * 512) + 512;

    /// <summary>Flips every bit of a log that was closed in order, one at a time: it is read as before, or refused with the place; of the block that closes it, it is never refused.</summary>
    /// <param name="disk">The disk; it stays as it is.</param>
    /// <param name="read">Opens the log of a disk and says what is in it.</param>
    /// <returns>How many were refused.</returns>
    internal static int FlipEveryBit(SimulatedDisk disk, Func<SimulatedDisk, string> read)
    {
        string whole = read(disk.Clone());
        byte[] log = disk.BytesOf(FirstSegment);
        int end = EndOf(disk);
        int closedBlock = end - 512;
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
            }
            catch (QueueException e)
            {
                Assert.True(bit / 8 < closedBlock, $"bit {bit} of the end is refused");
                Assert.Contains($"segment '{FirstSegment}', offset ", e.Message, StringComparison.Ordinal);
                refused++;
            }
        }

        return refused;
    }
}
