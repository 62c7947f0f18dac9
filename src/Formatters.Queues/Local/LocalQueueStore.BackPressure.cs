using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Waiting sends, in order: until receivers have freed space, or until the queues they need exist.
internal partial class LocalQueueStore
{
    /// <summary>The interval at which the next send checks for expired messages.</summary>
    private const int SpaceCheckMilliseconds = 500;

    /// <summary>The longest interval of a timer.</summary>
    private const int MaxSliceMilliseconds = 3_600_000;

    private readonly List<SendLine> _sendLines = [];
    private volatile bool _holdsNobody;

    /// <summary>Returns the line of the handles with a given limit.</summary>
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

    /// <summary>Determines whether a send must wait for its turn; the answer may be outdated.</summary>
    internal bool MustWait(SendLine line) => !line.IsEmpty || !HasSpace(line);

    /// <summary>Adds a send to the line now: later sends go after it.</summary>
    internal SendTurn JoinLine(SendLine line, LocalQueue? queue)
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

    /// <summary>Waits for the turn of a send and for space.</summary>
    /// <returns>Null, or the error if there was no space within the operation timeout.</returns>
    /// <exception cref="QueueException">The queue was deleted.</exception>
    /// <exception cref="ObjectDisposedException">The handle is closed.</exception>
    internal async Task<QueueException?> WaitForSpaceAsync(SendTurn turn, CancellationToken cancellationToken)
    {
        double timeout = turn.Queue?.Options.OperationTimeout.TotalMilliseconds ?? double.PositiveInfinity;
        long start = Environment.TickCount64;
        while (FindRoom(turn, out bool isNext) is { } look)
        {
            double left = timeout - (Environment.TickCount64 - start);
            if (left <= 0)
            {
                return new QueueException(
                    $"'{turn.Queue!.Address}' is full: it holds {nameof(QueueOptions.HoldBackByteCount)} of {turn.Line.HoldBackByteCount} bytes, and "
                    + "its receivers have not freed enough space for this send within "
                    + $"{turn.Queue.Options.OperationTimeout} ({nameof(QueueOptions.OperationTimeout)}). Nothing was sent.")
                {
                    Code = QueueErrorCode.Full,
                };
            }

            Task slice = Task.Delay((int)Math.Min(isNext ? SpaceCheckMilliseconds : MaxSliceMilliseconds, Math.Ceiling(left)), cancellationToken);
            await Task.WhenAny(look, slice).ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
        }

        return null;
    }

    /// <summary>Releases all waiting sends, because the folder is closed; the log then rejects them.</summary>
    internal void ReleaseSenders()
    {
        _holdsNobody = true;
        lock (_gate)
            WakeSenders();
    }

    /// <summary>Computes how much messages count for the limit that makes sends wait.</summary>
    private static long FillOf(long count, long byteCount) => byteCount + count * QueueOptions.HoldBackMessageByteCount;

    private bool HasSpace(SendLine line) => FillOf(Volatile.Read(ref _storedCount), Volatile.Read(ref _storedByteCount)) < line.HoldBackByteCount
        || _holdsNobody;

    /// <returns>Null if it is the send's turn and there is space; otherwise a task that completes when this may be so.</returns>
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
                if (isNext && turn.Queue is { } queue && !HasSpace(turn.Line))
                    RemoveExpired(queue, ref dead);
                return isNext && HasSpace(turn.Line) ? null : turn.NextCheck();
            }
        }
        finally
        {
            turn.Queue?.RemoveDead(dead);
        }
    }

    private void Uncount(long bodyByteCount, int count)
    {
        _storedCount -= count;
        _storedByteCount -= bodyByteCount;
        foreach (SendLine line in _sendLines)
        {
            // For a large queue not at each removal, because each waiting send would check at each.
            if (line.First is { } next && FillOf(_storedCount, _storedByteCount) < line.HoldBackByteCount
                - (line.HoldBackByteCount >> 16 == 0 ? 0 : line.HoldBackByteCount / 16))
                next.Wake();
        }
    }

    /// <summary>Makes all waiting sends check again: there may be space, or never again.</summary>
    private void WakeSenders()
    {
        foreach (SendLine line in _sendLines)
            line.WakeAll();
    }
}
