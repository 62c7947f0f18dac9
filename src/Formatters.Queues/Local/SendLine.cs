using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>The waiting sends of handles with the same limit, in order: a later send goes after them, even if there is space.</summary>
/// <remarks>Guarded by the lock of its queue, except the count.</remarks>
internal sealed class SendLine(long holdBackByteCount)
{
    private readonly LinkedList<SendTurn> _turns = [];
    private int _count;

    /// <summary>Gets the number of bytes from which on its sends wait.</summary>
    internal long HoldBackByteCount => holdBackByteCount;

    /// <summary>Gets whether no send waits; the answer may be outdated.</summary>
    internal bool IsEmpty => Volatile.Read(ref _count) == 0;

    /// <summary>Gets the next send.</summary>
    internal SendTurn? First => _turns.First?.Value;

    internal void Add(SendTurn turn)
    {
        _turns.AddLast(turn.Node);
        Volatile.Write(ref _count, _turns.Count);
    }

    /// <summary>Removes a send, and makes the next one check.</summary>
    internal void Remove(SendTurn turn)
    {
        if (turn.Node.List is null)
            return;
        _turns.Remove(turn.Node);
        Volatile.Write(ref _count, _turns.Count);
        First?.Wake();
    }

    /// <summary>Makes all waiting sends check.</summary>
    internal void WakeAll()
    {
        foreach (SendTurn turn in _turns)
            turn.Wake();
    }
}

/// <summary>A send that waits for its turn; disposing it leaves the line.</summary>
internal sealed class SendTurn : IDisposable
{
    private readonly LocalQueueStore _store;
    private TaskCompletionSource<bool> _look = NewLook();

    internal SendTurn(LocalQueueStore store, SendLine line, LocalQueue? queue)
    {
        _store = store;
        Line = line;
        Queue = queue;
        Node = new LinkedListNode<SendTurn>(this);
    }

    internal SendLine Line { get; }

    /// <summary>Gets the handle that sends; null for a topic, which no limit holds back.</summary>
    internal LocalQueue? Queue { get; }

    internal LinkedListNode<SendTurn> Node { get; }

    /// <summary>Returns a task that completes when there may be space, or it may be the send's turn.</summary>
    internal Task NextCheck()
    {
        if (_look.Task.IsCompleted)
            _look = NewLook();
        return _look.Task;
    }

    /// <inheritdoc cref="LocalQueueStore.WaitForSpaceAsync"/>
    internal Task<QueueException?> WaitForSpaceAsync(CancellationToken cancellationToken) => _store.WaitForSpaceAsync(this, cancellationToken);

    internal void Wake() => _look.TrySetResult(true);

    public void Dispose() => _store.LeaveLine(this);

    private static TaskCompletionSource<bool> NewLook() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
