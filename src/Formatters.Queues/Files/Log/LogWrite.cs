using System;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;

namespace Formatters.Queues;

/// <summary>Operations that go into one block of the log together, and the wait for its flush.</summary>
/// <remarks>One after the other: <see cref="Encode"/> under the log's gate, <see cref="Apply"/> on the log's writer in the order of the log, then the waiting
/// caller goes on.</remarks>
internal abstract class LogWrite : IValueTaskSource
{
    private ManualResetValueTaskSourceCore<bool> _core;

    /// <summary>The wait for this write.</summary>
    /// <param name="goesOnElsewhere">Whether the caller goes on in the thread pool, as it must unless it is a test that writes the log itself.</param>
    internal ValueTask Start(bool goesOnElsewhere)
    {
        _core.RunContinuationsAsynchronously = goesOnElsewhere;
        return new ValueTask(this, _core.Version);
    }

    /// <summary>Appends the operations to the block. What it throws, the caller gets, and the block is as before.</summary>
    internal abstract void Encode(LogBuffer block);

    /// <summary>Lets the operations take effect in memory: the block is on the disk.</summary>
    /// <param name="segment">Where the block is.</param>
    /// <param name="blockPosition">The position of the block's header in it.</param>
    internal abstract void Apply(LogSegment segment, long blockPosition);

    /// <summary>Whether messages come in, which is rejected first when the disk is full.</summary>
    internal virtual bool AddsMessages => false;

    /// <summary>Takes back what <see cref="Encode"/> did to objects, when the block could not be begun: under the log's gate.</summary>
    internal virtual void Undo()
    {
    }

    internal void Complete() => _core.SetResult(true);

    /// <summary>Lets the waiting caller go on in this thread, which does not return before the caller waits for something else.</summary>
    internal void CompleteHere()
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

    /// <summary>Makes the object ready to be used again, where its kind is.</summary>
    private protected virtual void Recycle()
    {
    }
}
