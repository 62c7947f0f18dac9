using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>A database in which transactions are prepared: <c>PREPARE TRANSACTION</c>, and <c>COMMIT PREPARED</c> when the log of a folder says so.</summary>
internal sealed class PostgreSqlResourceManager : ResourceManager
{
    /// <summary>A connection of the pool that has not answered for so long is asked whether it still lives.</summary>
    private const int TrustMilliseconds = 1000;

    /// <summary>More processes of the server than pools have connections: those of old connections are forgotten.</summary>
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
    /// <param name="closed">Is called when it is closed.</param>
    internal PostgreSqlResourceManager(Database database, string address, NpgsqlDataSource? connections, TimeSpan timeout, Func<ValueTask> closed)
    {
        _database = database;
        _address = address;
        _timeout = timeout;
        // A PREPARE that is cancelled is waited for: on a connection that was given up it could happen after it was rolled back.
        int cancellationTimeout = (int)Math.Clamp(timeout.TotalMilliseconds / 2, 2_000, int.MaxValue);
        _preparing = database.CreateDurable(cancellationTimeout);
        // With Npgsql's own settings, and the server's: the application's rows are to find what they expect.
        _connections = connections
            ?? (_own = NpgsqlDataSource.Create(new NpgsqlConnectionStringBuilder(database.ConnectionString) { CancellationTimeout = cancellationTimeout }));
        _closed = closed;
    }

    public override Guid Id => _database.SchemaKey;

    /// <summary>Whether transactions are on connections of this library's own, with no other settings than the address.</summary>
    internal bool HasOwnConnections => _own is not null;

    /// <summary>
    /// Begins nothing on the server yet: what is sent and received is collected until the commit, or until the application asks for its transaction.
    /// </summary>
    public override ValueTask<TransactionBranch> BeginAsync(CancellationToken cancellationToken = default) => cancellationToken.IsCancellationRequested
        ? ValueTask.FromCanceled<TransactionBranch>(cancellationToken)
        : new ValueTask<TransactionBranch>(new PostgreSqlBranch(this, new PreparableTransaction(_database, this)));

    public override async ValueTask<IReadOnlyList<string>> GetPreparedAsync(string prefix, CancellationToken cancellationToken = default) =>
        await _database.RunAsync(
            NewWork("look for prepared transactions"),
            isDurable: true,
            async (connection, token) =>
            {
                // The view has those of all databases of the server.
                await using var command = new NpgsqlCommand("SELECT gid FROM pg_prepared_xacts WHERE database = current_database() AND starts_with(gid, $1)", connection)
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

    // Which queues have got something, only the process knew that prepared it.
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

    /// <summary>Refuses a server that prepares nothing, and connections that lead elsewhere or could not end what others prepare.</summary>
    internal async Task CheckAsync(CancellationToken cancellationToken)
    {
        (int limit, string user) = await _database.RunAsync(
            NewWork("open the database for prepared transactions"),
            isDurable: true,
            async (connection, token) =>
            {
                await using var command = new NpgsqlCommand("SELECT current_setting('max_prepared_transactions')::int, current_user::text", connection);
                await using NpgsqlDataReader reader = await command.ExecuteReaderAsync(token).ConfigureAwait(false);
                await reader.ReadAsync(token).ConfigureAwait(false);
                return (reader.GetInt32(0), reader.GetString(1));
            },
            cancellationToken).ConfigureAwait(false);
        if (limit == 0)
        {
            throw new QueueException(
                $"The server of '{_address}' does not support prepared transactions: its setting max_prepared_transactions is 0. Set it to the number of transactions that may be in progress at once "
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
                await using var command = new NpgsqlCommand(_database.Statements.IsSameDatabase, connection) { Parameters = { new() { Value = _database.SchemaKey }, new() { Value = user } } };
                return (bool)(await command.ExecuteScalarAsync(token).ConfigureAwait(false))!;
            }
            catch (PostgresException e) when (e.SqlState is PostgresErrorCodes.UndefinedTable or PostgresErrorCodes.InvalidSchemaName or PostgresErrorCodes.InsufficientPrivilege)
            {
                return false;
            }
        }
    }

    /// <summary>The server has answered on a connection: for a while it is used without asking.</summary>
    internal void Trust(NpgsqlConnection connection)
    {
        int process = connection.ProcessID;
        if (!_answered.ContainsKey(process) && _answered.Count >= MaxTrustedCount)
            _answered.Clear();
        _answered[process] = Environment.TickCount64;
    }

    /// <summary>After an error: connections are asked first.</summary>
    internal void Distrust() => _answered.Clear();

    private bool IsTrusted(NpgsqlConnection connection) =>
        _answered.TryGetValue(connection.ProcessID, out long answered) && Environment.TickCount64 - answered <= TrustMilliseconds;

    /// <summary>A connection of the library's own on which nothing was done.</summary>
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
            // The server may have been away while the connection lay in the pool, and the others with it.
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
    /// <param name="writeAsync">Does the first thing in it.</param>
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
            // As above; what was written in it is rolled back.
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
            // One that comes too late is nobody's.
            hasBegun = !token.IsCancellationRequested;
            return (connection, transaction, number);
        }
    }

    /// <summary>Runs something on a connection of the application's.</summary>
    internal async Task<T> RunAsync<T>(Work work, Func<CancellationToken, Task<T>> operation, Func<ValueTask>? end, CancellationToken cancellationToken)
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

    /// <summary>Ends a prepared transaction, and then does other things.</summary>
    internal static async Task<bool> EndAsync(
        NpgsqlConnection connection, string verb, string name, IReadOnlyList<NpgsqlBatchCommand> then, CancellationToken cancellationToken)
    {
        // Each a transaction of its own, since ending another one is none of a transaction's.
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
