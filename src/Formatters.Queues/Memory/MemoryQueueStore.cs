using System;
using System.Collections.Generic;
using System.Threading;

namespace Formatters.Queues;

/// <summary>The messages of one memory queue and the line of receivers that wait for one; shared by all handles of the queue.</summary>
/// <remarks>
/// One lock guards everything, and is held for a few field writes. There are messages or there are waiters, never both:
/// who adds a message hands it to the first waiter.
/// </remarks>
internal class MemoryQueueStore
{
    private static long lastOrder;

    private readonly Lock _gate = new();
    private readonly Deque<MemoryMessage> _messages = new();
    private readonly Stack<MemoryWaiter> _idleWaiters = new();
    private MemoryWaiter? _firstWaiter;
    private MemoryWaiter? _lastWaiter;
    private long _lastNumber;
    private volatile bool _isDeleted;

    internal MemoryQueueStore(QueueAddress address) => Address = address;

    internal QueueAddress Address { get; }

    /// <summary>The first part of the ids of this queue's messages.</summary>
    internal string Id { get; } = Guid.NewGuid().ToString();

    /// <summary>In this order a transaction takes the locks of its queues, so that two transactions never wait for each other.</summary>
    internal long Order { get; } = Interlocked.Increment(ref lastOrder);

    /// <summary>Copies a message, ready to be added.</summary>
    internal MemoryMessage Copy(QueueMessage message) => new(this, Interlocked.Increment(ref _lastNumber), message);

    internal bool IsDeleted => _isDeleted;

    internal void Add(MemoryMessage message)
    {
        MemoryWaiter? waiter;
        lock (_gate)
        {
            ThrowIfDeleted();
            waiter = TakeWaiter(message);
            if (waiter is null)
                _messages.AddLast(message);
        }

        waiter?.Complete(message);
    }

    /// <summary>Takes the first message for a handle, or null and a waiter that stands in line (none for a zero timeout).</summary>
    internal MemoryMessage? Take(MemoryQueue queue, MemoryTransaction? transaction, TimeSpan timeout, out MemoryWaiter? waiter)
    {
        waiter = null;
        lock (_gate)
        {
            ThrowIfDeleted();
            queue.ThrowIfDisposed();
            if (_messages.Count > 0)
            {
                // The transaction first: if it has ended, the message stays where it is.
                transaction?.ThrowIfEnded();
                MemoryMessage message = _messages.RemoveFirst();
                if (!TryHandOver(message, queue, transaction))
                {
                    _messages.AddFirst(message);
                    throw MemoryTransaction.Ended();
                }

                return message;
            }

            if (timeout == TimeSpan.Zero)
                return null;
            waiter = _idleWaiters.Count > 0 ? _idleWaiters.Pop() : new MemoryWaiter(this);
            waiter.Prepare(queue, transaction, timeout);
            waiter.Previous = _lastWaiter;
            waiter.IsInLine = true;
            if (_lastWaiter is null)
                _firstWaiter = waiter;
            else
                _lastWaiter.Next = waiter;
            _lastWaiter = waiter;
            return null;
        }
    }

    /// <summary>Takes a waiter out of the line.</summary>
    /// <returns>Whether it was in it; then the caller, and nobody else, completes it.</returns>
    internal bool TryLeaveLine(MemoryWaiter waiter)
    {
        lock (_gate)
            return LeaveLine(waiter);
    }

    internal void Recycle(MemoryWaiter waiter)
    {
        lock (_gate)
            _idleWaiters.Push(waiter);
    }

    /// <summary>Acknowledges or returns a message. Doing so again has no effect.</summary>
    internal SettleResult Settle(MemoryMessage message, bool giveBack)
    {
        lock (_gate)
        {
            if (message.LockedBy is null)
                return message.LostLock ? SettleResult.LockLost : SettleResult.None;
            Unlock(message);
            if (giveBack)
                AddBack(message.ForRedelivery());
            return SettleResult.Settled;
        }
    }

    /// <summary>Gives messages back to the front of the queue.</summary>
    /// <param name="messages">The messages in the order in which they were received, and in which they are received again.</param>
    internal void AddBack(List<MemoryMessage> messages)
    {
        lock (_gate)
        {
            if (_isDeleted)
                return;
            // With receivers waiting, the queue is empty: the first goes to the first of them. Else the last goes to the front first.
            int next = 0;
            while (next < messages.Count && _firstWaiter is not null)
                AddBack(messages[next++].ForRedelivery());
            for (int i = messages.Count - 1; i >= next; i--)
                AddBack(messages[i].ForRedelivery());
        }
    }

    /// <summary>Ends a handle: its waiting receivers fail, and its locked messages go back.</summary>
    internal void Close(MemoryQueue queue)
    {
        lock (_gate)
        {
            for (MemoryWaiter? waiter = _firstWaiter; waiter is not null;)
            {
                MemoryWaiter? next = waiter.Next;
                if (waiter.Queue == queue && LeaveLine(waiter))
                    waiter.Fail(queue.Disposed());
                waiter = next;
            }

            var messages = new List<MemoryMessage>();
            while (queue.FirstLocked is { } message)
            {
                message.LostLock = true;
                Unlock(message);
                messages.Add(message);
            }

            AddBack(messages);
        }
    }

    /// <summary>Ends the queue: its messages are gone, all waiting and later operations fail.</summary>
    internal void Delete()
    {
        lock (_gate)
        {
            _isDeleted = true;
            _messages.Clear();
            while (_firstWaiter is { } waiter)
            {
                LeaveLine(waiter);
                waiter.Fail(DeletedException());
            }
        }
    }

    /// <summary>Empties the queue of the messages that no receiver has.</summary>
    internal long Purge()
    {
        lock (_gate)
        {
            ThrowIfDeleted();
            long count = _messages.Count;
            _messages.Clear();
            return count;
        }
    }

    /// <summary>Takes all messages that no receiver has, in their order.</summary>
    internal List<MemoryMessage> TakeAll()
    {
        var messages = new List<MemoryMessage>();
        lock (_gate)
        {
            ThrowIfDeleted();
            while (_messages.Count > 0)
                messages.Add(_messages.RemoveFirst());
        }

        return messages;
    }

    internal long CountMessages()
    {
        lock (_gate)
        {
            ThrowIfDeleted();
            return _messages.Count;
        }
    }

    /// <summary>Makes the sends of a transaction visible in all its queues at one moment, or throws with none of them visible.</summary>
    /// <param name="messages">The messages in the order of their sends.</param>
    /// <param name="mayBeDeleted">Whether messages of a deleted queue are left out instead.</param>
    internal static void AddAll(IReadOnlyList<MemoryMessage> messages, bool mayBeDeleted = false)
    {
        var stores = new SortedList<long, MemoryQueueStore>();
        foreach (MemoryMessage message in messages)
            stores[message.Store.Order] = message.Store;
        var waiters = new List<(MemoryWaiter Waiter, MemoryMessage Message)>();
        int entered = 0;
        try
        {
            foreach (MemoryQueueStore store in stores.Values)
            {
                store._gate.Enter();
                entered++;
            }

            foreach (MemoryQueueStore store in stores.Values)
            {
                if (!mayBeDeleted)
                    store.ThrowIfDeleted();
            }

            foreach (MemoryMessage message in messages)
            {
                if (message.Store._isDeleted)
                    continue;
                if (message.Store.TakeWaiter(message) is { } waiter)
                    waiters.Add((waiter, message));
                else
                    message.Store._messages.AddLast(message);
            }
        }
        finally
        {
            while (entered > 0)
                stores.Values[--entered]._gate.Exit();
        }

        foreach ((MemoryWaiter waiter, MemoryMessage message) in waiters)
            waiter.Complete(message);
    }

    private void AddBack(MemoryMessage message)
    {
        if (_isDeleted)
            return;
        MemoryWaiter? waiter = TakeWaiter(message);
        if (waiter is null)
            _messages.AddFirst(message);
        else
            waiter.Complete(message);
    }

    /// <summary>Finds the first waiter that can take a message over, and takes it out of the line.</summary>
    private MemoryWaiter? TakeWaiter(MemoryMessage message)
    {
        while (_firstWaiter is { } waiter)
        {
            LeaveLine(waiter);
            if (TryHandOver(message, waiter.Queue!, waiter.Transaction))
                return waiter;
            waiter.Fail(MemoryTransaction.Ended());
        }

        return null;
    }

    private static bool TryHandOver(MemoryMessage message, MemoryQueue queue, MemoryTransaction? transaction)
    {
        if (transaction is not null)
            return transaction.TryAddReceived(message);
        if (queue.Options.ReceiveMode == ReceiveMode.PeekLock)
        {
            message.LockedBy = queue;
            message.PreviousLocked = queue.LastLocked;
            if (queue.LastLocked is null)
                queue.FirstLocked = message;
            else
                queue.LastLocked.NextLocked = message;
            queue.LastLocked = message;
        }

        return true;
    }

    private static void Unlock(MemoryMessage message)
    {
        MemoryQueue queue = message.LockedBy!;
        if (message.PreviousLocked is null)
            queue.FirstLocked = message.NextLocked;
        else
            message.PreviousLocked.NextLocked = message.NextLocked;
        if (message.NextLocked is null)
            queue.LastLocked = message.PreviousLocked;
        else
            message.NextLocked.PreviousLocked = message.PreviousLocked;
        message.PreviousLocked = null;
        message.NextLocked = null;
        message.LockedBy = null;
    }

    private bool LeaveLine(MemoryWaiter waiter)
    {
        if (!waiter.IsInLine)
            return false;
        if (waiter.Previous is null)
            _firstWaiter = waiter.Next;
        else
            waiter.Previous.Next = waiter.Next;
        if (waiter.Next is null)
            _lastWaiter = waiter.Previous;
        else
            waiter.Next.Previous = waiter.Previous;
        waiter.Previous = null;
        waiter.Next = null;
        waiter.IsInLine = false;
        return true;
    }

    internal void ThrowIfDeleted()
    {
        if (_isDeleted)
            throw DeletedException();
    }

    internal QueueException DeletedException() => new($"The queue '{Address}' was deleted.");
}

/// <summary>What became of an acknowledgement or a return.</summary>
internal enum SettleResult
{
    /// <summary>The message was under no lock: nothing to do.</summary>
    None,

    /// <summary>The message was under lock and is no longer.</summary>
    Settled,

    /// <summary>The message has gone back without the receiver.</summary>
    LockLost,
}
