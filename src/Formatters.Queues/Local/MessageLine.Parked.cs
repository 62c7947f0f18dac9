using System;
using System.Collections.Generic;

namespace Formatters.Queues;

// If many messages wait, only the first and the last ones of a priority are objects.
internal sealed partial class MessageLine
{
    /// <summary>Adds a group for parked messages after all others of their priority.</summary>
    /// <param name="priority">The priority.</param>
    /// <returns>The group to which the caller adds the next parked message.</returns>
    internal ParkedMessages AddParkedLast(int priority)
    {
        PriorityLevel level = LevelOf(priority);
        while (level.Tail.Count > 0)
            ParkFirstOfTail(level);
        Count++;
        if (level.Parked.Count > 0 && level.Parked[level.Parked.Count - 1] is { } last && last.Count < parking!.MaxCount)
            return last;
        ParkedMessages next = parking!.Make();
        level.Parked.AddLast(next);
        return next;
    }

    /// <summary>Adds a group of parked messages after all others of their priority, which are parked as well.</summary>
    internal void AddParkedLast(int priority, ParkedMessages parked)
    {
        LevelOf(priority).Parked.AddLast(parked);
        Count += parked.Count;
    }

    /// <summary>Enumerates the groups of parked messages.</summary>
    internal IEnumerable<ParkedMessages> EnumerateParked()
    {
        foreach (PriorityLevel? level in _levels)
        {
            for (int i = 0; i < (level?.Parked.Count ?? 0); i++)
                yield return level!.Parked[i];
        }
    }

    private void AddLast(PriorityLevel level, LocalMessage message)
    {
        parking!.CountObjects(1);
        if (level.Parked.Count == 0 && level.Tail.Count == 0 && (level.Head.Count < parking.MaxCount || !parking.IsFull))
        {
            level.Head.AddLast(message);
            return;
        }

        level.Tail.AddLast(message);
        // Not the very last: it may be about to be received by its id.
        while (level.Tail.Count >= 2 * parking.MaxCount && parking.IsFull)
        {
            for (int i = 0; i < parking.MaxCount; i++)
                ParkFirstOfTail(level);
        }
    }

    private void ParkFirstOfTail(PriorityLevel level)
    {
        LocalMessage message = level.Tail.RemoveFirst();
        parking!.CountObjects(-1);
        ParkedMessages? last = level.Parked.Count > 0 ? level.Parked[level.Parked.Count - 1] : null;
        if (last is null || last.Count >= parking.MaxCount)
            level.Parked.AddLast(last = parking.Make());
        last.Insert(last.Count, message);
    }

    /// <summary>Converts the first messages to objects.</summary>
    /// <exception cref="QueueException">The first one cannot be read.</exception>
    private void FillHead(PriorityLevel level)
    {
        if (level.Parked.Count == 0)
        {
            (level.Head, level.Tail) = (level.Tail, level.Head);
            return;
        }

        ParkedMessages parked = level.Parked[0];
        LocalMessage[] messages = parked.TakeFirst();
        if (parked.Count == 0)
            level.Parked.RemoveFirst();
        foreach (LocalMessage message in messages)
            level.Head.AddLast(message);
        parking!.CountObjects(messages.Length);
    }

    /// <summary>Inserts a message among the parked ones, if its position is there.</summary>
    private static bool TryInsertParked(PriorityLevel level, LocalMessage message)
    {
        if (level.Parked.Count == 0 || message.Order < level.Parked[0].FirstOrder || message.Order > level.Parked[level.Parked.Count - 1].LastOrder)
            return false;
        int low = 0;
        int high = level.Parked.Count - 1;
        while (low < high)
        {
            int middle = (low + high + 1) / 2;
            if (level.Parked[middle].FirstOrder <= message.Order)
                low = middle;
            else
                high = middle - 1;
        }

        ParkedMessages parked = level.Parked[low];
        parked.Insert(parked.FindLowerBound(message.Order), message);
        return true;
    }

    private static LocalMessage? RemoveFirstParked(PriorityLevel level, MessageFilter filter)
    {
        for (int i = 0; i < level.Parked.Count; i++)
        {
            ParkedMessages parked = level.Parked[i];
            int first = 0;
            while (first < parked.Count && !parked.MayMatch(first, filter))
                first++;
            if (first == parked.Count)
                continue;
            LocalMessage?[] shown = parked.Show(first, filter);
            int found = Array.FindIndex(shown, message => message is not null && filter.Matches(message));
            if (found < 0)
                continue;
            LocalMessage taken = parked.Take(first + found);
            if (parked.Count == 0)
                level.Parked.RemoveAt(i);
            return taken;
        }

        return null;
    }

    private static void RemoveParkedWhere(
        PriorityLevel level, Predicate<LocalMessage> isRemoved, Func<ParkedMessages, int, bool>? isCandidate, List<LocalMessage> removed,
            ref long nextDeadline)
    {
        for (int i = level.Parked.Count; i > 0; i--)
        {
            ParkedMessages parked = level.Parked.RemoveFirst();
            LocalMessage?[]? shown = isCandidate is null ? parked.Show(0, null) : null;
            int gone = 0;
            int count = parked.Count;
            for (int j = 0; j < count; j++)
            {
                int at = j - gone;
                if (shown is null ? !isCandidate!(parked, at) : !isRemoved(shown[j]!))
                    continue;
                try
                {
                    LocalMessage message = parked.Take(at);
                    removed.Add(message);
                    gone++;
                    if (shown is null && !isRemoved(message))
                    {
                        removed.RemoveAt(removed.Count - 1);
                        parked.Insert(at, message);
                        gone--;
                    }
                }
                catch (QueueException)
                {
                    // It cannot be read, which its receive reports.
                }
            }

            if (parked.Count == 0)
                continue;
            nextDeadline = Math.Min(nextDeadline, parked.FindEarliestDeadline());
            level.Parked.AddLast(parked);
        }
    }

    /// <summary>Returns the first message for a peek; null if it cannot be read.</summary>
    private static LocalMessage? ShowFirst(PriorityLevel level) =>
        level.Head.Count > 0 ? level.Head[0] : level.Parked.Count > 0 ? TryShow(level.Parked[0], 0) : level.Tail[0];

    private static LocalMessage? TryShow(ParkedMessages parked, int index)
    {
        try
        {
            return parked.Show(index, null)[0];
        }
        catch (QueueException)
        {
            return null;
        }
    }
}
