using System.Collections.Generic;
using System.Threading;

namespace Formatters.Queues;

/// <summary>The subscriptions of a topic in this process; shared by all its handles.</summary>
/// <remarks>
/// Sends and changes take one lock, so that all subscriptions see the messages in the same order, and a new one gets all or nothing of a message.
/// </remarks>
internal sealed class MemoryTopicStore
{
    private readonly Lock _gate = new();
    private readonly List<Subscription> _subscriptions = [];
    private readonly MemoryQueueStore _origin;

    /// <param name="origin">A queue that never holds a message: it copies them, and gives them their ids.</param>
    internal MemoryTopicStore(MemoryQueueStore origin) => _origin = origin;

    internal string Name => _origin.Name;

    internal QueueClock Clock => _origin.Clock;

    /// <summary>Copies the message once, and shares the copy's body with every subscription.</summary>
    internal void Send(QueueMessage message, MemoryTransaction? transaction)
    {
        MemoryMessage? copy = null;
        if (message.HasRequests)
        {
            SendWithRequests(message, transaction);
            return;
        }

        lock (_gate)
        {
            foreach (Subscription subscription in _subscriptions)
            {
                copy ??= _origin.Copy(message);
                if (subscription.Selector is { } selector && !selector.Matches(copy))
                    continue;
                MemoryMessage own = copy.CopyTo(subscription.Queue);
                if (transaction is null)
                {
                    subscription.Queue.TryAdd(own, isCounted: false);
                    continue;
                }

                transaction.ThrowIfEnded();
                subscription.Queue.Reserve(subscription.Handle, own.BodyByteCount);
                transaction.Send(own);
            }
        }

        transaction?.ThrowIfEnded();
    }

    /// <summary>Sends a message that requests acknowledgements, for each subscription, or a journal copy.</summary>
    private void SendWithRequests(QueueMessage message, MemoryTransaction? transaction)
    {
        var messages = new List<MemoryMessage>();
        lock (_gate)
        {
            try
            {
                MemoryMessage copy = _origin.Copy(message);
                MemoryQueueStore.OpenAdministrationQueueOf(copy);
                if (copy.SourceJournalQueue is { } name && _origin.Place!.OpenQueue(name) is { } journal)
                    messages.Add(copy.CopyForJournal(journal));
                copy.ClearSourceJournal();
                foreach (Subscription subscription in _subscriptions)
                {
                    if (subscription.Selector is { } selector && !selector.Matches(copy))
                        continue;
                    MemoryMessage own = copy.CopyTo(subscription.Queue);
                    if (transaction is null)
                        subscription.Queue.CountAgain(own);
                    else
                        subscription.Queue.Reserve(subscription.Handle, own.BodyByteCount);
                    messages.Add(own);
                    MemoryQueueStore.AddRequested(own, null, messages);
                }

                if (transaction is null)
                    MemoryQueueStore.AddAll(messages, mayBeDeleted: true);
                else
                    transaction.Send([.. messages]);
            }
            catch
            {
                foreach (MemoryMessage one in messages)
                    one.Store.Release(one.BodyByteCount);
                throw;
            }
        }
    }

    /// <summary>Adds a subscription, or changes its selector.</summary>
    internal void Set(MemoryQueueStore queue, MessageSelector? selector, MemoryQueue handle)
    {
        lock (_gate)
        {
            int index = _subscriptions.FindIndex(subscription => subscription.Queue == queue);
            var subscription = new Subscription(queue, selector, handle);
            if (index < 0)
            {
                _subscriptions.Add(subscription);
                return;
            }

            if (selector is not null && selector.ToString() != _subscriptions[index].Selector?.ToString())
                MemoryQueueStore.Acknowledge(queue.Drop(message => !selector.Matches(message)), AcknowledgmentClass.QueuePurged);
            _subscriptions[index] = subscription;
        }
    }

    internal MemoryQueueStore? Find(string queueName)
    {
        lock (_gate)
            return _subscriptions.Find(subscription => subscription.Queue.Name == queueName)?.Queue;
    }

    internal bool Remove(MemoryQueueStore queue)
    {
        lock (_gate)
            return _subscriptions.RemoveAll(subscription => subscription.Queue == queue) > 0;
    }

    private sealed record Subscription(MemoryQueueStore Queue, MessageSelector? Selector, MemoryQueue Handle);
}
