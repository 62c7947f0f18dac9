using System;
using System.Data.Common;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Hosting;

/// <summary>Opens connections to the database of the outbox.</summary>
internal abstract class OutboxDatabase
{
    private static readonly TimeSpan WriteTurnTimeout = TimeSpan.FromSeconds(30);

    private readonly SemaphoreSlim _writeTurn = new(1);

    /// <summary>Opens a connection for the dispatcher. Its disposal closes it.</summary>
    internal abstract Task<(DbConnection Connection, IAsyncDisposable Owner)> OpenAsync(CancellationToken cancellationToken);

    /// <summary>Begins a transaction for a handler or the application.</summary>
    /// <param name="scope">The services of the scope; null for the application's.</param>
    /// <param name="dialect">Gets the dialect of a connection.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    internal abstract Task<OutboxWork> BeginAsync(
        IServiceProvider? scope, Func<DbConnection, OutboxDialect> dialect, CancellationToken cancellationToken);

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

    internal override async Task<OutboxWork> BeginAsync(
        IServiceProvider? scope, Func<DbConnection, OutboxDialect> dialect, CancellationToken cancellationToken)
    {
        DbConnection connection = await OpenConnectionAsync(scope ?? services, cancellationToken).ConfigureAwait(false);
        IDisposable? turn = null;
        try
        {
            turn = await WaitToWriteAsync(dialect(connection), cancellationToken).ConfigureAwait(false);
            DbTransaction transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
            return new ConnectionWork(connection, transaction, turn);
        }
        catch
        {
            turn?.Dispose();
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
