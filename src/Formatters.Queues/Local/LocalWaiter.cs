using System;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;

namespace Formatters.Queues;

/// <summary>A receive that waits in a memory queue's line. Pooled, so that waiting allocates nothing in the steady state.</summary>
/// <remarks>
/// Only the caller that removes the waiter from the line, under the store's lock, completes it: a sender, the timer, the cancellation or the store's
/// end. A message is therefore never handed to a receive that has ended.
/// </remarks>
internal sealed class LocalWaiter : IValueTaskSource<ReceivedMessage?>
{
    private readonly LocalQueueStore _store;
    private ManualResetValueTaskSourceCore<ReceivedMessage?> _core = new() { RunContinuationsAsynchronously = true };
    private Timer? _timer;
    private CancellationTokenRegistration _cancellation;
    private CancellationToken _cancellationToken;
    private long _deadline;

    internal LocalWaiter(LocalQueueStore store) => _store = store;

    /// <summary>Gets or sets the neighbors in the line; guarded by the store's lock.</summary>
    internal LocalWaiter? Previous { get; set; }

    internal LocalWaiter? Next { get; set; }

    internal bool IsInLine { get; set; }

    /// <summary>Gets the receiving handle, and the transaction that takes the message over.</summary>
    internal LocalQueue? Queue { get; private set; }

    internal LocalTransaction? Transaction { get; private set; }

    /// <summary>Gets the filter; null for all messages.</summary>
    internal MessageFilter? Filter { get; private set; }

    /// <summary>
    /// Prepares the waiter for one wait. Called before it is in the line, because a late callback of its last wait may find it there.
    /// </summary>
    internal void Prepare(LocalQueue queue, LocalTransaction? transaction, MessageFilter? filter, TimeSpan timeout)
    {
        Queue = queue;
        Filter = filter;
        Transaction = transaction;
        // Anything that can throw comes before the waiter is in the line, where it may get a message at any moment.
        if (timeout != Timeout.InfiniteTimeSpan)
            _timer ??= new Timer(static state => ((LocalWaiter)state!).OnTimer(), this, Timeout.Infinite, Timeout.Infinite);
        Volatile.Write(
            ref _deadline,
            timeout == Timeout.InfiniteTimeSpan ? long.MaxValue : Environment.TickCount64 + (long)Math.Ceiling(timeout.TotalMilliseconds));
    }

    /// <summary>
    /// Starts the timer and registers for cancellation. Called outside the lock, after the waiter is in the line, and possibly complete.
    /// </summary>
    internal ValueTask<ReceivedMessage?> StartAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        short version = _core.Version;
        try
        {
            if (timeout != Timeout.InfiniteTimeSpan)
                _timer!.Change(timeout, Timeout.InfiniteTimeSpan);
            _cancellationToken = cancellationToken;
            _cancellation = cancellationToken.UnsafeRegister(static state => ((LocalWaiter)state!).OnCanceled(), this);
        }
        catch (Exception e)
        {
            // A waiter left in the line would take a message that is never received. If it already has a message, the message is still delivered.
            if (_store.TryLeaveLine(this))
                Fail(e);
        }

        return new ValueTask<ReceivedMessage?>(this, version);
    }

    internal void Complete(ReceivedMessage? message) => _core.SetResult(message);

    internal void Fail(Exception error) => _core.SetException(error);

    public ReceivedMessage? GetResult(short token)
    {
        try
        {
            return _core.GetResult(token);
        }
        finally
        {
            // Waits for a running callback; after this line nothing refers to this wait.
            _cancellation.Dispose();
            _timer?.Change(Timeout.Infinite, Timeout.Infinite);
            Queue = null;
            Transaction = null;
            Filter = null;
            _cancellation = default;
            _cancellationToken = default;
            _core.Reset();
            _store.Recycle(this);
        }
    }

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    private void OnTimer()
    {
        // The callback of an earlier wait may be late, and the clock is coarser than the timer: the deadline of the current wait decides.
        long deadline = Volatile.Read(ref _deadline);
        if (deadline == long.MaxValue)
            return;
        long remaining = deadline - Environment.TickCount64;
        if (remaining > 0)
            _timer!.Change(remaining, Timeout.Infinite);
        else if (_store.TryLeaveLine(this))
            Complete(null);
    }

    private void OnCanceled()
    {
        if (_store.TryLeaveLine(this))
            Fail(new OperationCanceledException(_cancellationToken));
    }
}
