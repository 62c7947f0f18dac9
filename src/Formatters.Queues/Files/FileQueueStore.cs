using System;
using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>A queue of a folder: its messages in memory, those that are recoverable also in the log.</summary>
internal sealed class FileQueueStore : MemoryQueueStore
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

    /// <summary>The queue's number in the log; never that of another queue of the folder, also not of a deleted one.</summary>
    internal uint QueueId { get; }

    /// <summary>The topic of which this is a durable subscription, as the log says; null for a queue that is none.</summary>
    internal string? Topic { get; private set; }

    /// <summary>Which messages of the topic it gets; null means all.</summary>
    internal string? Selector { get; private set; }

    /// <summary>Whether the queue was deleted, or will be with the next block.</summary>
    internal bool IsGone => IsDeleted || IsDeletedInLog;

    /// <summary>The log says that this is a subscription.</summary>
    internal void SetTopic(string topic, string? selector)
    {
        Topic = topic;
        Selector = selector;
    }

    /// <summary>Under the log's gate: whether the log says, or will say with the next block, that the queue is gone.</summary>
    internal bool IsDeletedInLog { get; set; }

    /// <summary>Takes in a message that recovery has in its index.</summary>
    internal void Add(ulong number, in IndexedMessage message, in IndexedMore more)
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
            new ParkedMore { Deadline = deadline, EntryNumber = more.EntryNumber, Reference = more.DeadLetter, IdHash = more.IdHash, CorrelationHash = more.CorrelationHash });
    }

    /// <summary>Makes parked messages of a segment objects, to be copied from there.</summary>
    /// <param name="segment">The segment's number.</param>
    /// <param name="maxByteCount">About how much.</param>
    /// <param name="places">Receives where they were parked.</param>
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

    /// <summary>Parks messages again that were to be copied.</summary>
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

    /// <summary>Whether messages are parked.</summary>
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

    /// <summary>Goes over the places where messages are parked.</summary>
    internal void VisitParked(Action<FileParkedMessages> visit) => VisitParked(parked =>
    {
        visit((FileParkedMessages)parked);
        return true;
    });

    /// <summary>Takes over messages of one priority that a snapshot has, after those that are there.</summary>
    internal void Add(int priority, ParkedMessage[] items, ParkedMore[]? more)
    {
        long byteCount = 0;
        foreach (ref ParkedMessage item in items.AsSpan())
            byteCount += item.BodyByteCount;
        long deadline = QueueClock.Never;
        foreach (ParkedMore one in more ?? [])
            deadline = Math.Min(deadline, one.Deadline);
        var place = new FileParkedMessages(this);
        place.Set(items, more);
        AddParked(priority, place, byteCount, deadline);
    }

    /// <summary>When a message expires that was of use from a time on.</summary>
    internal long DeadlineOf(in IndexedMore more) =>
        more.TimeToLiveTicks == 0
            ? QueueClock.Never
            : FileMessage.DeadlineOf(Clock, new DateTimeOffset(more.UsefulFromTicks, TimeSpan.Zero), isDelayed: false, new TimeSpan(more.TimeToLiveTicks));
}
