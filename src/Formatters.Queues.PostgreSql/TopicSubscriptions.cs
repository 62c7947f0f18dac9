using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;
using NpgsqlTypes;

namespace Formatters.Queues.PostgreSql;

/// <summary>A subscription of a topic.</summary>
/// <param name="QueueId">The queue that collects its messages.</param>
/// <param name="Selector">The selector; null for all messages.</param>
internal sealed record TopicSubscription(int QueueId, MessageSelector? Selector)
{
    /// <summary>Determines whether the subscription receives a message, given the id that the message will have.</summary>
    internal bool Selects(QueueMessage message, string messageId)
    {
        if (Selector is null || message.MessageId is not null)
            return Selector?.Matches(message) ?? true;
        var copy = new QueueMessage { MessageId = messageId, Label = message.Label, CorrelationId = message.CorrelationId,
            Priority = message.Priority };
        if (message.HasHeaders)
        {
            foreach ((string name, object value) in message.Headers)
                copy.Headers.Add(name, value);
        }

        return Selector.Matches(copy);
    }
}

/// <summary>The subscriptions of a topic as cached by a sender; reloaded when the topic's row shows a change.</summary>
internal sealed class TopicSubscriptions(Database database, int topicId)
{
    /// <summary>The interval at which a sender looks for subscriptions whose receivers have ended abruptly.</summary>
    private const long SweepIntervalMs = 10_000;

    private sealed record State(int Change, long Time, IReadOnlyList<TopicSubscription> Subscriptions);

    private volatile State? _state;

    internal async Task<IReadOnlyList<TopicSubscription>> GetAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand(database.Statements.TopicChange, connection) { Parameters = { new() { Value = topicId } } };
        int change = (int)(await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false)
            ?? throw new QueueException("The topic was deleted.") { Code = QueueErrorCode.QueueDeleted });
        if (_state is { } state && state.Change == change && Environment.TickCount64 - state.Time < SweepIntervalMs)
            return state.Subscriptions;
        await using (NpgsqlTransaction transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false))
        {
            await EndOrphansAsync(transaction, cancellationToken).ConfigureAwait(false);
            await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
        }

        await using var list = new NpgsqlCommand(database.Statements.Subscriptions, connection) { Parameters = { new() { Value = topicId } } };
        await using NpgsqlDataReader row = await list.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        var subscriptions = new List<TopicSubscription>();
        while (await row.ReadAsync(cancellationToken).ConfigureAwait(false))
            subscriptions.Add(new TopicSubscription(row.GetInt32(0), row.IsDBNull(1) ? null : MessageSelector.Parse(row.GetString(1))));
        _state = new State(change, Environment.TickCount64, subscriptions);
        return subscriptions;
    }

    /// <summary>Adds a subscription, or changes its selector and deletes the messages that the new one does not match.</summary>
    /// <returns>Its queue.</returns>
    internal async Task<int> AddAsync(NpgsqlConnection connection, string queueName, string? selector, int? sessionId,
        CancellationToken cancellationToken)
    {
        int queueId = await database.OpenQueueAsync(connection, queueName, cancellationToken).ConfigureAwait(false);
        await using NpgsqlTransaction transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
        // The lock on its row serializes changes of a topic.
        await RunAsync(database.Statements.LockTopic, new NpgsqlParameter { Value = topicId }).ConfigureAwait(false);
        await EndOrphansAsync(transaction, cancellationToken).ConfigureAwait(false);
        await using (var find = new NpgsqlCommand(database.Statements.SubscriptionSelector, connection,
            transaction) { Parameters = { new() { Value = queueId }, new() { Value = topicId } } })
        {
            object? last = await find.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false);
            if (last is not null && selector is not null && last as string != selector)
            {
                // Includes messages locked by an ended receiver.
                await RunAsync(database.Statements.ReturnOrphans, new NpgsqlParameter { Value = queueId }, database.NewLockClassParameter())
                    .ConfigureAwait(false);
                await DropUnselectedAsync(transaction, queueId, MessageSelector.Parse(selector), cancellationToken).ConfigureAwait(false);
            }
        }

        await RunAsync(
            database.Statements.Subscribe,
            new NpgsqlParameter { Value = queueId },
            new NpgsqlParameter { Value = topicId },
            new NpgsqlParameter { Value = selector ?? (object)DBNull.Value, NpgsqlDbType = NpgsqlDbType.Text },
            new NpgsqlParameter { Value = sessionId ?? (object)DBNull.Value, NpgsqlDbType = NpgsqlDbType.Integer }).ConfigureAwait(false);
        await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
        return queueId;

        async Task RunAsync(string text, params NpgsqlParameter[] parameters)
        {
            await using var command = new NpgsqlCommand(text, connection, transaction);
            command.Parameters.AddRange(parameters);
            await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Removes a subscription and its messages.</summary>
    internal async Task<bool> RemoveAsync(NpgsqlConnection connection, int queueId, CancellationToken cancellationToken)
    {
        await using NpgsqlTransaction transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
        await using var batch = new NpgsqlBatch(connection, transaction)
        {
            BatchCommands =
            {
                new(database.Statements.LockTopic) { Parameters = { new() { Value = topicId } } },
                new(database.Statements.Unsubscribe) { Parameters = { new() { Value = queueId }, new() { Value = topicId } } },
            },
        };
        await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        if (batch.BatchCommands[1].Rows == 0)
            return false;
        await DeleteQueueAsync(transaction, queueId, cancellationToken).ConfigureAwait(false);
        await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
        return true;
    }

    private static async Task<List<int>> ReadIdsAsync(NpgsqlCommand command, CancellationToken cancellationToken)
    {
        var ids = new List<int>();
        await using NpgsqlDataReader row = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        while (await row.ReadAsync(cancellationToken).ConfigureAwait(false))
            ids.Add(row.GetInt32(0));
        return ids;
    }

    /// <summary>Removes the subscriptions whose sessions have ended.</summary>
    private async Task EndOrphansAsync(NpgsqlTransaction transaction, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand(database.Statements.EndedSubscriptions, transaction.Connection, transaction)
        {
            Parameters = { new() { Value = topicId }, database.NewLockClassParameter() },
        };
        foreach (int queueId in await ReadIdsAsync(command, cancellationToken).ConfigureAwait(false))
            await DeleteQueueAsync(transaction, queueId, cancellationToken).ConfigureAwait(false);
    }

    private async Task DeleteQueueAsync(NpgsqlTransaction transaction, int queueId, CancellationToken cancellationToken)
    {
        await using (var delete = new NpgsqlCommand(
            database.Statements.DeleteQueueById, transaction.Connection, transaction) { Parameters = { new() { Value = queueId } } })
            await delete.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        await database.DropMessagesAsync(transaction, queueId, cancellationToken).ConfigureAwait(false);
    }

    private async Task DropUnselectedAsync(NpgsqlTransaction transaction, int queueId, MessageSelector selector, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand { Connection = transaction.Connection, Transaction = transaction,
            Parameters = { new() { Value = queueId } } };
        command.CommandText = database.Statements.DropUnselected(selector.ToSql(FetchStatement.Columns, value =>
        {
            command.Parameters.Add(new() { Value = value });
            return $"${command.Parameters.Count}";
        }));
        await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
    }
}
