using System;
using System.Threading;

namespace Formatters.Queues;

// Parked messages, which wait after many others.
internal partial class LocalQueueStore
{
    /// <summary>Adds a message that is parked from the beginning, after the others of its priority.</summary>
    /// <returns>The group to which the caller adds it, and its order.</returns>
    private protected (ParkedMessages Place, long Order) AddParked(int priority, long bodyByteCount, long deadline)
    {
        lock (_gate)
        {
            Count(bodyByteCount);
            _nextDeadline = Math.Min(_nextDeadline, deadline);
            return (_messages.AddParkedLast(priority), ++_lastMessageOrder);
        }
    }

    /// <summary>Adds messages that are parked from the beginning and have orders, after the others of their priority.</summary>
    private protected void AddParked(int priority, ParkedMessages place, long bodyByteCount, long deadline)
    {
        lock (_gate)
        {
            Count(bodyByteCount, place.Count);
            _nextDeadline = Math.Min(_nextDeadline, deadline);
            _lastMessageOrder = Math.Max(_lastMessageOrder, place.LastOrder);
            _messages.AddParkedLast(priority, place);
        }
    }

    /// <inheritdoc cref="MessageLine.MoveCount"/>
    internal long MoveCount
    {
        get
        {
            lock (_gate)
                return _messages.MoveCount;
        }
    }

    /// <summary>Adds a message that has an order, before any receive.</summary>
    internal void AddInOrder(LocalMessage message, long order)
    {
        lock (_gate)
        {
            message.Order = order;
            _lastMessageOrder = Math.Max(_lastMessageOrder, order);
            Count(message.BodyByteCount);
            if (TryDelay(message))
                return;
            _messages.AddInOrder(message);
            _nextDeadline = Math.Min(_nextDeadline, message.Deadline);
        }
    }

    /// <summary>Visits the groups of parked messages until the visitor returns false.</summary>
    private protected void VisitParked(Func<ParkedMessages, bool> visit)
    {
        lock (_gate)
        {
            foreach (ParkedMessages parked in _messages.EnumerateParked())
            {
                if (!visit(parked))
                    break;
            }
        }
    }
}
