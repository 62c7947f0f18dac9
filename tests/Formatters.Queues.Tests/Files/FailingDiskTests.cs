using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>
/// A write or flush fails once, wherever it is: the log takes nothing more, and a new opening has all that was acknowledged. A full disk is no end, and nothing is lost when room comes.
/// </summary>
public class FailingDiskTests
{
    private static readonly FileQueueOptions Options = new() { SegmentByteCount = 1 << 16, CachedByteCount = 1 << 14 };

    [Fact]
    public Task After_a_failed_write_nothing_more_is_taken() => FailEachAsync("write", 12);

    [Fact]
    public Task After_a_failed_flush_nothing_more_is_taken() => FailEachAsync("flush", 12);

    [Fact]
    public Task After_a_failed_flush_of_the_folder_nothing_more_is_taken() => FailEachAsync("flush folder", 2);

    [Fact]
    public Task After_a_failed_renaming_nothing_more_is_taken() => FailEachAsync("rename", 2);

    [Fact]
    public async Task Message_that_is_damaged_in_a_running_log_is_not_handed_out()
    {
        var disk = new SimulatedDisk();
        await using var folder = new QueueFolder("/simulated", disk, Options with { CachedByteCount = 0 });
        FileQueue queue = await OpenAsync(folder);
        await queue.SendAsync(Message(1));
        await queue.SendAsync(Message(2));
        byte[] log = disk.BytesOf("0000000000000001.log");
        log[log.AsSpan().LastIndexOf(Enumerable.Repeat((byte)2, 100).ToArray())] ^= 1;

        Assert.Equal(1, Number(await queue.ReceiveAsync(TimeSpan.Zero)));
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => queue.ReceiveAsync(TimeSpan.Zero).AsTask());

        Assert.Contains("wrong checksum", e.Message, StringComparison.Ordinal);
        Assert.Equal(1, await queue.GetMessageCountAsync());
    }

    [Fact]
    public async Task Sender_who_is_refused_while_the_writer_begins_a_segment_leaves_its_file_alone()
    {
        // At each step of the writer, from the making of the file on.
        foreach (string step in new[] { "create", "write", "flush", "rename", "flush folder" })
            await RefuseDuringAsync(step);
    }

    [Fact]
    public async Task Prepared_segment_that_is_too_small_for_a_message_takes_no_room()
    {
        const int SegmentByteCount = 1 << 16;
        var disk = new SimulatedDisk { FreeByteCount = (6 * SegmentByteCount) + LogManifest.ByteCount };
        await using var folder = new QueueFolder("/simulated", disk, Options);
        FileQueue queue = await OpenAsync(folder);
        disk.Fault = name =>
        {
            if (name == "create" && Thread.CurrentThread.Name == MessageLog.ThreadName)
                throw new IOException("Too many open files");
        };

        QueueException e = await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(new QueueMessage(new MessageBody(new byte[2 * SegmentByteCount]))).AsTask());

        Assert.Contains("no space", e.Message, StringComparison.Ordinal);
        Assert.Equal(["0000000000000001.log", LogManifest.FileName], disk.GetFileNames().Order());
        Assert.Equal(5 * SegmentByteCount, disk.FreeByteCount);
        disk.Fault = null;
        await queue.SendAsync(new QueueMessage(new MessageBody(new byte[2 * SegmentByteCount])));
    }

    [Fact]
    public async Task Torn_end_on_a_full_disk_is_cut_off_and_what_is_in_the_queue_comes_out()
    {
        var disk = new SimulatedDisk();
        var before = new QueueFolder("/simulated", disk, Options, hasThread: false);
        FileQueue queue = Open(before);
        for (int i = 0; i < 10; i++)
            Pump(before, queue.SendAsync(Message(i)));
        SimulatedDisk torn = disk.Clone();
        // The power goes while the next block is being written: the last of its sectors is there, the first is not.
        torn.BytesOf("0000000000000001.log").AsSpan(DamagedLog.EndOf(torn) + 512, 512).Fill(1);
        torn.FreeByteCount = 0;

        await using var folder = new QueueFolder("/simulated", torn, Options);
        FileQueue after = await OpenAsync(folder);
        for (int i = 0; i < 10; i++)
            Assert.Equal(i, Number(await after.ReceiveAsync(TimeSpan.Zero)));
        Assert.Null(await after.ReceiveAsync(TimeSpan.Zero));
        Assert.Equal(["0000000000000001.log", LogManifest.FileName], torn.GetFileNames().Order());
    }

    [Fact]
    public async Task Torn_end_is_kept_in_a_file_of_its_own_where_there_is_room()
    {
        var disk = new SimulatedDisk();
        var before = new QueueFolder("/simulated", disk, Options, hasThread: false);
        FileQueue queue = Open(before);
        Pump(before, queue.SendAsync(Message(1)));
        SimulatedDisk torn = disk.Clone();
        int end = DamagedLog.EndOf(torn);
        torn.BytesOf("0000000000000001.log").AsSpan(end + 512, 512).Fill(1);

        await using var folder = new QueueFolder("/simulated", torn, Options);

        Assert.Equal([.. new byte[512], .. Enumerable.Repeat((byte)1, 512)], torn.BytesOf($"0000000000000001.log.torn-{end}"));
    }

    [Fact]
    public Task Folder_that_is_lost_while_a_block_is_written_acknowledges_nothing_more() => LoseDuringAsync("write");

    [Fact]
    public Task Folder_that_is_lost_while_a_block_is_flushed_acknowledges_nothing_more() => LoseDuringAsync("flush");

    private static async Task LoseDuringAsync(string step)
    {
        var disk = new SimulatedDisk();
        await using var folder = new QueueFolder("/simulated", disk, Options);
        FileQueue queue = await OpenAsync(folder);
        await queue.SendAsync(Message(1));
        disk.Fault = name => disk.IsLost |= name == step && Thread.CurrentThread.Name == MessageLog.ThreadName;

        await ThrowsLostAsync(() => queue.SendAsync(Message(2)).AsTask());
        await ThrowsLostAsync(() => queue.ReceiveAsync(TimeSpan.Zero).AsTask());
        // It came back, but what was done to it meanwhile nobody knows.
        disk.Fault = null;
        disk.IsLost = false;
        await ThrowsLostAsync(() => queue.SendAsync(Message(3)).AsTask());
    }

    [Fact]
    public async Task Folder_that_was_lost_is_not_written_to()
    {
        var disk = new SimulatedDisk();
        await using var folder = new QueueFolder("/simulated", disk, Options);
        FileQueue queue = await OpenAsync(folder);
        await queue.SendAsync(Message(1));
        // Until the next segment is prepared, which is no harm.
        while (disk.GetFileNames().Count < 3)
            await Task.Delay(1);
        disk.IsLost = true;
        int operations = disk.Operations;

        await ThrowsLostAsync(() => queue.SendAsync(Message(2)).AsTask());
        await folder.DisposeAsync();

        Assert.Equal(operations, disk.Operations);
    }

    private static async Task ThrowsLostAsync(Func<Task> send)
    {
        QueueException e = await Assert.ThrowsAsync<QueueException>(send);
        Assert.Contains("'lock' was deleted", e.Message, StringComparison.Ordinal);
        Assert.Equal(QueueErrorCode.FolderStopped, e.Code);
    }

    private static FileQueue Open(QueueFolder folder)
    {
        Task<FileQueueStore> open = folder.OpenQueueAsync("a", default).AsTask();
        folder.WritePending();
        return new(open.GetAwaiter().GetResult(), QueueAddress.Parse("file:///simulated/a"), new QueueOptions { DeliveryMode = DeliveryMode.Recoverable });
    }

    private static void Pump(QueueFolder folder, ValueTask task)
    {
        folder.WritePending();
        task.GetAwaiter().GetResult();
    }

    /// <summary>A disk is full until the writer begins a segment for those who do not send; in a step of that somebody sends, and is refused.</summary>
    private static async Task RefuseDuringAsync(string step)
    {
        var disk = new SimulatedDisk { FreeByteCount = (1 << 16) + LogManifest.ByteCount };
        var acknowledged = new Dictionary<string, uint>();
        var sent = new List<int>();
        await using (var folder = new QueueFolder("/simulated", disk, Options))
        {
            FileQueue queue = await OpenAsync(folder);
            while (await TrySendAsync(queue, sent.Count))
                sent.Add(sent.Count);

            Task<bool>? refused = null;
            bool isRolling = false;
            disk.Fault = name =>
            {
                if (Thread.CurrentThread.Name != MessageLog.ThreadName || refused is not null)
                    return;
                if (name == "create")
                {
                    isRolling = true;
                    disk.FreeByteCount = 1 << 20;
                }

                if (!isRolling || name != step)
                    return;
                refused = Task.Run(() => TrySendAsync(queue, -1));
                refused.Wait();
            };
            // What adds no messages fills what is kept for it.
            for (int more = 10; more > 0; more -= refused is null ? 0 : 1)
            {
                string name = $"queue {acknowledged.Count}";
                acknowledged.Add(name, (await folder.OpenQueueAsync(name, default)).QueueId);
            }

            Assert.False(await refused!);
            while (!await TrySendAsync(queue, sent.Count))
                await Task.Delay(10);
            sent.Add(sent.Count);
        }

        Assert.DoesNotContain("0000000000000002.log.new", disk.GetFileNames());
        await using var again = new QueueFolder("/simulated", disk, Options);
        foreach ((string name, uint id) in acknowledged)
            Assert.Equal(id, (await again.OpenQueueAsync(name, default)).QueueId);
        FileQueue after = await OpenAsync(again);
        foreach (int number in sent)
            Assert.Equal(number, Number(await after.ReceiveAsync(TimeSpan.Zero)));
    }

    private static async Task<bool> TrySendAsync(FileQueue queue, int number)
    {
        try
        {
            await queue.SendAsync(Message(number));
            return true;
        }
        catch (QueueException e)
        {
            Assert.Contains("no space", e.Message, StringComparison.Ordinal);
            return false;
        }
    }

    /// <summary>Fails the first, the second ... operation of a kind after the opening, in a log of its own each.</summary>
    private static async Task FailEachAsync(string operation, int count)
    {
        for (int failAt = 1; failAt <= count; failAt++)
        {
            var disk = new SimulatedDisk();
            var sent = new List<int>();
            await using (var folder = new QueueFolder("/simulated", disk, Options))
            {
                FileQueue queue = await OpenAsync(folder);
                int operations = 0;
                int last = 0;
                disk.Fault = name =>
                {
                    if (name == operation && ++operations == failAt)
                        throw new IOException("Input/output error");
                };
                QueueException? first = null;
                while (first is null)
                {
                    try
                    {
                        await queue.SendAsync(Message(++last));
                        sent.Add(last);
                    }
                    catch (QueueException e)
                    {
                        first = e;
                    }

                    Assert.True(first is not null || operations < failAt, $"the failed {operation} {failAt} was passed over");
                    Assert.True(last < 10_000, $"no {operation} {failAt} in {last} sends");
                }

                Assert.True(first.OutcomeUnknown);
                QueueException second = await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(Message(++last)).AsTask());
                Assert.Contains("Input/output error", second.Message, StringComparison.Ordinal);
                if (sent.Count > 0)
                    await Assert.ThrowsAsync<QueueException>(() => queue.ReceiveAsync(TimeSpan.Zero).AsTask());
                Assert.Equal(failAt, operations);
            }

            disk.Fault = null;
            await using var again = new QueueFolder("/simulated", disk.AfterPowerCut(new Random(failAt)), Options);
            FileQueue after = await OpenAsync(again);
            foreach (int number in sent)
                Assert.Equal(number, Number(await after.ReceiveAsync(TimeSpan.Zero)));
        }
    }

    private static async Task<FileQueue> OpenAsync(QueueFolder folder) =>
        new(await folder.OpenQueueAsync("a", default), QueueAddress.Parse("file:///simulated/a"), new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete });

    private static QueueMessage Message(int number)
    {
        byte[] body = new byte[2_000];
        body.AsSpan().Fill((byte)number);
        BitConverter.TryWriteBytes(body, number);
        return new(new MessageBody(body));
    }

    private static int Number(ReceivedMessage? message) => BitConverter.ToInt32(message!.Body.ToArray());
}
