using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus;

namespace Formatters.Queues.ServiceBus;

/// <summary>Peeks at, counts and purges the messages of an entity, which may be locked by any handle of the provider.</summary>
internal sealed class ServiceBusBrowser(ServiceBusNamespace space, ServiceBusAddress address, ServiceBusInbox inbox, ServiceBusReceiver observer)
{
    private const int PeekCount = 50;
    private const int MaxPurgeMisses = 5;

    private static readonly TimeSpan PurgeWait = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// Gets the number of messages that the handles of the provider have locked, without those that they hold back until they are returned.
    /// </summary>
    internal int LockedCount => Siblings.Sum(static inbox => inbox.HandedOutCount);

    /// <summary>Gets the receiving sides of the same entity, including this one.</summary>
    private IEnumerable<ServiceBusInbox> Siblings =>
        space.Inboxes.Keys.Where(other => other.EntityPath.Equals(address.EntityPath, StringComparison.OrdinalIgnoreCase));

    /// <summary>Returns messages without removing them.</summary>
    internal async Task<IReadOnlyList<PeekedMessage>> PeekAsync(long first, PeekOptions options, CancellationToken cancellationToken)
    {
        MessageSelector? selector = options.Selector is null ? null : MessageSelector.Parse(options.Selector);
        var found = new List<PeekedMessage>();
        while (found.Count < options.MaxCount)
        {
            IReadOnlyList<ServiceBusReceivedMessage> page = await inbox.RunAsync(
                () => observer.PeekMessagesAsync(Math.Clamp(options.MaxCount - found.Count, 1, 250), first, cancellationToken), "peek at messages",
                    cancellationToken).ConfigureAwait(false);
            if (page.Count == 0)
                break;
            first = page[^1].SequenceNumber + 1;
            foreach (ServiceBusReceivedMessage message in page)
            {
                PeekedMessage peeked = ToPeeked(message);
                if (found.Count < options.MaxCount && (options.IncludeLocked || !peeked.IsLocked)
                    && (options.IncludeDelayed || peeked.DueTime is null) && selector?.Matches(peeked) != false)
                    found.Add(peeked);
            }
        }

        return found;
    }

    /// <summary>Completes all messages that are in the entity and not locked.</summary>
    internal async Task<long> PurgeAsync(Func<IEnumerable<long>, CancellationToken, Task> cancelScheduled, CancellationToken cancellationToken)
    {
        long count = 0;
        IReadOnlyList<PeekedMessage> all = await PeekAsync(0, new PeekOptions { MaxCount = int.MaxValue, IncludeLocked = false }, cancellationToken)
            .ConfigureAwait(false);
        foreach (PeekedMessage message in all.Where(static message => message.IsDeferred))
        {
            try
            {
                ServiceBusQueueMessage locked = await inbox.LockDeferredAsync(NumberOf(message), cancellationToken).ConfigureAwait(false);
                await inbox.Locks.CompleteAsync([locked]).ConfigureAwait(false);
                count++;
            }
            catch (QueueException e) when (e.InnerException is ServiceBusException { Reason: ServiceBusFailureReason.MessageNotFound })
            {
                // Another receiver has locked it, or it has left.
            }
        }

        long[] numbers = [.. all.Where(static message => message.DueTime is not null).Select(NumberOf)];
        ServiceBusQueueMessage[] delayed = inbox.Locks.FindDelayed(numbers);
        foreach (ServiceBusQueueMessage message in delayed)
        {
            await inbox.RunAsync(() => inbox.Locks.CompleteDelayedAsync(message, cancellationToken), "purge", cancellationToken)
                .ConfigureAwait(false);
            count++;
        }

        long[] waiting = [.. numbers.Except(delayed.Select(static message => message.Received.SequenceNumber))];
        if (waiting.Length > 0)
        {
            await inbox.RunAsync(() => cancelScheduled(waiting, cancellationToken), "purge", cancellationToken).ConfigureAwait(false);
            count += waiting.Length;
        }

        for (int misses = 0; misses < MaxPurgeMisses;)
        {
            int available = await CountAvailableAsync(cancellationToken).ConfigureAwait(false);
            if (available == 0)
                break;
            IReadOnlyList<ServiceBusQueueMessage> some = await inbox.WaitAsync(available, PurgeWait, cancellationToken).ConfigureAwait(false);
            misses = some.Count == 0 ? misses + 1 : 0;
            if (some.Count > 0)
                await inbox.Locks.CompleteAsync(some).ConfigureAwait(false);
            count += some.Count;
        }

        return count;
    }

    /// <summary>Counts some of the messages that are there and not locked by a handle of the provider.</summary>
    /// <returns>Zero if there is none.</returns>
    internal async Task<int> CountAvailableAsync(CancellationToken cancellationToken)
    {
        long first = 0;
        while (true)
        {
            IReadOnlyList<ServiceBusReceivedMessage> page = await inbox.RunAsync(
                () => observer.PeekMessagesAsync(PeekCount, first, cancellationToken), ServiceBusInbox.What, cancellationToken).ConfigureAwait(false);
            if (inbox.BufferedCount is > 0 and var buffered)
                return buffered;
            int count = page.Count(message => message.State == ServiceBusMessageState.Active && FindLocked(message.SequenceNumber) is null);
            if (count > 0 || page.Count == 0)
                return count;
            first = page[^1].SequenceNumber + 1;
        }
    }

    /// <summary>Finds a message that a handle of the provider has locked.</summary>
    private ServiceBusQueueMessage? FindLocked(long sequenceNumber) =>
        Siblings.Select(sibling => sibling.Locks.Find(sequenceNumber)).FirstOrDefault(static message => message is not null);

    private static long NumberOf(PeekedMessage message) => long.Parse(message.Position, CultureInfo.InvariantCulture);

    private PeekedMessage ToPeeked(ServiceBusReceivedMessage message)
    {
        ServiceBusQueueMessage? own = FindLocked(message.SequenceNumber);
        string? source = address.IsDeadLetterQueue ? address.MainPath : null;
        return ServiceBusQueueMessage.Peeked(message, own is not null, inbox.Locks.ByClock(own?.ReturnTime), inbox.Locks.ByClock(own?.Lease), source);
    }
}
