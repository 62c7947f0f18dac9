using System.Collections.Generic;

namespace Formatters.Queues;

// Locked messages and their leases.
internal partial class LocalQueueStore
{
    private long _lastLockOrder;

    /// <summary>Unlocks a message, to be settled by the caller. Has no effect the second time.</summary>
    internal SettleResult TryUnlock(LocalMessage message)
    {
        lock (_gate)
        {
            if (!message.IsLocked)
                return message.LostLock ? SettleResult.LockLost : SettleResult.None;
            Unlock(message);
            return SettleResult.Settled;
        }
    }

    /// <summary>Unlocks a message and, for a receiver with cumulative acknowledgements, all that it received before.</summary>
    /// <param name="message">The message.</param>
    /// <param name="unlocked">Receives them, to be settled by the caller.</param>
    /// <returns>The result for the message itself.</returns>
    internal SettleResult TryUnlock(LocalMessage message, List<LocalMessage> unlocked)
    {
        lock (_gate)
        {
            if (!message.IsLocked)
                return message.LostLock ? SettleResult.LockLost : SettleResult.None;
            if (message.Receiver!.Options.AcknowledgeMode == AcknowledgeMode.Cumulative)
            {
                // The list is in the order of the deliveries, except for messages whose leases were renewed.
                LocalQueue queue = message.Receiver;
                for (LocalMessage? other = queue.FirstLocked; other is not null && (other != message || queue.HasRenewed);)
                {
                    LocalMessage? next = other.NextLocked;
                    if (other.LockOrder < message.LockOrder)
                    {
                        Unlock(other);
                        unlocked.Add(other);
                    }

                    other = next;
                }
            }

            Unlock(message);
            unlocked.Add(message);
            return SettleResult.Settled;
        }
    }

    /// <summary>Determines whether a message has returned to the queue without its receiver.</summary>
    internal bool HasLostLock(LocalMessage message)
    {
        lock (_gate)
            return message.LostLock;
    }

    internal SettleResult RenewLease(LocalMessage message)
    {
        lock (_gate)
        {
            if (!message.IsLocked)
                return message.LostLock ? SettleResult.LockLost : SettleResult.None;
            LocalQueue queue = message.Receiver!;
            if (queue.HasLeases)
            {
                long order = message.LockOrder;
                Unlock(message);
                LockFor(message, queue);
                message.LockOrder = order;
                queue.HasRenewed = true;
            }

            return SettleResult.Settled;
        }
    }

    /// <summary>Returns the messages of a handle whose leases have ended.</summary>
    internal void EndLeases(LocalQueue queue)
    {
        var messages = new List<LocalMessage>();
        lock (_gate)
        {
            // All leases of a handle have the same duration, so they end in the order in which they began.
            long now = Clock.Now;
            while (queue.FirstLocked is { } message && message.LeaseDeadline <= now)
                messages.Add(LoseLock(message));
            if (queue.FirstLocked is { } next)
                queue.StartLeaseTimer(next.LeaseDeadline);
        }

        AddBack(messages);
    }

    private void LockFor(LocalMessage message, LocalQueue queue)
    {
        message.IsLocked = true;
        message.LockOrder = ++_lastLockOrder;
        message.PreviousLocked = queue.LastLocked;
        if (queue.HasLeases)
        {
            message.LeaseDeadline = Clock.After(queue.Options.LeaseDuration);
            message.LeaseEndTime = Clock.UtcNow + queue.Options.LeaseDuration;
            if (queue.FirstLocked is null)
                queue.StartLeaseTimer(message.LeaseDeadline);
        }

        if (queue.LastLocked is null)
            queue.FirstLocked = message;
        else
            queue.LastLocked.NextLocked = message;
        queue.LastLocked = message;
    }

    private static LocalMessage LoseLock(LocalMessage message)
    {
        message.LostLock = true;
        Unlock(message);
        return message;
    }

    private static void Unlock(LocalMessage message)
    {
        LocalQueue queue = message.Receiver!;
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
        message.IsLocked = false;
        queue.HasRenewed &= queue.FirstLocked is not null;
    }
}

/// <summary>The result of an acknowledgement or a return.</summary>
internal enum SettleResult
{
    /// <summary>The message was not locked: nothing to do.</summary>
    None,

    /// <summary>The message was locked, and is now unlocked.</summary>
    Settled,

    /// <summary>The message has returned to the queue without its receiver.</summary>
    LockLost,
}
