using System;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;

namespace Formatters.Queues;

/// <summary>A receiver that waits in a memory queue's line. Used again and again: waiting allocates nothing in the steady state.</summary>
/// <remarks>
/// Whoever takes the waiter out of the line, under the store's lock, completes it: a sender, the timer, the cancellation or the
/// store's end; so that a message is never handed to a receiver that has gone.
/// </remarks>
internal sealed class MemoryWaiter : IValueTaskSource<ReceivedMessage?>
{
    private readonly MemoryQueueStore _store;
    private ManualResetValueTaskSourceCore<ReceivedMessage?> _core = new() { RunContinuationsAsynchronously = true };
    private Timer? _timer;
    private CancellationTokenRegistration _cancellation;
    private CancellationToken _cancellationToken;
    private long _deadline;

    internal MemoryWaiter(MemoryQueueStore store) => _store = store;

    /// <summary>The neighbours in the line; guarded by the store's lock.</summary>
    internal MemoryWaiter? Previous { get; set; }

    internal MemoryWaiter? Next { get; set; }

    internal bool IsInLine { get; set; }

    /// <summary>Whose receive this is: the handle, and the transaction that takes the message over.</summary>
    internal MemoryQueue? Queue { get; private set; }

    internal MemoryTransaction? Transaction { get; private set; }

    /// <summary>Which messages, or null for all.</summary>
    internal MessageFilter? Filter { get; private set; }

    /// <summary>Readies the waiter for one wait; before it is in line, since from then on a late callback of its last wait finds it there.</summary>
    internal void Prepare(MemoryQueue queue, MemoryTransaction? transaction, MessageFilter? filter, TimeSpan timeout)
    {
        Queue = queue;
        Filter = filter;
        Transaction = transaction;
        // What can throw comes before the waiter is in line, where a message may be handed over to it at any moment.
        if (timeout != Timeout.InfiniteTimeSpan)
            _timer ??= new Timer(static state => ((MemoryWaiter)state!).OnTimer(), this, Timeout.Infinite, Timeout.Infinite);
        Volatile.Write(
            ref _deadline,
            timeout == Timeout.InfiniteTimeSpan ? long.MaxValue : Environment.TickCount64 + (long)Math.Ceiling(timeout.TotalMilliseconds));
    }

    /// <summary>Starts the clock and listens to the token. Called outside the lock, after the waiter is in line: it may be completed already.</summary>
    internal ValueTask<ReceivedMessage?> StartAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        short version = _core.Version;
        try
        {
            if (timeout != Timeout.InfiniteTimeSpan)
                _timer!.Change(timeout, Timeout.InfiniteTimeSpan);
            _cancellationToken = cancellationToken;
            _cancellation = cancellationToken.UnsafeRegister(static state => ((MemoryWaiter)state!).OnCanceled(), this);
        }
        catch (Exception e)
        {
            // A waiter that stayed in line would take a message that is never received. One that has a message already hands it over.
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
            // Waits for a callback that is running; after this line nothing refers to this wait.
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
        // The callback of an earlier wait may come late, and the clock is coarser than the timer: the present wait's deadline decides.
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
