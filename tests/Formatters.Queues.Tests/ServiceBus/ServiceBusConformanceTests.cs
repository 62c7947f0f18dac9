namespace Formatters.Queues.Tests;

[NeedsServiceBus]
public sealed class ServiceBusTests : QueueConformance
{
    protected override QueueProvider Provider { get; } = ServiceBusPeer.Provider();

    protected override bool ListsLocksAndAges => false;

    protected override bool ListCountsLocked => true;

    protected override bool CountsWhatIsFetchedAhead => true;

    protected override bool DueMessagesTakeTheirPlace => false;

    protected override bool PeekTellsLocksOfOthers => false;

    protected override bool PeekHidesWhatExpiresInADelay => false;

    // The service takes 16 MiB here, with the properties.
    protected override int LargestBody => (16 << 20) - 500;

    protected override string Place => "servicebus:";

    protected override DeliveryMode Mode => DeliveryMode.Recoverable;
}

[NeedsServiceBus]
public sealed class ServiceBusTransactionTests : TransactionConformance
{
    protected override QueueProvider Provider { get; } = ServiceBusPeer.Provider();

    protected override string Place => "servicebus:";
}

[NeedsServiceBus]
public sealed class ServiceBusTopicTests : TopicConformance
{
    protected override QueueProvider Provider { get; } = ServiceBusPeer.Provider();

    protected override string Place => "servicebus:";

    protected override DeliveryMode Mode => DeliveryMode.Recoverable;
}
