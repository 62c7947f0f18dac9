using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A request to the owner of a folder that is not answered yet.</summary>
internal sealed class FolderCall
{
    private readonly TaskCompletionSource<byte[]?> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private CancellationTokenRegistration _registration;

    internal FolderCall(byte[] request, int order, TimeSpan timeout, FollowerQueue? queue, FollowerTransaction? transaction,
        Action<byte[]>? onAnswer)
    {
        Request = request;
        Order = order;
        Queue = queue;
        Transaction = transaction;
        OnAnswer = onAnswer;
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

    /// <summary>Gets the order in which it arrives: that of other requests with the same value, which is not 0.</summary>
    internal int Order { get; }

    /// <summary>Gets the queue of a receive; null for other requests.</summary>
    internal FollowerQueue? Queue { get; }

    /// <summary>Gets the transaction of a receive, or null.</summary>
    internal FollowerTransaction? Transaction { get; }

    /// <summary>Gets what reads the answer, under the client's gate.</summary>
    internal Action<byte[]>? OnAnswer { get; }

    /// <summary>Gets or sets the number by which the log recognizes a repetition; 0 for a request that has none.</summary>
    internal long Operation { get; set; }

    /// <summary>Gets whether the queue is changed, so that without an answer it is unknown whether it was.</summary>
    internal bool HasOutcome { get; init; }

    internal CancellationToken CancellationToken { get; init; }

    internal bool IsCanceled { get; set; }

    /// <summary>Gets or sets when it is no longer awaited, in milliseconds of <see cref="Environment.TickCount64"/>.</summary>
    internal long Deadline { get; set; }

    /// <summary>Gets how long the owner may be silent during a receive without a deadline.</summary>
    internal long MaxSilentMilliseconds { get; }

    /// <summary>Gets the answer; null for a receive that has ended without one.</summary>
    internal Task<byte[]?> Task => _answer.Task;

    /// <summary>Keeps the registration for cancellation until the request is answered.</summary>
    internal void Register(CancellationTokenRegistration registration)
    {
        _registration = registration;
        if (Task.IsCompleted)
            registration.Unregister();
    }

    internal void Complete(byte[]? answer, Exception? error)
    {
        // Without waiting for a cancellation that is under way: it finds that the request has ended.
        _registration.Unregister();
        if (error is OperationCanceledException && CancellationToken.IsCancellationRequested)
            _answer.TrySetCanceled(CancellationToken);
        else if (error is not null)
            _answer.TrySetException(error);
        else
            _answer.TrySetResult(answer);
    }
}
