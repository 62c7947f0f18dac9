using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Queues;

// Acknowledgement messages and journal copies: messages in other queues that a message in memory causes.
internal partial class LocalQueueStore
{
    /// <summary>Adds the messages that a sent message requests, and counts them: the acknowledgement of its arrival, and its journal copy.</summary>
    internal static void AddRequested(LocalMessage message, string? sourceJournal, List<LocalMessage> messages)
    {
        if (message.MakeAcknowledgment(AcknowledgmentClass.ReachQueue, null) is { } acknowledgment)
            messages.Add(acknowledgment);
        if (sourceJournal is not null && message.Store.Place?.OpenQueue(sourceJournal) is { } journal)
            messages.Add(message.CopyForJournal(journal));
    }

    /// <summary>Creates the administration queue that a message names, when it is sent.</summary>
    internal static void OpenAdministrationQueueOf(LocalMessage message)
    {
        if (message.AcknowledgeTypes != AcknowledgeTypes.None && message.AdministrationQueue is { } name)
            message.Store.Place?.OpenQueue(name);
    }

    /// <summary>Finds matching messages, including those that receivers and transactions hold; not parked ones, which request nothing.</summary>
    internal List<LocalMessage> FindAll(Predicate<LocalMessage> isFound)
    {
        var found = new List<LocalMessage>();
        lock (_gate)
        {
            foreach (LocalMessage message in _messages.EnumerateObjects().Concat(_delayed ?? []).Concat(EnumerateHeld()))
            {
                if (isFound(message))
                    found.Add(message);
            }
        }

        return found;
    }

    /// <summary>Sends the acknowledgements that messages request, after they have left their queue or were rejected.</summary>
    internal static void Acknowledge(IEnumerable<LocalMessage> messages, AcknowledgmentClass acknowledgment)
    {
        foreach (LocalMessage message in messages)
            Acknowledge(message, acknowledgment, null);
    }

    /// <inheritdoc cref="Acknowledge(IEnumerable{LocalMessage}, AcknowledgmentClass)"/>
    internal static void Acknowledge(LocalMessage message, AcknowledgmentClass acknowledgment, DeadLetter? deadLetter)
    {
        if (message.HasExtras && message.MakeAcknowledgment(acknowledgment, deadLetter) is { } made)
            made.Store.TryAdd(made, isCounted: true);
    }
}
