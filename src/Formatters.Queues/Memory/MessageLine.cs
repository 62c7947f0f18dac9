using System;
using System.Collections.Generic;
using System.Linq;
using System.Numerics;

namespace Formatters.Queues;

/// <summary>Messages in the order in which they are handed out: by priority, and by <see cref="MemoryMessage.Order"/> within one.</summary>
/// <param name="parking">Where messages go that will not be handed out soon; null keeps all of them here.</param>
internal sealed partial class MessageLine(MessageParking? parking = null)
{
    // Index 0 is the highest priority, 9; bit 0 of the mask says that it has messages.
    private readonly Level?[] _levels = new Level?[10];
    private uint _filled;

    internal int Count { get; private set; }

    /// <summary>Adds a message after all others of its priority.</summary>
    internal void AddLast(MemoryMessage message)
    {
        Level level = LevelOf(message);
        if (parking is null)
            level.Head.AddLast(message);
        else
            AddLast(level, message);
        Count++;
    }

    /// <summary>How many messages were moved to make space for others, for the tests that count work.</summary>
    internal long MoveCount => _levels.Sum(level => level is null ? 0 : level.Head.MoveCount + level.Tail.MoveCount + level.Parked.MoveCount);

    /// <summary>Adds a message that was in the line before at its place.</summary>
    internal void AddInOrder(MemoryMessage message)
    {
        Level level = LevelOf(message);
        Count++;
        if (TryInsertParked(level, message))
            return;
        Deque<MemoryMessage> deque = IsAfterParked(level, message) ? level.Tail : level.Head;
        deque.Insert(FindBehind(deque, message.Order), message);
        parking?.CountObjects(1);
    }

    /// <summary>Adds messages that were in the line before at their places, in one pass over those that are there.</summary>
    /// <param name="messages">The messages, in the order of their sends.</param>
    internal void AddInOrder(List<MemoryMessage> messages)
    {
        var front = new List<MemoryMessage>();
        var back = new List<MemoryMessage>();
        foreach (IGrouping<int, MemoryMessage> group in messages.GroupBy(message => message.Priority))
        {
            Level level = LevelOf(group.Key);
            front.Clear();
            back.Clear();
            foreach (MemoryMessage message in group)
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

    /// <summary>Goes over the messages after a place, in the order in which they would be handed out.</summary>
    internal IEnumerable<MemoryMessage> EnumerateAfter(MessagePosition place)
    {
        for (int index = 9 - place.Priority; index < _levels.Length; index++)
        {
            if (_levels[index] is not { } level)
                continue;
            long order = index == 9 - place.Priority ? place.Order + 1 : 0;
            for (int i = FindBehind(level.Head, order); i < level.Head.Count; i++)
                yield return level.Head[i];
            for (int i = 0; i < level.Parked.Count; i++)
            {
                ParkedMessages parked = level.Parked[i];
                if (parked.LastOrder < order)
                    continue;
                foreach (MemoryMessage? message in parked.Show(parked.FindBehind(order), null))
                    yield return message!;
            }

            for (int i = FindBehind(level.Tail, order); i < level.Tail.Count; i++)
                yield return level.Tail[i];
        }
    }

    /// <summary>Takes the first message; there is one.</summary>
    /// <exception cref="QueueException">It is parked and cannot be read.</exception>
    internal MemoryMessage RemoveFirst()
    {
        int index = BitOperations.TrailingZeroCount(_filled);
        Level level = _levels[index]!;
        if (level.Head.Count == 0)
            FillHead(level);
        MemoryMessage message = level.Head.RemoveFirst();
        parking?.CountObjects(-1);
        NoteRemoved(index);
        return message;
    }

    /// <summary>Takes the first message that passes a filter, if there is one.</summary>
    /// <exception cref="QueueException">One that may pass is parked and cannot be read.</exception>
    internal MemoryMessage? RemoveFirst(MessageFilter filter)
    {
        for (int index = 0; index < _levels.Length; index++)
        {
            if (_levels[index] is not { IsEmpty: false } level)
                continue;
            MemoryMessage? message = RemoveFirst(level.Head, filter) ?? RemoveFirstParked(level, filter) ?? RemoveFirst(level.Tail, filter);
            if (message is null)
                continue;
            NoteRemoved(index);
            return message;
        }

        return null;
    }

    /// <summary>The earliest time at which one of those was sent that come next in their priority; null if there are none.</summary>
    internal DateTimeOffset? FindOldest()
    {
        DateTimeOffset? oldest = null;
        foreach (Level? level in _levels)
        {
            if (level is { IsEmpty: false } && ShowFirst(level)?.SentTime is { } sent && !(oldest <= sent))
                oldest = sent;
        }

        return oldest;
    }

    /// <summary>Counts the messages that are not too old, and finds the earliest time at which one of those was sent that come next in their
    /// priority.</summary>
    internal (int Count, DateTimeOffset? Oldest) CountAlive(long now)
    {
        int count = 0;
        DateTimeOffset? oldest = null;
        foreach (Level? level in _levels)
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

            void CountAlive(Deque<MemoryMessage> deque)
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

    /// <summary>Takes messages from the front, in their order.</summary>
    /// <param name="maxCount">At most so many.</param>
    internal List<MemoryMessage> RemoveAll(int maxCount = int.MaxValue)
    {
        var messages = new List<MemoryMessage>(Math.Min(maxCount, Count));
        while (Count > 0 && messages.Count < maxCount)
            messages.Add(RemoveFirst());
        if (Count == 0)
            Clear();
        return messages;
    }

    /// <summary>Takes out the messages of which something is true.</summary>
    /// <param name="isRemoved">Says it of a message.</param>
    /// <param name="isCandidate">Says of a parked one, by its place and index, whether it may be so; null to read all.</param>
    /// <returns>What was taken out, in its order, and the earliest time stamp at which one of the others expires.</returns>
    internal (List<MemoryMessage> Removed, long NextDeadline) RemoveWhere(Predicate<MemoryMessage> isRemoved, Func<ParkedMessages, int, bool>? isCandidate)
    {
        var removed = new List<MemoryMessage>();
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

        void Filter(Deque<MemoryMessage> deque)
        {
            for (int i = deque.Count; i > 0; i--)
            {
                MemoryMessage message = deque.RemoveFirst();
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

    /// <summary>Takes all, in their order, that are objects, and lets go of those that are parked: the queue is gone.</summary>
    internal List<MemoryMessage> RemoveObjects()
    {
        List<MemoryMessage> messages = [.. EnumerateObjects()];
        foreach (Level? level in _levels)
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

    /// <summary>Goes over the messages that are objects, in their order.</summary>
    internal IEnumerable<MemoryMessage> EnumerateObjects()
    {
        foreach (Level? level in _levels)
        {
            if (level is null)
                continue;
            for (int i = 0; i < level.Head.Count; i++)
                yield return level.Head[i];
            for (int i = 0; i < level.Parked.Count; i++)
            {
                foreach (MemoryMessage message in level.Parked[i].EnumerateObjects())
                    yield return message;
            }

            for (int i = 0; i < level.Tail.Count; i++)
                yield return level.Tail[i];
        }
    }

    /// <summary>When it is empty, lets go of large arrays.</summary>
    private void Clear()
    {
        foreach (Level? level in _levels)
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

    private static int ByOrder(MemoryMessage a, MemoryMessage b) => a.Order.CompareTo(b.Order);

    /// <summary>Whether a message that is not between the parked ones belongs after them; without any, whether it belongs between the last ones.</summary>
    private static bool IsAfterParked(Level level, MemoryMessage message) =>
        level.Parked.Count > 0 ? message.Order > level.Parked[0].FirstOrder : level.Tail.Count > 0 && message.Order > level.Tail[0].Order;

    private MemoryMessage? RemoveFirst(Deque<MemoryMessage> deque, MessageFilter filter)
    {
        for (int i = 0; i < deque.Count; i++)
        {
            MemoryMessage message = deque[i];
            if (!filter.Matches(message))
                continue;
            deque.RemoveAt(i);
            parking?.CountObjects(-1);
            return message;
        }

        return null;
    }

    /// <summary>The index of the first message with an order that is not less.</summary>
    private static int FindBehind(Deque<MemoryMessage> deque, long order)
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

    private Level LevelOf(MemoryMessage message) => LevelOf(message.Priority);

    private Level LevelOf(int priority)
    {
        int index = 9 - priority;
        _filled |= 1u << index;
        return _levels[index] ??= new Level();
    }

    /// <summary>The messages of one priority: the first ones, those that are parked, and the last ones, in this order. Without a parking all are among the
    /// first.</summary>
    private sealed class Level
    {
        internal Deque<MemoryMessage> Head { get; set; } = new();

        internal Deque<ParkedMessages> Parked { get; } = new();

        internal Deque<MemoryMessage> Tail { get; set; } = new();

        internal bool IsEmpty => Head.Count == 0 && Parked.Count == 0 && Tail.Count == 0;
    }
}
