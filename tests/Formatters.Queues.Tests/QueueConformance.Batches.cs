using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

// Several messages at once: on every queue, one by one where it has no batches.
public abstract partial class QueueConformance
{
    [QueueFact]
    public async Task Batch_IsSentInOrderAndReceivedInBatches()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await queue.SendBatchAsync([.. Enumerable.Range(0, 250).Select(Message)]);
        await queue.SendBatchAsync([]);
        await AssertCountAsync(250, queue);

        var texts = new List<string?>();
        while (texts.Count < 250)
        {
            IReadOnlyList<ReceivedMessage> batch = await queue.ReceiveBatchAsync(100, Soon);
            Assert.InRange(batch.Count, 1, 100);
            texts.AddRange(batch.Select(Text));
            await queue.AcknowledgeBatchAsync(batch);
        }

        Assert.Equal(Enumerable.Range(0, 250).Select(i => $"{i}"), texts);
        Assert.Empty(await queue.ReceiveBatchAsync(10, TimeSpan.Zero));
        await queue.AcknowledgeBatchAsync([]);
        await AssertCountAsync(0, queue);
    }

    [QueueFact]
    public async Task Batch_ReceivedUnderReceiveAndDelete_IsGone()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        await queue.SendBatchAsync([.. Enumerable.Range(0, 30).Select(Message)]);
        await AssertCountAsync(30, queue);
        var texts = new List<string?>();
        while (texts.Count < 20)
        {
            IReadOnlyList<ReceivedMessage> batch = await queue.ReceiveBatchAsync(20 - texts.Count, Soon);
            texts.AddRange(batch.Select(Text));
            await queue.AcknowledgeBatchAsync(batch);
        }

        await queue.DisposeAsync();

        QueueClient other = await OpenAsync(ReceiveAndDelete);
        Assert.Equal(Enumerable.Range(0, 20).Select(i => $"{i}"), texts);
        Assert.Equal(Enumerable.Range(20, 10).Select(i => $"{i}"), await ReceiveAllAsync(other, 10));
        Assert.Null(await other.ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task Batch_NotAcknowledged_ComesAgainInOrder()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await queue.SendBatchAsync([.. Enumerable.Range(0, 6).Select(Message)]);
        await AssertCountAsync(6, queue);
        var batch = new List<ReceivedMessage>();
        while (batch.Count < 4)
            batch.AddRange(await queue.ReceiveBatchAsync(4 - batch.Count, Soon));
        await queue.AcknowledgeBatchAsync([batch[2], batch[0]]);
        await queue.DisposeAsync();

        Assert.Equal(["1", "3", "4", "5"], await ReceiveAllAsync(await OpenAsync(ReceiveAndDelete), 4));
    }

    [QueueFact]
    public async Task Batch_Receive_WaitsForTheFirstOnly()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        Assert.Empty(await queue.ReceiveBatchAsync(5, TimeSpan.Zero));
        Assert.Empty(await queue.ReceiveBatchAsync(5, TimeSpan.FromMilliseconds(30)));
        ValueTask<IReadOnlyList<ReceivedMessage>> receive = queue.ReceiveBatchAsync(5, Timeout.InfiniteTimeSpan);
        await queue.SendAsync(Message("late"));

        Assert.Equal(["late"], (await receive).Select(Text));
    }

    [QueueFact]
    public async Task Batch_LeaseEndedOfSome_TheOthersAreAcknowledged()
    {
        QueueClient plain = await OpenAsync(PeekLock);
        Needs(plain.Capabilities.Supports(QueueFeatures.Leases));
        QueueClient queue = await OpenAsync(PeekLock with { LeaseDuration = TimeSpan.FromSeconds(2), PrefetchCount = 1 }, "leased");
        await queue.SendAsync(Message("0"));
        ReceivedMessage lost = (await queue.ReceiveAsync(Soon))!;
        await EventuallyAsync(async () => await queue.GetMessageCountAsync() == 1);
        // Whoever receives without a lease keeps it.
        QueueClient other = await OpenAsync(PeekLock, "leased");
        ReceivedMessage again = (await other.ReceiveAsync(Soon))!;
        await queue.SendAsync(Message("1"));
        ReceivedMessage held = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal(("0", "1"), (Text(again), Text(held)));

        QueueBatchException e = await Assert.ThrowsAsync<QueueBatchException>(() => queue.AcknowledgeBatchAsync([lost, held]).AsTask());

        Assert.Equal([0], e.Failures.Select(failure => failure.Index));
        await again.AcknowledgeAsync();
        await queue.DisposeAsync();
        Assert.Null(await other.ReceiveAsync(TimeSpan.FromMilliseconds(50)));
    }

    [QueueFact]
    public async Task Batch_BeyondALimit_SendsAllOrNone()
    {
        QueueClient plain = await OpenAsync(ReceiveAndDelete);
        Needs(plain.Capabilities.Supports(QueueFeatures.Limits));
        QueueClient queue = await OpenAsync(ReceiveAndDelete with { MaxMessageCount = 5 }, "limited");
        await queue.SendBatchAsync([.. Enumerable.Range(0, 3).Select(Message)]);

        QueueException e = await Assert.ThrowsAnyAsync<QueueException>(() => queue.SendBatchAsync([.. Enumerable.Range(3, 3).Select(Message)]).AsTask());

        Assert.False(e.OutcomeUnknown);
        int sent = e is QueueBatchException batch ? 3 - batch.Failures.Count : 0;
        Assert.True(sent == 0 || !queue.Capabilities.Supports(QueueFeatures.AtomicBatches));
        Assert.Equal(Enumerable.Range(0, 3 + sent).Select(i => $"{i}"), await ReceiveAllAsync(queue, 3 + sent));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        await queue.SendBatchAsync([.. Enumerable.Range(0, 5).Select(Message)]);
    }

    [QueueFact]
    public async Task Batch_Misuse_IsRefusedBeforeAnythingIsSent()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await Assert.ThrowsAsync<ArgumentException>(() => queue.SendBatchAsync([Message("x"), null!]).AsTask());
        await Assert.ThrowsAsync<ArgumentNullException>(() => queue.SendBatchAsync(null!).AsTask());
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => queue.ReceiveBatchAsync(0, TimeSpan.Zero).AsTask());
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => queue.ReceiveBatchAsync(1, TimeSpan.FromSeconds(-2)).AsTask());
        await Assert.ThrowsAsync<ArgumentException>(() => queue.AcknowledgeBatchAsync([null!]).AsTask());
        if (!queue.Capabilities.Supports(QueueFeatures.Priorities))
            await Assert.ThrowsAsync<NotSupportedException>(() => queue.SendBatchAsync([Message("x"), new QueueMessage { Priority = 9 }]).AsTask());
        using var stop = new CancellationTokenSource();
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => queue.ReceiveBatchAsync(3, Timeout.InfiniteTimeSpan, cancellationToken: stop.Token).AsTask());

        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        await queue.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => queue.SendBatchAsync([Message("x")]).AsTask());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => queue.ReceiveBatchAsync(3, TimeSpan.Zero).AsTask());
    }

    [QueueFact]
    public async Task ReceiveAll_EndsWithTheToken_AndWhatWasNotHandedOutGoesBack()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await queue.SendBatchAsync([.. Enumerable.Range(0, 20).Select(Message)]);
        await AssertCountAsync(20, queue);
        using var stop = new CancellationTokenSource();
        var texts = new List<string?>();
        await foreach (ReceivedMessage message in queue.ReceiveAllAsync(8, stop.Token))
        {
            texts.Add(Text(message));
            await message.AcknowledgeAsync();
            if (texts.Count == 11)
                await stop.CancelAsync();
        }

        Assert.Equal(Enumerable.Range(0, 11).Select(i => $"{i}"), texts);
        await queue.DisposeAsync();
        QueueClient other = await OpenAsync(PeekLock);
        var rest = new List<string?>();
        for (int i = 11; i < 20; i++)
        {
            ReceivedMessage message = (await other.ReceiveAsync(Soon))!;
            rest.Add(Text(message));
            if (message is { IsRedelivered: true })
                Assert.True(!other.Capabilities.Supports(QueueFeatures.DeliveryCounts) || CountsWhatIsFetchedAhead);
            await message.AcknowledgeAsync();
        }

        // A broker may put what comes back behind the others.
        Assert.Equal(Enumerable.Range(11, 9).Select(i => (string?)$"{i}"), other.Capabilities.Supports(QueueFeatures.Batches) ? rest : rest.Order());
    }

    [QueueFact]
    public async Task ReceiveAll_Break_UnderReceiveAndDeleteLosesNothing()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        await queue.SendBatchAsync([.. Enumerable.Range(0, 10).Select(Message)]);
        await foreach (ReceivedMessage message in queue.ReceiveAllAsync())
        {
            if (Text(message) == "3")
                break;
        }

        Assert.Equal(Enumerable.Range(4, 6).Select(i => $"{i}"), await ReceiveAllAsync(queue, 6));
        using var stop = new CancellationTokenSource(50);
        await foreach (ReceivedMessage message in queue.ReceiveAllAsync(cancellationToken: stop.Token))
            Assert.Fail(Text(message));
        Assert.Throws<ArgumentOutOfRangeException>(() => queue.ReceiveAllAsync(0));
    }
}
