using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>A database in which transactions are prepared: <c>PREPARE TRANSACTION</c>, and <c>COMMIT PREPARED</c> when the log of a folder says so.</summary>
internal sealed class PostgreSqlResourceManager : ResourceManager
{
    private readonly Database _database;
    private readonly string _address;
    private readonly TimeSpan _timeout;
    private readonly NpgsqlDataSource? _own;
    private readonly NpgsqlDataSource _connections;
    private readonly Func<ValueTask> _closed;
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
        // With Npgsql's own settings, and the server's: the application's rows are to find what they expect. But a PREPARE that is cancelled is waited for:
        // on a connection that was given up it could happen after it was rolled back.
        _connections = connections ?? (_own = NpgsqlDataSource.Create(
            new NpgsqlConnectionStringBuilder(database.ConnectionString) { CancellationTimeout = (int)Math.Clamp(timeout.TotalMilliseconds / 2, 2_000, int.MaxValue) }));
        _closed = closed;
    }

    public override Guid Id => _database.SchemaKey;

    public override async ValueTask<TransactionBranch> BeginAsync(CancellationToken cancellationToken = default)
    {
        try
        {
            return await BeginOnceAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (QueueException e) when (e.InnerException is NpgsqlException)
        {
            // The server may have been away while the connection lay in the pool, and the others with it. Nothing was done yet.
            _connections.Clear();
            return await BeginOnceAsync(cancellationToken).ConfigureAwait(false);
        }
    }

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
            (connection, token) => EndAsync(connection, "COMMIT PREPARED", name, new NpgsqlBatchCommand(_database.Statements.NotifyWaiters), token),
            cancellationToken).ConfigureAwait(false);

    public override async ValueTask RollbackPreparedAsync(string name, CancellationToken cancellationToken = default) =>
        await _database.RunAsync(
            NewWork("roll the prepared transaction back"),
            isDurable: true,
            (connection, token) => EndAsync(connection, "ROLLBACK PREPARED", name, null, token),
            cancellationToken).ConfigureAwait(false);

    public override async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
            return;
        if (_own is not null)
            await _own.DisposeAsync().ConfigureAwait(false);
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
                $"The server of '{_address}' prepares no transactions: its setting max_prepared_transactions is 0. Set it to the number of transactions that may be under way at once "
                + "(as many as max_connections is always enough) and start the server again.");
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

    internal Work NewWork(string what) => new(what, _address, _timeout);

    private async Task<TransactionBranch> BeginOnceAsync(CancellationToken cancellationToken)
    {
        Work work = NewWork("begin the transaction");
        NpgsqlConnection connection = await Database.ConnectAsync(_connections, work, cancellationToken).ConfigureAwait(false);
        bool hasBegun = false;
        return await RunAsync(work, BeginAsync, () => hasBegun ? default : connection.DisposeAsync(), cancellationToken).ConfigureAwait(false);

        async Task<TransactionBranch> BeginAsync(CancellationToken token)
        {
            NpgsqlTransaction transaction = await connection.BeginTransactionAsync(token).ConfigureAwait(false);
            await using var command = new NpgsqlCommand("SELECT pg_current_xact_id()::text", connection, transaction);
            string number = (string)(await command.ExecuteScalarAsync(token).ConfigureAwait(false))!;
            // One that comes too late is nobody's.
            hasBegun = !token.IsCancellationRequested;
            return new PostgreSqlBranch(this, connection, new PreparableTransaction(_database, transaction, number));
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
            throw _database.Explain(e, work, cancellationToken);
        }
    }

    /// <summary>Ends a prepared transaction, and then does another thing.</summary>
    internal static async Task<bool> EndAsync(NpgsqlConnection connection, string verb, string name, NpgsqlBatchCommand? then, CancellationToken cancellationToken)
    {
        // Each a transaction of its own, since ending another one is none of a transaction's.
        await using var batch = new NpgsqlBatch(connection) { EnableErrorBarriers = true, BatchCommands = { new(EndOf(verb, name)) } };
        if (then is not null)
            batch.BatchCommands.Add(then);
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
