using System;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What is said of a message whose lock is gone: whether it comes again.</summary>
public sealed class RabbitMqLockTests : QueueTestBase
{
    private static readonly QueueOptions PeekLock = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock };

    protected override QueueProvider Provider { get; } = new RabbitMqQueueProvider();

    protected override string Place => Broker.Address + "/";

    [BrokerFact]
    public async Task Queue_deleted_its_messages_do_not_come_again()
    {
        string deadName = AddressOf("dead")[Place.Length..];
        QueueClient dead = await OpenAsync(PeekLock, "dead");
        QueueClient queue = await OpenAsync(PeekLock with { DeadLetterQueue = deadName });
        await queue.SendAsync(Message("x"));
        await queue.SendAsync(Message("y"));
        ReceivedMessage x = (await queue.ReceiveAsync(Soon))!;
        ReceivedMessage y = (await queue.ReceiveAsync(Soon))!;
        Task<ReceivedMessage?> waiting = queue.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();
        await Connector.DeleteAsync(AddressOf("a"));
        await Assert.ThrowsAsync<QueueException>(() => waiting);

        Assert.Contains("was deleted, and its messages with it: this one will not be delivered again", await LostAsync(() => x.AcknowledgeAsync()), StringComparison.Ordinal);
        Assert.Contains("will not be delivered again", await LostAsync(() => y.DeadLetterAsync("why")), StringComparison.Ordinal);
        Assert.Contains("will not be delivered again", await LostAsync(() => y.ReturnAsync()), StringComparison.Ordinal);
        Assert.Equal(0, await dead.GetMessageCountAsync());
    }

    [BrokerFact]
    public async Task Queue_deleted_and_made_again()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await queue.SendAsync(Message("x"));
        ReceivedMessage x = (await queue.ReceiveAsync(Soon))!;
        Task<ReceivedMessage?> waiting = queue.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();
        await Connector.DeleteAsync(AddressOf("a"));
        await Assert.ThrowsAsync<QueueException>(() => waiting);
        await using QueueClient again = await Connector.OpenAsync(AddressOf("a"), PeekLock);

        Assert.Contains("unless the queue was deleted and created again", await LostAsync(() => x.AcknowledgeAsync()), StringComparison.Ordinal);
        await queue.SendAsync(Message("new"));
        Assert.Equal("new", Text(await queue.ReceiveAsync(Soon)));
    }

    [BrokerFact]
    public async Task Queue_closed_its_messages_come_again()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await queue.SendAsync(Message("x"));
        ReceivedMessage x = (await queue.ReceiveAsync(Soon))!;
        await queue.DisposeAsync();

        string lost = await LostAsync(() => x.AcknowledgeAsync());
        Assert.Contains("the queue was closed", lost, StringComparison.Ordinal);
        Assert.Contains("will be delivered again", lost, StringComparison.Ordinal);
        QueueClient again = await OpenAsync(PeekLock);
        Assert.Equal("x", Text(await again.ReceiveAsync(Soon)));
    }

    [BrokerFact]
    public async Task Temporary_subscription_closed_its_messages_do_not_come_again()
    {
        await using MessageTopic topic = await Connector.OpenTopicAsync(AddressOf("topic"), PeekLock);
        QueueClient subscription = await topic.SubscribeAsync();
        await topic.SendAsync(Message("x"));
        ReceivedMessage x = (await subscription.ReceiveAsync(Soon))!;
        await subscription.DisposeAsync();

        Assert.Contains("will not be delivered again", await LostAsync(() => x.AcknowledgeAsync()), StringComparison.Ordinal);
    }

    private static async Task<string> LostAsync(Func<ValueTask> settle) => (await Assert.ThrowsAsync<QueueException>(() => settle().AsTask())).Message;
}
