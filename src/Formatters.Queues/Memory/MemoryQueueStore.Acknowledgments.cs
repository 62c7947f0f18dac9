using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Queues;

// Acknowledgement messages, and copies of what is sent: what goes into other queues for a message in memory.
internal partial class MemoryQueueStore
{
    /// <summary>Where the administration and journal queues are that messages name.</summary>
    internal IQueuePlace? Place { get; init; }

    /// <summary>What comes in with a message, for which it asks: the acknowledgement of its arrival, and its copy for the journal. They count for their
    /// queues.</summary>
    internal static void AddMore(MemoryMessage message, string? sourceJournal, List<MemoryMessage> messages)
    {
        if (message.MakeAcknowledgment(AcknowledgmentClass.ReachQueue, null) is { } acknowledgment)
            messages.Add(acknowledgment);
        if (sourceJournal is not null && message.Store.Place?.OpenQueue(sourceJournal) is { } journal)
            messages.Add(message.CopyForJournal(journal));
    }

    /// <summary>Creates the queue to which the acknowledgements go for which a message asks, when it is sent.</summary>
    internal static void OpenAdministrationQueueOf(MemoryMessage message)
    {
        if (message.AcknowledgeTypes != AcknowledgeTypes.None && message.AdministrationQueue is { } name)
            message.Store.Place?.OpenQueue(name);
    }

    /// <summary>Finds the messages of which something is true, those too that receivers and transactions have; not what is parked and no object, which asks
    /// for nothing.</summary>
    internal List<MemoryMessage> FindAll(Predicate<MemoryMessage> isFound)
    {
        var found = new List<MemoryMessage>();
        lock (_gate)
        {
            foreach (MemoryMessage message in _messages.EnumerateObjects().Concat(_delayed ?? []).Concat(EnumerateHeld()))
            {
                if (isFound(message))
                    found.Add(message);
            }
        }

        return found;
    }

    /// <summary>Makes known what happened to messages that have left their queue, or did not come into it, to those who asked for it.</summary>
    internal static void Acknowledge(IEnumerable<MemoryMessage> messages, AcknowledgmentClass acknowledgment)
    {
        foreach (MemoryMessage message in messages)
            Acknowledge(message, acknowledgment, null);
    }

    /// <inheritdoc cref="Acknowledge(IEnumerable{MemoryMessage}, AcknowledgmentClass)"/>
    internal static void Acknowledge(MemoryMessage message, AcknowledgmentClass acknowledgment, DeadLetter? deadLetter)
    {
        if (message.HasExtras && message.MakeAcknowledgment(acknowledgment, deadLetter) is { } made)
            made.Store.TryAdd(made, isCounted: true);
    }
}
