using System;
using System.Buffers;
using System.Buffers.Binary;

namespace Formatters.Queues.CrashProgram;

/// <summary>A message whose number says what every byte of it must be.</summary>
public static class CrashMessage
{
    /// <summary>How many senders there may be: a message's number modulo this is its sender.</summary>
    public const int SenderCount = 16;

    private const int BodyType = 7;

    /// <summary>Makes the message with a number; one in eight is larger than the others.</summary>
    public static QueueMessage Create(long id, int priority = QueueMessage.DefaultPriority) =>
        new(new MessageBody(CreateBody(id), BodyType, "x/y")) { Label = $"message {id}", Priority = priority };

    /// <summary>Reads the number of a message.</summary>
    /// <exception cref="FormatException">The message is not, byte for byte, what was sent.</exception>
    public static long Read(QueueMessage message)
    {
        ArgumentNullException.ThrowIfNull(message);
        byte[] body = message.Body.ToArray();
        long id = body.Length < sizeof(long) ? -1 : BinaryPrimitives.ReadInt64LittleEndian(body);
        bool isWhole = id >= 0 && body.AsSpan().SequenceEqual(CreateBody(id)) && message.Label == $"message {id}" && message.Body is { BodyType: BodyType, ContentType: "x/y" };
        return isWhole ? id : throw new FormatException($"A message of {body.Length} bytes, number {id}, label '{message.Label}', was never sent so.");
    }

    private static byte[] CreateBody(long id)
    {
        var random = new Random((int)id);
        byte[] body = new byte[sizeof(long) + (random.Next(8) == 0 ? random.Next(20_000) : random.Next(600))];
        random.NextBytes(body);
        BinaryPrimitives.WriteInt64LittleEndian(body, id);
        return body;
    }
}
