using System;
using System.Collections.Generic;
using System.Threading;

namespace Formatters.Queues;

// Messages that nobody receives yet. They are in no line until they are due, and then take their place by the order of the sends.
internal partial class MemoryQueueStore
{
    private static readonly Comparer<MemoryMessage> ByDueStamp = Comparer<MemoryMessage>.Create(
        static (a, b) => a.DueStamp != b.DueStamp ? a.DueStamp.CompareTo(b.DueStamp) : a.Order.CompareTo(b.Order));

    private SortedSet<MemoryMessage>? _delayed;
    private ITimer? _dueTimer;
    private long _nextDueStamp = QueueClock.Never;

    private int DelayedCount => _delayed?.Count ?? 0;

    /// <summary>Lets go of the timer, for a folder that is closed.</summary>
    internal void StopTimer()
    {
        lock (_gate)
        {
            _dueTimer?.Dispose();
            _dueTimer = null;
            _delayed = null;
        }
    }

    /// <summary>Keeps a message back that is not due.</summary>
    /// <returns>Whether it is not.</returns>
    private bool TryDelay(MemoryMessage message)
    {
        if (message.DueStamp == 0 || message.DueStamp <= Clock.Now)
            return false;
        _delayed ??= new SortedSet<MemoryMessage>(ByDueStamp);
        _delayed.Add(message);
        if (_delayed.Min == message)
            StartDueTimer(message.DueStamp);
        return true;
    }

    /// <summary>Adds what is due, without a lock if nothing is: who adds at this moment what is due later changes nothing.</summary>
    private void AddDue()
    {
        if (Volatile.Read(ref _nextDueStamp) is var next && next != QueueClock.Never && next <= Clock.Now)
            OnDueTimer();
    }

    /// <summary>Puts what is due into the line, or hands it to those who wait, and sets the timer for what is not.</summary>
    private void OnDueTimer()
    {
        List<(MemoryWaiter Waiter, MemoryMessage Message)>? handedOver = null;
        var due = new List<MemoryMessage>();
        lock (_gate)
        {
            long now = Clock.Now;
            while (_delayed?.Min is { } message && message.DueStamp <= now)
            {
                _delayed.Remove(message);
                if (TakeWaiter(message) is { } waiter)
                {
                    (handedOver ??= []).Add((waiter, message));
                    continue;
                }

                due.Add(message);
            }

            due.Sort(static (a, b) => a.Order.CompareTo(b.Order));
            AddInOrder(due);
            Volatile.Write(ref _nextDueStamp, QueueClock.Never);
            if (_delayed?.Min is { } first)
                StartDueTimer(first.DueStamp);
        }

        if (handedOver is null)
            return;
        foreach ((MemoryWaiter waiter, MemoryMessage message) in handedOver)
            Complete(waiter, message);
    }

    /// <summary>Takes all messages that are not due.</summary>
    private List<MemoryMessage> RemoveDelayed()
    {
        List<MemoryMessage> messages = _delayed is null ? [] : [.. _delayed];
        _delayed?.Clear();
        return messages;
    }

    private void StartDueTimer(long due)
    {
        if (_isDeleted)
            return;
        Volatile.Write(ref _nextDueStamp, due);
        _dueTimer ??= Clock.Time.CreateTimer(static state => ((MemoryQueueStore)state!).OnDueTimer(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        // Timers have whole milliseconds: rounded up, so as not to come too early and find nothing.
        _dueTimer.Change(TimeSpan.FromMilliseconds(Math.Min(Math.Ceiling(Clock.Until(due).TotalMilliseconds), int.MaxValue)), Timeout.InfiniteTimeSpan);
    }
}
