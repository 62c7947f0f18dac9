using System;
using System.Data.Common;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.Extensions.DependencyInjection;

namespace Formatters.Hosting;

/// <summary>Opens the database of a <c>DbContext</c> for the outbox, within the transactions of the context.</summary>
internal sealed class ContextDatabase<TContext>(IServiceScopeFactory scopes) : OutboxDatabase
    where TContext : DbContext
{
    internal override async Task<(DbConnection Connection, IAsyncDisposable Owner)> OpenAsync(CancellationToken cancellationToken)
    {
        AsyncServiceScope scope = scopes.CreateAsyncScope();
        try
        {
            var context = scope.ServiceProvider.GetRequiredService<TContext>();
            await context.Database.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
            return (context.Database.GetDbConnection(), scope);
        }
        catch
        {
            await scope.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    internal override async Task<OutboxWork> BeginAsync(IServiceProvider? scope, IDisposable? writeTurn, CancellationToken cancellationToken)
    {
        AsyncServiceScope? own = scope is null ? scopes.CreateAsyncScope() : null;
        TContext? context = null;
        try
        {
            context = (scope ?? own!.Value.ServiceProvider).GetRequiredService<TContext>();
            await context.Database.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
            IDbContextTransaction transaction = await context.Database.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
            return new ContextWork(context, transaction, writeTurn, own);
        }
        catch
        {
            if (context is not null)
                await context.Database.CloseConnectionAsync().ConfigureAwait(false);
            if (own is not null)
                await own.Value.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }
}

/// <summary>A transaction of a context, which saves the changes before it commits.</summary>
internal sealed class ContextWork(DbContext context, IDbContextTransaction transaction, IDisposable? writeTurn, IAsyncDisposable? ownScope)
    : OutboxWork(context.Database.GetDbConnection(), transaction.GetDbTransaction())
{
    private bool _isCommitted;

    /// <summary>Always: a message may have been added to the context.</summary>
    internal override bool HasMessages => true;

    internal override Task SaveAsync(CancellationToken cancellationToken) => context.SaveChangesAsync(cancellationToken);

    internal override async Task CommitAsync(CancellationToken cancellationToken)
    {
        await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
        _isCommitted = true;
    }

    public override async ValueTask DisposeAsync()
    {
        try
        {
            // The next attempt begins with an empty context.
            if (!_isCommitted)
                context.ChangeTracker.Clear();
            await transaction.DisposeAsync().ConfigureAwait(false);
            await context.Database.CloseConnectionAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is DbException or InvalidOperationException)
        {
            // The connection is broken, and the database rolls back.
        }
        finally
        {
            writeTurn?.Dispose();
            if (ownScope is not null)
                await ownScope.DisposeAsync().ConfigureAwait(false);
        }
    }
}
