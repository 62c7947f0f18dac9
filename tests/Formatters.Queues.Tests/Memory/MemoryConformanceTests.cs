namespace Formatters.Queues.Tests;

public sealed class MemoryExpressTests : QueueConformance
{
    protected override QueueProvider Provider { get; } = new MemoryQueueProvider();

    protected override string Place => "memory:";

    protected override DeliveryMode Mode => DeliveryMode.Express;

    protected override DeliveryMode MostReliable => DeliveryMode.Express;
}

public sealed class MemoryTransactionTests : TransactionConformance
{
    protected override QueueProvider Provider { get; } = new MemoryQueueProvider();

    protected override string Place => "memory:";
}

public sealed class MemoryTopicTests : TopicConformance
{
    protected override QueueProvider Provider { get; } = new MemoryQueueProvider();

    protected override string Place => "memory:";

    protected override DeliveryMode Mode => DeliveryMode.Express;

    [Xunit.Fact]
    public async System.Threading.Tasks.Task Transaction_SendsToAllOrNone()
    {
        var options = new QueueOptions { DeliveryMode = DeliveryMode.Transactional };
        await using MessageTopic topic = await Connector.OpenTopicAsync("memory:t", options);
        await using QueueClient first = await topic.SubscribeAsync();
        await using QueueClient second = await topic.SubscribeAsync("n = 1");
        await Xunit.Assert.ThrowsAsync<System.InvalidOperationException>(() => topic.SendAsync(Message("x")).AsTask());
        await using (QueueTransaction undone = await topic.BeginTransactionAsync())
            await topic.SendAsync(Message("x"), undone);
        Xunit.Assert.Equal(0, await first.GetMessageCountAsync());

        await using QueueTransaction transaction = await topic.BeginTransactionAsync();
        await topic.SendAsync(new QueueMessage { Headers = { ["n"] = 1 } }, transaction);
        await topic.SendAsync(new QueueMessage { Headers = { ["n"] = 2 } }, transaction);
        Xunit.Assert.Equal(0, await first.GetMessageCountAsync());
        await transaction.CommitAsync();

        Xunit.Assert.Equal((2, 1), (await first.GetMessageCountAsync(), await second.GetMessageCountAsync()));
    }
}
