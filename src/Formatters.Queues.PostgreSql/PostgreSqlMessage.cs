using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;
using NpgsqlTypes;

namespace Formatters.Queues.PostgreSql;

/// <summary>A message received from a table.</summary>
internal sealed class PostgreSqlMessage : ReceivedMessage
{
    private static readonly DateTime PostgreSqlEpoch = new(2000, 1, 1, 0, 0, 0, DateTimeKind.Utc);
    private static readonly long FirstMicrosecond = -PostgreSqlEpoch.Ticks / TimeSpan.TicksPerMicrosecond;
    private static readonly long LastMicrosecond = (DateTime.MaxValue - PostgreSqlEpoch).Ticks / TimeSpan.TicksPerMicrosecond;

    private readonly PostgreSqlReceiver _receiver;
    private PostgreSqlTransaction? _transaction;
    private volatile Lease? _lease;
    private int _isSettled;

    /// <summary>Reads a row; <see cref="Statements"/> defines the order of its columns.</summary>
    /// <param name="row">The row.</param>
    /// <param name="receiver">The receiver that fetched it.</param>
    /// <param name="sessionId">The session that has locked it; null if it was deleted on receipt.</param>
    /// <param name="lease">The lease of the lock; null if it never expires.</param>
    internal PostgreSqlMessage(NpgsqlDataReader row, PostgreSqlReceiver receiver, int? sessionId, Lease? lease)
        : base(new MessageBody(row.GetFieldValue<byte[]>(17), row.GetInt32(6), TextOf(row, 8)))
    {
        _receiver = receiver;
        ServerSessionId = sessionId;
        _lease = lease;
        Id = row.GetInt64(0);
        IsRecoverable = row.GetBoolean(2);
        // A lock statement returns the row with this delivery already counted.
        DeliveryCount = row.GetInt32(3) + (sessionId is null ? 1 : 0);
        DateTime sent = TimeOf(row, 4) ?? default;
        SentTime = sent;
        DateTime? due = TimeOf(row, 18);
        DueTime = due;
        TimeToLive = TimeToLiveOf(row, sent, due);
        MessageId = TextOf(row, 7);
        Label = TextOf(row, 9);
        CorrelationId = TextOf(row, 10);
        ResponseQueue = TextOf(row, 11);
        if (ReadChecked(row, this) is { } problem)
            Unreadable = new UnreadableRow(problem, row.GetInt16(1), TextOf(row, 12), TextOf(row, 13), TextOf(row, 21));
        if (TextOf(row, 14) is { } reason)
        {
            DeadLetterReason = reason;
            DeadLetterDescription = TextOf(row, 15);
            DeadLetterSource = TextOf(row, 16);
        }
    }

    /// <summary>Gets the id of the row; ids ascend in the order of the sends.</summary>
    internal long Id { get; }

    internal bool IsRecoverable { get; }

    /// <summary>
    /// Gets the unreadable properties of the row, as they are in the table; null for nearly all messages. The other properties are available.
    /// </summary>
    internal UnreadableRow? Unreadable { get; }

    /// <summary>
    /// Gets whether the message must not be delivered. A dead letter with the reason "unreadable" is delivered with its readable properties.
    /// </summary>
    internal bool IsUndeliverable => Unreadable is not null && DeadLetterReason != DeadLetterReasons.UnreadableProperties;

    /// <summary>Gets the session that has locked the row; null if it was deleted on receipt.</summary>
    internal int? ServerSessionId { get; }

    internal PostgreSqlReceiver Receiver => _receiver;

    /// <summary>Gets or sets whether settling found that the lock had expired.</summary>
    internal bool LostLock { get; set; }

    /// <summary>Gets whether a transaction settles the message.</summary>
    internal bool IsInTransaction => _transaction is not null;

    /// <summary>Gets or sets the node in the list of delivered messages, for cumulative acknowledgement; guarded by the receiver's lock.</summary>
    internal LinkedListNode<PostgreSqlMessage>? Received { get; set; }

    public override DateTimeOffset? LeaseEnd => _lease?.End;

    /// <summary>Gets whether the lease has ended.</summary>
    internal bool IsLeaseOver => _lease?.IsOver == true;

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

    protected override ValueTask MoveToDeadLetterQueueAsync(string? reason, string? description, CancellationToken cancellationToken)
    {
        _receiver.ThrowIfNoDeadLetters();
        if (_transaction is { } transaction)
            return transaction.DeadLetterAsync(this, reason ?? "", description, cancellationToken);

        if (!_receiver.IsPeekLock)
            throw new InvalidOperationException("The message has left its queue: the queue was opened under ReceiveMode.ReceiveAndDelete.");
        return MoveAsync();

        async ValueTask MoveAsync()
        {
            try
            {
                await SettleAsync(
                    (receiver, message, token) => receiver.DeadLetterAsync(message, reason ?? "", description, token), cancellationToken)
                    .ConfigureAwait(false);
            }
            catch (Exception e) when (e is not OperationCanceledException)
            {
                // It may be settled in another way, unless its lock is gone, which every way reports.
                Volatile.Write(ref _isSettled, 0);
                throw;
            }
        }
    }

    public override async ValueTask RenewLeaseAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (LeaseEnd is null || _transaction is not null)
            return;
        _lease = await _receiver.RenewAsync(this, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Tries to claim the settlement of the message.</summary>
    /// <returns>False if it was settled before.</returns>
    internal bool TrySettle() => Interlocked.Exchange(ref _isSettled, 1) == 0;

    /// <summary>Assigns the message to a transaction, which settles it.</summary>
    internal void EnterTransaction(PostgreSqlTransaction transaction) => _transaction = transaction;

    /// <summary>
    /// Reads a row of <see cref="Statements.Peek"/>: the message, its due time, the end of its lock, whether it is locked, and whether this handle
    /// prefetched it.
    /// </summary>
    internal static PeekedMessage Peek(NpgsqlDataReader row, DateTimeOffset now)
    {
        bool isLocked = row.GetBoolean(24);
        DateTime sent = TimeOf(row, 4) ?? default;
        string? reason = TextOf(row, 14);
        string? description = TextOf(row, 15);
        var properties = new QueueMessage();
        if (ReadChecked(row, properties) is { } problem && reason is null)
            (reason, description) = (DeadLetterReasons.UnreadableProperties, problem);
        var message = new PeekedMessage(new MessageBody(row.GetFieldValue<byte[]>(17), row.GetInt32(6), TextOf(row, 8)))
        {
            Position = string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{row.GetInt16(1)}.{row.GetInt64(0)}"),
            Priority = properties.Priority,
            DeliveryCount = row.GetInt32(3) - (row.GetBoolean(25) ? 1 : 0),
            IsLocked = isLocked,
            LeaseEnd = isLocked && !row.IsDBNull(23) ? After(now, row.GetFieldValue<NpgsqlInterval>(23)) : null,
            SentTime = sent,
            DueTime = TimeOf(row, 22),
            TimeToLive = TimeToLiveOf(row, sent, TimeOf(row, 18)),
            MessageId = TextOf(row, 7),
            Label = TextOf(row, 9),
            CorrelationId = TextOf(row, 10),
            ResponseQueue = TextOf(row, 11),
            DeadLetterReason = reason,
            DeadLetterDescription = description,
            DeadLetterSource = TextOf(row, 16),
            AcknowledgeTypes = properties.AcknowledgeTypes,
            AdministrationQueue = properties.AdministrationQueue,
            Acknowledgment = properties.Acknowledgment,
        };
        if (properties.HasHeaders)
        {
            foreach ((string name, object value) in properties.Headers)
                message.Headers.Add(name, value);
        }

        return message;
    }

    /// <summary>Computes the time to live, from the send or from the due time if that is later.</summary>
    internal static TimeSpan? TimeToLiveOf(NpgsqlDataReader row, DateTime sent, DateTime? due)
    {
        if (TimeOf(row, 5) is not { } expiry)
            return null;
        DateTime start = due > sent ? due.Value : sent;
        return expiry > start ? expiry - start : TimeSpan.FromMicroseconds(1);
    }

    /// <summary>Reads the properties whose columns may contain invalid values, written by another program.</summary>
    /// <returns>Which properties cannot be read, and why; null if all can.</returns>
    private static string? ReadChecked(NpgsqlDataReader row, QueueMessage message)
    {
        string? problem = null;
        short priority = row.GetInt16(1);
        if (priority is >= 0 and <= 9)
            message.Priority = priority;
        else
            Note(ref problem, nameof(Priority), $"{priority} is not from 0 to 9.");
        try
        {
            if (!row.IsDBNull(19) && TextOf(row, 20) is { } administration)
            {
                message.AdministrationQueue = administration;
                message.AcknowledgeTypes = (AcknowledgeTypes)row.GetInt32(19);
            }
        }
        catch (ArgumentException e)
        {
            Note(ref problem, nameof(AdministrationQueue), e.Message);
        }

        try
        {
            if (TextOf(row, 21) is { } acknowledgment)
                message.Acknowledgment = AcknowledgmentJson.Read(acknowledgment);
        }
        catch (Exception e) when (IsOfJson(e))
        {
            Note(ref problem, nameof(Acknowledgment), e.Message);
        }

        try
        {
            if (TextOf(row, 12) is { } headers)
                HeaderJson.Read(headers, TextOf(row, 13), message.Headers);
        }
        catch (Exception e) when (IsOfJson(e))
        {
            message.Headers.Clear();
            Note(ref problem, nameof(Headers), e.Message);
        }

        return problem;

        // The JSON does not have the form that this library writes.
        static bool IsOfJson(Exception e) => e is System.Text.Json.JsonException or InvalidOperationException or FormatException or ArgumentException
            or IndexOutOfRangeException or OverflowException;

        static void Note(ref string? problem, string property, string reason) =>
            problem = $"{problem}{(problem is null ? "" : " ")}{property}: {reason}";
    }

    /// <summary>Reads a time. Values outside the range of <see cref="DateTime"/>, including infinity, are clamped.</summary>
    internal static DateTime? TimeOf(NpgsqlDataReader row, int column)
    {
        if (row.IsDBNull(column))
            return null;
        long microseconds = row.GetFieldValue<long>(column);
        return microseconds < FirstMicrosecond
            ? DateTime.SpecifyKind(DateTime.MinValue, DateTimeKind.Utc)
            : microseconds > LastMicrosecond
            ? DateTime.SpecifyKind(DateTime.MaxValue, DateTimeKind.Utc)
            : PostgreSqlEpoch.AddTicks(microseconds * TimeSpan.TicksPerMicrosecond);
    }

    private static DateTimeOffset After(DateTimeOffset time, NpgsqlInterval duration)
    {
        double ticks = (duration.Months * 30d + duration.Days) * TimeSpan.TicksPerDay + duration.Time * (double)TimeSpan.TicksPerMicrosecond;
        return ticks >= (DateTimeOffset.MaxValue - time).Ticks ? DateTimeOffset.MaxValue : ticks <= 0 ? time : time.AddTicks((long)ticks);
    }

    internal static string? TextOf(NpgsqlDataReader row, int column) => row.IsDBNull(column) ? null : row.GetString(column);

    private ValueTask SettleAsync(Func<PostgreSqlReceiver, PostgreSqlMessage, CancellationToken, ValueTask> settleAsync,
        CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        if (!_receiver.IsPeekLock || _transaction is not null)
            return default;
        QueueChecks.NotInScope(_receiver.Address);
        return TrySettle() ? settleAsync(_receiver, this, cancellationToken) : default;
    }
}

/// <summary>The unreadable columns of a row, as they are in the table.</summary>
/// <param name="Problem">Which properties, and why; for people.</param>
/// <param name="Priority">The priority.</param>
/// <param name="Headers">The headers, as JSON.</param>
/// <param name="HeaderTypes">Their types, as JSON.</param>
/// <param name="Acknowledgment">The content of an acknowledgement message as JSON.</param>
internal sealed record UnreadableRow(string Problem, short Priority, string? Headers, string? HeaderTypes, string? Acknowledgment);
