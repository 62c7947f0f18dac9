using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>
/// A transaction over a folder and the location of a <see cref="ResourceManager"/>: sends and receives of queues in both, and the application's own
/// rows, all or nothing.
/// </summary>
/// <remarks>
/// From <see cref="TransactionCoordinator.BeginTransactionAsync"/>. Queues of both locations, opened with <see cref="DeliveryMode.Transactional"/>,
/// accept it as their transaction.
/// </remarks>
public sealed class CoordinatedTransaction : QueueTransaction
{
    private readonly TransactionCoordinator _coordinator;
    private int _hasEnded;

    internal CoordinatedTransaction(TransactionCoordinator coordinator, QueueTransaction local, TransactionBranch branch)
    {
        _coordinator = coordinator;
        Local = local;
        Branch = branch;
    }

    /// <summary>Gets the part of the transaction in the resource manager's location.</summary>
    public TransactionBranch Branch { get; }

    /// <summary>Gets the part in the folder.</summary>
    internal QueueTransaction Local { get; }

    /// <summary>Commits the transaction in both locations.</summary>
    /// <param name="cancellationToken">Cancels the wait for the resource manager to prepare its part, and rolls back in both locations; without
    /// effect afterwards.</param>
    /// <returns>Completes when the decision is flushed in the folder's log and the resource manager has committed. If the resource manager cannot be
    /// reached, the transaction is still committed: <see cref="TransactionCoordinator.UndeliveredCount"/> counts it, and the resource manager commits
    /// as soon as it can be reached.</returns>
    /// <exception cref="QueueException">The transaction is rolled back in both locations. Only with <see cref="QueueException.OutcomeUnknown"/> may
    /// it instead be committed in both: after a failed write of the log, until the folder is opened again; or, if nothing was sent or received in the
    /// folder, after a lost connection.</exception>
    /// <exception cref="InvalidOperationException">It is already committed or rolled back.</exception>
    public override async ValueTask CommitAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        End();
        try
        {
            if (!_coordinator.IsEmpty(Local))
            {
                await _coordinator.CommitAsync(Local, Branch, cancellationToken).ConfigureAwait(false);
                return;
            }

            // With nothing in the folder no agreement is needed.
            await Local.RollbackAsync(CancellationToken.None).ConfigureAwait(false);
            await Branch.Transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            await Branch.DisposeAsync().ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public override async ValueTask RollbackAsync(CancellationToken cancellationToken = default)
    {
        End();
        await Local.RollbackAsync(CancellationToken.None).ConfigureAwait(false);
        try
        {
            await Branch.Transaction.RollbackAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            await Branch.DisposeAsync().ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _hasEnded, 1) != 0)
            return;
        await Local.DisposeAsync().ConfigureAwait(false);
        await Branch.Transaction.DisposeAsync().ConfigureAwait(false);
        await Branch.DisposeAsync().ConfigureAwait(false);
    }

    private void End()
    {
        if (Interlocked.Exchange(ref _hasEnded, 1) != 0)
            throw LocalTransaction.Ended();
    }
}
