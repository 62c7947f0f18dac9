using System;
using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>A message: a body and the properties that travel beside it.</summary>
public class QueueMessage
{
    /// <summary>The <see cref="Priority"/> of a message that was given none.</summary>
    public const int DefaultPriority = 4;

    private Dictionary<string, object>? _headers;
    private long _timeToLiveTicks;
    private long _dueTicks;
    private byte _priority = DefaultPriority;

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

    /// <summary>How urgent the message is: a queue hands out messages of a higher priority first, those of the same priority in the order of their sends.</summary>
    /// <value>From 0 to 9, as in JMS. Default <see cref="DefaultPriority"/>. Another one is refused by a queue without <see cref="QueueCapabilities.HasPriorities"/>.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is below 0 or above 9.</exception>
    public int Priority
    {
        get => _priority;
        set => _priority = value is >= 0 and <= 9 ? (byte)value : throw new ArgumentOutOfRangeException(nameof(Priority), value, "From 0 to 9.");
    }

    /// <summary>How long after its send (or its <see cref="DueTime"/>) the message is of use. After that nobody receives it: it goes to the receiver's <see cref="QueueOptions.DeadLetterQueue"/>, or is dropped.</summary>
    /// <value>More than zero; null, the default, means for ever. A time is refused by a queue without <see cref="QueueCapabilities.HasExpiry"/>.</value>
    /// <remarks>A message that was received in time and is under lock does not expire; it does when it comes back. A dead letter does not expire.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">The value is zero or less.</exception>
    public TimeSpan? TimeToLive
    {
        get => _timeToLiveTicks == 0 ? null : new TimeSpan(_timeToLiveTicks);
        set => _timeToLiveTicks = value is not { } time ? 0
            : time > TimeSpan.Zero ? time.Ticks
            : throw new ArgumentOutOfRangeException(nameof(TimeToLive), value, "More than zero.");
    }

    /// <summary>The time before which nobody receives the message. It then takes its place by the order of the sends; its <see cref="TimeToLive"/> counts from then.</summary>
    /// <value>By the clock of the queue, kept in UTC; null, the default, means at once. A time, also a past one, is refused by a queue without <see cref="QueueCapabilities.HasDelays"/>.</value>
    /// <remarks>A message that is not due yet is counted by <see cref="IMessageQueue.GetMessageCountAsync"/>, and purged. On a received message it is as it was sent.</remarks>
    public DateTimeOffset? DueTime
    {
        get => _dueTicks == 0 ? null : new DateTimeOffset(_dueTicks, TimeSpan.Zero);
        set => _dueTicks = value is { } time ? Math.Max(1, time.UtcTicks) : 0;
    }

    /// <summary>What the application lets travel beside the body, by names of its own.</summary>
    /// <value>
    /// Default empty. A value is a <see cref="string"/>, <see cref="bool"/>, <see cref="int"/>, <see cref="long"/>, <see cref="double"/> or <c>byte[]</c>; every
    /// queue carries these. Others come from a broker that has more, and go back to it as they came.
    /// </value>
    public IDictionary<string, object> Headers => _headers ??= new Dictionary<string, object>(StringComparer.Ordinal);

    /// <summary>Whether there are <see cref="Headers"/>: asking for those makes a dictionary.</summary>
    public bool HasHeaders => _headers is { Count: > 0 };

    /// <summary>The same message, around the same body, with headers of its own.</summary>
    internal QueueMessage Copy()
    {
        var copy = new QueueMessage(Body) { MessageId = MessageId };
        copy.CopyProperties(this);
        return copy;
    }

    /// <summary>Takes over what travels beside the body of another message, all but its id.</summary>
    private protected void CopyProperties(QueueMessage message)
    {
        Label = message.Label;
        CorrelationId = message.CorrelationId;
        ResponseQueue = message.ResponseQueue;
        _priority = message._priority;
        _timeToLiveTicks = message._timeToLiveTicks;
        _dueTicks = message._dueTicks;
        if (message.HasHeaders)
            _headers = new Dictionary<string, object>(message._headers!, StringComparer.Ordinal);
    }
}
