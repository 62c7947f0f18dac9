using System;
using System.Collections.Generic;
using System.Linq;
using System.Numerics;

namespace Formatters.Queues;

/// <summary>The waiting messages in the order of delivery: by priority, then by <see cref="LocalMessage.Order"/>.</summary>
/// <param name="parking">Parks messages that will not be delivered soon; null to keep all of them as objects.</param>
internal sealed partial class MessageLine(MessageParking? parking = null)
{
    // Index 0 is the highest priority, 9; bit 0 of the mask is set if it has messages.
    private readonly PriorityLevel?[] _levels = new PriorityLevel?[10];
    private uint _filled;

    internal int Count { get; private set; }

    /// <summary>Adds a message after all others of its priority.</summary>
    internal void AddLast(LocalMessage message)
    {
        PriorityLevel level = LevelOf(message);
        if (parking is null)
            level.Head.AddLast(message);
        else
            AddLast(level, message);
        Count++;
    }

    /// <summary>Gets how many messages were moved to make space for others; for tests of efficiency.</summary>
    internal long MoveCount => _levels.Sum(level => level is null ? 0 : level.Head.MoveCount + level.Tail.MoveCount + level.Parked.MoveCount);

    /// <summary>Adds a message that was in the line before, at its position.</summary>
    internal void AddInOrder(LocalMessage message)
    {
        PriorityLevel level = LevelOf(message);
        Count++;
        if (TryInsertParked(level, message))
            return;
        Deque<LocalMessage> deque = IsAfterParked(level, message) ? level.Tail : level.Head;
        deque.Insert(FindLowerBound(deque, message.Order), message);
        parking?.CountObjects(1);
    }

    /// <summary>Adds messages that were in the line before, at their positions, in one pass.</summary>
    /// <param name="messages">The messages, in the order of their sends.</param>
    internal void AddInOrder(List<LocalMessage> messages)
    {
        var front = new List<LocalMessage>();
        var back = new List<LocalMessage>();
        foreach (IGrouping<int, LocalMessage> group in messages.GroupBy(message => message.Priority))
        {
            PriorityLevel level = LevelOf(group.Key);
            front.Clear();
            back.Clear();
            foreach (LocalMessage message in group)
            {
                Count++;
                if (!TryInsertParked(level, message))
                    (IsAfterParked(level, message) ? back : front).Add(message);
            }

            level.Head.Merge([.. front], ByOrder);
            level.Tail.Merge([.. back], ByOrder);
            parking?.CountObjects(front.Count + back.Count);
        }
    }

    /// <summary>Enumerates the messages after a position, in the order of delivery.</summary>
    internal IEnumerable<LocalMessage> EnumerateAfter(MessagePosition place)
    {
        for (int index = 9 - place.Priority; index < _levels.Length; index++)
        {
            if (_levels[index] is not { } level)
                continue;
            long order = index == 9 - place.Priority ? place.Order + 1 : 0;
            for (int i = FindLowerBound(level.Head, order); i < level.Head.Count; i++)
                yield return level.Head[i];
            for (int i = 0; i < level.Parked.Count; i++)
            {
                ParkedMessages parked = level.Parked[i];
                if (parked.LastOrder < order)
                    continue;
                foreach (LocalMessage? message in parked.Show(parked.FindLowerBound(order), null))
                    yield return message!;
            }

            for (int i = FindLowerBound(level.Tail, order); i < level.Tail.Count; i++)
                yield return level.Tail[i];
        }
    }

    /// <summary>Removes and returns the first message; the line must not be empty.</summary>
    /// <exception cref="QueueException">It is parked and cannot be read.</exception>
    internal LocalMessage RemoveFirst()
    {
        int index = BitOperations.TrailingZeroCount(_filled);
        PriorityLevel level = _levels[index]!;
        if (level.Head.Count == 0)
            FillHead(level);
        LocalMessage message = level.Head.RemoveFirst();
        parking?.CountObjects(-1);
        NoteRemoved(index);
        return message;
    }

    /// <summary>Removes and returns the first message that passes a filter; null if there is none.</summary>
    /// <exception cref="QueueException">A message that may pass is parked and cannot be read.</exception>
    internal LocalMessage? RemoveFirst(MessageFilter filter)
    {
        for (int index = 0; index < _levels.Length; index++)
        {
            if (_levels[index] is not { IsEmpty: false } level)
                continue;
            LocalMessage? message = RemoveFirst(level.Head, filter) ?? RemoveFirstParked(level, filter) ?? RemoveFirst(level.Tail, filter);
            if (message is null)
                continue;
            NoteRemoved(index);
            return message;
        }

        return null;
    }

    /// <summary>Finds the earliest send time of the next messages of each priority; null if the line is empty.</summary>
    internal DateTimeOffset? FindOldest()
    {
        DateTimeOffset? oldest = null;
        foreach (PriorityLevel? level in _levels)
        {
            if (level is { IsEmpty: false } && ShowFirst(level)?.SentTime is { } sent && !(oldest <= sent))
                oldest = sent;
        }

        return oldest;
    }

    /// <summary>Counts the unexpired messages, and finds the earliest send time of the next messages of each priority.</summary>
    internal (int Count, DateTimeOffset? Oldest) CountAlive(long now)
    {
        int count = 0;
        DateTimeOffset? oldest = null;
        foreach (PriorityLevel? level in _levels)
        {
            if (level is null)
                continue;
            bool isFirst = true;
            CountAlive(level.Head);
            for (int i = 0; i < level.Parked.Count; i++)
            {
                ParkedMessages parked = level.Parked[i];
                for (int j = 0; j < parked.Count; j++)
                {
                    if (parked.IsDead(j, now, 0))
                        continue;
                    count++;
                    if (!isFirst)
                        continue;
                    isFirst = false;
                    if (TryShow(parked, j)?.SentTime is { } sent && !(oldest <= sent))
                        oldest = sent;
                }
            }

            CountAlive(level.Tail);

            void CountAlive(Deque<LocalMessage> deque)
            {
                for (int i = 0; i < deque.Count; i++)
                {
                    if (deque[i].Deadline != QueueClock.Never && deque[i].Deadline <= now)
                        continue;
                    count++;
                    isFirst = false;
                    if (deque[i].SentTime is { } sent && !(oldest <= sent))
                        oldest = sent;
                }
            }
        }

        return (count, oldest);
    }

    /// <summary>Removes messages from the front, in order.</summary>
    /// <param name="maxCount">The maximum number.</param>
    internal List<LocalMessage> RemoveAll(int maxCount = int.MaxValue)
    {
        var messages = new List<LocalMessage>(Math.Min(maxCount, Count));
        while (Count > 0 && messages.Count < maxCount)
            messages.Add(RemoveFirst());
        if (Count == 0)
            Clear();
        return messages;
    }

    /// <summary>Removes matching messages.</summary>
    /// <param name="isRemoved">Says it of a message.</param>
    /// <param name="isCandidate">Says of a parked one, by its place and index, whether it may be so; null to read all.</param>
    /// <returns>The removed messages in order, and the earliest deadline of the others.</returns>
    internal (List<LocalMessage> Removed, long NextDeadline) RemoveWhere(Predicate<LocalMessage> isRemoved,
        Func<ParkedMessages, int, bool>? isCandidate)
    {
        var removed = new List<LocalMessage>();
        long nextDeadline = QueueClock.Never;
        for (int index = 0; index < _levels.Length; index++)
        {
            if (_levels[index] is not { IsEmpty: false } level)
                continue;
            int before = removed.Count;
            Filter(level.Head);
            parking?.CountObjects(before - removed.Count);
            int inHead = removed.Count;
            RemoveParkedWhere(level, isRemoved, isCandidate, removed, ref nextDeadline);
            int parked = removed.Count - inHead;
            Filter(level.Tail);
            parking?.CountObjects(inHead + parked - removed.Count);
            Count -= removed.Count - before;
            if (level.IsEmpty)
                _filled &= ~(1u << index);
        }

        return (removed, nextDeadline);

        void Filter(Deque<LocalMessage> deque)
        {
            for (int i = deque.Count; i > 0; i--)
            {
                LocalMessage message = deque.RemoveFirst();
                if (isRemoved(message))
                {
                    removed.Add(message);
                    continue;
                }

                deque.AddLast(message);
                nextDeadline = Math.Min(nextDeadline, message.Deadline);
            }
        }
    }

    /// <summary>Removes all messages of a deleted queue: returns the objects in order, and drops the parked ones.</summary>
    internal List<LocalMessage> RemoveObjects()
    {
        List<LocalMessage> messages = [.. EnumerateObjects()];
        foreach (PriorityLevel? level in _levels)
        {
            if (level is null)
                continue;
            parking?.CountObjects(-level.Head.Count - level.Tail.Count);
            while (level.Parked.Count > 0)
                level.Parked.RemoveFirst().Drop();
        }

        Clear();
        return messages;
    }

    /// <summary>Enumerates the messages that are objects, in order.</summary>
    internal IEnumerable<LocalMessage> EnumerateObjects()
    {
        foreach (PriorityLevel? level in _levels)
        {
            if (level is null)
                continue;
            for (int i = 0; i < level.Head.Count; i++)
                yield return level.Head[i];
            for (int i = 0; i < level.Parked.Count; i++)
            {
                foreach (LocalMessage message in level.Parked[i].EnumerateObjects())
                    yield return message;
            }

            for (int i = 0; i < level.Tail.Count; i++)
                yield return level.Tail[i];
        }
    }

    /// <summary>Releases large arrays of an empty line.</summary>
    private void Clear()
    {
        foreach (PriorityLevel? level in _levels)
        {
            level?.Head.Clear();
            level?.Parked.Clear();
            level?.Tail.Clear();
        }

        _filled = 0;
        Count = 0;
    }

    private void NoteRemoved(int index)
    {
        Count--;
        if (_levels[index]!.IsEmpty)
            _filled &= ~(1u << index);
    }

    private static int ByOrder(LocalMessage a, LocalMessage b) => a.Order.CompareTo(b.Order);

    /// <summary>
    /// Determines whether a message outside the parked ones belongs after them; without any, whether it belongs among the last ones.
    /// </summary>
    private static bool IsAfterParked(PriorityLevel level, LocalMessage message) =>
        level.Parked.Count > 0 ? message.Order > level.Parked[0].FirstOrder : level.Tail.Count > 0 && message.Order > level.Tail[0].Order;

    private LocalMessage? RemoveFirst(Deque<LocalMessage> deque, MessageFilter filter)
    {
        for (int i = 0; i < deque.Count; i++)
        {
            LocalMessage message = deque[i];
            if (!filter.Matches(message))
                continue;
            deque.RemoveAt(i);
            parking?.CountObjects(-1);
            return message;
        }

        return null;
    }

    /// <summary>Finds the index of the first message whose order is not less.</summary>
    private static int FindLowerBound(Deque<LocalMessage> deque, long order)
    {
        int low = 0;
        int high = deque.Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (deque[middle].Order < order)
                low = middle + 1;
            else
                high = middle;
        }

        return low;
    }

    private PriorityLevel LevelOf(LocalMessage message) => LevelOf(message.Priority);

    private PriorityLevel LevelOf(int priority)
    {
        int index = 9 - priority;
        _filled |= 1u << index;
        return _levels[index] ??= new PriorityLevel();
    }

    /// <summary>
    /// The messages of one priority: the first ones, the parked ones, and the last ones, in this order. Without parking all are among the first.
    /// </summary>
    private sealed class PriorityLevel
    {
        internal Deque<LocalMessage> Head { get; set; } = new();

        internal Deque<ParkedMessages> Parked { get; } = new();

        internal Deque<LocalMessage> Tail { get; set; } = new();

        internal bool IsEmpty => Head.Count == 0 && Parked.Count == 0 && Tail.Count == 0;
    }
}
