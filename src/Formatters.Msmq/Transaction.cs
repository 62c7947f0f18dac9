using System;

namespace Formatters.Msmq;

/// <summary>The transaction of a send or receive: none, its own, the caller's, or the ambient one.</summary>
internal readonly struct Transaction
{
    internal static readonly bool IsMono = Type.GetType("Mono.Runtime") is not null;

    // Mono over RabbitMQ subscribes and then waits: with a shorter wait it ends with a message on its way to it, which no receiver gets until the
    // transaction ends.
    internal static readonly TimeSpan ShortestWait = IsMono ? TimeSpan.FromSeconds(1) : TimeSpan.Zero;

    private readonly MessageQueueTransactionType _type;

    internal Transaction(MessageQueueTransaction? transaction) => Own = transaction;

    internal Transaction(MessageQueueTransactionType type) => _type = type;

    /// <summary>Gets the caller's transaction, or null.</summary>
    internal MessageQueueTransaction? Own { get; }

    /// <summary>Gets whether a received message is returned if the caller fails.</summary>
    internal bool IsRolledBack => Own is not null || _type == MessageQueueTransactionType.Automatic;

    /// <summary>Determines whether an exception means that no message arrived in time.</summary>
    internal static bool IsTimeout(MessageQueueException e) =>
        e.MessageQueueErrorCode == MessageQueueErrorCode.IOTimeout
        // Mono over RabbitMQ has no specific code for it.
        || (IsMono && e.MessageQueueErrorCode == MessageQueueErrorCode.Generic && e.Message.Contains("No Message Available"));

    internal void Send(MessageQueue queue, Message message)
    {
        if (Own is not null)
            queue.Send(message, Own);
        else if (_type == MessageQueueTransactionType.None)
            queue.Send(message);
        else
            queue.Send(message, _type);
    }

    internal Message Receive(MessageQueue queue, TimeSpan timeout)
    {
        if (_type == MessageQueueTransactionType.None && Own is null)
            return queue.Receive(timeout);
        if (timeout < ShortestWait && timeout >= TimeSpan.Zero)
            timeout = ShortestWait;
        return Own is not null ? queue.Receive(timeout, Own) : queue.Receive(timeout, _type);
    }

    /// <exception cref="InvalidOperationException">There is no such message.</exception>
    internal Message ReceiveById(MessageQueue queue, string id) =>
        Own is not null
        ? queue.ReceiveById(id, Own)
        : _type == MessageQueueTransactionType.None
        ? queue.ReceiveById(id)
        : queue.ReceiveById(id, _type);
}
