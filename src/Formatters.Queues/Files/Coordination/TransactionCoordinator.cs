using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>
/// Commits transactions over a folder and a database by two-phase commit with presumed abort. The folder's log is the coordinator's log.
/// </summary>
/// <remarks>
/// <para>A commit prepares the database's part, writes the folder's part and the decision as one block of the log, flushes it, and commits the
/// database's part. When the coordinator is opened, and periodically afterwards, it commits in the database what the log has decided, and rolls back
/// what the folder's process left prepared without a decision.</para>
/// <para>Everything in the folder becomes visible with the decision; changes in the database become visible a moment later.</para>
/// </remarks>
/// <example><code>
/// await using ResourceManager database = await databases.OpenResourceManagerAsync("postgres://localhost/shop");
/// await using TransactionCoordinator coordinator = await folders.OpenCoordinatorAsync("file:queues", database);
/// await using CoordinatedTransaction transaction = await coordinator.BeginTransactionAsync();
/// ReceivedMessage? order = await folderQueue.ReceiveAsync(timeout, transaction);
/// await databaseQueue.SendAsync(bill, transaction);
/// await transaction.CommitAsync();
/// </code></example>
public sealed class TransactionCoordinator : IAsyncDisposable
{
    /// <summary>The interval at which the background task looks for transactions that a late connection has left prepared.</summary>
    private static readonly TimeSpan LookInterval = TimeSpan.FromMinutes(1);

    /// <summary>The pause after a database could not be reached.</summary>
    private static readonly TimeSpan RetryInterval = TimeSpan.FromSeconds(1);

    private readonly ITransactionLog _folder;
    private readonly ResourceManager _resourceManager;
    private readonly ConcurrentDictionary<Guid, TransactionBranch> _toRollBack = new();
    private readonly SemaphoreSlim _resolving = new(1);
    private readonly SemaphoreSlim _wake = new(0);
    private readonly CancellationTokenSource _stop = new();
    private Task _background = Task.CompletedTask;

    internal TransactionCoordinator(ITransactionLog folder, ResourceManager resourceManager)
    {
        _folder = folder;
        _resourceManager = resourceManager;
        // The name contains the folder's id, so that another folder on the same database has other names.
        Prefix = $"formatters_{folder.FolderId:N}_";
    }

    /// <summary>Gets the name prefix of this folder's transactions.</summary>
    internal string Prefix { get; }

    /// <summary>Gets the number of committed transactions that the resource manager has not committed yet, because it could not be reached.</summary>
    /// <value>Zero, unless the database cannot be reached. Transactions that are being committed at the moment do not count.</value>
    public int UndeliveredCount
    {
        get
        {
            ValueTask<IReadOnlyList<Guid>> undelivered = _folder.GetUndeliveredAsync(_resourceManager.Id);
            return (undelivered.IsCompleted ? undelivered.GetAwaiter().GetResult() : undelivered.AsTask().GetAwaiter().GetResult()).Count;
        }
    }

    /// <summary>Begins a transaction over queues of the folder and of the resource manager.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The transaction, for queues of the folder and of the resource manager; dispose it.</returns>
    /// <exception cref="QueueException">The resource manager's location cannot be reached, or refused. PostgreSQL is not contacted yet.</exception>
    /// <exception cref="ObjectDisposedException">The coordinator is closed.</exception>
    public async ValueTask<CoordinatedTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        // The application's connections might enlist in the ambient transaction, and a transaction has only one coordinator.
        QueueChecks.NotInScope("A coordinated transaction");
        TransactionBranch branch = await _resourceManager.BeginAsync(cancellationToken).ConfigureAwait(false);
        return new CoordinatedTransaction(this, _folder.Begin(), branch);
    }

    /// <summary>
    /// Resolves prepared transactions: commits those that are decided, and rolls back those that are undecided and no longer in progress. Opening the
    /// coordinator and its background task do this as well; call this method to do it immediately.
    /// </summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when nothing of this folder is in doubt, except transactions in progress.</returns>
    /// <exception cref="QueueException">The resource manager's location cannot be reached, or refused.</exception>
    /// <exception cref="ObjectDisposedException">The coordinator is closed.</exception>
    public async ValueTask ResolveAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        await _resolving.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            // Closing waits for callers in here: without the folder's lock, prepared transactions may belong to another process.
            ThrowIfDisposed();
            // Branches first, because only they return received messages.
            QueueException? failure = await RollBackBranchesAsync(cancellationToken).ConfigureAwait(false);
            // In this order: a decision made before the list was read and missing in it is delivered; a listed transaction that is then neither
            // decided nor in progress never will be.
            IReadOnlyList<Guid> decided = await _folder.GetUndeliveredAsync(_resourceManager.Id).ConfigureAwait(false);
            IReadOnlyList<string> prepared = await _resourceManager.GetPreparedAsync(Prefix, cancellationToken).ConfigureAwait(false);
            var unknown = new HashSet<Guid>(decided);
            foreach (string name in prepared)
            {
                if (!Guid.TryParseExact(name.AsSpan(Prefix.Length), "N", out Guid id))
                    continue;
                unknown.Remove(id);
                try
                {
                    await EndAsync(id, name, cancellationToken).ConfigureAwait(false);
                }
                catch (QueueException e)
                {
                    failure ??= e;
                }
            }

            foreach (Guid id in unknown)
                await _folder.DeliverAsync(id).ConfigureAwait(false);
            if (failure is not null)
                throw failure;
        }
        finally
        {
            _resolving.Release();
        }
    }

    /// <summary>
    /// Stops the background task. Transactions in progress continue; decisions not yet sent to the database are sent when the coordinator is next
    /// opened.
    /// </summary>
    /// <returns>Completes when it has ended.</returns>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _background.ConfigureAwait(false);
        await _resolving.WaitAsync().ConfigureAwait(false);
        _resolving.Release();
        _folder.Remove(this);
    }

    /// <summary>Resolves existing transactions, and continues in the background unless a test does it itself.</summary>
    internal async ValueTask OpenAsync(bool hasBackground, CancellationToken cancellationToken)
    {
        await ResolveAsync(cancellationToken).ConfigureAwait(false);
        if (hasBackground)
            _background = Task.Run(RunAsync, CancellationToken.None);
    }

    /// <summary>Determines whether nothing was sent or received in the folder.</summary>
    internal bool IsEmpty(QueueTransaction local) => _folder.IsEmpty(local);

    internal async ValueTask CommitAsync(QueueTransaction local, TransactionBranch branch, CancellationToken cancellationToken)
    {
        Guid id = Guid.NewGuid();
        await _folder.EnterAsync(id).ConfigureAwait(false);
        try
        {
            await branch.PrepareAsync(string.Create(CultureInfo.InvariantCulture, $"{Prefix}{id:N}"), cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            await local.RollbackAsync(CancellationToken.None).ConfigureAwait(false);
            await AbortAsync(branch, id).ConfigureAwait(false);
            // Without a decision it is rolled back, whatever its state.
            if (e is QueueException { OutcomeUnknown: true } unknown)
                throw new QueueException(e.Message, e) { IsUnreachable = unknown.IsUnreachable };
            throw;
        }

        try
        {
            await _folder.CommitAsync(local, new Decision(id, _resourceManager.Id)).ConfigureAwait(false);
        }
        catch (QueueException e) when (e.OutcomeUnknown)
        {
            // Only the next opening knows what is on the disk: until then the transaction counts as in progress, so that it is not rolled back here.
            throw;
        }
        catch
        {
            await AbortAsync(branch, id).ConfigureAwait(false);
            throw;
        }

        // It is committed. The database cannot reject a prepared transaction; it can only be unavailable.
        bool isDelivered = false;
        try
        {
            await branch.CommitPreparedAsync(CancellationToken.None).ConfigureAwait(false);
            await _folder.DeliverAsync(id).ConfigureAwait(false);
            isDelivered = true;
        }
        catch (QueueException)
        {
            // Delivered in the background.
        }
        finally
        {
            await LeaveAsync(id, isDelivered).ConfigureAwait(false);
        }
    }

    /// <summary>Rolls back branches whose earlier rollback failed.</summary>
    /// <returns>The error, or null.</returns>
    private async ValueTask<QueueException?> RollBackBranchesAsync(CancellationToken cancellationToken)
    {
        foreach ((Guid id, TransactionBranch branch) in _toRollBack)
        {
            try
            {
                await branch.RollbackPreparedAsync(cancellationToken).ConfigureAwait(false);
                _toRollBack.TryRemove(id, out _);
            }
            catch (QueueException e)
            {
                // The other branches would fail in the same way.
                return e;
            }
        }

        return null;
    }

    private async ValueTask AbortAsync(TransactionBranch branch, Guid id)
    {
        bool isDone = true;
        try
        {
            await branch.RollbackPreparedAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (QueueException)
        {
            // Rolled back in the background.
            _toRollBack[id] = branch;
            isDone = false;
        }
        finally
        {
            await LeaveAsync(id, isDone).ConfigureAwait(false);
        }
    }

    /// <summary>Ends a transaction, or leaves the rest to the background task.</summary>
    private async ValueTask LeaveAsync(Guid id, bool isDone)
    {
        await _folder.LeaveAsync(id).ConfigureAwait(false);
        if (!isDone)
            _wake.Release();
    }

    private async ValueTask EndAsync(Guid id, string name, CancellationToken cancellationToken)
    {
        switch (await _folder.FateOfAsync(id).ConfigureAwait(false))
        {
            case TransactionFate.Committed:
                await _resourceManager.CommitPreparedAsync(name, cancellationToken).ConfigureAwait(false);
                await _folder.DeliverAsync(id).ConfigureAwait(false);
                break;
            case TransactionFate.Aborted:
                await _resourceManager.RollbackPreparedAsync(name, cancellationToken).ConfigureAwait(false);
                break;
        }
    }

    private async Task RunAsync()
    {
        TimeSpan wait = LookInterval;
        while (true)
        {
            try
            {
                await _wake.WaitAsync(wait, _stop.Token).ConfigureAwait(false);
                while (_wake.Wait(0, CancellationToken.None))
                {
                }

                await ResolveAsync(_stop.Token).ConfigureAwait(false);
                wait = LookInterval;
            }
            catch (QueueException)
            {
                wait = RetryInterval;
            }
            catch (Exception e) when (e is OperationCanceledException or ObjectDisposedException)
            {
                return;
            }
        }
    }

    private void ThrowIfDisposed() => ObjectDisposedException.ThrowIf(_stop.IsCancellationRequested, this);
}
