using System;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;

namespace Formatters.Queues;

/// <summary>A request to the owner of a folder that is not answered yet.</summary>
internal sealed class FolderCall : IValueTaskSource<byte[]?>, IThreadPoolWorkItem
{
    private ManualResetValueTaskSourceCore<byte[]?> _core;
    private byte[]? _answer;
    private Exception? _error;
    private CancellationTokenRegistration _registration;

    /// <summary>Creates a request.</summary>
    /// <param name="request">The bytes, which begin with a <see cref="FolderRequest"/>.</param>
    /// <param name="timeout">The time for which the answer is awaited.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    /// <param name="queue">The queue of a receive; null for other requests.</param>
    internal FolderCall(byte[] request, TimeSpan timeout, CancellationToken cancellationToken, FollowerQueue? queue = null)
    {
        Request = request;
        CancellationToken = cancellationToken;
        Queue = queue;
        long milliseconds = (long)Math.Min(timeout.TotalMilliseconds, int.MaxValue);
        // The owner ends a receive, and should have a moment for it.
        if (queue is not null)
            milliseconds = Math.Max(1000, milliseconds + 250);
        else
            milliseconds += 1000;
        Deadline = timeout == Timeout.InfiniteTimeSpan ? long.MaxValue : Environment.TickCount64 + milliseconds;
        MaxSilentMilliseconds = (long)(queue?.Options.OperationTimeout ?? timeout).TotalMilliseconds;
    }

    /// <summary>Gets or sets the id; a later request has a higher one.</summary>
    internal uint Id { get; set; }

    internal byte[] Request { get; }

    /// <summary>Gets the handle whose requests must arrive in order; 0 for any order.</summary>
    internal int Order { get; init; }

    /// <summary>Gets the queue of a receive; null for other requests.</summary>
    internal FollowerQueue? Queue { get; }

    /// <summary>Gets the transaction that the request belongs to, or null.</summary>
    internal FollowerTransaction? Transaction { get; init; }

    /// <summary>Gets the callback that reads the answer, under <see cref="FolderCalls.Gate"/>.</summary>
    internal Action<byte[]>? OnAnswer { get; init; }

    /// <summary>Gets whether the request has a number by which the log recognizes a repetition.</summary>
    internal bool IsOperation { get; init; }

    /// <summary>Gets or sets that number.</summary>
    internal long Operation { get; set; }

    /// <summary>Gets whether the request changes the queue, so that the outcome is unknown without an answer.</summary>
    internal bool HasOutcome { get; init; }

    internal CancellationToken CancellationToken { get; }

    internal bool IsCanceled { get; set; }

    /// <summary>Gets or sets the time at which the wait for the answer ends, in milliseconds of <see cref="Environment.TickCount64"/>.</summary>
    internal long Deadline { get; set; }

    /// <summary>Gets how long the owner may be silent during a receive without a deadline.</summary>
    internal long MaxSilentMilliseconds { get; }

    /// <summary>Gets whether the answer has arrived.</summary>
    internal bool IsCompleted { get; private set; }

    /// <summary>Gets the answer; null for a receive that has ended without one. It can be awaited once.</summary>
    internal ValueTask<byte[]?> Answer => new(this, _core.Version);

    /// <summary>Keeps the registration for cancellation until the request is answered.</summary>
    internal void Register(CancellationTokenRegistration registration)
    {
        _registration = registration;
        if (IsCompleted)
            registration.Unregister();
    }

    /// <summary>Notes the end of the request. Called once, by the thread that removes it from those that are pending.</summary>
    internal void Complete(byte[]? answer, Exception? error)
    {
        _answer = answer;
        _error = error is OperationCanceledException && CancellationToken.IsCancellationRequested
            ? new OperationCanceledException(CancellationToken)
            : error;
        IsCompleted = true;
        // Without waiting for a cancellation that is under way: it finds that the request has ended.
        _registration.Unregister();
    }

    /// <summary>Runs the caller on this thread, until it waits for something else.</summary>
    public void Execute()
    {
        if (_error is not null)
            _core.SetException(_error);
        else
            _core.SetResult(_answer);
    }

    byte[]? IValueTaskSource<byte[]?>.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<byte[]?>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<byte[]?>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);
}
