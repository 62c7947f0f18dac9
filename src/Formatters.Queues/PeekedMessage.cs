using System;

namespace Formatters.Queues;

/// <summary>A message that is still in its queue, as a peek saw it.</summary>
/// <remarks>Its <see cref="QueueMessage.DueTime"/> is the time from which it can be received, if that is not now: the time with which it was sent, or the end
/// of the delay with which it was given back.</remarks>
public sealed class PeekedMessage : QueueMessage
{
    /// <summary>Creates a peeked message around a body.</summary>
    /// <param name="body">The body.</param>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null.</exception>
    public PeekedMessage(MessageBody body)
        : base(body)
    {
    }

    /// <summary>Creates a peeked message with the body and the properties of another.</summary>
    internal PeekedMessage(QueueMessage message, MessageBody body)
        : base(body)
    {
        CopyProperties(message);
        MessageId = message.MessageId;
    }

    /// <summary>Where the message is in its queue, for <see cref="PeekOptions.After"/>: it stays valid when the message is gone.</summary>
    /// <value>The form depends on the kind of queue.</value>
    public required string Position { get; init; }

    /// <summary>How often the queue has handed the message out: 0 if it never did. The peek is not a delivery.</summary>
    public int DeliveryCount { get; init; }

    /// <summary>Whether a receiver has locked the message, or a transaction has received it.</summary>
    public bool IsLocked { get; init; }

    /// <summary>Until when the message stays locked.</summary>
    /// <value>By this machine's clock; null if it is not locked, or if the lock ends only with its receiver.</value>
    public DateTimeOffset? LeaseEnd { get; init; }

    /// <inheritdoc cref="ReceivedMessage.SentTime"/>
    public DateTimeOffset? SentTime { get; init; }

    /// <inheritdoc cref="ReceivedMessage.DeadLetterReason"/>
    public string? DeadLetterReason { get; init; }

    /// <inheritdoc cref="ReceivedMessage.DeadLetterDescription"/>
    public string? DeadLetterDescription { get; init; }

    /// <inheritdoc cref="ReceivedMessage.DeadLetterSource"/>
    public string? DeadLetterSource { get; init; }
}
