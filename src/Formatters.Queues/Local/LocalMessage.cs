using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A message in a memory queue, which the receiver gets as the same object: a send copies it once, a receive does not.</summary>
/// <remarks>While it is in the queue, its <see cref="ReceivedMessage.DeliveryCount"/> is that of its next delivery.</remarks>
internal class LocalMessage : ReceivedMessage
{
    private readonly string _idPrefix;
    private readonly long _number;
    private string? _messageId;

    internal LocalMessage(LocalQueueStore store, long number, QueueMessage message)
        : base(new MessageBody(Copy(message.Body), message.Body.BodyType, message.Body.ContentType))
    {
        if (store.Place is not MemoryQueueProvider)
            ThrowIfForeign(message);
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

    /// <summary>Creates the exception for a header with a type that a folder cannot carry, neither in its log nor to other processes.</summary>
    internal static ArgumentException UnsupportedHeader(string name, object? value) => new(
        $"The header {name} is a {value?.GetType().ToString() ?? "null"}; a queue in a folder carries String, Boolean, Int32, Int64, "
        + "Double and Byte[].");

    private static void ThrowIfForeign(QueueMessage message)
    {
        if (!message.HasHeaders)
            return;
        foreach (KeyValuePair<string, object> header in message.Headers)
        {
            if (header.Value is not (string or bool or int or long or double or byte[]))
                throw UnsupportedHeader(header.Key, header.Value);
        }
    }

    /// <summary>Creates a message that was in the log.</summary>
    private protected LocalMessage(LocalQueueStore store, QueueMessage message, MessageBody body)
        : base(body)
    {
        Store = store;
        _idPrefix = store.Id;
        _messageId = message.MessageId;
        CopyProperties(message);
        Deadline = QueueClock.Never;
    }

    /// <summary>Creates the object for a redelivery of the same message, so that the earlier receiver's object cannot settle it.</summary>
    private protected LocalMessage(LocalMessage message, MessageBody body, int deliveries)
        : this(message, message.Store, body)
    {
        DeliveryCount = message.DeliveryCount + deliveries;
        Deadline = message.Deadline;
        Order = message.Order;
        DeadLetter = message.DeadLetter;
    }

    /// <summary>Creates the same message for another queue, as a dead letter or a copy in the journal.</summary>
    private protected LocalMessage(LocalMessage message, LocalQueueStore store, DeadLetter? deadLetter, MessageBody body)
        : this(message, store, body)
    {
        TimeToLive = null;
        Deadline = QueueClock.Never;
        DeadLetter = deadLetter;
        ClearRequests();
    }

    private LocalMessage(LocalMessage message, LocalQueueStore store, MessageBody body)
        : base(body)
    {
        Store = store;
        _idPrefix = message._idPrefix;
        _number = message._number;
        _messageId = message._messageId;
        CopyProperties(message);
        SentTime = message.SentTime;
    }

    /// <summary>
    /// Gets or sets the id: like MSMQ's, the GUID of the sender (here: the queue) and a number. Created on demand, because few receivers use it.
    /// </summary>
    public override string? MessageId
    {
        get => _messageId ??= MakeMessageId();
        set => _messageId = value;
    }

    public override DateTimeOffset? LeaseEnd => LeaseEndTime;

    /// <summary>Determines whether this is the message's id, without creating one for the comparison.</summary>
    internal bool HasId(string id) => _messageId is not null
        ? _messageId == id
        : id.StartsWith(IdParts.Prefix, StringComparison.Ordinal) && MessageId == id;

    /// <summary>Gets the id that the sender set, or that was created since.</summary>
    internal string? GivenMessageId => _messageId;

    internal LocalQueueStore Store { get; }

    internal virtual long BodyByteCount => Body.ByteCount;

    /// <summary>Gets the number that the log of a folder has for the message in this queue; 0 if it is only in memory.</summary>
    internal virtual ulong LogNumber => 0;

    /// <summary>Gets whether the message is also on disk, and counts for its queue until it has been removed there.</summary>
    internal virtual bool IsStored => false;

    /// <summary>
    /// Gets or sets the position in the order in which messages enter the queue; assigned by the queue, and kept when the message is returned.
    /// </summary>
    internal long Order { get; set; }

    /// <summary>Gets the time stamp at which the message expires, or <see cref="QueueClock.Never"/>.</summary>
    internal long Deadline { get; private protected set; }

    /// <summary>Gets or sets the time stamp before which the message is not received; 0 for immediately.</summary>
    internal long DueStamp { get; set; }

    /// <summary>
    /// Gets or sets the handle that has received the message; guarded by the store's lock. Before the message is in its queue, the handle that sends
    /// it, if that has a <see cref="QueueOptions.DuplicateWindow"/>.
    /// </summary>
    internal LocalQueue? Receiver { get; set; }

    /// <summary>Gets whether the message accompanies another, whose send succeeds even if this message's queue no longer exists.</summary>
    internal bool IsOptional { get; init; }

    /// <summary>Gets or sets the transaction that has received the message.</summary>
    internal LocalTransaction? Transaction { get; set; }

    /// <summary>
    /// Gets or sets whether the message is locked by its receiver. With its neighbors in the list of locked messages, guarded by the store's lock.
    /// </summary>
    internal bool IsLocked { get; set; }

    /// <summary>
    /// Gets or sets the position in the order in which the handle received its locked messages; only for a handle with cumulative acknowledgements.
    /// </summary>
    internal long LockOrder { get; set; }

    internal LocalMessage? PreviousLocked { get; set; }

    internal LocalMessage? NextLocked { get; set; }

    /// <summary>Gets or sets the time stamp at which the lease ends.</summary>
    internal long LeaseDeadline { get; set; }

    internal DateTimeOffset? LeaseEndTime { get; set; }

    /// <summary>Gets or sets whether the message returned to the queue without its receiver: the lease has ended, or the handle was closed.</summary>
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

    protected internal sealed override ValueTask MoveToDeadLetterQueueAsync(string? reason, string? description, CancellationToken cancellationToken)
    {
        LocalQueue receiver = Receiver!;
        if (receiver.DeadLetters is null)
            throw new InvalidOperationException($"'{receiver.Address}' was opened without a {nameof(QueueOptions.DeadLetterQueue)}.");
        if (Transaction is null && receiver.Options.ReceiveMode == ReceiveMode.ReceiveAndDelete)
            throw new InvalidOperationException(
                $"'{receiver.Address}' was opened as {nameof(ReceiveMode.ReceiveAndDelete)}: the message has left it already.");
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        var deadLetter = new DeadLetter(reason ?? "", description, Store.Name);
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

    /// <summary>Throws if the message is settled within an ambient transaction, unless settling has no effect.</summary>
    private void ThrowIfInScope()
    {
        if (Receiver is { Options.ReceiveMode: ReceiveMode.PeekLock } receiver && Transaction is null)
            QueueChecks.NotInScope(receiver.Address);
    }

    /// <summary>Creates the peeked message; null if it has left the queue meanwhile.</summary>
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

    /// <summary>Returns the body in a new object for a peek; null if the message has left the queue.</summary>
    private protected virtual MessageBody? GetBodyToShow() => new(Body.Bytes, Body.BodyType, Body.ContentType);

    internal virtual LocalMessage ForRedelivery(int deliveries) => new(this, Body, deliveries);

    /// <summary>Creates the copy for a subscription of the topic that copied the message.</summary>
    internal LocalMessage CopyTo(LocalQueueStore store) => new(this, store, Body) { Deadline = Deadline, DueStamp = DueStamp };

    /// <summary>Creates the message for another queue: a dead letter, or a copy for the journal.</summary>
    internal LocalMessage MoveTo(LocalQueueStore store, DeadLetter? deadLetter) => new(this, store, deadLetter, Body);

    /// <summary>Creates and counts the journal copy of a sent message.</summary>
    internal LocalMessage CopyForJournal(LocalQueueStore journal)
    {
        var copy = new LocalMessage(this, journal, null, Body) { IsOptional = true };
        journal.CountAgain(copy);
        return copy;
    }

    /// <summary>
    /// Creates and counts the acknowledgement of an event; null if the message does not request it, or its administration queue does not exist.
    /// </summary>
    internal LocalMessage? MakeAcknowledgment(AcknowledgmentClass acknowledgment, DeadLetter? deadLetter)
    {
        if (!Requests(acknowledgment) || Store.Place?.FindQueue(AdministrationQueue!) is not { } administration)
            return null;
        LocalMessage made = administration.CopyOptional(NewAcknowledgment(acknowledgment, deadLetter, MessageId));
        administration.CountAgain(made);
        return made;
    }

    /// <summary>Creates the content of an acknowledgement.</summary>
    private protected QueueMessage NewAcknowledgment(AcknowledgmentClass acknowledgment, DeadLetter? deadLetter, string? messageId) => new()
    {
        CorrelationId = messageId,
        Label = Label,
        Priority = Priority,
        Acknowledgment = new MessageAcknowledgment { Class = acknowledgment, QueueName = Store.Name, Reason = deadLetter?.Reason,
            Description = deadLetter?.Description },
    };

    private string MakeMessageId()
    {
        (string prefix, ulong number) = IdParts;
        return MakeMessageId(prefix, number);
    }

    /// <summary>Creates an id from its parts.</summary>
    internal static string MakeMessageId(string prefix, ulong number) => string.Create(CultureInfo.InvariantCulture, $"{prefix}\\{number}");

    /// <summary>Gets the parts of the id that the queue creates.</summary>
    internal virtual (string Prefix, ulong Number) IdParts => (_idPrefix, (ulong)_number);

    internal static QueueException LockIsLost() =>
        new("The lock is gone, because its lease has ended or the queue was closed: the message is back in its queue and will be delivered again.");

    private static ReadOnlyMemory<byte> Copy(MessageBody body)
    {
        if (body.Bytes.IsSingleSegment)
            return body.Bytes.FirstSpan.ToArray();
        return body.ToArray();
    }
}

/// <summary>A message that was removed from its queue, to be dead-lettered or dropped.</summary>
internal readonly record struct DeadMessage(LocalMessage Message, DeadLetter DeadLetter);
