using System;
using System.Collections.Generic;
using System.Data.Common;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>An application's transaction: messages are sent and received on its connection immediately, and commit with its rows.</summary>
internal class JoinedTransaction(Database database, NpgsqlTransaction transaction) : PostgreSqlTransaction(database)
{
    private protected const string AlreadyEnded = "The application's transaction is already committed or rolled back.";

    /// <summary>Selects the id of the transaction, without assigning one.</summary>
    private protected const string CurrentNumber = "SELECT pg_current_xact_id_if_assigned()::text";

    /// <summary>The message of the error that <see cref="SameNumber"/> raises, which does not depend on the server's language.</summary>
    private const string OtherTransaction = "formatters: another transaction";

    /// <summary>Selects the id of the transaction, and raises an error if it is not $1.</summary>
    private const string SameNumber =
        "SELECT n.number, CASE WHEN n.number IS NOT DISTINCT FROM $1 THEN 0 "
        + $"ELSE ('{OtherTransaction} ' || coalesce(n.number, ''))::int END FROM (SELECT pg_current_xact_id_if_assigned()::text AS number) n";

    private readonly HashSet<int> _known = [];
    private List<PostgreSqlMessage> _untaken = [];
    private string? _address;

    /// <summary>The server's id of the transaction, since the first use. Npgsql reuses one object for all transactions of a connection.</summary>
    private string? _number;

    internal NpgsqlTransaction Transaction => transaction;

    /// <inheritdoc cref="_number"/>
    private protected string? Number
    {
        get => _number;
        init => _number = value;
    }

    /// <summary>Gets whether the connection was opened by the library, so that it is known to lead to the queues' database.</summary>
    private protected virtual bool IsOwnConnection => false;

    private protected override IReadOnlyList<PostgreSqlMessage> Untaken => _untaken;

    internal override async ValueTask SendAsync(SendTarget target, IReadOnlyList<QueueMessage> messages, string? messageId,
        CancellationToken cancellationToken)
    {
        Outgoing[] outgoing =
            [.. messages.Select(message => target.Of(new Outgoing(
                message, message.Body.Bytes.IsSingleSegment ? message.Body.Bytes.First : message.Body.ToArray(), messageId)))];
        var work = new Work("send the message", target.Address, target.Options.OperationTimeout);
        // Outside the application's transaction, which would block other handles that name the same queue.
        Dictionary<string, int>? others = Array.Exists(outgoing, static message => message.HasRequests)
            ? await Database.RunAsync(work, isDurable: true, (connection, token) => Database.OpenQueuesOfAsync(connection, outgoing, token),
                cancellationToken).ConfigureAwait(false)
            : null;
        await Gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            ThrowIfEnded();
            await RunAsync(
                work,
                async token =>
                {
                    await CheckDatabaseAsync(target.QueueId, target.Address, token).ConfigureAwait(false);
                    if (!target.IsOptional && QueueLimits.Of(target.QueueId, target.Address, target.Options) is { } limits)
                    {
                        await limits.MeasureAsync(Database, transaction, token).ConfigureAwait(false);
                        if (limits.Refuse(outgoing) is { } refusal)
                            throw refusal;
                    }

                    if (!target.IsOptional && SentIds.Of(Database, target.QueueId, target.Address, target.Options) is { } ids)
                    {
                        IdCheck check = await ids.CheckAsync(transaction, outgoing, token).ConfigureAwait(false);
                        if (check.Refuse(outgoing) is { } duplicate)
                        {
                            await check.DeleteFreeAsync(token).ConfigureAwait(false);
                            throw duplicate;
                        }
                    }

                    await using var batch = NewBatch(target.QueueId, Database.Statements.InsertInto(target.QueueId, isRecoverable: true, outgoing));
                    await batch.ExecuteNonQueryAsync(token).ConfigureAwait(false);
                    if ((int)batch.BatchCommands[0].Rows != outgoing.Length && !target.IsOptional)
                        throw MessageRows.QueueDeleted(work.Address);
                    foreach ((NpgsqlBatchCommand command, int journalId) in Database.Statements.CopyToJournals(others, isRecoverable: true, outgoing))
                    {
                        await using NpgsqlBatch copy = NewBatch(journalId, command);
                        await copy.ExecuteNonQueryAsync(token).ConfigureAwait(false);
                    }
                },
                cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Gate.Release();
        }
    }

    internal override async ValueTask DeadLetterAsync(PostgreSqlMessage message, string reason, string? description,
        CancellationToken cancellationToken)
    {
        PostgreSqlReceiver receiver = message.Receiver;
        await Gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            ThrowIfEnded();
            await RunAsync(
                new Work("dead-letter the message", receiver.Address, receiver.OperationTimeout),
                async token =>
                {
                    int queueId = receiver.Target.DeadLetterId!.Value;
                    var dead = new DeadLetterMark(reason, description, receiver.QueueName);
                    await using var batch = NewBatch(queueId, Database.Statements.InsertReceivedInto(queueId, [message], dead));
                    AddNegative(batch, message, reason, description);
                    await batch.ExecuteNonQueryAsync(token).ConfigureAwait(false);
                },
                cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Gate.Release();
        }
    }

    /// <summary>Replaces the positive acknowledgement of a message, written when it was received, with a negative one.</summary>
    private void AddNegative(NpgsqlBatch batch, PostgreSqlMessage message, string reason, string? description)
    {
        if ((message.AcknowledgeTypes & AcknowledgeTypes.PositiveReceive) != 0)
        {
            batch.BatchCommands.Add(new(Database.Statements.TakeBackReceipts)
            {
                Parameters = { new() { Value = message.AdministrationQueue }, new() { Value = message.MessageId },
                    new() { Value = message.Receiver.QueueName } },
            });
        }

        AcknowledgmentClass acknowledgment = reason == DeadLetterReasons.Expired
            ? AcknowledgmentClass.ReceiveTimeout
            : AcknowledgmentClass.ReceiveRejected;
        if (Database.Statements.Acknowledge(
                acknowledgment, message.Receiver.QueueName, message.IsRecoverable, [Acknowledgments.AskingOf(message)], reason,
                    description) is { } negative)
            batch.BatchCommands.Add(negative);
    }

    // On the application's connection: the message is deleted if and only if its transaction commits. Until then its lock protects it.
    private protected override async Task<IReadOnlyList<PostgreSqlMessage>> TakeAsync(IReadOnlyList<PostgreSqlMessage> messages)
    {
        PostgreSqlReceiver receiver = messages[0].Receiver;
        var gone = new HashSet<long>();
        await RunAsync(
            new Work("receive the message", receiver.Address, receiver.OperationTimeout),
            async token =>
            {
                await CheckDatabaseAsync(receiver.Target.Id, receiver.Address, token).ConfigureAwait(false);
                foreach (IGrouping<int, PostgreSqlMessage> session in messages.GroupBy(static message => message.ServerSessionId!.Value))
                {
                    await using NpgsqlBatch batch = NewBatch(receiver.Target.JournalId, receiver.AcknowledgeCommand([.. session]));
                    await using NpgsqlDataReader row = await batch.ExecuteReaderAsync(token).ConfigureAwait(false);
                    while (await row.ReadAsync(token).ConfigureAwait(false))
                        gone.Add(row.GetInt64(0));
                    while (await row.NextResultAsync(token).ConfigureAwait(false))
                    {
                    }
                }
            },
            CancellationToken.None).ConfigureAwait(false);
        return gone.Count == messages.Count ? messages : [.. messages.Where(message => gone.Contains(message.Id))];
    }

    private protected override async Task DoAsync(CancellationToken cancellationToken)
    {
        var work = new Work("commit the transaction", _address ?? Database.Product, Timeout.InfiniteTimeSpan);
        try
        {
            await RunAsync(
                work,
                async token =>
                {
                    if (!await CanCommitAsync(token).ConfigureAwait(false))
                        throw new InvalidOperationException(AlreadyEnded);
                    work.ChangesSomething = true;
                    await transaction.CommitAsync(token).ConfigureAwait(false);
                },
                cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (!work.ChangesSomething && e is QueueException or OperationCanceledException)
        {
            // Otherwise it would keep the received rows from being unlocked.
            await TryRollbackAsync().ConfigureAwait(false);
            throw;
        }
    }

    // The application may have ended the transaction itself, and may have started another one.
    private protected override async Task UndoAsync(CancellationToken cancellationToken)
    {
        if (_number is null || !await IsCurrentAsync(cancellationToken).ConfigureAwait(false))
            return;
        var work = new Work("roll the transaction back", Database.Product, Timeout.InfiniteTimeSpan);
        await RunAsync(work, token => transaction.RollbackAsync(token), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Checks the application's transaction before it is committed: if a command in it has failed, PostgreSQL rolls back instead, which Npgsql does
    /// not report.
    /// </summary>
    /// <returns>False if the application has ended it itself.</returns>
    /// <exception cref="QueueException">A command in it has failed: it can be rolled back only.</exception>
    private protected Task<bool> CanCommitAsync(CancellationToken cancellationToken) => CheckAndRunAsync(null, cancellationToken);

    /// <summary>Checks that the transaction is the one that was used, and then runs a final statement in it, in one round trip.</summary>
    /// <inheritdoc cref="CanCommitAsync"/>
    private protected async Task<bool> CheckAndRunAsync(string? then, CancellationToken cancellationToken)
    {
        // If a command fails, the server skips those after it.
        NpgsqlBatchCommand first = then is null
            ? new(CurrentNumber)
            : new(SameNumber) { Parameters = { new NpgsqlParameter<string> { TypedValue = _number! } } };
        try
        {
            await using var batch = new NpgsqlBatch(transaction.Connection) { BatchCommands = { first, new(Statements.WaitForDisk) } };
            var groups = Received.GroupBy(message => (message.Receiver, message.ServerSessionId)).ToList();
            foreach (var group in groups)
                batch.BatchCommands.Add(group.Key.Receiver.StillLockedCommand([.. group]));
            if (then is not null)
                batch.BatchCommands.Add(new(then));
            await using NpgsqlDataReader row = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await row.ReadAsync(cancellationToken).ConfigureAwait(false);
            string? number = row.IsDBNull(0) ? null : row.GetString(0);
            if (_number is not null && _number != number)
                return false;
            await row.NextResultAsync(cancellationToken).ConfigureAwait(false);
            // A message received after a savepoint to which the application rolled back is not deleted.
            _untaken = [];
            foreach (var group in groups)
            {
                await row.NextResultAsync(cancellationToken).ConfigureAwait(false);
                while (await row.ReadAsync(cancellationToken).ConfigureAwait(false))
                    _untaken.Add(group.First(message => message.Id == row.GetInt64(0)));
            }

            await row.NextResultAsync(cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (PostgresException e) when (
            e.SqlState == PostgresErrorCodes.InvalidTextRepresentation && e.MessageText.Contains(OtherTransaction, StringComparison.Ordinal))
        {
            return false;
        }
        catch (PostgresException e) when (e.SqlState == PostgresErrorCodes.InFailedSqlTransaction)
        {
            throw new QueueException(
                $"Could not commit the transaction at '{_address ?? Database.Product}': a command in it has failed, so PostgreSQL has aborted it, "
                + "with all that was sent, received and written in it. "
                + "What was received will be delivered again. Set a savepoint before a command that may fail, and go back to it "
                + "(NpgsqlTransaction.SaveAsync, RollbackAsync), "
                + "or write one that cannot fail (INSERT ... ON CONFLICT DO NOTHING).",
                e);
        }
        catch (InvalidOperationException)
        {
            // The transaction has ended, and its connection is closed.
            return false;
        }
    }

    /// <summary>Rolls back a transaction that could not be committed, if the connection still works.</summary>
    private async Task TryRollbackAsync()
    {
        try
        {
            if (_number is null || await IsCurrentAsync(CancellationToken.None).ConfigureAwait(false))
                await transaction.RollbackAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception e) when (e is InvalidOperationException or DbException)
        {
            // The connection was lost, so the server rolls back.
        }
    }

    /// <summary>Determines whether the application's transaction is still the one that was used.</summary>
    private async Task<bool> IsCurrentAsync(CancellationToken cancellationToken)
    {
        try
        {
            await using var command = new NpgsqlCommand(CurrentNumber, transaction.Connection);
            return await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false) as string == _number;
        }
        catch (PostgresException e) when (e.SqlState == PostgresErrorCodes.InFailedSqlTransaction)
        {
            // The transaction is aborted, and can only be rolled back.
            return true;
        }
        catch (Exception e) when (e is InvalidOperationException or NpgsqlException)
        {
            // The transaction has ended, and its connection is closed.
            return false;
        }
    }

    /// <summary>
    /// Creates a batch of a command that adds to a queue, if any, followed by the notification of its receivers. The commit is made durable, even if
    /// the application commits.
    /// </summary>
    private NpgsqlBatch NewBatch(int? queueId, NpgsqlBatchCommand command)
    {
        var batch = new NpgsqlBatch(transaction.Connection, transaction) { BatchCommands = { command, new(Statements.WaitForDisk) } };
        if (queueId is { } id && WakeWithCommit(id) is { } notify)
            batch.BatchCommands.Add(notify);
        return batch;
    }

    /// <summary>Creates the statement that notifies a queue's receivers when the transaction commits; null if they are notified later.</summary>
    private protected virtual NpgsqlBatchCommand? WakeWithCommit(int queueId) => Database.Statements.NotifyOf([queueId]);

    /// <summary>Checks that the application's connection leads to the queue's database: in another one, the same id is another queue.</summary>
    private async Task CheckDatabaseAsync(int queueId, string address, CancellationToken cancellationToken)
    {
        _address ??= address;
        if (IsOwnConnection || _known.Contains(queueId))
            return;
        await using var command = new NpgsqlCommand(Database.Statements.HasQueueWithKey, transaction.Connection, transaction)
        {
            Parameters = { new() { Value = queueId }, new() { Value = Database.SchemaKey } },
        };
        await using NpgsqlDataReader row = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await row.ReadAsync(cancellationToken).ConfigureAwait(false);
        _number ??= row.GetString(1);
        if (_number != row.GetString(1))
            throw new InvalidOperationException(AlreadyEnded);
        if (!row.GetBoolean(0))
            throw new ArgumentException($"The transaction's connection is to another database than that of '{address}', or the queue was deleted.");
        _known.Add(queueId);
    }

    private async Task RunAsync(Work work, Func<CancellationToken, Task> operation, CancellationToken cancellationToken)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        stop.CancelAfter(work.Timeout);
        try
        {
            await operation(stop.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is DbException or OperationCanceledException or TimeoutException)
        {
            throw Database.Explain(e, work, cancellationToken);
        }
    }
}
