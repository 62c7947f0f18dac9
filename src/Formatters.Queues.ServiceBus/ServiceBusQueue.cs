using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus;

namespace Formatters.Queues.ServiceBus;

/// <summary>A handle of a queue, a subscription, a dead-letter queue, or the sending side of a topic.</summary>
internal partial class ServiceBusQueue : QueueClient
{
    private readonly ServiceBusNamespace _space;
    private readonly ServiceBusAddress _address;
    private readonly ServiceBusOutbox? _outbox;
    private readonly ServiceBusInbox? _inbox;
    private readonly MessageSelector? _selector;
    private readonly ServiceBusSessionReceiver? _session;
    private readonly Func<ServiceBusNamespace, Task>? _onClosed;
    private readonly CancellationTokenSource _closing = new();
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

    /// <summary>Creates a handle of a session of a queue or subscription.</summary>
    private protected ServiceBusQueue(ServiceBusQueue queue, ServiceBusSessionReceiver session)
    {
        (_space, _address, _selector, _session) = (queue._space.Share(), queue._address, queue._selector, session);
        (Options, Capabilities) = (queue.Options, queue.Capabilities);
        if (queue._outbox is not null)
            _outbox = new ServiceBusOutbox(_space, _address, Options);
        _inbox = new ServiceBusInbox(_space, _address, _space.Client, Options, _selector, session: session);
    }

    public override QueueAddress Address => _address.Address;

    public override QueueCapabilities Capabilities { get; }

    public override QueueOptions Options { get; }

    /// <summary>Gets the token that is canceled when the handle is closed.</summary>
    private protected CancellationToken Closing => _closing.Token;

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
        if (options.RequiresSession && address.IsDeadLetterQueue)
            throw new NotSupportedException($"'{address.Address}': a dead-letter queue of Service Bus has no sessions; open it without "
                + $"{nameof(QueueOptions)}.{nameof(QueueOptions.RequiresSession)}.");
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

    protected override ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        ServiceBusTransaction? own = Check(transaction);
        if (_outbox is null)
            throw new NotSupportedException($"'{Address}' is a subscription or a dead-letter queue: send to its topic or queue.");
        Capabilities.ThrowIfNotSupported(message, Address);
        if (Options.RequiresSession && message.SessionId is null)
            throw new ArgumentException($"'{Address}' was opened with {nameof(QueueOptions.RequiresSession)}, and the message has no "
                + $"{nameof(QueueMessage.SessionId)}.", nameof(message));
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        if (own is not null)
        {
            own.Send(_address, message);
            return default;
        }

        return _outbox.SendAsync(ServiceBusQueueMessage.ToServiceBus(message), cancellationToken);
    }

    protected override async ValueTask<ReceivedMessage?> ReceiveCoreAsync(TimeSpan timeout, QueueTransaction? transaction,
        CancellationToken cancellationToken)
    {
        IReadOnlyList<ReceivedMessage> messages = await ReceiveBatchCoreAsync(1, timeout, transaction, cancellationToken).ConfigureAwait(false);
        return messages.Count == 0 ? null : messages[0];
    }

    public override async ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.NotInScope(Address);
        cancellationToken.ThrowIfCancellationRequested();
        if (Options.RequiresSession && _session is null)
            return await PurgeSessionsAsync(cancellationToken).ConfigureAwait(false);
        return await Inbox.Browser.PurgeAsync(
            (numbers, token) => _outbox?.CancelScheduledAsync(numbers, token) ?? Task.CompletedTask, cancellationToken).ConfigureAwait(false);
    }

    public override async ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        // The service counts the messages of entities only.
        if (_session is not null)
            return (await Inbox.Browser.PeekAsync(0, new PeekOptions { MaxCount = int.MaxValue, IncludeLocked = false }, cancellationToken)
                .ConfigureAwait(false)).Count;
        int locked = Inbox.Browser.LockedCount;
        return Math.Max(0, await ServiceBusEntities.CountAsync(_space, _address, cancellationToken).ConfigureAwait(false) - locked);
    }

    public override ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        // The service does not report this.
        return cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled<long?>(cancellationToken) : default;
    }

    public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.CanBegin(Options, Address);
        cancellationToken.ThrowIfCancellationRequested();
        return new ValueTask<QueueTransaction>(new ServiceBusTransaction(_space, Address));
    }

    protected override async ValueTask<IReadOnlyList<PeekedMessage>> PeekCoreAsync(PeekOptions options, CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        cancellationToken.ThrowIfCancellationRequested();
        long first = options.After is null ? 0 : NumberOf(options.After, nameof(options)) + 1;
        return await Inbox.Browser.PeekAsync(first, options, cancellationToken).ConfigureAwait(false);
    }

    public override async ValueTask DisposeAsync()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        await _closing.CancelAsync().ConfigureAwait(false);
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

    /// <summary>Returns the receiving side of a receive: the handle's, or its transaction's.</summary>
    private ServiceBusInbox InboxOf(ServiceBusTransaction? transaction)
    {
        if (Options.RequiresSession && _session is null)
            throw new InvalidOperationException($"'{Address}' was opened with {nameof(QueueOptions.RequiresSession)}: receive from a session that "
                + $"{nameof(QueueClient.AcceptSessionAsync)} returns.");
        return transaction is null ? Inbox : transaction.InboxOf(_address, Options, _selector);
    }

    private static QueueCapabilities CapabilitiesOf(DeliveryMode mode) => new()
    {
        Product = "Azure Service Bus",
        Durability = mode == DeliveryMode.Transactional
            ? "the service has stored the sends and removed the received messages together, at commit"
            : "accepted by the service, which has stored the message (it has no weaker mode)",
        IsRecoverable = true,
        IsAtomic = mode == DeliveryMode.Transactional,
        Features = (mode == DeliveryMode.Transactional ? QueueFeatures.Transactions : 0)
            | QueueFeatures.Expiry | QueueFeatures.PeekLock | QueueFeatures.Leases | QueueFeatures.DeadLetters | QueueFeatures.DeliveryCounts
            | QueueFeatures.Topics | QueueFeatures.Batches | QueueFeatures.Peek | QueueFeatures.Delays | QueueFeatures.Sessions
            | QueueFeatures.Deferral,
        IsInProcess = false,
    };

    private ServiceBusTransaction? Check(QueueTransaction? transaction)
    {
        ServiceBusTransaction? own = transaction is ServiceBusTransaction bus && bus.IsOf(_space) ? bus : null;
        return QueueChecks.Transaction(transaction, own, "provider or namespace", Options, Address);
    }

    private long NumberOf(string position, string parameter) =>
        long.TryParse(position, NumberStyles.None, CultureInfo.InvariantCulture, out long number)
            ? number
            : throw new ArgumentException($"'{position}' is not a position in '{Address}'.", parameter);

    private protected void ThrowIfDisposed()
    {
        if (_isDisposed)
            throw QueueChecks.Closed(Address);
    }
}
