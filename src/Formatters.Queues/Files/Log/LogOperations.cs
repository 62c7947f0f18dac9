using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Generic;
using Formatters.Binary;

namespace Formatters.Queues;

/// <summary>The operations in a block, one after the other, in the layout of <see cref="BinaryBodyWriter"/>.</summary>
internal enum LogOperation : byte
{
    /// <summary>
    /// The state at the beginning of a segment: the next message number (UInt64), the next queue id (UInt32), the oldest segment that is needed
    /// (UInt64), the queues (count, then id and name).
    /// </summary>
    Table = 1,

    /// <summary>A new queue: id (UInt32), name.</summary>
    QueueAdded = 2,

    /// <summary>A queue and its messages are deleted: id (UInt32).</summary>
    QueueDeleted = 3,

    /// <summary>
    /// A message in one or more queues: its number (7-bit), count of places (7-bit), each: its number (7-bit), deliveries (7-bit), place; then
    /// content byte count (Int32), content, CRC-32C of the content (UInt32). A place is: queue id (7-bit), kind (byte), of a dead letter also reason,
    /// description and source (strings, the latter two nullable).
    /// </summary>
    /// <remarks>If the message is already known, it was copied from an earlier segment: this is its new location, with its current places.</remarks>
    Message = 4,

    /// <summary>A message has left a queue: the place's number (7-bit).</summary>
    Removed = 5,

    /// <summary>All segments before this one may be missing from now on: segment number (UInt64).</summary>
    Trimmed = 6,

    /// <summary>The log was closed normally; written by salvaging, and read.</summary>
    Closed = 7,

    /// <summary>
    /// A message has moved from a queue to another, as a dead letter or to the journal: the place's number (7-bit), the new one's (7-bit), the new
    /// place.
    /// </summary>
    Moved = 8,

    /// <summary>A message was delivered: the place's number (7-bit), the delivery count (7-bit).</summary>
    Delivered = 9,

    /// <summary>
    /// A transaction prepared by a resource manager is committed: the transaction's id (16 bytes), the resource manager's (16 bytes).
    /// </summary>
    /// <remarks>In the block with the transaction's sends and removals; repeated at the beginning of each segment until it is forgotten.</remarks>
    Decided = 10,

    /// <summary>A resource manager has committed a decided transaction: the transaction's id (16 bytes).</summary>
    Forgotten = 11,

    /// <summary>In the first block of a segment: the size of its file (UInt64).</summary>
    SegmentSize = 12,

    /// <summary>A message was returned to its queue with a delay: the place's number (7-bit), ticks in UTC (Int64).</summary>
    Delayed = 13,

    /// <summary>A message id that is rejected until a time: queue id (7-bit), ticks in UTC (Int64), the id.</summary>
    /// <remarks>In the block with the message; repeated in a later segment before the original one is deleted.</remarks>
    SentId = 14,

    /// <summary>A queue is a durable subscription of a topic: queue id (7-bit), topic, selector (nullable).</summary>
    /// <remarks>Repeated at the beginning of each segment while the queue exists.</remarks>
    Subscription = 15,

    /// <summary>The log was closed normally: a unique id of this closing (16 bytes).</summary>
    ClosedAs = 16,

    /// <summary>
    /// An operation that another process requested is done: the process (16 bytes), the operation's number (7-bit), the lowest number of that
    /// process that may still be repeated (7-bit).
    /// </summary>
    /// <remarks>In the block with the operation; repeated at the beginning of each segment while the process may repeat it.</remarks>
    Applied = 17,
}

/// <summary>The part of a message's content that an index needs.</summary>
internal struct ContentSummary
{
    internal byte Priority;
    internal long SentTicks;
    internal long TimeToLiveTicks;
    internal long DueTicks;
    internal int BodyByteCount;
    internal uint IdHash;
    internal uint CorrelationHash;
    internal bool HasRequests;
}

/// <summary>Writes and reads the operations that consist of more than numbers.</summary>
internal static class LogOperations
{
    internal static FormatterLimits Limits { get; } = new() { MaxBodyByteCount = int.MaxValue };

    /// <summary>Writes a message as sent.</summary>
    /// <returns>The position of the content in the block.</returns>
    internal static int WriteMessage(LogBuffer block, LogEntry entry, LocalMessage message)
    {
        int prefix = WritePrefix(block, entry);
        int start = block.ByteCount;
        var writer = new BinaryBodyWriter(block, Limits);
        writer.Write(message.Body.BodyType);
        writer.WriteNullable(message.Body.ContentType);
        writer.WriteNullable(message.Label);
        writer.WriteNullable(message.GivenMessageId);
        writer.WriteNullable(message.CorrelationId);
        writer.WriteNullable(message.ResponseQueue);
        writer.Write((byte)message.Priority);
        writer.Write(message.SentTime!.Value.UtcTicks);
        writer.Write(message.TimeToLive?.Ticks ?? 0L);
        WriteHeaders(ref writer, message);
        writer.Flush();
        foreach (ReadOnlyMemory<byte> part in message.Body.Bytes)
            block.Write(part.Span);
        entry.BodyByteCount = (int)message.Body.ByteCount;
        entry.ContentByteCount = block.ByteCount - start;
        entry.Checksum = Crc32C.Of(block.Block[start..]);
        BinaryPrimitives.WriteInt32LittleEndian(block.Block[prefix..], entry.ContentByteCount);
        WriteChecksum(block, entry);
        return start;
    }

    /// <summary>Writes a message whose content was read from an earlier segment.</summary>
    /// <inheritdoc cref="WriteMessage"/>
    internal static int WriteCopy(LogBuffer block, LogEntry entry, ReadOnlySpan<byte> content)
    {
        int prefix = WritePrefix(block, entry);
        int start = block.ByteCount;
        block.Write(content);
        BinaryPrimitives.WriteInt32LittleEndian(block.Block[prefix..], content.Length);
        WriteChecksum(block, entry);
        for (LogPlace? place = entry.FirstPlace; place is not null; place = place.Next)
            WriteDelayed(block, place);
        return start;
    }

    internal static void WriteRemoved(LogBuffer block, LogPlace place)
    {
        var writer = new BinaryBodyWriter(block, Limits);
        writer.Write((byte)LogOperation.Removed);
        writer.Write7BitEncodedInt64((long)place.Number);
        writer.Flush();
    }

    internal static void WriteMoved(LogBuffer block, LogPlace from, LogPlace to)
    {
        var writer = new BinaryBodyWriter(block, Limits);
        writer.Write((byte)LogOperation.Moved);
        writer.Write7BitEncodedInt64((long)from.Number);
        writer.Write7BitEncodedInt64((long)to.Number);
        WritePlace(ref writer, to);
        writer.Flush();
    }

    internal static void WriteDelivered(LogBuffer block, LogPlace place)
    {
        var writer = new BinaryBodyWriter(block, Limits);
        writer.Write((byte)LogOperation.Delivered);
        writer.Write7BitEncodedInt64((long)place.Number);
        writer.Write7BitEncodedInt(place.DeliveryCount);
        writer.Flush();
    }

    /// <summary>Writes the due time of a returned message's place, if it has one.</summary>
    internal static void WriteDelayed(LogBuffer block, LogPlace place)
    {
        if (place.DueTicks == 0)
            return;
        var writer = new BinaryBodyWriter(block, Limits);
        writer.Write((byte)LogOperation.Delayed);
        writer.Write7BitEncodedInt64((long)place.Number);
        writer.Write(place.DueTicks);
        writer.Flush();
    }

    internal static void WriteSentId(LogBuffer block, FileQueueStore queue, long endTicks, string id)
    {
        var writer = new BinaryBodyWriter(block, Limits);
        writer.Write((byte)LogOperation.SentId);
        writer.Write7BitEncodedInt((int)queue.QueueId);
        writer.Write(endTicks);
        writer.Write(id);
        writer.Flush();
    }

    internal static void WriteSubscription(LogBuffer block, FileQueueStore queue, string topic, string? selector)
    {
        var writer = new BinaryBodyWriter(block, Limits);
        writer.Write((byte)LogOperation.Subscription);
        writer.Write7BitEncodedInt((int)queue.QueueId);
        writer.Write(topic);
        writer.WriteNullable(selector);
        writer.Flush();
    }

    internal static void WriteNumber(LogBuffer block, LogOperation operation, ulong number)
    {
        var writer = new BinaryBodyWriter(block, Limits);
        writer.Write((byte)operation);
        writer.Write(number);
        writer.Flush();
    }

    internal static void WriteQueueAdded(LogBuffer block, uint queueId, string name)
    {
        var writer = new BinaryBodyWriter(block, Limits);
        writer.Write((byte)LogOperation.QueueAdded);
        writer.Write(queueId);
        writer.Write(name);
        writer.Flush();
    }

    internal static void WriteQueueDeleted(LogBuffer block, uint queueId)
    {
        var writer = new BinaryBodyWriter(block, Limits);
        writer.Write((byte)LogOperation.QueueDeleted);
        writer.Write(queueId);
        writer.Flush();
    }

    /// <summary>Writes the closing with a unique id, so that a snapshot after it is not used with a log that has diverged.</summary>
    internal static void WriteClosedAs(LogBuffer block, Guid id)
    {
        var writer = new BinaryBodyWriter(block, Limits);
        writer.Write((byte)LogOperation.ClosedAs);
        writer.Write(id);
        writer.Flush();
    }

    internal static void WriteClosed(LogBuffer block)
    {
        block.GetSpan(1)[0] = (byte)LogOperation.Closed;
        block.Advance(1);
    }

    internal static void WriteDecided(LogBuffer block, Decision decision)
    {
        var writer = new BinaryBodyWriter(block, Limits);
        writer.Write((byte)LogOperation.Decided);
        writer.Write(decision.TransactionId);
        writer.Write(decision.ResourceManagerId);
        writer.Flush();
    }

    internal static void WriteApplied(LogBuffer block, RemoteOperation operation)
    {
        var writer = new BinaryBodyWriter(block, Limits);
        writer.Write((byte)LogOperation.Applied);
        writer.Write(operation.Process);
        writer.Write7BitEncodedInt64(operation.Number);
        writer.Write7BitEncodedInt64(operation.Floor);
        writer.Flush();
    }

    internal static RemoteOperation ReadApplied(ref BinaryBodyReader reader) =>
        new(reader.ReadGuid(), reader.Read7BitEncodedInt64(), reader.Read7BitEncodedInt64());

    internal static void WriteForgotten(LogBuffer block, List<Guid> transactionIds)
    {
        var writer = new BinaryBodyWriter(block, Limits);
        foreach (Guid id in transactionIds)
        {
            writer.Write((byte)LogOperation.Forgotten);
            writer.Write(id);
        }

        writer.Flush();
    }

    /// <summary>Writes the state that later segments need without the earlier ones.</summary>
    internal static void WriteTable(LogBuffer block, ulong nextMessage, ulong oldestSegment, LogTable table)
    {
        var writer = new BinaryBodyWriter(block, Limits);
        writer.Write((byte)LogOperation.Table);
        writer.Write(nextMessage);
        writer.Write(table.NextQueueId);
        writer.Write(oldestSegment);
        writer.WriteCount(table.Queues.Count);
        foreach (FileQueueStore queue in table.Queues)
        {
            writer.Write(queue.QueueId);
            writer.Write(queue.Name);
        }

        writer.Flush();
        foreach (FileQueueStore queue in table.Queues)
        {
            if (queue.Topic is { } topic)
                WriteSubscription(block, queue, topic, queue.Selector);
        }

        foreach (Decision decision in table.Decisions)
            WriteDecided(block, decision);
        foreach (RemoteOperation operation in table.Applied)
            WriteApplied(block, operation);
    }

    /// <summary>Reads the properties of a message and its body.</summary>
    internal static RecoveredMessage ReadContent(ReadOnlyMemory<byte> content)
    {
        var reader = new BinaryBodyReader(content.Span, Limits);
        int bodyType = reader.ReadInt32();
        string? contentType = reader.ReadNullableString();
        var properties = new RecoveredMessage(new MessageBody(ReadOnlyMemory<byte>.Empty, bodyType, contentType))
        {
            Label = reader.ReadNullableString(),
            MessageId = reader.ReadNullableString(),
            CorrelationId = reader.ReadNullableString(),
            ResponseQueue = reader.ReadNullableString(),
            Priority = reader.ReadByte(),
            SentTime = new DateTimeOffset(reader.ReadInt64(), TimeSpan.Zero),
        };
        long timeToLive = reader.ReadInt64();
        if (timeToLive != 0)
            properties.TimeToLive = new TimeSpan(timeToLive);
        ReadHeaders(ref reader, properties);
        properties.Body.Bytes = new ReadOnlySequence<byte>(content[reader.ByteOffset..]);
        return properties;
    }

    /// <summary>Reads the part of a content that an index needs.</summary>
    internal static ContentSummary ReadSummary(ReadOnlyMemory<byte> content)
    {
        var reader = new BinaryBodyReader(content.Span, Limits);
        reader.ReadInt32();
        SkipNullable(ref reader);
        SkipNullable(ref reader);
        var summary = new ContentSummary { IdHash = ParkedExtras.HashOf(reader.ReadNullableString()),
            CorrelationHash = ParkedExtras.HashOf(reader.ReadNullableString()) };
        SkipNullable(ref reader);
        summary.Priority = reader.ReadByte();
        summary.SentTicks = reader.ReadInt64();
        summary.TimeToLiveTicks = reader.ReadInt64();
        if (reader.ReadCount(3) > 0)
        {
            RecoveredMessage message = ReadContent(content);
            summary.DueTicks = message.DueTime?.UtcTicks ?? 0;
            summary.HasRequests = message.HasRequests;
            summary.BodyByteCount = (int)message.Body.ByteCount;
        }
        else
        {
            summary.BodyByteCount = reader.BytesRemaining;
        }

        return summary;
    }

    private static void SkipNullable(ref BinaryBodyReader reader)
    {
        if (!reader.ReadBoolean())
            return;
        int byteCount = reader.Read7BitEncodedInt();
        reader.ReadSpan(byteCount >= 0 ? byteCount : throw new FormatException("A string has a negative number of bytes."));
    }

    /// <returns>The position in the block for the content's byte count.</returns>
    private static int WritePrefix(LogBuffer block, LogEntry entry)
    {
        var writer = new BinaryBodyWriter(block, Limits);
        writer.Write((byte)LogOperation.Message);
        writer.Write7BitEncodedInt64((long)entry.Number);
        writer.Write7BitEncodedInt(entry.PlaceCount);
        for (LogPlace? place = entry.FirstPlace; place is not null; place = place.Next)
        {
            writer.Write7BitEncodedInt64((long)place.Number);
            writer.Write7BitEncodedInt(place.DeliveryCount);
            WritePlace(ref writer, place);
        }

        writer.Write(0);
        writer.Flush();
        return block.ByteCount - sizeof(int);
    }

    /// <summary>Writes how a message of the index entered its queue.</summary>
    internal static void WritePlace(ref BinaryBodyWriter writer, FileQueueStore queue, LogPlaceKind kind, DeadLetter? deadLetter) =>
        WritePlace(ref writer, new LogPlace(null!, queue, kind, deadLetter));

    private static void WritePlace(ref BinaryBodyWriter writer, LogPlace place)
    {
        writer.Write7BitEncodedInt((int)place.Queue.QueueId);
        writer.Write((byte)place.Kind);
        if (place.DeadLetter is not { } deadLetter)
            return;
        writer.Write(deadLetter.Reason);
        writer.WriteNullable(deadLetter.Description);
        writer.WriteNullable(deadLetter.Source);
    }

    /// <summary>Reads a place; the queue is null if it no longer exists.</summary>
    internal static (FileQueueStore? Queue, LogPlaceKind Kind, DeadLetter? DeadLetter) ReadPlace(ref BinaryBodyReader reader,
        Dictionary<uint, FileQueueStore> queues)
    {
        queues.TryGetValue((uint)reader.Read7BitEncodedInt(), out FileQueueStore? queue);
        byte kind = reader.ReadByte();
        if (kind > (byte)LogPlaceKind.DeadLetter)
            throw new FormatException($"Unknown place kind {kind}.");
        DeadLetter? deadLetter = kind == (byte)LogPlaceKind.DeadLetter
            ? new DeadLetter(reader.ReadString(), reader.ReadNullableString(), reader.ReadNullableString())
            : null;
        return (queue, (LogPlaceKind)kind, deadLetter);
    }

    private static void WriteChecksum(LogBuffer block, LogEntry entry)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(block.GetSpan(sizeof(uint)), entry.Checksum);
        block.Advance(sizeof(uint));
    }

    internal static void WriteHeaders(ref BinaryBodyWriter writer, QueueMessage message)
    {
        int count = message.HasHeaders ? message.Headers.Count : 0;
        if (message.HasExtras)
            WriteExtras(ref writer, message, count);
        else
            writer.WriteCount(count);

        if (count == 0)
            return;
        foreach ((string name, object value) in message.Headers)
        {
            writer.Write(name);
            switch (value)
            {
                case string text:
                    writer.Write((byte)HeaderKind.Text);
                    writer.Write(text);
                    break;
                case bool flag:
                    writer.Write((byte)HeaderKind.Boolean);
                    writer.Write(flag);
                    break;
                case int number:
                    writer.Write((byte)HeaderKind.Int32);
                    writer.Write(number);
                    break;
                case long number:
                    writer.Write((byte)HeaderKind.Int64);
                    writer.Write(number);
                    break;
                case double number:
                    writer.Write((byte)HeaderKind.Double);
                    writer.Write(number);
                    break;
                case byte[] bytes:
                    writer.Write((byte)HeaderKind.Bytes);
                    writer.WriteBytes(bytes);
                    break;
                default:
                    throw LocalMessage.UnsupportedHeader(name, value);
            }
        }
    }

    /// <summary>Writes rarely used properties. They are not application headers: later additions to the layout are stored here.</summary>
    private static void WriteExtras(ref BinaryBodyWriter writer, QueueMessage message, int headerCount)
    {
        bool asks = message.AcknowledgeTypes != AcknowledgeTypes.None || message.AdministrationQueue is not null;
        writer.WriteCount(headerCount + (message.DueTime is null ? 0 : 1) + (asks ? 1 : 0) + (message.Acknowledgment is null ? 0 : 1));
        if (message.DueTime is { } due)
        {
            writer.Write("");
            writer.Write((byte)HeaderKind.DueTime);
            writer.Write(due.UtcTicks);
        }

        if (asks)
        {
            writer.Write("");
            writer.Write((byte)HeaderKind.AcknowledgeTypes);
            writer.Write7BitEncodedInt((int)message.AcknowledgeTypes);
            writer.WriteNullable(message.AdministrationQueue);
        }

        if (message.Acknowledgment is { } acknowledgment)
        {
            writer.Write("");
            writer.Write((byte)HeaderKind.Acknowledgment);
            writer.Write((int)acknowledgment.Class);
            writer.Write(acknowledgment.QueueName);
            writer.WriteNullable(acknowledgment.Reason);
            writer.WriteNullable(acknowledgment.Description);
        }
    }

    private static MessageAcknowledgment ReadAcknowledgment(ref BinaryBodyReader reader) => new()
    {
        Class = (AcknowledgmentClass)reader.ReadInt32(),
        QueueName = reader.ReadString(),
        Reason = reader.ReadNullableString(),
        Description = reader.ReadNullableString(),
    };

    internal static void ReadHeaders(ref BinaryBodyReader reader, QueueMessage properties)
    {
        int count = reader.ReadCount(3);
        for (int i = 0; i < count; i++)
        {
            string name = reader.ReadString();
            byte kind = reader.ReadByte();
            if (kind == (byte)HeaderKind.DueTime)
            {
                properties.DueTime = new DateTimeOffset(reader.ReadInt64(), TimeSpan.Zero);
                continue;
            }

            if (kind == (byte)HeaderKind.AcknowledgeTypes)
            {
                properties.AcknowledgeTypes = (AcknowledgeTypes)reader.Read7BitEncodedInt();
                properties.AdministrationQueue = reader.ReadNullableString();
                continue;
            }

            if (kind == (byte)HeaderKind.Acknowledgment)
            {
                properties.Acknowledgment = ReadAcknowledgment(ref reader);
                continue;
            }

            properties.Headers[name] = (HeaderKind)kind switch
            {
                HeaderKind.Text => reader.ReadString(),
                HeaderKind.Boolean => reader.ReadBoolean(),
                HeaderKind.Int32 => reader.ReadInt32(),
                HeaderKind.Int64 => reader.ReadInt64(),
                HeaderKind.Double => reader.ReadDouble(),
                HeaderKind.Bytes => reader.ReadBytes(),
                _ => throw new FormatException($"Unknown header kind {kind}."),
            };
        }
    }

    private enum HeaderKind : byte
    {
        Text = 1,
        Boolean = 2,
        Int32 = 3,
        Int64 = 4,
        Double = 5,
        Bytes = 6,
        DueTime = 7,
        AcknowledgeTypes = 8,
        Acknowledgment = 9,
    }
}
