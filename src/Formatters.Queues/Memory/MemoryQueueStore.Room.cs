using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Senders that wait until receivers have made room.
internal partial class MemoryQueueStore
{
    /// <summary>So often a waiting send looks for expired messages and its own end.</summary>
    private const int RoomSliceMilliseconds = 500;

    private TaskCompletionSource<bool>? _room;
    private long _roomAt;

    /// <summary>Whether sends of a handle have to wait, as it was a moment ago.</summary>
    internal bool IsHeldBack(MemoryQueue queue) => FillOf(Volatile.Read(ref _storedCount), Volatile.Read(ref _storedByteCount)) >= queue.HoldBackByteCount;

    /// <summary>Waits until a handle may send.</summary>
    /// <exception cref="QueueException">There was no room in the time of an operation, or the queue was deleted.</exception>
    /// <exception cref="ObjectDisposedException">The handle is closed.</exception>
    internal async Task AwaitRoomAsync(MemoryQueue queue, CancellationToken cancellationToken)
    {
        double timeout = queue.Options.OperationTimeout.TotalMilliseconds;
        long start = Environment.TickCount64;
        while (FindRoom(queue) is { } room)
        {
            double left = timeout - (Environment.TickCount64 - start);
            if (left <= 0)
            {
                throw new QueueException(
                    $"'{queue.Address}' is full: it holds {nameof(QueueOptions.HoldBackByteCount)} of {queue.HoldBackByteCount} bytes, and its receivers have made no room in {queue.Options.OperationTimeout} "
                    + $"({nameof(QueueOptions.OperationTimeout)}). The message was not sent.");
            }

            Task slice = Task.Delay((int)Math.Min(RoomSliceMilliseconds, Math.Ceiling(left)), cancellationToken);
            await Task.WhenAny(room, slice).ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    /// <summary>What messages count for the limit from which on sends wait.</summary>
    private static long FillOf(long count, long byteCount) => byteCount + count * QueueOptions.HoldBackMessageByteCount;

    /// <returns>Null if there is room; else what ends when there may be some.</returns>
    private Task<bool>? FindRoom(MemoryQueue queue)
    {
        List<DeadMessage>? dead = null;
        try
        {
            lock (_gate)
            {
                ThrowIfDeleted();
                queue.ThrowIfDisposed();
                if (IsHeldBack(queue))
                    RemoveExpired(queue, ref dead);
                if (!IsHeldBack(queue))
                    return null;
                // Not at each message that leaves: all who wait would look at each.
                _roomAt = Math.Max(_room is null ? 0 : _roomAt, queue.HoldBackByteCount - queue.HoldBackByteCount / 16);
                _room ??= new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
                return _room.Task;
            }
        }
        finally
        {
            queue.Bury(dead);
        }
    }

    private void Uncount(long bodyByteCount, int count)
    {
        _storedCount -= count;
        _storedByteCount -= bodyByteCount;
        if (_room is not null && FillOf(_storedCount, _storedByteCount) <= _roomAt)
            EndWaitForRoom();
    }

    /// <summary>Lets those look who wait for room: there may be some, or none ever again.</summary>
    private void EndWaitForRoom()
    {
        _room?.TrySetResult(true);
        _room = null;
    }
}
