using System;
using System.Buffers.Binary;
using System.Collections.Generic;

namespace Formatters.HostileBodies;

/// <summary>Bodies of many levels or fields, from the innermost out.</summary>
internal static class Towers
{
    /// <summary>Messages inside each other, as field 1.</summary>
    internal static byte[] Protobuf(int count)
    {
        byte[] body = new byte[6 * count];
        int start = body.Length;
        Span<byte> length = stackalloc byte[5];
        for (int i = 0; i < count; i++)
        {
            int lengthByteCount = Varint(length, (uint)(body.Length - start));
            start -= lengthByteCount;
            length[..lengthByteCount].CopyTo(body.AsSpan(start));
            body[--start] = 0x0A;
        }

        return body[start..];
    }

    /// <summary>A varint of each number.</summary>
    internal static byte[] ProtobufFields(int count)
    {
        var body = new List<byte>();
        Span<byte> tag = stackalloc byte[5];
        for (int number = 100; number < count + 100; number++)
        {
            body.AddRange(tag[..Varint(tag, (uint)number << 3)]);
            body.Add(1);
        }

        return [.. body];
    }

    /// <summary>Records inside each other, as member 1.</summary>
    internal static byte[] Versioned(int count)
    {
        // A record: its byte count, the highest number, a byte with the kind of member 1, and that.
        byte[] empty = new VersionedFormatter<Node>(Node.MessageContract).Write(new Node());
        byte[] one = new VersionedFormatter<Node>(Node.MessageContract).Write(new Node { Next = new Node() });
        int headByteCount = one.Length - empty.Length - sizeof(int);
        byte[] body = new byte[((headByteCount + sizeof(int)) * count) + empty.Length];
        int start = body.Length - empty.Length;
        empty.CopyTo(body, start);
        for (int i = 0; i < count; i++)
        {
            start -= headByteCount;
            one.AsSpan(sizeof(int), headByteCount).CopyTo(body.AsSpan(start));
            start -= sizeof(int);
            BinaryPrimitives.WriteInt32LittleEndian(body.AsSpan(start), body.Length - start - sizeof(int));
        }

        return body[start..];
    }

    private static int Varint(Span<byte> destination, uint value)
    {
        int i = 0;
        for (; value >= 0x80; value >>= 7)
            destination[i++] = (byte)(value | 0x80);
        destination[i++] = (byte)value;
        return i;
    }
}
