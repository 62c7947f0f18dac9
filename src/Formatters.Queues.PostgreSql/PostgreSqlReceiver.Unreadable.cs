using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <content>Handles unreadable rows: each is moved to the dead-letter queue, and the other fetched messages are delivered.</content>
internal sealed partial class PostgreSqlReceiver
{
    /// <summary>
    /// Removes the unreadable messages from a list: they go to the dead-letter queue or, if there is none, stay locked until this handle is closed.
    /// </summary>
    private async Task RemoveUnreadableAsync(PostgreSqlSession session, List<PostgreSqlMessage> messages)
    {
        List<PostgreSqlMessage> unreadable = messages.FindAll(static message => message.IsUndeliverable);
        if (unreadable.Count == 0)
            return;
        messages.RemoveAll(static message => message.IsUndeliverable);
        foreach (PostgreSqlMessage message in unreadable)
        {
            string problem = message.Unreadable!.Problem;
            if (_target.DeadLetterId is { } deadLetterId)
            {
                NpgsqlBatchCommand move = _locks
                    ? DeadLetterCommand([message], DeadLetterReasons.UnreadableProperties, problem)
                    : _database.Statements.InsertReceivedInto(
                        deadLetterId, [message], new DeadLetterMark(DeadLetterReasons.UnreadableProperties, problem, _queueName));
                await RunAsync("dead-letter a message", IsDurable, move, deadLetterId).ConfigureAwait(false);
                continue;
            }

            if (!_locks)
                await PutBackAsync(session, message).ConfigureAwait(false);
            var error = new UnreadableMessageException(
                $"Message '{message.MessageId}' of '{_address}', row {message.Id} of the table, cannot be read, and stays in the queue, locked until "
                + $"this handle is closed. {problem} "
                + $"Correct or delete the row, or open the queue with a {nameof(QueueOptions.DeadLetterQueue)}, to which such messages go.");
            _waiting.AddUnreadable(error);
        }
    }

    /// <summary>Inserts a message that was deleted on receipt again, locked.</summary>
    private Task<int> PutBackAsync(PostgreSqlSession session, PostgreSqlMessage message) => _database.RunAsync(
        new Work("put a message back", _address, _options.OperationTimeout) { ChangesSomething = true },
        IsDurable,
        async (connection, token) =>
        {
            await using var batch = new NpgsqlBatch(connection)
            {
                BatchCommands =
                {
                    _database.Statements.InsertReceivedInto(_target.Id, [message], null),
                    new(_database.Statements.Hold) { Parameters = { new() { Value = _target.Id }, new() { Value = message.Id },
                        new() { Value = session.Id } } },
                },
            };
            return await batch.ExecuteNonQueryAsync(token).ConfigureAwait(false);
        },
        System.Threading.CancellationToken.None);

    /// <summary>The error for a message that cannot be read.</summary>
    private sealed class UnreadableMessageException(string message) : QueueException(message);
}
