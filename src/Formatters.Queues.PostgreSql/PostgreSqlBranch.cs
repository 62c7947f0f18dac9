using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>The part of a transaction that is in a database: a transaction on a connection of its own, which is prepared.</summary>
internal sealed class PostgreSqlBranch(PostgreSqlResourceManager resourceManager, NpgsqlConnection connection, PreparableTransaction transaction) : TransactionBranch
{
    private readonly TaskCompletionSource _hasEndedPrepare = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private string? _name;
    private int _isClosed;

    public override QueueTransaction Transaction => transaction;

    public override async ValueTask PrepareAsync(string name, CancellationToken cancellationToken = default)
    {
        _name = name;
        bool isPrepared = false;
        TakeConnection();
        bool isCurrent = await resourceManager.RunAsync(
            resourceManager.NewWork("prepare the transaction"),
            async token =>
            {
                // One that comes too late is nobody's, and is rolled back by name.
                return await transaction.TryPrepareAsync(name, token).ConfigureAwait(false) && (isPrepared = !token.IsCancellationRequested);
            },
            async () =>
            {
                try
                {
                    if (isPrepared)
                        _isClosed = 0;
                    else
                        await connection.DisposeAsync().ConfigureAwait(false);
                }
                finally
                {
                    _hasEndedPrepare.SetResult();
                }
            },
            cancellationToken).ConfigureAwait(false);
        if (!isCurrent)
            throw new InvalidOperationException("The database's part of the transaction was committed or rolled back by the application itself. What was in it is not part of this transaction.");
    }

    public override async ValueTask CommitPreparedAsync(CancellationToken cancellationToken = default)
    {
        TakeConnection();
        await resourceManager.RunAsync(
            resourceManager.NewWork("commit the prepared transaction"),
            token => PostgreSqlResourceManager.EndAsync(connection, "COMMIT PREPARED", _name!, transaction.WakeAfterCommit(), token),
            connection.DisposeAsync,
            cancellationToken).ConfigureAwait(false);
        await transaction.GiveBackAsync(isCommitted: true).ConfigureAwait(false);
    }

    public override async ValueTask RollbackPreparedAsync(CancellationToken cancellationToken = default)
    {
        if (_name is not null)
        {
            // PREPARE may be under way still, its caller having given up: before its end there is nothing to roll back by that name.
            await resourceManager.RunAsync(
                resourceManager.NewWork("roll the prepared transaction back"),
                async token =>
                {
                    await _hasEndedPrepare.Task.WaitAsync(token).ConfigureAwait(false);
                    return true;
                },
                null,
                cancellationToken).ConfigureAwait(false);
            await resourceManager.RollbackPreparedAsync(_name, cancellationToken).ConfigureAwait(false);
        }
        else
        {
            await DisposeAsync().ConfigureAwait(false);
        }

        await transaction.GiveBackAsync(isCommitted: false).ConfigureAwait(false);
    }

    // What is still open on the connection is rolled back with it.
    public override ValueTask DisposeAsync() => Interlocked.Exchange(ref _isClosed, 1) == 0 ? connection.DisposeAsync() : default;

    /// <summary>The command that now begins closes the connection when it has ended, since that may be after its caller has given up.</summary>
    private void TakeConnection() => Volatile.Write(ref _isClosed, 1);
}

/// <summary>A transaction that can be prepared. Receivers are woken when it has committed: a transaction that notifies cannot be prepared.</summary>
internal sealed class PreparableTransaction : JoinedTransaction
{
    private readonly HashSet<int> _changed = [];

    /// <param name="database">The queues.</param>
    /// <param name="transaction">The transaction.</param>
    /// <param name="number">The server's number of it.</param>
    internal PreparableTransaction(Database database, NpgsqlTransaction transaction, string number)
        : base(database, transaction) => Number = number;

    /// <summary>Prepares it under a name. Nothing can be sent or received in it any more.</summary>
    /// <returns>False if the application has ended it itself.</returns>
    internal async Task<bool> TryPrepareAsync(string name, CancellationToken cancellationToken)
    {
        await Gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            End();
            if (!await CanCommitAsync(cancellationToken).ConfigureAwait(false))
                return false;
            await using var prepare = new NpgsqlCommand(PostgreSqlResourceManager.EndOf("PREPARE TRANSACTION", name), Transaction.Connection);
            await prepare.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
            return true;
        }
        finally
        {
            Gate.Release();
        }
    }

    /// <summary>The statement that wakes receivers, if any queue has got something.</summary>
    internal NpgsqlBatchCommand? WakeAfterCommit() => _changed.Count > 0 ? Database.Statements.NotifyOf([.. _changed]) : null;

    private protected override NpgsqlBatchCommand? WakeWithCommit(int queueId)
    {
        _changed.Add(queueId);
        return null;
    }

    private protected override async Task DoAsync(CancellationToken cancellationToken)
    {
        NpgsqlConnection connection = Transaction.Connection ?? throw new InvalidOperationException(AlreadyEnded);
        await base.DoAsync(cancellationToken).ConfigureAwait(false);
        if (WakeAfterCommit() is not { } notify)
            return;
        try
        {
            await using var batch = new NpgsqlBatch(connection) { BatchCommands = { notify } };
            await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is NpgsqlException or OperationCanceledException)
        {
            // It is committed; whoever waits looks from time to time.
        }
    }
}
