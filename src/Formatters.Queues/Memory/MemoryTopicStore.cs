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
    private readonly LocalQueueStore _origin;

    /// <param name="origin">A queue that never holds a message: it copies them, and gives them their ids.</param>
    internal MemoryTopicStore(LocalQueueStore origin) => _origin = origin;

    internal string Name => _origin.Name;

    internal QueueClock Clock => _origin.Clock;

    /// <summary>Copies the message once, and shares the copy's body with every subscription.</summary>
    internal void Send(QueueMessage message, LocalTransaction? transaction)
    {
        LocalMessage? copy = null;
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
                LocalMessage own = copy.CopyTo(subscription.Queue);
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
    private void SendWithRequests(QueueMessage message, LocalTransaction? transaction)
    {
        var messages = new List<LocalMessage>();
        lock (_gate)
        {
            try
            {
                LocalMessage copy = _origin.Copy(message);
                LocalQueueStore.OpenAdministrationQueueOf(copy);
                if (copy.SourceJournalQueue is { } name && _origin.Place!.OpenQueue(name) is { } journal)
                    messages.Add(copy.CopyForJournal(journal));
                copy.ClearSourceJournal();
                foreach (Subscription subscription in _subscriptions)
                {
                    if (subscription.Selector is { } selector && !selector.Matches(copy))
                        continue;
                    LocalMessage own = copy.CopyTo(subscription.Queue);
                    if (transaction is null)
                        subscription.Queue.CountAgain(own);
                    else
                        subscription.Queue.Reserve(subscription.Handle, own.BodyByteCount);
                    messages.Add(own);
                    LocalQueueStore.AddRequested(own, null, messages);
                }

                if (transaction is null)
                    LocalQueueStore.AddAll(messages, mayBeDeleted: true);
                else
                    transaction.Send([.. messages]);
            }
            catch
            {
                foreach (LocalMessage one in messages)
                    one.Store.Release(one.BodyByteCount);
                throw;
            }
        }
    }

    /// <summary>Adds a subscription, or changes its selector.</summary>
    internal void Set(LocalQueueStore queue, MessageSelector? selector, LocalQueue handle)
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
                LocalQueueStore.Acknowledge(queue.Drop(message => !selector.Matches(message)), AcknowledgmentClass.QueuePurged);
            _subscriptions[index] = subscription;
        }
    }

    internal LocalQueueStore? Find(string queueName)
    {
        lock (_gate)
            return _subscriptions.Find(subscription => subscription.Queue.Name == queueName)?.Queue;
    }

    internal bool Remove(LocalQueueStore queue)
    {
        lock (_gate)
            return _subscriptions.RemoveAll(subscription => subscription.Queue == queue) > 0;
    }

    private sealed record Subscription(LocalQueueStore Queue, MessageSelector? Selector, LocalQueue Handle);
}
