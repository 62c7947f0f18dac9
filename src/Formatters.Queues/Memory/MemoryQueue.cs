using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A handle of a queue in this process.</summary>
internal class MemoryQueue : IMessageQueue
{
    private readonly object _place;
    private readonly MemoryQueueStore _store;
    private volatile bool _isDisposed;

    /// <param name="place">What queues have in common that can be in one transaction: a provider, a folder.</param>
    /// <param name="store">The messages.</param>
    /// <param name="address">The address.</param>
    /// <param name="options">How the queue is opened.</param>
    internal MemoryQueue(object place, MemoryQueueStore store, QueueAddress address, QueueOptions options)
    {
        _place = place;
        _store = store;
        Address = address;
        Options = options;
        Capabilities = new QueueCapabilities
        {
            Product = "in-memory",
            Durability = "memory only: nothing survives the process",
            HasTransactions = IsTransactional,
            IsAtomic = IsTransactional,
            IsInProcess = true,
        };
    }

    public QueueAddress Address { get; }

    public QueueCapabilities Capabilities { get; private protected init; }

    public QueueOptions Options { get; }

    /// <summary>The messages under this handle's lock, in the order in which they were received; guarded by the store's lock.</summary>
    internal MemoryMessage? FirstLocked { get; set; }

    internal MemoryMessage? LastLocked { get; set; }

    private protected bool IsTransactional => Options.DeliveryMode == DeliveryMode.Transactional;

    public virtual ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        if (message is null)
            throw new ArgumentNullException(nameof(message));
        ThrowIfDisposed();
        MemoryTransaction? own = Check(transaction);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        MemoryMessage copy = _store.Copy(message);
        if (own is null)
            _store.Add(copy);
        else
            own.AddSent(copy);
        return default;
    }

    public virtual ValueTask<ReceivedMessage?> ReceiveAsync(
        TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        if (timeout < TimeSpan.Zero && timeout != Timeout.InfiniteTimeSpan)
            throw new ArgumentOutOfRangeException(nameof(timeout), timeout, "Zero, more than zero, or Timeout.InfiniteTimeSpan.");
        MemoryTransaction? own = Check(transaction);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<ReceivedMessage?>(cancellationToken);
        MemoryMessage? message = _store.Take(this, own, timeout, out MemoryWaiter? waiter);
        return waiter is null ? new ValueTask<ReceivedMessage?>(message) : waiter.StartAsync(timeout, cancellationToken);
    }

    public virtual ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled<long>(cancellationToken) : new ValueTask<long>(_store.Purge());
    }

    public ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled<long>(cancellationToken) : new ValueTask<long>(_store.CountMessages());
    }

    public ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        if (!IsTransactional)
            throw new NotSupportedException($"'{Address}' was opened as {Options.DeliveryMode}; transactions need DeliveryMode.Transactional.");
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<QueueTransaction>(cancellationToken)
            : new ValueTask<QueueTransaction>(BeginTransaction());
    }

    public ValueTask DisposeAsync()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            _store.Close(this);
        }

        return default;
    }

    internal ObjectDisposedException Disposed() => new(nameof(IMessageQueue), $"'{Address}' is closed.");

    internal void ThrowIfDisposed()
    {
        if (_isDisposed)
            throw Disposed();
    }

    private protected virtual MemoryTransaction BeginTransaction() => new(_place);

    private protected MemoryTransaction? Check(QueueTransaction? transaction)
    {
        if (transaction is null)
        {
            if (IsTransactional)
                throw new InvalidOperationException($"'{Address}' was opened as transactional: send and receive in a transaction.");
            return null;
        }

        if (transaction is not MemoryTransaction own || own.Place != _place)
            throw new ArgumentException($"The transaction is of another provider than '{Address}'.", nameof(transaction));
        if (!IsTransactional)
            throw new InvalidOperationException($"'{Address}' was opened as {Options.DeliveryMode}; transactions need DeliveryMode.Transactional.");
        return own;
    }
}
