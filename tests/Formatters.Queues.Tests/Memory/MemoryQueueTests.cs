using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What memory queues promise beyond what every queue does.</summary>
public sealed class MemoryQueueTests : QueueTestBase
{
    private static readonly QueueOptions PeekLock = new() { ReceiveMode = ReceiveMode.PeekLock };
    private static readonly QueueOptions Transactional = new() { DeliveryMode = DeliveryMode.Transactional };

    protected override QueueProvider Provider { get; } = new MemoryQueueProvider();

    protected override string Place => "memory:";

    /// <summary>The name is all of the path.</summary>
    [Fact]
    public async Task Itself_IsWhatHasTheWholeName()
    {
        await Assert.ThrowsAsync<ArgumentException>(() => Provider.OpenAsync(QueueAddress.Parse("memory:a/b"), PeekLock with { JournalQueue = "a/b" }, default).AsTask());
        await using QueueClient queue = await Provider.OpenAsync(QueueAddress.Parse("memory:a/b"), PeekLock with { JournalQueue = "b" }, default);
        await Assert.ThrowsAsync<ArgumentException>(() => queue.SendAsync(new QueueMessage { SourceJournalQueue = "a/b" }).AsTask());
        await queue.SendAsync(new QueueMessage { AdministrationQueue = "b", AcknowledgeTypes = AcknowledgeTypes.PositiveArrival });
        Assert.Equal(1, await queue.GetMessageCountAsync());
    }

    /// <summary>The end of its first window does not end the second one.</summary>
    [Fact]
    public async Task Duplicate_OfAnIdThatWasSentAgainAfterItsWindow_IsRefused()
    {
        var time = new ManualTime();
        await using QueueClient queue = await new QueueConnector(new MemoryQueueProvider(time)).OpenAsync("memory:q", new QueueOptions { DuplicateWindow = TimeSpan.FromMinutes(1) });
        foreach (string id in new[] { "a", "b", "c" })
            await queue.SendAsync(new QueueMessage { MessageId = id });
        time.Advance(TimeSpan.FromMinutes(2));
        foreach (string id in new[] { "c", "d", "e" })
            await queue.SendAsync(new QueueMessage { MessageId = id });

        await Assert.ThrowsAsync<DuplicateMessageException>(() => queue.SendAsync(new QueueMessage { MessageId = "c" }).AsTask());
    }

    [Fact]
    public async Task MaxByteCount_SaysWhetherTheMessageCouldBeTakenLater()
    {
        QueueClient queue = await OpenAsync(new QueueOptions { MaxByteCount = 10 });
        await queue.SendAsync(new QueueMessage(new MessageBody(new byte[1])));

        Assert.Equal(QueueErrorCode.Full, (await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(new QueueMessage(new MessageBody(new byte[10]))).AsTask())).Code);
        Assert.Equal(QueueErrorCode.TooLarge, (await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(new QueueMessage(new MessageBody(new byte[11]))).AsTask())).Code);
    }

    [Fact]
    public async Task Count_IsExactAtOnce()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Fastest);
        for (int i = 1; i <= 100; i++)
        {
            await queue.SendAsync(Message(i));
            Assert.Equal(i, await queue.GetMessageCountAsync());
        }
    }

    [Fact]
    public async Task Return_GoesToTheFront()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        for (int i = 0; i < 4; i++)
            await queue.SendAsync(Message(i));
        ReceivedMessage zero = (await queue.ReceiveAsync(TimeSpan.Zero))!;
        ReceivedMessage one = (await queue.ReceiveAsync(TimeSpan.Zero))!;
        await one.ReturnAsync();
        await zero.ReturnAsync();

        Assert.Equal(["0", "1", "2", "3"], await ReceiveAllAsync(queue, 4));
    }

    [Fact]
    public async Task Return_WakesAReceiverThatWaits()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await queue.SendAsync(Message("x"));
        ReceivedMessage message = (await queue.ReceiveAsync(TimeSpan.Zero))!;
        Task<ReceivedMessage?> waiting = queue.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();

        await message.ReturnAsync();

        Assert.Equal("x", Text(await waiting));
    }

    [Fact]
    public async Task Close_GivesLockedMessagesToReceiversThatWaitInOrder()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        for (int i = 0; i < 4; i++)
            await queue.SendAsync(Message(i));
        await ReceiveAllAsync(queue, 4);
        QueueClient other = await OpenAsync(QueueOptions.Fastest);
        Task<ReceivedMessage?>[] waiting = Enumerable.Range(0, 2).Select(_ => other.ReceiveAsync(Soon).AsTask()).ToArray();

        await queue.DisposeAsync();

        Assert.Equal(["0", "1"], (await Task.WhenAll(waiting)).Select(Text));
        Assert.Equal(["2", "3"], await ReceiveAllAsync(other, 2));
    }

    [Fact]
    public async Task Receive_ManyTimesWaiting_GetsEachMessageOnce()
    {
        // The waiting receiver is used again: a wrong reuse would show as a lost, doubled or misdirected message.
        QueueClient queue = await OpenAsync(QueueOptions.Fastest);
        for (int i = 0; i < 2000; i++)
        {
            ValueTask<ReceivedMessage?> first = queue.ReceiveAsync(Soon);
            ValueTask<ReceivedMessage?> second = queue.ReceiveAsync(Timeout.InfiniteTimeSpan);
            await queue.SendAsync(Message(2 * i));
            await queue.SendAsync(Message((2 * i) + 1));
            Assert.Equal($"{2 * i}", Text(await first));
            Assert.Equal($"{(2 * i) + 1}", Text(await second));
            if (i % 100 == 0)
                Assert.Null(await queue.ReceiveAsync(TimeSpan.FromMilliseconds(1)));
        }
    }

    [Fact]
    public async Task MessageId_IsTheQueuesAndANumber()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Fastest);
        await queue.SendAsync(Message("x"));
        await queue.SendAsync(Message("y"));

        string[] first = (await queue.ReceiveAsync(TimeSpan.Zero))!.MessageId!.Split('\\');
        string[] second = (await queue.ReceiveAsync(TimeSpan.Zero))!.MessageId!.Split('\\');

        Assert.True(Guid.TryParse(first[0], out _));
        Assert.Equal(first[0], second[0]);
        Assert.Equal("1", first[1]);
        Assert.Equal("2", second[1]);
    }

    [Fact]
    public async Task Open_Recoverable_SaysWhatThereIsInstead()
    {
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => OpenAsync(new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete }));

        Assert.Contains("express", e.Message, StringComparison.Ordinal);
        Assert.Contains("file:", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("memory:")]
    [InlineData("memory://host/a")]
    [InlineData("memory:a?b=c")]
    public async Task Open_OtherForm_IsRefused(string address)
    {
        FormatException e = await Assert.ThrowsAsync<FormatException>(() => Connector.OpenAsync(address).AsTask());

        Assert.Contains("memory:name", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Queues_AreKnownByNameWithinAProvider()
    {
        await using QueueClient one = await new QueueConnector(MemoryQueueProvider.Shared).OpenAsync(AddressOf("shared"));
        await using QueueClient same = await new QueueConnector(MemoryQueueProvider.Shared).OpenAsync(AddressOf("shared"));
        await using QueueClient foreign = await new QueueConnector(new MemoryQueueProvider()).OpenAsync(AddressOf("shared"));
        await one.SendAsync(Message("x"));

        Assert.Equal(0, await foreign.GetMessageCountAsync());
        Assert.Equal(1, await same.GetMessageCountAsync());
        Assert.True(await MemoryQueueProvider.Shared.DeleteAsync(one.Address));
    }

    [Fact]
    public async Task Returned_and_sent_messages_keep_the_order_of_a_list()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        var random = new Random(7);
        var model = new System.Collections.Generic.List<string?>();
        for (int i = 0; i < 5000; i++)
        {
            if (random.Next(3) < 2)
            {
                await queue.SendAsync(Message(i));
                model.Add($"{i}");
            }
            else if (await queue.ReceiveAsync(TimeSpan.Zero) is { } message)
            {
                Assert.Equal(model[0], Text(message));
                if (random.Next(2) == 0)
                    await message.ReturnAsync();
                else
                {
                    await message.AcknowledgeAsync();
                    model.RemoveAt(0);
                }
            }
        }

        Assert.Equal(model, await ReceiveAllAsync(queue, model.Count));
    }

    [Fact]
    public async Task Capabilities_AreWhatMemoryIs()
    {
        QueueClient express = await OpenAsync(QueueOptions.Fastest);
        QueueClient transactional = await OpenAsync(Transactional, "t");

        Assert.Equal(
            new QueueCapabilities
            {
                Product = "in-memory",
                Durability = "memory only: nothing survives the process",
                Features = QueueFeatures.Priorities | QueueFeatures.Expiry | QueueFeatures.PeekLock | QueueFeatures.Leases | QueueFeatures.DeadLetters
                    | QueueFeatures.DeliveryCounts | QueueFeatures.Limits | QueueFeatures.BackPressure | QueueFeatures.Journal
                    | QueueFeatures.AcknowledgeModes | QueueFeatures.Selectors | QueueFeatures.Topics | QueueFeatures.Batches
                    | QueueFeatures.AtomicBatches | QueueFeatures.Peek | QueueFeatures.ReceiveById | QueueFeatures.Delays
                    | QueueFeatures.DuplicateDetection | QueueFeatures.Acknowledgments | QueueFeatures.SourceJournal,
                IsInProcess = true,
            },
            express.Capabilities);
        Assert.Equal(express.Capabilities with { Features = express.Capabilities.Features | QueueFeatures.Transactions, IsAtomic = true }, transactional.Capabilities);
    }

    [Fact]
    public async Task Commit_WithADeletedQueue_SendsNothingAndGivesBack()
    {
        QueueClient a = await OpenAsync(Transactional, "a");
        QueueClient b = await OpenAsync(Transactional, "b");
        await using (QueueTransaction setUp = await a.BeginTransactionAsync())
        {
            await a.SendAsync(Message("old"), setUp);
            await setUp.CommitAsync();
        }

        QueueTransaction transaction = await a.BeginTransactionAsync();
        Assert.Equal("old", Text(await a.ReceiveAsync(TimeSpan.Zero, transaction)));
        await a.SendAsync(Message("new"), transaction);
        await b.SendAsync(Message("new"), transaction);
        await Connector.DeleteAsync(AddressOf("b"));

        await Assert.ThrowsAsync<QueueException>(async () => await transaction.CommitAsync());

        await using QueueTransaction after = await a.BeginTransactionAsync();
        Assert.Equal("old", Text(await a.ReceiveAsync(TimeSpan.Zero, after)));
        Assert.Null(await a.ReceiveAsync(TimeSpan.Zero, after));
    }

    [Fact]
    public async Task Receive_WaitingInATransactionThatEnds_LeavesTheMessageToTheNext()
    {
        QueueClient queue = await OpenAsync(Transactional);
        QueueTransaction ended = await queue.BeginTransactionAsync();
        Task<ReceivedMessage?> lost = queue.ReceiveAsync(Soon, ended).AsTask();
        await ended.RollbackAsync();
        await using QueueTransaction good = await queue.BeginTransactionAsync();
        Task<ReceivedMessage?> waiting = queue.ReceiveAsync(Soon, good).AsTask();

        await using (QueueTransaction sending = await queue.BeginTransactionAsync())
        {
            await queue.SendAsync(Message("x"), sending);
            await sending.CommitAsync();
        }

        await Assert.ThrowsAsync<InvalidOperationException>(() => lost);
        Assert.Equal("x", Text(await waiting));
    }

    [Fact]
    public async Task Transactions_over_the_same_queues_in_any_order_do_not_block_each_other()
    {
        QueueClient a = await OpenAsync(Transactional, "a");
        QueueClient b = await OpenAsync(Transactional, "b");
        const int Each = 500;
        await Task.WhenAll(Enumerable.Range(0, 4).Select(i => Task.Run(async () =>
        {
            for (int n = 0; n < Each; n++)
            {
                await using QueueTransaction transaction = await a.BeginTransactionAsync();
                await (i % 2 == 0 ? a : b).SendAsync(Message(n), transaction);
                await (i % 2 == 0 ? b : a).SendAsync(Message(n), transaction);
                await transaction.CommitAsync();
            }
        })));

        Assert.Equal(4 * Each, await a.GetMessageCountAsync());
        Assert.Equal(4 * Each, await b.GetMessageCountAsync());
    }
}
