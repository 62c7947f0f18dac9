using System;
using System.Buffers;
using System.IO;
using System.Runtime.InteropServices;

namespace Formatters.Msmq;

/// <summary>Converts between the body of a System.Messaging message and that of a formatter.</summary>
internal static class MessageBodies
{
    /// <summary>Returns the body of a message; changes nothing in the message except a stream that cannot seek.</summary>
    internal static MessageBody Of(Message message)
    {
        if (message is null)
            throw new ArgumentNullException(nameof(message));
        return new MessageBody(BytesOf(message), BodyTypeOf(message));
    }

    /// <summary>Reads a body, unless its body type belongs to another formatter.</summary>
    internal static object? Read(MessageBody body, IMessageFormatter formatter)
    {
        // A registry reports unknown formats itself.
        if (formatter is not FormatterRegistry)
            ThrowIfForeign(body, formatter);
        return formatter.Read(body);
    }

    /// <summary>Reads a body into a payload of a given type, without boxing if the formatter has that type.</summary>
    internal static T Read<T>(MessageBody body, IMessageFormatter formatter)
    {
        switch (formatter)
        {
            case FormatterRegistry registry:
                return registry.Read<T>(body);
            case MessageFormatter<T> typed:
                ThrowIfForeign(body, formatter, typed.BodyType);
                return typed.Read(body);
            default:
                return Read(body, formatter) switch
                {
                    T value => value,
                    null when default(T) is null => default!,
                    null => throw new MessageFormatException(
                        MessageFormatErrorCode.UnexpectedNull, $"The body contains null, which is not a {typeof(T)}.", isPoison: true),
                    object other => throw new MessageFormatException(
                        MessageFormatErrorCode.TypeNotAllowed, $"The body contains a {other.GetType()}, which is not a {typeof(T)}."),
                };
        }
    }

    /// <summary>Sets the bytes of a message: a new stream, at its beginning, and then the body type.</summary>
    internal static void Put(Message message, in ReadOnlySequence<byte> bytes, int bodyType)
    {
        ArraySegment<byte> segment = bytes.IsSingleSegment && MemoryMarshal.TryGetArray(bytes.First, out ArraySegment<byte> own)
            && own.Array is not null
            ? own
            : new ArraySegment<byte>(bytes.ToArray());
        message.BodyStream = new MemoryStream(segment.Array!, segment.Offset, segment.Count, writable: false, publiclyVisible: true);
        message.BodyType = bodyType;
    }

    private static void ThrowIfForeign(MessageBody body, IMessageFormatter formatter, int? ownBodyType = null)
    {
        if (body.BodyType != 0 && !formatter.CanRead(body))
        {
            string own = ownBodyType is null ? "" : $", which writes body type {ownBodyType},";
            throw new MessageFormatException(
                MessageFormatErrorCode.UnknownFormat,
                $"The message is in another format: {formatter.GetType().Name}{own} does not read body type {body.BodyType}. For a queue with "
                + $"several formats, use a {nameof(FormatterRegistry)}.");
        }
    }

    private static int BodyTypeOf(Message message)
    {
        try
        {
            return message.BodyType;
        }
        catch (NullReferenceException)
        {
            // .NET Framework throws this for a message with a BodyStream whose BodyType was never set.
            return 0;
        }
    }

    private static Stream? StreamOf(Message message)
    {
        try
        {
            return message.BodyStream;
        }
        catch (NullReferenceException)
        {
            // .NET Framework throws this for a message with a Body that was not sent yet.
            return null;
        }
    }

    private static ReadOnlyMemory<byte> BytesOf(Message message)
    {
        Stream? stream = StreamOf(message);
        if (stream is null)
            return default;
        if (stream is MemoryStream memory)
            return memory.TryGetBuffer(out ArraySegment<byte> buffer) ? buffer : memory.ToArray();

        var copy = new MemoryStream();
        if (stream.CanSeek)
        {
            long position = stream.Position;
            stream.Position = 0;
            stream.CopyTo(copy);
            stream.Position = position;
        }
        else
        {
            stream.CopyTo(copy);
            copy.Position = 0;
            message.BodyStream = copy;
        }

        copy.TryGetBuffer(out ArraySegment<byte> bytes);
        return bytes;
    }
}
