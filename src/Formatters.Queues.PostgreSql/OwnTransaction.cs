using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>A transaction of the library: sends and receives are collected, and written at the commit in one short database transaction.</summary>
internal class OwnTransaction(Database database) : PostgreSqlTransaction(database)
{
    private readonly List<(SendTarget Target, Outgoing Message)> _sent = [];
    private readonly Dictionary<PostgreSqlMessage, (string Reason, string? Description)> _dead = [];
    private bool _isWritten;

    internal override ValueTask SendAsync(SendTarget target, IReadOnlyList<QueueMessage> messages, string? messageId,
        CancellationToken cancellationToken)
    {
        // Copied, because the sender may reuse its buffer after this call.
        Outgoing[] outgoing = [.. messages.Select(message => target.Of(new Outgoing(message, message.Body.ToArray(), messageId)))];
        Gate.Wait(cancellationToken);
        try
        {
            ThrowIfEnded();
            ThrowIfWritten();
            foreach (Outgoing one in outgoing)
                _sent.Add((target, one));
        }
        finally
        {
            Gate.Release();
        }

        return default;
    }

    internal override ValueTask DeadLetterAsync(PostgreSqlMessage message, string reason, string? description, CancellationToken cancellationToken)
    {
        Gate.Wait(cancellationToken);
        try
        {
            ThrowIfEnded();
            ThrowIfWritten();
            _dead[message] = (reason, description);
        }
        finally
        {
            Gate.Release();
        }

        return default;
    }

    private protected override Task<IReadOnlyList<PostgreSqlMessage>> TakeAsync(IReadOnlyList<PostgreSqlMessage> messages)
    {
        ThrowIfWritten();
        return Task.FromResult(messages);
    }

    private protected override Task UndoAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    private protected override async Task DoAsync(CancellationToken cancellationToken)
    {
        if (_sent.Count == 0 && Received.Count == 0)
            return;
        PostgreSqlReceiver? receiver = Received.Count > 0 ? Received[0].Receiver : null;
        (string address, TimeSpan timeout) = _sent.Count > 0
            ? (_sent[0].Target.Address, _sent[0].Target.Options.OperationTimeout)
            : (receiver!.Address, receiver.OperationTimeout);
        var work = new Work("commit the transaction", address, timeout);
        await Database.RunAsync(
            work,
            isDurable: true,
            async (connection, token) =>
            {
                NpgsqlTransaction transaction = await connection.BeginTransactionAsync(token).ConfigureAwait(false);
                await using (transaction.ConfigureAwait(false))
                {
                    await WriteAsync(transaction, wakeLater: null, end: null, token).ConfigureAwait(false);
                    work.ChangesSomething = true;
                    await transaction.CommitAsync(token).ConfigureAwait(false);
                }

                return true;
            },
            cancellationToken).ConfigureAwait(false);
    }

    // Anything collected after the write would be lost.
    private void ThrowIfWritten()
    {
        if (_isWritten)
        {
            throw new InvalidOperationException(
                "The transaction was given to the application by another thread at the same moment. Use it in one thread at a time.");
        }
    }

    /// <summary>Writes all that was collected, and checks the result. Nothing can be collected afterwards.</summary>
    /// <param name="transaction">The transaction of the database.</param>
    /// <param name="wakeLater">Is given the statements that wake receivers, if they are not to be done in the transaction.</param>
    /// <param name="end">The final statement, in the same round trip, or null. It may have been executed even if this method throws.</param>
    /// <param name="cancellationToken">Ends it.</param>
    private protected async Task WriteAsync(
        NpgsqlTransaction transaction, List<NpgsqlBatchCommand>? wakeLater, string? end, CancellationToken cancellationToken)
    {
        await using var batch = new NpgsqlBatch(transaction.Connection, transaction);
        var checks = new List<(int? Count, Func<Exception> Error)>();
        var changed = new HashSet<int>();
        foreach (IGrouping<SendTarget, Outgoing> queue in _sent.GroupBy(send => send.Target, send => send.Message))
        {
            Outgoing[] messages = [.. queue];
            SendTarget target = queue.Key;
            if (!target.IsOptional && QueueLimits.Of(target.QueueId, target.Address, target.Options) is { } limits)
            {
                await limits.MeasureAsync(Database, transaction, cancellationToken).ConfigureAwait(false);
                foreach (Outgoing message in messages)
                {
                    if (limits.Refuse(message) is { } refusal)
                        throw refusal;
                }
            }

            if (!target.IsOptional && SentIds.Of(Database, target.QueueId, target.Address, target.Options) is { } ids
                && (await ids.CheckAsync(transaction, messages, cancellationToken).ConfigureAwait(false)).Refuse(messages) is { } duplicate)
            {
                throw duplicate;
            }

            NpgsqlBatchCommand insert = Database.Statements.InsertInto(target.QueueId, isRecoverable: true, messages);
            Add(insert, target.IsOptional ? null : messages.Length, () => MessageRows.QueueDeleted(target.Address), target.QueueId);
            if (!Array.Exists(messages, static message => message.HasRequests))
                continue;
            Dictionary<string, int>? others = await Database.OpenQueuesOfAsync(transaction.Connection!, messages, cancellationToken)
                .ConfigureAwait(false);
            changed.UnionWith(others!.Values);
            foreach ((NpgsqlBatchCommand command, int journalId) in Database.Statements.CopyToJournals(others, isRecoverable: true, messages))
                Add(command, null, () => MessageRows.QueueDeleted(target.Address), journalId);
        }

        foreach (var group in Received.GroupBy(message =>
            (message.Receiver, message.ServerSessionId, Dead: _dead.TryGetValue(message, out var reason) ? reason : default)))
        {
            PostgreSqlMessage[] messages = [.. group];
            PostgreSqlReceiver receiver = group.Key.Receiver;
            if (group.Key.Dead.Reason is { } reason)
                Add(receiver.DeadLetterCommand(messages, reason, group.Key.Dead.Description), messages.Length, () => LockGone(messages[0]),
                    receiver.Target.DeadLetterId);
            else
                Add(receiver.AcknowledgeCommand(messages), messages.Length, () => LockGone(messages[0]), receiver.Target.JournalId);
        }

        var wake = new List<NpgsqlBatchCommand>();
        if (changed.Count > 0)
            wake.Add(Database.Statements.NotifyOf([.. changed]));
        if (Acknowledgments.AdministrationQueuesOf(Received) is { Length: > 0 } names)
            wake.Add(Database.Statements.NotifyOf(names));
        foreach (NpgsqlBatchCommand command in wakeLater is null ? wake : [])
            batch.BatchCommands.Add(command);
        if (end is not null)
            batch.BatchCommands.Add(new(end));
        if (batch.BatchCommands.Count > 0)
            await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        for (int i = 0; i < checks.Count; i++)
        {
            if (checks[i].Count is { } count && (int)batch.BatchCommands[i].Rows != count)
                throw checks[i].Error();
        }

        _isWritten = true;
        wakeLater?.AddRange(wake);

        void Add(NpgsqlBatchCommand command, int? count, Func<Exception> error, int? queueId)
        {
            batch.BatchCommands.Add(command);
            checks.Add((count, error));
            if (queueId is { } id)
                changed.Add(id);
        }
    }
}
