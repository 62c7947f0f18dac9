using System;
using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>A message: a body and the properties that travel beside it.</summary>
public class QueueMessage
{
    private Dictionary<string, object>? _headers;

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

    /// <summary>What the application lets travel beside the body, by names of its own.</summary>
    /// <value>
    /// Default empty. A value is a <see cref="string"/>, <see cref="bool"/>, <see cref="int"/>, <see cref="long"/>, <see cref="double"/> or <c>byte[]</c>; every
    /// queue carries these. Others come from a broker that has more, and go back to it as they came.
    /// </value>
    public IDictionary<string, object> Headers => _headers ??= new Dictionary<string, object>(StringComparer.Ordinal);

    /// <summary>Whether there are <see cref="Headers"/>: asking for those makes a dictionary.</summary>
    public bool HasHeaders => _headers is { Count: > 0 };

    /// <summary>Takes over what travels beside the body of another message, all but its id.</summary>
    private protected void CopyProperties(QueueMessage message)
    {
        Label = message.Label;
        CorrelationId = message.CorrelationId;
        ResponseQueue = message.ResponseQueue;
        if (message.HasHeaders)
            _headers = new Dictionary<string, object>(message._headers!, StringComparer.Ordinal);
    }
}
