using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>Opens queues in a PostgreSQL database: <c>postgres://[user[:password]@]host[:port]/database/queue</c>.</summary>
/// <remarks>
/// <para>The queues of a database are in one schema, created on first use; see <see cref="PostgreSqlQueueOptions.SchemaName"/>. Its layout has a
/// version: a layout newer than this library is rejected. A queue that does not exist is created; it holds messages of every delivery mode.</para>
/// <para>Express messages are rows of an unlogged table: they survive the end of every client, but not a crash of the server. Recoverable messages
/// are rows of a logged table, sent with <c>synchronous_commit = on</c>. Concurrent sends are combined into one statement in one transaction of the
/// database.</para>
/// <para>A transaction is one of the database: all or nothing, over any number of its queues, and with <see
/// cref="PostgreSqlQueueExtensions.UseTransaction"/> together with the application's own rows.</para>
/// <para>A lost connection fails the operations in progress, with <see cref="QueueException.OutcomeUnknown"/> if the server may have executed them;
/// later operations of the same handle reconnect. Messages locked by a receiver go back to the queue when its connection ends.</para>
/// </remarks>
public sealed class PostgreSqlQueueProvider : QueueProvider
{
    private readonly PostgreSqlQueueOptions _options;
    private readonly Dictionary<string, Database> _databases = new(StringComparer.Ordinal);
    private readonly Lock _gate = new();

    /// <summary>Creates a provider with <see cref="PostgreSqlQueueOptions.Default"/>.</summary>
    public PostgreSqlQueueProvider()
        : this(PostgreSqlQueueOptions.Default)
    {
    }

    /// <summary>Creates a provider of queues in PostgreSQL.</summary>
    /// <param name="options">How it connects.</param>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    public PostgreSqlQueueProvider(PostgreSqlQueueOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
    }

    /// <inheritdoc/>
    public override IReadOnlyList<string> Schemes { get; } = ["postgres", "postgresql"];

    /// <inheritdoc/>
    public override async ValueTask<QueueClient> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
    {
        PostgreSqlAddress own = PostgreSqlAddress.Parse(address);
        ArgumentNullException.ThrowIfNull(options);
        return await OpenAsync(own, address, options, closing: null, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public override async ValueTask<MessageTopic> OpenTopicAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
    {
        PostgreSqlAddress own = PostgreSqlAddress.Parse(address);
        ArgumentNullException.ThrowIfNull(options);
        options = options with { DeliveryMode = options.DeliveryMode ?? DeliveryMode.Recoverable };
        PostgreSqlQueue.CapabilitiesOf(options).ThrowIfNotSupported(options, address);
        if (options.DuplicateWindow is not null)
            throw new NotSupportedException($"'{address}': {nameof(QueueOptions.DuplicateWindow)} is not supported by a topic.");
        Database database = Rent(own);
        try
        {
            await database.OpenAsync(own, options.OperationTimeout, cancellationToken).ConfigureAwait(false);
            int id = await database.OpenTopicAsync(own, options.OperationTimeout, cancellationToken).ConfigureAwait(false);
            return new PostgreSqlTopic(this, database, own, id, address, options, () => ReturnAsync(database));
        }
        catch
        {
            await ReturnAsync(database).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Opens a database for transactions over it and a folder; see <see cref="FileQueueProvider.OpenCoordinatorAsync"/>.</summary>
    /// <param name="address">The database's address, without a queue: <c>postgres://[user[:password]@]host[:port]/database</c>. Queues that this
    /// provider opens with the same host, port, database, user and password can be in the transactions.</param>
    /// <param name="connections"> The application's connections, on which the transactions run, if it has its own settings or types; null for those
    /// of the address. They must have the database and the user of <paramref name="address"/>, and stay open for as long as the resource manager.
    /// </param>
    /// <param name="operationTimeout">How long the server may take to connect and for each step of a commit; null for the default of
    /// <see cref="QueueOptions.OperationTimeout"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The resource manager; dispose it after the coordinators that it was given to.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="address"/> is null.</exception>
    /// <exception cref="FormatException">The address has another form.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="operationTimeout"/> is outside the range of
    /// <see cref="QueueOptions.OperationTimeout"/>.</exception>
    /// <exception cref="ArgumentException"><paramref name="connections"/> lead to another database, or have another user.</exception>
    /// <exception cref="QueueException">The server cannot be reached, refused, or does not support prepared transactions: its
    /// <c>max_prepared_transactions</c> is 0, the default of PostgreSQL.</exception>
    /// <remarks>The schema of the queues is created if it does not exist: its key names the database in the log of the folder.</remarks>
    public async ValueTask<ResourceManager> OpenResourceManagerAsync(
        string address, NpgsqlDataSource? connections = null, TimeSpan? operationTimeout = null, CancellationToken cancellationToken = default)
    {
        PostgreSqlAddress own = PostgreSqlAddress.ParseDatabase(QueueAddress.Parse(address));
        // Validates the option's range.
        TimeSpan timeout = (operationTimeout is { } given
            ? QueueOptions.Default with { OperationTimeout = given }
            : QueueOptions.Default).OperationTimeout;
        Database database = Rent(own);
        var resourceManager = new PostgreSqlResourceManager(database, own.Text, connections, timeout, () => ReturnAsync(database));
        try
        {
            await database.OpenAsync(own, timeout, cancellationToken).ConfigureAwait(false);
            await resourceManager.CheckAsync(cancellationToken).ConfigureAwait(false);
            return resourceManager;
        }
        catch
        {
            await resourceManager.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Opens a queue.</summary>
    /// <param name="own">The parsed address.</param>
    /// <param name="address">The same, for the handle.</param>
    /// <param name="options">How.</param>
    /// <param name="closing">Is called when the handle is closed, or null.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    internal async ValueTask<QueueClient> OpenAsync(
        PostgreSqlAddress own, QueueAddress address, QueueOptions options, Func<ValueTask>? closing, CancellationToken cancellationToken)
    {
        options = options with { DeliveryMode = options.DeliveryMode ?? DeliveryMode.Recoverable };
        PostgreSqlQueue.CapabilitiesOf(options).ThrowIfNotSupported(options, address);
        Database database = Rent(own);
        try
        {
            await database.OpenAsync(own, options.OperationTimeout, cancellationToken).ConfigureAwait(false);
            QueueTarget target = await database.OpenQueueAsync(own, options, cancellationToken).ConfigureAwait(false);
            return new PostgreSqlQueue(database, target, address, options, async () =>
            {
                if (closing is not null)
                    await closing().ConfigureAwait(false);
                await ReturnAsync(database).ConfigureAwait(false);
            });
        }
        catch
        {
            await ReturnAsync(database).ConfigureAwait(false);
            throw;
        }
    }

    /// <inheritdoc/>
    public override async ValueTask<bool> DeleteAsync(QueueAddress address, CancellationToken cancellationToken = default)
    {
        PostgreSqlAddress own = PostgreSqlAddress.Parse(address);
        Database database = Rent(own);
        try
        {
            await database.OpenAsync(own, QueueOptions.Default.OperationTimeout, cancellationToken).ConfigureAwait(false);
            return await database.DeleteQueueAsync(own, QueueOptions.Default.OperationTimeout, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            await ReturnAsync(database).ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    /// <remarks>The schema of the queues is created if it does not exist, as when a queue is opened. Messages that a receiver has fetched ahead are
    /// locked.</remarks>
    public override async ValueTask<IReadOnlyList<QueueStatus>> ListAsync(QueueAddress address, CancellationToken cancellationToken = default)
    {
        (PostgreSqlAddress own, QueueAddress place) = PostgreSqlAddress.ParsePlaceOrQueue(address);
        Database database = Rent(own);
        try
        {
            // Opening would create the tables.
            if (!await database.HasTablesAsync(own, QueueOptions.Default.OperationTimeout, cancellationToken).ConfigureAwait(false))
                return [];
            await database.OpenAsync(own, QueueOptions.Default.OperationTimeout, cancellationToken).ConfigureAwait(false);
            return await database.ListAsync(own, place, QueueOptions.Default.OperationTimeout, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            await ReturnAsync(database).ConfigureAwait(false);
        }
    }

    /// <summary>Returns the connections to the database of an address, shared by all handles. The last handle closes them.</summary>
    private Database Rent(PostgreSqlAddress address)
    {
        string connectionString = Database.ConnectionStringOf(address, _options.ConnectionString);
        lock (_gate)
        {
            if (!_databases.TryGetValue(connectionString, out Database? database))
                _databases.Add(connectionString, database =
                    new Database(connectionString, _options));
            database.HandleCount++;
            return database;
        }
    }

    private ValueTask ReturnAsync(Database database)
    {
        lock (_gate)
        {
            if (--database.HandleCount > 0)
                return default;
            _databases.Remove(database.ConnectionString);
        }

        return database.DisposeAsync();
    }
}
