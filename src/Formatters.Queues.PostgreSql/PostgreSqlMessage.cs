using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>A message that was received from a table.</summary>
internal sealed class PostgreSqlMessage : ReceivedMessage
{
    private readonly PostgreSqlReceiver _receiver;
    private PostgreSqlTransaction? _transaction;
    private long _leaseEndTicks;
    private int _isSettled;

    /// <summary>Reads a row; see <see cref="Statements"/> for the order of its columns.</summary>
    /// <param name="row">The row.</param>
    /// <param name="receiver">Who has received it.</param>
    /// <param name="sessionId">The session that has locked it, or null if it is taken out for good.</param>
    /// <param name="leaseEnd">When the lock ends by itself, or null.</param>
    internal PostgreSqlMessage(NpgsqlDataReader row, PostgreSqlReceiver receiver, int? sessionId, DateTimeOffset? leaseEnd)
        : base(new MessageBody(row.GetFieldValue<byte[]>(17), row.GetInt32(6), TextOf(row, 8)))
    {
        _receiver = receiver;
        SessionId = sessionId;
        _leaseEndTicks = leaseEnd?.UtcTicks ?? 0;
        Id = row.GetInt64(0);
        Priority = row.GetInt16(1);
        IsRecoverable = row.GetBoolean(2);
        // The row that a lock returns is counted already.
        DeliveryCount = row.GetInt32(3) + (sessionId is null ? 1 : 0);
        DateTime sent = row.GetDateTime(4);
        SentTime = sent;
        DateTime? due = row.IsDBNull(18) ? null : row.GetDateTime(18);
        DueTime = due;
        TimeToLive = TimeToLiveOf(row, sent, due);

        MessageId = TextOf(row, 7);
        Label = TextOf(row, 9);
        CorrelationId = TextOf(row, 10);
        ResponseQueue = TextOf(row, 11);
        ReadExtras(row, this);
        if (TextOf(row, 12) is { } headers)
            HeaderJson.Read(headers, TextOf(row, 13), Headers);
        if (TextOf(row, 14) is { } reason)
        {
            DeadLetterReason = reason;
            DeadLetterDescription = TextOf(row, 15);
            DeadLetterSource = TextOf(row, 16);
        }
    }

    /// <summary>The number of the row: in the order of the sends.</summary>
    internal long Id { get; }

    internal bool IsRecoverable { get; }

    /// <summary>The session that has locked the row, or null if it is taken out for good.</summary>
    internal int? SessionId { get; }

    internal PostgreSqlReceiver Receiver => _receiver;

    /// <summary>Whether its lock was found to be gone when it was settled.</summary>
    internal bool LostLock { get; set; }

    /// <summary>Whether a transaction settles it.</summary>
    internal bool IsInTransaction => _transaction is not null;

    /// <summary>Its place among what the handle has handed out, where acknowledgements are cumulative; guarded by the receiver's lock.</summary>
    internal LinkedListNode<PostgreSqlMessage>? Received { get; set; }

    public override DateTimeOffset? LeaseEnd => Interlocked.Read(ref _leaseEndTicks) is var ticks and not 0 ? new DateTimeOffset(ticks, TimeSpan.Zero) : null;

    public override ValueTask AcknowledgeAsync(CancellationToken cancellationToken = default) =>
        SettleAsync(static (receiver, message, token) => receiver.AcknowledgeAsync(message, token), cancellationToken);

    public override ValueTask ReturnAsync(CancellationToken cancellationToken = default) =>
        SettleAsync(static (receiver, message, token) => receiver.ReturnAsync(message, TimeSpan.Zero, token), cancellationToken);

    public override ValueTask ReturnAsync(TimeSpan delay, CancellationToken cancellationToken = default)
    {
        if (delay < TimeSpan.Zero)
            throw new ArgumentOutOfRangeException(nameof(delay), delay, "Zero or more.");
        return SettleAsync((receiver, message, token) => receiver.ReturnAsync(message, delay, token), cancellationToken);
    }

    public override ValueTask DeadLetterAsync(string reason, string? description = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(reason);
        Outgoing.ThrowIfNoText(reason, nameof(reason));
        Outgoing.ThrowIfNoText(description, nameof(description));
        _receiver.ThrowIfNoDeadLetters();
        if (_transaction is { } transaction)
            return transaction.DeadLetterAsync(this, reason, description, cancellationToken);

        if (!_receiver.IsPeekLock)
            throw new InvalidOperationException("The message has left its queue: the queue was opened under ReceiveMode.ReceiveAndDelete.");
        return SettleAsync((receiver, message, token) => receiver.DeadLetterAsync(message, reason, description, token), cancellationToken);
    }

    public override async ValueTask RenewLeaseAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (LeaseEnd is null || _transaction is not null)
            return;
        DateTimeOffset end = await _receiver.RenewAsync(this, cancellationToken).ConfigureAwait(false);
        Interlocked.Exchange(ref _leaseEndTicks, end.UtcTicks);
    }

    /// <summary>Claims the settling.</summary>
    /// <returns>Whether nobody has settled it before.</returns>
    internal bool TrySettle() => Interlocked.Exchange(ref _isSettled, 1) == 0;

    /// <summary>Gives the message to a transaction, which settles it.</summary>
    internal void EnterTransaction(PostgreSqlTransaction transaction) => _transaction = transaction;

    /// <summary>A row of <see cref="Statements.Peek"/>: those of a message, when it comes, how long its lock lasts, whether it is locked, and whether it was
    /// fetched ahead.</summary>
    internal static PeekedMessage Peek(NpgsqlDataReader row, DateTimeOffset now)
    {
        bool isLocked = row.GetBoolean(24);
        DateTime sent = row.GetDateTime(4);
        var message = new PeekedMessage(new MessageBody(row.GetFieldValue<byte[]>(17), row.GetInt32(6), TextOf(row, 8)))
        {
            Position = string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{row.GetInt16(1)}.{row.GetInt64(0)}"),
            Priority = row.GetInt16(1),
            DeliveryCount = row.GetInt32(3) - (row.GetBoolean(25) ? 1 : 0),
            IsLocked = isLocked,
            LeaseEnd = isLocked && !row.IsDBNull(23) ? now + row.GetTimeSpan(23) : null,
            SentTime = sent,
            DueTime = row.IsDBNull(22) ? null : row.GetDateTime(22),
            TimeToLive = TimeToLiveOf(row, sent, row.IsDBNull(18) ? null : row.GetDateTime(18)),
            MessageId = TextOf(row, 7),
            Label = TextOf(row, 9),
            CorrelationId = TextOf(row, 10),
            ResponseQueue = TextOf(row, 11),
            DeadLetterReason = TextOf(row, 14),
            DeadLetterDescription = TextOf(row, 15),
            DeadLetterSource = TextOf(row, 16),
        };
        ReadExtras(row, message);
        if (TextOf(row, 12) is { } headers)
            HeaderJson.Read(headers, TextOf(row, 13), message.Headers);
        return message;
    }

    /// <summary>How long a message lives from its send, or from its time if that is later.</summary>
    internal static TimeSpan? TimeToLiveOf(NpgsqlDataReader row, DateTime sent, DateTime? due)
    {
        if (row.IsDBNull(5))
            return null;
        DateTime expiry = row.GetDateTime(5);
        DateTime start = due > sent ? due.Value : sent;
        return expiry > start ? expiry - start : TimeSpan.FromMicroseconds(1);
    }

    /// <summary>What it asks for, and what it acknowledges.</summary>
    private static void ReadExtras(NpgsqlDataReader row, QueueMessage message)
    {
        if (!row.IsDBNull(19))
        {
            message.AcknowledgeTypes = (AcknowledgeTypes)row.GetInt32(19);
            message.AdministrationQueue = TextOf(row, 20);
        }

        if (TextOf(row, 21) is { } acknowledgment)
            message.Acknowledgment = AcknowledgmentJson.Read(acknowledgment);
    }

    internal static string? TextOf(NpgsqlDataReader row, int column) => row.IsDBNull(column) ? null : row.GetString(column);

    private ValueTask SettleAsync(Func<PostgreSqlReceiver, PostgreSqlMessage, CancellationToken, ValueTask> settleAsync, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        return !_receiver.IsPeekLock || _transaction is not null || !TrySettle() ? default : settleAsync(_receiver, this, cancellationToken);
    }
}
