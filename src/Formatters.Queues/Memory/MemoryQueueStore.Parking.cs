using System;
using System.Threading;

namespace Formatters.Queues;

// Messages that wait behind many others.
internal partial class MemoryQueueStore
{
    /// <summary>Takes in a message that is parked from the beginning, after the others of its priority.</summary>
    /// <returns>Where the caller adds it, and its order.</returns>
    private protected (ParkedMessages Place, long Order) AddParked(int priority, long bodyByteCount, long deadline)
    {
        lock (_gate)
        {
            Count(bodyByteCount);
            _nextDeadline = Math.Min(_nextDeadline, deadline);
            return (_messages.AddParkedLast(priority), ++_lastMessageOrder);
        }
    }

    /// <summary>Takes in messages that are parked from the beginning, after the others of their priority; they have their orders.</summary>
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

    /// <summary>Takes in a message that has an order, before anybody receives.</summary>
    internal void AddInOrder(MemoryMessage message, long order)
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

    /// <summary>Goes over the places where messages are parked, until the visitor has enough.</summary>
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
