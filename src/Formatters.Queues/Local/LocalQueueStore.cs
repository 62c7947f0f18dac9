using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

namespace Formatters.Queues;

/// <summary>The messages of one memory queue and its waiting receivers, shared by all handles of the queue.</summary>
/// <remarks>
/// One lock guards everything, and is held for a few field writes. A message in the line never matches a waiting receive: adding a message hands it
/// to the first waiter whose selector matches. Effects on other queues (a dead letter, a journal copy) happen outside the lock.
/// </remarks>
internal partial class LocalQueueStore
{
    /// <summary>Some microseconds, enough for several messages.</summary>
    private const int BurstSpinCount = 100;

    private static long lastOrder;

    private readonly Lock _gate = new();
    private readonly MessageLine _messages;
    private readonly Stack<LocalWaiter> _idleWaiters = new();
    private LocalWaiter? _firstWaiter;
    private LocalWaiter? _lastWaiter;
    private readonly HashSet<LocalQueue> _handles = [];
    private HashSet<LocalTransaction>? _transactions;
    private long _lastNumber;
    private long _lastMessageOrder;
    private long _nextDeadline = QueueClock.Never;
    private volatile bool _isDeleted;
    private volatile Func<QueueException>? _makeStopped;

    internal LocalQueueStore(QueueAddress address, string name, QueueClock clock, MessageParking? parking = null)
    {
        _messages = new MessageLine(parking);
        Address = address;
        Name = name;
        Clock = clock;
    }

    internal QueueAddress Address { get; }

    internal string Name { get; }

    internal QueueClock Clock { get; }

    /// <summary>Gets the container of the administration and journal queues that messages name.</summary>
    internal IQueuePlace? Place { get; init; }

    /// <summary>Gets the first part of the ids of this queue's messages.</summary>
    internal string Id { get; } = Guid.NewGuid().ToString();

    /// <summary>Gets the order in which a transaction locks its queues, so that two transactions never deadlock.</summary>
    internal long Order { get; } = Interlocked.Increment(ref lastOrder);

    internal bool IsDeleted => _isDeleted;

    /// <summary>Copies a message, ready to be added.</summary>
    internal LocalMessage Copy(QueueMessage message) => new(this, Interlocked.Increment(ref _lastNumber), message);

    /// <summary>Copies a message that accompanies others.</summary>
    internal LocalMessage CopyOptional(QueueMessage message) => new(this, Interlocked.Increment(ref _lastNumber), message) { IsOptional = true };

    /// <summary>Adds a message that a handle sends, within the handle's limits.</summary>
    internal void Send(LocalQueue queue, LocalMessage message)
    {
        LocalWaiter? waiter;
        List<DeadMessage>? dead = null;
        try
        {
            EnterBetweenBursts();
            try
            {
                ThrowIfDeleted();
                if (message.Receiver is not null)
                    KeepIds(queue, [message], ref dead);
                else
                    ReserveLocked(queue, 1, message.BodyByteCount, ref dead);
                waiter = AddLocked(message);
            }
            finally
            {
                _gate.Exit();
            }
        }
        finally
        {
            queue.RemoveDead(dead);
        }

        Complete(waiter, message);
    }

    /// <summary>Adds a message regardless of limits: it is counted already, or comes from another queue.</summary>
    /// <returns>Whether the queue exists.</returns>
    internal bool TryAdd(LocalMessage message, bool isCounted)
    {
        LocalWaiter? waiter;
        lock (_gate)
        {
            if (_isDeleted)
                return false;
            if (!isCounted)
                Count(message.BodyByteCount);
            waiter = AddLocked(message);
        }

        Complete(waiter, message);
        return true;
    }

    /// <summary>Takes the first message for a handle; or returns null and a waiter that has joined the line (none for a zero timeout).</summary>
    internal LocalMessage? Take(LocalQueue queue, LocalTransaction? transaction, MessageFilter? filter, TimeSpan timeout, out LocalWaiter? waiter)
    {
        List<DeadMessage>? dead = null;
        LocalMessage? message;
        if (timeout != TimeSpan.Zero)
            AwaitBurst();
        AddDue();
        try
        {
            EnterBetweenBursts();
            try
            {
                message = TakeLocked(queue, transaction, filter, timeout, out waiter, ref dead);
            }
            finally
            {
                _gate.Exit();
            }
        }
        finally
        {
            queue.RemoveDead(dead);
        }

        if (message is not null)
            queue.AfterHandOver(message);
        return message;
    }

    /// <summary>Removes a waiter from the line.</summary>
    /// <returns>True if it was in the line; the caller must then complete it.</returns>
    internal bool TryLeaveLine(LocalWaiter waiter)
    {
        lock (_gate)
            return LeaveLine(waiter);
    }

    internal void Recycle(LocalWaiter waiter)
    {
        lock (_gate)
            _idleWaiters.Push(waiter);
    }

    /// <summary>Returns messages to the queue, each to its position; those beyond the delivery limit or expired are dead.</summary>
    /// <param name="messages">The messages.</param>
    /// <param name="areUnseen">Whether they were never delivered to the application, so that the delivery does not count.</param>
    /// <param name="delay">How long they are not delivered.</param>
    internal void AddBack(List<LocalMessage> messages, bool areUnseen = false, TimeSpan delay = default)
    {
        List<DeadMessage>? dead = null;
        List<(LocalWaiter Waiter, LocalMessage Message)>? handedOver = null;
        messages.Sort(static (a, b) => a.Order.CompareTo(b.Order));
        bool isGone = false;
        lock (_gate)
        {
            isGone = _isDeleted;
            if (isGone)
                messages = messages.FindAll(static message => message is { HasExtras: true, IsStored: false });
            var alive = new List<LocalMessage>(messages.Count);
            foreach (LocalMessage message in isGone ? [] : messages)
            {
                LocalMessage again = message.ForRedelivery(areUnseen ? 0 : 1);
                if (delay > TimeSpan.Zero)
                    again.DueStamp = Clock.After(delay);
                if (message.Receiver is { } receiver && FindDeath(again, receiver) is { } reason)
                {
                    Die(again, reason, ref dead);
                    again.Receiver = receiver;
                }
                else if (TryDelay(again))
                    continue;
                else if (TakeWaiter(again) is { } waiter)
                    (handedOver ??= []).Add((waiter, again));
                else
                    alive.Add(again);
            }

            AddInOrder(alive);
        }

        // Messages in the log were acknowledged with the record of the deletion.
        if (isGone)
            Acknowledge(messages, AcknowledgmentClass.QueueDeleted);
        if (handedOver is not null)
        {
            foreach ((LocalWaiter waiter, LocalMessage message) in handedOver)
                Complete(waiter, message);
        }

        if (dead is not null)
        {
            foreach (DeadMessage message in dead)
                message.Message.Receiver!.RemoveDead(message);
        }
    }

    /// <summary>Puts back a message whose removal failed, for the next receiver.</summary>
    internal void PutBack(LocalMessage message)
    {
        lock (_gate)
        {
            if (_isDeleted)
                return;
            _messages.AddInOrder(message);
            _nextDeadline = Math.Min(_nextDeadline, message.Deadline);
        }
    }

    /// <summary>Closes a handle: its waiting receives fail, and its locked messages return.</summary>
    internal void Close(LocalQueue queue)
    {
        var messages = new List<LocalMessage>();
        lock (_gate)
        {
            _handles.Remove(queue);
            WakeSenders();
            for (LocalWaiter? waiter = _firstWaiter; waiter is not null;)
            {
                LocalWaiter? next = waiter.Next;
                if (waiter.Queue == queue && LeaveLine(waiter))
                    waiter.Fail(queue.Disposed());
                waiter = next;
            }

            while (queue.FirstLocked is { } message)
                messages.Add(LoseLock(message));
        }

        AddBack(messages);
    }

    /// <summary>Deletes the queue: its messages are lost, and all waiting and later operations fail.</summary>
    /// <returns>The messages that were objects and not held by a receiver.</returns>
    internal List<LocalMessage> Delete()
    {
        List<LocalMessage> messages;
        lock (_gate)
        {
            _isDeleted = true;
            WakeSenders();
            messages = _messages.RemoveObjects();
            messages.AddRange(RemoveDelayed());
            _delayed = null;
            _dueTimer?.Dispose();
            while (_firstWaiter is { } waiter)
            {
                LeaveLine(waiter);
                waiter.Fail(DeletedException());
            }
        }

        // Messages in the log are acknowledged in the block with the deletion.
        Acknowledge(messages.Where(static message => !message.IsStored), AcknowledgmentClass.QueueDeleted);
        return messages;
    }

    /// <summary>Fails all waiting and later sends and receives. The messages remain as they are.</summary>
    internal void Stop(Func<QueueException> makeException)
    {
        lock (_gate)
        {
            _makeStopped = makeException;
            WakeSenders();
            while (_firstWaiter is { } waiter)
            {
                LeaveLine(waiter);
                waiter.Fail(makeException());
            }
        }
    }

    /// <summary>Takes messages not held by a receiver, in order; those on disk still count for the queue.</summary>
    /// <param name="maxCount">The maximum; delayed messages are all taken when no other is left.</param>
    internal List<LocalMessage> TakeAll(int maxCount = int.MaxValue)
    {
        lock (_gate)
        {
            ThrowIfDeleted();
            List<LocalMessage> messages = _messages.RemoveAll(maxCount);
            if (_messages.Count == 0)
            {
                messages.AddRange(RemoveDelayed());
                _nextDeadline = QueueClock.Never;
            }

            foreach (LocalMessage message in messages)
                UncountUnstored(message);
            return messages;
        }
    }

    /// <summary>Removes matching messages not held by a receiver; those on disk still count for the queue.</summary>
    /// <returns>The removed messages.</returns>
    internal List<LocalMessage> Drop(Predicate<LocalMessage> isDropped)
    {
        var dropped = new List<LocalMessage>();
        lock (_gate)
        {
            dropped.AddRange(_messages.RemoveWhere(isDropped, isCandidate: null).Removed);
            foreach (LocalMessage message in RemoveDelayed())
            {
                if (isDropped(message))
                    dropped.Add(message);
                else
                    _delayed!.Add(message);
            }

            foreach (LocalMessage message in dropped)
                UncountUnstored(message);
        }

        return dropped;
    }

    internal long CountMessages(LocalQueue queue)
    {
        List<DeadMessage>? dead = null;
        long count;
        lock (_gate)
        {
            ThrowIfDeleted();
            RemoveExpired(queue, ref dead);
            count = _messages.Count + DelayedCount;
        }

        queue.RemoveDead(dead);
        return count;
    }

    /// <summary>Makes the sends of a transaction visible in all its queues at once; if it throws, none is visible.</summary>
    /// <param name="messages">The messages in the order of their sends; they count for their queues already.</param>
    /// <param name="mayBeDeleted">Whether messages of a deleted queue are left out instead.</param>
    internal static void AddAll(IReadOnlyList<LocalMessage> messages, bool mayBeDeleted = false)
    {
        var waiters = new List<(LocalWaiter Waiter, LocalMessage Message)>();
        SortedList<long, LocalQueueStore> stores = EnterAll(messages);
        try
        {
            foreach (LocalMessage message in messages)
            {
                if (!mayBeDeleted && !message.IsOptional)
                    message.Store.ThrowIfDeleted();
            }

            KeepIds(messages, areStored: false);
            foreach (LocalMessage message in messages)
            {
                if (!message.Store._isDeleted && message.Store.AddLocked(message) is { } waiter)
                    waiters.Add((waiter, message));
            }
        }
        finally
        {
            ExitAll(stores);
        }

        foreach ((LocalWaiter waiter, LocalMessage message) in waiters)
            Complete(waiter, message);
    }

    internal void ThrowIfDeleted()
    {
        if (_isDeleted)
            throw DeletedException();
        if (_makeStopped is { } makeStopped)
            throw makeStopped();
    }

    internal QueueException DeletedException() => new($"The queue '{Address}' was deleted.") { Code = QueueErrorCode.QueueDeleted };

    /// <summary>Adds a message after the others, or finds a waiter for it, which the caller completes outside the lock.</summary>
    private LocalWaiter? AddLocked(LocalMessage message)
    {
        message.Order = ++_lastMessageOrder;
        if (TryDelay(message))
            return null;
        LocalWaiter? waiter = TakeWaiter(message);
        if (waiter is not null)
            return waiter;
        _messages.AddLast(message);
        if (message.Deadline < _nextDeadline)
            _nextDeadline = message.Deadline;
        return null;
    }

    /// <summary>
    /// Takes the lock. If it is held, waits a while in which its holder may take it several times more: a sender and a receiver that alternate for
    /// each message double each other's time (formatters-bench limits).
    /// </summary>
    private void EnterBetweenBursts()
    {
        if (_gate.TryEnter())
            return;
        Thread.SpinWait(BurstSpinCount);
        _gate.Enter();
    }

    /// <summary>
    /// Spins for less than it costs to wake a thread: an active sender has the next message immediately, and several after a moment.
    /// </summary>
    private void AwaitBurst()
    {
        if (_messages.Count > 0 || _firstWaiter is not null)
            return;
        var spin = default(SpinWait);
        while (_messages.Count == 0 && !spin.NextSpinWillYield)
            spin.SpinOnce(sleep1Threshold: -1);
        if (_messages.Count > 0)
            Thread.SpinWait(BurstSpinCount);
    }

    /// <summary>Adds sorted messages to the line at their positions.</summary>
    private void AddInOrder(List<LocalMessage> messages)
    {
        if (messages.Count == 1)
            _messages.AddInOrder(messages[0]);
        else
            _messages.AddInOrder(messages);
        foreach (LocalMessage message in messages)
            _nextDeadline = Math.Min(_nextDeadline, message.Deadline);
    }

    private LocalMessage? TakeLocked(
        LocalQueue queue, LocalTransaction? transaction, MessageFilter? filter, TimeSpan timeout, out LocalWaiter? waiter,
            ref List<DeadMessage>? dead)
    {
        waiter = null;
        ThrowIfDeleted();
        queue.ThrowIfDisposed();
        if (TakeFirstLocked(queue, transaction, filter, ref dead) is { } message)
            return message;
        if (timeout == TimeSpan.Zero)
            return null;
        waiter = _idleWaiters.Count > 0 ? _idleWaiters.Pop() : new LocalWaiter(this);
        waiter.Prepare(queue, transaction, filter, timeout);
        waiter.Previous = _lastWaiter;
        waiter.IsInLine = true;
        if (_lastWaiter is null)
            _firstWaiter = waiter;
        else
            _lastWaiter.Next = waiter;
        _lastWaiter = waiter;
        return null;
    }

    private LocalMessage? TakeFirstLocked(LocalQueue queue, LocalTransaction? transaction, MessageFilter? filter, ref List<DeadMessage>? dead)
    {
        // The transaction first: if it has ended, the message stays where it is.
        if (_messages.Count > 0)
            transaction?.ThrowIfEnded();
        while (_messages.Count > 0)
        {
            LocalMessage? message = filter is null ? _messages.RemoveFirst() : _messages.RemoveFirst(filter);
            if (message is null)
                break;
            if (FindDeath(message, queue) is { } reason)
            {
                Die(message, reason, ref dead);
                continue;
            }

            if (!TryHandOver(message, queue, transaction))
            {
                _messages.AddInOrder(message);
                throw LocalTransaction.Ended();
            }

            return message;
        }

        return null;
    }

    /// <summary>Finds the first waiter that can take a message, and removes it from the line.</summary>
    private LocalWaiter? TakeWaiter(LocalMessage message)
    {
        LocalWaiter? next;
        for (LocalWaiter? waiter = _firstWaiter; waiter is not null; waiter = next)
        {
            next = waiter.Next;
            if (waiter.Filter is { } filter && !filter.Matches(message))
                continue;
            LeaveLine(waiter);
            if (TryHandOver(message, waiter.Queue!, waiter.Transaction))
                return waiter;
            waiter.Fail(LocalTransaction.Ended());
        }

        return null;
    }

    private bool TryHandOver(LocalMessage message, LocalQueue queue, LocalTransaction? transaction)
    {
        message.Receiver = queue;
        if (transaction is not null)
        {
            if (!transaction.TryAddReceived(message))
                return false;
            (_transactions ??= []).Add(transaction);
            return true;
        }

        if (queue.Options.ReceiveMode == ReceiveMode.PeekLock)
            LockFor(message, queue);
        else
            UncountUnstored(message);
        return true;
    }

    /// <summary>Completes a waiter with its message, outside the lock.</summary>
    private static void Complete(LocalWaiter? waiter, LocalMessage message)
    {
        if (waiter is null)
            return;
        message.Receiver!.AfterHandOver(message);
        waiter.Complete(message);
    }

    private bool LeaveLine(LocalWaiter waiter)
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
}
