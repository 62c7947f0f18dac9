using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A decorator that traces and counts the sends of a topic, and the receives of its subscriptions, if there is a listener.</summary>
internal sealed class ObservedTopic(MessageTopic topic) : MessageTopic
{
    private readonly QueueDestination _destination = QueueDestination.OfTopic(topic.Address);

    public override QueueAddress Address => topic.Address;

    public override QueueCapabilities Capabilities => topic.Capabilities;

    public override QueueOptions Options => topic.Options;

    public override ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default) =>
        message is null || !QueueTelemetry.IsListening
            ? topic.SendAsync(message!, transaction, cancellationToken)
            : ObservedSend.RunAsync(_destination, message, (topic, transaction, cancellationToken),
                static (copy, on) => on.topic.SendAsync(copy, on.transaction, on.cancellationToken));

    public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default) =>
        topic.BeginTransactionAsync(cancellationToken);

    public override async ValueTask<QueueClient> SubscribeAsync(string? selector = null, QueueOptions? options = null,
        CancellationToken cancellationToken = default) =>
        Observe(await topic.SubscribeAsync(selector, options, cancellationToken).ConfigureAwait(false));

    public override async ValueTask<QueueClient> SubscribeDurableAsync(
        string name, string? selector = null, QueueOptions? options = null, CancellationToken cancellationToken = default) =>
        Observe(await topic.SubscribeDurableAsync(name, selector, options, cancellationToken).ConfigureAwait(false));

    public override ValueTask<bool> UnsubscribeAsync(string name, CancellationToken cancellationToken = default) =>
        topic.UnsubscribeAsync(name, cancellationToken);

    public override ValueTask DisposeAsync() => topic.DisposeAsync();

    private QueueClient Observe(QueueClient subscription) =>
        subscription.Observe(QueueDestination.OfSubscription(topic.Address, subscription.Address));
}
