using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;
using NpgsqlTypes;

namespace Formatters.Queues.PostgreSql;

/// <summary>The ids sent to a queue within the duplicate detection window.</summary>
/// <remarks>An id that another transaction has inserted but not committed is waited for: it is a duplicate if that transaction commits.</remarks>
internal sealed class SentIds
{
    private static readonly TimeSpan LongestInterval = TimeSpan.FromSeconds(30);

    private readonly Database _database;
    private readonly int _queueId;
    private readonly string _address;
    private readonly TimeSpan _window;

    private SentIds(Database database, int queueId, string address, TimeSpan window)
    {
        _database = database;
        _queueId = queueId;
        _address = address;
        _window = window;
    }

    internal string Address => _address;

    /// <summary>Creates the duplicate detection that a handle's options request; null if they do not.</summary>
    internal static SentIds? Of(Database database, int queueId, string address, QueueOptions options) =>
        options.DuplicateWindow is { } window ? new SentIds(database, queueId, address, window) : null;

    /// <summary>Inserts the ids of messages in a transaction, as sent now, and finds those that were sent before.</summary>
    internal async Task<IdCheck> CheckAsync(NpgsqlTransaction transaction, IReadOnlyList<Outgoing> messages, CancellationToken cancellationToken)
    {
        string[] ids = [.. messages.Where(static message => message.HasOwnId).Select(static message => message.MessageId)
            .Distinct(StringComparer.Ordinal)];
        var free = new HashSet<string>(StringComparer.Ordinal);
        if (ids.Length > 0)
        {
            await using var batch = new NpgsqlBatch(transaction.Connection, transaction)
            {
                BatchCommands =
                {
                    new(_database.Statements.NoteIds)
                    {
                        Parameters = { new() { Value = _queueId }, new() { Value = ids, NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Text },
                            new() { Value = _window } },
                    },
                },
            };
            if (_database.IsTimeToForgetIds(_queueId, _window < LongestInterval ? _window : LongestInterval))
                batch.BatchCommands.Add(new(_database.Statements.ForgetOldIds) { Parameters = { new() { Value = _queueId } } });

            await using NpgsqlDataReader reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                free.Add(reader.GetString(0));
            while (await reader.NextResultAsync(cancellationToken).ConfigureAwait(false))
            {
            }
        }

        return new IdCheck(this, transaction, free);
    }

    internal async Task ForgetAsync(NpgsqlTransaction transaction, string[] ids, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand(_database.Statements.ForgetIds, transaction.Connection, transaction)
        {
            Parameters = { new() { Value = _queueId }, new() { Value = ids, NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Text } },
        };
        await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
    }
}

/// <summary>The ids that may be sent in a transaction, each once.</summary>
internal sealed class IdCheck(SentIds ids, NpgsqlTransaction transaction, HashSet<string> free)
{
    /// <summary>Claims the ids of messages that are sent together, or returns the error if some were sent before.</summary>
    internal DuplicateMessageException? Refuse(IReadOnlyList<Outgoing> messages)
    {
        var taken = new List<string>();
        var duplicates = new List<string>();
        foreach (Outgoing message in messages)
        {
            if (!message.HasOwnId)
                continue;
            if (free.Remove(message.MessageId))
                taken.Add(message.MessageId);
            else if (!duplicates.Contains(message.MessageId, StringComparer.Ordinal))
                duplicates.Add(message.MessageId);
        }

        if (duplicates.Count == 0)
            return null;
        // None of them is sent, so the claimed ids are available again.
        free.UnionWith(taken);
        return new DuplicateMessageException(
            $"'{ids.Address}' has been sent "
            + $"{(duplicates.Count == 1 ? $"a message with the id '{duplicates[0]}'" : $"messages with {duplicates.Count} of the ids")} within the "
            + "duplicate window "
            + $"({nameof(QueueOptions.DuplicateWindow)}): nothing was sent.",
            duplicates);
    }

    /// <summary>Releases the ids of messages that are not sent after all.</summary>
    internal void GiveBack(IReadOnlyList<Outgoing> messages)
    {
        foreach (Outgoing message in messages)
        {
            if (message.HasOwnId)
                free.Add(message.MessageId);
        }
    }

    /// <summary>Deletes the inserted ids of messages that are not sent.</summary>
    internal Task DeleteFreeAsync(CancellationToken cancellationToken) =>
        free.Count > 0 ? ids.ForgetAsync(transaction, [.. free], cancellationToken) : Task.CompletedTask;
}
