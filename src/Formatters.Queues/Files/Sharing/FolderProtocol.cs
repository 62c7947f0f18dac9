using System;
using System.Buffers;
using System.Collections.Generic;
using Formatters.Binary;

namespace Formatters.Queues;

/// <summary>The requests of a process to the owner of a folder. Each is a frame that begins with this byte.</summary>
internal enum FolderRequest : byte
{
    /// <summary>The first request of a connection. It begins alike in every version: version, process, process id, machine.</summary>
    Hello = 1,

    /// <summary>The process has named all that it had before the last owner ended.</summary>
    Returned,
    Ping,
    Cancel,
    OpenQueue,
    OpenTopic,
    Subscribe,
    SubscribeDurable,
    Unsubscribe,
    Close,
    Delete,
    List,
    Processes,
    Send,
    Receive,
    Reclaim,
    Settle,
    Begin,
    Commit,
    Rollback,
    Purge,
    Count,
    CountLocked,
    Peek,
    FindDecisions,
    FindFate,
    EnterDecision,
    LeaveDecision,
    DeliverDecision,
}

/// <summary>How another process settles messages that it has received.</summary>
internal enum Settlement : byte
{
    Acknowledge = 1,
    Return,
    DeadLetter,
    ReturnUnseen,
    Renew,
}

/// <summary>The selection of the message that a receive takes.</summary>
internal enum ReceiveBy : byte
{
    Order,
    MessageId,
    CorrelationId,
}

/// <summary>Encodes and decodes what the processes of a folder send each other, in the binary format.</summary>
internal static class FolderProtocol
{
    /// <summary>The version of the protocol. Processes with different ones cannot share a folder.</summary>
    internal const int Version = 1;

    /// <summary>The largest buffer that a thread keeps.</summary>
    private const int MaxScratchByteCount = 256 << 10;

    [ThreadStatic]
    private static ArrayBufferWriter<byte>? _scratch;

    internal static FormatterLimits Limits => LogOperations.Limits;

    internal delegate void Encoder(ref BinaryBodyWriter writer);

    /// <summary>Writes a request or an answer.</summary>
    /// <param name="byteCount">About how long it becomes.</param>
    /// <param name="encode">Writes it.</param>
    internal static ReadOnlyMemory<byte> Encode(int byteCount, Encoder encode)
    {
        var buffer = new ArrayBufferWriter<byte>(byteCount);
        var writer = new BinaryBodyWriter(buffer, Limits);
        encode(ref writer);
        writer.Flush();
        return buffer.WrittenMemory;
    }

    /// <summary>Writes a request into an array of its length.</summary>
    internal static byte[] EncodeArray(int byteCount, Encoder encode)
    {
        if (byteCount > MaxScratchByteCount)
            return Encode(byteCount, encode).ToArray();
        ArrayBufferWriter<byte> buffer = _scratch ?? new ArrayBufferWriter<byte>(byteCount);
        // Not while it is in use.
        _scratch = null;
        var writer = new BinaryBodyWriter(buffer, Limits);
        encode(ref writer);
        writer.Flush();
        byte[] bytes = buffer.WrittenSpan.ToArray();
        buffer.ResetWrittenCount();
        if (buffer.Capacity <= MaxScratchByteCount)
            _scratch = buffer;
        return bytes;
    }

    /// <summary>The kinds of exceptions in an answer.</summary>
    private enum ErrorKind : byte
    {
        None = 0,
        Queue,
        Duplicate,
        Batch,
        InvalidOperation,
        Argument,
        NotSupported,
        Disposed,
        Canceled,
    }

    internal static void Write(ref BinaryBodyWriter writer, QueueOptions options)
    {
        writer.Write((byte)options.DeliveryMode!.Value);
        writer.Write((byte)options.ReceiveMode);
        writer.Write((byte)options.AcknowledgeMode);
        writer.WriteNullable(options.DeadLetterQueue);
        writer.Write(options.MaxDeliveryCount);
        writer.Write(options.LeaseDuration);
        writer.Write(options.MaxMessageCount ?? 0);
        writer.Write(options.MaxByteCount ?? 0);
        writer.Write(options.HoldBackByteCount ?? 0);
        writer.WriteNullable(options.JournalQueue);
        writer.WriteNullable(options.Selector);
        writer.Write(options.DuplicateWindow ?? TimeSpan.Zero);
        writer.Write(options.OperationTimeout);
    }

    internal static QueueOptions ReadOptions(ref BinaryBodyReader reader) => new()
    {
        DeliveryMode = (DeliveryMode)reader.ReadByte(),
        ReceiveMode = (ReceiveMode)reader.ReadByte(),
        AcknowledgeMode = (AcknowledgeMode)reader.ReadByte(),
        DeadLetterQueue = reader.ReadNullableString(),
        MaxDeliveryCount = reader.ReadInt32(),
        LeaseDuration = reader.ReadTimeSpan(),
        MaxMessageCount = ReadOptional(ref reader),
        MaxByteCount = ReadOptional(ref reader),
        HoldBackByteCount = ReadOptional(ref reader),
        JournalQueue = reader.ReadNullableString(),
        Selector = reader.ReadNullableString(),
        DuplicateWindow = reader.ReadTimeSpan() is var window && window == TimeSpan.Zero ? null : window,
        OperationTimeout = reader.ReadTimeSpan(),
    };

    /// <summary>Writes a message.</summary>
    /// <exception cref="ArgumentException">A header has a type that a folder does not carry.</exception>
    internal static void Write(ref BinaryBodyWriter writer, QueueMessage message)
    {
        writer.WriteNullable(message.MessageId);
        WriteProperties(ref writer, message);
    }

    private static void WriteProperties(ref BinaryBodyWriter writer, QueueMessage message)
    {
        writer.Write(message.Body.BodyType);
        writer.WriteNullable(message.Body.ContentType);
        writer.Write((int)message.Body.ByteCount);
        if (message.Body.Bytes.IsSingleSegment)
        {
            writer.Write(message.Body.Bytes.FirstSpan);
        }
        else
        {
            foreach (ReadOnlyMemory<byte> part in message.Body.Bytes)
                writer.Write(part.Span);
        }

        writer.WriteNullable(message.Label);
        writer.WriteNullable(message.CorrelationId);
        writer.WriteNullable(message.ResponseQueue);
        writer.Write((byte)message.Priority);
        writer.Write(message.TimeToLive ?? TimeSpan.Zero);
        writer.WriteNullable(message.SourceJournalQueue);
        LogOperations.WriteHeaders(ref writer, message);
    }

    /// <summary>Reads a message; its body is a part of the payload.</summary>
    internal static QueueMessage ReadMessage(ref BinaryBodyReader reader, ReadOnlyMemory<byte> payload, Func<MessageBody, QueueMessage> make)
    {
        string? id = reader.ReadNullableString();
        QueueMessage message = make(ReadBody(ref reader, payload));
        message.MessageId = id;
        ReadProperties(ref reader, message);
        return message;
    }

    internal static MessageBody ReadBody(ref BinaryBodyReader reader, ReadOnlyMemory<byte> payload)
    {
        int bodyType = reader.ReadInt32();
        string? contentType = reader.ReadNullableString();
        int byteCount = reader.ReadInt32();
        if (byteCount < 0)
            throw new FormatException("A body has a negative number of bytes.");
        int start = (int)reader.ByteOffset;
        reader.ReadSpan(byteCount);
        return new MessageBody(payload.Slice(start, byteCount), bodyType, contentType);
    }

    internal static void ReadProperties(ref BinaryBodyReader reader, QueueMessage message)
    {
        message.Label = reader.ReadNullableString();
        message.CorrelationId = reader.ReadNullableString();
        message.ResponseQueue = reader.ReadNullableString();
        message.Priority = reader.ReadByte();
        TimeSpan timeToLive = reader.ReadTimeSpan();
        if (timeToLive != TimeSpan.Zero)
            message.TimeToLive = timeToLive;
        message.SourceJournalQueue = reader.ReadNullableString();
        LogOperations.ReadHeaders(ref reader, message);
    }

    /// <summary>Writes a received message. An id that the queue makes is not made, but its parts are written.</summary>
    internal static void Write(ref BinaryBodyWriter writer, LocalMessage message, long delivery)
    {
        writer.Write(delivery);
        writer.Write(message.LogNumber);
        writer.Write(message.DeliveryCount);
        writer.Write(message.SentTime?.UtcTicks ?? 0);
        writer.Write(message.LeaseEnd?.UtcTicks ?? 0);
        WriteDeadLetter(ref writer, message.DeadLetterReason, message.DeadLetterDescription, message.DeadLetterSource);
        writer.WriteNullable(message.GivenMessageId);
        if (message.GivenMessageId is null)
        {
            (string prefix, ulong number) = message.IdParts;
            writer.Write(prefix);
            writer.Write(number);
        }

        WriteProperties(ref writer, message);
    }

    internal static void Write(ref BinaryBodyWriter writer, PeekedMessage message)
    {
        writer.Write(message.Position);
        writer.Write(message.DeliveryCount);
        writer.Write(message.IsLocked);
        writer.Write(message.LeaseEnd?.UtcTicks ?? 0);
        writer.Write(message.SentTime?.UtcTicks ?? 0);
        WriteDeadLetter(ref writer, message.DeadLetterReason, message.DeadLetterDescription, message.DeadLetterSource);
        Write(ref writer, (QueueMessage)message);
    }

    internal static PeekedMessage ReadPeeked(ref BinaryBodyReader reader, ReadOnlyMemory<byte> payload)
    {
        string position = reader.ReadString();
        int deliveryCount = reader.ReadInt32();
        bool isLocked = reader.ReadBoolean();
        DateTimeOffset? leaseEnd = ReadTime(ref reader);
        DateTimeOffset? sentTime = ReadTime(ref reader);
        DeadLetter? deadLetter = ReadDeadLetter(ref reader);
        return (PeekedMessage)ReadMessage(ref reader, payload, body => new PeekedMessage(body)
        {
            Position = position,
            DeliveryCount = deliveryCount,
            IsLocked = isLocked,
            LeaseEnd = leaseEnd,
            SentTime = sentTime,
            DeadLetterReason = deadLetter?.Reason,
            DeadLetterDescription = deadLetter?.Description,
            DeadLetterSource = deadLetter?.Source,
        });
    }

    internal static DeadLetter? ReadDeadLetter(ref BinaryBodyReader reader) =>
        reader.ReadBoolean() ? new DeadLetter(reader.ReadString(), reader.ReadNullableString(), reader.ReadNullableString()) : null;

    internal static DateTimeOffset? ReadTime(ref BinaryBodyReader reader) =>
        reader.ReadInt64() is not 0 and long ticks ? new DateTimeOffset(ticks, TimeSpan.Zero) : null;

    internal static void Write(ref BinaryBodyWriter writer, QueueStatus status)
    {
        writer.Write(status.Name);
        writer.Write(status.MessageCount ?? -1);
        writer.Write(status.LockedCount ?? -1);
        writer.Write(status.OldestSentTime?.UtcTicks ?? 0);
        writer.Write(status.OldestAge ?? TimeSpan.MinValue);
        writer.WriteNullable(status.StoppedReason);
    }

    internal static QueueStatus ReadStatus(ref BinaryBodyReader reader, Func<string, QueueAddress> addressOf)
    {
        string name = reader.ReadString();
        return new QueueStatus
        {
            Address = addressOf(name),
            Name = name,
            MessageCount = reader.ReadInt64() is >= 0 and long count ? count : null,
            LockedCount = reader.ReadInt64() is >= 0 and long locked ? locked : null,
            OldestSentTime = ReadTime(ref reader),
            OldestAge = reader.ReadTimeSpan() is var age && age == TimeSpan.MinValue ? null : age,
            StoppedReason = reader.ReadNullableString(),
        };
    }

    /// <summary>Writes the error of a request, or that it has none.</summary>
    internal static void Write(ref BinaryBodyWriter writer, Exception? error)
    {
        ErrorKind kind = error switch
        {
            null => ErrorKind.None,
            QueueBatchException => ErrorKind.Batch,
            DuplicateMessageException => ErrorKind.Duplicate,
            ObjectDisposedException => ErrorKind.Disposed,
            InvalidOperationException => ErrorKind.InvalidOperation,
            NotSupportedException => ErrorKind.NotSupported,
            ArgumentException => ErrorKind.Argument,
            OperationCanceledException => ErrorKind.Canceled,
            _ => ErrorKind.Queue,
        };
        writer.Write((byte)kind);
        if (error is null)
            return;
        writer.Write(DeadLetter.Clean(error.Message));
        switch (error)
        {
            case DuplicateMessageException duplicate:
                writer.WriteCount(duplicate.MessageIds.Count);
                foreach (string id in duplicate.MessageIds)
                    writer.Write(id);
                break;
            case QueueBatchException batch:
                writer.WriteCount(batch.Failures.Count);
                foreach (QueueBatchFailure failure in batch.Failures)
                {
                    writer.Write(failure.Index);
                    Write(ref writer, failure.Error);
                }

                break;
            case QueueException queue:
                writer.Write((byte)((queue.OutcomeUnknown ? 1 : 0) | (queue.IsUnreachable ? 2 : 0)));
                writer.Write((int)queue.Code);
                break;
            default:
                if (kind == ErrorKind.Queue)
                {
                    writer.Write((byte)0);
                    writer.Write(0);
                }

                break;
        }
    }

    /// <summary>Reads the error of a request; null if it has none.</summary>
    internal static Exception? ReadError(ref BinaryBodyReader reader)
    {
        var kind = (ErrorKind)reader.ReadByte();
        if (kind == ErrorKind.None)
            return null;
        string message = reader.ReadString();
        switch (kind)
        {
            case ErrorKind.Duplicate:
                string[] ids = new string[reader.ReadCount(1)];
                for (int i = 0; i < ids.Length; i++)
                    ids[i] = reader.ReadString();
                return new DuplicateMessageException(message, ids);
            case ErrorKind.Batch:
                var failures = new QueueBatchFailure[reader.ReadCount(2)];
                for (int i = 0; i < failures.Length; i++)
                    failures[i] = new QueueBatchFailure(reader.ReadInt32(),
                        ReadError(ref reader) ?? throw new FormatException("A failure has no error."));
                return new QueueBatchException(message, failures);
            case ErrorKind.Queue:
                byte flags = reader.ReadByte();
                return new QueueException(message) { OutcomeUnknown = (flags & 1) != 0, IsUnreachable = (flags & 2) != 0,
                    Code = (QueueErrorCode)reader.ReadInt32() };
            case ErrorKind.InvalidOperation:
                return new InvalidOperationException(message);
            case ErrorKind.Argument:
                return new ArgumentException(message);
            case ErrorKind.NotSupported:
                return new NotSupportedException(message);
            case ErrorKind.Disposed:
                return new ObjectDisposedException(nameof(QueueClient), message);
            case ErrorKind.Canceled:
                return new OperationCanceledException(message);
            default:
                throw new FormatException($"Unknown error {kind}.");
        }
    }

    private static long? ReadOptional(ref BinaryBodyReader reader) => reader.ReadInt64() is not 0 and long value ? value : null;

    private static void WriteDeadLetter(ref BinaryBodyWriter writer, string? reason, string? description, string? source)
    {
        writer.Write(reason is not null);
        if (reason is null)
            return;
        writer.Write(reason);
        writer.WriteNullable(description);
        writer.WriteNullable(source);
    }
}
