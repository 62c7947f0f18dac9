using System;
using System.Buffers;
using System.IO;

namespace Formatters;

/// <summary>
/// The length in front of a delimited body: a varint as in protobuf, seven bits a byte, the lowest first, in as few bytes as possible (1 to 5).
/// </summary>
internal static class BodyPrefix
{
    internal const int MaxByteCount = 5;

    internal static int Write(Span<byte> destination, int byteCount)
    {
        uint rest = (uint)byteCount;
        int length = 0;
        for (; rest >= 0x80; rest >>= 7)
            destination[length++] = (byte)(rest | 0x80);
        destination[length++] = (byte)rest;
        return length;
    }

    /// <summary>Reads a prefix.</summary>
    /// <returns><see langword="false"/> if the source ends within it.</returns>
    /// <exception cref="MessageFormatException">It is not a length, or beyond the limit.</exception>
    internal static bool TryRead(in ReadOnlySequence<byte> source, int maxBodyByteCount, out int byteCount, out int prefixByteCount)
    {
        var state = default(State);
        prefixByteCount = 0;
        foreach (ReadOnlyMemory<byte> segment in source)
        {
            foreach (byte value in segment.Span)
            {
                prefixByteCount++;
                if (state.Add(value, maxBodyByteCount))
                {
                    byteCount = state.ByteCount;
                    return true;
                }
            }
        }

        byteCount = 0;
        return false;
    }

    /// <summary>Reads a prefix from a stream, no byte more.</summary>
    /// <returns><see langword="false"/> at the end of the stream.</returns>
    /// <exception cref="MessageFormatException">The stream ends within the prefix, or it is not a length, or beyond the limit.</exception>
    internal static bool TryRead(Stream source, int maxBodyByteCount, out int byteCount)
    {
        var state = default(State);
        while (true)
        {
            int value = source.ReadByte();
            if (value < 0)
            {
                state.ThrowIfBegun();
                byteCount = 0;
                return false;
            }

            if (state.Add((byte)value, maxBodyByteCount))
            {
                byteCount = state.ByteCount;
                return true;
            }
        }
    }

    /// <summary>A prefix that is read byte by byte.</summary>
    internal struct State
    {
        private int _length;

        internal int ByteCount { get; private set; }

        /// <summary>Adds a byte.</summary>
        /// <returns>Whether it was the last.</returns>
        internal bool Add(byte value, int maxBodyByteCount)
        {
            // The fifth byte has the three highest bits of 31.
            if (_length == MaxByteCount - 1 && value > 0x07)
                ThrowHelper.ThrowBadLength(0, "The length in front of a body is above 2,147,483,647.");
            if (value == 0 && _length > 0)
                ThrowHelper.ThrowBadLength(0, "The length in front of a body is encoded in more bytes than it needs.");
            ByteCount |= (value & 0x7F) << (7 * _length++);
            if (value >= 0x80)
                return false;
            if (ByteCount > maxBodyByteCount)
                ThrowHelper.ThrowBodyTooLarge(ByteCount, maxBodyByteCount);
            return true;
        }

        /// <summary>Throws if a source ends here: within the prefix, and not between two bodies.</summary>
        internal readonly void ThrowIfBegun()
        {
            if (_length > 0)
                ThrowHelper.ThrowTruncated(_length, 1);
        }
    }
}
