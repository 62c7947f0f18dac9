using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A handle of a queue in this process.</summary>
internal partial class MemoryQueue : IBatchQueue, IBrowsableQueue
{
    private readonly object _place;
    private readonly MemoryQueueStore _store;
    private ITimer? _leaseTimer;
    private volatile bool _isDisposed;

    /// <param name="place">What queues have in common that can be in one transaction: a provider, a folder.</param>
    /// <param name="store">The messages.</param>
    /// <param name="address">The address.</param>
    /// <param name="options">How the queue is opened.</param>
    /// <param name="capabilities">What it can do; the options have been checked against it.</param>
    /// <param name="deadLetters">The queue that takes dead letters, or null.</param>
    /// <param name="journal">The queue that gets a copy of what was received for good, or null.</param>
    internal MemoryQueue(
        object place, MemoryQueueStore store, QueueAddress address, QueueOptions options, QueueCapabilities capabilities, MemoryQueueStore? deadLetters, MemoryQueueStore? journal)
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

    public QueueAddress Address { get; }

    public QueueCapabilities Capabilities { get; }

    public QueueOptions Options { get; }

    internal long MaxMessageCount { get; }

    internal long MaxByteCount { get; }

    /// <summary>Where its sends wait.</summary>
    internal SendLine Line { get; }

    /// <summary>The queue that takes dead letters, or null.</summary>
    internal MemoryQueueStore? DeadLetters { get; }

    internal MemoryQueueStore? Journal { get; }

    /// <summary>Which messages this handle receives, or null for all.</summary>
    internal MessageSelector? Selector { get; }

    internal MessageFilter? Filter { get; }

    internal bool HasLeases => Options.LeaseDuration != Timeout.InfiniteTimeSpan;

    /// <summary>The messages under this handle's lock, in the order in which their leases end; guarded by the store's lock.</summary>
    internal MemoryMessage? FirstLocked { get; set; }

    internal MemoryMessage? LastLocked { get; set; }

    /// <summary>Whether a lease was renewed since the handle last had no message under lock: the list may not be in the order of the deliveries then.</summary>
    internal bool HasRenewed { get; set; }

    /// <summary>What queues in this process can do.</summary>
    internal static QueueCapabilities CapabilitiesOf(DeliveryMode mode) =>
        QueueChecks.AllCapabilities(mode, "in-memory", "memory only: nothing survives the process") with { HasBackPressure = true, IsInProcess = true };

    public virtual ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        if (message is null)
            throw new ArgumentNullException(nameof(message));
        ThrowIfDisposed();
        MemoryTransaction? own = Check(transaction);
        Capabilities.ThrowIfNotSupported(message, Address);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        return _store.MustWait(Line) || MustPrepare(message) ? SendInTurnAsync([message], own, cancellationToken) : SendNow(message, own);
    }

    /// <summary>Sends when the turn has come; the messages are as they are now.</summary>
    private async ValueTask SendInTurnAsync(IReadOnlyList<QueueMessage> messages, MemoryTransaction? transaction, CancellationToken cancellationToken)
    {
        QueueMessage[] copies = [.. messages.Select(static message => message.Copy())];
        using SendTurn turn = _store.JoinLine(Line, this);
        QueueException? refusal = await turn.AwaitRoomAsync(cancellationToken).ConfigureAwait(false);
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

    /// <summary>Whether something has to be there before a message can be sent that takes time to make.</summary>
    private protected virtual bool MustPrepare(QueueMessage message) => false;

    /// <summary>Makes it.</summary>
    private protected virtual ValueTask PrepareAsync(QueueMessage[] messages, CancellationToken cancellationToken) => default;

    /// <summary>Tells those who asked for it that messages could not come in.</summary>
    private void Refuse(QueueMessage[] messages)
    {
        foreach (QueueMessage message in messages)
        {
            if (!message.AsksForMore)
                continue;
            MemoryMessage copy = _store.Copy(message);
            MemoryQueueStore.OpenAdministrationQueueOf(copy);
            MemoryQueueStore.Acknowledge(copy, AcknowledgmentClass.QueueExceedMaximumSize, null);
        }
    }

    private ValueTask SendNow(QueueMessage message, MemoryTransaction? own)
    {
        MemoryMessage copy = _store.Copy(message);
        NoteSender(copy);
        if (message.AsksForMore)
        {
            SendWithMore([copy], own);
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

    public ValueTask<ReceivedMessage?> ReceiveAsync(TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default) =>
        ReceiveAsync(Filter, timeout, transaction, cancellationToken);

    /// <summary>Receives the next message that passes a filter, which has the handle's selector in it.</summary>
    private protected virtual ValueTask<ReceivedMessage?> ReceiveAsync(
        MessageFilter? filter, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        timeout = QueueChecks.Timeout(timeout);
        MemoryTransaction? own = Check(transaction);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<ReceivedMessage?>(cancellationToken);
        MemoryMessage? message = _store.Take(this, own, filter, timeout, out MemoryWaiter? waiter);
        return waiter is null ? new ValueTask<ReceivedMessage?>(message) : waiter.StartAsync(timeout, cancellationToken);
    }

    public virtual ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.NotInScope(Address);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<long>(cancellationToken);
        _store.CountMessages(this);
        List<MemoryMessage> messages = _store.TakeAll();
        MemoryQueueStore.Acknowledge(messages, AcknowledgmentClass.QueuePurged);
        return new ValueTask<long>(messages.Count);
    }

    public ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled<long>(cancellationToken) : new ValueTask<long>(_store.CountMessages(this));
    }

    public ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled<long?>(cancellationToken) : new ValueTask<long?>(_store.CountLocked());
    }

    public ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.CanBegin(Options, Address);
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<QueueTransaction>(cancellationToken)
            : new ValueTask<QueueTransaction>(BeginTransaction());
    }

    public virtual ValueTask DisposeAsync()
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

    /// <summary>Under the store's lock: looks for ended leases at a time.</summary>
    internal void StartLeaseTimer(long deadline)
    {
        if (_isDisposed)
            return;
        _leaseTimer ??= _store.Clock.Time.CreateTimer(static state => ((MemoryQueue)state!).EndLeases(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        // Timers have whole milliseconds: rounded up, so as not to come too early and find nothing.
        TimeSpan wait = TimeSpan.FromMilliseconds(Math.Min(Math.Ceiling(_store.Clock.Until(deadline).TotalMilliseconds), int.MaxValue));
        _leaseTimer.Change(wait, Timeout.InfiniteTimeSpan);
    }

    /// <summary>After a message was handed over, outside the store's lock.</summary>
    internal void AfterHandOver(MemoryMessage message)
    {
        if ((Journal is not null || message.HasExtras) && message is { Transaction: null, IsStored: false } && Options.ReceiveMode == ReceiveMode.ReceiveAndDelete)
            LeaveReceived(message);
    }

    /// <summary>Makes final that a message has left its queue: acknowledged, or to be a dead letter.</summary>
    internal virtual ValueTask FinishAsync(MemoryMessage message, DeadLetter? deadLetter)
    {
        Finish(message, deadLetter);
        return default;
    }

    /// <summary>Acknowledges a message and all that this handle received before it.</summary>
    internal ValueTask AcknowledgeThroughAsync(MemoryMessage message)
    {
        var messages = new List<MemoryMessage>();
        return _store.TryUnlock(message, messages) switch
        {
            SettleResult.Settled => FinishAsync(messages),
            SettleResult.LockLost => ValueTask.FromException(MemoryMessage.LockIsLost()),
            _ => default,
        };
    }

    /// <summary>Makes final that messages have left their queue, acknowledged.</summary>
    internal virtual ValueTask FinishAsync(List<MemoryMessage> messages)
    {
        foreach (MemoryMessage message in messages)
            Finish(message, null);
        return default;
    }

    /// <summary>Gives a message back that nobody receives before a delay is over; it is under no lock any more.</summary>
    internal virtual ValueTask ReturnAsync(MemoryMessage message, TimeSpan delay)
    {
        _store.AddBack([message], delay: delay);
        return default;
    }

    /// <summary>The same for a message that is only in memory.</summary>
    internal void Finish(MemoryMessage message, DeadLetter? deadLetter)
    {
        _store.Release(message.BodyByteCount);
        if (deadLetter is null)
            LeaveReceived(message);
        else
            Bury(new DeadMessage(message, deadLetter));
    }

    /// <summary>Puts messages that the queue itself has found dead, and has taken out, into the dead-letter queue, or drops them if there is none.</summary>
    internal void Bury(List<DeadMessage>? messages)
    {
        if (messages is null)
            return;
        foreach (DeadMessage message in messages)
            Bury(message);
    }

    internal virtual void Bury(DeadMessage dead)
    {
        DeadLetters?.TryAdd(dead.Message.MoveTo(DeadLetters, dead.DeadLetter), isCounted: false);
        MemoryQueueStore.Acknowledge(dead.Message, MessageAcknowledgment.ClassOf(dead.DeadLetter.Reason), dead.DeadLetter);
    }

    private protected virtual MemoryTransaction BeginTransaction() => new(_place);

    /// <summary>Sends a message that is only in memory.</summary>
    internal void SendInMemory(QueueMessage message)
    {
        if (message.AsksForMore)
            SendWithMore([_store.Copy(message)], null);
        else
            _store.Send(this, _store.Copy(message));
    }

    /// <summary>Sends messages of which some ask for acknowledgements or for a copy: these come with them.</summary>
    private void SendWithMore(MemoryMessage[] copies, MemoryTransaction? transaction)
    {
        try
        {
            foreach (MemoryMessage copy in copies)
            {
                copy.Store.ThrowIfDeleted();
                MemoryQueueStore.OpenAdministrationQueueOf(copy);
            }

            _store.Reserve(this, copies.Sum(static copy => copy.BodyByteCount), copies.Length);
        }
        catch (QueueException) when (transaction is null && !_store.IsDeleted)
        {
            MemoryQueueStore.Acknowledge(copies, AcknowledgmentClass.QueueExceedMaximumSize);
            throw;
        }

        var messages = new List<MemoryMessage>(copies.Length + 2);
        try
        {
            foreach (MemoryMessage copy in copies)
            {
                string? journal = copy.SourceJournalQueue;
                copy.ForgetSourceJournal();
                messages.Add(copy);
                if (journal is not null || copy.HasExtras)
                    MemoryQueueStore.AddMore(copy, journal, messages);
            }

            if (transaction is null)
                MemoryQueueStore.AddAll(messages);
            else
                transaction.Send([.. messages]);
        }
        catch
        {
            foreach (MemoryMessage message in messages)
                message.Store.Release(message.BodyByteCount);
            throw;
        }
    }

    /// <summary>Lets the message's queue look for its id when it comes in.</summary>
    internal void NoteSender(MemoryMessage message)
    {
        if (Options.DuplicateWindow is not null && message.GivenMessageId is not null)
            message.Receiver = this;
    }

    private protected MemoryTransaction? Check(QueueTransaction? transaction) => Check(transaction, Options, Address, _place);

    /// <summary>The transaction as one of a place, or null if there is none and none is needed.</summary>
    internal static MemoryTransaction? Check(QueueTransaction? transaction, QueueOptions options, QueueAddress address, object place)
    {
#if NET // Where there are queues in folders.
        if (transaction is CoordinatedTransaction coordinated)
            transaction = coordinated.Local;
#endif
        return QueueChecks.Transaction(transaction, transaction is MemoryTransaction own && own.Place == place ? own : null, "provider", options, address);
    }

    /// <summary>A message was received for good.</summary>
    private void LeaveReceived(MemoryMessage message)
    {
        Journal?.TryAdd(message.MoveTo(Journal, null), isCounted: false);
        MemoryQueueStore.Acknowledge(message, AcknowledgmentClass.Receive, null);
    }

    private void EndLeases()
    {
        if (!_isDisposed)
            _store.EndLeases(this);
    }
}
