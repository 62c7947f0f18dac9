using Formatters.Queues.RabbitMQ;

namespace Formatters.Queues.Tests;

[NeedsBroker]
public sealed class RabbitMqExpressTests : QueueConformance
{
    protected override QueueProvider Provider { get; } = new RabbitMqQueueProvider();

    protected override string Place => Broker.Address + "/";

    protected override DeliveryMode Mode => DeliveryMode.Express;
}

[NeedsBroker]
public sealed class RabbitMqRecoverableTests : QueueConformance
{
    protected override QueueProvider Provider { get; } = new RabbitMqQueueProvider();

    protected override string Place => Broker.Address + "/";

    protected override DeliveryMode Mode => DeliveryMode.Recoverable;
}

[NeedsBroker]
public sealed class RabbitMqTransactionTests : TransactionConformance
{
    protected override QueueProvider Provider { get; } = new RabbitMqQueueProvider();

    protected override string Place => Broker.Address + "/";
}
