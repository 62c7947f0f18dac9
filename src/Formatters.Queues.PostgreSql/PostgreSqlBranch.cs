using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>The branch of a distributed transaction in a database, and the connection on which it is prepared.</summary>
internal sealed class PostgreSqlBranch(PostgreSqlResourceManager resourceManager, PreparableTransaction transaction) : TransactionBranch
{
    private readonly TaskCompletionSource _hasEndedPrepare = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private NpgsqlConnection? _connection;
    private string? _name;

    public override QueueTransaction Transaction => transaction;

    public override async ValueTask PrepareAsync(string name, CancellationToken cancellationToken = default)
    {
        _name = name;
        Work work = resourceManager.NewWork("prepare the transaction");
        NpgsqlConnection? connection = transaction.TakeConnection();
        bool isPrepared = false;
        bool isCurrent = await resourceManager.RunAsync(
            work,
            async token =>
            {
                connection ??= await resourceManager.ConnectAsync(work, token).ConfigureAwait(false);
                // If this completes after the timeout, it is rolled back by name.
                return await transaction.TryPrepareAsync(connection, name, token).ConfigureAwait(false)
                    && (isPrepared = !token.IsCancellationRequested);
            },
            async () =>
            {
                try
                {
                    if (isPrepared)
                    {
                        resourceManager.Trust(connection!);
                        Volatile.Write(ref _connection, connection);
                    }
                    else if (connection is not null)
                    {
                        await connection.DisposeAsync().ConfigureAwait(false);
                    }
                }
                finally
                {
                    _hasEndedPrepare.SetResult();
                }
            },
            cancellationToken).ConfigureAwait(false);
        if (!isCurrent)
            throw new InvalidOperationException(
                "The database's part of the transaction was committed or rolled back by the application itself. What was in it is not part of this "
                + "transaction.");
    }

    public override async ValueTask CommitPreparedAsync(CancellationToken cancellationToken = default)
    {
        // The command closes the connection when it has ended, possibly after its caller has stopped waiting.
        NpgsqlConnection connection = Interlocked.Exchange(ref _connection, null)!;
        await resourceManager.RunAsync(
            resourceManager.NewWork("commit the prepared transaction"),
            async token =>
            {
                await PostgreSqlResourceManager.EndAsync(connection, "COMMIT PREPARED", _name!, transaction.WakeAfterCommit(), token)
                    .ConfigureAwait(false);
                resourceManager.Trust(connection);
                return true;
            },
            connection.DisposeAsync,
            cancellationToken).ConfigureAwait(false);
        await transaction.GiveBackAsync(isCommitted: true).ConfigureAwait(false);
    }

    public override async ValueTask RollbackPreparedAsync(CancellationToken cancellationToken = default)
    {
        if (_name is not null)
        {
            // PREPARE may still be running after its caller has stopped waiting. Until it ends there is nothing to roll back by name.
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

    // Closing the connection rolls back a transaction that is still open on it.
    public override async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _connection, null) is { } prepared)
            await prepared.DisposeAsync().ConfigureAwait(false);
        if (transaction.TakeConnection() is { } handedOut)
            await handedOut.DisposeAsync().ConfigureAwait(false);
    }
}

/// <summary>
/// A transaction that can be prepared. Sends and receives are collected and written in one round trip when it is prepared. If the application asks
/// for the underlying transaction, they are written then, and later ones immediately, on a connection shared with the application.
/// </summary>
internal sealed class PreparableTransaction(Database database, PostgreSqlResourceManager resourceManager) : OwnTransaction(database)
{
    private readonly List<NpgsqlBatchCommand> _wake = [];
    private HandedOutTransaction? _handedOut;
    private NpgsqlConnection? _connection;

    internal override ValueTask SendAsync(SendTarget target, IReadOnlyList<QueueMessage> messages, string? messageId,
        CancellationToken cancellationToken) =>
        HandedOut is { } other
            ? other.SendAsync(target, messages, messageId, cancellationToken)
            : base.SendAsync(target, messages, messageId, cancellationToken);

    internal override ValueTask DeadLetterAsync(PostgreSqlMessage message, string reason, string? description, CancellationToken cancellationToken) =>
        HandedOut is { } other
            ? other.DeadLetterAsync(message, reason, description, cancellationToken)
            : base.DeadLetterAsync(message, reason, description, cancellationToken);

    internal override ValueTask<IReadOnlyList<PostgreSqlMessage>> AddReceivedAsync(IReadOnlyList<PostgreSqlMessage> messages) =>
        HandedOut is { } other ? other.AddReceivedAsync(messages) : base.AddReceivedAsync(messages);

    internal override async Task GiveBackAsync(bool isCommitted)
    {
        await base.GiveBackAsync(isCommitted).ConfigureAwait(false);
        if (HandedOut is { } other)
            await other.GiveBackAsync(isCommitted).ConfigureAwait(false);
    }

    /// <summary>Returns the underlying transaction to the application, after writing what was collected.</summary>
    internal async ValueTask<NpgsqlTransaction> HandOutAsync(CancellationToken cancellationToken)
    {
        await Gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (HandedOut is { } other)
                return other.Transaction;
            ThrowIfEnded();
            (NpgsqlConnection connection, NpgsqlTransaction transaction, string number) = await resourceManager.BeginAsync(
                (begun, token) => WriteAsync(begun, _wake, end: null, token), cancellationToken).ConfigureAwait(false);
            Volatile.Write(ref _connection, connection);
            Volatile.Write(ref _handedOut, new HandedOutTransaction(Database, transaction, number, resourceManager.HasOwnConnections));
            return transaction;
        }
        finally
        {
            Gate.Release();
        }
    }

    /// <summary>Returns the connection of the application's transaction, if any; the caller must close it.</summary>
    internal NpgsqlConnection? TakeConnection() => Interlocked.Exchange(ref _connection, null);

    /// <summary>Prepares the transaction under a name. Nothing can be sent or received in it afterwards.</summary>
    /// <param name="connection">That of the application's transaction, or one on which nothing was done.</param>
    /// <param name="name">The name.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <returns>False if the application has ended it itself.</returns>
    internal async Task<bool> TryPrepareAsync(NpgsqlConnection connection, string name, CancellationToken cancellationToken)
    {
        string prepare = PostgreSqlResourceManager.EndOf("PREPARE TRANSACTION", name);
        await Gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            End();
            if (HandedOut is { } other)
                return await other.TryPrepareAsync(prepare, cancellationToken).ConfigureAwait(false);
            // Npgsql sends BEGIN with the first command.
            NpgsqlTransaction transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
            await WriteAsync(transaction, _wake, prepare, cancellationToken).ConfigureAwait(false);
            return true;
        }
        finally
        {
            Gate.Release();
        }
    }

    /// <summary>Creates the statements that notify receivers, if messages were added to any queue.</summary>
    internal IReadOnlyList<NpgsqlBatchCommand> WakeAfterCommit() => HandedOut?.WakeAfterCommit() is { } other ? [.. _wake, other] : _wake;

    private HandedOutTransaction? HandedOut => Volatile.Read(ref _handedOut);

    private protected override async Task DoAsync(CancellationToken cancellationToken)
    {
        if (HandedOut is not { } other)
        {
            await base.DoAsync(cancellationToken).ConfigureAwait(false);
            return;
        }

        NpgsqlConnection connection = other.Transaction.Connection ?? throw HandedOutTransaction.Ended();
        await other.CommitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await using var batch = new NpgsqlBatch(connection);
            foreach (NpgsqlBatchCommand command in WakeAfterCommit())
                batch.BatchCommands.Add(command);
            if (batch.BatchCommands.Count > 0)
                await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is NpgsqlException or OperationCanceledException)
        {
            // The transaction is committed; receivers that are not notified poll from time to time.
        }
    }

    private protected override Task UndoAsync(CancellationToken cancellationToken) =>
        HandedOut is { } other ? other.RollbackAsync(cancellationToken).AsTask() : Task.CompletedTask;
}

/// <summary>
/// The part of a <see cref="PreparableTransaction"/> that is shared with the application. Receivers are notified after the commit, because a
/// transaction with NOTIFY cannot be prepared.
/// </summary>
internal sealed class HandedOutTransaction : JoinedTransaction
{
    private readonly HashSet<int> _changed = [];

    /// <param name="database">The queues.</param>
    /// <param name="transaction">The transaction.</param>
    /// <param name="number">The server's id of the transaction: the application may end it and start another on its connection.</param>
    /// <param name="isOwnConnection">Whether its connection is the library's own.</param>
    internal HandedOutTransaction(Database database, NpgsqlTransaction transaction, string number, bool isOwnConnection)
        : base(database, transaction)
    {
        Number = number;
        IsOwnConnection = isOwnConnection;
    }

    private protected override bool IsOwnConnection { get; }

    internal static InvalidOperationException Ended() => new(AlreadyEnded);

    /// <summary>Prepares the transaction. Nothing can be sent or received in it afterwards.</summary>
    /// <returns>False if the application has ended it itself.</returns>
    internal async Task<bool> TryPrepareAsync(string prepare, CancellationToken cancellationToken)
    {
        await Gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            End();
            return await CheckAndRunAsync(prepare, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Gate.Release();
        }
    }

    /// <summary>Creates the statement that notifies receivers, if messages were added to any queue.</summary>
    internal NpgsqlBatchCommand? WakeAfterCommit() => _changed.Count > 0 ? Database.Statements.NotifyOf([.. _changed]) : null;

    private protected override NpgsqlBatchCommand? WakeWithCommit(int queueId)
    {
        _changed.Add(queueId);
        return null;
    }
}
