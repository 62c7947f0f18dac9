using System;
using System.Collections.Generic;
using Formatters.Binary;
using Formatters.Buffers;

namespace Formatters.Queues.Msmq;

/// <summary>
/// The properties that MSMQ does not support, in the bytes of <c>Message.Extension</c>: a mark of four bytes, a version, and the properties in the
/// order of this class.
/// </summary>
internal sealed class MsmqExtension
{
    private const byte Version = 1;

    private enum ValueKind : byte
    {
        Text = 1,
        Boolean,
        Int32,
        Int64,
        Double,
        Bytes,
    }

    internal string? ContentType { get; set; }

    internal string? MessageId { get; set; }

    internal string? CorrelationId { get; set; }

    internal string? ResponseQueue { get; set; }

    /// <summary>Gets or sets the label, if it is longer than MSMQ supports.</summary>
    internal string? Label { get; set; }

    internal int Priority { get; set; } = QueueMessage.DefaultPriority;

    internal TimeSpan? TimeToLive { get; set; }

    internal MsmqDeadLetter? DeadLetter { get; set; }

    internal IDictionary<string, object>? Headers { get; set; }

    private static ReadOnlySpan<byte> Mark => "FMQ\x1a"u8;

    private bool IsEmpty =>
        (ContentType ?? MessageId ?? CorrelationId ?? ResponseQueue ?? Label) is null && Priority == QueueMessage.DefaultPriority
        && TimeToLive is null && DeadLetter is null && Headers is null;

    /// <summary>Returns the bytes; empty for a message that MSMQ supports completely.</summary>
    /// <exception cref="ArgumentException">A header has a value of another type than <see cref="QueueMessage.Headers"/> may have.</exception>
    internal byte[] ToBytes()
    {
        if (IsEmpty)
            return [];
        using var buffer = new PooledBufferWriter(256);
        var writer = new BinaryBodyWriter(buffer);
        writer.Write(Mark);
        writer.Write(Version);
        writer.WriteNullable(ContentType);
        writer.WriteNullable(MessageId);
        writer.WriteNullable(CorrelationId);
        writer.WriteNullable(ResponseQueue);
        writer.WriteNullable(Label);
        writer.Write((byte)Priority);
        writer.Write(TimeToLive?.Ticks ?? 0);
        writer.Write(DeadLetter is not null);
        if (DeadLetter is not null)
        {
            writer.Write(DeadLetter.Reason);
            writer.WriteNullable(DeadLetter.Description);
            writer.Write(DeadLetter.Source);
        }

        writer.WriteCount(Headers?.Count ?? 0);
        foreach (KeyValuePair<string, object> header in Headers ?? new Dictionary<string, object>())
        {
            writer.Write(header.Key);
            WriteValue(ref writer, header);
        }

        writer.Flush();
        return buffer.WrittenMemory.ToArray();
    }

    /// <summary>Reads the bytes; null if they belong to another application.</summary>
    internal static MsmqExtension? TryRead(byte[]? bytes)
    {
        if (bytes is null || !bytes.AsSpan().StartsWith(Mark))
            return null;
        try
        {
            var reader = new BinaryBodyReader(bytes);
            reader.ReadSpan(Mark.Length);
            if (reader.ReadByte() != Version)
                return null;
            var extension = new MsmqExtension
            {
                ContentType = reader.ReadNullableString(),
                MessageId = reader.ReadNullableString(),
                CorrelationId = reader.ReadNullableString(),
                ResponseQueue = reader.ReadNullableString(),
                Label = reader.ReadNullableString(),
                Priority = reader.ReadByte(),
                TimeToLive = reader.ReadInt64() is var ticks and > 0 ? new TimeSpan(ticks) : null,
            };
            if (reader.ReadBoolean())
                extension.DeadLetter = new MsmqDeadLetter(reader.ReadString(), reader.ReadNullableString(), reader.ReadString());
            int count = reader.ReadCount(minElementByteCount: 3);
            if (count > 0)
                extension.Headers = new Dictionary<string, object>(StringComparer.Ordinal);
            for (int i = 0; i < count; i++)
                extension.Headers![reader.ReadString()] = ReadValue(ref reader);
            reader.EnsureEnd();
            return extension.Priority <= 9 ? extension : null;
        }
        catch (MessageFormatException)
        {
            // Not ours after all: the message is treated like any other.
            return null;
        }
    }

    private static void WriteValue(ref BinaryBodyWriter writer, KeyValuePair<string, object> header)
    {
        switch (header.Value)
        {
            case string text:
                writer.Write((byte)ValueKind.Text);
                writer.Write(text);
                break;
            case bool boolean:
                writer.Write((byte)ValueKind.Boolean);
                writer.Write(boolean);
                break;
            case int number:
                writer.Write((byte)ValueKind.Int32);
                writer.Write(number);
                break;
            case long number:
                writer.Write((byte)ValueKind.Int64);
                writer.Write(number);
                break;
            case double number:
                writer.Write((byte)ValueKind.Double);
                writer.Write(number);
                break;
            case byte[] bytes:
                writer.Write((byte)ValueKind.Bytes);
                writer.WriteBytes(bytes);
                break;
            default:
                throw new ArgumentException(
                    $"The header {header.Key} is {(header.Value is null ? "null" : $"a {header.Value.GetType()}")}: string, bool, int, long, double "
                    + "and byte[] can be sent.");
        }
    }

    private static object ReadValue(ref BinaryBodyReader reader) => (ValueKind)reader.ReadByte() switch
    {
        ValueKind.Text => reader.ReadString(),
        ValueKind.Boolean => reader.ReadBoolean(),
        ValueKind.Int32 => reader.ReadInt32(),
        ValueKind.Int64 => reader.ReadInt64(),
        ValueKind.Double => reader.ReadDouble(),
        ValueKind.Bytes => reader.ReadBytes(),
        var kind => throw new MessageFormatException(MessageFormatErrorCode.UnknownFormat, $"The value kind {kind} is unknown."),
    };
}

/// <summary>The reason, description and source of a dead letter.</summary>
internal sealed record MsmqDeadLetter(string Reason, string? Description, string Source);
