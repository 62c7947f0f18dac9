using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Npgsql;
using NpgsqlTypes;

namespace Formatters.Queues.PostgreSql;

/// <summary>A message on its way into a queue: its properties as they are now, its body not copied.</summary>
internal sealed record Outgoing
{
    private const int MaxKeyByteCount = 2_600;

    /// <summary>A message whose body is read while the send is under way.</summary>
    internal static Outgoing Of(QueueMessage message) => new(message, message.Body.Bytes.IsSingleSegment ? message.Body.Bytes.First : message.Body.ToArray());

    internal Outgoing(QueueMessage message, ReadOnlyMemory<byte> body, string? messageId = null)
    {
        Body = body;
        BodyType = message.Body.BodyType;
        Priority = (short)message.Priority;
        TimeToLive = message.TimeToLive;
        DueTime = message.DueTime?.UtcDateTime;
        // It would expire after the last time that there is.
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
        // An acknowledgement has the message's id as its correlation id.
        ThrowIfNoKey(MessageId, nameof(MessageId));
        ThrowIfNoKey(CorrelationId, nameof(CorrelationId));
        ThrowIfNoKey(AdministrationQueue, nameof(AdministrationQueue));
        ThrowIfNoKey(SourceJournalQueue, nameof(SourceJournalQueue));
    }

    internal ReadOnlyMemory<byte> Body { get; }

    internal int BodyType { get; }

    internal short Priority { get; }

    internal TimeSpan? TimeToLive { get; private init; }

    /// <summary>When it is to come, or null for now.</summary>
    internal DateTime? DueTime { get; private init; }

    internal string MessageId { get; }

    /// <summary>Whether the sender gave the id: one that was made up is nobody else's.</summary>
    internal bool HasOwnId { get; }

    internal string? ContentType { get; }

    internal string? Label { get; }

    internal string? CorrelationId { get; }

    internal string? ResponseQueue { get; }

    internal string? Headers { get; }

    internal string? HeaderTypes { get; }

    internal AcknowledgeTypes AcknowledgeTypes { get; private init; }

    internal string? AdministrationQueue { get; private init; }

    /// <summary>What the message acknowledges, as JSON, if it is an acknowledgement.</summary>
    internal string? Acknowledgment { get; }

    /// <summary>The journal that gets a copy with the send.</summary>
    internal string? SourceJournalQueue { get; private init; }

    /// <summary>Whether its row has more than those of most messages.</summary>
    internal bool HasExtras => AdministrationQueue is not null || Acknowledgment is not null;

    /// <summary>Whether something comes into other queues with it.</summary>
    internal bool AsksForMore => AcknowledgeTypes != AcknowledgeTypes.None || SourceJournalQueue is not null;

    /// <summary>The copy for a journal.</summary>
    internal Outgoing ForJournal() => this with
    {
        TimeToLive = null,
        DueTime = null,
        AcknowledgeTypes = AcknowledgeTypes.None,
        AdministrationQueue = null,
        SourceJournalQueue = null,
    };

    /// <summary>The message for a subscription: the topic makes one copy for the journal.</summary>
    internal Outgoing WithoutJournal() => SourceJournalQueue is null ? this : this with { SourceJournalQueue = null };

    /// <summary>Checks a string that is in an index of the tables, whose entries have at most 2,704 bytes.</summary>
    private static void ThrowIfNoKey(string? text, string name)
    {
        if (text is not null && text.Length > MaxKeyByteCount / 3 && Encoding.UTF8.GetByteCount(text) is > MaxKeyByteCount and var byteCount)
            throw new ArgumentException($"The message's {name} has {byteCount} bytes of UTF-8; queues in PostgreSQL take {MaxKeyByteCount}, since it is in an index.", nameof(text));
    }

    internal static void ThrowIfNoText(string? text, string name)
    {
        QueueTexts.ThrowIfMalformed(text, name);
        if (text is not null && text.Contains('\0', StringComparison.Ordinal))
            throw new ArgumentException($"The message's {name} contains a zero character, which strings in PostgreSQL cannot have.", nameof(text));
    }
}

/// <summary>What a dead letter says of itself.</summary>
internal sealed record DeadLetterMark(string Reason, string? Description, string Source);

/// <summary>Makes the statements that insert messages.</summary>
internal static class MessageRows
{
    /// <summary>Adds the statement that inserts messages into a queue: one row by its values, several as arrays.</summary>
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

        var command = new NpgsqlBatchCommand((haveExtras ? statements.InsertAsking : statements.InsertMany).For(isRecoverable))
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
            command.Parameters.Add(Column(messages, static message => message.AdministrationQueue is null ? null : (int?)message.AcknowledgeTypes, NpgsqlDbType.Integer));
            command.Parameters.Add(Column(messages, static message => message.AdministrationQueue, NpgsqlDbType.Text));
            command.Parameters.Add(Column(messages, static message => message.Acknowledgment, NpgsqlDbType.Jsonb));
        }

        return command;
    }

    /// <summary>The statement that puts messages that were taken out into a queue: as dead letters, if they are marked as such.</summary>
    internal static NpgsqlBatchCommand Bury(this Statements statements, int queueId, IReadOnlyList<PostgreSqlMessage> messages, DeadLetterMark? mark) => new(statements.Bury)
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
            Column(messages, static message => message.Unreadable is { } row ? row.Headers : message.HasHeaders ? HeaderJson.Write(message.Headers).Headers : null, NpgsqlDbType.Jsonb),
            Column(messages, static message => message.Unreadable is { } row ? row.HeaderTypes : message.HasHeaders ? HeaderJson.Write(message.Headers).Types : null, NpgsqlDbType.Jsonb),
            Column(messages, static message => message.Body.Bytes.First, NpgsqlDbType.Bytea),
            Column(messages, static message => message.Unreadable is { } row ? row.Acknowledgment : message.Acknowledgment is null ? null : AcknowledgmentJson.Write(message.Acknowledgment), NpgsqlDbType.Jsonb),
        },
    };

    /// <summary>The statement that wakes the receivers that wait at queues, by their names.</summary>
    internal static NpgsqlBatchCommand NotifyOf(this Statements statements, string[] queueNames) =>
        new(statements.NotifyByName) { Parameters = { new NpgsqlParameter<string[]> { TypedValue = queueNames } } };

    /// <summary>The statement that wakes the receivers that wait at queues.</summary>
    internal static NpgsqlBatchCommand NotifyOf(this Statements statements, int[] queueIds) => queueIds.Length == 1
        ? new(statements.NotifyOne) { Parameters = { new NpgsqlParameter<int> { TypedValue = queueIds[0] } } }
        : new(statements.Notify) { Parameters = { new NpgsqlParameter<int[]> { TypedValue = queueIds } } };

    internal static QueueException QueueDeleted(string address) => new($"Could not send the message: '{address}' was deleted.");

    private static NpgsqlParameter Value(object? value, NpgsqlDbType type) => new() { Value = value ?? DBNull.Value, NpgsqlDbType = type };

    private static NpgsqlParameter<TColumn[]> Column<TItem, TColumn>(IReadOnlyList<TItem> items, Func<TItem, TColumn> select, NpgsqlDbType type)
    {
        var values = new TColumn[items.Count];
        for (int i = 0; i < values.Length; i++)
            values[i] = select(items[i]);
        return new NpgsqlParameter<TColumn[]> { TypedValue = values, NpgsqlDbType = NpgsqlDbType.Array | type };
    }
}
