using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Sends and receives that take effect together, at commit. Disposing without a commit rolls back.</summary>
public abstract class QueueTransaction : IAsyncDisposable
{
    /// <summary>Makes the sends and receives of this transaction final.</summary>
    /// <param name="cancellationToken">Cancels the wait; the outcome is unknown then.</param>
    /// <returns>Completes when the guarantee of <see cref="DeliveryMode.Transactional"/> holds.</returns>
    /// <exception cref="QueueException">The transaction could not be committed; see <see cref="QueueException.OutcomeUnknown"/>.</exception>
    /// <exception cref="InvalidOperationException">It is already committed or rolled back.</exception>
    public abstract ValueTask CommitAsync(CancellationToken cancellationToken = default);

    /// <summary>Discards the sends of this transaction, and returns the received messages to their queues.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the received messages are back.</returns>
    /// <exception cref="InvalidOperationException">It is already committed or rolled back.</exception>
    public abstract ValueTask RollbackAsync(CancellationToken cancellationToken = default);

    /// <summary>Rolls the transaction back, unless it was committed or rolled back before.</summary>
    /// <returns>Completes when that is done.</returns>
    public abstract ValueTask DisposeAsync();
}
