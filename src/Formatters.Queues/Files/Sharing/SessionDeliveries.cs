using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>The messages that another process has received from this one, the owner of the folder, and not settled: by the number of their
/// delivery.</summary>
internal sealed class SessionDeliveries
{
    private const int MinPurgeCount = 1024;

    private readonly Lock _gate = new();
    private readonly Dictionary<long, LocalMessage> _messages = [];
    private long _lastDelivery;
    private int _nextPurge = MinPurgeCount;

    internal int Count
    {
        get
        {
            lock (_gate)
                return _messages.Count;
        }
    }

    /// <summary>Continues after the deliveries of an earlier owner.</summary>
    internal void StartAfter(long lastDelivery) => _lastDelivery = lastDelivery;

    /// <summary>Numbers the messages of a receive, and adds them unless they have left their queue.</summary>
    /// <returns>The number of the first one.</returns>
    internal long Add(IReadOnlyList<ReceivedMessage> received, SessionTransaction? transaction, bool haveLeft)
    {
        lock (_gate)
        {
            long first = _lastDelivery + 1;
            foreach (ReceivedMessage message in received)
            {
                _lastDelivery++;
                if (haveLeft)
                    continue;
                _messages.Add(_lastDelivery, (LocalMessage)message);
                transaction?.Deliveries.Add(_lastDelivery);
            }

            // Leases of messages that were never settled may have ended.
            if (_messages.Count > _nextPurge)
            {
                RemoveWhere(static (message, _) => message.LostLock, null);
                _nextPurge = Math.Max(MinPurgeCount, 2 * _messages.Count);
            }

            return first;
        }
    }

    /// <summary>Adds a message that an earlier owner had delivered.</summary>
    internal void AddReclaimed(long delivery, LocalMessage message, SessionTransaction? transaction)
    {
        lock (_gate)
        {
            _messages[delivery] = message;
            transaction?.Deliveries.Add(delivery);
        }
    }

    /// <summary>Finds messages to settle. One that is missing was settled by a request that is repeated.</summary>
    /// <returns>The messages found, and their indexes in the deliveries.</returns>
    internal (List<ReceivedMessage> Messages, List<int> Indexes) Find(long[] deliveries)
    {
        var messages = new List<ReceivedMessage>();
        var indexes = new List<int>();
        lock (_gate)
        {
            for (int i = 0; i < deliveries.Length; i++)
            {
                if (!_messages.TryGetValue(deliveries[i], out LocalMessage? message))
                    continue;
                messages.Add(message);
                indexes.Add(i);
            }
        }

        return (messages, indexes);
    }

    /// <summary>Acknowledges messages that <see cref="Find"/> has returned.</summary>
    /// <exception cref="QueueBatchException">Some of them are no longer locked.</exception>
    internal async ValueTask AcknowledgeAsync(LocalQueue queue, long[] deliveries, List<ReceivedMessage> messages, List<int> indexes,
        CancellationToken cancellationToken)
    {
        try
        {
            await queue.AcknowledgeBatchAsync(messages, cancellationToken).ConfigureAwait(false);
        }
        catch (QueueBatchException e)
        {
            throw new QueueBatchException(e.Message,
                [.. e.Failures.Select(failure => new QueueBatchFailure(indexes[failure.Index], failure.Error))]);
        }
        finally
        {
            Remove(deliveries);
        }
    }

    /// <summary>Settles one message.</summary>
    /// <returns>The end of the renewed lease, in ticks; 0 for other settlements.</returns>
    internal async ValueTask<long> SettleAsync(LocalMessage message, long[] deliveries, Settlement settlement, TimeSpan delay, string? reason,
        string? description, CancellationToken cancellationToken)
    {
        switch (settlement)
        {
            case Settlement.Acknowledge:
                await message.AcknowledgeAsync(cancellationToken).ConfigureAwait(false);
                break;
            case Settlement.Return:
                await message.ReturnAsync(delay, cancellationToken).ConfigureAwait(false);
                break;
            case Settlement.DeadLetter:
                await message.MoveToDeadLetterQueueAsync(reason, description, cancellationToken).ConfigureAwait(false);
                break;
            case Settlement.Renew:
                await message.RenewLeaseAsync(cancellationToken).ConfigureAwait(false);
                return message.LeaseEnd?.UtcTicks ?? 0;
        }

        if (message.Transaction is null)
            Remove(deliveries);
        return 0;
    }

    internal void Remove(IReadOnlyList<long> deliveries)
    {
        lock (_gate)
        {
            foreach (long delivery in deliveries)
                _messages.Remove(delivery);
        }
    }

    /// <summary>Removes the messages of a handle that are not in a transaction.</summary>
    internal void RemoveOf(IAsyncDisposable? handle)
    {
        lock (_gate)
            RemoveWhere(static (message, handle) => ReferenceEquals(message.Receiver, handle) && message.Transaction is null, handle);
    }

    private void RemoveWhere(Func<LocalMessage, object?, bool> isRemoved, object? state)
    {
        foreach (long delivery in _messages.Where(message => isRemoved(message.Value, state)).Select(static message => message.Key).ToArray())
            _messages.Remove(delivery);
    }
}
