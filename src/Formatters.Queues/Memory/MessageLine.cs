using System;
using System.Collections.Generic;
using System.Numerics;

namespace Formatters.Queues;

/// <summary>Messages in the order in which they are handed out: by priority, and by <see cref="MemoryMessage.Order"/> within one.</summary>
internal sealed class MessageLine
{
    // Index 0 is the highest priority, 9; bit 0 of the mask says that it has messages.
    private readonly Deque<MemoryMessage>?[] _priorities = new Deque<MemoryMessage>?[10];
    private uint _filled;

    internal int Count { get; private set; }

    /// <summary>Adds a message behind all others of its priority.</summary>
    internal void AddLast(MemoryMessage message)
    {
        DequeOf(message).AddLast(message);
        Count++;
    }

    /// <summary>Adds a message that was in the line before at its place.</summary>
    internal void AddInOrder(MemoryMessage message)
    {
        Deque<MemoryMessage> deque = DequeOf(message);
        deque.Insert(FindBehind(deque, message.Order), message);
        Count++;
    }

    /// <summary>Goes over the messages behind a place, in the order in which they would be handed out.</summary>
    internal IEnumerable<MemoryMessage> EnumerateAfter(MessagePosition place)
    {
        for (int index = 9 - place.Priority; index < _priorities.Length; index++)
        {
            if (_priorities[index] is not { } deque)
                continue;
            int first = index == 9 - place.Priority ? FindBehind(deque, place.Order + 1) : 0;
            for (int i = first; i < deque.Count; i++)
                yield return deque[i];
        }
    }

    /// <summary>Takes the first message; there is one.</summary>
    internal MemoryMessage RemoveFirst()
    {
        int index = BitOperations.TrailingZeroCount(_filled);
        Deque<MemoryMessage> deque = _priorities[index]!;
        MemoryMessage message = deque.RemoveFirst();
        if (deque.Count == 0)
            _filled &= ~(1u << index);
        Count--;
        return message;
    }

    /// <summary>Takes the first message that passes a filter, if there is one.</summary>
    internal MemoryMessage? RemoveFirst(MessageFilter filter)
    {
        for (int index = 0; index < _priorities.Length; index++)
        {
            Deque<MemoryMessage>? deque = _priorities[index];
            for (int i = 0; i < (deque?.Count ?? 0); i++)
            {
                MemoryMessage message = deque![i];
                if (!filter.Matches(message))
                    continue;
                deque.RemoveAt(i);
                if (deque.Count == 0)
                    _filled &= ~(1u << index);
                Count--;
                return message;
            }
        }

        return null;
    }

    /// <summary>The earliest time at which one of those was sent that come next in their priority; null if there are none.</summary>
    internal DateTimeOffset? FindOldest()
    {
        DateTimeOffset? oldest = null;
        foreach (Deque<MemoryMessage>? deque in _priorities)
        {
            if (deque is { Count: > 0 } && deque[0].SentTime is { } sent && !(oldest <= sent))
                oldest = sent;
        }

        return oldest;
    }

    /// <summary>The messages, in their order.</summary>
    internal IEnumerable<MemoryMessage> All()
    {
        foreach (Deque<MemoryMessage>? deque in _priorities)
        {
            for (int i = 0; i < (deque?.Count ?? 0); i++)
                yield return deque![i];
        }
    }

    /// <summary>Takes all messages, in their order.</summary>
    internal List<MemoryMessage> RemoveAll()
    {
        var messages = new List<MemoryMessage>(Count);
        while (Count > 0)
            messages.Add(RemoveFirst());
        Clear();
        return messages;
    }

    /// <summary>Removes all, and lets go of large arrays.</summary>
    internal void Clear()
    {
        foreach (Deque<MemoryMessage>? deque in _priorities)
            deque?.Clear();
        _filled = 0;
        Count = 0;
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

    private Deque<MemoryMessage> DequeOf(MemoryMessage message)
    {
        int index = 9 - message.Priority;
        _filled |= 1u << index;
        return _priorities[index] ??= new Deque<MemoryMessage>();
    }
}
