using System;
using System.Collections.Generic;

namespace Formatters.Queues;

// Limits, expiration, and the delivery limit.
internal partial class LocalQueueStore
{
    private long _storedCount;
    private long _storedByteCount;

    /// <summary>Reserves space for messages that will be added later.</summary>
    /// <exception cref="QueueException">The queue is at a limit of the handle.</exception>
    internal void Reserve(LocalQueue queue, long bodyByteCount, int count = 1)
    {
        List<DeadMessage>? dead = null;
        try
        {
            lock (_gate)
                ReserveLocked(queue, count, bodyByteCount, ref dead);
        }
        finally
        {
            queue.RemoveDead(dead);
        }
    }

    /// <summary>Releases the space of messages that were not added, or were removed.</summary>
    internal void Release(long bodyByteCount, int count = 1)
    {
        lock (_gate)
            Uncount(bodyByteCount, count);
    }

    /// <summary>Counts a message that is about to be returned.</summary>
    internal void CountAgain(LocalMessage message)
    {
        lock (_gate)
            Count(message.BodyByteCount);
    }

    /// <summary>Counts the locked messages and those in a transaction.</summary>
    internal long CountLocked()
    {
        lock (_gate)
        {
            ThrowIfDeleted();
            return _storedCount - _messages.Count - DelayedCount;
        }
    }

    /// <summary>
    /// Returns the status of the queue, without a handle; null if it was deleted. Expired messages are not counted, and are left for a receiver.
    /// </summary>
    internal QueueStatus? GetStatus(string? stoppedReason = null)
    {
        long count;
        long locked;
        DateTimeOffset? oldest;
        lock (_gate)
        {
            if (_isDeleted)
                return null;
            locked = _storedCount - _messages.Count - DelayedCount;
            (count, oldest) = (_messages.Count, _messages.FindOldest());
            if (_nextDeadline != QueueClock.Never && _nextDeadline <= Clock.Now)
                (count, oldest) = _messages.CountAlive(Clock.Now);

            count += DelayedCount;
        }

        TimeSpan? age = Clock.UtcNow - oldest;
        return new QueueStatus
        {
            Address = Address,
            Name = Name,
            MessageCount = count,
            LockedCount = locked,
            OldestSentTime = oldest,
            OldestAge = age < TimeSpan.Zero ? TimeSpan.Zero : age,
            StoppedReason = stoppedReason,
        };
    }

    private void ReserveLocked(LocalQueue queue, int count, long bodyByteCount, ref List<DeadMessage>? dead)
    {
        if (count > queue.MaxMessageCount - _storedCount || bodyByteCount > queue.MaxByteCount - _storedByteCount)
        {
            RemoveExpired(queue, ref dead);
            if (count > queue.MaxMessageCount - _storedCount)
            {
                string more = count == 1 ? "" : $", {count} are to be added";
                throw new QueueException(
                    $"'{queue.Address}' is full: it has {_storedCount} messages{more}, and {nameof(QueueOptions.MaxMessageCount)} is "
                    + $"{queue.MaxMessageCount}.") { Code = QueueErrorCode.Full };
            }

            if (bodyByteCount > queue.MaxByteCount - _storedByteCount)
            {
                string whose = count == 1 ? "the message's has" : $"those of {count} messages have";
                throw new QueueException(
                    $"'{queue.Address}' is full: its bodies have {_storedByteCount} bytes, {whose} {bodyByteCount}, and "
                    + $"{nameof(QueueOptions.MaxByteCount)} is {queue.MaxByteCount}.")
                {
                    Code = count == 1 && bodyByteCount > queue.MaxByteCount ? QueueErrorCode.TooLarge : QueueErrorCode.Full,
                };
            }
        }

        Count(bodyByteCount, count);
    }

    private void Count(long bodyByteCount, int count = 1)
    {
        _storedCount += count;
        _storedByteCount += bodyByteCount;
    }

    /// <summary>Subtracts a removed message that is only in memory; a message in the log counts until its removal is written.</summary>
    private void UncountUnstored(LocalMessage message)
    {
        if (!message.IsStored)
            Uncount(message.BodyByteCount, 1);
    }

    /// <returns>Why a message must not be delivered; null if it may be.</returns>
    private string? FindDeath(LocalMessage message, LocalQueue queue)
    {
        if (message.Deadline != QueueClock.Never && message.Deadline <= Clock.Now)
            return DeadLetterReasons.Expired;
        return queue.Options.MaxDeliveryCount > 0 && message.DeliveryCount > queue.Options.MaxDeliveryCount
            ? DeadLetterReasons.MaxDeliveryCountExceeded : null;
    }

    private void Die(LocalMessage message, string reason, ref List<DeadMessage>? dead)
    {
        UncountUnstored(message);
        (dead ??= []).Add(new DeadMessage(message, new DeadLetter(reason, null, Name)));
    }

    /// <summary>Removes expired messages before a count.</summary>
    private void RemoveExpired(LocalQueue queue, ref List<DeadMessage>? dead)
    {
        if (_nextDeadline == QueueClock.Never || _nextDeadline > Clock.Now)
            return;
        long now = Clock.Now;
        (List<LocalMessage> removed, _nextDeadline) = _messages.RemoveWhere(
            message => FindDeath(message, queue) is not null, (parked, index) => parked.IsDead(index, now, queue.Options.MaxDeliveryCount));
        foreach (LocalMessage message in removed)
            Die(message, FindDeath(message, queue)!, ref dead);
    }
}
