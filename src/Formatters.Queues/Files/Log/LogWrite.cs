using System;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;

namespace Formatters.Queues;

/// <summary>Operations that go into one block of the log together, and the wait for its flush.</summary>
/// <remarks>
/// In this order: <see cref="Encode"/> under the log's gate, <see cref="Apply"/> on the log's writer in the order of the log, then the waiting caller
/// continues.
/// </remarks>
internal abstract class LogWrite : IValueTaskSource
{
    private ManualResetValueTaskSourceCore<bool> _core;

    /// <summary>Starts the wait for this write.</summary>
    /// <param name="continuesOnPool">Whether the continuation runs in the thread pool; false only in a test that writes the log itself.</param>
    internal ValueTask Start(bool continuesOnPool)
    {
        _core.RunContinuationsAsynchronously = continuesOnPool;
        return new ValueTask(this, _core.Version);
    }

    /// <summary>Appends the operations to the block. An exception is passed to the caller, and the block is restored.</summary>
    internal abstract void Encode(LogBuffer block);

    /// <summary>Applies the operations in memory, after the block is on the disk.</summary>
    /// <param name="segment">The segment with the block.</param>
    /// <param name="blockPosition">The position of the block's header in it.</param>
    internal abstract void Apply(LogSegment segment, long blockPosition);

    /// <summary>
    /// Gets whether another process has requested it: the continuation only adds the answer to others, and runs on the writer's thread.
    /// </summary>
    internal virtual bool IsServed => false;

    /// <summary>Gets whether messages are added, which is rejected first when the disk is full.</summary>
    internal virtual bool AddsMessages => false;

    /// <summary>Reverts what <see cref="Encode"/> changed in objects, if the block could not be started; called under the log's gate.</summary>
    internal virtual void Undo()
    {
    }

    internal void Complete() => _core.SetResult(true);

    /// <summary>Runs the caller's continuation on this thread, until it waits for something else.</summary>
    internal void CompleteInline()
    {
        _core.RunContinuationsAsynchronously = false;
        _core.SetResult(true);
    }

    internal void Fail(Exception error) => _core.SetException(error);

    public void GetResult(short token)
    {
        try
        {
            _core.GetResult(token);
        }
        finally
        {
            _core.Reset();
            Recycle();
        }
    }

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    /// <summary>Returns the object to its pool.</summary>
    private protected virtual void Recycle()
    {
    }
}
