using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A handle of a queue in this process.</summary>
internal partial class LocalQueue : QueueClient
{
    private readonly object _place;
    private readonly LocalQueueStore _store;
    private ITimer? _leaseTimer;
    private volatile bool _isDisposed;

    /// <param name="place">The provider or folder whose queues can be in one transaction.</param>
    /// <param name="store">The messages.</param>
    /// <param name="address">The address.</param>
    /// <param name="options">How the queue is opened.</param>
    /// <param name="capabilities">The capabilities; the options have been checked against them.</param>
    /// <param name="deadLetters">The queue that takes dead letters, or null.</param>
    /// <param name="journal">The queue for copies of consumed messages, or null.</param>
    internal LocalQueue(
        object place, LocalQueueStore store, QueueAddress address, QueueOptions options, QueueCapabilities capabilities,
            LocalQueueStore? deadLetters, LocalQueueStore? journal)
    {
        _place = place;
        _store = store;
        Address = address;
        Options = options;
        MaxMessageCount = options.MaxMessageCount ?? long.MaxValue;
        MaxByteCount = options.MaxByteCount ?? long.MaxValue;
        Line = store.LineOf(options.HoldBackByteCount ?? long.MaxValue);
        Capabilities = capabilities;
        DeadLetters = deadLetters;
        Journal = journal;
        Selector = options.Selector is { } selector ? MessageSelector.Parse(selector) : null;
        Filter = Selector is null ? null : new MessageFilter(Selector);
        store.Open(this);
    }

    public override QueueAddress Address { get; }

    public override QueueCapabilities Capabilities { get; }

    public override QueueOptions Options { get; }

    internal long MaxMessageCount { get; }

    internal long MaxByteCount { get; }

    /// <summary>Gets the line in which its sends wait.</summary>
    internal SendLine Line { get; }

    /// <summary>Gets the dead-letter queue, or null.</summary>
    internal LocalQueueStore? DeadLetters { get; }

    internal LocalQueueStore? Journal { get; }

    /// <summary>Gets the selector of this handle; null for all messages.</summary>
    internal MessageSelector? Selector { get; }

    internal MessageFilter? Filter { get; }

    internal bool HasLeases => Options.LeaseDuration != Timeout.InfiniteTimeSpan;

    /// <summary>
    /// Gets or sets the first of the messages locked by this handle, in the order in which their leases end; guarded by the store's lock.
    /// </summary>
    internal LocalMessage? FirstLocked { get; set; }

    internal LocalMessage? LastLocked { get; set; }

    /// <summary>
    /// Gets or sets whether a lease was renewed since the handle last had no locked message: the list may then not be in the order of the deliveries.
    /// </summary>
    internal bool HasRenewed { get; set; }

    /// <summary>Returns the capabilities of queues in this process.</summary>
    internal static QueueCapabilities CapabilitiesOf(DeliveryMode mode)
    {
        QueueCapabilities all = QueueChecks.AllCapabilities(mode, "in-memory", "memory only: nothing survives the process");
        return all with { Features = all.Features | QueueFeatures.BackPressure, IsInProcess = true };
    }

    protected override ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        LocalTransaction? own = Check(transaction);
        Capabilities.ThrowIfNotSupported(message, Address);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        return _store.MustWait(Line) || MustPrepare(message) ? SendInTurnAsync([message], own, cancellationToken) : SendNow(message, own);
    }

    /// <summary>Sends after waiting for its turn; the messages are snapshots taken now.</summary>
    private async ValueTask SendInTurnAsync(IReadOnlyList<QueueMessage> messages, LocalTransaction? transaction, CancellationToken cancellationToken)
    {
        QueueMessage[] copies = [.. messages.Select(static message => message.Copy())];
        using SendTurn turn = _store.JoinLine(Line, this);
        QueueException? refusal = await turn.WaitForSpaceAsync(cancellationToken).ConfigureAwait(false);
        if (copies.Any(MustPrepare))
            await PrepareAsync(copies, cancellationToken).ConfigureAwait(false);
        if (refusal is not null)
        {
            if (transaction is null)
                Refuse(copies);
            throw refusal;
        }

        if (copies.Length == 1)
            await SendNow(copies[0], transaction).ConfigureAwait(false);
        else
            await SendNow(copies, transaction).ConfigureAwait(false);
    }

    /// <summary>Determines whether a message needs a queue that takes time to create.</summary>
    private protected virtual bool MustPrepare(QueueMessage message) => false;

    /// <summary>Creates the queues that messages need.</summary>
    private protected virtual ValueTask PrepareAsync(QueueMessage[] messages, CancellationToken cancellationToken) => default;

    /// <summary>Sends the negative acknowledgements of rejected messages.</summary>
    private void Refuse(QueueMessage[] messages)
    {
        foreach (QueueMessage message in messages)
        {
            if (!message.HasRequests)
                continue;
            LocalMessage copy = _store.Copy(message);
            LocalQueueStore.OpenAdministrationQueueOf(copy);
            LocalQueueStore.Acknowledge(copy, AcknowledgmentClass.QueueExceedMaximumSize, null);
        }
    }

    private ValueTask SendNow(QueueMessage message, LocalTransaction? own)
    {
        LocalMessage copy = _store.Copy(message);
        NoteSender(copy);
        if (message.HasRequests)
        {
            SendWithRequests([copy], own);
            return default;
        }

        if (own is null)
        {
            _store.Send(this, copy);
            return default;
        }

        _store.Reserve(this, copy.BodyByteCount);
        try
        {
            own.Send(copy);
        }
        catch
        {
            _store.Release(copy.BodyByteCount);
            throw;
        }

        return default;
    }

    protected override ValueTask<ReceivedMessage?> ReceiveCoreAsync(TimeSpan timeout, QueueTransaction? transaction,
        CancellationToken cancellationToken) =>
        ReceiveAsync(Filter, timeout, transaction, cancellationToken);

    /// <summary>Receives the next message that passes a filter, which includes the handle's selector.</summary>
    private protected virtual ValueTask<ReceivedMessage?> ReceiveAsync(
        MessageFilter? filter, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        timeout = QueueChecks.Timeout(timeout);
        LocalTransaction? own = Check(transaction);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<ReceivedMessage?>(cancellationToken);
        LocalMessage? message = _store.Take(this, own, filter, timeout, out LocalWaiter? waiter);
        return waiter is null ? new ValueTask<ReceivedMessage?>(message) : waiter.StartAsync(timeout, cancellationToken);
    }

    /// <summary>Receives the message with a number of the folder's log, without waiting.</summary>
    internal ValueTask<ReceivedMessage?> ReceiveByNumberAsync(ulong number, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        ReceiveAsync(new MessageFilter(null, number: number), TimeSpan.Zero, transaction, cancellationToken);

    public override ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.NotInScope(Address);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<long>(cancellationToken);
        _store.CountMessages(this);
        List<LocalMessage> messages = _store.TakeAll();
        LocalQueueStore.Acknowledge(messages, AcknowledgmentClass.QueuePurged);
        return new ValueTask<long>(messages.Count);
    }

    public override ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<long>(cancellationToken)
            : new ValueTask<long>(_store.CountMessages(this));
    }

    public override ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<long?>(cancellationToken)
            : new ValueTask<long?>(_store.CountLocked());
    }

    public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.CanBegin(Options, Address);
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<QueueTransaction>(cancellationToken)
            : new ValueTask<QueueTransaction>(BeginTransaction());
    }

    public override ValueTask DisposeAsync()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            _store.Close(this);
            _leaseTimer?.Dispose();
        }

        return default;
    }

    internal ObjectDisposedException Disposed() => QueueChecks.Closed(Address);

    internal void ThrowIfDisposed()
    {
        if (_isDisposed)
            throw Disposed();
    }

    /// <summary>Starts the timer for the end of a lease; called under the store's lock.</summary>
    internal void StartLeaseTimer(long deadline)
    {
        if (_isDisposed)
            return;
        _leaseTimer ??= _store.Clock.Time.CreateTimer(static state => ((LocalQueue)state!).EndLeases(), this, Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan);
        // Timers have whole milliseconds: rounded up, so that the lease has ended when the timer fires.
        TimeSpan wait = TimeSpan.FromMilliseconds(Math.Min(Math.Ceiling(_store.Clock.Until(deadline).TotalMilliseconds), int.MaxValue));
        _leaseTimer.Change(wait, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Completes the delivery of a message, outside the store's lock.</summary>
    internal void AfterHandOver(LocalMessage message)
    {
        if ((Journal is not null || message.HasExtras) && message is { Transaction: null, IsStored: false }
            && Options.ReceiveMode == ReceiveMode.ReceiveAndDelete)
            CompleteReceive(message);
    }

    /// <summary>Completes the removal of a message from its queue: acknowledged, or dead-lettered.</summary>
    internal virtual ValueTask FinishAsync(LocalMessage message, DeadLetter? deadLetter)
    {
        Finish(message, deadLetter);
        return default;
    }

    /// <summary>Acknowledges a message and all that this handle received before it.</summary>
    internal ValueTask AcknowledgeThroughAsync(LocalMessage message)
    {
        var messages = new List<LocalMessage>();
        return _store.TryUnlock(message, messages) switch
        {
            SettleResult.Settled => FinishAsync(messages),
            SettleResult.LockLost => ValueTask.FromException(LocalMessage.LockIsLost()),
            _ => default,
        };
    }

    /// <summary>Completes the removal of acknowledged messages.</summary>
    internal virtual ValueTask FinishAsync(List<LocalMessage> messages)
    {
        foreach (LocalMessage message in messages)
            Finish(message, null);
        return default;
    }

    /// <summary>Returns an unlocked message to its queue with a delay.</summary>
    internal virtual ValueTask ReturnAsync(LocalMessage message, TimeSpan delay)
    {
        _store.AddBack([message], delay: delay);
        return default;
    }

    /// <summary>Completes the removal of a message that is only in memory.</summary>
    internal void Finish(LocalMessage message, DeadLetter? deadLetter)
    {
        _store.Release(message.BodyByteCount);
        if (deadLetter is null)
            CompleteReceive(message);
        else
            RemoveDead(new DeadMessage(message, deadLetter));
    }

    /// <summary>Moves dead messages that the queue has removed to the dead-letter queue, or drops them if there is none.</summary>
    internal void RemoveDead(List<DeadMessage>? messages)
    {
        if (messages is null)
            return;
        foreach (DeadMessage message in messages)
            RemoveDead(message);
    }

    internal virtual void RemoveDead(DeadMessage dead)
    {
        DeadLetters?.TryAdd(dead.Message.MoveTo(DeadLetters, dead.DeadLetter), isCounted: false);
        LocalQueueStore.Acknowledge(dead.Message, MessageAcknowledgment.ClassOf(dead.DeadLetter.Reason), dead.DeadLetter);
    }

    private protected virtual LocalTransaction BeginTransaction() => new(_place);

    /// <summary>Sends a message that is only in memory.</summary>
    internal void SendInMemory(QueueMessage message)
    {
        if (message.HasRequests)
            SendWithRequests([_store.Copy(message)], null);
        else
            _store.Send(this, _store.Copy(message));
    }

    /// <summary>Sends messages of which some request acknowledgements or a journal copy, together with these.</summary>
    private void SendWithRequests(LocalMessage[] copies, LocalTransaction? transaction)
    {
        try
        {
            foreach (LocalMessage copy in copies)
            {
                copy.Store.ThrowIfDeleted();
                LocalQueueStore.OpenAdministrationQueueOf(copy);
            }

            _store.Reserve(this, copies.Sum(static copy => copy.BodyByteCount), copies.Length);
        }
        catch (QueueException) when (transaction is null && !_store.IsDeleted)
        {
            LocalQueueStore.Acknowledge(copies, AcknowledgmentClass.QueueExceedMaximumSize);
            throw;
        }

        var messages = new List<LocalMessage>(copies.Length + 2);
        try
        {
            foreach (LocalMessage copy in copies)
            {
                string? journal = copy.SourceJournalQueue;
                copy.ClearSourceJournal();
                messages.Add(copy);
                if (journal is not null || copy.HasExtras)
                    LocalQueueStore.AddRequested(copy, journal, messages);
            }

            if (transaction is null)
                LocalQueueStore.AddAll(messages);
            else
                transaction.Send([.. messages]);
        }
        catch
        {
            foreach (LocalMessage message in messages)
                message.Store.Release(message.BodyByteCount);
            throw;
        }
    }

    /// <summary>Makes the message's queue check its id for duplicates when it is added.</summary>
    internal void NoteSender(LocalMessage message)
    {
        if (Options.DuplicateWindow is not null && message.GivenMessageId is not null)
            message.Receiver = this;
    }

    /// <inheritdoc cref="Check(QueueTransaction?, QueueOptions, QueueAddress, object)"/>
    internal LocalTransaction? Check(QueueTransaction? transaction) => Check(transaction, Options, Address, _place);

    /// <summary>Validates and casts a transaction; null if there is none and none is required.</summary>
    internal static LocalTransaction? Check(QueueTransaction? transaction, QueueOptions options, QueueAddress address, object place)
    {
#if NET // Where there are queues in folders.
        if (transaction is CoordinatedTransaction coordinated)
            transaction = coordinated.Local;
#endif
        return QueueChecks.Transaction(transaction, transaction is LocalTransaction own && own.Place == place ? own : null, "provider", options,
            address);
    }

    /// <summary>Adds the journal copy and the acknowledgement of a consumed message.</summary>
    private void CompleteReceive(LocalMessage message)
    {
        Journal?.TryAdd(message.MoveTo(Journal, null), isCounted: false);
        LocalQueueStore.Acknowledge(message, AcknowledgmentClass.Receive, null);
    }

    private void EndLeases()
    {
        if (!_isDisposed)
            _store.EndLeases(this);
    }
}
