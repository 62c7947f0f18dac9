// Mono's TransactionScope has to end on the thread on which it began, which an asynchronous test does not ensure.
#if !NETFRAMEWORK
using System;
using System.Buffers;
using System.Collections.Generic;
using System.Threading.Tasks;
using System.Transactions;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>An ambient transaction: no queue can be in one, and each says so.</summary>
public abstract partial class QueueConformance
{
    [QueueFact]
    public async Task Ambient_transaction_is_refused_by_every_verb_that_it_could_be_meant_for()
    {
        QueueClient queue = await OpenAsync(PeekLock with { DeadLetterQueue = NameOf("dead") });
        var formatter = new EmptyFormatter();
        await queue.SendBatchAsync([Message("0"), Message("1")]);
        ReceivedMessage locked = (await queue.ReceiveAsync(Soon))!;
        var verbs = new List<Func<Task>>
        {
            () => queue.SendAsync(Message("x")).AsTask(),
            () => queue.SendBatchAsync([Message("x"), Message("y")]).AsTask(),
            () => queue.SendAsync("x", formatter).AsTask(),
            () => queue.ReceiveAsync(TimeSpan.Zero).AsTask(),
            () => queue.ReceiveAsync(Soon).AsTask(),
            () => queue.ReceiveAsync(formatter, TimeSpan.Zero).AsTask(),
            () => queue.ReceiveBatchAsync(10, TimeSpan.Zero).AsTask(),
            () => locked.AcknowledgeAsync().AsTask(),
            () => locked.ReturnAsync().AsTask(),
            () => locked.DeadLetterAsync("reason").AsTask(),
            () => queue.AcknowledgeBatchAsync([locked]).AsTask(),
            () => queue.PurgeAsync().AsTask(),
        };
        if (queue.Capabilities.Supports(QueueFeatures.Delays))
            verbs.Add(() => locked.ReturnAsync(TimeSpan.FromMinutes(1)).AsTask());
        if (queue.Capabilities.Supports(QueueFeatures.Deferral))
        {
            verbs.Add(() => locked.DeferAsync().AsTask());
            verbs.Add(() => queue.ReceiveDeferredAsync("1").AsTask());
        }

        if (queue.Capabilities.Supports(QueueFeatures.ReceiveById))
        {
            verbs.Add(() => queue.ReceiveByIdAsync("x", TimeSpan.Zero).AsTask());
            verbs.Add(() => queue.ReceiveByCorrelationIdAsync("x", TimeSpan.Zero).AsTask());
        }

        using (new TransactionScope(TransactionScopeAsyncFlowOption.Enabled))
        {
            foreach (Func<Task> verb in verbs)
            {
                InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(verb);
                Assert.Contains(nameof(TransactionScope), e.Message, StringComparison.Ordinal);
            }

            // What changes nothing is allowed, and so is what is said to be outside.
            await queue.GetMessageCountAsync();
            if (queue.Capabilities.Supports(QueueFeatures.Peek))
                Assert.Equal(2, (await queue.PeekAsync()).Count);
            await using QueueClient other = await Connector.OpenAsync(AddressOf("a"), PeekLock with { DeadLetterQueue = NameOf("dead") });
            using var outside = new TransactionScope(TransactionScopeOption.Suppress, TransactionScopeAsyncFlowOption.Enabled);
            await queue.SendAsync(Message("2"));
            await locked.AcknowledgeAsync();
            outside.Complete();
        }

        Assert.Equal(["1", "2"], await ReceiveAllAsync(queue, 2));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
    }

    private sealed class EmptyFormatter() : MessageFormatter<string>("application/x-test", 0x4701, null)
    {
        public override void Write(IBufferWriter<byte> destination, string value)
        {
        }

        public override string Read(ReadOnlySpan<byte> body) => "";
    }
}

public abstract partial class TransactionConformance
{
    [QueueFact]
    public async Task Ambient_transaction_is_refused_unless_the_queues_own_is_given()
    {
        QueueClient queue = await OpenAsync(Transactional);
        await using QueueTransaction transaction = await queue.BeginTransactionAsync();
        using (new TransactionScope(TransactionScopeAsyncFlowOption.Enabled))
        {
            InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => queue.SendAsync(Message("x")).AsTask());
            Assert.Contains(nameof(TransactionScope), e.Message, StringComparison.Ordinal);
            e = await Assert.ThrowsAsync<InvalidOperationException>(() => queue.ReceiveAsync(TimeSpan.Zero).AsTask());
            Assert.Contains(nameof(TransactionScope), e.Message, StringComparison.Ordinal);
            await queue.SendAsync(Message("own"), transaction);
            await transaction.CommitAsync();
        }

        await using QueueTransaction receiving = await queue.BeginTransactionAsync();
        Assert.Equal(["own"], await ReceiveAllAsync(queue, 1, receiving));
        await receiving.CommitAsync();
    }
}

public abstract partial class TopicConformance
{
    [QueueFact]
    public async Task Ambient_transaction_is_refused()
    {
        MessageTopic topic = await OpenTopicAsync();
        await using QueueClient subscription = await topic.SubscribeAsync();
        using (new TransactionScope(TransactionScopeAsyncFlowOption.Enabled))
        {
            InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => topic.SendAsync(Message("x")).AsTask());
            Assert.Contains(nameof(TransactionScope), e.Message, StringComparison.Ordinal);
            await Assert.ThrowsAsync<InvalidOperationException>(() => subscription.ReceiveAsync(TimeSpan.Zero).AsTask());
        }

        await topic.SendAsync(Message("after"));
        Assert.Equal("after", Text(await subscription.ReceiveAsync(Soon)));
    }
}
#endif
