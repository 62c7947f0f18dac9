using System;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A message in a memory queue, and the same object in the receiver's hand: what is sent is copied once, what is received is not.</summary>
/// <remarks>While it is in the queue, its <see cref="ReceivedMessage.DeliveryCount"/> is that of its next delivery.</remarks>
internal class MemoryMessage : ReceivedMessage
{
    private readonly string _idPrefix;
    private readonly long _number;
    private string? _messageId;

    internal MemoryMessage(MemoryQueueStore store, long number, QueueMessage message)
        : base(new MessageBody(Copy(message.Body), message.Body.BodyType, message.Body.ContentType))
    {
        Store = store;
        _idPrefix = store.Id;
        _number = number;
        _messageId = message.MessageId;
        CopyProperties(message);
        SentTime = store.Clock.UtcNow;
        TimeSpan wait = TimeSpan.Zero;
        if (DueTime is { } due && due > SentTime)
        {
            wait = due - SentTime.Value;
            DueStamp = store.Clock.After(wait);
        }

        Deadline = TimeToLive is { } time ? store.Clock.After(time < TimeSpan.MaxValue - wait ? time + wait : TimeSpan.MaxValue) : QueueClock.Never;
    }

    /// <summary>A message that was in the log.</summary>
    private protected MemoryMessage(MemoryQueueStore store, QueueMessage message, MessageBody body)
        : base(body)
    {
        Store = store;
        _idPrefix = store.Id;
        _messageId = message.MessageId;
        CopyProperties(message);
        Deadline = QueueClock.Never;
    }

    /// <summary>The same message given out again: an object of its own, so that the earlier receiver's cannot settle it.</summary>
    private protected MemoryMessage(MemoryMessage message, MessageBody body, int deliveries)
        : this(message, message.Store, body)
    {
        DeliveryCount = message.DeliveryCount + deliveries;
        Deadline = message.Deadline;
        Order = message.Order;
        DeadLetter = message.DeadLetter;
    }

    /// <summary>The same message in another queue, as a dead letter or a copy in the journal.</summary>
    private protected MemoryMessage(MemoryMessage message, MemoryQueueStore store, DeadLetter? deadLetter, MessageBody body)
        : this(message, store, body)
    {
        TimeToLive = null;
        Deadline = QueueClock.Never;
        DeadLetter = deadLetter;
        AskForNothing();
    }

    private MemoryMessage(MemoryMessage message, MemoryQueueStore store, MessageBody body)
        : base(body)
    {
        Store = store;
        _idPrefix = message._idPrefix;
        _number = message._number;
        _messageId = message._messageId;
        CopyProperties(message);
        SentTime = message.SentTime;
    }

    /// <summary>As MSMQ's: the sender's (here: the queue's) GUID and a number. Made when asked for: few receivers ask.</summary>
    public override string? MessageId
    {
        get => _messageId ??= MakeMessageId();
        set => _messageId = value;
    }

    public override DateTimeOffset? LeaseEnd => LeaseEndTime;

    /// <summary>Whether this is the message's id, without making one for the comparison.</summary>
    internal bool HasId(string id) => _messageId is not null ? _messageId == id : id.StartsWith(MessageIdPrefix, StringComparison.Ordinal) && MessageId == id;

    /// <summary>What an id that the queue makes up begins with.</summary>
    private protected virtual string MessageIdPrefix => _idPrefix;

    /// <summary>The id that the sender gave, or the one that was made since.</summary>
    internal string? GivenMessageId => _messageId;

    internal MemoryQueueStore Store { get; }

    internal virtual long BodyByteCount => Body.ByteCount;

    /// <summary>Whether the message is also on a disk, and counts for its queue until it has left that.</summary>
    internal virtual bool IsStored => false;

    /// <summary>Counts up in the order in which messages come into their queue; given by the queue, and kept when the message comes back.</summary>
    internal long Order { get; set; }

    /// <summary>The time stamp at which the message expires, or <see cref="QueueClock.Never"/>.</summary>
    internal long Deadline { get; private protected set; }

    /// <summary>The time stamp before which nobody receives the message; 0 for at once.</summary>
    internal long DueStamp { get; set; }

    /// <summary>The handle that has received the message; guarded by the store's lock. Before it is in its queue, the handle that sends it, if that has a
    /// <see cref="QueueOptions.DuplicateWindow"/>.</summary>
    internal MemoryQueue? Receiver { get; set; }

    /// <summary>Whether the message goes along with another, and does not keep that from being sent when its own queue is gone.</summary>
    internal bool GoesAlong { get; init; }

    /// <summary>The transaction that has received the message.</summary>
    internal MemoryTransaction? Transaction { get; set; }

    /// <summary>Whether the message is under the lock of its receiver, and its neighbours in the list of such messages; guarded by the store's lock.</summary>
    internal bool IsLocked { get; set; }

    /// <summary>Counts up in the order in which the handle received what it has under lock; only for a handle whose acknowledgements are cumulative.</summary>
    internal long LockOrder { get; set; }

    internal MemoryMessage? PreviousLocked { get; set; }

    internal MemoryMessage? NextLocked { get; set; }

    /// <summary>The time stamp at which the lease ends.</summary>
    internal long LeaseDeadline { get; set; }

    internal DateTimeOffset? LeaseEndTime { get; set; }

    /// <summary>Whether the message went back to the queue with the receiver still holding it: the lease has ended, or the handle was closed.</summary>
    internal bool LostLock { get; set; }

    public sealed override ValueTask AcknowledgeAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        ThrowIfInScope();
        if (Receiver is { Options: { AcknowledgeMode: AcknowledgeMode.Cumulative, ReceiveMode: ReceiveMode.PeekLock } } receiver)
            return receiver.AcknowledgeThroughAsync(this);
        return Store.TryUnlock(this) switch
        {
            SettleResult.Settled => Receiver!.FinishAsync(this, null),
            SettleResult.LockLost => ValueTask.FromException(LockIsLost()),
            _ => default,
        };
    }

    public sealed override ValueTask ReturnAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        ThrowIfInScope();
        switch (Store.TryUnlock(this))
        {
            case SettleResult.Settled:
                Store.AddBack([this]);
                return default;
            case SettleResult.LockLost:
                return ValueTask.FromException(LockIsLost());
            default:
                return default;
        }
    }

    public sealed override ValueTask ReturnAsync(TimeSpan delay, CancellationToken cancellationToken = default)
    {
        if (delay < TimeSpan.Zero)
            throw new ArgumentOutOfRangeException(nameof(delay), delay, "Zero or more.");
        if (delay == TimeSpan.Zero)
            return ReturnAsync(cancellationToken);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        ThrowIfInScope();
        return Store.TryUnlock(this) switch
        {
            SettleResult.Settled => Receiver!.ReturnAsync(this, delay),
            SettleResult.LockLost => ValueTask.FromException(LockIsLost()),
            _ => default,
        };
    }

    public sealed override ValueTask DeadLetterAsync(string reason, string? description = null, CancellationToken cancellationToken = default)
    {
        QueueChecks.DeadLetter(reason, description);
        MemoryQueue receiver = Receiver!;
        if (receiver.DeadLetters is null)
            throw new InvalidOperationException($"'{receiver.Address}' was opened without a {nameof(QueueOptions.DeadLetterQueue)}.");
        if (Transaction is null && receiver.Options.ReceiveMode == ReceiveMode.ReceiveAndDelete)
            throw new InvalidOperationException($"'{receiver.Address}' was opened as {nameof(ReceiveMode.ReceiveAndDelete)}: the message has left it already.");
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        var deadLetter = new DeadLetter(reason, description, Store.Name);
        if (Transaction is not null)
        {
            Transaction.DeadLetter(this, deadLetter);
            return default;
        }

        ThrowIfInScope();
        return Store.TryUnlock(this) switch
        {
            SettleResult.Settled => receiver.FinishAsync(this, deadLetter),
            SettleResult.LockLost => ValueTask.FromException(LockIsLost()),
            _ => default,
        };
    }

    public sealed override ValueTask RenewLeaseAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        return Store.RenewLease(this) == SettleResult.LockLost ? ValueTask.FromException(LockIsLost()) : default;
    }

    /// <summary>Checks that it is not settled in an ambient transaction, unless settling it has no effect.</summary>
    private void ThrowIfInScope()
    {
        if (Receiver is { Options.ReceiveMode: ReceiveMode.PeekLock } receiver && Transaction is null)
            QueueChecks.NotInScope(receiver.Address);
    }

    /// <summary>The message for somebody who looks on; null if it has gone meanwhile.</summary>
    internal PeekedMessage? ToPeeked(bool isLocked) => GetBodyToShow() is not { } body ? null : new PeekedMessage(this, body)
    {
        DueTime = !isLocked && DueStamp > Store.Clock.Now ? Store.Clock.UtcOf(DueStamp) : null,
        Position = MessagePosition.Of(this).ToString(),
        // In the queue the count is that of the next delivery.
        DeliveryCount = isLocked ? DeliveryCount : DeliveryCount - 1,
        IsLocked = isLocked,
        LeaseEnd = isLocked ? LeaseEnd : null,
        SentTime = SentTime,
        DeadLetterReason = DeadLetterReason,
        DeadLetterDescription = DeadLetterDescription,
        DeadLetterSource = DeadLetterSource,
    };

    /// <summary>The body for somebody who looks on, in an object of its own; null if the message is gone.</summary>
    private protected virtual MessageBody? GetBodyToShow() => new(Body.Bytes, Body.BodyType, Body.ContentType);

    internal virtual MemoryMessage ForRedelivery(int deliveries) => new(this, Body, deliveries);

    /// <summary>The same message for a subscription: of a topic, by which it was copied.</summary>
    internal MemoryMessage CopyTo(MemoryQueueStore store) => new(this, store, Body) { Deadline = Deadline, DueStamp = DueStamp };

    /// <summary>The same message for another queue: a dead letter, or a copy for the journal.</summary>
    internal MemoryMessage MoveTo(MemoryQueueStore store, DeadLetter? deadLetter) => new(this, store, deadLetter, Body);

    /// <summary>A copy for a journal of what is sent, which counts for it.</summary>
    internal MemoryMessage CopyForJournal(MemoryQueueStore journal)
    {
        var copy = new MemoryMessage(this, journal, null, Body) { GoesAlong = true };
        journal.CountAgain(copy);
        return copy;
    }

    /// <summary>The acknowledgement of what happened to this message, which counts for its queue; null if it did not ask for one, or nobody would get
    /// it.</summary>
    internal MemoryMessage? MakeAcknowledgment(AcknowledgmentClass acknowledgment, DeadLetter? deadLetter)
    {
        if (!AsksFor(acknowledgment) || Store.Place?.FindQueue(AdministrationQueue!) is not { } administration)
            return null;
        MemoryMessage made = administration.CopyAlong(NewAcknowledgment(acknowledgment, deadLetter, MessageId));
        administration.CountAgain(made);
        return made;
    }

    /// <summary>What an acknowledgement says.</summary>
    private protected QueueMessage NewAcknowledgment(AcknowledgmentClass acknowledgment, DeadLetter? deadLetter, string? messageId) => new()
    {
        CorrelationId = messageId,
        Label = Label,
        Priority = Priority,
        Acknowledgment = new MessageAcknowledgment { Class = acknowledgment, QueueName = Store.Name, Reason = deadLetter?.Reason, Description = deadLetter?.Description },
    };

    private protected virtual string MakeMessageId() => string.Create(CultureInfo.InvariantCulture, $"{_idPrefix}\\{_number}");

    internal static QueueException LockIsLost() =>
        new("The lock is gone, because its lease has ended or the queue was closed: the message is back in its queue and will be delivered again.");

    private static ReadOnlyMemory<byte> Copy(MessageBody body)
    {
        if (body.Bytes.IsSingleSegment)
            return body.Bytes.FirstSpan.ToArray();
        return body.ToArray();
    }
}

/// <summary>A message that is taken out of its queue, to be a dead letter or to be dropped.</summary>
internal readonly record struct DeadMessage(MemoryMessage Message, DeadLetter DeadLetter);
