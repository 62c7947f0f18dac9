using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Senders that wait, in their order: until receivers have made room, or until what they need is there.
internal partial class MemoryQueueStore
{
    /// <summary>So often the next send looks for expired messages.</summary>
    private const int RoomSliceMilliseconds = 500;

    /// <summary>Longer than this no timer waits at once.</summary>
    private const int MaxSliceMilliseconds = 3_600_000;

    private readonly List<SendLine> _sendLines = [];
    private volatile bool _holdsNobody;

    /// <summary>The line of the handles with a limit.</summary>
    internal SendLine LineOf(long holdBackByteCount)
    {
        lock (_gate)
        {
            SendLine? line = _sendLines.Find(line => line.HoldBackByteCount == holdBackByteCount);
            if (line is null)
                _sendLines.Add(line = new SendLine(holdBackByteCount));
            return line;
        }
    }

    /// <summary>Whether a send has to wait for its turn, as it was a moment ago.</summary>
    internal bool MustWait(SendLine line) => !line.IsEmpty || !HasRoom(line);

    /// <summary>Puts a send into the line, now: what is sent after it goes after it.</summary>
    internal SendTurn JoinLine(SendLine line, MemoryQueue? queue)
    {
        var turn = new SendTurn(this, line, queue);
        lock (_gate)
            line.Add(turn);
        return turn;
    }

    internal void LeaveLine(SendTurn turn)
    {
        lock (_gate)
            turn.Line.Remove(turn);
    }

    /// <summary>Waits until the turn of a send has come and there is room.</summary>
    /// <returns>Null, or why it is rejected: there was no room for it in the time of an operation.</returns>
    /// <exception cref="QueueException">The queue was deleted.</exception>
    /// <exception cref="ObjectDisposedException">The handle is closed.</exception>
    internal async Task<QueueException?> AwaitRoomAsync(SendTurn turn, CancellationToken cancellationToken)
    {
        double timeout = turn.Queue?.Options.OperationTimeout.TotalMilliseconds ?? double.PositiveInfinity;
        long start = Environment.TickCount64;
        while (FindRoom(turn, out bool isNext) is { } look)
        {
            double left = timeout - (Environment.TickCount64 - start);
            if (left <= 0)
            {
                return new QueueException(
                    $"'{turn.Queue!.Address}' is full: it holds {nameof(QueueOptions.HoldBackByteCount)} of {turn.Line.HoldBackByteCount} bytes, and its receivers have not freed enough space for this send within "
                    + $"{turn.Queue.Options.OperationTimeout} ({nameof(QueueOptions.OperationTimeout)}). Nothing was sent.");
            }

            Task slice = Task.Delay((int)Math.Min(isNext ? RoomSliceMilliseconds : MaxSliceMilliseconds, Math.Ceiling(left)), cancellationToken);
            await Task.WhenAny(look, slice).ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
        }

        return null;
    }

    /// <summary>Holds nobody back any more: the folder is closed, which a send is told by its log.</summary>
    internal void HoldNobody()
    {
        _holdsNobody = true;
        lock (_gate)
            WakeSenders();
    }

    /// <summary>What messages count for the limit from which on sends wait.</summary>
    private static long FillOf(long count, long byteCount) => byteCount + count * QueueOptions.HoldBackMessageByteCount;

    private bool HasRoom(SendLine line) => FillOf(Volatile.Read(ref _storedCount), Volatile.Read(ref _storedByteCount)) < line.HoldBackByteCount || _holdsNobody;

    /// <returns>Null if it is the turn of a send and there is room; else what ends when that may be so.</returns>
    private Task? FindRoom(SendTurn turn, out bool isNext)
    {
        List<DeadMessage>? dead = null;
        try
        {
            lock (_gate)
            {
                ThrowIfDeleted();
                turn.Queue?.ThrowIfDisposed();
                isNext = turn.Line.First == turn;
                if (isNext && turn.Queue is { } queue && !HasRoom(turn.Line))
                    RemoveExpired(queue, ref dead);
                return isNext && HasRoom(turn.Line) ? null : turn.Look();
            }
        }
        finally
        {
            turn.Queue?.Bury(dead);
        }
    }

    private void Uncount(long bodyByteCount, int count)
    {
        _storedCount -= count;
        _storedByteCount -= bodyByteCount;
        foreach (SendLine line in _sendLines)
        {
            // Of a large queue not at each message that leaves: whoever comes next would look at each.
            if (line.First is { } next && FillOf(_storedCount, _storedByteCount) < line.HoldBackByteCount - (line.HoldBackByteCount >> 16 == 0 ? 0 : line.HoldBackByteCount / 16))
                next.Wake();
        }
    }

    /// <summary>Lets all look who wait: there may be room, or none ever again.</summary>
    private void WakeSenders()
    {
        foreach (SendLine line in _sendLines)
            line.WakeAll();
    }
}
