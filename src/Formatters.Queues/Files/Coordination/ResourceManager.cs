using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>
/// A location outside a folder that takes part in its transactions by two-phase commit (X/Open's resource manager): a database that can prepare a
/// transaction, and keep it prepared across a crash.
/// </summary>
/// <remarks>
/// PostgreSQL's is returned by <c>PostgreSqlQueueProvider.OpenResourceManagerAsync</c>. Your own must keep a prepared transaction across the end of
/// its connection and of the database's process, commit and roll it back from any connection by its name, and never reject it once it is prepared.
/// </remarks>
public abstract class ResourceManager : IAsyncDisposable
{
    /// <summary>Identifies the location in the folder's log.</summary>
    /// <value>Never changes, and is not used by any other location.</value>
    public abstract Guid Id { get; }

    /// <summary>Begins the part of a transaction in this location.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The branch; dispose it.</returns>
    /// <exception cref="QueueException">The location cannot be reached, or refused.</exception>
    public abstract ValueTask<TransactionBranch> BeginAsync(CancellationToken cancellationToken = default);

    /// <summary>Lists the prepared transactions, which are neither committed nor rolled back.</summary>
    /// <param name="prefix">The prefix of their names. Others are not listed.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The names, as <see cref="TransactionBranch.PrepareAsync"/> was given them.</returns>
    /// <exception cref="QueueException">The location cannot be reached, or refused.</exception>
    public abstract ValueTask<IReadOnlyList<string>> GetPreparedAsync(string prefix, CancellationToken cancellationToken = default);

    /// <summary>Commits a prepared transaction. If it does not exist, it was committed before, which is not an error.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the commit is durable.</returns>
    /// <exception cref="QueueException">The location cannot be reached, or rejected the call. It is retried later.</exception>
    public abstract ValueTask CommitPreparedAsync(string name, CancellationToken cancellationToken = default);

    /// <summary>
    /// Rolls a prepared transaction back. If it does not exist, it was rolled back before or never prepared, which is not an error.
    /// </summary>
    /// <param name="name">Its name.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when it is rolled back.</returns>
    /// <exception cref="QueueException">The location cannot be reached, or rejected the call. It is retried later.</exception>
    public abstract ValueTask RollbackPreparedAsync(string name, CancellationToken cancellationToken = default);

    /// <summary>Closes the connections to the location. Prepared transactions stay there, and are ended at the next opening.</summary>
    /// <returns>Completes when that is done.</returns>
    public abstract ValueTask DisposeAsync();
}

/// <summary>The part of a <see cref="CoordinatedTransaction"/> in the location of a <see cref="ResourceManager"/>.</summary>
/// <remarks>
/// Until it is prepared, its <see cref="Transaction"/> commits or rolls back on its own. Afterwards <see cref="CommitPreparedAsync"/> or <see
/// cref="RollbackPreparedAsync"/> ends it.
/// </remarks>
public abstract class TransactionBranch : IAsyncDisposable
{
    /// <summary>Gets the transaction that the location's own queues accept.</summary>
    public abstract QueueTransaction Transaction { get; }

    /// <summary>Makes the transaction durable without committing it: from then on, only <see cref="CommitPreparedAsync"/> or
    /// <see cref="RollbackPreparedAsync"/> ends it.</summary>
    /// <param name="name">The name under which the location keeps it: at most 120 ASCII letters, digits, <c>-</c> and <c>_</c>.</param>
    /// <param name="cancellationToken">Cancels the wait; the outcome is unknown then.</param>
    /// <returns>Completes when it is prepared.</returns>
    /// <exception cref="QueueException">It was not prepared, or the outcome is not known; it is then rolled back.</exception>
    public abstract ValueTask PrepareAsync(string name, CancellationToken cancellationToken = default);

    /// <summary>Commits the transaction that <see cref="PrepareAsync"/> has prepared.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the commit is durable.</returns>
    /// <exception cref="QueueException">The location cannot be reached. It is retried later, by name.</exception>
    public abstract ValueTask CommitPreparedAsync(CancellationToken cancellationToken = default);

    /// <summary>
    /// Rolls back the prepared transaction, or what a failed <see cref="PrepareAsync"/> may have left, and returns received messages to their queues.
    /// </summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when it is rolled back.</returns>
    /// <exception cref="QueueException">The location cannot be reached. It is retried later, even after the branch is closed, until it
    /// succeeds.</exception>
    public abstract ValueTask RollbackPreparedAsync(CancellationToken cancellationToken = default);

    /// <summary>Rolls back a transaction that is neither prepared nor committed, and closes the connection.</summary>
    /// <returns>Completes when that is done.</returns>
    public abstract ValueTask DisposeAsync();
}
