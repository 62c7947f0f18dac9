using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.ServiceBus;

/// <summary>A handle of a queue, a subscription, a dead-letter queue, or the sending side of a topic.</summary>
internal sealed partial class ServiceBusQueue : IBatchQueue, IBrowsableQueue
{
    private readonly ServiceBusNamespace _space;
    private readonly ServiceBusAddress _address;
    private readonly ServiceBusOutbox? _outbox;
    private readonly ServiceBusInbox? _inbox;
    private readonly MessageSelector? _selector;
    private readonly Func<ServiceBusNamespace, Task>? _onClosed;
    private volatile bool _isDisposed;

    private ServiceBusQueue(ServiceBusNamespace space, ServiceBusAddress address, QueueOptions options, bool isTopic, MessageSelector? selector,
        Func<ServiceBusNamespace, Task>? onClosed)
    {
        (_space, _address, _selector, _onClosed) = (space, address, selector, onClosed);
        Options = options;
        Capabilities = CapabilitiesOf(options.DeliveryMode!.Value);
        if (address.Subscription is null && !address.IsDeadLetterQueue)
            _outbox = new ServiceBusOutbox(space, address, options);
        if (!isTopic)
            _inbox = new ServiceBusInbox(space, address, space.Client, options, selector);
    }

    public QueueAddress Address => _address.Address;

    public QueueCapabilities Capabilities { get; }

    public QueueOptions Options { get; }

    /// <summary>Gets the namespace, for subscriptions of a topic.</summary>
    internal ServiceBusNamespace Space => _space;

    /// <summary>Opens a handle.</summary>
    /// <param name="address">The address of the entity.</param>
    /// <param name="options">The options.</param>
    /// <param name="namespaces">The namespaces in use.</param>
    /// <param name="ensure">Creates and checks the entity.</param>
    /// <param name="isTopic">Whether it is a topic.</param>
    /// <param name="selector">The selector of a subscription.</param>
    /// <param name="onClosed">What is done when the handle is closed; null for nothing.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    internal static async Task<ServiceBusQueue> OpenAsync(
        ServiceBusAddress address, QueueOptions options, ServiceBusNamespace.Pool namespaces, Func<ServiceBusNamespace, Task> ensure,
            bool isTopic = false, MessageSelector? selector = null, Func<ServiceBusNamespace, Task>? onClosed = null,
            CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        options = options with { DeliveryMode = options.DeliveryMode ?? DeliveryMode.Recoverable };
        CapabilitiesOf(options.DeliveryMode.Value).ThrowIfNotSupported(options, address.Address);
        ServiceBusNamespace space;
        try
        {
            space = namespaces.Take(address, options.OperationTimeout);
        }
        catch (Exception e) when (e is ArgumentException or FormatException)
        {
            // The exception of the client may repeat the key.
            throw new FormatException($"'{address.Address}': the name of the namespace, the key name or the key is not valid.");
        }

        try
        {
            await ensure(space).ConfigureAwait(false);
            return new ServiceBusQueue(space, address, options, isTopic, selector, onClosed);
        }
        catch
        {
            await space.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        if (message is null)
            throw new ArgumentNullException(nameof(message));
        ThrowIfDisposed();
        ServiceBusTransaction? own = Check(transaction);
        if (_outbox is null)
            throw new NotSupportedException($"'{Address}' is a subscription or a dead-letter queue: send to its topic or queue.");
        Capabilities.ThrowIfNotSupported(message, Address);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        if (own is not null)
        {
            own.Send(_address, message);
            return default;
        }

        return _outbox.SendAsync(ServiceBusQueueMessage.ToServiceBus(message), cancellationToken);
    }

    public async ValueTask<ReceivedMessage?> ReceiveAsync(TimeSpan timeout, QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default)
    {
        IReadOnlyList<ReceivedMessage> messages = await ReceiveBatchAsync(1, timeout, transaction, cancellationToken).ConfigureAwait(false);
        return messages.Count == 0 ? null : messages[0];
    }

    public async ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.NotInScope(Address);
        cancellationToken.ThrowIfCancellationRequested();
        return await Inbox.PurgeAsync(
            (numbers, token) => _outbox?.CancelScheduledAsync(numbers, token) ?? Task.CompletedTask, cancellationToken).ConfigureAwait(false);
    }

    public async ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        int locked = Inbox.LockedCount;
        return Math.Max(0, await ServiceBusEntities.CountAsync(_space, _address, cancellationToken).ConfigureAwait(false) - locked);
    }

    public ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        // The service does not report this.
        return cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled<long?>(cancellationToken) : default;
    }

    public ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.CanBegin(Options, Address);
        cancellationToken.ThrowIfCancellationRequested();
        return new ValueTask<QueueTransaction>(new ServiceBusTransaction(_space, Address));
    }

    public async ValueTask<IReadOnlyList<PeekedMessage>> PeekAsync(PeekOptions options, CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        cancellationToken.ThrowIfCancellationRequested();
        long first = 0;
        if (options.After is not null)
        {
            first = long.TryParse(options.After, NumberStyles.None, CultureInfo.InvariantCulture, out long after)
                ? after + 1
                : throw new ArgumentException($"'{options.After}' is not a position in '{Address}'.", nameof(options));
        }

        return await Inbox.PeekAsync(first, options, cancellationToken).ConfigureAwait(false);
    }

    public ValueTask<ReceivedMessage?> ReceiveByIdAsync(string messageId, TimeSpan timeout, QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default) =>
        throw new NotSupportedException($"'{Address}': {Capabilities.Product} does not receive by id.");

    public ValueTask<ReceivedMessage?> ReceiveByCorrelationIdAsync(string correlationId, TimeSpan timeout, QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default) =>
        throw new NotSupportedException($"'{Address}': {Capabilities.Product} does not receive by id.");

    public async ValueTask DisposeAsync()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        if (_outbox is not null)
            await _outbox.CloseAsync(Options.OperationTimeout).ConfigureAwait(false);
        if (_inbox is not null)
            await _inbox.CloseAsync().ConfigureAwait(false);
        try
        {
            if (_onClosed is not null)
                await _onClosed(_space).ConfigureAwait(false);
        }
        finally
        {
            await _space.DisposeAsync().ConfigureAwait(false);
        }
    }

    private ServiceBusInbox Inbox => _inbox ?? throw new NotSupportedException($"'{Address}' is a topic: its subscriptions have the messages.");

    private static QueueCapabilities CapabilitiesOf(DeliveryMode mode) => new()
    {
        Product = "Azure Service Bus",
        Durability = mode == DeliveryMode.Transactional
            ? "the service has stored the sends and removed the received messages together, at commit"
            : "accepted by the service, which has stored the message (it has no weaker mode)",
        IsRecoverable = true,
        HasTransactions = mode == DeliveryMode.Transactional,
        IsAtomic = mode == DeliveryMode.Transactional,
        HasExpiry = true,
        HasPeekLock = true,
        HasLeases = true,
        HasDeadLetters = true,
        HasDeliveryCounts = true,
        HasTopics = true,
        HasBatches = true,
        HasPeek = true,
        HasDelays = true,
        IsInProcess = false,
    };

    private ServiceBusTransaction? Check(QueueTransaction? transaction)
    {
        ServiceBusTransaction? own = transaction is ServiceBusTransaction bus && bus.IsOf(_space) ? bus : null;
        return QueueChecks.Transaction(transaction, own, "provider or namespace", Options, Address);
    }

    private void ThrowIfDisposed()
    {
        if (_isDisposed)
            throw QueueChecks.Closed(Address);
    }
}
