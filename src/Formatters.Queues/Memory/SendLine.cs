using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>The sends of handles with one limit that wait for their turn, in their order: who comes later goes after them, also when there is room.</summary>
/// <remarks>Guarded by the lock of its queue, except the count.</remarks>
internal sealed class SendLine(long holdBackByteCount)
{
    private readonly LinkedList<SendTurn> _turns = [];
    private int _count;

    /// <summary>From how many bytes on its sends wait.</summary>
    internal long HoldBackByteCount => holdBackByteCount;

    /// <summary>Whether somebody waits, as it was a moment ago.</summary>
    internal bool IsEmpty => Volatile.Read(ref _count) == 0;

    /// <summary>Who is next.</summary>
    internal SendTurn? First => _turns.First?.Value;

    internal void Add(SendTurn turn)
    {
        _turns.AddLast(turn.Node);
        Volatile.Write(ref _count, _turns.Count);
    }

    /// <summary>Takes a send out, and lets the next one look.</summary>
    internal void Remove(SendTurn turn)
    {
        if (turn.Node.List is null)
            return;
        _turns.Remove(turn.Node);
        Volatile.Write(ref _count, _turns.Count);
        First?.Wake();
    }

    /// <summary>Lets all look.</summary>
    internal void WakeAll()
    {
        foreach (SendTurn turn in _turns)
            turn.Wake();
    }
}

/// <summary>A send that waits for its turn; it has left the line when it is disposed.</summary>
internal sealed class SendTurn : IDisposable
{
    private readonly MemoryQueueStore _store;
    private TaskCompletionSource<bool> _look = NewLook();

    internal SendTurn(MemoryQueueStore store, SendLine line, MemoryQueue? queue)
    {
        _store = store;
        Line = line;
        Queue = queue;
        Node = new LinkedListNode<SendTurn>(this);
    }

    internal SendLine Line { get; }

    /// <summary>The handle that sends; null for a topic, which no limit holds back.</summary>
    internal MemoryQueue? Queue { get; }

    internal LinkedListNode<SendTurn> Node { get; }

    /// <summary>Ends when there may be room, or the turn may have come.</summary>
    internal Task Look()
    {
        if (_look.Task.IsCompleted)
            _look = NewLook();
        return _look.Task;
    }

    /// <inheritdoc cref="MemoryQueueStore.AwaitRoomAsync"/>
    internal Task<QueueException?> AwaitRoomAsync(CancellationToken cancellationToken) => _store.AwaitRoomAsync(this, cancellationToken);

    internal void Wake() => _look.TrySetResult(true);

    public void Dispose() => _store.LeaveLine(this);

    private static TaskCompletionSource<bool> NewLook() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
