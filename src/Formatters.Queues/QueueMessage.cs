using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Formatters.Queues;

/// <summary>A message of a queue: a body, and properties that the queue carries with it.</summary>
[DebuggerDisplay("{MessageId}, {Label}, {Body.ByteCount} bytes")]
public class QueueMessage
{
    /// <summary>The <see cref="Priority"/> of a message if none was set.</summary>
    public const int DefaultPriority = 4;

    private Dictionary<string, object>? _headers;
    private long _timeToLiveTicks;
    private MessageExtras? _extras;
    private byte _priority = DefaultPriority;

    /// <summary>Creates a message with an empty body.</summary>
    public QueueMessage()
        : this(new MessageBody())
    {
    }

    /// <summary>Creates a message around a body.</summary>
    /// <param name="body">The body: bytes, body type, content type.</param>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null.</exception>
    public QueueMessage(MessageBody body) => Body = body ?? throw new ArgumentNullException(nameof(body));

    /// <summary>Gets the body: bytes, body type and content type. Its bytes must not change until the send has completed.</summary>
    public MessageBody Body { get; }

    /// <summary>Gets or sets a short description for display, as MSMQ's label.</summary>
    /// <value>Default null.</value>
    public string? Label { get; set; }

    /// <summary>Gets or sets the id of the message. If a sender of this library sets none, the queue creates one, which the receiver sees.</summary>
    /// <value>Default null. A sender that wants to recognise the answer sets one itself.</value>
    public virtual string? MessageId { get; set; }

    /// <summary>Gets or sets the <see cref="MessageId"/> of the message that this one answers.</summary>
    /// <value>Default null.</value>
    public string? CorrelationId { get; set; }

    /// <summary>Gets or sets the address of the queue to which an answer should go.</summary>
    /// <value>Default null.</value>
    public string? ResponseQueue { get; set; }

    /// <summary>
    /// Gets or sets the priority: a queue delivers messages of a higher priority first, and messages of the same priority in the order of their
    /// sends.
    /// </summary>
    /// <value>From 0 to 9, as in JMS. Default <see cref="DefaultPriority"/>. Another one is rejected by a queue without
    /// <see cref="QueueFeatures.Priorities"/>.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is below 0 or above 9.</exception>
    public int Priority
    {
        get => _priority;
        set => _priority = value is >= 0 and <= 9 ? (byte)value : throw new ArgumentOutOfRangeException(nameof(Priority), value, "From 0 to 9.");
    }

    /// <summary>
    /// Gets or sets how long after its send (or its <see cref="DueTime"/>) the message is useful. After that it is not received: it goes to the
    /// receiver's <see cref="QueueOptions.DeadLetterQueue"/>, or is dropped.
    /// </summary>
    /// <value>More than zero; null, the default, means forever, and so does a time of more than 365,000 days, which becomes null. Another time is
    /// rejected by a queue without <see cref="QueueFeatures.Expiry"/>.</value>
    /// <remarks>
    /// A message that was received in time does not expire while it is locked; it expires when it is returned. A dead letter does not expire.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">The value is zero or less.</exception>
    public TimeSpan? TimeToLive
    {
        get => _timeToLiveTicks == 0 ? null : new TimeSpan(_timeToLiveTicks);
        set => _timeToLiveTicks = value switch
        {
            null => 0,
            { } time when time > QueueTimes.Longest => 0,
            { } time when time > TimeSpan.Zero => time.Ticks,
            _ => throw new ArgumentOutOfRangeException(nameof(TimeToLive), value, "More than zero."),
        };
    }

    /// <summary>
    /// Gets or sets the time before which the message cannot be received. It then takes its position in the order of the sends; its <see
    /// cref="TimeToLive"/> counts from then.
    /// </summary>
    /// <value>By the clock of the queue, converted to UTC; null, the default, means immediately. A queue without <see
    /// cref="QueueFeatures.Delays"/> rejects any time, even a past one.</value>
    /// <remarks>
    /// A message that is not due yet is counted by <see cref="QueueClient.GetMessageCountAsync"/>, and purged. A received message has the value
    /// with which it was sent.
    /// </remarks>
    public DateTimeOffset? DueTime
    {
        get => _extras is { DueTicks: not 0 } extras ? new DateTimeOffset(extras.DueTicks, TimeSpan.Zero) : null;
        set
        {
            if (value is not null || _extras is not null)
                _extras = Extras with { DueTicks = value is { } time ? Math.Max(1, time.UtcTicks) : 0 };
        }
    }

    /// <summary>
    /// Gets or sets the queue, by its name in the same location as the destination, for the acknowledgement messages that <see
    /// cref="AcknowledgeTypes"/> requests.
    /// </summary>
    /// <value>Default null. The queue is created if it does not exist when the message is sent; if it is deleted afterwards, there are no
    /// acknowledgements. A name is rejected by a queue without <see cref="QueueFeatures.Acknowledgments"/>. Dead letters and journal copies
    /// have none.</value>
    /// <exception cref="ArgumentException">The value is empty, or is not the name of a queue: "." and "..".</exception>
    public string? AdministrationQueue
    {
        get => _extras?.AdministrationQueue;
        set
        {
            ThrowIfNoQueueName(value, nameof(AdministrationQueue));
            if (value is not null || _extras is not null)
                _extras = Extras with { AdministrationQueue = value };
        }
    }

    /// <summary>
    /// Gets or sets which acknowledgement messages are sent to the <see cref="AdministrationQueue"/>: each atomically with the event that it reports.
    /// </summary>
    /// <value>Default <see cref="AcknowledgeTypes.None"/>. Others require an <see cref="AdministrationQueue"/>.</value>
    /// <remarks>
    /// An acknowledgement message has the message's id as its <see cref="CorrelationId"/>, its label and priority, an <see cref="Acknowledgment"/>,
    /// and no body. It is as durable as the message, and requests no acknowledgement itself. In a transaction it is sent with the commit.
    /// </remarks>
    public AcknowledgeTypes AcknowledgeTypes
    {
        get => _extras?.AcknowledgeTypes ?? AcknowledgeTypes.None;
        set
        {
            const AcknowledgeTypes Defined = AcknowledgeTypes.FullReachQueue | AcknowledgeTypes.FullReceive;
            if ((value & ~Defined) != 0)
                throw new ArgumentOutOfRangeException(nameof(AcknowledgeTypes), value, $"Not values of {nameof(AcknowledgeTypes)}.");
            if (value != AcknowledgeTypes.None || _extras is not null)
                _extras = Extras with { AcknowledgeTypes = value };
        }
    }

    /// <summary>Gets or sets the event that this message acknowledges, if it is an acknowledgement message.</summary>
    /// <value>Null, the default, for all others. Set by a queue; a queue without <see cref="QueueFeatures.Acknowledgments"/> rejects any
    /// other value.</value>
    public MessageAcknowledgment? Acknowledgment
    {
        get => _extras?.Acknowledgment;
        set
        {
            if (value is not null || _extras is not null)
                _extras = Extras with { Acknowledgment = value };
        }
    }

    /// <summary>
    /// Gets or sets the queue, by its name in the same location as the destination, that gets a copy of the message when it is sent: MSMQ's source
    /// journal.
    /// </summary>
    /// <value>Default null: no copy. The queue is created if it does not exist. The copy does not expire, does not wait for its <see
    /// cref="DueTime"/>, and is not refused by limits. It applies to this send only: a receiver of the message finds null. A name is rejected by a
    /// queue without <see cref="QueueFeatures.SourceJournal"/>.</value>
    /// <exception cref="ArgumentException">The value is empty, or is not the name of a queue: "." and "..".</exception>
    public string? SourceJournalQueue
    {
        get => _extras?.SourceJournalQueue;
        set
        {
            ThrowIfNoQueueName(value, nameof(SourceJournalQueue));
            if (value is not null || _extras is not null)
                _extras = Extras with { SourceJournalQueue = value };
        }
    }

    /// <summary>
    /// Gets or sets the session to which the message belongs: the messages of a session are received in their order, by one receiver at a time; see
    /// <see cref="QueueOptions.RequiresSession"/>.
    /// </summary>
    /// <value>Default null: none. A session is rejected by a queue without <see cref="QueueFeatures.Sessions"/>.</value>
    public string? SessionId
    {
        get => _extras?.SessionId;
        set
        {
            if (value is not null || _extras is not null)
                _extras = Extras with { SessionId = value };
        }
    }

    /// <summary>Gets the application's own properties of the message, by name.</summary>
    /// <value>Default empty. A value is a <see cref="string"/>, <see cref="bool"/>, <see cref="int"/>, <see cref="long"/>, <see cref="double"/> or
    /// <c>byte[]</c>; every queue carries these. Values of other types can come from a broker that supports more, and are sent back to it unchanged.
    /// </value>
    public IDictionary<string, object> Headers => _headers ??= new Dictionary<string, object>(StringComparer.Ordinal);

    /// <summary>Gets whether there are <see cref="Headers"/>. Unlike reading <see cref="Headers"/>, this does not create a dictionary.</summary>
    public bool HasHeaders => _headers is { Count: > 0 };

    /// <summary>
    /// Gets whether the message has rarely used properties: a due time, a session, requested acknowledgements or copies, or an acknowledgement.
    /// </summary>
    internal bool HasExtras => _extras is not null;

    /// <summary>Gets whether sending this message may add messages to other queues. Few messages do.</summary>
    internal bool HasRequests => _extras is { } extras && (extras.AcknowledgeTypes != AcknowledgeTypes.None || extras.SourceJournalQueue is not null);

    private MessageExtras Extras => _extras ?? MessageExtras.None;

    /// <summary>Reads the payload in the body.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="formatter">Reads the body. To read a body whatever its content type and body type say, call the formatter's own method with
    /// <see cref="Body"/>.</param>
    /// <returns>The payload.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="MessageFormatException">The body is damaged or beyond a limit, or the message has the content type or body type of another
    /// format (<see cref="MessageFormatErrorCode.UnknownFormat"/>, not poison). The message is unchanged: acknowledge or return it.</exception>
    [OverloadResolutionPriority(1)]
    public T Read<T>(MessageFormatter<T> formatter)
    {
        if (formatter is null)
            throw new ArgumentNullException(nameof(formatter));
        return BodyReading.Read(this, formatter);
    }

    /// <summary>Reads the payload in the body with the formatter of its format.</summary>
    /// <typeparam name="T">The type of the payload, or a base type or interface of it.</typeparam>
    /// <param name="registry">Reads the body.</param>
    /// <inheritdoc cref="Read{T}(MessageFormatter{T})"/>
    public T Read<T>(FormatterRegistry registry)
    {
        if (registry is null)
            throw new ArgumentNullException(nameof(registry));
        return BodyReading.Read<T>(this, registry);
    }

    /// <summary>Reads the object in the body with an untyped formatter.</summary>
    /// <returns>The object, or null where the format can carry a null and the body does.</returns>
    /// <inheritdoc cref="Read{T}(MessageFormatter{T})"/>
    public object? Read(IMessageFormatter formatter)
    {
        if (formatter is null)
            throw new ArgumentNullException(nameof(formatter));
        return BodyReading.Read(this, formatter);
    }

    /// <summary>Determines whether the message requests an acknowledgement of a class.</summary>
    internal bool Requests(AcknowledgmentClass acknowledgment) =>
        _extras is { AcknowledgeTypes: not AcknowledgeTypes.None, AdministrationQueue: not null } extras
        && (extras.AcknowledgeTypes & MessageAcknowledgment.TypeOf(acknowledgment)) != 0;

    /// <summary>Copies the message with its headers; the body is shared.</summary>
    internal virtual QueueMessage Copy() => WithBody(Body);

    /// <summary>Creates a message with the same properties and another body.</summary>
    internal QueueMessage WithBody(MessageBody body)
    {
        var copy = new QueueMessage(body) { MessageId = MessageId };
        copy.CopyProperties(this);
        return copy;
    }

    /// <summary>Copies the properties of another message except its id.</summary>
    private protected void CopyProperties(QueueMessage message)
    {
        Label = message.Label;
        CorrelationId = message.CorrelationId;
        ResponseQueue = message.ResponseQueue;
        _priority = message._priority;
        _timeToLiveTicks = message._timeToLiveTicks;
        _extras = message._extras;
        if (message.HasHeaders)
            _headers = new Dictionary<string, object>(message._headers!, StringComparer.Ordinal);
    }

    /// <summary>Copies the requests of another message, for each queue to which it is sent.</summary>
    private protected void CopyRequests(QueueMessage message) => _extras = message._extras;

    private static void ThrowIfNoQueueName(string? name, string property)
    {
        if (name is "" or "." or "..")
            throw new ArgumentException("The name of a queue, or null.", property);
    }

    /// <summary>Clears the request for a journal copy after the copy was made.</summary>
    internal void ClearSourceJournal()
    {
        if (_extras?.SourceJournalQueue is not null)
            _extras = _extras with { SourceJournalQueue = null };
    }

    /// <summary>Clears all requests, for a dead letter or a journal copy.</summary>
    private protected void ClearRequests()
    {
        if (HasRequests || _extras?.AdministrationQueue is not null)
            _extras = Extras with { AdministrationQueue = null, AcknowledgeTypes = AcknowledgeTypes.None, SourceJournalQueue = null };
    }

    /// <summary>The rarely used properties of a message.</summary>
    private sealed record MessageExtras
    {
        internal static MessageExtras None { get; } = new();

        internal long DueTicks { get; init; }

        internal string? AdministrationQueue { get; init; }

        internal AcknowledgeTypes AcknowledgeTypes { get; init; }

        internal MessageAcknowledgment? Acknowledgment { get; init; }

        internal string? SourceJournalQueue { get; init; }

        internal string? SessionId { get; init; }
    }
}
