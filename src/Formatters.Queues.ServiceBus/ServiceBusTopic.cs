using System;
using System.Threading;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus.Administration;

namespace Formatters.Queues.ServiceBus;

/// <summary>A topic and its subscriptions.</summary>
internal sealed class ServiceBusTopic(ServiceBusAddress address, ServiceBusQueue sender, ServiceBusNamespace.Pool namespaces) : MessageTopic
{
    private const int MaxNameLength = 50;

    private volatile bool _isDisposed;

    public override QueueAddress Address => sender.Address;

    public override QueueCapabilities Capabilities => sender.Capabilities;

    public override QueueOptions Options => sender.Options;

    public override ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return sender.SendAsync(message, transaction, cancellationToken);
    }

    public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return sender.BeginTransactionAsync(cancellationToken);
    }

    public override ValueTask<QueueClient> SubscribeAsync(string? selector = null, QueueOptions? options = null,
        CancellationToken cancellationToken = default) =>
        SubscribeAsync(Guid.NewGuid().ToString("N"), isTemporary: true, selector, options ?? Options, cancellationToken);

    public override ValueTask<QueueClient> SubscribeDurableAsync(
        string name, string? selector = null, QueueOptions? options = null, CancellationToken cancellationToken = default)
    {
        CheckName(name);
        return SubscribeAsync(name, isTemporary: false, selector, options ?? Options, cancellationToken);
    }

    public override async ValueTask<bool> UnsubscribeAsync(string name, CancellationToken cancellationToken = default)
    {
        CheckName(name);
        ThrowIfDisposed();
        return await ServiceBusEntities.DeleteAsync(sender.Space, SubscriptionOf(name), cancellationToken).ConfigureAwait(false);
    }

    public override ValueTask DisposeAsync()
    {
        _isDisposed = true;
        return sender.DisposeAsync();
    }

    private async ValueTask<QueueClient> SubscribeAsync(string name, bool isTemporary, string? selector, QueueOptions options,
        CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        MessageSelector? parsed = selector is null ? null : MessageSelector.Parse(selector);
        RuleFilter filter = parsed is null ? new TrueRuleFilter() : ServiceBusSelector.ToFilter(parsed);
        ServiceBusAddress own = SubscriptionOf(name);
        return await ServiceBusQueue.OpenAsync(
            own,
            options,
            namespaces,
            space => ServiceBusEntities.EnsureSubscriptionAsync(space, own, options, filter, isTemporary, cancellationToken),
            isTopic: false,
            parsed,
            isTemporary ? space => ServiceBusEntities.DeleteAsync(space, own, CancellationToken.None) : null,
            cancellationToken).ConfigureAwait(false);
    }

    private ServiceBusAddress SubscriptionOf(string name) => address.WithEntity($"{address.EntityPath}/Subscriptions/{name}");

    private static void CheckName(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        if (name.Length > MaxNameLength || name.Contains('/', StringComparison.Ordinal))
            throw new ArgumentException($"Service Bus takes names of subscriptions of 1 to {MaxNameLength} characters, without a slash.",
                nameof(name));
    }

    private void ThrowIfDisposed()
    {
        if (_isDisposed)
            throw new ObjectDisposedException(nameof(MessageTopic), $"'{Address}' is closed.");
    }
}
