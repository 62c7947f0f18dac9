using System;
using System.Collections.Generic;
using System.Threading;

namespace Formatters.Queues;

// Delayed messages. They enter the line when they are due, at the position of their send.
internal partial class LocalQueueStore
{
    private static readonly Comparer<LocalMessage> ByDueStamp = Comparer<LocalMessage>.Create(
        static (a, b) => a.DueStamp != b.DueStamp ? a.DueStamp.CompareTo(b.DueStamp) : a.Order.CompareTo(b.Order));

    private SortedSet<LocalMessage>? _delayed;
    private ITimer? _dueTimer;
    private long _nextDueStamp = QueueClock.Never;

    private int DelayedCount => _delayed?.Count ?? 0;

    /// <summary>Stops the timer of a closed folder.</summary>
    internal void StopTimer()
    {
        lock (_gate)
        {
            _dueTimer?.Dispose();
            _dueTimer = null;
            _delayed = null;
        }
    }

    /// <summary>Holds back a message that is not due.</summary>
    /// <returns>False if it is due.</returns>
    private bool TryDelay(LocalMessage message)
    {
        if (message.DueStamp == 0 || message.DueStamp <= Clock.Now)
            return false;
        _delayed ??= new SortedSet<LocalMessage>(ByDueStamp);
        _delayed.Add(message);
        if (_delayed.Min == message)
            StartDueTimer(message.DueStamp);
        return true;
    }

    /// <summary>Adds messages that are due; takes no lock if there are none. A message added concurrently is due later and does not matter.</summary>
    private void AddDue()
    {
        if (Volatile.Read(ref _nextDueStamp) is var next && next != QueueClock.Never && next <= Clock.Now)
            OnDueTimer();
    }

    /// <summary>Adds due messages to the line, or hands them to waiting receives, and sets the timer for the rest.</summary>
    private void OnDueTimer()
    {
        List<(LocalWaiter Waiter, LocalMessage Message)>? handedOver = null;
        var due = new List<LocalMessage>();
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
        foreach ((LocalWaiter waiter, LocalMessage message) in handedOver)
            Complete(waiter, message);
    }

    /// <summary>Removes and returns all messages that are not due.</summary>
    private List<LocalMessage> RemoveDelayed()
    {
        List<LocalMessage> messages = _delayed is null ? [] : [.. _delayed];
        _delayed?.Clear();
        return messages;
    }

    private void StartDueTimer(long due)
    {
        if (_isDeleted)
            return;
        Volatile.Write(ref _nextDueStamp, due);
        _dueTimer ??= Clock.Time.CreateTimer(static state => ((LocalQueueStore)state!).OnDueTimer(), this, Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan);
        // Timers have whole milliseconds: rounded up, so that the message is due when the timer fires.
        _dueTimer.Change(TimeSpan.FromMilliseconds(Math.Min(Math.Ceiling(Clock.Until(due).TotalMilliseconds), int.MaxValue)),
            Timeout.InfiniteTimeSpan);
    }
}
