using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What priorities, expiry, leases, dead letters, limits and the journal of a folder's queues are worth after an opening, and what they cost in the log.</summary>
public sealed class FileFeatureTests : IDisposable
{
    private static readonly QueueOptions PeekLock = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock };

    private readonly SimulatedDisk _disk = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _disk.Dispose();

    [Theory]
    [InlineData(DeliveryMode.Express)]
    [InlineData(DeliveryMode.Recoverable)]
    [InlineData(DeliveryMode.Transactional)]
    public async Task Header_OfAnotherType_IsRefusedByTheSend(DeliveryMode mode)
    {
        var folder = new TestFolder();
        await using (var provider = new FileQueueProvider())
        {
            var connector = new QueueConnector(provider);
            await using QueueClient queue = await connector.OpenAsync($"file://{folder.Path}/orders", new QueueOptions { DeliveryMode = mode });
            QueueTransaction? transaction = mode == DeliveryMode.Transactional ? await queue.BeginTransactionAsync() : null;
            foreach (object? value in new object?[] { 1.5m, null, DateTime.UnixEpoch, new object(), 1u })
            {
                var message = new QueueMessage(new MessageBody(new byte[] { 1 }));
                message.Headers["price"] = value!;
                ArgumentException e = await Assert.ThrowsAsync<ArgumentException>(() => queue.SendAsync(message, transaction).AsTask());
                Assert.Contains("price", e.Message, StringComparison.Ordinal);
                await Assert.ThrowsAsync<ArgumentException>(() => queue.SendBatchAsync([new QueueMessage(new MessageBody(new byte[] { 2 })), message], transaction).AsTask());
            }

            if (transaction is not null)
            {
                await transaction.CommitAsync();
                await transaction.DisposeAsync();
            }

            Assert.Equal(0, await queue.GetMessageCountAsync());
        }

        folder.Delete();
    }

    [Theory]
    [InlineData(DeliveryMode.Express)]
    [InlineData(DeliveryMode.Recoverable)]
    public async Task Handle_OfAClosedProvider_FailsAndAnswersNothingFromMemory(DeliveryMode mode)
    {
        var folder = new TestFolder();
        var first = new FileQueueProvider();
        QueueClient old = await new QueueConnector(first).OpenAsync($"file://{folder.Path}/orders", new QueueOptions { DeliveryMode = mode });
        QueueClient waits = await new QueueConnector(first).OpenAsync($"file://{folder.Path}/empty", new QueueOptions { DeliveryMode = mode });
        Task<ReceivedMessage?> waiting = waits.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();
        await old.SendAsync(new QueueMessage(new MessageBody(new byte[] { 1 })));
        await first.DisposeAsync();

        await Assert.ThrowsAsync<QueueException>(() => waiting);
        foreach (Func<Task> operation in new Func<Task>[]
        {
            () => old.ReceiveAsync(TimeSpan.Zero).AsTask(), () => old.SendAsync(new QueueMessage(new MessageBody(new byte[] { 2 }))).AsTask(),
            () => old.ReceiveBatchAsync(5, TimeSpan.Zero).AsTask(), () => old.SendBatchAsync([new QueueMessage(new MessageBody(new byte[] { 3 }))]).AsTask(),
            () => old.PeekAsync().AsTask(), () => old.GetMessageCountAsync().AsTask(), () => old.PurgeAsync().AsTask(),
        })
        {
            QueueException e = await Assert.ThrowsAsync<QueueException>(operation);
            Assert.Equal(QueueErrorCode.FolderStopped, e.Code);
        }

        await old.DisposeAsync();
        await waits.DisposeAsync();
        folder.Delete();
    }

    [Fact]
    public async Task Closed_folder_ends_the_sends_that_wait_for_room()
    {
        QueueFolder folder = Open();
        FileQueue queue = await OpenAsync(folder, "a", PeekLock with { HoldBackByteCount = 1, OperationTimeout = TimeSpan.MaxValue });
        await queue.SendAsync(new QueueMessage(Body(1)));
        Task held = queue.SendAsync(new QueueMessage(Body(2))).AsTask();
        Assert.False(held.IsCompleted);
        await folder.DisposeAsync();
        Assert.Contains("is closed", (await Assert.ThrowsAsync<QueueException>(() => held)).Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(new QueueMessage(Body(3))).AsTask());
    }

    [Fact]
    public async Task Names_that_no_address_has_are_refused()
    {
        await using QueueFolder folder = Open();
        FileQueue queue = await OpenAsync(folder, "a", PeekLock);
        await Assert.ThrowsAsync<ArgumentException>(() => queue.SendAsync(new QueueMessage { SourceJournalQueue = "b/c" }).AsTask());
        await Assert.ThrowsAsync<ArgumentException>(() => queue.SendAsync(new QueueMessage { AdministrationQueue = "b/c", AcknowledgeTypes = AcknowledgeTypes.PositiveArrival }).AsTask());
        foreach (string name in new[] { "b/c", ".", ".." })
            await Assert.ThrowsAsync<ArgumentException>(() => folder.OpenQueueAsync(name, default).AsTask());
        Assert.Equal(0, await queue.GetMessageCountAsync());
        Assert.Throws<ArgumentException>(() => new QueueMessage { AdministrationQueue = ".." });
        Assert.Throws<ArgumentException>(() => new QueueMessage { SourceJournalQueue = "." });
    }

    [Fact]
    public async Task Priority_time_and_rest_of_life_are_kept()
    {
        DateTimeOffset sent = _time.GetUtcNow();
        await using (QueueFolder folder = Open())
        {
            FileQueue queue = await OpenAsync(folder, "a", PeekLock);
            await queue.SendAsync(new QueueMessage(Body(1)) { TimeToLive = TimeSpan.FromSeconds(10) });
            await queue.SendAsync(new QueueMessage(Body(2)) { Priority = 9, TimeToLive = TimeSpan.FromSeconds(20) });
        }

        _time.Advance(TimeSpan.FromSeconds(10));
        await using (QueueFolder folder = Open())
        {
            FileQueue queue = await OpenAsync(folder, "a", PeekLock);
            Assert.Equal(1, await queue.GetMessageCountAsync());
            ReceivedMessage message = (await queue.ReceiveAsync(TimeSpan.Zero))!;
            Assert.Equal((2, 9, sent, TimeSpan.FromSeconds(20)), (Number(message), message.Priority, message.SentTime, message.TimeToLive));
            await message.ReturnAsync();
            _time.Advance(TimeSpan.FromSeconds(10));
            Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        }
    }

    [Fact]
    public async Task Clock_that_is_set_changes_nothing_while_the_folder_is_open()
    {
        await using QueueFolder folder = Open();
        FileQueue queue = await OpenAsync(folder, "a", PeekLock with { LeaseDuration = TimeSpan.FromSeconds(10) });
        await queue.SendAsync(new QueueMessage(Body(1)) { TimeToLive = TimeSpan.FromMinutes(1) });
        await queue.SendAsync(new QueueMessage(Body(2)));
        foreach (double days in new[] { -3.0, 3650, 0 })
        {
            _time.WallOffset = TimeSpan.FromDays(days);
            _time.Advance(TimeSpan.FromSeconds(1));
            Assert.Equal(2, await queue.GetMessageCountAsync());
        }

        Assert.NotNull(await queue.ReceiveAsync(TimeSpan.Zero));
        _time.WallOffset = TimeSpan.FromDays(3650);
        _time.Advance(TimeSpan.FromSeconds(9));
        Assert.Equal(1, await queue.GetMessageCountAsync());
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(2, await queue.GetMessageCountAsync());
        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(1, await queue.GetMessageCountAsync());
    }

    [Fact]
    public async Task Clock_that_was_set_back_gives_no_message_more_than_its_time_after_an_opening()
    {
        await using (QueueFolder folder = Open())
            await (await OpenAsync(folder, "a", PeekLock)).SendAsync(new QueueMessage(Body(1)) { TimeToLive = TimeSpan.FromSeconds(10) });
        _time.WallOffset = TimeSpan.FromDays(-3);

        await using QueueFolder again = Open();
        FileQueue queue = await OpenAsync(again, "a", PeekLock);
        _time.Advance(TimeSpan.FromSeconds(9));
        Assert.Equal(1, await queue.GetMessageCountAsync());
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(0, await queue.GetMessageCountAsync());
    }

    [Fact]
    public async Task Deliveries_of_a_handle_with_a_limit_are_counted_over_an_opening()
    {
        QueueOptions limited = PeekLock with { DeadLetterQueue = "dead", MaxDeliveryCount = 2 };
        for (int i = 1; i <= 2; i++)
        {
            // The receiver ends without a word, as a process does that the message brings down.
            QueueFolder folder = Open();
            FileQueue queue = await OpenAsync(folder, "a", limited);
            if (i == 1)
                await queue.SendAsync(new QueueMessage(Body(1)));
            Assert.Equal(i, (await queue.ReceiveAsync(TimeSpan.Zero))!.DeliveryCount);
            await queue.SendAsync(new QueueMessage(Body(i + 1)) { Priority = 0 });
        }

        await using QueueFolder last = Open();
        Assert.Equal(2, Number((await (await OpenAsync(last, "a", limited)).ReceiveAsync(TimeSpan.Zero))!));
        ReceivedMessage letter = (await (await OpenAsync(last, "dead", PeekLock)).ReceiveAsync(TimeSpan.FromSeconds(20)))!;
        Assert.Equal((1, DeadLetterReasons.MaxDeliveryCountExceeded, "a"), (Number(letter), letter.DeadLetterReason, letter.DeadLetterSource));
    }

    [Fact]
    public async Task Dead_letters_and_journal_copies_are_kept_and_their_bodies_are_not_written_again()
    {
        byte[] body = new byte[10_000];
        new Random(1).NextBytes(body);
        await using (QueueFolder folder = Open())
        {
            FileQueueStore dead = await folder.OpenQueueAsync("dead", default);
            FileQueueStore journal = await folder.OpenQueueAsync("journal", default);
            var queue = new FileQueue(
                await folder.OpenQueueAsync("a", default), Address("a"), PeekLock with { DeadLetterQueue = "dead", JournalQueue = "journal" }, dead, journal);
            await queue.SendAsync(new QueueMessage(new MessageBody(body)) { Label = "first" });
            await queue.SendAsync(new QueueMessage(new MessageBody(body)) { Label = "second", TimeToLive = TimeSpan.FromSeconds(1) });
            int written = WrittenByteCount();
            await (await queue.ReceiveAsync(TimeSpan.Zero))!.DeadLetterAsync("why", "because");
            await (await queue.ReceiveAsync(TimeSpan.Zero))!.AcknowledgeAsync();
            Assert.InRange(WrittenByteCount() - written, 1, 2048);
        }

        _time.Advance(TimeSpan.FromDays(1));
        await using (QueueFolder folder = Open())
        {
            Assert.Equal(0, await (await OpenAsync(folder, "a", PeekLock)).GetMessageCountAsync());
            ReceivedMessage letter = (await (await OpenAsync(folder, "dead", PeekLock)).ReceiveAsync(TimeSpan.Zero))!;
            Assert.Equal(("first", "why", "because", "a"), (letter.Label, letter.DeadLetterReason, letter.DeadLetterDescription, letter.DeadLetterSource));
            Assert.Equal(body, letter.Body.ToArray());
            ReceivedMessage copy = (await (await OpenAsync(folder, "journal", PeekLock)).ReceiveAsync(TimeSpan.Zero))!;
            Assert.Equal(("second", null), (copy.Label, copy.DeadLetterReason));
            Assert.Equal(body, copy.Body.ToArray());
        }
    }

    [Fact]
    public async Task Message_for_several_queues_is_stored_once_and_goes_to_all_or_none()
    {
        byte[] body = new byte[10_000];
        new Random(1).NextBytes(body);
        await using (QueueFolder folder = Open())
        {
            FileQueue[] queues = [await OpenAsync(folder, "a", PeekLock), await OpenAsync(folder, "b", PeekLock with { MaxMessageCount = 1 }), await OpenAsync(folder, "c", PeekLock)];
            var all = new FileMulticastQueue(Address("a"), PeekLock, queues);
            int written = WrittenByteCount();
            await all.SendAsync(new QueueMessage(new MessageBody(body)) { Label = "x" });
            Assert.InRange(WrittenByteCount() - written, body.Length, body.Length + 1024);

            await Assert.ThrowsAsync<QueueException>(() => all.SendAsync(new QueueMessage(new MessageBody(body))).AsTask());
            Assert.Equal(3, await all.GetMessageCountAsync());
            ReceivedMessage first = (await queues[0].ReceiveAsync(TimeSpan.Zero))!;
            Assert.Equal(first.MessageId, (await queues[1].ReceiveAsync(TimeSpan.Zero))!.MessageId);
            await first.AcknowledgeAsync();
        }

        await using (QueueFolder folder = Open())
        {
            Assert.Null(await (await OpenAsync(folder, "a", PeekLock)).ReceiveAsync(TimeSpan.Zero));
            foreach (string name in new[] { "b", "c" })
            {
                ReceivedMessage message = (await (await OpenAsync(folder, name, PeekLock)).ReceiveAsync(TimeSpan.Zero))!;
                Assert.Equal("x", message.Label);
                Assert.Equal(body, message.Body.ToArray());
            }
        }
    }

    [Fact]
    public async Task Addresses_of_one_folder_are_one_queue_whose_transaction_sends_to_all()
    {
        var folder = new TestFolder();
        await using (var provider = new FileQueueProvider())
        {
            var connector = new QueueConnector(provider);
            var options = new QueueOptions { DeliveryMode = DeliveryMode.Transactional };
            await using QueueClient both = await connector.OpenAsync($"file://{folder.Path}/a,b", options);
            Assert.IsType<FileMulticastQueue>(both);
            await using (QueueTransaction transaction = await both.BeginTransactionAsync())
            {
                await both.SendAsync(new QueueMessage(Body(1)), transaction);
                await transaction.CommitAsync();
            }

            Assert.Equal(2, await both.GetMessageCountAsync());
        }

        folder.Delete();
    }

    [Fact]
    public async Task Limits_count_what_was_there_at_the_opening()
    {
        await using (QueueFolder folder = Open())
            await (await OpenAsync(folder, "a", PeekLock)).SendAsync(new QueueMessage(Body(1)));
        await using QueueFolder again = Open();
        FileQueue queue = await OpenAsync(again, "a", PeekLock with { MaxMessageCount = 1 });

        await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(new QueueMessage(Body(2))).AsTask());
        ReceivedMessage message = (await queue.ReceiveAsync(TimeSpan.Zero))!;
        await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(new QueueMessage(Body(2))).AsTask());
        await message.AcknowledgeAsync();
        await queue.SendAsync(new QueueMessage(Body(2)));
    }

    private int WrittenByteCount() => _disk.GetFileNames().Sum(name => (_disk.BytesOf(name).AsSpan().LastIndexOfAnyExcept((byte)0) + 512) / 512 * 512);

    private QueueFolder Open() => new("/simulated", _disk, new FileQueueOptions { SegmentByteCount = 1 << 18, TimeProvider = _time });

    private static async Task<FileQueue> OpenAsync(QueueFolder folder, string name, QueueOptions options) => new(
        await folder.OpenQueueAsync(name, default),
        Address(name),
        options,
        options.DeadLetterQueue is { } dead ? await folder.OpenQueueAsync(dead, default) : null);

    private static QueueAddress Address(string name) => QueueAddress.Parse("file:///simulated/" + name);

    private static MessageBody Body(int number) => new(BitConverter.GetBytes(number));

    private static int Number(ReceivedMessage message) => BitConverter.ToInt32(message.Body.ToArray());
}
