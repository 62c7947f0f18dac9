using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>
/// A group of messages of one priority of a queue, in order, of which little more than their location is in memory. Guarded by the queue's lock.
/// </summary>
internal abstract class ParkedMessages
{
    internal abstract int Count { get; }

    internal abstract long FirstOrder { get; }

    internal abstract long LastOrder { get; }

    /// <summary>Finds the index of the first message whose order is not less.</summary>
    internal abstract int FindLowerBound(long order);

    /// <summary>Determines whether a message must no longer be delivered.</summary>
    internal abstract bool IsDead(int index, long now, int maxDeliveryCount);

    /// <summary>Finds the earliest deadline.</summary>
    internal abstract long FindEarliestDeadline();

    /// <summary>Determines whether the message may pass a filter, as far as is known without reading it.</summary>
    internal abstract bool MayMatch(int index, MessageFilter filter);

    /// <summary>Creates objects of messages for a peek; they stay parked.</summary>
    /// <param name="first">The index of the first one.</param>
    /// <param name="filter">Messages that cannot pass it are null; null for all.</param>
    /// <exception cref="QueueException">One cannot be read.</exception>
    internal abstract LocalMessage?[] Show(int first, MessageFilter? filter);

    /// <summary>Converts a message back to an object, and removes it from the group.</summary>
    /// <exception cref="QueueException">It cannot be read, and stays.</exception>
    internal abstract LocalMessage Take(int index);

    /// <summary>Converts the first messages back to objects, as far as they can be read.</summary>
    /// <exception cref="QueueException">The first one cannot be read, and stays.</exception>
    internal abstract LocalMessage[] TakeFirst();

    /// <summary>Inserts an object, which is parked immediately or later.</summary>
    internal abstract void Insert(int index, LocalMessage message);

    /// <summary>Enumerates the messages that are objects, because they cannot be parked.</summary>
    internal abstract IEnumerable<LocalMessage> EnumerateObjects();

    /// <summary>Drops all messages of a deleted queue.</summary>
    internal abstract void Drop();
}

/// <summary>Decides when the messages of a queue are parked, and creates the groups.</summary>
internal abstract class MessageParking
{
    /// <summary>Gets the number of messages that are parked and converted back together.</summary>
    internal abstract int MaxCount { get; }

    /// <summary>Gets whether there are so many objects that further messages are to be parked.</summary>
    internal abstract bool IsFull { get; }

    /// <summary>Adds to the number of objects in the line.</summary>
    internal abstract void CountObjects(int change);

    /// <summary>Creates an empty group.</summary>
    internal abstract ParkedMessages Make();
}
