using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;
using NpgsqlTypes;

namespace Formatters.Queues.PostgreSql;

/// <summary>A queue's id, and the ids of the queues that its handle's options name.</summary>
/// <param name="Id">The queue's number.</param>
/// <param name="DeadLetterId">The dead-letter queue's number, or null.</param>
/// <param name="JournalId">The journal queue's number, or null.</param>
internal sealed record QueueTarget(int Id, int? DeadLetterId, int? JournalId);

/// <summary>The connections to a database: pooled with durable commits, pooled with asynchronous commits, and one per session.</summary>
internal sealed class Database : IAsyncDisposable
{
    // Queue tables are empty at one moment and large at the next: plans must not depend on the time of the last statistics. JIT is off: a scan that
    // is disabled but unavoidable has such a high estimated cost that every statement would be compiled, for 100 to 300 ms. Keepalives detect
    // vanished receivers, whose locks must be freed. Isolation: under another default, which a role may have, concurrent receivers fail instead of
    // skipping each other's rows.
    private const string Settings =
        "-c enable_seqscan=off -c enable_bitmapscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan -c "
        + "jit=off "
        + "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3 -c standard_conforming_strings=on -c "
        + "search_path=pg_catalog "
        + @"-c default_transaction_isolation=read\ committed ";

    private const string WaitForDisk = "-c synchronous_commit=on";
    private const string DoNotWaitForDisk = "-c synchronous_commit=off";

    private readonly NpgsqlDataSource _durable;
    private readonly NpgsqlDataSource _lazy;
    private readonly SemaphoreSlim _openGate = new(1, 1);
    private readonly ConcurrentDictionary<int, long> _idCleanUps = new();
    private volatile bool _isOpen;

    internal Database(string connectionString, PostgreSqlQueueOptions options)
    {
        var statements = new Statements(options.SchemaName);
        ConnectionString = connectionString;
        Statements = statements;
        _durable = Create(WaitForDisk, isPooled: true);
        _lazy = Create(DoNotWaitForDisk, isPooled: true);
        DeadRows = new DeadRows(OpenOwnAsync, statements.Vacuum, options.VacuumThreshold);
        Time = options.TimeProvider;
    }

    internal string ConnectionString { get; }

    internal Statements Statements { get; }

    /// <summary>Gets the clock for leases.</summary>
    internal TimeProvider Time { get; }

    /// <summary>Gets the count of dead rows, which schedules vacuums.</summary>
    internal DeadRows DeadRows { get; }

    /// <summary>Gets or sets the number of open handles; guarded by the provider's lock.</summary>
    internal int HandleCount { get; set; }

    internal string Product { get; private set; } = "PostgreSQL";

    /// <summary>Gets a description of server settings that weaken durability, as read when the database was opened; null if there are none.</summary>
    internal string? DurabilityWarning { get; private set; }

    /// <summary>Gets the first key of this schema's advisory locks; the second is a session's or a queue's id.</summary>
    internal int LockClass { get; private set; }

    /// <summary>Gets the id that distinguishes this schema from those in other databases.</summary>
    internal Guid SchemaKey { get; private set; }

    internal static string ConnectionStringOf(PostgreSqlAddress address, string settings)
    {
        var builder = new NpgsqlConnectionStringBuilder(settings) { Host = address.Host, Port = address.Port, Database = address.Database };
        if (address.User is not null)
            builder.Username = address.User;
        if (address.Password is not null)
            builder.Password = address.Password;
        return builder.ConnectionString;
    }

    /// <summary>Connects, and creates the schema if it does not exist.</summary>
    internal async Task OpenAsync(PostgreSqlAddress address, TimeSpan timeout, CancellationToken cancellationToken)
    {
        if (_isOpen)
            return;
        await _openGate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (_isOpen)
                return;
            await RunAsync(
                new Work("open the queue", address.Text, timeout),
                isDurable: true,
                async (connection, token) =>
                {
                    (LockClass, SchemaKey) = await Schema.OpenAsync(connection, Statements, token).ConfigureAwait(false);
                    Product = $"PostgreSQL {connection.PostgreSqlVersion}";
                    await using (NpgsqlCommand durabilityWarning = new(Statements.DurabilityWarning, connection))
                        DurabilityWarning = await durabilityWarning.ExecuteScalarAsync(token).ConfigureAwait(false) as string;
                    await using NpgsqlCommand forget = new(Statements.ForgetDeleted, connection);
                    return await forget.ExecuteNonQueryAsync(token).ConfigureAwait(false);
                },
                cancellationToken).ConfigureAwait(false);
            _isOpen = true;
        }
        finally
        {
            _openGate.Release();
        }
    }

    /// <summary>Finds the queue and those that the options name, and creates those that do not exist.</summary>
    internal Task<QueueTarget> OpenQueueAsync(PostgreSqlAddress address, QueueOptions options, CancellationToken cancellationToken) => RunAsync(
        new Work("open the queue", address.Text, options.OperationTimeout),
        isDurable: true,
        async (connection, token) => new QueueTarget(
            await OpenQueueAsync(connection, address.QueueName, token).ConfigureAwait(false),
            options.DeadLetterQueue is { } deadLetters ? await OpenQueueAsync(connection, deadLetters, token).ConfigureAwait(false) : null,
            options.JournalQueue is { } journal ? await OpenQueueAsync(connection, journal, token).ConfigureAwait(false) : null),
        cancellationToken);

    /// <summary>Determines whether the database has the tables of the queues.</summary>
    internal async Task<bool> HasTablesAsync(PostgreSqlAddress address, TimeSpan timeout, CancellationToken cancellationToken) =>
        _isOpen || await RunAsync(
        new Work("list the queues", address.Text, timeout),
        isDurable: false,
        async (connection, token) =>
        {
            await using var command = new NpgsqlCommand("SELECT to_regclass($1) IS NOT NULL", connection)
            {
                Parameters = { new NpgsqlParameter<string> { TypedValue = $"{Statements.Quote(Statements.SchemaName)}.version" } },
            };
            return (bool)(await command.ExecuteScalarAsync(token).ConfigureAwait(false))!;
        },
        cancellationToken).ConfigureAwait(false);

    /// <summary>Returns the status of every queue, or of the queue in the address.</summary>
    internal Task<List<QueueStatus>> ListAsync(PostgreSqlAddress address, QueueAddress place, TimeSpan timeout,
        CancellationToken cancellationToken) => RunAsync(
        new Work("list the queues", address.Text, timeout),
        isDurable: false,
        async (connection, token) =>
        {
            await using var command = new NpgsqlCommand(Statements.List, connection)
            {
                Parameters = { new() { Value = address.QueueName.Length > 0 ? address.QueueName : DBNull.Value, NpgsqlDbType = NpgsqlDbType.Text },
                    NewLockClassParameter() },
            };
            var queues = new List<QueueStatus>();
            await using NpgsqlDataReader row = await command.ExecuteReaderAsync(token).ConfigureAwait(false);
            while (await row.ReadAsync(token).ConfigureAwait(false))
            {
                string name = row.GetString(0);
                TimeSpan? age = row.IsDBNull(4) ? null : row.GetTimeSpan(4);
                queues.Add(new QueueStatus
                {
                    Address = place.WithQueueName(name),
                    Name = name,
                    MessageCount = row.GetInt64(1),
                    LockedCount = row.GetInt64(2),
                    OldestSentTime = PostgreSqlMessage.TimeOf(row, 3),
                    OldestAge = age < TimeSpan.Zero ? TimeSpan.Zero : age,
                });
            }

            // Sorted here, because the database uses its collation.
            queues.Sort(static (a, b) => string.CompareOrdinal(a.Name, b.Name));
            return queues;
        },
        cancellationToken);

    internal Task<int> OpenTopicAsync(PostgreSqlAddress address, TimeSpan timeout, CancellationToken cancellationToken) => RunAsync(
        new Work("open the topic", address.Text, timeout),
        isDurable: true,
        (connection, token) => FindOrCreateAsync(connection, Statements.FindTopic, Statements.CreateTopic, address.QueueName, token),
        cancellationToken);

    internal Task<bool> DeleteQueueAsync(PostgreSqlAddress address, TimeSpan timeout, CancellationToken cancellationToken) => RunAsync(
        new Work("delete the queue", address.Text, timeout) { ChangesSomething = true },
        isDurable: true,
        async (connection, token) =>
        {
            await using NpgsqlTransaction transaction = await connection.BeginTransactionAsync(token).ConfigureAwait(false);
            await using var delete = new NpgsqlCommand(
                Statements.DeleteQueue, connection, transaction) { Parameters = { new() { Value = address.QueueName } } };
            if (await delete.ExecuteScalarAsync(token).ConfigureAwait(false) is not int id)
                return false;
            await DropMessagesAsync(transaction, id, token).ConfigureAwait(false);
            await transaction.CommitAsync(token).ConfigureAwait(false);
            return true;
        },
        cancellationToken);

    /// <summary>Determines whether the caller should delete the expired ids of a queue; true for one sender per interval.</summary>
    internal bool IsTimeToForgetIds(int queueId, TimeSpan interval)
    {
        long now = Environment.TickCount64;
        long last = _idCleanUps.GetOrAdd(queueId, now);
        return now - last >= interval.TotalMilliseconds && _idCleanUps.TryUpdate(queueId, now, last);
    }

    /// <summary>Creates parameter $2 of the statements that check which sessions are alive.</summary>
    internal NpgsqlParameter NewLockClassParameter() => new() { Value = unchecked((uint)LockClass), NpgsqlDbType = NpgsqlDbType.Oid };

    /// <summary>Deletes the messages of a queue that is being deleted, and wakes its receivers.</summary>
    internal async Task DropMessagesAsync(NpgsqlTransaction transaction, int queueId, CancellationToken cancellationToken)
    {
        await using var batch = new NpgsqlBatch(transaction.Connection, transaction)
        {
            BatchCommands =
            {
                new(Statements.DeleteMessages) { Parameters = { new() { Value = queueId } } },
                new(Statements.NotifyAll) { Parameters = { new() { Value = queueId } } },
            },
        };
        await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Runs an operation on a pooled connection.</summary>
    /// <param name="work">A description of the operation, for exceptions.</param>
    /// <param name="isDurable">Whether its commits wait for the disk.</param>
    /// <param name="operation">The operation to run.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="QueueException">It failed.</exception>
    internal async Task<T> RunAsync<T>(Work work, bool isDurable, Func<NpgsqlConnection, CancellationToken, Task<T>> operation,
        CancellationToken cancellationToken)
    {
        NpgsqlConnection connection = await ConnectAsync(isDurable ? _durable : _lazy, work, cancellationToken).ConfigureAwait(false);
        try
        {
            return await WithinAsync(work, token => operation(connection, token), connection.DisposeAsync, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            throw Explain(e, work, cancellationToken);
        }
    }

    /// <summary>Runs an operation, and stops waiting for it at its timeout.</summary>
    /// <param name="work">A description of the operation, with its timeout.</param>
    /// <param name="operation">The operation. It continues in the background after a timeout or a cancellation, because Npgsql's own cancellation
    /// asks the server and waits for the answer.</param>
    /// <param name="end">Cleanup to run when the operation has ended, however late.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    internal static async Task<T> WithinAsync<T>(Work work, Func<CancellationToken, Task<T>> operation, Func<ValueTask>? end,
        CancellationToken cancellationToken)
    {
        var stop = new CancellationTokenSource();
        // Checked first: an operation that completes synchronously would ignore the cancellation.
        Task<T> task = cancellationToken.IsCancellationRequested ? Task.FromCanceled<T>(cancellationToken) : operation(stop.Token);
        try
        {
            return await task.WaitAsync(work.Timeout, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            if (task.IsCompleted)
                await EndAsync().ConfigureAwait(false);
            else
                _ = AbandonAsync();
        }

        async Task AbandonAsync()
        {
            await Task.Run(stop.Cancel, CancellationToken.None).ConfigureAwait(false);
            await ((Task)task).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await EndAsync().ConfigureAwait(false);
        }

        ValueTask EndAsync()
        {
            stop.Dispose();
            return end?.Invoke() ?? default;
        }
    }

    /// <summary>Opens a connection outside the pools; closing it releases what its session holds.</summary>
    internal async Task<NpgsqlConnection> OpenSessionAsync(Work work, bool isDurable)
    {
        NpgsqlDataSource source = Create(isDurable ? WaitForDisk : DoNotWaitForDisk, isPooled: false);
        await using (source.ConfigureAwait(false))
            return await ConnectAsync(source, work, CancellationToken.None).ConfigureAwait(false);
    }

    /// <summary>Converts an exception of Npgsql into the exception for the caller.</summary>
    internal Exception Explain(Exception e, Work work, CancellationToken cancellationToken)
    {
        switch (e)
        {
            case QueueException or ArgumentException or ObjectDisposedException { ObjectName: nameof(QueueClient) }:
                return e;
            case OperationCanceledException when cancellationToken.IsCancellationRequested:
                return new OperationCanceledException(cancellationToken);
            case PostgresException { InvariantSeverity: "ERROR" } refused:
                // The whole transaction is rolled back.
                return new QueueException($"Could not {work.What} at '{work.Address}': {refused.MessageText}", refused)
                {
                    // A limit of the program: a row or a statement that is too large.
                    Code = refused.SqlState.StartsWith("54", StringComparison.Ordinal) ? QueueErrorCode.TooLarge : QueueErrorCode.None,
                };
            case OperationCanceledException or TimeoutException or NpgsqlException { InnerException: TimeoutException }:
            {
                string when = work.Timeout == Timeout.InfiniteTimeSpan
                    ? "in time"
                    : FormattableString.Invariant($"within {work.Timeout.TotalSeconds:0.###} s");
                return new QueueException($"Could not {work.What} at '{work.Address}': the server did not answer {when}.{work.Unknown}", e)
                {
                    OutcomeUnknown = work.ChangesSomething,
                    IsUnreachable = true,
                };
            }
            default:
                // The other idle connections of the pools are probably broken as well.
                _durable.Clear();
                _lazy.Clear();
                return new QueueException(
                    $"Could not {work.What}: the connection to '{work.Address}' was lost "
                    + $"({(e as PostgresException)?.MessageText ?? e.Message}).{work.Unknown}", e)
                {
                    OutcomeUnknown = work.ChangesSomething,
                    IsUnreachable = true,
                };
        }
    }

    /// <summary>Determines whether an exception means that a running server rejected a statement, which then had no effect.</summary>
    internal static bool IsRefusal(Exception e) =>
        e is QueueException { OutcomeUnknown: false, InnerException: PostgresException { InvariantSeverity: "ERROR" } refused }
        && !refused.SqlState.StartsWith("57", StringComparison.Ordinal);

    public async ValueTask DisposeAsync()
    {
        await DeadRows.DisposeAsync().ConfigureAwait(false);
        await _durable.DisposeAsync().ConfigureAwait(false);
        await _lazy.DisposeAsync().ConfigureAwait(false);
    }

    internal static async Task<NpgsqlConnection> ConnectAsync(NpgsqlDataSource source, Work work, CancellationToken cancellationToken)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        stop.CancelAfter(work.Timeout);
        try
        {
            return await source.OpenConnectionAsync(stop.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is NpgsqlException or OperationCanceledException or TimeoutException or System.Net.Sockets.SocketException
            or System.IO.IOException)
        {
            cancellationToken.ThrowIfCancellationRequested();
            string because = e switch
            {
                PostgresException { SqlState: PostgresErrorCodes.InvalidPassword or PostgresErrorCodes.InvalidAuthorizationSpecification } refused =>
                    $"the server refused the user or the password ({refused.MessageText}).",
                PostgresException { SqlState: PostgresErrorCodes.TooManyConnections } refused =>
                    $"the server has no more connections ({refused.MessageText}). Each handle that receives keeps one: raise max_connections, or "
                    + "receive from fewer queues.",
                PostgresException refused => $"the server refused: {refused.MessageText}.",
                { InnerException: System.Net.Sockets.SocketException socket } =>
                    $"no server listens there ({socket.Message}). Is PostgreSQL started, and is the port its port?",
                OperationCanceledException or TimeoutException =>
                    FormattableString.Invariant($"no answer within {work.Timeout.TotalSeconds:0.###} s."),
                _ => e.Message,
            };
            throw new QueueException($"Could not {work.What}: '{work.Address}' cannot be reached: {because}", e) { IsUnreachable = true };
        }
    }

    internal Task<int> OpenQueueAsync(NpgsqlConnection connection, string name, CancellationToken cancellationToken) =>
        FindOrCreateAsync(connection, Statements.FindQueue, Statements.CreateQueue, name, cancellationToken);

    internal static async Task<int> FindOrCreateAsync(NpgsqlConnection connection, string findText, string createText, string name,
        CancellationToken cancellationToken)
    {
        while (true)
        {
            await using var find = new NpgsqlCommand(findText,
                connection) { Parameters = { new() { Value = name, NpgsqlDbType = NpgsqlDbType.Text } } };
            if (await find.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false) is int id)
                return id;
            await using var create = new NpgsqlCommand(
                createText, connection) { Parameters = { new() { Value = name, NpgsqlDbType = NpgsqlDbType.Text } } };
            await create.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Creates a separate pool with durable commits.</summary>
    internal NpgsqlDataSource CreateDurable(int cancellationTimeout) => Create(WaitForDisk, isPooled: true, cancellationTimeout);

    /// <summary>Opens a connection outside the pools, which may have a maximum size of one.</summary>
    private async Task<NpgsqlConnection> OpenOwnAsync(CancellationToken cancellationToken)
    {
        NpgsqlDataSource source = Create(DoNotWaitForDisk, isPooled: false);
        await using (source.ConfigureAwait(false))
            return await source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
    }

    private NpgsqlDataSource Create(string settings, bool isPooled, int cancellationTimeout = 500)
    {
        var builder = new NpgsqlConnectionStringBuilder(ConnectionString) { Pooling = isPooled, MaxAutoPrepare = 50, AutoPrepareMinUsages = 2,
            NoResetOnClose = true };
        // An unresponsive server does not answer a cancellation request either.
        builder.CancellationTimeout = cancellationTimeout;
        builder.CommandTimeout = 0;
        // The queues use their own transactions. An ambient one is rejected where it could be meant (QueueChecks), and is not joined elsewhere.
        builder.Enlist = false;
        builder.Options = $"{builder.Options} {Settings}{settings}".TrimStart();
        if (string.IsNullOrEmpty(builder.ApplicationName))
            builder.ApplicationName = "Formatters.Queues";
        return NpgsqlDataSource.Create(builder);
    }
}

/// <summary>A description of an operation, for its exceptions.</summary>
/// <param name="What">The operation, such as "send the message".</param>
/// <param name="Address">The address, without the password.</param>
/// <param name="Timeout">How long the server may take.</param>
internal sealed record Work(string What, string Address, TimeSpan Timeout)
{
    /// <summary>Gets or sets whether the operation may have had an effect if no answer arrives. An operation may set this while it runs.</summary>
    internal bool ChangesSomething { get; set; }

    /// <summary>Gets the sentence that a timeout's exception adds in this case.</summary>
    internal string Unknown => ChangesSomething ? " It may or may not have been done." : "";
}
