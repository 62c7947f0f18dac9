namespace Formatters.Queues.Tests;

public sealed class MemoryExpressTests : QueueConformance
{
    protected override QueueProvider Provider { get; } = new MemoryQueueProvider();

    protected override string Place => "memory:";

    protected override DeliveryMode Mode => DeliveryMode.Express;
}

public sealed class MemoryTransactionTests : TransactionConformance
{
    protected override QueueProvider Provider { get; } = new MemoryQueueProvider();

    protected override string Place => "memory:";
}
