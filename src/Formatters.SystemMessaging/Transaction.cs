using System;

namespace Formatters.SystemMessaging;

/// <summary>In what a send or receive takes part: nothing, a transaction of its own, the caller's, or the ambient one.</summary>
internal readonly struct Transaction
{
    private readonly MessageQueueTransactionType _type;

    internal Transaction(MessageQueueTransaction? transaction) => Own = transaction;

    internal Transaction(MessageQueueTransactionType type) => _type = type;

    /// <summary>The caller's transaction, or null.</summary>
    internal MessageQueueTransaction? Own { get; }

    /// <summary>Whether a message that was received comes back if the caller fails.</summary>
    internal bool IsRolledBack => Own is not null || _type == MessageQueueTransactionType.Automatic;

    internal void Send(MessageQueue queue, Message message)
    {
        if (Own is not null)
            queue.Send(message, Own);
        else if (_type == MessageQueueTransactionType.None)
            queue.Send(message);
        else
            queue.Send(message, _type);
    }

    internal Message Receive(MessageQueue queue, TimeSpan timeout) =>
        Own is not null ? queue.Receive(timeout, Own)
        : _type == MessageQueueTransactionType.None ? queue.Receive(timeout)
        : queue.Receive(timeout, _type);

    /// <exception cref="InvalidOperationException">There is no such message.</exception>
    internal Message ReceiveById(MessageQueue queue, string id) =>
        Own is not null ? queue.ReceiveById(id, Own)
        : _type == MessageQueueTransactionType.None ? queue.ReceiveById(id)
        : queue.ReceiveById(id, _type);
}
