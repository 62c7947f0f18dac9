using Formatters.Queues.Msmq;

namespace Formatters.Queues.Tests;

public sealed class MsmqExpressTests : QueueConformance
{
    protected override QueueProvider Provider { get; } = new MsmqQueueProvider();

    protected override bool ListsQueues => false;

    protected override string Place => Program.MsmqPlace;

    protected override DeliveryMode Mode => DeliveryMode.Express;
}

public sealed class MsmqRecoverableTests : QueueConformance
{
    protected override QueueProvider Provider { get; } = new MsmqQueueProvider();

    protected override bool ListsQueues => false;

    protected override string Place => Program.MsmqPlace;

    protected override DeliveryMode Mode => DeliveryMode.Recoverable;
}

public sealed class MsmqTransactionTests : TransactionConformance
{
    protected override QueueProvider Provider { get; } = new MsmqQueueProvider();

    protected override string Place => Program.MsmqPlace;
}
