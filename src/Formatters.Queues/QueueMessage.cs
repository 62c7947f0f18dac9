using System;

namespace Formatters.Queues;

/// <summary>A message: a body and the properties that travel beside it.</summary>
public class QueueMessage
{
    /// <summary>Makes a message with an empty body.</summary>
    public QueueMessage()
        : this(new MessageBody())
    {
    }

    /// <summary>Makes a message around a body.</summary>
    /// <param name="body">The body: bytes, body type, content type.</param>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null.</exception>
    public QueueMessage(MessageBody body) => Body = body ?? throw new ArgumentNullException(nameof(body));

    /// <summary>The body: bytes, body type and content type. Its bytes must not change until the send has completed.</summary>
    public MessageBody Body { get; }

    /// <summary>A short text for people, as MSMQ's label.</summary>
    /// <value>Default null.</value>
    public string? Label { get; set; }

    /// <summary>Identifies the message. Where a sender of this library gives none, the queue makes one up, and the receiver sees it.</summary>
    /// <value>Default null. A sender that wants to recognise the answer gives one itself.</value>
    public virtual string? MessageId { get; set; }

    /// <summary>The <see cref="MessageId"/> of the message that this one answers.</summary>
    /// <value>Default null.</value>
    public string? CorrelationId { get; set; }

    /// <summary>The address of the queue to which an answer should go.</summary>
    /// <value>Default null.</value>
    public string? ResponseQueue { get; set; }
}
