using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>The subscriptions of a topic in a folder; shared by all its handles.</summary>
/// <remarks>
/// Sends and changes take one lock, so that all subscriptions see the messages in the same order. Durable subscriptions are queues of the folder, and
/// a message for them is one record of the log.
/// </remarks>
internal sealed class FileTopicStore
{
    private readonly Lock _gate = new();
    private readonly List<Durable> _durable = [];
    private readonly List<Temporary> _temporary = [];
    private readonly QueueFolder _folder;
    private readonly LocalQueueStore _origin;
    private readonly SendLine _line;

    internal FileTopicStore(QueueFolder folder, string name)
    {
        Name = name;
        _folder = folder;
        _origin = new LocalQueueStore(folder.AddressOf(name), name, folder.Clock) { Place = folder };
        _line = _origin.LineOf(long.MaxValue);
    }

    internal string Name { get; }

    /// <summary>Determines whether a send must wait for its turn, after others whose administration or journal queue is being created.</summary>
    internal bool MustWait => _origin.MustWait(_line);

    /// <summary>Adds a send to the line.</summary>
    internal SendTurn JoinLine() => _origin.JoinLine(_line, null);

    /// <summary>Sends a message to the matching subscriptions.</summary>
    internal ValueTask SendAsync(QueueMessage message, DeliveryMode mode, QueueTransaction? transaction, LocalTransaction? own,
        CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            // A copy for the selectors, which may use properties that the queue adds.
            bool asks = message.HasRequests;
            LocalMessage? copy = asks || _temporary.Count > 0 || _durable.Exists(subscription => subscription.Selector is not null)
                ? _origin.Copy(message) : null;
            FileQueue[] queues =
            [
                .. _durable.Where(subscription => !subscription.Queue.IsGone
                    && (subscription.Selector is null || subscription.Selector.Matches(copy!))).Select(subscription => subscription.SenderOf(mode)),
            ];
            ValueTask send = default;
            if (mode == DeliveryMode.Express)
            {
                // A journal copy is made once, below.
                QueueMessage given = asks ? CopyWithoutJournal(message, copy!) : message;
                foreach (FileQueue queue in queues)
                    queue.SendInMemory(given);
            }
            else if (queues.Length > 0)
            {
                try
                {
                    send = FileSend.SendAsync(queues, [message], transaction, cancellationToken);
                }
                catch (QueueException) when (_durable.RemoveAll(subscription => subscription.Queue.IsGone) > 0)
                {
                    // A subscription was just deleted, and nothing was sent: retry with the others.
                    return SendAsync(message, mode, transaction, own, cancellationToken);
                }
            }

            if (asks)
                send = SendBeside(message, copy!, mode == DeliveryMode.Express || queues.Length == 0, mode, own, send);
            foreach (Temporary subscription in _temporary)
            {
                if (subscription.Selector is null || subscription.Selector.Matches(copy!))
                    Send(copy!.CopyTo(subscription.Queue), subscription, own);
            }

            own?.ThrowIfEnded();
            return send;
        }
    }

    /// <summary>Adds a durable subscription, or changes its selector; the caller must drop messages that the new one does not match.</summary>
    internal void Set(FileQueueStore queue, string? selector)
    {
        lock (_gate)
        {
            int index = _durable.FindIndex(subscription => subscription.Queue == queue);
            var durable = new Durable(queue, selector is null ? null : MessageSelector.Parse(selector));
            if (index < 0)
                _durable.Add(durable);
            else
                _durable[index] = durable;
        }
    }

    /// <summary>Adds a subscription that ends with its handle.</summary>
    internal void Add(LocalQueueStore queue, MessageSelector? selector, LocalQueue handle)
    {
        lock (_gate)
            _temporary.Add(new Temporary(queue, selector, handle));
    }

    /// <summary>Fails all waiting and later receives of the subscriptions that end with their handles.</summary>
    internal void Stop(Func<QueueException> makeException)
    {
        lock (_gate)
        {
            foreach (Temporary subscription in _temporary)
                subscription.Queue.Stop(makeException);
        }
    }

    internal void Remove(LocalQueueStore queue)
    {
        lock (_gate)
            _temporary.RemoveAll(subscription => subscription.Queue == queue);
    }

    /// <summary>Removes a durable subscription.</summary>
    /// <returns>Its queue, or null if there is none.</returns>
    internal FileQueueStore? RemoveDurable(string queueName)
    {
        lock (_gate)
        {
            int index = _durable.FindIndex(subscription => subscription.Queue.Name == queueName);
            if (index < 0)
                return null;
            FileQueueStore queue = _durable[index].Queue;
            _durable.RemoveAt(index);
            return queue.IsGone ? null : queue;
        }
    }

    /// <summary>Creates the message for queues in memory, with the id that all copies share.</summary>
    private static QueueMessage CopyWithoutJournal(QueueMessage message, LocalMessage copy)
    {
        QueueMessage given = message.Copy();
        given.MessageId = copy.MessageId;
        given.SourceJournalQueue = null;
        return given;
    }

    /// <summary>Sends the journal copy, if no durable subscription's message includes it.</summary>
    private ValueTask SendBeside(QueueMessage message, LocalMessage copy, bool isAlone, DeliveryMode mode, LocalTransaction? transaction,
        ValueTask send)
    {
        string? name = copy.SourceJournalQueue;
        copy.ClearSourceJournal();
        if (!isAlone || name is null || _folder.FindQueue(name) is not { } journal)
            return send;
        if (mode != DeliveryMode.Express)
            return FileSend.SendNow(_folder, [], [message], transaction);
        LocalQueueStore.AddAll([copy.CopyForJournal(journal)], mayBeDeleted: true);
        return send;
    }

    private static void Send(LocalMessage message, Temporary subscription, LocalTransaction? transaction)
    {
        var acknowledgments = new List<LocalMessage>();
        if (message.HasExtras)
            LocalQueueStore.AddRequested(message, null, acknowledgments);
        if (transaction is null && acknowledgments.Count == 0)
        {
            subscription.Queue.TryAdd(message, isCounted: false);
            return;
        }

        if (transaction is null)
        {
            subscription.Queue.CountAgain(message);
            LocalQueueStore.AddAll([message, .. acknowledgments], mayBeDeleted: true);
            return;
        }

        if (acknowledgments.Count > 0)
            transaction.Send([.. acknowledgments]);

        subscription.Queue.Reserve(subscription.Handle, message.BodyByteCount);
        try
        {
            transaction.Send(message);
        }
        catch
        {
            subscription.Queue.Release(message.BodyByteCount);
            throw;
        }
    }

    private sealed record Temporary(LocalQueueStore Queue, MessageSelector? Selector, LocalQueue Handle);

    private sealed class Durable(FileQueueStore queue, MessageSelector? selector)
    {
        private readonly FileQueue?[] _senders = new FileQueue?[3];

        internal FileQueueStore Queue => queue;

        internal MessageSelector? Selector => selector;

        /// <summary>Returns the handle with which the topic sends in a mode.</summary>
        internal FileQueue SenderOf(DeliveryMode mode) =>
            _senders[(int)mode] ??= new FileQueue(queue, queue.Address, new QueueOptions { DeliveryMode = mode });
    }
}
