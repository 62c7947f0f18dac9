using System;
using System.Data.Common;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Hosting;

/// <summary>Opens connections to the database of the outbox.</summary>
internal abstract class OutboxDatabase
{
    private static readonly TimeSpan WriteTurnTimeout = TimeSpan.FromSeconds(30);

    // How long the database may take to answer before it is reported as failed. The call goes on.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    private readonly SemaphoreSlim _writeTurn = new(1);

    /// <summary>Opens a connection for the dispatcher. Its disposal closes it.</summary>
    internal abstract Task<(DbConnection Connection, IAsyncDisposable Owner)> OpenAsync(CancellationToken cancellationToken);

    /// <summary>Begins a transaction for a handler or the application.</summary>
    /// <param name="scope">The services of the scope; null for the application's.</param>
    /// <param name="writeTurn">The turn that ends with the transaction; null for none. If no transaction begins, it is not ended.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    internal abstract Task<OutboxWork> BeginAsync(IServiceProvider? scope, IDisposable? writeTurn, CancellationToken cancellationToken);

    /// <summary>Reports that the database does not answer, unless the timer is disposed in time.</summary>
    /// <param name="report">Receives the error, on another thread: SQLite blocks that of its caller.</param>
    /// <param name="time">Measures the time.</param>
    internal static ITimer Watch(Action<Exception> report, TimeProvider time) => time.CreateTimer(
        _ => report(new TimeoutException($"The database has not answered for {Patience.TotalSeconds} seconds.")),
        null,
        Patience,
        Timeout.InfiniteTimeSpan);

    /// <summary>Waits for the turn to write to SQLite, which has one writer at a time and makes others poll, blocking their threads.</summary>
    /// <returns>Ends the turn; null if it did not come in time, or if the database has several writers.</returns>
    internal async Task<IDisposable?> WaitToWriteAsync(OutboxDialect dialect, CancellationToken cancellationToken) =>
        dialect == OutboxDialect.Sqlite && await _writeTurn.WaitAsync(WriteTurnTimeout, cancellationToken).ConfigureAwait(false)
            ? new WriteTurn(_writeTurn)
            : null;

    private sealed class WriteTurn(SemaphoreSlim semaphore) : IDisposable
    {
        private SemaphoreSlim? _semaphore = semaphore;

        public void Dispose() => Interlocked.Exchange(ref _semaphore, null)?.Release();
    }
}

/// <summary>A database whose connections the application creates.</summary>
internal sealed class ConnectionDatabase(IServiceProvider services, Func<IServiceProvider, DbConnection> createConnection) : OutboxDatabase
{
    internal override async Task<(DbConnection Connection, IAsyncDisposable Owner)> OpenAsync(CancellationToken cancellationToken)
    {
        DbConnection connection = await OpenConnectionAsync(services, cancellationToken).ConfigureAwait(false);
        return (connection, connection);
    }

    internal override async Task<OutboxWork> BeginAsync(IServiceProvider? scope, IDisposable? writeTurn, CancellationToken cancellationToken)
    {
        DbConnection connection = await OpenConnectionAsync(scope ?? services, cancellationToken).ConfigureAwait(false);
        try
        {
            DbTransaction transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
            return new ConnectionWork(connection, transaction, writeTurn);
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private async Task<DbConnection> OpenConnectionAsync(IServiceProvider provider, CancellationToken cancellationToken)
    {
        DbConnection connection = createConnection(provider)
            ?? throw new InvalidOperationException("The delegate that creates the connections of the outbox returned null.");
        try
        {
            if (connection.State != System.Data.ConnectionState.Open)
                await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
            return connection;
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }
}
