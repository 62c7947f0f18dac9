using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Queues;

// Batches and peeking.
internal partial class LocalQueueStore
{
    /// <summary>Adds messages that a handle sends, within the handle's limits: all of them at once, or none.</summary>
    internal void Send(LocalQueue queue, LocalMessage[] messages)
    {
        List<DeadMessage>? dead = null;
        var waiters = new List<(LocalWaiter Waiter, LocalMessage Message)>();
        try
        {
            lock (_gate)
            {
                ThrowIfDeleted();
                KeepIds(queue, messages, ref dead);
                foreach (LocalMessage message in messages)
                {
                    if (AddLocked(message) is { } waiter)
                        waiters.Add((waiter, message));
                }
            }
        }
        finally
        {
            queue.RemoveDead(dead);
        }

        foreach ((LocalWaiter waiter, LocalMessage message) in waiters)
            Complete(waiter, message);
    }

    /// <summary>Takes more available messages for a handle that has one.</summary>
    internal void TakeMore(LocalQueue queue, LocalTransaction? transaction, int maxCount, List<ReceivedMessage> messages)
    {
        List<DeadMessage>? dead = null;
        int first = messages.Count;
        try
        {
            lock (_gate)
            {
                if (_isDeleted)
                    return;
                try
                {
                    while (messages.Count < maxCount && TakeFirstLocked(queue, transaction, queue.Filter, ref dead) is { } message)
                        messages.Add(message);
                }
                catch (QueueException)
                {
                    // The next message cannot be read, which the next receive reports; the messages before it are returned.
                }
            }
        }
        finally
        {
            queue.RemoveDead(dead);
            for (int i = first; i < messages.Count; i++)
                queue.AfterHandOver((LocalMessage)messages[i]);
        }
    }

    /// <summary>Finds messages after a position, in the order of delivery, without removing them.</summary>
    internal List<(LocalMessage Message, bool IsLocked)> Peek(PeekOptions options)
    {
        MessagePosition after = MessagePosition.Parse(options.After);
        MessageSelector? selector = options.Selector is { } text ? MessageSelector.Parse(text) : null;
        var found = new List<(LocalMessage Message, bool IsLocked)>();
        lock (_gate)
        {
            ThrowIfDeleted();
            long now = Clock.Now;
            foreach (LocalMessage message in _messages.EnumerateAfter(after))
            {
                if (found.Count == options.MaxCount)
                    break;
                if (message.Deadline > now && (selector is null || selector.Matches(message)))
                    found.Add((message, false));
            }

            int inLine = found.Count;
            if (options.IncludeDelayed && DelayedCount > 0)
            {
                foreach (LocalMessage message in _delayed!)
                {
                    if (message.Deadline > now && MessagePosition.Of(message).CompareTo(after) > 0 && (selector is null || selector.Matches(message)))
                        AddOutOfOrder(message, isLocked: false);
                }
            }

            IEnumerable<LocalMessage> held = options.IncludeLocked ? EnumerateHeld() : [];
            foreach (LocalMessage message in held)
            {
                if (MessagePosition.Of(message).CompareTo(after) > 0 && (selector is null || selector.Matches(message)))
                    AddOutOfOrder(message, isLocked: true);
            }

            if (found.Count > inLine)
                KeepFirst();
        }

        return found;

        void AddOutOfOrder(LocalMessage message, bool isLocked)
        {
            found.Add((message, isLocked));
            // Sorted lazily: a caller that peeks at many in turn would otherwise sort all of them each time.
            if (found.Count >= 2L * options.MaxCount + 64)
                KeepFirst();
        }

        void KeepFirst()
        {
            found.Sort(static (a, b) => MessagePosition.Of(a.Message).CompareTo(MessagePosition.Of(b.Message)));
            if (found.Count > options.MaxCount)
                found.RemoveRange(options.MaxCount, found.Count - options.MaxCount);
        }
    }

    internal void Open(LocalQueue queue)
    {
        lock (_gate)
            _handles.Add(queue);
    }

    /// <summary>Removes a transaction that has ended from the list.</summary>
    internal void Forget(LocalTransaction transaction)
    {
        lock (_gate)
            _transactions?.Remove(transaction);
    }

    private IEnumerable<LocalMessage> EnumerateHeld()
    {
        foreach (LocalQueue handle in _handles)
        {
            for (LocalMessage? message = handle.FirstLocked; message is not null; message = message.NextLocked)
                yield return message;
        }

        foreach (LocalTransaction transaction in _transactions ?? [])
        {
            foreach (LocalMessage message in transaction.GetReceived())
            {
                if (message.Store == this)
                    yield return message;
            }
        }
    }
}
