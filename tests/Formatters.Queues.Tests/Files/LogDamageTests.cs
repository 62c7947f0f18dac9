using System;
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
    public void Log_cut_at_every_byte_keeps_the_whole_blocks_before()
    {
        SimulatedDisk disk = MakeLog(close: false);
        int end = DamagedLog.EndOf(disk);
        var counts = new List<int>();
        for (int length = LogSegment.HeaderByteCount + 512; length <= end; length++)
        {
            SimulatedDisk cut = disk.Clone();
            cut.Truncate(FirstSegment, length);
            string[] received = ReceiveAll(cut);
            Assert.Equal(Sent.Take(received.Length), received);
            counts.Add(received.Length);
        }

        Assert.Equal(counts.Order(), counts);
        Assert.Equal(0, counts[0]);
        Assert.Equal(BlockCount, counts[^1]);
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

    [Fact]
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
        SimulatedDisk disk = MakeLog(close: false);
        byte[] log = disk.BytesOf(FirstSegment);
        log[LogSegment.HeaderByteCount + 1024 + 40] ^= 1;
        byte[] before = [.. log];

        QueueException e = Assert.Throws<QueueException>(() => ReceiveAll(disk));

        Assert.Contains("offset 5120", e.Message, StringComparison.Ordinal);
        Assert.Equal(before, disk.BytesOf(FirstSegment));
    }

    [Fact]
    public void Damage_at_the_end_of_a_segment_that_another_follows_is_refused()
    {
        SimulatedDisk disk = MakeLog(close: true, extraByteCount: 200_000);
        byte[] log = disk.BytesOf(FirstSegment);
        log[log.AsSpan().LastIndexOfAnyExcept((byte)0)] ^= 1;

        QueueException e = Assert.Throws<QueueException>(() => ReceiveAll(disk));

        Assert.Contains("it does not continue the segment before it", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Missing_segments_are_noticed()
    {
        SimulatedDisk disk = MakeLog(close: true, extraByteCount: 200_000);
        string[] names = [.. disk.GetFileNames().Order()];
        Assert.True(names.Length > 3);
        foreach (string name in names.SkipLast(1))
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

    private static SimulatedDisk MakeLog(bool close, int extraByteCount = 0)
    {
        var disk = new SimulatedDisk();
        QueueFolder folder = Open(disk);
        IMessageQueue queue = OpenQueue(folder);
        foreach (string text in Sent)
            Pump(folder, queue.SendAsync(new QueueMessage(new MessageBody(Encoding.UTF8.GetBytes(text)))));
        for (int i = 0; i < extraByteCount; i += 1000)
            Pump(folder, queue.SendAsync(new QueueMessage(new MessageBody(new byte[1000]))));
        if (close)
            folder.DisposeAsync().AsTask().GetAwaiter().GetResult();
        return disk;
    }

    private static string[] ReceiveAll(SimulatedDisk disk)
    {
        QueueFolder folder = Open(disk);
        IMessageQueue queue = OpenQueue(folder);
        var received = new List<string>();
        while (queue.ReceiveAsync(TimeSpan.Zero).AsTask().GetAwaiter().GetResult() is { } message)
        {
            received.Add(Encoding.UTF8.GetString(message.Body.ToArray()));
            if (received.Count > Sent.Length)
                break;
        }

        return [.. received];
    }

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
