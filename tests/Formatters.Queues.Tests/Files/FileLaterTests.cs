using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What batches cost in a folder's log, and what due times, delays and the ids of what was sent are worth after an opening.</summary>
public sealed class FileLaterTests : IDisposable
{
    private static readonly QueueOptions PeekLock = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock };
    private static readonly QueueOptions Windowed = PeekLock with { DuplicateWindow = TimeSpan.FromMinutes(10) };

    private readonly SimulatedDisk _disk = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _disk.Dispose();

    [Fact]
    public async Task Batch_is_one_flush_to_send_to_receive_and_to_acknowledge()
    {
        await using QueueFolder folder = OpenUnattended();
        QueueClient deleting = Pump(folder, OpenAsync(folder, PeekLock with { ReceiveMode = ReceiveMode.ReceiveAndDelete }));
        QueueClient locking = Pump(folder, OpenAsync(folder, PeekLock));
        for (int i = 0; i < 2; i++)
        {
            Assert.Equal(1, Flushes(folder, locking.SendBatchAsync([.. Enumerable.Range(0, 100).Select(Message)]).AsTask()));
            Task<IReadOnlyList<ReceivedMessage>> receive = (i == 0 ? deleting : locking).ReceiveBatchAsync(100, TimeSpan.Zero).AsTask();
            Assert.Equal(1 - i, Flushes(folder, receive));
            Assert.Equal(Enumerable.Range(0, 100), (await receive).Select(Number));
            if (i == 1)
                Assert.Equal(1, Flushes(folder, locking.AcknowledgeBatchAsync(await receive).AsTask()));
        }

        Assert.Equal(0, await locking.GetMessageCountAsync());
        Assert.Equal(0, await locking.GetLockedCountAsync());

        int Flushes(QueueFolder folder, Task task)
        {
            int count = 0;
            for (; !task.IsCompleted; count++)
                Assert.True(folder.WritePending());
            return count;
        }
    }

    [Fact]
    public async Task Messages_received_ahead_and_not_seen_are_not_counted_also_after_an_opening()
    {
        QueueOptions limited = PeekLock with { DeadLetterQueue = "dead", MaxDeliveryCount = 2 };
        for (int round = 0; round < 5; round++)
        {
            await using QueueFolder folder = Open();
            FileQueueStore dead = await folder.OpenQueueAsync("dead", default);
            var queue = new FileQueue(await folder.OpenQueueAsync("a", default), folder.AddressOf("a"), limited, dead);
            if (round == 0)
                await queue.SendBatchAsync([Message(0), Message(1)]);
            // The second is in hand, too, and goes back when the loop ends.
            await foreach (ReceivedMessage message in queue.ReceiveAllAsync(10))
            {
                Assert.Equal((0, 1), (Number(message), message.DeliveryCount));
                await queue.ReturnUnseenAsync([message]);
                break;
            }
        }

        await using QueueFolder last = Open();
        IReadOnlyList<PeekedMessage> both = await (await OpenAsync(last, PeekLock)).PeekAsync();
        Assert.Equal([(0, 0), (1, 0)], both.Select(message => (Number(message), message.DeliveryCount)));
    }

    [Fact]
    public async Task Due_times_and_delays_are_kept()
    {
        await using (QueueFolder folder = Open())
        {
            QueueClient queue = await OpenAsync(folder, PeekLock);
            await queue.SendAsync(new QueueMessage(Message(0).Body) { DueTime = _time.GetUtcNow().AddHours(1), TimeToLive = TimeSpan.FromMinutes(5) });
            await queue.SendBatchAsync([Message(1), new QueueMessage(Message(2).Body) { DueTime = _time.GetUtcNow().AddHours(3), TimeToLive = TimeSpan.MaxValue }]);
            ReceivedMessage one = (await queue.ReceiveAsync(TimeSpan.Zero))!;
            Assert.Equal(1, Number(one));
            await one.ReturnAsync(TimeSpan.FromHours(2));
            Assert.Equal(3, await queue.GetMessageCountAsync());
        }

        _time.Advance(TimeSpan.FromMinutes(59));
        await using (QueueFolder folder = Open())
        {
            QueueClient queue = await OpenAsync(folder, PeekLock);
            Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
            Assert.Equal((3, 0L), (await queue.GetMessageCountAsync(), await queue.GetLockedCountAsync()));
            Assert.Equal([0, 1, 2], (await queue.PeekAsync()).Select(Number));
            _time.Advance(TimeSpan.FromMinutes(5));
            ReceivedMessage zero = (await queue.ReceiveAsync(TimeSpan.Zero))!;
            Assert.Equal((0, new DateTimeOffset(1970, 1, 2, 1, 0, 0, TimeSpan.Zero)), (Number(zero), zero.DueTime));
            await zero.ReturnAsync();
            _time.Advance(TimeSpan.FromMinutes(1));
            Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
            Assert.Equal(2, await queue.GetMessageCountAsync());
        }

        _time.Advance(TimeSpan.FromMinutes(54));
        await using (QueueFolder folder = Open())
        {
            QueueClient queue = await OpenAsync(folder, PeekLock);
            Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
            Task<ReceivedMessage?> waiting = queue.ReceiveAsync(TimeSpan.FromMinutes(1)).AsTask();
            _time.Advance(TimeSpan.FromMinutes(1));
            Assert.Equal(1, Number((await waiting)!));
            _time.Advance(TimeSpan.FromDays(1000));
            Assert.Equal(2, Number((await queue.ReceiveAsync(TimeSpan.Zero))!));
        }
    }

    [Fact]
    public async Task Delays_are_kept_when_the_segment_of_the_message_is_gone()
    {
        await using (QueueFolder folder = Open())
        {
            QueueClient queue = await OpenAsync(folder, PeekLock);
            await queue.SendAsync(Message(0));
            await (await queue.ReceiveAsync(TimeSpan.Zero))!.ReturnAsync(TimeSpan.FromHours(1));
            await TurnOverAsync(queue, 60);
        }

        Assert.DoesNotContain(LogSegment.FileName(1), _disk.GetFileNames());
        await using (QueueFolder folder = Open())
        {
            QueueClient queue = await OpenAsync(folder, PeekLock);
            Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
            _time.Advance(TimeSpan.FromHours(1));
            Assert.Equal(0, Number((await queue.ReceiveAsync(TimeSpan.Zero))!));
        }
    }

    [Fact]
    public async Task Ids_are_refused_for_their_window_also_when_their_segments_are_gone()
    {
        await using (QueueFolder folder = Open())
        {
            QueueClient queue = await OpenAsync(folder, Windowed);
            await queue.SendAsync(Message(0, "a"));
            await using (var transactional = new FileQueue(await folder.OpenQueueAsync("a", default), folder.AddressOf("a"), Windowed with { DeliveryMode = DeliveryMode.Transactional }))
            await using (QueueTransaction transaction = await transactional.BeginTransactionAsync())
            {
                await transactional.SendAsync(Message(1, "b"), transaction);
                await transaction.CommitAsync();
            }

            await queue.AcknowledgeBatchAsync(await queue.ReceiveBatchAsync(2, TimeSpan.Zero));
            await TurnOverAsync(queue, 60);
            Assert.DoesNotContain(LogSegment.FileName(1), _disk.GetFileNames());
            await AssertRefusedAsync(queue, "a", "b");
        }

        _time.Advance(TimeSpan.FromMinutes(9));
        for (int round = 0; round < 3; round++)
        {
            await using QueueFolder folder = Open();
            QueueClient queue = await OpenAsync(folder, Windowed);
            await AssertRefusedAsync(queue, "a", "b");
            await TurnOverAsync(queue, 30);
        }

        _time.Advance(TimeSpan.FromMinutes(1));
        await using (QueueFolder folder = Open())
        {
            QueueClient queue = await OpenAsync(folder, Windowed);
            await queue.SendBatchAsync([Message(2, "a"), Message(3, "b")]);
            Assert.Equal(2, await queue.GetMessageCountAsync());
        }
    }

    [Fact]
    public async Task Ids_of_a_busy_queue_are_not_written_again_and_again()
    {
        await using QueueFolder folder = Open();
        QueueClient queue = await OpenAsync(folder, Windowed);
        for (int i = 0; i < 20; i++)
        {
            await queue.SendBatchAsync([.. Enumerable.Range(0, 500).Select(n => Message(n, $"message {i} {n} of the sender"))]);
            await queue.AcknowledgeBatchAsync(await queue.ReceiveBatchAsync(500, TimeSpan.Zero));
        }

        // 10,000 ids of some 45 bytes: the log keeps them, and not many times.
        Assert.InRange(folder.LogByteCount, 450_000, 3_000_000);
        long before = folder.LogByteCount;
        _time.Advance(TimeSpan.FromMinutes(10));
        await TurnOverAsync(queue, 5);
        Assert.InRange(folder.LogByteCount, 1, before / 3);
    }

    [Fact]
    public async Task Refused_transaction_gives_back_what_it_received_and_sends_nothing()
    {
        await using QueueFolder folder = Open();
        QueueClient queue = await OpenAsync(folder, Windowed with { DeliveryMode = DeliveryMode.Transactional });
        await using (QueueTransaction transaction = await queue.BeginTransactionAsync())
        {
            await queue.SendAsync(Message(0, "a"), transaction);
            await transaction.CommitAsync();
        }

        await using (QueueTransaction transaction = await queue.BeginTransactionAsync())
        {
            Assert.NotNull(await queue.ReceiveAsync(TimeSpan.Zero, transaction));
            await queue.SendBatchAsync([Message(1, "b"), Message(2, "a")], transaction);
            DuplicateMessageException e = await Assert.ThrowsAsync<DuplicateMessageException>(() => transaction.CommitAsync().AsTask());
            Assert.Equal(["a"], e.MessageIds);
        }

        Assert.Equal((1, 0L), (await queue.GetMessageCountAsync(), await queue.GetLockedCountAsync()));
        await using (QueueTransaction transaction = await queue.BeginTransactionAsync())
        {
            Assert.Equal(0, Number((await queue.ReceiveAsync(TimeSpan.Zero, transaction))!));
            await queue.SendAsync(Message(1, "b"), transaction);
            await transaction.CommitAsync();
        }

        Assert.Equal((1, 0L), (await queue.GetMessageCountAsync(), await queue.GetLockedCountAsync()));
    }

    [Fact]
    public async Task Duplicate_of_a_send_that_is_under_way_is_refused_when_that_one_is_flushed()
    {
        QueueFolder folder = OpenUnattended();
        QueueClient queue = Pump(folder, OpenAsync(folder, Windowed with { MaxMessageCount = 1 }));
        Task first = queue.SendAsync(Message(0, "a")).AsTask();
        // The second takes no room while it waits for the first: it is refused as full, or as a duplicate, and the room is there again.
        QueueClient unlimited = Pump(folder, OpenAsync(folder, Windowed));
        Task second = unlimited.SendAsync(Message(1, "a")).AsTask();
        Assert.False(second.IsCompleted);
        while (!second.IsCompleted)
            Assert.True(folder.WritePending());
        await first;
        await Assert.ThrowsAsync<DuplicateMessageException>(() => second);
        Assert.Equal((1, 0L), (await queue.GetMessageCountAsync(), await queue.GetLockedCountAsync()));
        await folder.DisposeAsync();
    }

    private static async Task AssertRefusedAsync(QueueClient queue, params string[] ids)
    {
        foreach (string id in ids)
            await Assert.ThrowsAsync<DuplicateMessageException>(() => queue.SendAsync(Message(9, id)).AsTask());
        DuplicateMessageException e = await Assert.ThrowsAsync<DuplicateMessageException>(() => queue.SendBatchAsync([.. ids.Select(id => Message(9, id)), Message(9, "new")]).AsTask());
        Assert.Equal(ids, e.MessageIds);
        Assert.Equal((0, 0L), (await queue.GetMessageCountAsync(), await queue.GetLockedCountAsync()));
    }

    /// <summary>Lets so many large messages through that the log goes on by some segments.</summary>
    private static async Task TurnOverAsync(QueueClient queue, int count)
    {
        for (int i = 0; i < count; i++)
        {
            await queue.SendAsync(new QueueMessage(new MessageBody(new byte[20_000])) { MessageId = Guid.NewGuid().ToString(), CorrelationId = "large" });
            await (await queue.ReceiveByCorrelationIdAsync("large", TimeSpan.Zero))!.AcknowledgeAsync();
        }
    }

    private QueueFolder Open() => new("/simulated", _disk, Options());

    private QueueFolder OpenUnattended() => new("/simulated", _disk, Options(), hasThread: false);

    private FileQueueOptions Options() => new() { SegmentByteCount = 1 << 16, TimeProvider = _time };

    private static async ValueTask<QueueClient> OpenAsync(QueueFolder folder, QueueOptions options) =>
        new FileQueue(await folder.OpenQueueAsync("a", default), folder.AddressOf("a"), options);

    private static QueueClient Pump(QueueFolder folder, ValueTask<QueueClient> task)
    {
        while (!task.IsCompleted)
            Assert.True(folder.WritePending());
        return task.GetAwaiter().GetResult();
    }

    private static QueueMessage Message(int number) => new(new MessageBody(BitConverter.GetBytes(number)));

    private static QueueMessage Message(int number, string id) => new(Message(number).Body) { MessageId = id };

    private static int Number(QueueMessage message) => BitConverter.ToInt32(message.Body.ToArray());
}
