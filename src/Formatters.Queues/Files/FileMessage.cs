using System;
using System.Buffers;
using System.Globalization;

namespace Formatters.Queues;

/// <summary>A recoverable message of a queue in a folder.</summary>
internal sealed class FileMessage : LocalMessage
{
    private bool _isCached;

    // Whether the body's bytes are in memory; if not, they are read from the log before the message is delivered. Set after the bytes, because the
    // message may be redelivered at any time.
    private volatile bool _hasBody = true;

    /// <summary>Creates a message that is sent to a queue, the first or only one.</summary>
    internal FileMessage(LogPlace place, QueueMessage message)
        : base(place.Queue, 0, message)
    {
        Place = place;
        Entry.BodyByteCount = (int)Body.ByteCount;
        Operation = (message as RemoteSend)?.Operation;
    }

    /// <summary>Creates a message that is in the log.</summary>
    private FileMessage(LogPlace place, RecoveredMessage message)
        : base(place.Queue, message, new MessageBody(ReadOnlyMemory<byte>.Empty, message.Body.BodyType, message.Body.ContentType))
    {
        Place = place;
        _hasBody = false;
        DeliveryCount = place.DeliveryCount + 1;
        DeadLetter = place.DeadLetter;
        SentTime = message.SentTime;
        DateTimeOffset now = Store.Clock.UtcNow;
        DateTimeOffset usefulFrom = message.SentTime;
        if (place.DueTicks != 0)
            Delay(new DateTimeOffset(place.DueTicks, TimeSpan.Zero), now);
        if (place.Kind != LogPlaceKind.Sent)
        {
            TimeToLive = null;
            ClearRequests();
            return;
        }

        if (DueTime is { } due && due > message.SentTime)
        {
            usefulFrom = due;
            if (place.DueTicks == 0)
                Delay(due, now);
        }

        if (TimeToLive is { } time)
            Deadline = DeadlineOf(usefulFrom, DueStamp != 0 && usefulFrom > now, time);
    }

    /// <summary>Creates a message that was parked.</summary>
    private FileMessage(LogPlace place, RecoveredMessage message, long order, long deadline)
        : base(place.Queue, message, new MessageBody(ReadOnlyMemory<byte>.Empty, message.Body.BodyType, message.Body.ContentType))
    {
        Place = place;
        _hasBody = false;
        DeliveryCount = place.DeliveryCount + 1;
        DeadLetter = place.DeadLetter;
        SentTime = message.SentTime;
        if (place.Kind != LogPlaceKind.Sent)
        {
            TimeToLive = null;
            ClearRequests();
        }

        Deadline = deadline;
        Order = order;
    }

    private FileMessage(FileMessage message, int deliveries)
        : base(message, EmptyBodyOf(message), deliveries)
    {
        Place = message.Place;
        TakeBody(message);
    }

    /// <summary>Creates a copy of the message for another queue.</summary>
    private FileMessage(FileMessage message, LogPlace place)
        : base(message, place.Queue, place.DeadLetter, EmptyBodyOf(message))
    {
        Place = place;
        TakeBody(message);
        if (place.Kind == LogPlaceKind.Sent)
        {
            CopyRequests(message);
            TimeToLive = message.TimeToLive;
            Deadline = message.Deadline;
            DueStamp = message.DueStamp;
        }
    }

    /// <summary>Gets the location of the message in its queue and in the log.</summary>
    internal LogPlace Place { get; }

    /// <summary>Gets or sets the request of another process that sends the message, until it is in the log.</summary>
    internal RemoteOperation? Operation { get; set; }

    internal LogEntry Entry => Place.Entry;

    internal FileQueueStore Queue => (FileQueueStore)Store;

    internal override bool IsStored => true;

    internal override ulong LogNumber => Place.Number;

    internal override long BodyByteCount => Entry.BodyByteCount;

    /// <summary>Creates a message found by recovery; its body is in the log.</summary>
    internal static FileMessage Recover(LogPlace place) => new(place, place.Entry.Recovered ?? place.Entry.ReadRecovered());

    /// <summary>Creates a message that was parked.</summary>
    /// <param name="place">The message in its queue.</param>
    /// <param name="content">The content from the log, with a verified checksum; not kept.</param>
    /// <param name="order">Its order in the queue.</param>
    /// <param name="deadline">When it expires, as a time stamp.</param>
    /// <param name="isShown">Whether the message is only being peeked at; its body is then always loaded.</param>
    internal static FileMessage Unpark(LogPlace place, ReadOnlyMemory<byte> content, long order, long deadline, bool isShown)
    {
        var message = new FileMessage(place, LogOperations.ReadContent(content), order, deadline);
        ReadOnlyMemory<byte> body = content[^place.Entry.BodyByteCount..];
        if (isShown || (message._isCached = place.Queue.Folder.TryTakeCache(body.Length)))
        {
            message.Body.Bytes = new ReadOnlySequence<byte>(body.ToArray());
            message._hasBody = true;
        }

        return message;
    }

    /// <summary>
    /// Converts the message to a parked one, which its queue locates in the log. The object is then used only by callers that already read it.
    /// </summary>
    internal bool TryPark(out ParkedMessage parked, out ParkedExtras more)
    {
        (parked, more) = (default, default);
        // A message with state in the log beside its content, one that requests acknowledgements, and a large one, of which fewer fit on a disk, are
        // kept as objects.
        if (HasRequests || Place.DueTicks != 0 || DeliveryCount != Place.DeliveryCount + 1 || DeliveryCount > ushort.MaxValue
            || Entry.ContentByteCount > FileParkedMessages.MaxContentByteCount
            || !Entry.TryPark(out LogSegment? segment, out long offset))
            return false;
        LeaveCache();
        parked = new ParkedMessage
        {
            Number = Place.Number,
            Order = Order,
            Segment = (uint)segment.Number,
            ContentOffset = (uint)offset,
            ContentByteCount = Entry.ContentByteCount,
            BodyByteCount = Entry.BodyByteCount,
            Checksum = Entry.Checksum,
            DeliveryCount = (ushort)Place.DeliveryCount,
            Kind = Place.Kind,
            Priority = (byte)Priority,
        };
        more = new ParkedExtras
        {
            Deadline = Deadline,
            EntryNumber = Entry.Number,
            Reference = Place.DeadLetter,
            IdHash = ParkedExtras.HashOf(GivenMessageId),
            CorrelationHash = ParkedExtras.HashOf(CorrelationId),
        };
        return true;
    }

    /// <summary>Keeps the body in memory if there is space, before the message is in its queue.</summary>
    internal void CacheBodyIfPossible()
    {
        _isCached = _hasBody && Queue.Folder.TryTakeCache(Entry.BodyByteCount);
        if (_isCached)
            return;
        _hasBody = false;
        Body.Bytes = default;
    }

    /// <summary>Prepares the message for delivery: reads the body if it is not in memory.</summary>
    /// <returns>Whether the message is still available for delivery.</returns>
    /// <exception cref="QueueException">The body cannot be read.</exception>
    internal bool TryLoadBody()
    {
        LeaveCache();
        if (_hasBody)
            return true;
        if (!Entry.TryReadContent(out byte[]? content))
            return false;
        Body.Bytes = new ReadOnlySequence<byte>(content, content.Length - Entry.BodyByteCount, Entry.BodyByteCount);
        return _hasBody = true;
    }

    internal void LeaveCache()
    {
        if (!_isCached)
            return;
        _isCached = false;
        Queue.Folder.LeaveCache(Entry.BodyByteCount);
    }

    internal override LocalMessage ForRedelivery(int deliveries) => new FileMessage(this, deliveries);

    /// <summary>
    /// Creates the acknowledgement of this message. Its id is not stored here, because the message may still get another number in the log.
    /// </summary>
    internal QueueMessage NewAcknowledgmentOf(AcknowledgmentClass acknowledgment, DeadLetter? deadLetter) =>
        NewAcknowledgment(acknowledgment, deadLetter, GivenMessageId ?? (Entry.Number == 0 ? null : MakeMessageId(IdParts.Prefix, IdParts.Number)));

    /// <summary>Creates a copy of the message for another queue.</summary>
    internal FileMessage CopyTo(LogPlace place) => new(this, place);

    private protected override MessageBody? GetBodyToShow()
    {
        // A body that is in memory when the message enters its queue stays there with the message.
        if (_hasBody)
            return base.GetBodyToShow();
        return Entry.TryReadContent(out byte[]? content)
            ? new MessageBody(new ReadOnlySequence<byte>(content, content.Length - Entry.BodyByteCount, Entry.BodyByteCount), Body.BodyType,
                Body.ContentType)
            : null;
    }

    internal override (string Prefix, ulong Number) IdParts => (Queue.Folder.IdString, Entry.Number);

    /// <summary>
    /// Creates an empty body. Each message has its own, because two receivers may load theirs at the same time: one whose lease has ended, and the
    /// next.
    /// </summary>
    private static MessageBody EmptyBodyOf(FileMessage message) =>
        new(default(ReadOnlySequence<byte>), message.Body.BodyType, message.Body.ContentType);

    /// <summary>Takes over the bytes, without a copy, if they are in memory.</summary>
    private void TakeBody(FileMessage message)
    {
        bool hasBody = message._hasBody;
        if (hasBody)
            Body.Bytes = message.Body.Bytes;
        _hasBody = hasBody;
    }

    /// <summary>
    /// Computes the deadline of a message from its send or due time on the wall clock, which may have been set since: never later than if it had just
    /// been sent.
    /// </summary>
    private long DeadlineOf(DateTimeOffset usefulFrom, bool isDelayed, TimeSpan timeToLive) =>
        DeadlineOf(Store.Clock, usefulFrom, isDelayed, timeToLive);

    internal static long DeadlineOf(QueueClock clock, DateTimeOffset usefulFrom, bool isDelayed, TimeSpan timeToLive)
    {
        TimeSpan age = clock.UtcNow - usefulFrom;
        if (age < TimeSpan.Zero && !isDelayed)
            age = TimeSpan.Zero;
        if (age < TimeSpan.Zero && timeToLive > TimeSpan.MaxValue + age)
            return QueueClock.Never;
        TimeSpan remaining = timeToLive - age;
        return remaining > TimeSpan.Zero ? clock.After(remaining) : clock.Now;
    }

    private void Delay(DateTimeOffset due, DateTimeOffset now)
    {
        if (due > now)
            DueStamp = Store.Clock.After(due - now);
    }
}
