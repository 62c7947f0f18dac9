using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;
using NpgsqlTypes;

namespace Formatters.Queues.PostgreSql;

/// <content>Settles locked messages. Only acknowledging waits for the disk: a lock restored after a server crash has no owner.</content>
internal sealed partial class PostgreSqlReceiver
{
    private readonly BatchPump<Settlement> _settles;

    private bool IsDurable => _options.DeliveryMode != DeliveryMode.Express;

    internal async ValueTask AcknowledgeAsync(PostgreSqlMessage message, CancellationToken cancellationToken)
    {
        ThrowIfGone(message);
        if (_lazy is not null)
        {
            await _lazy.AddAsync(message).ConfigureAwait(false);
            return;
        }

        if (Mode == AcknowledgeMode.Cumulative)
        {
            await AcknowledgeCumulativelyAsync(message, cancellationToken).ConfigureAwait(false);
            return;
        }

        var settlement = new Settlement(message);
        _settles.Add(settlement);
        await settlement.WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    internal async ValueTask ReturnAsync(PostgreSqlMessage message, TimeSpan delay, CancellationToken cancellationToken)
    {
        ThrowIfGone(message);
        ForgetHandedOut(message);
        if (_options.MaxDeliveryCount > 0 && message.DeliveryCount >= _options.MaxDeliveryCount)
            await DeadLetterAsync(message, DeadLetterReasons.MaxDeliveryCountExceeded, null, cancellationToken).ConfigureAwait(false);
        else if (delay > TimeSpan.Zero)
            await ReturnLaterAsync(message, delay).WaitAsync(cancellationToken).ConfigureAwait(false);
        else if (await ReturnAsync([message]).WaitAsync(cancellationToken).ConfigureAwait(false) == 0)
            throw LockGone(message);
    }

    internal async ValueTask DeadLetterAsync(PostgreSqlMessage message, string reason, string? description, CancellationToken cancellationToken)
    {
        ThrowIfGone(message);
        ForgetHandedOut(message);
        HashSet<long> moved = await RunAsync("dead-letter the message", IsDurable, DeadLetterCommand([message], reason, description),
            notifies: _target.DeadLetterId, names: Acknowledgments.AdministrationQueuesOf([message]))
            .WaitAsync(cancellationToken).ConfigureAwait(false);
        if (moved.Count == 0)
            throw LockGone(message);
    }

    internal async Task<Lease> RenewAsync(PostgreSqlMessage message, CancellationToken cancellationToken)
    {
        ThrowIfGone(message);
        Lease lease = StartLease()!;
        NpgsqlBatchCommand command = LockedCommand(_database.Statements.Renew, message.ServerSessionId!.Value, [message]);
        command.Parameters.Add(new() { Value = LeaseDuration!.Value });
        HashSet<long> renewed = await RunAsync("renew the lease", isDurable: false, command).WaitAsync(cancellationToken).ConfigureAwait(false);
        return renewed.Count > 0 ? lease : throw LockGone(message);
    }

    internal void ThrowIfNoDeadLetters()
    {
        if (_target.DeadLetterId is null)
            throw new InvalidOperationException($"'{_address}' was opened without QueueOptions.DeadLetterQueue.");
    }

    internal QueueException LockGone(PostgreSqlMessage message)
    {
        message.LostLock = true;
        return new QueueException(
            $"The lock of message '{message.MessageId}' of '{_address}' is gone: its lease has ended, the queue was closed, or the connection was "
            + "lost. It will be delivered again.");
    }

    /// <summary>Returns a message to the queue, unavailable until a delay is over. Prefetched messages are returned ahead of it.</summary>
    private async Task ReturnLaterAsync(PostgreSqlMessage message, TimeSpan delay)
    {
        NpgsqlBatchCommand command = LockedCommand(_database.Statements.ReturnLater, message.ServerSessionId!.Value, [message]);
        command.Parameters.Add(new() { Value = delay.AtMost(QueueTimes.Longest) });
        if ((await RunAsync("return the message", isDurable: false, command, notifies: _target.Id).ConfigureAwait(false)).Count == 0)
            throw LockGone(message);
    }

    /// <summary>Returns undelivered messages, and the prefetched ones, without counting a delivery.</summary>
    internal Task ReturnUnseenAsync(IReadOnlyList<PostgreSqlMessage> messages) => WithBufferAsync(
        async _ =>
        {
            foreach (IGrouping<int, PostgreSqlMessage> unseen in messages.Concat(TakeBuffer())
                .GroupBy(static message => message.ServerSessionId!.Value))
                await RunAsync("return messages", isDurable: false, LockedCommand(_database.Statements.ReturnUnseen, unseen.Key, [.. unseen]),
                    notifies: _target.Id).ConfigureAwait(false);
            return true;
        },
        CancellationToken.None);

    /// <summary>Returns messages, and the prefetched ones, so that all are redelivered in order.</summary>
    /// <returns>How many of the messages were still locked.</returns>
    internal Task<int> ReturnAsync(IReadOnlyList<PostgreSqlMessage> messages) => WithBufferAsync(
        async _ =>
        {
            int returned = 0;
            foreach (IGrouping<int, PostgreSqlMessage> unseen in TakeBuffer().GroupBy(message => message.ServerSessionId!.Value))
                await RunAsync("return messages", isDurable: false, LockedCommand(_database.Statements.ReturnUnseen, unseen.Key, [.. unseen]))
                    .ConfigureAwait(false);
            foreach (IGrouping<int, PostgreSqlMessage> session in messages.GroupBy(message => message.ServerSessionId!.Value))
            {
                NpgsqlBatchCommand command = LockedCommand(_database.Statements.Return, session.Key, [.. session]);
                returned += (await RunAsync("return the message", isDurable: false, command, notifies: _target.Id).ConfigureAwait(false)).Count;
            }

            return returned;
        },
        CancellationToken.None);

    /// <summary>Creates the statement that moves messages to the dead-letter queue.</summary>
    internal NpgsqlBatchCommand DeadLetterCommand(IReadOnlyList<PostgreSqlMessage> messages, string reason, string? description)
    {
        NpgsqlBatchCommand command = LockedCommand(_database.Statements.DeadLetter, messages[0].ServerSessionId!.Value, messages);
        command.Parameters.Add(new() { Value = _target.DeadLetterId!.Value });
        command.Parameters.Add(new() { Value = reason });
        command.Parameters.Add(new() { Value = description ?? (object)DBNull.Value, NpgsqlDbType = NpgsqlDbType.Text });
        command.Parameters.Add(new() { Value = _queueName });
        return command;
    }

    /// <summary>Creates the statement that deletes messages of one session.</summary>
    internal NpgsqlBatchCommand AcknowledgeCommand(IReadOnlyList<PostgreSqlMessage> messages)
    {
        bool copies = _target.JournalId is not null;
        Statements statements = _database.Statements;
        string text = messages.Any(static message => message.AcknowledgeTypes != AcknowledgeTypes.None)
            ? copies ? statements.AcknowledgeAndCopyAsking : statements.AcknowledgeAsking
            : copies ? statements.AcknowledgeAndCopy : statements.Acknowledge;
        NpgsqlBatchCommand command = LockedCommand(text, messages[0].ServerSessionId!.Value, messages);
        if (copies)
            command.Parameters.Add(new() { Value = _target.JournalId!.Value });
        return command;
    }

    /// <summary>Creates the statement that selects the still locked messages of one session.</summary>
    internal NpgsqlBatchCommand StillLockedCommand(IReadOnlyList<PostgreSqlMessage> messages) =>
        LockedCommand(_database.Statements.StillLocked, messages[0].ServerSessionId!.Value, messages);

    private NpgsqlBatchCommand LockedCommand(string text, int sessionId, IReadOnlyList<PostgreSqlMessage> messages) => new(text)
    {
        Parameters =
        {
            new NpgsqlParameter<int> { TypedValue = _target.Id },
            new NpgsqlParameter<int> { TypedValue = sessionId },
            new NpgsqlParameter<long[]> { TypedValue = [.. messages.Select(message => message.Id)] },
        },
    };

    private async Task AcknowledgeAsync(IReadOnlyList<Settlement> batch)
    {
        foreach (IGrouping<int, Settlement> session in batch.GroupBy(settlement => settlement.Message.ServerSessionId!.Value))
        {
            HashSet<long> gone;
            try
            {
                NpgsqlBatchCommand command = AcknowledgeCommand([.. session.Select(settlement => settlement.Message)]);
                gone = await RunAsync(
                    "acknowledge the message", IsDurable, command, _target.JournalId,
                        Acknowledgments.AdministrationQueuesOf(session.Select(static settlement => settlement.Message))).ConfigureAwait(false);
            }
            catch (QueueException e)
            {
                foreach (Settlement settlement in session)
                    settlement.Error = e;
                continue;
            }

            foreach (Settlement settlement in session)
            {
                if (!gone.Contains(settlement.Message.Id))
                    settlement.Error = LockGone(settlement.Message);
            }
        }
    }

    /// <summary>
    /// Moves messages that exceed the delivery limit to the dead-letter queue; returns the others, and deletes them if they leave the queue on
    /// receipt.
    /// </summary>
    private async Task<List<PostgreSqlMessage>> KeepDeliverableAsync(List<PostgreSqlMessage> messages)
    {
        PostgreSqlMessage[] spent = [.. messages.Where(message => message.DeliveryCount > _options.MaxDeliveryCount)];
        if (spent.Length > 0)
        {
            await RunAsync("dead-letter a message", IsDurable, DeadLetterCommand(spent, DeadLetterReasons.MaxDeliveryCountExceeded, null),
                _target.DeadLetterId, Acknowledgments.AdministrationQueuesOf(spent))
                .ConfigureAwait(false);
            messages.RemoveAll(spent.Contains);
        }

        if (!IsPeekLock && messages.Count > 0)
        {
            HashSet<long> gone = await RunAsync("receive a message", IsDurable, AcknowledgeCommand(messages), _target.JournalId,
                Acknowledgments.AdministrationQueuesOf(messages)).ConfigureAwait(false);
            messages.RemoveAll(message => !gone.Contains(message.Id));
        }

        return messages;
    }

    /// <summary>Unlocks all messages of a session that is about to end.</summary>
    private async Task GiveBackAllAsync(PostgreSqlSession session, List<PostgreSqlMessage> unseen)
    {
        var work = new Work("close the queue", _address, _options.OperationTimeout);
        await _database.RunAsync(
            work,
            isDurable: false,
            async (connection, token) =>
            {
                await using var batch = new NpgsqlBatch(connection);
                if (_locks)
                {
                    batch.BatchCommands.Add(LockedCommand(_database.Statements.ReturnUnseen, session.Id, unseen));
                    batch.BatchCommands.Add(new(_database.Statements.ReturnAll) { Parameters = { new() { Value = _target.Id },
                        new() { Value = session.Id } } });
                }

                if (session.StopWaiting() is { } stop)
                    batch.BatchCommands.Add(stop);
                batch.BatchCommands.Add(_database.Statements.NotifyOf([_target.Id]));
                return await batch.ExecuteNonQueryAsync(token).ConfigureAwait(false);
            },
            CancellationToken.None).ConfigureAwait(false);
    }

    /// <summary>Runs a statement that returns the ids of the affected messages.</summary>
    private Task<HashSet<long>> RunAsync(string what, bool isDurable, NpgsqlBatchCommand command, int? notifies = null, string[]? names = null) =>
        _database.RunAsync(
        new Work(what, _address, _options.OperationTimeout) { ChangesSomething = true },
        isDurable,
        async (connection, token) =>
        {
            await using var batch = new NpgsqlBatch(connection) { BatchCommands = { command } };
            if (notifies is { } queueId)
                batch.BatchCommands.Add(_database.Statements.NotifyOf([queueId]));
            if (names is { Length: > 0 })
                batch.BatchCommands.Add(_database.Statements.NotifyOf(names));
            var ids = new HashSet<long>();
            await using NpgsqlDataReader reader = await batch.ExecuteReaderAsync(token).ConfigureAwait(false);
            while (await reader.ReadAsync(token).ConfigureAwait(false))
                ids.Add(reader.GetInt64(0));
            while (await reader.NextResultAsync(token).ConfigureAwait(false))
            {
            }

            return ids;
        },
        CancellationToken.None);

    private void ThrowIfGone(PostgreSqlMessage message)
    {
        if (IsGone(message))
            throw LockGone(message);
    }

    private bool IsGone(PostgreSqlMessage message)
    {
        // An expired lock may belong to another receiver by now, even in the same session.
        if (message.IsLeaseOver)
            return true;
        lock (_waiting.Gate)
            return _waiting.IsClosed;
    }

    /// <summary>A message whose acknowledgement waits for the next statement.</summary>
    private sealed class Settlement(PostgreSqlMessage message) : PumpWork(0)
    {
        internal PostgreSqlMessage Message { get; } = message;
    }
}
