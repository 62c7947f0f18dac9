using System;
using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>A queue of a folder: its messages in memory; the recoverable ones are also in the log.</summary>
internal sealed class FileQueueStore : LocalQueueStore
{
    internal FileQueueStore(QueueFolder folder, uint queueId, string name)
        : this(folder, queueId, name, new FileParking(folder))
    {
    }

    private FileQueueStore(QueueFolder folder, uint queueId, string name, FileParking parking)
        : base(folder.AddressOf(name), name, folder.Clock, parking)
    {
        Folder = folder;
        Place = folder;
        QueueId = queueId;
        parking.Queue = this;
    }

    internal QueueFolder Folder { get; }

    /// <summary>Gets the queue's id in the log, which is never reused in the folder.</summary>
    internal uint QueueId { get; }

    /// <summary>Gets the topic of which this is a durable subscription, according to the log; null for a queue that is not a subscription.</summary>
    internal string? Topic { get; private set; }

    /// <summary>Gets the selector of the subscription; null for all messages.</summary>
    internal string? Selector { get; private set; }

    /// <summary>Gets whether the queue was deleted, or will be with the next block.</summary>
    internal bool IsGone => IsDeleted || IsDeletedInLog;

    /// <summary>Sets the topic and the selector that the log has for this subscription.</summary>
    internal void SetTopic(string topic, string? selector)
    {
        Topic = topic;
        Selector = selector;
    }

    /// <summary>Gets or sets whether the log has, or will have with the next block, the queue's deletion. Guarded by the log's gate.</summary>
    internal bool IsDeletedInLog { get; set; }

    /// <summary>Adds a message from recovery's index.</summary>
    internal void Add(ulong number, in IndexedMessage message, in IndexedExtras more)
    {
        long deadline = DeadlineOf(more);
        (ParkedMessages place, long order) = AddParked(message.Priority, message.BodyByteCount, deadline);
        ((FileParkedMessages)place).Add(
            new ParkedMessage
            {
                Number = number,
                Order = order,
                Segment = message.Segment,
                ContentOffset = message.ContentOffset,
                ContentByteCount = message.ContentByteCount,
                BodyByteCount = message.BodyByteCount,
                Checksum = message.Checksum,
                DeliveryCount = message.DeliveryCount,
                Kind = message.Kind,
                Priority = message.Priority,
            },
            new ParkedExtras { Deadline = deadline, EntryNumber = more.EntryNumber, Reference = more.DeadLetter, IdHash = more.IdHash,
                CorrelationHash = more.CorrelationHash });
    }

    /// <summary>Converts the parked messages of a segment to objects, to be copied from there.</summary>
    /// <param name="segment">The segment's number.</param>
    /// <param name="maxByteCount">About how much.</param>
    /// <param name="places">Receives the groups in which they were parked.</param>
    /// <returns>How much.</returns>
    internal long Unpark(ulong segment, long maxByteCount, List<FileParkedMessages> places)
    {
        long byteCount = 0;
        VisitParked(parked =>
        {
            if (((FileParkedMessages)parked).Unpark(segment) is > 0 and long count)
            {
                byteCount += count;
                places.Add((FileParkedMessages)parked);
            }

            return byteCount < maxByteCount;
        });
        return byteCount;
    }

    /// <summary>Parks messages again that were converted to be copied.</summary>
    internal void Repark(List<FileParkedMessages> places) => VisitParked(parked =>
    {
        int index = places.IndexOf((FileParkedMessages)parked);
        if (index >= 0)
        {
            places.RemoveAt(index);
            ((FileParkedMessages)parked).Repark();
        }

        return places.Count > 0;
    });

    /// <summary>Gets whether any messages are parked.</summary>
    internal bool HasParked
    {
        get
        {
            bool hasParked = false;
            VisitParked(_ =>
            {
                hasParked = true;
                return false;
            });
            return hasParked;
        }
    }

    /// <summary>Visits the groups of parked messages.</summary>
    internal void VisitParked(Action<FileParkedMessages> visit) => VisitParked(parked =>
    {
        visit((FileParkedMessages)parked);
        return true;
    });

    /// <summary>Adds the messages of one priority from a snapshot, after those already in the queue.</summary>
    internal void Add(int priority, ParkedMessage[] items, ParkedExtras[]? more)
    {
        long byteCount = 0;
        foreach (ref ParkedMessage item in items.AsSpan())
            byteCount += item.BodyByteCount;
        long deadline = QueueClock.Never;
        foreach (ParkedExtras one in more ?? [])
            deadline = Math.Min(deadline, one.Deadline);
        var place = new FileParkedMessages(this);
        place.Set(items, more);
        AddParked(priority, place, byteCount, deadline);
    }

    /// <summary>Computes the deadline of a message from its send or due time.</summary>
    internal long DeadlineOf(in IndexedExtras more) =>
        more.TimeToLiveTicks == 0
            ? QueueClock.Never
            : FileMessage.DeadlineOf(Clock, new DateTimeOffset(more.UsefulFromTicks, TimeSpan.Zero), isDelayed: false,
                new TimeSpan(more.TimeToLiveTicks));
}
