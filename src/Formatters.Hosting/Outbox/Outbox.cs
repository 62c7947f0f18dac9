using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Data;
using System.Data.Common;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Formatters.Hosting;

/// <inheritdoc/>
[SuppressMessage("Security", "CA2100", Justification = "The only names in the statements are those of the tables, which are validated and quoted.")]
internal sealed class Outbox(
    IServiceProvider services, OutboxDatabase database, IOptions<OutboxOptions> options,
    IOptionsMonitor<HostedQueueOptions> queues, PayloadFormatters formatters, TimeProvider time) : IOutbox
{
    private readonly ConcurrentDictionary<(Type Type, string Queue), IMessageFormatter> _formatters = new();
    private readonly SemaphoreSlim _wake = new(0);
    private readonly Lazy<ISenderRegistration[]> _senders = new(() => [.. services.GetServices<ISenderRegistration>()]);
    private string? _databaseName;
    private string? _databaseFile;
    private volatile bool _isFileGone;
    private volatile bool _hasDispatcher;
    private int _isWoken;
    private OutboxTables? _tables;

    internal OutboxOptions Options => options.Value;

    internal OutboxDatabase Database => database;

    public IReadOnlyList<string> CreateTablesSql
    {
        get
        {
            if (_tables is null && Options.Dialect is null)
            {
                throw new InvalidOperationException(
                    $"Set {nameof(OutboxOptions)}.{nameof(OutboxOptions.Dialect)}: the database has not been opened yet.");
            }

            return (_tables ?? new OutboxTables(Options.Dialect!.Value, Options)).Create;
        }
    }

    public Task<string> SendAsync<T>(
        DbTransaction transaction, T message, string? queue = null, SendOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(transaction);
        return SendAsync(transaction, notifies: true, message, queue, options, cancellationToken);
    }

    /// <summary>Adds a message to a transaction, whose commit notifies the dispatchers if no <see cref="Wake"/> follows it.</summary>
    internal async Task<string> SendAsync<T>(
        DbTransaction transaction, bool notifies, T message, string? queue, SendOptions? options, CancellationToken cancellationToken)
    {
        OutboxRow row = Write(message, queue, options);
        DbConnection connection = GetConnection(transaction);
        ThrowIfForeign(connection);
        OutboxTables tables = GetTables(connection);
        try
        {
            DbCommand command = connection.CreateCommand();
            await using (command.ConfigureAwait(false))
            {
                command.Transaction = transaction;
                command.CommandText = notifies && tables.Dialect == OutboxDialect.PostgreSql ? $"{tables.Insert}; {tables.Notify}" : tables.Insert;
                row.AddParameters(command);
                await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is DbException or InvalidOperationException)
        {
            throw tables.Error(
                e, $"The message {row.Contract} for queue '{row.Queue}' was not written to the outbox", connection.State == ConnectionState.Open);
        }

        return row.MessageId;
    }

    public async Task<OutboxTransaction> BeginAsync(CancellationToken cancellationToken = default) =>
        await BeginAsync(null, await WaitToWriteAsync(cancellationToken).ConfigureAwait(false), cancellationToken).ConfigureAwait(false);

    public async Task CreateTablesAsync(CancellationToken cancellationToken = default)
    {
        (DbConnection connection, IAsyncDisposable owner) = await database.OpenAsync(cancellationToken).ConfigureAwait(false);
        await using (owner.ConfigureAwait(false))
        {
            await CreateTablesAsync(connection, cancellationToken).ConfigureAwait(false);
            await CheckTablesAsync(connection, cancellationToken).ConfigureAwait(false);
        }
    }

    public async Task<IReadOnlyList<SetAsideMessage>> GetSetAsideAsync(int maxCount = 100, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maxCount, 1);
        var messages = new List<SetAsideMessage>();
        await RunAsync(
            static tables => tables.SelectSetAside,
            ("@count", maxCount),
            "The messages that were set aside could not be read",
            async command =>
            {
                DbDataReader reader = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
                await using (reader.ConfigureAwait(false))
                {
                    while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                        messages.Add(new SetAsideMessage(
                            reader.GetInt64(0), reader.GetString(1), reader.GetString(2), reader.GetString(3), reader.GetString(4)));
                }
            },
            cancellationToken).ConfigureAwait(false);
        return messages;
    }

    public async Task<bool> RetryAsync(long id, CancellationToken cancellationToken = default)
    {
        int count = 0;
        using (await WaitToWriteAsync(cancellationToken).ConfigureAwait(false))
        {
            await RunAsync(
                static tables => tables.Retry,
                ("@id", id),
                "The message could not be sent again",
                async command => count = await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false),
                cancellationToken).ConfigureAwait(false);
        }

        if (count > 0)
            Wake();
        return count > 0;
    }

    private async Task RunAsync(
        Func<OutboxTables, string> statement, (string Name, object Value) parameter, string failure, Func<DbCommand, Task> run,
        CancellationToken cancellationToken)
    {
        (DbConnection connection, IAsyncDisposable owner) = await database.OpenAsync(cancellationToken).ConfigureAwait(false);
        await using (owner.ConfigureAwait(false))
        {
            DbCommand command = connection.CreateCommand();
            await using (command.ConfigureAwait(false))
            {
                try
                {
                    command.CommandText = statement(GetTables(connection));
                    command.AddParameter(parameter.Name, parameter.Value);
                    await run(command).ConfigureAwait(false);
                }
                catch (Exception e) when (e is DbException or InvalidOperationException)
                {
                    throw GetTables(connection).Error(e, failure, connection.State == ConnectionState.Open);
                }
            }
        }
    }

    public void Wake()
    {
        Interlocked.Exchange(ref _isWoken, 1);
        Look();
    }

    /// <summary>Makes the dispatcher look for messages now, which need not be of this process.</summary>
    internal void Look()
    {
        if (_wake.CurrentCount == 0)
            _wake.Release();
    }

    /// <summary>Creates the row of a message, with its trace context.</summary>
    /// <exception cref="InvalidOperationException">The type has no sender, or several and no queue is given.</exception>
    internal OutboxRow Write<T>(T message, string? queue, SendOptions? options)
    {
        SenderRegistration<T> sender = FindSender<T>(queue);
        IMessageFormatter formatter = _formatters.GetOrAdd((typeof(T), sender.QueueName), static (key, all) => all.Get<T>(key.Queue), formatters);
        QueueMessage written = Sender<T>.Write(formatter, sender.ContractName, message, options, time);
        written.MessageId ??= Guid.NewGuid().ToString("N");
        using Activity? activity = OutboxTelemetry.StartCreate(sender.QueueName, queues.Get(sender.QueueName).Address, written);
        return OutboxRow.Write(sender.QueueName, sender.ContractName, written, time);
    }

    /// <summary>Waits until no other transaction of this process writes to SQLite.</summary>
    /// <returns>The turn, for <see cref="BeginAsync(IServiceProvider, IDisposable, CancellationToken)"/>; null if none is needed.</returns>
    internal async Task<IDisposable?> WaitToWriteAsync(CancellationToken cancellationToken) => (Options.Dialect ?? _tables?.Dialect) is { } dialect
        ? await database.WaitToWriteAsync(dialect, cancellationToken).ConfigureAwait(false)
        : null;

    /// <summary>Begins a transaction with the services of a scope, or in a scope of its own.</summary>
    /// <param name="scope">The services; null for the application's.</param>
    /// <param name="writeTurn">The turn, which ends with the transaction.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <exception cref="OutboxException">The database cannot be opened, or begins no transaction.</exception>
    internal async Task<OutboxTransaction> BeginAsync(IServiceProvider? scope, IDisposable? writeTurn, CancellationToken cancellationToken)
    {
        bool hasBegun = false;
        try
        {
            OutboxWork work = await database.BeginAsync(scope, writeTurn, cancellationToken).ConfigureAwait(false);
            hasBegun = true;
            NoteFile(work.Connection);
            return new OutboxTransaction(this, work);
        }
        catch (Exception e) when (OutboxTables.IsUnavailable(e) && !cancellationToken.IsCancellationRequested)
        {
            throw OutboxTables.Outage(e, "No transaction could be begun in the database of the outbox");
        }
        finally
        {
            if (!hasBegun)
                writeTurn?.Dispose();
        }
    }

    /// <summary>Determines whether the database is at fault for an error of a handler in a transaction.</summary>
    internal bool IsOutage(DbConnection connection, Exception error) =>
        GetTables(connection).IsOutage(error, isOwn: false, connection.State == ConnectionState.Open);

    /// <summary>Writes to the database and undoes it, to find out whether it works.</summary>
    /// <exception cref="DbException">It does not.</exception>
    internal async Task ProbeAsync(DbConnection connection, CancellationToken cancellationToken)
    {
        ThrowIfFileIsGone();
        OutboxTables tables = GetTables(connection);
        using IDisposable? turn = await database.WaitToWriteAsync(tables.Dialect, cancellationToken).ConfigureAwait(false);
        DbTransaction transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
        await using (transaction.ConfigureAwait(false))
        {
            foreach (string statement in tables.Probe)
                await ExecuteAsync(connection, transaction, statement, cancellationToken).ConfigureAwait(false);
            await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Fails if the file of the database was deleted or moved: what is written to it is lost, and SQLite does not notice.</summary>
    /// <remarks>Connections of a pool keep the lost file, so the error stays until the process is started again.</remarks>
    /// <exception cref="OutboxException">The file is not there, or was not at an earlier call.</exception>
    internal void ThrowIfFileIsGone()
    {
        if (_databaseFile is null)
            return;
        _isFileGone |= !File.Exists(_databaseFile);
        if (_isFileGone)
        {
            throw new OutboxException(
                OutboxErrorCode.DatabaseFailed,
                $"The file of the database, {_databaseFile}, was deleted or moved while it was in use. Restore it, and start the application again.")
            {
                IsOutage = true,
            };
        }
    }

    /// <summary>Notes the file of SQLite to which the first connection writes; the dispatcher may not have reached the database yet.</summary>
    private void NoteFile(DbConnection connection)
    {
        if (_databaseFile is null && (Options.Dialect ?? OutboxTables.FindDialect(connection)) == OutboxDialect.Sqlite
            && File.Exists(connection.DataSource))
            _databaseFile = Path.GetFullPath(connection.DataSource);
    }

    /// <summary>Determines whether <see cref="Wake"/> was called since the last call. A dispatcher elsewhere may not know of the message.</summary>
    internal bool TakeWake() => Interlocked.Exchange(ref _isWoken, 0) != 0;

    /// <summary>Notes whether the dispatcher of this process runs.</summary>
    internal void SetDispatching(bool isDispatching) => _hasDispatcher = isDispatching;

    internal Task ListenAsync(DbConnection connection, CancellationToken cancellationToken) =>
        ExecuteAsync(connection, null, GetTables(connection).Listen, cancellationToken);

    internal async Task CommitAsync(OutboxWork work, bool hasMessages, CancellationToken cancellationToken)
    {
        GetConnection(work.Transaction);
        ThrowIfFileIsGone();
        await work.SaveAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            // After a failed statement, even one whose error the application has caught, PostgreSQL answers a commit with a rollback, and not
            // with an error.
            if (DialectOf(work.Connection) == OutboxDialect.PostgreSql)
            {
                // A notification delays the commits of others, so it is left out if the dispatcher is woken here.
                string check = hasMessages && !_hasDispatcher ? GetTables(work.Connection).Notify : "select 1";
                await ExecuteAsync(work.Connection, work.Transaction, check, cancellationToken).ConfigureAwait(false);
            }

            await work.CommitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is DbException or InvalidOperationException)
        {
            throw GetTables(work.Connection).Error(e, "The transaction was not committed", work.Connection.State == ConnectionState.Open);
        }
    }

    internal async Task<bool> TryInsertHandledAsync(
        DbTransaction transaction, string queueName, string messageId, CancellationToken cancellationToken)
    {
        DbConnection connection = GetConnection(transaction);
        OutboxTables tables = GetTables(connection);
        try
        {
            DbCommand command = connection.CreateCommand();
            await using (command.ConfigureAwait(false))
            {
                command.Transaction = transaction;
                command.CommandText = tables.InsertHandled;
                command.AddParameter("@queue", queueName);
                command.AddParameter("@message_id", messageId);
                command.AddParameter("@handled_at", time.GetUtcNow().ToUnixTimeMilliseconds());
                return await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false) > 0;
            }
        }
        catch (Exception e) when (e is DbException or InvalidOperationException)
        {
            throw tables.InboxError(e, $"The message {messageId} of queue '{queueName}' was not written to the inbox");
        }
    }

    internal async Task CreateTablesAsync(DbConnection connection, CancellationToken cancellationToken)
    {
        OutboxTables tables = GetTables(connection);
        bool isSqlite = DialectOf(connection) == OutboxDialect.Sqlite;
        IEnumerable<string> statements = isSqlite ? ["pragma journal_mode = wal", .. tables.Create] : tables.Create;
        await ExecuteAllAsync(connection, statements, "The tables of the outbox could not be created", cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Notes which database the outbox is in, and checks its tables.</summary>
    /// <exception cref="OutboxException">A table or column is missing.</exception>
    internal Task CheckTablesAsync(DbConnection connection, CancellationToken cancellationToken)
    {
        if (DialectOf(connection) == OutboxDialect.Sqlite && connection.DataSource is "" or ":memory:"
            && !connection.ConnectionString.Contains("Cache=Shared", StringComparison.OrdinalIgnoreCase))
        {
            throw new OutboxException(
                OutboxErrorCode.UnknownDatabase, "Each connection has a database of its own: name a file, or share the memory with 'Cache=Shared'.");
        }

        _databaseName = NameOf(connection);
        NoteFile(connection);
        return ExecuteAllAsync(connection, GetTables(connection).Checks, "The outbox cannot be used", cancellationToken);
    }

    /// <summary>Waits for <see cref="Wake"/>.</summary>
    internal Task WaitForWakeAsync(CancellationToken cancellationToken) => _wake.WaitAsync(cancellationToken);

    internal OutboxTables GetTables(DbConnection connection) => _tables ??= new OutboxTables(DialectOf(connection), Options);

    /// <exception cref="OutboxException">The type of the connection is not known.</exception>
    internal OutboxDialect DialectOf(DbConnection connection) => Options.Dialect ?? OutboxTables.FindDialect(connection) ?? throw new OutboxException(
        OutboxErrorCode.UnknownDatabase,
        $"{connection.GetType()} is not a connection of Npgsql or Microsoft.Data.Sqlite. "
            + $"Set {nameof(OutboxOptions)}.{nameof(OutboxOptions.Dialect)}.");

    /// <summary>Gets what tells databases apart: the path of a file of SQLite, the name of a database of PostgreSQL, which may have several
    /// addresses.</summary>
    internal string NameOf(DbConnection connection) => DialectOf(connection) == OutboxDialect.PostgreSql ? connection.Database
        : File.Exists(connection.DataSource) ? Path.GetFullPath(connection.DataSource) : connection.DataSource;

    private static async Task ExecuteAsync(
        DbConnection connection, DbTransaction? transaction, string statement, CancellationToken cancellationToken)
    {
        DbCommand command = connection.CreateCommand();
        await using (command.ConfigureAwait(false))
        {
            command.Transaction = transaction;
            command.CommandText = statement;
            await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task ExecuteAllAsync(DbConnection connection, IEnumerable<string> statements, string failure, CancellationToken cancellationToken)
    {
        try
        {
            foreach (string statement in statements)
                await ExecuteAsync(connection, null, statement, cancellationToken).ConfigureAwait(false);
        }
        catch (DbException e)
        {
            throw GetTables(connection).Error(e, failure, connection.State == ConnectionState.Open);
        }
    }

    private SenderRegistration<T> FindSender<T>(string? queue)
    {
        IEnumerable<SenderRegistration<T>> all = _senders.Value.OfType<SenderRegistration<T>>();
        SenderRegistration<T>[] senders = [.. all.Where(sender => queue is null || sender.QueueName == queue)];
        return senders.DistinctBy(static sender => sender.QueueName).Count() switch
        {
            1 => senders[^1],
            0 => throw new InvalidOperationException(
                $"No sender of {typeof(T)}{(queue is null ? "" : $" for queue '{queue}'")} is registered: call AddSender<{typeof(T).Name}>."),
            _ => throw new InvalidOperationException(
                $"{typeof(T)} has several senders; name the queue: {string.Join(", ", senders.Select(static sender => sender.QueueName))}."),
        };
    }

    private static DbConnection GetConnection(DbTransaction transaction)
    {
        DbConnection? connection = null;
        Exception? error = null;
        try
        {
            connection = transaction.Connection;
        }
        catch (Exception e) when (e is InvalidOperationException or DbException)
        {
            error = e;
        }

        return connection
            ?? throw new OutboxException(OutboxErrorCode.EndedTransaction, "The transaction was committed or rolled back before.", error);
    }

    private void ThrowIfForeign(DbConnection connection)
    {
        OutboxDialect? other = OutboxTables.FindDialect(connection);
        bool isForeign = other is not null && _tables is not null && other != _tables.Dialect;
        if (!isForeign && _databaseName is { } name)
            isForeign = NameOf(connection) != name;
        if (isForeign)
        {
            throw new OutboxException(
                OutboxErrorCode.ForeignTransaction,
                $"The transaction is of the database '{connection.Database}' ({connection.DataSource}), and the outbox is in '{_databaseName}': "
                    + "the message would never be sent.");
        }
    }
}
