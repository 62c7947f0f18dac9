using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What every queue opened as transactional does.</summary>
public abstract partial class TransactionConformance : QueueTestBase
{
    private static readonly QueueOptions Transactional = new() { DeliveryMode = DeliveryMode.Transactional };

    [QueueFact]
    public async Task Commit_MakesTheSendsVisible()
    {
        QueueClient queue = await OpenAsync(Transactional);
        await using (QueueTransaction transaction = await queue.BeginTransactionAsync())
        {
            for (int i = 0; i < 10; i++)
                await queue.SendAsync(Message(i), transaction);
            Assert.Equal(0, await queue.GetMessageCountAsync());
            await transaction.CommitAsync();
        }

        Assert.Equal(10, await queue.GetMessageCountAsync());
        await using QueueTransaction receiving = await queue.BeginTransactionAsync();
        Assert.Equal(Enumerable.Range(0, 10).Select(i => $"{i}"), await ReceiveAllAsync(queue, 10, receiving));
        await receiving.CommitAsync();
    }

    [QueueFact]
    public async Task Capabilities_are_those_of_the_table() =>
        CapabilityTable.Check((await OpenAsync(Transactional)).Capabilities, DeliveryMode.Transactional, GetType().Name);

    [QueueFact]
    public async Task Batch_IsOfTheTransaction()
    {
        QueueClient queue = await OpenAsync(Transactional);
        await using (QueueTransaction undone = await queue.BeginTransactionAsync())
            await queue.SendBatchAsync([Message("x"), Message("y")], undone);
        await using (QueueTransaction transaction = await queue.BeginTransactionAsync())
        {
            await queue.SendBatchAsync([.. Enumerable.Range(0, 10).Select(Message)], transaction);
            await transaction.CommitAsync();
        }

        await using (QueueTransaction receiving = await queue.BeginTransactionAsync())
        {
            Assert.InRange((await queue.ReceiveBatchAsync(4, Soon, receiving)).Count, 1, 4);
            await receiving.RollbackAsync();
        }

        var texts = new List<string?>();
        await using (QueueTransaction receiving = await queue.BeginTransactionAsync())
        {
            while (texts.Count < 10)
            {
                IReadOnlyList<ReceivedMessage> batch = await queue.ReceiveBatchAsync(6, Soon, receiving);
                Assert.InRange(batch.Count, 1, 6);
                texts.AddRange(batch.Select(Text));
                await queue.AcknowledgeBatchAsync(batch);
            }

            await receiving.CommitAsync();
        }

        Assert.Equal(Enumerable.Range(0, 10).Select(i => $"{i}"), texts.Order());
        Assert.Equal(0, await queue.GetMessageCountAsync());
        await Assert.ThrowsAsync<InvalidOperationException>(() => queue.SendBatchAsync([Message("x")]).AsTask());
        await Assert.ThrowsAsync<InvalidOperationException>(() => queue.ReceiveBatchAsync(1, TimeSpan.Zero).AsTask());
        Assert.Throws<InvalidOperationException>(() => queue.ReceiveAllAsync());
    }

    [QueueFact]
    public async Task Peek_ShowsWhatATransactionHasReceived()
    {
        QueueClient queue = await OpenAsync(Transactional);
        Needs(queue.Capabilities.Supports(QueueFeatures.Peek));
        await SendCommittedAsync(queue, 3);
        await using (QueueTransaction receiving = await queue.BeginTransactionAsync())
        {
            Assert.Equal("0", Text(await queue.ReceiveAsync(Soon, receiving)));
            IReadOnlyList<PeekedMessage> peeked = await queue.PeekAsync();
            Assert.Equal(3, peeked.Count);
            Assert.True(peeked[0].IsLocked);
            await receiving.RollbackAsync();
        }

        Assert.All(await queue.PeekAsync(), message => Assert.False(message.IsLocked));
        await using (QueueTransaction receiving = await queue.BeginTransactionAsync())
        {
            Assert.Equal("0", Text(await queue.ReceiveAsync(Soon, receiving)));
            await receiving.CommitAsync();
        }

        Assert.Equal(2, (await queue.PeekAsync()).Count);
    }

    [QueueFact]
    public async Task Rollback_ForgetsTheSends()
    {
        QueueClient queue = await OpenAsync(Transactional);
        await using QueueTransaction transaction = await queue.BeginTransactionAsync();
        await queue.SendAsync(Message("x"), transaction);

        await transaction.RollbackAsync();

        Assert.Equal(0, await queue.GetMessageCountAsync());
    }

    [QueueFact]
    public async Task A_program_may_block_after_the_end_of_a_transaction()
    {
        QueueClient queue = await OpenAsync(Transactional);
        foreach (Func<QueueTransaction, ValueTask> end in new Func<QueueTransaction, ValueTask>[]
        {
            static transaction => transaction.CommitAsync(),
            static transaction => transaction.RollbackAsync(),
            static transaction => transaction.DisposeAsync(),
        })
        {
            await SendCommittedAsync(queue, 1);
            await using QueueTransaction transaction = await queue.BeginTransactionAsync();
            await queue.SendAsync(Message("x"), transaction);
            await BlocksAfterAsync("receive", () => queue.ReceiveAsync(Soon, transaction).AsTask(), SendAsync);
            await BlocksAfterAsync("end", () => end(transaction).AsTask(), SendAsync);
            await queue.PurgeAsync();
        }

        async Task SendAsync()
        {
            await using QueueTransaction transaction = await queue.BeginTransactionAsync().ConfigureAwait(false);
            await queue.SendAsync(Message("blocking"), transaction).ConfigureAwait(false);
            await transaction.CommitAsync().ConfigureAwait(false);
        }
    }

    [QueueFact]
    public async Task Dispose_RollsBack()
    {
        QueueClient queue = await OpenAsync(Transactional);
        await SendCommittedAsync(queue, 1);
        await using (QueueTransaction transaction = await queue.BeginTransactionAsync())
        {
            Assert.Equal("0", Text(await queue.ReceiveAsync(Soon, transaction)));
            await queue.SendAsync(Message("x"), transaction);
        }

        await AssertCountAsync(1, queue);
        await using QueueTransaction again = await queue.BeginTransactionAsync();
        Assert.Equal("0", Text(await queue.ReceiveAsync(Soon, again)));
    }

    [QueueFact]
    public async Task Rollback_GivesReceivedMessagesBackInOrder()
    {
        QueueClient queue = await OpenAsync(Transactional);
        await SendCommittedAsync(queue, 5);
        await using (QueueTransaction transaction = await queue.BeginTransactionAsync())
        {
            Assert.Equal(["0", "1", "2"], await ReceiveAllAsync(queue, 3, transaction));
            Assert.Equal(2, await queue.GetMessageCountAsync());
            await transaction.RollbackAsync();
        }

        await using QueueTransaction again = await queue.BeginTransactionAsync();
        ReceivedMessage first = (await queue.ReceiveAsync(Soon, again))!;
        Assert.Equal("0", Text(first));
        Assert.True(first.IsRedelivered);
        Assert.Equal(["1", "2"], await ReceiveAllAsync(queue, 2, again));
        // These were at most fetched ahead.
        ReceivedMessage third = (await queue.ReceiveAsync(Soon, again))!;
        Assert.Equal("3", Text(third));
        if (queue.Capabilities.Supports(QueueFeatures.DeliveryCounts))
            Assert.Equal((2, 1), (first.DeliveryCount, third.DeliveryCount));
        Assert.Equal(["4"], await ReceiveAllAsync(queue, 1, again));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero, again));
        await again.CommitAsync();
        Assert.Equal(0, await queue.GetMessageCountAsync());
    }

    [QueueFact]
    public async Task Transactions_one_after_the_other_do_not_mix()
    {
        QueueClient queue = await OpenAsync(Transactional);
        for (int i = 0; i < 20; i++)
        {
            await using QueueTransaction transaction = await queue.BeginTransactionAsync();
            await queue.SendAsync(Message(i), transaction);
            if (i % 2 == 0)
                await transaction.CommitAsync();
            else
                await transaction.RollbackAsync();
        }

        await using QueueTransaction receiving = await queue.BeginTransactionAsync();
        Assert.Equal(Enumerable.Range(0, 10).Select(i => $"{i * 2}"), await ReceiveAllAsync(queue, 10, receiving));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero, receiving));
    }

    [QueueFact]
    public async Task One_transaction_moves_a_message_between_queues()
    {
        QueueClient from = await OpenAsync(Transactional, "from");
        QueueClient to = await OpenAsync(Transactional, "to");
        await SendCommittedAsync(from, 2);
        await using (QueueTransaction undone = await from.BeginTransactionAsync())
        {
            Assert.Equal("0", Text(await from.ReceiveAsync(Soon, undone)));
            await to.SendAsync(Message("moved"), undone);
            await undone.RollbackAsync();
        }

        await AssertCountAsync(2, from);
        Assert.Equal(0, await to.GetMessageCountAsync());
        await using QueueTransaction done = await from.BeginTransactionAsync();
        ReceivedMessage message = (await from.ReceiveAsync(Soon, done))!;
        await to.SendAsync(new QueueMessage(message.Body), done);
        await done.CommitAsync();

        Assert.Equal(1, await from.GetMessageCountAsync());
        await using QueueTransaction receiving = await to.BeginTransactionAsync();
        Assert.Equal("0", Text(await to.ReceiveAsync(Soon, receiving)));
    }

    [QueueFact]
    public async Task Receive_Waiting_GetsWhatAnotherTransactionCommits()
    {
        QueueClient queue = await OpenAsync(Transactional);
        await using QueueTransaction receiving = await queue.BeginTransactionAsync();
        Task<ReceivedMessage?> receive = queue.ReceiveAsync(Soon, receiving).AsTask();

        await SendCommittedAsync(queue, 1);

        Assert.Equal("0", Text(await receive));
        await receiving.CommitAsync();
        Assert.Equal(0, await queue.GetMessageCountAsync());
    }

    [QueueFact]
    public async Task Ended_transaction_is_refused()
    {
        QueueClient queue = await OpenAsync(Transactional);
        QueueTransaction transaction = await queue.BeginTransactionAsync();
        await transaction.CommitAsync();

        await Assert.ThrowsAsync<InvalidOperationException>(() => transaction.CommitAsync().AsTask());
        await Assert.ThrowsAsync<InvalidOperationException>(() => transaction.RollbackAsync().AsTask());
        await Assert.ThrowsAsync<InvalidOperationException>(() => queue.SendAsync(Message("x"), transaction).AsTask());
        await transaction.DisposeAsync();
    }

    [QueueFact]
    public async Task Without_a_transaction_or_with_a_foreign_one_the_queue_refuses()
    {
        QueueClient queue = await OpenAsync(Transactional);
        Assert.True(queue.Capabilities.Supports(QueueFeatures.Transactions));

        await Assert.ThrowsAsync<InvalidOperationException>(() => queue.SendAsync(Message("x")).AsTask());
        await Assert.ThrowsAsync<InvalidOperationException>(() => queue.ReceiveAsync(TimeSpan.Zero).AsTask());
        QueueClient other = await new QueueConnector(new MemoryQueueProvider()).OpenAsync("memory:other", Transactional);
        await using QueueTransaction foreign = await other.BeginTransactionAsync();
        await Assert.ThrowsAsync<ArgumentException>(() => queue.SendAsync(Message("x"), foreign).AsTask());
        await Assert.ThrowsAsync<ArgumentException>(() => queue.ReceiveAsync(TimeSpan.Zero, foreign).AsTask());
    }

    [QueueFact]
    public async Task Multicast_SendsInOneTransaction()
    {
        QueueClient first = await OpenAsync(Transactional, "a");
        QueueClient second = await OpenAsync(Transactional, "b");
        await using QueueClient both = await Connector.OpenAsync($"{AddressOf("a")},{AddressOf("b")}", Transactional);
        Assert.True(both.Capabilities.Supports(QueueFeatures.Transactions));
        await using (QueueTransaction undone = await both.BeginTransactionAsync())
            await both.SendAsync(Message("x"), undone);
        Assert.Equal(0, await both.GetMessageCountAsync());

        await using QueueTransaction transaction = await both.BeginTransactionAsync();
        await both.SendAsync(Message("y"), transaction);
        await transaction.CommitAsync();

        Assert.Equal(1, await first.GetMessageCountAsync());
        Assert.Equal(1, await second.GetMessageCountAsync());
    }

    private static async Task SendCommittedAsync(QueueClient queue, int count)
    {
        await using QueueTransaction transaction = await queue.BeginTransactionAsync();
        for (int i = 0; i < count; i++)
            await queue.SendAsync(Message(i), transaction);
        await transaction.CommitAsync();
    }
}
