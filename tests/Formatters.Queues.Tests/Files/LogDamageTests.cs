using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>A log cut at every byte and with every bit flipped: whole messages of a prefix, or a refusal that names the place; never another message.</summary>
public class LogDamageTests
{
    private const string FirstSegment = DamagedLog.FirstSegment;
    private const int BlockCount = 6;

    private static readonly string[] Sent = Enumerable.Range(0, BlockCount).Select(i => $"message {i}, {new string((char)('a' + i), i * 90)}").ToArray();

    [Fact]
    public void Block_torn_at_every_byte_leaves_the_whole_blocks_before()
    {
        SimulatedDisk[] disks = MakeLogs();
        for (int block = 0; block < BlockCount; block++)
        {
            var counts = new List<int>();
            foreach (SimulatedDisk torn in DamagedLog.Tear(disks[block], disks[block + 1]))
            {
                string[] received = ReceiveAll(torn);
                Assert.Equal(Sent.Take(received.Length), received);
                counts.Add(received.Length);
            }

            Assert.Equal(counts.Order(), counts);
            Assert.Equal(block, counts[0]);
            Assert.Equal(block + 1, counts[^1]);
        }
    }

    [Fact]
    public void Block_that_was_acknowledged_and_is_gone_is_noticed_also_after_a_kill()
    {
        SimulatedDisk killed = MakeLog(close: false);
        int end = DamagedLog.EndOf(killed);
        for (int from = LogSegment.HeaderByteCount + 512; from < end; from += 512)
            ThrowsShort(killed, from);
    }

    [Fact]
    public void Closed_log_without_its_end_is_refused()
    {
        SimulatedDisk closed = MakeLog(close: true);
        // Also after a power cut, which loses what was not flushed.
        foreach (SimulatedDisk disk in Enumerable.Range(0, 20).Select(seed => closed.AfterPowerCut(new Random(seed))).Prepend(closed))
        {
            int end = DamagedLog.EndOf(disk);
            for (int from = LogSegment.HeaderByteCount + 512; from < end; from += 512)
                ThrowsShort(disk, from);
        }
    }

    [Fact]
    public void Damaged_last_block_of_a_closed_log_is_refused_and_left_as_it_is()
    {
        SimulatedDisk disk = MakeLog(close: true);
        byte[] log = disk.BytesOf(FirstSegment);
        log[DamagedLog.EndOf(disk) - 512] ^= 1;
        byte[] before = [.. log];

        QueueException e = Assert.Throws<QueueException>(() => ReceiveAll(disk));

        Assert.Contains("more was written and flushed (1 blocks)", e.Message, StringComparison.Ordinal);
        Assert.Equal(before, disk.BytesOf(FirstSegment));
        Assert.Equal([FirstSegment, LogManifest.FileName], disk.GetFileNames().Order());
    }

    [Fact]
    public void Segment_that_was_cut_is_refused_wherever_that_is()
    {
        SimulatedDisk[] disks = MakeLogs();
        SimulatedDisk disk = disks[^1];
        // As if the manifest knew of no block.
        disks[0].BytesOf(LogManifest.FileName).CopyTo(disk.BytesOf(LogManifest.FileName), 0);
        for (int length = LogSegment.HeaderByteCount; length < disk.BytesOf(FirstSegment).Length; length += length < 9000 ? 61 : 4001)
        {
            SimulatedDisk cut = disk.Clone();
            cut.Truncate(FirstSegment, length);
            QueueException e = Assert.Throws<QueueException>(() => ReceiveAll(cut));
            Assert.Contains($"segment '{FirstSegment}', offset ", e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Log_without_its_manifest_or_with_another_is_refused()
    {
        SimulatedDisk missing = MakeLog(close: true);
        missing.Delete(LogManifest.FileName);
        SimulatedDisk empty = MakeLog(close: true);
        empty.BytesOf(LogManifest.FileName).AsSpan().Clear();
        SimulatedDisk foreign = MakeLog(close: true);
        MakeLog(close: true).BytesOf(LogManifest.FileName).CopyTo(foreign.BytesOf(LogManifest.FileName), 0);
        SimulatedDisk mixed = MakeLog(close: true);
        foreign.BytesOf(LogManifest.FileName).AsSpan(0, LogManifest.SectorByteCount).CopyTo(mixed.BytesOf(LogManifest.FileName));
        SimulatedDisk cut = MakeLog(close: true);
        cut.Truncate(LogManifest.FileName, 51);
        foreach ((SimulatedDisk disk, string what) in new[] { (missing, "missing"), (empty, "whole"), (cut, "whole"), (foreign, "another log's"), (mixed, "two logs") })
        {
            byte[] before = [.. disk.BytesOf(FirstSegment)];
            QueueException e = Assert.Throws<QueueException>(() => ReceiveAll(disk));
            Assert.Contains($"'{LogManifest.FileName}'", e.Message, StringComparison.Ordinal);
            Assert.Contains(what, e.Message, StringComparison.Ordinal);
            Assert.Equal(before, disk.BytesOf(FirstSegment));
        }
    }

    [ExhaustiveFact]
    public void Manifest_with_any_bit_flipped_does_not_keep_the_log_shut()
    {
        SimulatedDisk disk = MakeLog(close: true);
        for (int bit = 0; bit < LogManifest.ByteCount * 8; bit++)
        {
            if (disk.BytesOf(LogManifest.FileName)[bit / 8] == 0 && bit % 8 != 3)
                continue;
            SimulatedDisk flipped = disk.Clone();
            flipped.BytesOf(LogManifest.FileName)[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.Equal(Sent, ReceiveAll(flipped));
        }
    }

    [Fact]
    public void Log_is_opened_after_a_power_cut_at_any_operation_of_its_beginning()
    {
        for (int operation = 0; operation < 30; operation++)
        {
            var disk = new SimulatedDisk { PowerCutAt = operation };
            try
            {
                QueueFolder folder = Open(disk);
                QueueClient queue = OpenQueue(folder);
                foreach (string text in Sent)
                    Pump(folder, queue.SendAsync(new QueueMessage(new MessageBody(Encoding.UTF8.GetBytes(text)))));
            }
            catch (Exception e) when (e is PowerCutException or QueueException)
            {
            }

            for (int seed = 0; seed < 30; seed++)
            {
                string[] received = ReceiveAll(disk.AfterPowerCut(new Random(seed)));
                Assert.Equal(Sent.Take(received.Length), received);
            }
        }
    }

    [Fact]
    public void Later_version_of_the_manifest_is_refused()
    {
        SimulatedDisk disk = MakeLog(close: true);
        foreach (int sector in new[] { 0, 1, 2 })
        {
            Span<byte> record = disk.BytesOf(LogManifest.FileName).AsSpan(sector * LogManifest.SectorByteCount, 52);
            record[8] = 2;
            BinaryPrimitives.WriteUInt32LittleEndian(record[48..], Crc32C.Of(record[..48]));
        }

        QueueException e = Assert.Throws<QueueException>(() => ReceiveAll(disk));

        Assert.Contains("format version 2", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Log_of_before_there_were_manifests_is_opened_and_gets_one_with_its_next_segment()
    {
        SimulatedDisk disk = MakeLog(close: true);
        RemoveSize(disk.BytesOf(FirstSegment));
        disk.Delete(LogManifest.FileName);
        Assert.Equal(Sent, ReceiveAll(disk.Clone()));

        QueueFolder folder = Open(disk);
        QueueClient queue = OpenQueue(folder);
        while (disk.GetFileNames().Count == 1)
            Pump(folder, queue.SendAsync(new QueueMessage(new MessageBody(new byte[1000]))));
        Close(folder);

        Assert.Equal(Sent, ReceiveAll(disk.Clone()).Take(Sent.Length));
        disk.Delete("0000000000000002.log");
        QueueException e = Assert.Throws<QueueException>(() => ReceiveAll(disk));
        Assert.Contains("segment '0000000000000002.log', offset 0: the segment is missing", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Segment_cut_within_its_first_block_is_refused()
    {
        SimulatedDisk disk = MakeLog(close: false);
        foreach (int length in new[] { 0, 1, 51, 52, 4095, 4096, 4100, 4130 })
        {
            SimulatedDisk cut = disk.Clone();
            cut.Truncate(FirstSegment, length);
            QueueException e = Assert.Throws<QueueException>(() => ReceiveAll(cut));
            Assert.Contains(FirstSegment, e.Message, StringComparison.Ordinal);
        }
    }

    [ExhaustiveFact]
    public void Log_with_any_bit_flipped_is_whole_or_refused()
    {
        SimulatedDisk disk = MakeLog(close: true);
        Assert.Equal(Sent, ReceiveAll(disk.Clone()));

        int refused = DamagedLog.FlipEveryBit(disk, flipped => string.Join('\n', ReceiveAll(flipped)));

        Assert.True(refused > 8 * Sent.Sum(text => text.Length), $"{refused} refused");
    }

    [Fact]
    public void Block_of_before_behind_the_end_does_not_come_again()
    {
        SimulatedDisk disk = MakeLog(close: false);
        byte[] log = disk.BytesOf(FirstSegment);
        int end = DamagedLog.EndOf(disk);
        log.AsSpan(LogSegment.HeaderByteCount + 1024, 512).CopyTo(log.AsSpan(end));

        Assert.Equal(Sent, ReceiveAll(disk));
        Assert.Contains(disk.GetFileNames(), name => name.StartsWith(FirstSegment + ".torn-", StringComparison.Ordinal));
    }

    [Fact]
    public void Damaged_block_with_a_whole_one_behind_it_is_refused_and_left_as_it_is()
    {
        SimulatedDisk[] disks = MakeLogs();
        SimulatedDisk disk = disks[^1];
        byte[] log = disk.BytesOf(FirstSegment);
        log[LogSegment.HeaderByteCount + 1024 + 40] ^= 1;
        byte[] before = [.. log];

        QueueException e = Assert.Throws<QueueException>(() => ReceiveAll(disk));

        Assert.Contains("offset 5120", e.Message, StringComparison.Ordinal);
        Assert.Equal(before, disk.BytesOf(FirstSegment));
        // A power cut has taken what the manifest said of these blocks.
        disks[0].BytesOf(LogManifest.FileName).CopyTo(disk.BytesOf(LogManifest.FileName), 0);
        e = Assert.Throws<QueueException>(() => ReceiveAll(disk));
        Assert.Contains("offset 5120", e.Message, StringComparison.Ordinal);
        Assert.Contains("a whole one after it", e.Message, StringComparison.Ordinal);
        Assert.Equal(before, disk.BytesOf(FirstSegment));
    }

    [Fact]
    public void Damage_at_the_end_of_a_segment_that_another_follows_is_refused()
    {
        SimulatedDisk disk = MakeLog(close: true, extraByteCount: 200_000);
        byte[] log = disk.BytesOf(FirstSegment);
        log[log.AsSpan().LastIndexOfAnyExcept((byte)0)] ^= 1;

        QueueException e = Assert.Throws<QueueException>(() => ReceiveAll(disk));

        Assert.Contains("a block is not whole", e.Message, StringComparison.Ordinal);
        Assert.Contains(FirstSegment, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Missing_segments_are_noticed()
    {
        SimulatedDisk disk = MakeLog(close: true, extraByteCount: 200_000);
        string[] names = [.. disk.GetFileNames().Where(name => name != LogManifest.FileName).Order()];
        Assert.True(names.Length > 3);
        foreach (string name in names)
        {
            SimulatedDisk incomplete = disk.Clone();
            incomplete.Delete(name);
            QueueException e = Assert.Throws<QueueException>(() => ReceiveAll(incomplete));
            Assert.Contains(name, e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Later_version_is_refused()
    {
        SimulatedDisk disk = MakeLog(close: true);
        byte[] log = disk.BytesOf(FirstSegment);
        log[8] = 2;
        BitConverter.TryWriteBytes(log.AsSpan(48), Crc32C.Of(log.AsSpan(0, 48)));

        QueueException e = Assert.Throws<QueueException>(() => ReceiveAll(disk));

        Assert.Contains("format version 2", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Checksum_is_that_of_the_standard()
    {
        // RFC 3720, appendix B.4.
        Assert.Equal(0x8A9136AAu, Crc32C.Of(new byte[32]));
        Assert.Equal(0x46DD794Eu, Crc32C.Of(Enumerable.Range(0, 32).Select(i => (byte)i).ToArray()));
        byte[] bytes = Encoding.ASCII.GetBytes("123456789");
        Assert.Equal(0xE3069283u, Crc32C.Of(bytes));
        Assert.Equal(0xE3069283u, Crc32C.Of(bytes.AsSpan(4), Crc32C.Of(bytes.AsSpan(0, 4))));
    }

    [Fact]
    public void Missing_last_segments_are_noticed_also_after_a_power_cut()
    {
        foreach (bool close in new[] { true, false })
        {
            SimulatedDisk disk = MakeLog(close, extraByteCount: 200_000);
            foreach (SimulatedDisk cut in Enumerable.Range(0, 20).Select(seed => disk.AfterPowerCut(new Random(seed))).Prepend(disk))
            {
                string[] names = [.. cut.GetFileNames().Where(name => LogSegment.NumberOf(name) is not null).Order()];
                for (int count = 1; count <= names.Length; count++)
                {
                    SimulatedDisk incomplete = cut.Clone();
                    foreach (string name in names.TakeLast(count))
                        incomplete.Delete(name);
                    QueueException e = Assert.Throws<QueueException>(() => ReceiveAll(incomplete));
                    Assert.Contains(count == names.Length ? names[^1] : names[^count], e.Message, StringComparison.Ordinal);
                    Assert.Contains("the segment is missing", e.Message, StringComparison.Ordinal);
                }
            }
        }
    }

    private static void ThrowsShort(SimulatedDisk disk, int from)
    {
        SimulatedDisk zeroed = disk.Clone();
        zeroed.BytesOf(FirstSegment).AsSpan(from).Clear();
        byte[] before = [.. zeroed.BytesOf(FirstSegment)];
        QueueException e = Assert.Throws<QueueException>(() => ReceiveAll(zeroed));
        Assert.Contains("more was written and flushed", e.Message, StringComparison.Ordinal);
        Assert.Equal(before, zeroed.BytesOf(FirstSegment));
    }

    /// <summary>Takes the size out of the first block: so were segments begun of before there were manifests.</summary>
    private static void RemoveSize(byte[] log)
    {
        Span<byte> block = log.AsSpan(LogSegment.HeaderByteCount);
        int byteCount = LogBlock.HeaderByteCount + BinaryPrimitives.ReadInt32LittleEndian(block[8..]) - 9;
        Assert.Equal((byte)LogOperation.SegmentSize, block[byteCount]);
        block.Slice(byteCount, 9).Clear();
        LogBlock.Seal(block[..byteCount], 1, BinaryPrimitives.ReadUInt32LittleEndian(log.AsSpan(12)));
    }

    /// <summary>The states of a log, before its first message and after each.</summary>
    private static SimulatedDisk[] MakeLogs()
    {
        var disk = new SimulatedDisk();
        QueueFolder folder = Open(disk);
        QueueClient queue = OpenQueue(folder);
        var disks = new List<SimulatedDisk> { disk.Clone() };
        foreach (string text in Sent)
        {
            Pump(folder, queue.SendAsync(new QueueMessage(new MessageBody(Encoding.UTF8.GetBytes(text)))));
            disks.Add(disk.Clone());
        }

        return [.. disks];
    }

    private static SimulatedDisk MakeLog(bool close, int extraByteCount = 0)
    {
        var disk = new SimulatedDisk();
        QueueFolder folder = Open(disk);
        QueueClient queue = OpenQueue(folder);
        foreach (string text in Sent)
            Pump(folder, queue.SendAsync(new QueueMessage(new MessageBody(Encoding.UTF8.GetBytes(text)))));
        for (int i = 0; i < extraByteCount; i += 1000)
            Pump(folder, queue.SendAsync(new QueueMessage(new MessageBody(new byte[1000]))));
        if (close)
            Close(folder);
        return disk;
    }

    private static string[] ReceiveAll(SimulatedDisk disk)
    {
        QueueFolder folder = Open(disk);
        QueueClient queue = OpenQueue(folder);
        var received = new List<string>();
        while (queue.ReceiveAsync(TimeSpan.Zero).AsTask().GetAwaiter().GetResult() is { } message)
        {
            received.Add(Encoding.UTF8.GetString(message.Body.ToArray()));
            if (received.Count > Sent.Length)
                break;
        }

        return [.. received];
    }

    private static void Close(QueueFolder folder) => folder.DisposeAsync().AsTask().GetAwaiter().GetResult();

    private static QueueFolder Open(SimulatedDisk disk) => new("/simulated", disk, new FileQueueOptions { SegmentByteCount = 1 << 16 }, hasThread: false);

    private static FileQueue OpenQueue(QueueFolder folder)
    {
        ValueTask<FileQueueStore> open = folder.OpenQueueAsync("a", default);
        while (!open.IsCompleted)
            Assert.True(folder.WritePending());
        var options = new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock };
        return new FileQueue(open.GetAwaiter().GetResult(), QueueAddress.Parse("file:///simulated/a"), options);
    }

    private static void Pump(QueueFolder folder, ValueTask task)
    {
        folder.WritePending();
        task.GetAwaiter().GetResult();
    }
}
