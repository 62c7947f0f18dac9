using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.ServiceBus;

/// <summary>
/// Opens queues, topics and subscriptions of Azure Service Bus: <c>sb://[key-name:key@]namespace/entity</c>, <c>servicebus:entity</c> with
/// <see cref="ServiceBusOptions.ConnectionString"/>, and <c>sb-emulator://key-name:key@host[:port]/entity</c>, which is without TLS.
/// </summary>
/// <remarks>
/// <para>Names and keys are percent-encoded. A subscription is <c>topic/Subscriptions/name</c>, and the dead letters of an entity are
/// <c>entity/$DeadLetterQueue</c>.</para>
/// <para>An entity that does not exist is created, which needs the claim Manage: see <see cref="ServiceBusOptions.CreatesEntities"/>. The dead-letter
/// queue and the delivery limit are settings of the entity: the first handle that asks for them decides them, and a handle that asks for others is
/// rejected.</para>
/// <para>The handles of a provider share one connection for each namespace.</para>
/// </remarks>
public sealed class ServiceBusQueueProvider : QueueProvider
{
    private readonly ServiceBusOptions _options;
    private readonly ServiceBusNamespace.Pool _namespaces;

    /// <summary>Creates a provider with <see cref="ServiceBusOptions.Default"/>.</summary>
    public ServiceBusQueueProvider()
        : this(ServiceBusOptions.Default)
    {
    }

    /// <summary>Creates a provider of queues in Azure Service Bus.</summary>
    /// <param name="options">How it connects, and creates entities.</param>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    public ServiceBusQueueProvider(ServiceBusOptions options)
    {
        _options = options ?? throw new ArgumentNullException(nameof(options));
        _namespaces = new ServiceBusNamespace.Pool(options);
    }

    /// <inheritdoc/>
    public override IReadOnlyList<string> Schemes { get; } = ["sb", ServiceBusAddress.EmulatorScheme, "servicebus"];

    /// <inheritdoc/>
    public override async ValueTask<QueueClient> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
    {
        ServiceBusAddress own = ServiceBusAddress.Parse(address, _options);
        if (options is null)
            throw new ArgumentNullException(nameof(options));
        return await ServiceBusQueue.OpenAsync(
            own,
            options,
            _namespaces,
            async space =>
            {
                if (own.Subscription is null)
                    await ServiceBusEntities.EnsureQueueAsync(space, own, options, cancellationToken).ConfigureAwait(false);
            },
            cancellationToken: cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    /// <remarks>
    /// A topic and a queue cannot have the same name here. A selector becomes a filter of the subscription, which lets through at least what it
    /// selects; the receiver evaluates it again.
    /// </remarks>
    public override async ValueTask<MessageTopic> OpenTopicAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
    {
        ServiceBusAddress own = ServiceBusAddress.Parse(address, _options);
        if (options is null)
            throw new ArgumentNullException(nameof(options));
        ServiceBusQueue sender = await ServiceBusQueue.OpenAsync(
            own, options, _namespaces, space => ServiceBusEntities.EnsureTopicAsync(space, own, cancellationToken), isTopic: true,
                cancellationToken: cancellationToken).ConfigureAwait(false);
        return new ServiceBusTopic(own, sender, _namespaces);
    }

    /// <inheritdoc/>
    /// <remarks>
    /// Needs the claim Manage. The service counts locked messages as waiting ones, and does not report ages. The dead-letter queue of an entity is
    /// listed if it has messages, or by its name.
    /// </remarks>
    public override async ValueTask<IReadOnlyList<QueueStatus>> ListAsync(QueueAddress address, CancellationToken cancellationToken = default)
    {
        ServiceBusAddress own = ServiceBusAddress.ParseNamespaceOrEntity(address, _options);
        ServiceBusNamespace space = _namespaces.Take(own, QueueOptions.Default.OperationTimeout);
        await using (space.ConfigureAwait(false))
            return await ServiceBusListing.ListAsync(space, own, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public override async ValueTask<bool> DeleteAsync(QueueAddress address, CancellationToken cancellationToken = default)
    {
        ServiceBusAddress own = ServiceBusAddress.Parse(address, _options);
        ServiceBusNamespace space = _namespaces.Take(own, QueueOptions.Default.OperationTimeout);
        await using (space.ConfigureAwait(false))
            return await ServiceBusEntities.DeleteAsync(space, own, cancellationToken).ConfigureAwait(false);
    }
}
