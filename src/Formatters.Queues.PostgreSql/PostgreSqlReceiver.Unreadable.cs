using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <content>Rows that cannot be read: each is set aside by itself, and what was fetched with it is delivered.</content>
internal sealed partial class PostgreSqlReceiver
{
    /// <summary>The errors that the next receives without a message report. Guarded by _gate.</summary>
    private readonly Queue<UnreadableMessageException> _unreadable = new();

    /// <summary>Takes the messages that cannot be read out of a list: into the dead-letter queue or, if there is none, locked until this handle is
    /// closed.</summary>
    private async Task SetUnreadableAsideAsync(PostgreSqlSession session, List<PostgreSqlMessage> messages)
    {
        List<PostgreSqlMessage> unreadable = messages.FindAll(static message => message.IsToBeSetAside);
        if (unreadable.Count == 0)
            return;
        messages.RemoveAll(static message => message.IsToBeSetAside);
        foreach (PostgreSqlMessage message in unreadable)
        {
            string problem = message.Unreadable!.Problem;
            if (_target.DeadLetterId is { } deadLetterId)
            {
                NpgsqlBatchCommand move = _locks
                    ? DeadLetterCommand([message], DeadLetterReasons.UnreadableProperties, problem)
                    : _database.Statements.Bury(deadLetterId, [message], new DeadLetterMark(DeadLetterReasons.UnreadableProperties, problem, _queueName));
                await RunAsync("dead-letter a message", IsDurable, move, deadLetterId).ConfigureAwait(false);
                continue;
            }

            if (!_locks)
                await PutBackAsync(session, message).ConfigureAwait(false);
            var error = new UnreadableMessageException(
                $"Message '{message.MessageId}' of '{_address}', row {message.Id} of the table, cannot be read, and stays in the queue, locked until this handle is closed. {problem} "
                + $"Correct or delete the row, or open the queue with a {nameof(QueueOptions.DeadLetterQueue)}, to which such messages go.");
            lock (_gate)
                _unreadable.Enqueue(error);
        }
    }

    /// <summary>Puts a message that was taken out for good back, locked.</summary>
    private Task<int> PutBackAsync(PostgreSqlSession session, PostgreSqlMessage message) => _database.RunAsync(
        new Work("put a message back", _address, _options.OperationTimeout) { ChangesSomething = true },
        IsDurable,
        async (connection, token) =>
        {
            await using var batch = new NpgsqlBatch(connection)
            {
                BatchCommands =
                {
                    _database.Statements.Bury(_target.Id, [message], null),
                    new(_database.Statements.Hold) { Parameters = { new() { Value = _target.Id }, new() { Value = message.Id }, new() { Value = session.Id } } },
                },
            };
            return await batch.ExecuteNonQueryAsync(token).ConfigureAwait(false);
        },
        System.Threading.CancellationToken.None);

    /// <summary>Lets those who wait although there was no message for them report what could not be read: each message once. With the gate
    /// held.</summary>
    private void TellOfUnreadable()
    {
        for (LinkedListNode<Waiter>? node = _waiters.First; node is not null && _unreadable.Count > 0;)
        {
            LinkedListNode<Waiter>? following = node.Next;
            if (node.Value.TrySetException(_unreadable.Peek()))
            {
                _unreadable.Dequeue();
                _waiters.Remove(node);
            }

            node = following;
        }
    }

    /// <summary>A message cannot be read.</summary>
    private sealed class UnreadableMessageException(string message) : QueueException(message);
}
