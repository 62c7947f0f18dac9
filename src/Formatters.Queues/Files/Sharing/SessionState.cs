using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>The handles, transactions and decisions that another process has open at this one, the owner of the folder.</summary>
internal sealed class SessionState(QueueFolder folder, SessionDeliveries deliveries)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<int, IAsyncDisposable> _handles = [];
    private readonly Dictionary<long, SessionTransaction> _transactions = [];
    private readonly HashSet<Guid> _decisions = [];

    internal void AddHandle(int number, IAsyncDisposable handle)
    {
        lock (_gate)
            _handles[number] = handle;
    }

    /// <summary>Removes and returns a handle; null if it is not open.</summary>
    internal IAsyncDisposable? RemoveHandle(int number)
    {
        lock (_gate)
            return _handles.Remove(number, out IAsyncDisposable? handle) ? handle : null;
    }

    /// <exception cref="ObjectDisposedException">It is not open, or is another kind of handle.</exception>
    internal T HandleOf<T>(int number)
        where T : class
    {
        lock (_gate)
            return _handles.GetValueOrDefault(number) as T ?? throw new ObjectDisposedException(nameof(QueueClient));
    }

    internal void BeginTransaction(long number)
    {
        lock (_gate)
            _transactions.TryAdd(number, new SessionTransaction(new FileTransaction(folder)));
    }

    /// <summary>Returns a transaction by its number; null for 0.</summary>
    /// <exception cref="InvalidOperationException">It has ended.</exception>
    internal SessionTransaction? TransactionOf(long number)
    {
        if (number == 0)
            return null;
        lock (_gate)
            return _transactions.GetValueOrDefault(number) ?? throw LocalTransaction.Ended();
    }

    /// <summary>Removes and returns a transaction that ends, with its messages; null if it has ended.</summary>
    internal SessionTransaction? TakeTransaction(long number)
    {
        SessionTransaction? transaction;
        lock (_gate)
        {
            if (!_transactions.Remove(number, out transaction))
                return null;
        }

        deliveries.Remove(transaction.Deliveries);
        return transaction;
    }

    internal void EnterDecision(Guid transaction)
    {
        lock (_gate)
            _decisions.Add(transaction);
        folder.Decisions.Enter(transaction);
    }

    internal void LeaveDecision(Guid transaction)
    {
        lock (_gate)
            _decisions.Remove(transaction);
        folder.Decisions.Leave(transaction);
    }

    /// <summary>Rolls the transactions back, and closes the handles. Called when no request runs.</summary>
    internal async ValueTask CloseAsync()
    {
        foreach (SessionTransaction transaction in _transactions.Values)
            await transaction.Local.DisposeAsync().ConfigureAwait(false);
        foreach (IAsyncDisposable handle in _handles.Values)
            await handle.DisposeAsync().ConfigureAwait(false);
        foreach (Guid decision in _decisions)
            folder.Decisions.Leave(decision);
    }
}

/// <summary>A transaction that another process has begun, and that this one, the folder's owner, carries out.</summary>
internal sealed class SessionTransaction(FileTransaction local)
{
    internal FileTransaction Local => local;

    /// <summary>Gets the messages that it has received. Guarded by the session's <see cref="SessionDeliveries"/>.</summary>
    internal List<long> Deliveries { get; } = [];

    /// <summary>Gets or sets whether a message that it had received from an earlier owner was not found.</summary>
    internal bool IsBroken { get; set; }
}
