using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Npgsql;
using NpgsqlTypes;

namespace Formatters.Queues.PostgreSql;

/// <summary>A message to insert: a snapshot of its properties, and its body without a copy.</summary>
internal sealed record Outgoing
{
    private const int MaxKeyByteCount = 2_600;

    /// <summary>Creates the row of a message whose body is read while the send is in progress.</summary>
    internal static Outgoing Of(QueueMessage message) =>
        new(message, message.Body.Bytes.IsSingleSegment ? message.Body.Bytes.First : message.Body.ToArray());

    internal Outgoing(QueueMessage message, ReadOnlyMemory<byte> body, string? messageId = null)
    {
        Body = body;
        BodyType = message.Body.BodyType;
        Priority = (short)message.Priority;
        TimeToLive = message.TimeToLive;
        DueTime = message.DueTime?.UtcDateTime;
        // It would expire after DateTime.MaxValue.
        if (DueTime is { } due && TimeToLive > DateTime.MaxValue - due)
            TimeToLive = null;
        HasOwnId = message.MessageId is not null;
        MessageId = message.MessageId ?? messageId ?? Guid.NewGuid().ToString();
        ContentType = message.Body.ContentType;
        Label = message.Label;
        CorrelationId = message.CorrelationId;
        ResponseQueue = message.ResponseQueue;
        AcknowledgeTypes = message.AcknowledgeTypes;
        AdministrationQueue = message.AdministrationQueue;
        SourceJournalQueue = message.SourceJournalQueue;
        if (message.Acknowledgment is { } acknowledgment)
            Acknowledgment = AcknowledgmentJson.Write(acknowledgment);
        if (message.HasHeaders)
            (Headers, HeaderTypes) = HeaderJson.Write(message.Headers);
        ThrowIfNoText(MessageId, nameof(MessageId));
        ThrowIfNoText(ContentType, nameof(ContentType));
        ThrowIfNoText(Label, nameof(Label));
        ThrowIfNoText(CorrelationId, nameof(CorrelationId));
        ThrowIfNoText(ResponseQueue, nameof(ResponseQueue));
        ThrowIfNoText(AdministrationQueue, nameof(AdministrationQueue));
        ThrowIfNoText(SourceJournalQueue, nameof(SourceJournalQueue));
        // An acknowledgement has the message's id as its correlation id, which is indexed.
        ThrowIfTooLongForIndex(MessageId, nameof(MessageId));
        ThrowIfTooLongForIndex(CorrelationId, nameof(CorrelationId));
        ThrowIfTooLongForIndex(AdministrationQueue, nameof(AdministrationQueue));
        ThrowIfTooLongForIndex(SourceJournalQueue, nameof(SourceJournalQueue));
    }

    internal ReadOnlyMemory<byte> Body { get; }

    internal int BodyType { get; }

    internal short Priority { get; }

    internal TimeSpan? TimeToLive { get; private init; }

    /// <summary>Gets when the message becomes available; null for immediately.</summary>
    internal DateTime? DueTime { get; private init; }

    internal string MessageId { get; }

    /// <summary>Gets whether the sender set the id; a generated id is always unique.</summary>
    internal bool HasOwnId { get; }

    internal string? ContentType { get; }

    internal string? Label { get; }

    internal string? CorrelationId { get; }

    internal string? ResponseQueue { get; }

    internal string? Headers { get; }

    internal string? HeaderTypes { get; }

    internal AcknowledgeTypes AcknowledgeTypes { get; private init; }

    internal string? AdministrationQueue { get; private init; }

    /// <summary>Gets the content of an acknowledgement message as JSON; null for other messages.</summary>
    internal string? Acknowledgment { get; }

    /// <summary>Gets the journal that receives a copy when the message is sent.</summary>
    internal string? SourceJournalQueue { get; private init; }

    /// <summary>Gets whether the row uses columns that most messages leave null.</summary>
    internal bool HasExtras => AdministrationQueue is not null || Acknowledgment is not null;

    /// <summary>Gets whether sending or receiving this message adds messages to other queues.</summary>
    internal bool HasRequests => AcknowledgeTypes != AcknowledgeTypes.None || SourceJournalQueue is not null;

    /// <summary>Creates the copy for a journal.</summary>
    internal Outgoing ForJournal() => this with
    {
        TimeToLive = null,
        DueTime = null,
        AcknowledgeTypes = AcknowledgeTypes.None,
        AdministrationQueue = null,
        SourceJournalQueue = null,
    };

    /// <summary>Creates the message for a subscription: the topic makes the single copy for the journal.</summary>
    internal Outgoing WithoutJournal() => SourceJournalQueue is null ? this : this with { SourceJournalQueue = null };

    /// <summary>Checks the length of an indexed string: PostgreSQL's index entries have at most 2,704 bytes.</summary>
    private static void ThrowIfTooLongForIndex(string? text, string name)
    {
        if (text is not null && text.Length > MaxKeyByteCount / 3 && Encoding.UTF8.GetByteCount(text) is > MaxKeyByteCount and var byteCount)
            throw new ArgumentException(
                $"The message's {name} has {byteCount} bytes of UTF-8; queues in PostgreSQL take {MaxKeyByteCount}, since it is in an index.",
                    nameof(text));
    }

    internal static void ThrowIfNoText(string? text, string name)
    {
        QueueStrings.ThrowIfMalformed(text, name);
        if (text is not null && text.Contains('\0', StringComparison.Ordinal))
            throw new ArgumentException($"The message's {name} contains a zero character, which strings in PostgreSQL cannot have.", nameof(text));
    }
}

/// <summary>The reason, description and source of a dead letter.</summary>
internal sealed record DeadLetterMark(string Reason, string? Description, string Source);

/// <summary>Creates the statements that insert messages.</summary>
internal static class MessageRows
{
    /// <summary>Creates the statement that inserts messages into a queue: a single row by values, several as arrays.</summary>
    internal static NpgsqlBatchCommand InsertInto(this Statements statements, int queueId, bool isRecoverable, IReadOnlyList<Outgoing> messages)
    {
        bool haveExtras = messages.Any(static message => message.HasExtras);
        if (messages.Count == 1 && !haveExtras)
        {
            Outgoing message = messages[0];
            return new NpgsqlBatchCommand(statements.InsertOne.For(isRecoverable))
            {
                Parameters =
                {
                    new NpgsqlParameter<int> { TypedValue = queueId },
                    new NpgsqlParameter<short> { TypedValue = message.Priority },
                    new NpgsqlParameter<int> { TypedValue = message.BodyType },
                    Value(message.TimeToLive, NpgsqlDbType.Interval),
                    Value(message.MessageId, NpgsqlDbType.Text),
                    Value(message.ContentType, NpgsqlDbType.Text),
                    Value(message.Label, NpgsqlDbType.Text),
                    Value(message.CorrelationId, NpgsqlDbType.Text),
                    Value(message.ResponseQueue, NpgsqlDbType.Text),
                    Value(message.Headers, NpgsqlDbType.Jsonb),
                    Value(message.HeaderTypes, NpgsqlDbType.Jsonb),
                    new NpgsqlParameter<ReadOnlyMemory<byte>> { TypedValue = message.Body, NpgsqlDbType = NpgsqlDbType.Bytea },
                    Value(message.DueTime, NpgsqlDbType.TimestampTz),
                },
            };
        }

        var command = new NpgsqlBatchCommand((haveExtras ? statements.InsertWithAcknowledgments : statements.InsertMany).For(isRecoverable))
        {
            Parameters =
            {
                new NpgsqlParameter<int> { TypedValue = queueId },
                Column(messages, static message => message.Priority, NpgsqlDbType.Smallint),
                Column(messages, static message => message.BodyType, NpgsqlDbType.Integer),
                Column(messages, static message => message.TimeToLive, NpgsqlDbType.Interval),
                Column(messages, static message => message.MessageId, NpgsqlDbType.Text),
                Column(messages, static message => message.ContentType, NpgsqlDbType.Text),
                Column(messages, static message => message.Label, NpgsqlDbType.Text),
                Column(messages, static message => message.CorrelationId, NpgsqlDbType.Text),
                Column(messages, static message => message.ResponseQueue, NpgsqlDbType.Text),
                Column(messages, static message => message.Headers, NpgsqlDbType.Jsonb),
                Column(messages, static message => message.HeaderTypes, NpgsqlDbType.Jsonb),
                Column(messages, static message => message.Body, NpgsqlDbType.Bytea),
                Column(messages, static message => message.DueTime, NpgsqlDbType.TimestampTz),
            },
        };
        if (haveExtras)
        {
            command.Parameters.Add(Column(messages, static message => message.AdministrationQueue is null ? null : (int?)message.AcknowledgeTypes,
                NpgsqlDbType.Integer));
            command.Parameters.Add(Column(messages, static message => message.AdministrationQueue, NpgsqlDbType.Text));
            command.Parameters.Add(Column(messages, static message => message.Acknowledgment, NpgsqlDbType.Jsonb));
        }

        return command;
    }

    /// <summary>Creates the statement that inserts received messages into a queue, as dead letters if they are marked as such.</summary>
    internal static NpgsqlBatchCommand InsertReceivedInto(this Statements statements, int queueId, IReadOnlyList<PostgreSqlMessage> messages,
        DeadLetterMark? mark) => new(statements.InsertReceivedInto)
    {
        Parameters =
        {
            Column(messages, static message => message.Id, NpgsqlDbType.Bigint),
            Column(messages, static _ => 0, NpgsqlDbType.Integer),
            Column(messages, _ => mark?.Reason, NpgsqlDbType.Text),
            Column(messages, _ => mark?.Description, NpgsqlDbType.Text),
            Column(messages, _ => mark?.Source, NpgsqlDbType.Text),
            Column(messages, _ => queueId, NpgsqlDbType.Integer),
            Column(messages, static message => message.IsRecoverable, NpgsqlDbType.Boolean),
            Column(messages, static message => message.Unreadable?.Priority ?? (short)message.Priority, NpgsqlDbType.Smallint),
            Column(messages, static message => message.Body.BodyType, NpgsqlDbType.Integer),
            Column(messages, static message => message.SentTime!.Value.UtcDateTime, NpgsqlDbType.TimestampTz),
            Column(messages, static _ => (DateTime?)null, NpgsqlDbType.TimestampTz),
            Column(messages, static message => message.MessageId, NpgsqlDbType.Text),
            Column(messages, static message => message.Body.ContentType, NpgsqlDbType.Text),
            Column(messages, static message => message.Label, NpgsqlDbType.Text),
            Column(messages, static message => message.CorrelationId, NpgsqlDbType.Text),
            Column(messages, static message => message.ResponseQueue, NpgsqlDbType.Text),
            Column(messages, static message => message.Unreadable is { } row ? row.Headers : message.HasHeaders
                ? HeaderJson.Write(message.Headers).Headers : null, NpgsqlDbType.Jsonb),
            Column(messages, static message => message.Unreadable is { } row ? row.HeaderTypes : message.HasHeaders
                ? HeaderJson.Write(message.Headers).Types : null, NpgsqlDbType.Jsonb),
            Column(messages, static message => message.Body.Bytes.First, NpgsqlDbType.Bytea),
            Column(messages, static message => message.Unreadable is { } row ? row.Acknowledgment : message.Acknowledgment is null
                ? null
                : AcknowledgmentJson.Write(message.Acknowledgment), NpgsqlDbType.Jsonb),
        },
    };

    /// <summary>Creates the statement that notifies the receivers of queues, by name.</summary>
    internal static NpgsqlBatchCommand NotifyOf(this Statements statements, string[] queueNames) =>
        new(statements.NotifyByName) { Parameters = { new NpgsqlParameter<string[]> { TypedValue = queueNames } } };

    /// <summary>Creates the statement that notifies the receivers of queues.</summary>
    internal static NpgsqlBatchCommand NotifyOf(this Statements statements, int[] queueIds) => queueIds.Length == 1
        ? new(statements.NotifyOne) { Parameters = { new NpgsqlParameter<int> { TypedValue = queueIds[0] } } }
        : new(statements.Notify) { Parameters = { new NpgsqlParameter<int[]> { TypedValue = queueIds } } };

    internal static QueueException QueueDeleted(string address) =>
        new($"Could not send the message: '{address}' was deleted.") { Code = QueueErrorCode.QueueDeleted };

    private static NpgsqlParameter Value(object? value, NpgsqlDbType type) => new() { Value = value ?? DBNull.Value, NpgsqlDbType = type };

    private static NpgsqlParameter<TColumn[]> Column<TItem, TColumn>(IReadOnlyList<TItem> items, Func<TItem, TColumn> select, NpgsqlDbType type)
    {
        var values = new TColumn[items.Count];
        for (int i = 0; i < values.Length; i++)
            values[i] = select(items[i]);
        return new NpgsqlParameter<TColumn[]> { TypedValue = values, NpgsqlDbType = NpgsqlDbType.Array | type };
    }
}
