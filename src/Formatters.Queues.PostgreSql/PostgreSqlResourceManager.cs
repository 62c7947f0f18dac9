using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>
/// A database as a resource manager of distributed transactions: <c>PREPARE TRANSACTION</c>, and <c>COMMIT PREPARED</c> after the decision is in the
/// folder's log.
/// </summary>
internal sealed class PostgreSqlResourceManager : ResourceManager
{
    /// <summary>The idle time after which a pooled connection is tested before use.</summary>
    private const int TrustMilliseconds = 1000;

    /// <summary>The number of connections remembered as working; more than a pool has, so old ones are then forgotten.</summary>
    private const int MaxTrustedCount = 1000;

    private readonly Database _database;
    private readonly string _address;
    private readonly TimeSpan _timeout;
    private readonly NpgsqlDataSource? _own;
    private readonly NpgsqlDataSource _connections;
    private readonly NpgsqlDataSource _preparing;
    private readonly Func<ValueTask> _closed;
    private readonly ConcurrentDictionary<int, long> _answered = new();
    private int _isDisposed;

    /// <param name="database">The queues, and the connections on which prepared transactions are ended.</param>
    /// <param name="address">The database's address, for people.</param>
    /// <param name="connections">The application's connections, on which transactions are prepared; null for those of the address.</param>
    /// <param name="timeout">How long the server may take.</param>
    /// <param name="closed">Called when the resource manager is closed.</param>
    internal PostgreSqlResourceManager(Database database, string address, NpgsqlDataSource? connections, TimeSpan timeout, Func<ValueTask> closed)
    {
        _database = database;
        _address = address;
        _timeout = timeout;
        // A canceled PREPARE is awaited: on an abandoned connection it could take effect after the rollback.
        int cancellationTimeout = (int)Math.Clamp(timeout.TotalMilliseconds / 2, 2_000, int.MaxValue);
        _preparing = database.CreateDurable(cancellationTimeout);
        // With Npgsql's default settings, and the server's, so that the application's statements find what they expect.
        _connections = connections
            ?? (_own = NpgsqlDataSource.Create(new NpgsqlConnectionStringBuilder(
                database.ConnectionString) { CancellationTimeout = cancellationTimeout }));
        _closed = closed;
    }

    public override Guid Id => _database.SchemaKey;

    /// <summary>Gets whether transactions run on the library's connections, which have no other settings than the address.</summary>
    internal bool HasOwnConnections => _own is not null;

    /// <summary>
    /// Begins a branch without contacting the server: sends and receives are collected until the commit, or until the application asks for its
    /// transaction.
    /// </summary>
    public override ValueTask<TransactionBranch> BeginAsync(CancellationToken cancellationToken = default) =>
        cancellationToken.IsCancellationRequested
        ? ValueTask.FromCanceled<TransactionBranch>(cancellationToken)
        : new ValueTask<TransactionBranch>(new PostgreSqlBranch(this, new PreparableTransaction(_database, this)));

    public override async ValueTask<IReadOnlyList<string>> GetPreparedAsync(string prefix, CancellationToken cancellationToken = default) =>
        await _database.RunAsync(
            NewWork("look for prepared transactions"),
            isDurable: true,
            async (connection, token) =>
            {
                // The view lists all databases of the server.
                await using var command = new NpgsqlCommand(
                    "SELECT gid FROM pg_prepared_xacts WHERE database = current_database() AND starts_with(gid, $1)", connection)
                {
                    Parameters = { new() { Value = prefix } },
                };
                var names = new List<string>();
                await using NpgsqlDataReader reader = await command.ExecuteReaderAsync(token).ConfigureAwait(false);
                while (await reader.ReadAsync(token).ConfigureAwait(false))
                    names.Add(reader.GetString(0));
                return names;
            },
            cancellationToken).ConfigureAwait(false);

    // Only the process that prepared the transaction knew which queues to notify, so all are.
    public override async ValueTask CommitPreparedAsync(string name, CancellationToken cancellationToken = default) =>
        await _database.RunAsync(
            NewWork("commit the prepared transaction"),
            isDurable: true,
            (connection, token) => EndAsync(connection, "COMMIT PREPARED", name, [new NpgsqlBatchCommand(_database.Statements.NotifyWaiters)], token),
            cancellationToken).ConfigureAwait(false);

    public override async ValueTask RollbackPreparedAsync(string name, CancellationToken cancellationToken = default) =>
        await _database.RunAsync(
            NewWork("roll the prepared transaction back"),
            isDurable: true,
            (connection, token) => EndAsync(connection, "ROLLBACK PREPARED", name, [], token),
            cancellationToken).ConfigureAwait(false);

    public override async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
            return;
        if (_own is not null)
            await _own.DisposeAsync().ConfigureAwait(false);
        await _preparing.DisposeAsync().ConfigureAwait(false);
        await _closed().ConfigureAwait(false);
    }

    /// <summary>
    /// Rejects a server that cannot prepare transactions, and connections that lead to another database or could not end prepared transactions of
    /// others.
    /// </summary>
    internal async Task CheckAsync(CancellationToken cancellationToken)
    {
        (int limit, string user) = await _database.RunAsync(
            NewWork("open the database for prepared transactions"),
            isDurable: true,
            async (connection, token) =>
            {
                await using var command = new NpgsqlCommand("SELECT current_setting('max_prepared_transactions')::int, current_user::text",
                    connection);
                await using NpgsqlDataReader reader = await command.ExecuteReaderAsync(token).ConfigureAwait(false);
                await reader.ReadAsync(token).ConfigureAwait(false);
                return (reader.GetInt32(0), reader.GetString(1));
            },
            cancellationToken).ConfigureAwait(false);
        if (limit == 0)
        {
            throw new QueueException(
                $"The server of '{_address}' does not support prepared transactions: its setting max_prepared_transactions is 0. Set it to the "
                + "number of transactions that may be in progress at once "
                + "(as many as max_connections is always enough) and restart the server.");
        }

        if (_own is not null)
            return;
        Work work = NewWork("check the application's connections");
        NpgsqlConnection connection = await Database.ConnectAsync(_connections, work, cancellationToken).ConfigureAwait(false);
        if (!await RunAsync(work, IsSameAsync, connection.DisposeAsync, cancellationToken).ConfigureAwait(false))
            throw new ArgumentException($"The connections lead to another database than '{_address}', or have another user than '{user}'.");

        async Task<bool> IsSameAsync(CancellationToken token)
        {
            try
            {
                await using var command = new NpgsqlCommand(_database.Statements.IsSameDatabase,
                    connection) { Parameters = { new() { Value = _database.SchemaKey }, new() { Value = user } } };
                return (bool)(await command.ExecuteScalarAsync(token).ConfigureAwait(false))!;
            }
            catch (PostgresException e) when (e.SqlState is PostgresErrorCodes.UndefinedTable or PostgresErrorCodes.InvalidSchemaName
                or PostgresErrorCodes.InsufficientPrivilege)
            {
                return false;
            }
        }
    }

    /// <summary>Notes that the server has answered on a connection: it is used without a test for a while.</summary>
    internal void Trust(NpgsqlConnection connection)
    {
        int process = connection.ProcessID;
        if (!_answered.ContainsKey(process) && _answered.Count >= MaxTrustedCount)
            _answered.Clear();
        _answered[process] = Environment.TickCount64;
    }

    /// <summary>Requires a test of every connection, after an error.</summary>
    internal void Distrust() => _answered.Clear();

    private bool IsTrusted(NpgsqlConnection connection) =>
        _answered.TryGetValue(connection.ProcessID, out long answered) && Environment.TickCount64 - answered <= TrustMilliseconds;

    /// <summary>Opens or reuses a connection of the library, in its initial state.</summary>
    internal async Task<NpgsqlConnection> ConnectAsync(Work work, CancellationToken cancellationToken)
    {
        NpgsqlConnection connection = await Database.ConnectAsync(_preparing, work, cancellationToken).ConfigureAwait(false);
        if (IsTrusted(connection))
            return connection;
        try
        {
            await using var command = new NpgsqlCommand("SELECT 1", connection);
            await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
            return connection;
        }
        catch (NpgsqlException)
        {
            // The server may have been unavailable while the connection was pooled, and the other idle connections are then broken too.
            await connection.DisposeAsync().ConfigureAwait(false);
            _preparing.Clear();
            return await Database.ConnectAsync(_preparing, work, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Begins a transaction on one of the application's connections.</summary>
    /// <param name="writeAsync">The first operation in the transaction.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Its connection, which the caller closes; the transaction; the server's number of it.</returns>
    internal async Task<(NpgsqlConnection Connection, NpgsqlTransaction Transaction, string Number)> BeginAsync(
        Func<NpgsqlTransaction, CancellationToken, Task> writeAsync, CancellationToken cancellationToken)
    {
        try
        {
            return await BeginOnceAsync(writeAsync, cancellationToken).ConfigureAwait(false);
        }
        catch (QueueException e) when (e.InnerException is NpgsqlException and not PostgresException { InvariantSeverity: "ERROR" })
        {
            // As above; what was written is rolled back.
            _connections.Clear();
            return await BeginOnceAsync(writeAsync, cancellationToken).ConfigureAwait(false);
        }
    }

    internal Work NewWork(string what) => new(what, _address, _timeout);

    private async Task<(NpgsqlConnection Connection, NpgsqlTransaction Transaction, string Number)> BeginOnceAsync(
        Func<NpgsqlTransaction, CancellationToken, Task> writeAsync, CancellationToken cancellationToken)
    {
        Work work = NewWork("begin the transaction");
        NpgsqlConnection connection = await Database.ConnectAsync(_connections, work, cancellationToken).ConfigureAwait(false);
        bool hasBegun = false;
        return await RunAsync(work, BeginAsync, () => hasBegun ? default : connection.DisposeAsync(), cancellationToken).ConfigureAwait(false);

        async Task<(NpgsqlConnection, NpgsqlTransaction, string)> BeginAsync(CancellationToken token)
        {
            NpgsqlTransaction transaction = await connection.BeginTransactionAsync(token).ConfigureAwait(false);
            await using var command = new NpgsqlCommand("SELECT pg_current_xact_id()::text", connection, transaction);
            string number = (string)(await command.ExecuteScalarAsync(token).ConfigureAwait(false))!;
            await writeAsync(transaction, token).ConfigureAwait(false);
            // If the transaction begins after the timeout, it is disposed.
            hasBegun = !token.IsCancellationRequested;
            return (connection, transaction, number);
        }
    }

    /// <summary>Runs an operation on a connection of the application.</summary>
    internal async Task<T> RunAsync<T>(Work work, Func<CancellationToken, Task<T>> operation, Func<ValueTask>? end,
        CancellationToken cancellationToken)
    {
        try
        {
            return await Database.WithinAsync(work, operation, end, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            if (e is not PostgresException { InvariantSeverity: "ERROR" })
                Distrust();
            throw _database.Explain(e, work, cancellationToken);
        }
    }

    /// <summary>Ends a prepared transaction, and then runs further commands.</summary>
    internal static async Task<bool> EndAsync(
        NpgsqlConnection connection, string verb, string name, IReadOnlyList<NpgsqlBatchCommand> then, CancellationToken cancellationToken)
    {
        // Each in its own transaction, because a prepared transaction cannot be ended within another.
        await using var batch = new NpgsqlBatch(connection) { EnableErrorBarriers = true, BatchCommands = { new(EndOf(verb, name)) } };
        foreach (NpgsqlBatchCommand command in then)
            batch.BatchCommands.Add(command);
        try
        {
            await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (PostgresException e) when (e.SqlState == PostgresErrorCodes.UndefinedObject)
        {
            // It was ended before, and the answer was lost.
        }

        return true;
    }

    internal static string EndOf(string verb, string name) => $"{verb} {Statements.Literal(name)}";
}
