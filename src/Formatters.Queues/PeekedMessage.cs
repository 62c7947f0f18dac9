using System;

namespace Formatters.Queues;

/// <summary>A message that is still in its queue, as returned by a peek.</summary>
/// <remarks>
/// Its <see cref="QueueMessage.DueTime"/> is the time from which it can be received, if that is not now: the time with which it was sent, or the end
/// of the delay with which it was given back.
/// </remarks>
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

    /// <summary>
    /// Gets the position of the message in its queue, for <see cref="PeekOptions.After"/>, where it stays valid after the message has left, and for
    /// <see cref="QueueClient.ReceiveDeferredAsync"/>.
    /// </summary>
    /// <value>The form depends on the kind of queue.</value>
    public required string Position { get; init; }

    /// <summary>Gets how often the queue has delivered the message: 0 if never. The peek is not a delivery.</summary>
    public int DeliveryCount { get; init; }

    /// <summary>Gets whether a receiver has locked the message, or a transaction has received it.</summary>
    public bool IsLocked { get; init; }

    /// <summary>Gets whether the message was deferred: it is received only by its <see cref="Position"/>.</summary>
    public bool IsDeferred { get; init; }

    /// <summary>Gets when the lock of the message ends.</summary>
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
