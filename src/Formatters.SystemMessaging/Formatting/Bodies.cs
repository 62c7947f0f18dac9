using System.Buffers;
using System.IO;
using System.Runtime.InteropServices;
using Formatters;

namespace System.Messaging;

/// <summary>Converts between the body of a message and that of a formatter of this library.</summary>
internal static class Bodies
{
    /// <summary>Returns the body of a message; changes nothing in it except a stream that cannot seek.</summary>
    internal static MessageBody Of(Message message)
    {
        ArgumentNullException.ThrowIfNull(message);
        int bodyType = message.BodyType;
        return new MessageBody(message.BodyStreamOrNull is { } stream ? BytesOf(message, stream) : default, bodyType, message.ContentType);
    }

    internal static void Put(Message message, MessageBody body)
    {
        message.BodyStream = Open(body.Bytes);
        message.BodyType = body.BodyType;
        message.ContentType = body.ContentType;
    }

    internal static MemoryStream Open(in ReadOnlySequence<byte> bytes)
    {
        ArraySegment<byte> segment = bytes.IsSingleSegment && MemoryMarshal.TryGetArray(bytes.First, out ArraySegment<byte> own)
            && own.Array is not null
            ? own
            : new ArraySegment<byte>(bytes.ToArray());
        return new MemoryStream(segment.Array!, segment.Offset, segment.Count, writable: false, publiclyVisible: true);
    }

    private static ReadOnlyMemory<byte> BytesOf(Message message, Stream stream)
    {
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

        return copy.TryGetBuffer(out ArraySegment<byte> bytes) ? bytes : copy.ToArray();
    }
}
