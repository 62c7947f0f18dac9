using System;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Binary;

namespace Formatters.Queues;

/// <summary>A message received from a queue in a folder that another process owns.</summary>
internal sealed class FollowerMessage : ReceivedMessage
{
    private DateTimeOffset? _leaseEnd;
    private string? _messageId;
    private string? _idPrefix;
    private ulong _idNumber;
    private volatile bool _isSettled;
    private volatile bool _hasLostLock;

    private FollowerMessage(MessageBody body, FollowerQueue queue, FollowerTransaction? transaction, long delivery, ulong logNumber,
        int deliveryCount, DateTimeOffset? sentTime, DateTimeOffset? leaseEnd, DeadLetter? deadLetter)
        : base(body)
    {
        Queue = queue;
        Transaction = transaction;
        Delivery = delivery;
        LogNumber = logNumber;
        DeliveryCount = deliveryCount;
        SentTime = sentTime;
        DeadLetter = deadLetter;
        _leaseEnd = leaseEnd;
    }

    public override string? MessageId
    {
        get => _messageId ??= _idPrefix is null ? null : LocalMessage.MakeMessageId(_idPrefix, _idNumber);
        set => _messageId = value;
    }

    public override DateTimeOffset? LeaseEnd => _leaseEnd;

    internal FollowerQueue Queue { get; }

    /// <summary>Gets the number of the delivery to this process.</summary>
    internal long Delivery { get; }

    /// <summary>Gets the number that the log has for the message in its queue; 0 for one that is only in the owner's memory.</summary>
    internal ulong LogNumber { get; }

    internal FollowerTransaction? Transaction { get; }

    /// <summary>Gets whether settling the message has an effect.</summary>
    internal bool IsSettleable => !_isSettled && Transaction is null && Queue.Options.ReceiveMode == ReceiveMode.PeekLock;

    /// <summary>Gets whether the message is known to have returned to its queue without this receiver.</summary>
    internal bool HasLostLock => _hasLostLock || Queue.IsDisposed;

    internal static FollowerMessage Read(ref BinaryBodyReader reader, ReadOnlyMemory<byte> payload, FollowerQueue queue,
        FollowerTransaction? transaction)
    {
        long delivery = reader.ReadInt64();
        ulong number = reader.ReadUInt64();
        int deliveryCount = reader.ReadInt32();
        DateTimeOffset? sentTime = FolderProtocol.ReadTime(ref reader);
        DateTimeOffset? leaseEnd = FolderProtocol.ReadTime(ref reader);
        DeadLetter? deadLetter = FolderProtocol.ReadDeadLetter(ref reader);
        string? id = reader.ReadNullableString();
        string? idPrefix = id is null ? reader.ReadString(queue.LastIdPrefix) : null;
        ulong idNumber = id is null ? reader.ReadUInt64() : 0;
        queue.LastIdPrefix = idPrefix ?? queue.LastIdPrefix;
        var message = new FollowerMessage(FolderProtocol.ReadBody(ref reader, payload), queue, transaction, delivery, number, deliveryCount, sentTime,
            leaseEnd, deadLetter) { _messageId = id, _idPrefix = idPrefix, _idNumber = idNumber };
        FolderProtocol.ReadProperties(ref reader, message);
        return message;
    }

    internal void NoteSettled(bool isLost)
    {
        if (isLost)
            _hasLostLock = true;
        else
            _isSettled = true;
    }

    public override ValueTask AcknowledgeAsync(CancellationToken cancellationToken = default) =>
        SettleAsync(Settlement.Acknowledge, default, cancellationToken);

    public override ValueTask ReturnAsync(CancellationToken cancellationToken = default) =>
        SettleAsync(Settlement.Return, default, cancellationToken);

    public override ValueTask ReturnAsync(TimeSpan delay, CancellationToken cancellationToken = default) =>
        delay >= TimeSpan.Zero
            ? SettleAsync(Settlement.Return, delay, cancellationToken)
            : throw new ArgumentOutOfRangeException(nameof(delay), delay, "Zero or more.");

    protected internal override async ValueTask MoveToDeadLetterQueueAsync(string? reason, string? description, CancellationToken cancellationToken)
    {
        if (Queue.Options.DeadLetterQueue is null)
            throw new InvalidOperationException($"'{Queue.Address}' was opened without a {nameof(QueueOptions.DeadLetterQueue)}.");
        if (Transaction is null && Queue.Options.ReceiveMode == ReceiveMode.ReceiveAndDelete)
            throw new InvalidOperationException(
                $"'{Queue.Address}' was opened as {nameof(ReceiveMode.ReceiveAndDelete)}: the message has left it already.");
        cancellationToken.ThrowIfCancellationRequested();
        if (Transaction is { } transaction)
        {
            transaction.ThrowIfEnded();
            await Queue.Client.SettleAsync(Queue, Settlement.DeadLetter, [Delivery], default, reason, description, transaction, cancellationToken)
                .ConfigureAwait(false);
            return;
        }

        await SettleAsync(Settlement.DeadLetter, default, cancellationToken, reason, description).ConfigureAwait(false);
    }

    public override ValueTask RenewLeaseAsync(CancellationToken cancellationToken = default) =>
        SettleAsync(Settlement.Renew, default, cancellationToken);

    private async ValueTask SettleAsync(Settlement settlement, TimeSpan delay, CancellationToken cancellationToken, string? reason = null,
        string? description = null)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (Queue.Options.ReceiveMode == ReceiveMode.PeekLock && Transaction is null && settlement != Settlement.Renew)
            QueueChecks.NotInScope(Queue.Address);
        if (!IsSettleable)
            return;
        if (HasLostLock)
            throw LocalMessage.LockIsLost();
        if (settlement == Settlement.Acknowledge && Queue.Options.AcknowledgeMode != AcknowledgeMode.Cumulative)
        {
            if (Queue.Client.IsLost(Delivery))
                throw LocalMessage.LockIsLost();
            await Queue.AcknowledgeAsync(Delivery).WaitAsync(cancellationToken).ConfigureAwait(false);
            _isSettled = true;
            return;
        }

        long leaseEnd = await Queue.Client.SettleAsync(Queue, settlement, [Delivery], delay, reason, description, null, cancellationToken)
            .ConfigureAwait(false);
        if (settlement != Settlement.Renew)
            _isSettled = true;
        else if (leaseEnd != 0)
            _leaseEnd = new DateTimeOffset(leaseEnd, TimeSpan.Zero);
    }
}
