using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;
using NpgsqlTypes;

namespace Formatters.Queues.PostgreSql;

/// <summary>
/// The content of an acknowledgement message as <c>jsonb</c>: an array of the class, the queue's name, the reason and the description.
/// </summary>
internal static class AcknowledgmentJson
{
    internal static string Write(MessageAcknowledgment acknowledgment) =>
        JsonSerializer.Serialize<object?[]>([(int)acknowledgment.Class, acknowledgment.QueueName, acknowledgment.Reason, acknowledgment.Description]);

    internal static MessageAcknowledgment Read(string text)
    {
        using var json = JsonDocument.Parse(text);
        JsonElement array = json.RootElement;
        return new MessageAcknowledgment
        {
            Class = (AcknowledgmentClass)array[0].GetInt32(),
            QueueName = array[1].GetString() ?? "",
            Reason = array[2].GetString(),
            Description = array[3].GetString(),
        };
    }
}

/// <summary>Statements for what messages request besides delivery: acknowledgements and copies for a journal.</summary>
internal static class Acknowledgments
{
    /// <summary>Finds the queues that messages name, and creates those that do not exist.</summary>
    /// <returns>Their numbers by their names; null if none is named.</returns>
    internal static async Task<Dictionary<string, int>?> OpenQueuesOfAsync(
        this Database database, NpgsqlConnection connection, IEnumerable<Outgoing> messages, CancellationToken cancellationToken)
    {
        Dictionary<string, int>? queues = null;
        foreach (Outgoing message in messages)
        {
            if (message.AcknowledgeTypes != AcknowledgeTypes.None)
                await AddAsync(message.AdministrationQueue!).ConfigureAwait(false);
            if (message.SourceJournalQueue is not null)
                await AddAsync(message.SourceJournalQueue).ConfigureAwait(false);
        }

        return queues;

        async Task AddAsync(string name)
        {
            queues ??= new Dictionary<string, int>(StringComparer.Ordinal);
            if (!queues.ContainsKey(name))
                queues.Add(name, await database.OpenQueueAsync(connection, name, cancellationToken).ConfigureAwait(false));
        }
    }

    /// <summary>Creates the statements that copy messages into the journals they name, with the ids of these queues.</summary>
    internal static IEnumerable<(NpgsqlBatchCommand Command, int QueueId)> CopyToJournals(
        this Statements statements, Dictionary<string, int>? queues, bool isRecoverable, IEnumerable<Outgoing> messages)
    {
        if (queues is null)
            yield break;
        foreach (IGrouping<string, Outgoing> journal in messages.Where(static message => message.SourceJournalQueue is not null)
            .GroupBy(static message => message.SourceJournalQueue!))
        {
            int id = queues[journal.Key];
            yield return (statements.InsertInto(id, isRecoverable, [.. journal.Select(static message => message.ForJournal())]), id);
        }
    }

    /// <summary>Creates the statement that acknowledges messages whose own statement does not do it; null if none requests it.</summary>
    internal static NpgsqlBatchCommand? Acknowledge(
        this Statements statements, AcknowledgmentClass acknowledgment, string queueName, bool isRecoverable,
            IEnumerable<AcknowledgmentSource> messages, string? reason = null, string? description = null)
    {
        AcknowledgeTypes type = TypeOf(acknowledgment);
        AcknowledgmentSource[] asking = [.. messages.Where(message => (message.Types & type) != 0 && message.AdministrationQueue is not null)];
        if (asking.Length == 0)
            return null;
        string json = AcknowledgmentJson.Write(new MessageAcknowledgment { Class = acknowledgment, QueueName = queueName, Reason = reason,
            Description = description });
        return new NpgsqlBatchCommand(statements.InsertAcknowledgments)
        {
            Parameters =
            {
                new NpgsqlParameter<bool> { TypedValue = isRecoverable },
                new() { Value = json, NpgsqlDbType = NpgsqlDbType.Jsonb },
                new NpgsqlParameter<string[]> { TypedValue = [.. asking.Select(static message => message.AdministrationQueue!)] },
                new NpgsqlParameter<short[]> { TypedValue = [.. asking.Select(static message => message.Priority)] },
                new() { Value = asking.Select(static message => message.Label).ToArray(), NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Text },
                new() { Value = asking.Select(static message => message.MessageId).ToArray(), NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Text },
            },
        };
    }

    /// <summary>Returns the <see cref="AcknowledgeTypes"/> flag that requests an acknowledgement of a class.</summary>
    internal static AcknowledgeTypes TypeOf(AcknowledgmentClass acknowledgment) => acknowledgment switch
    {
        AcknowledgmentClass.ReachQueue => AcknowledgeTypes.PositiveArrival,
        AcknowledgmentClass.Receive => AcknowledgeTypes.PositiveReceive,
        AcknowledgmentClass.QueueExceedMaximumSize => AcknowledgeTypes.NotAcknowledgeReachQueue,
        _ => AcknowledgeTypes.NegativeReceive,
    };

    internal static AcknowledgmentSource AskingOf(Outgoing message) =>
        new(message.AcknowledgeTypes, message.AdministrationQueue, message.Priority, message.Label, message.MessageId);

    internal static AcknowledgmentSource AskingOf(PostgreSqlMessage message) =>
        new(message.AcknowledgeTypes, message.AdministrationQueue, (short)message.Priority, message.Label, message.MessageId);

    /// <summary>Returns the administration queues that messages name, whose receivers are then notified.</summary>
    internal static string[] AdministrationQueuesOf(IEnumerable<PostgreSqlMessage> messages) =>
        [.. messages.Where(static message => message.AcknowledgeTypes != AcknowledgeTypes.None).Select(static message => message.AdministrationQueue!)
            .Distinct(StringComparer.Ordinal)];
}

/// <summary>The columns of a message that its acknowledgement needs.</summary>
internal readonly record struct AcknowledgmentSource(AcknowledgeTypes Types, string? AdministrationQueue, short Priority, string? Label,
    string? MessageId);
