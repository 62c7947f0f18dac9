using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>The file <c>snapshot</c>: an opening by it finds what the whole log has, and a snapshot that is not this log's, or not whole, changes nothing.</summary>
public class SnapshotTests
{
    private static readonly FileQueueOptions Options = new() { SegmentByteCount = 1 << 16, CachedMessageCount = 3, ParkedTogether = 4, SnapshotByteCount = 0 };

    private static readonly FileQueueOptions WithoutSnapshots = Options with { SnapshotByteCount = long.MaxValue };

    private static readonly QueueOptions Limited = new() { DeadLetterQueue = "dead", MaxDeliveryCount = 3, JournalQueue = "journal", DuplicateWindow = TimeSpan.FromDays(9) };

    [Fact]
    public async Task Opening_by_a_snapshot_finds_what_the_whole_log_has()
    {
        var disk = new SimulatedDisk();
        await WorkAsync(disk, Options, 1);
        Assert.Contains(LogSnapshot.FileName, disk.GetFileNames());
        string whole = await ReadAsync(Without(disk));
        Assert.Equal(whole, await ReadAsync(disk.Clone(), isBySnapshot: true));
    }

    /// <summary>A snapshot that is renamed before it is flushed can be lost with the power, and the next opening reads the whole log.</summary>
    [Fact]
    public async Task Snapshot_is_on_the_disk_when_the_folder_is_closed()
    {
        for (int seed = 1; seed <= 10; seed++)
        {
            var disk = new SimulatedDisk();
            await WorkAsync(disk, Options, seed);
            string whole = await ReadAsync(Without(disk));
            Assert.Equal(whole, await ReadAsync(disk.AfterPowerCut(new Random(seed)), isBySnapshot: true));
        }
    }

    /// <summary>No message is left in the first segments, only ids of the window: these are kept, or copied on, and are known to the next opening.</summary>
    [Fact]
    public async Task Ids_of_a_window_outlive_the_messages_of_their_segments()
    {
        const int IdCount = 20;
        var disk = new SimulatedDisk();
        await using (var folder = new QueueFolder("/simulated", disk, WithoutSnapshots))
        {
            FileQueue windowed = await OpenAsync(folder, "a", Limited);
            FileQueue plain = await OpenAsync(folder, "b", new QueueOptions());
            for (int i = 0; i < IdCount; i++)
            {
                await windowed.SendAsync(new QueueMessage { MessageId = $"id {i}" });
                await (await windowed.ReceiveAsync(TimeSpan.Zero))!.AcknowledgeAsync();
            }

            // The journal has copies.
            await (await OpenAsync(folder, "journal", new QueueOptions())).PurgeAsync();
            string first = disk.GetFileNames().Where(static name => LogSegment.NumberOf(name) is not null).Order(StringComparer.Ordinal).First();
            for (int i = 0; i < 400; i++)
            {
                await plain.SendAsync(new QueueMessage(new MessageBody(new byte[2_000])));
                await (await plain.ReceiveAsync(TimeSpan.Zero))!.AcknowledgeAsync();
            }

            Assert.DoesNotContain(first, disk.GetFileNames());
        }

        await using var again = new QueueFolder("/simulated", disk, WithoutSnapshots);
        FileQueue queue = await OpenAsync(again, "a", Limited);
        for (int i = 0; i < IdCount; i++)
            await Assert.ThrowsAsync<DuplicateMessageException>(() => queue.SendAsync(new QueueMessage { MessageId = $"id {i}" }).AsTask());
    }

    /// <summary>A snapshot of many messages is large. Its segments and the snapshot leave the folder together.</summary>
    [Fact]
    public async Task Snapshot_leaves_the_folder_with_the_segments_that_it_describes()
    {
        var disk = new SimulatedDisk();
        await using (var folder = new QueueFolder("/simulated", disk, Options))
        {
            FileQueue queue = await OpenAsync(folder, "a", new QueueOptions());
            await queue.SendAsync(new QueueMessage());
        }

        Assert.Contains(LogSnapshot.FileName, disk.GetFileNames());
        await using (var folder = new QueueFolder("/simulated", disk, WithoutSnapshots))
        {
            FileQueue queue = await OpenAsync(folder, "a", new QueueOptions());
            await queue.PurgeAsync();
            for (int i = 0; i < 400; i++)
            {
                await queue.SendAsync(new QueueMessage(new MessageBody(new byte[2_000])));
                await (await queue.ReceiveAsync(TimeSpan.Zero))!.AcknowledgeAsync();
            }

            Assert.DoesNotContain(LogSnapshot.FileName, disk.GetFileNames());
        }
    }

    [Fact]
    public async Task Log_behind_an_old_snapshot_is_read()
    {
        var disk = new SimulatedDisk();
        await WorkAsync(disk, Options, 1);
        for (int round = 2; round < 6; round++)
        {
            await WorkAsync(disk, WithoutSnapshots, round);
            Assert.Equal(await ReadAsync(Without(disk)), await ReadAsync(disk.Clone()));
        }
    }

    [ExhaustiveFact]
    public async Task Snapshot_of_which_a_byte_is_wrong_is_passed_over()
    {
        var disk = new SimulatedDisk();
        await WorkAsync(disk, Options, 1);
        string whole = await ReadAsync(Without(disk));
        int length = disk.BytesOf(LogSnapshot.FileName).Length;
        for (int i = 0; i < length; i += i < 200 ? 1 : 17)
        {
            SimulatedDisk damaged = disk.Clone();
            damaged.BytesOf(LogSnapshot.FileName)[i] ^= (byte)(1 << (i % 8));
            Assert.Equal(whole, await ReadAsync(damaged, isBySnapshot: false));
        }

        for (int i = 0; i < length; i += 41)
        {
            SimulatedDisk cut = disk.Clone();
            cut.Truncate(LogSnapshot.FileName, i);
            Assert.Equal(whole, await ReadAsync(cut, isBySnapshot: false));
        }
    }

    [Fact]
    public async Task Snapshot_of_another_log_is_passed_over()
    {
        var disk = new SimulatedDisk();
        var other = new SimulatedDisk();
        await WorkAsync(disk, Options, 1);
        await WorkAsync(other, Options, 1);
        string whole = await ReadAsync(Without(disk));
        Assert.Equal(whole, await ReadAsync(WithSnapshotOf(disk, other), isBySnapshot: false));
    }

    [Fact]
    public async Task Snapshot_of_a_log_that_went_another_way_since_a_copy_is_passed_over()
    {
        var disk = new SimulatedDisk();
        await WorkAsync(disk, WithoutSnapshots, 1);
        SimulatedDisk copy = disk.Clone();
        await WorkAsync(disk, Options, 2, count: 8);
        await WorkAsync(copy, WithoutSnapshots, 3, count: 8);
        string whole = await ReadAsync(copy.Clone());
        Assert.Equal(whole, await ReadAsync(WithSnapshotOf(copy, disk), isBySnapshot: false));
        Assert.NotEqual(whole, await ReadAsync(disk.Clone()));
    }

    /// <summary>Messages of one length and without a time, so that nothing but the block itself tells the two ways apart.</summary>
    [Fact]
    public async Task Snapshot_of_a_log_that_went_a_way_of_the_same_length_is_passed_over()
    {
        var disk = new SimulatedDisk();
        await SendAsync(disk, WithoutSnapshots, "a");
        SimulatedDisk copy = disk.Clone();
        await SendAsync(disk, Options, "b");
        await SendAsync(copy, WithoutSnapshots, "c");
        string whole = await ReadAsync(copy.Clone());
        Assert.Equal(whole, await ReadAsync(WithSnapshotOf(copy, disk), isBySnapshot: false));

        static async Task SendAsync(SimulatedDisk disk, FileQueueOptions options, string label)
        {
            await using var folder = new QueueFolder("/simulated", disk, options);
            FileQueue queue = await OpenAsync(folder, "a", new QueueOptions());
            for (int i = 0; i < 5; i++)
                await queue.SendAsync(new QueueMessage(new MessageBody(new byte[20])) { Label = label, MessageId = $"{label}{i}" });
        }
    }

    [Fact]
    public async Task Snapshot_hides_no_segment_that_is_missing_and_no_end()
    {
        var disk = new SimulatedDisk();
        await WorkAsync(disk, Options, 1);
        await WorkAsync(disk, WithoutSnapshots, 2);
        string[] segments = [.. disk.GetFileNames().Where(name => LogSegment.NumberOf(name) is not null).Order(StringComparer.Ordinal)];
        Assert.True(segments.Length > 2);
        foreach (string segment in segments)
        {
            SimulatedDisk missing = disk.Clone();
            missing.Delete(segment);
            await Assert.ThrowsAsync<QueueException>(() => ReadAsync(missing));
            SimulatedDisk cut = disk.Clone();
            cut.Truncate(segment, cut.BytesOf(segment).Length - 512);
            await Assert.ThrowsAsync<QueueException>(() => ReadAsync(cut));
        }

        SimulatedDisk endless = disk.Clone();
        int end = (endless.BytesOf(segments[^1]).AsSpan().LastIndexOfAnyExcept((byte)0) / 512 * 512) + 512;
        endless.BytesOf(segments[^1]).AsSpan(end - 512, 512).Clear();
        await Assert.ThrowsAsync<QueueException>(() => ReadAsync(endless));
    }

    [Fact]
    public async Task Message_that_is_damaged_under_a_snapshot_is_never_handed_out()
    {
        var disk = new SimulatedDisk();
        await using (var folder = new QueueFolder("/simulated", disk, Options))
        {
            FileQueue queue = await OpenAsync(folder, "a", new QueueOptions());
            for (int i = 0; i < 20; i++)
                await queue.SendAsync(new QueueMessage(new MessageBody(new byte[] { 77, 77, 77, (byte)i })) { Label = "L" });
        }

        byte[] log = disk.BytesOf(DamagedLog.FirstSegment);
        int at = log.AsSpan().IndexOf(new byte[] { 77, 77, 77, 10 });
        log[at] = 76;
        await using var again = new QueueFolder("/simulated", disk, Options);
        FileQueue after = await OpenAsync(again, "a", new QueueOptions());
        for (int i = 0; i < 10; i++)
            Assert.Equal(i, (await after.ReceiveAsync(TimeSpan.Zero))!.Body.ToArray()[3]);
        QueueException error = await Assert.ThrowsAsync<QueueException>(() => after.ReceiveAsync(TimeSpan.Zero).AsTask());
        Assert.Contains("wrong checksum", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Small_log_gets_no_snapshot()
    {
        var disk = new SimulatedDisk();
        await WorkAsync(disk, new FileQueueOptions { SegmentByteCount = 1 << 16 }, 1);
        Assert.DoesNotContain(LogSnapshot.FileName, disk.GetFileNames());
    }

    private static SimulatedDisk Without(SimulatedDisk disk)
    {
        SimulatedDisk copy = disk.Clone();
        copy.Delete(LogSnapshot.FileName);
        return copy;
    }

    private static SimulatedDisk WithSnapshotOf(SimulatedDisk disk, SimulatedDisk other)
    {
        SimulatedDisk copy = disk.Clone();
        byte[] snapshot = other.BytesOf(LogSnapshot.FileName);
        if (copy.GetFileNames().Contains(LogSnapshot.FileName))
            copy.Delete(LogSnapshot.FileName);
        using LogFile file = copy.Create(LogSnapshot.FileName, 0);
        file.Write(snapshot, 0);
        return copy;
    }

    /// <summary>Sends, receives, gives back, lets die, moves, deletes and closes; everything follows from the seed.</summary>
    private static async Task WorkAsync(SimulatedDisk disk, FileQueueOptions options, int seed, int count = 150)
    {
        var random = new Random(seed);
        await using var folder = new QueueFolder("/simulated", disk, options);
        FileQueue a = await OpenAsync(folder, "a", Limited);
        FileQueue b = await OpenAsync(folder, "b", new QueueOptions());
        var both = new FileMulticastQueue(b.Address, new QueueOptions(), [a, b]);
        for (int i = 0; i < count; i++)
        {
            var message = new QueueMessage(new MessageBody(new byte[random.Next(3) == 0 ? 1500 : 20], seed, "x/y"))
            {
                Label = $"{seed}.{i}", CorrelationId = i % 5 == 0 ? $"c{i}" : null, Priority = random.Next(3) == 0 ? random.Next(10) : 4, TimeToLive = i % 7 == 0 ? TimeSpan.FromDays(5) : null,
            };
            if (i % 11 == 0)
                message.Headers["h"] = i;
            if (i % 13 == 0)
                message.DueTime = DateTimeOffset.UtcNow.AddDays(2);
            if (i % 4 == 0)
                message.MessageId = $"id {seed} {i}";
            await (random.Next(6) == 0 ? (QueueClient)both : random.Next(2) == 0 ? a : b).SendAsync(message);
            if (random.Next(3) > 0 || await a.ReceiveAsync(TimeSpan.Zero) is not { } received)
                continue;
            switch (random.Next(5))
            {
                case 0:
                    await received.ReturnAsync();
                    break;
                case 1:
                    await received.DeadLetterAsync("no good", $"because {i % 2}");
                    break;
                case 2:
                    await received.ReturnAsync(TimeSpan.FromDays(1));
                    break;
                default:
                    await received.AcknowledgeAsync();
                    break;
            }
        }

        await OpenAsync(folder, $"gone {seed}", new QueueOptions());
        await folder.DeleteQueueAsync($"gone {seed}", default);
    }

    /// <summary>Opens a log and says all that is in it.</summary>
    private static async Task<string> ReadAsync(SimulatedDisk disk, bool? isBySnapshot = null)
    {
        await using var folder = new QueueFolder("/simulated", disk, WithoutSnapshots);
        if (isBySnapshot is { } expected)
            Assert.Equal(expected, folder.ReplayedByteCount == 0);
        var lines = new List<string>();
        foreach (QueueStatus status in folder.List(null).OrderBy(status => status.Name, StringComparer.Ordinal))
        {
            lines.Add($"{status.Name}: {status.MessageCount}, {status.LockedCount}, {status.OldestSentTime:O}");
            FileQueue queue = await OpenAsync(folder, status.Name, new QueueOptions());
            foreach (PeekedMessage message in await queue.PeekAsync(new PeekOptions { MaxCount = 10_000 }))
            {
                lines.Add($"{message.MessageId} {message.Label} {message.CorrelationId} {message.Priority} {message.TimeToLive} {message.DeliveryCount} {message.SentTime:O} "
                    + $"{message.DueTime:yyyy-MM-ddTHH} {message.DeadLetterReason} {message.DeadLetterDescription} {message.DeadLetterSource} {message.Headers.Count} {message.Body.BodyType} {message.Body.ByteCount}");
            }
        }

        FileQueue windowed = await OpenAsync(folder, "a", Limited);
        for (int seed = 1; seed < 6; seed++)
        {
            for (int i = 0; i < 150; i += 4)
            {
                try
                {
                    await windowed.SendAsync(new QueueMessage(new MessageBody(Array.Empty<byte>())) { MessageId = $"id {seed} {i}" });
                }
                catch (DuplicateMessageException)
                {
                    lines.Add($"duplicate {seed} {i}");
                }
            }
        }

        return string.Join('\n', lines);
    }

    private static async Task<FileQueue> OpenAsync(QueueFolder folder, string name, QueueOptions options)
    {
        options = options with { DeliveryMode = DeliveryMode.Recoverable };
        return new FileQueue(
            await folder.OpenQueueAsync(name, default),
            folder.AddressOf(name),
            options,
            options.DeadLetterQueue is null ? null : await folder.OpenQueueAsync(options.DeadLetterQueue, default),
            options.JournalQueue is null ? null : await folder.OpenQueueAsync(options.JournalQueue, default));
    }
}
