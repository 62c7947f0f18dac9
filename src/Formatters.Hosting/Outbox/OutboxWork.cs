using System;
using System.Data.Common;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Hosting;

/// <summary>A connection with an active transaction, and how it is committed.</summary>
internal abstract class OutboxWork(DbConnection connection, DbTransaction transaction) : IAsyncDisposable
{
    internal DbConnection Connection => connection;

    internal DbTransaction Transaction => transaction;

    /// <summary>Gets whether messages may have been written other than by <see cref="OutboxTransaction.SendAsync"/>.</summary>
    internal virtual bool HasMessages => false;

    /// <summary>Writes changes that are not in the database yet.</summary>
    internal virtual Task SaveAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    internal abstract Task CommitAsync(CancellationToken cancellationToken);

    /// <summary>Rolls back if the transaction is not committed.</summary>
    public abstract ValueTask DisposeAsync();
}

/// <summary>A transaction on a connection of its own.</summary>
internal sealed class ConnectionWork(DbConnection connection, DbTransaction transaction, IDisposable? writeTurn) : OutboxWork(connection, transaction)
{
    internal override Task CommitAsync(CancellationToken cancellationToken) => Transaction.CommitAsync(cancellationToken);

    public override async ValueTask DisposeAsync()
    {
        try
        {
            await Transaction.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is DbException or InvalidOperationException)
        {
            // The connection is broken, and the database rolls back.
        }
        finally
        {
            await Connection.DisposeAsync().ConfigureAwait(false);
            writeTurn?.Dispose();
        }
    }
}
