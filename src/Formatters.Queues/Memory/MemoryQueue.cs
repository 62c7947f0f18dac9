using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A handle of a memory queue.</summary>
internal sealed class MemoryQueue : IMessageQueue
{
    private readonly MemoryQueueProvider _provider;
    private readonly MemoryQueueStore _store;
    private volatile bool _isDisposed;

    internal MemoryQueue(MemoryQueueProvider provider, MemoryQueueStore store, QueueAddress address, QueueOptions options)
    {
        _provider = provider;
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

    public QueueCapabilities Capabilities { get; }

    public QueueOptions Options { get; }

    /// <summary>The messages under this handle's lock, in the order in which they were received; guarded by the store's lock.</summary>
    internal MemoryMessage? FirstLocked { get; set; }

    internal MemoryMessage? LastLocked { get; set; }

    private bool IsTransactional => Options.DeliveryMode == DeliveryMode.Transactional;

    public ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
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

    public ValueTask<ReceivedMessage?> ReceiveAsync(
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

    public ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default)
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
            : new ValueTask<QueueTransaction>(new MemoryTransaction(_provider));
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

    private MemoryTransaction? Check(QueueTransaction? transaction)
    {
        if (transaction is null)
        {
            if (IsTransactional)
                throw new InvalidOperationException($"'{Address}' was opened as transactional: send and receive in a transaction.");
            return null;
        }

        if (transaction is not MemoryTransaction own || own.Provider != _provider)
            throw new ArgumentException($"The transaction is of another provider than '{Address}'.", nameof(transaction));
        if (!IsTransactional)
            throw new InvalidOperationException($"'{Address}' was opened as {Options.DeliveryMode}; transactions need DeliveryMode.Transactional.");
        return own;
    }
}
