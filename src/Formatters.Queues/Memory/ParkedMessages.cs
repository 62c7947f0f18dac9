using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>Messages of one priority of a queue, in their order, of which little more is in memory than where they are. Guarded by the queue's lock.</summary>
internal abstract class ParkedMessages
{
    internal abstract int Count { get; }

    internal abstract long FirstOrder { get; }

    internal abstract long LastOrder { get; }

    /// <summary>The index of the first message with an order that is not less.</summary>
    internal abstract int FindBehind(long order);

    /// <summary>Whether a message is not to be handed out any more.</summary>
    internal abstract bool IsDead(int index, long now, int maxDeliveryCount);

    /// <summary>The earliest time stamp at which one of them expires.</summary>
    internal abstract long FindEarliestDeadline();

    /// <summary>Whether the message may pass a filter, as far as can be said without reading it.</summary>
    internal abstract bool MayMatch(int index, MessageFilter filter);

    /// <summary>Makes objects of messages for somebody who looks on; they stay parked.</summary>
    /// <param name="first">The index of the first one.</param>
    /// <param name="filter">Those that cannot pass it are null; null for all.</param>
    /// <exception cref="QueueException">One cannot be read.</exception>
    internal abstract MemoryMessage?[] Show(int first, MessageFilter? filter);

    /// <summary>Makes a message an object again, and takes it out.</summary>
    /// <exception cref="QueueException">It cannot be read; it stays.</exception>
    internal abstract MemoryMessage Take(int index);

    /// <summary>The same of the first ones, all that can be read.</summary>
    /// <exception cref="QueueException">The first one cannot be read; it stays.</exception>
    internal abstract MemoryMessage[] TakeFirst();

    /// <summary>Puts an object between them, which is parked at once or later.</summary>
    internal abstract void Insert(int index, MemoryMessage message);

    /// <summary>Those that are objects nevertheless, because they cannot be parked.</summary>
    internal abstract IEnumerable<MemoryMessage> EnumerateObjects();

    /// <summary>Lets go of all of them: their queue is gone.</summary>
    internal abstract void Drop();
}

/// <summary>Where the messages of a queue are parked when many wait.</summary>
internal abstract class MessageParking
{
    /// <summary>How many messages are parked together, and made objects again together.</summary>
    internal abstract int MaxCount { get; }

    /// <summary>Whether there are so many objects that those after are to be parked.</summary>
    internal abstract bool IsFull { get; }

    /// <summary>So many objects more, or fewer, are in the line.</summary>
    internal abstract void CountObjects(int change);

    /// <summary>An empty place for messages.</summary>
    internal abstract ParkedMessages Make();
}
