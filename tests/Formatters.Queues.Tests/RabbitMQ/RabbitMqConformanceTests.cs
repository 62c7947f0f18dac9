using Formatters.Queues.RabbitMQ;

namespace Formatters.Queues.Tests;

[NeedsBroker]
public sealed class RabbitMqExpressTests : QueueConformance
{
    protected override QueueProvider Provider { get; } = new RabbitMqQueueProvider();

    protected override bool ListsPlaces => false;

    protected override string Place => Broker.Address + "/";

    protected override DeliveryMode Mode => DeliveryMode.Express;
}

[NeedsBroker]
public sealed class RabbitMqRecoverableTests : QueueConformance
{
    protected override QueueProvider Provider { get; } = new RabbitMqQueueProvider();

    protected override bool ListsPlaces => false;

    protected override string Place => Broker.Address + "/";

    protected override DeliveryMode Mode => DeliveryMode.Recoverable;
}

[NeedsBroker]
public sealed class RabbitMqTransactionTests : TransactionConformance
{
    protected override QueueProvider Provider { get; } = new RabbitMqQueueProvider();

    protected override string Place => Broker.Address + "/";
}

/// <summary>With the ten priorities of messages.</summary>
[NeedsBroker]
public sealed class RabbitMqPriorityTests : QueueConformance
{
    protected override QueueProvider Provider { get; } = new RabbitMqQueueProvider(new RabbitMqOptions { HasPriorities = true });

    protected override bool ListsPlaces => false;

    protected override string Place => Broker.Address + "/";

    protected override DeliveryMode Mode => DeliveryMode.Recoverable;
}

/// <summary>With quorum queues, which count deliveries.</summary>
[NeedsBroker]
public sealed class RabbitMqQuorumTests : QueueConformance
{
    protected override QueueProvider Provider { get; } = new RabbitMqQueueProvider(new RabbitMqOptions { QueueType = RabbitMqQueueType.Quorum });

    protected override bool ListsPlaces => false;

    protected override bool CountsWhatIsFetchedAhead => true;

    protected override string Place => Broker.Address + "/";

    protected override DeliveryMode Mode => DeliveryMode.Recoverable;
}

[NeedsBroker]
public sealed class RabbitMqExpressTopicTests : TopicConformance
{
    protected override QueueProvider Provider { get; } = new RabbitMqQueueProvider();

    protected override string Place => Broker.Address + "/";

    protected override DeliveryMode Mode => DeliveryMode.Express;
}

[NeedsBroker]
public sealed class RabbitMqRecoverableTopicTests : TopicConformance
{
    protected override QueueProvider Provider { get; } = new RabbitMqQueueProvider();

    protected override string Place => Broker.Address + "/";

    protected override DeliveryMode Mode => DeliveryMode.Recoverable;
}
