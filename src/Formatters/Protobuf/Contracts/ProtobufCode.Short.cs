using System.Runtime.CompilerServices;
using Formatters.Protobuf;

namespace Formatters.Generated;

// protobuf, reading short messages without the reader (rows "vectors" and "tree" in models): fields at an offset. After bytes that do not have the
// expected form, the offset is beyond the end of the message. The caller then reads the message with the reader, which finds the error, if it is one.
public static partial class ProtobufCode
{
    /// <summary>Determines whether a tag is at an offset of a message, in its shortest form.</summary>
    /// <param name="start">The first byte of the message.</param>
    /// <param name="offset">The offset, which may be beyond the end.</param>
    /// <param name="byteCount">The number of bytes of the message.</param>
    /// <param name="tag">The tag, of one or two bytes.</param>
    /// <param name="tagByteCount">How many.</param>
    /// <returns>Whether it is.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsTagAt(ref byte start, int offset, int byteCount, uint tag, int tagByteCount) => tagByteCount == 1
        ? offset < byteCount && Unsafe.Add(ref start, (nint)(uint)offset) == (byte)tag
        : offset + 1 < byteCount
            && LittleEndian.ReadInt16(ref Unsafe.Add(ref start, (nint)(uint)offset)) == (short)((tag & 0x7F) | 0x80 | (tag >> 7 << 8));

    /// <summary>Reads a scalar at an offset of a message.</summary>
    /// <typeparam name="T"><see cref="bool"/>, an integer of 32 or 64 bits, <see cref="float"/> or <see cref="double"/>.</typeparam>
    /// <param name="start">The first byte of the message.</param>
    /// <param name="offset">The offset.</param>
    /// <param name="byteCount">The number of bytes of the message.</param>
    /// <param name="encoding">The encoding.</param>
    /// <param name="value">The value.</param>
    /// <returns>The offset after it; beyond the end of the message if it must be read in another way.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int GetAt<T>(ref byte start, int offset, int byteCount, MemberEncoding encoding, out T value)
        where T : struct
    {
        ref byte position = ref Unsafe.Add(ref start, (nint)(uint)offset);
        if (typeof(T) == typeof(float) || typeof(T) == typeof(double) || encoding == MemberEncoding.Fixed)
        {
            int end = offset + Unsafe.SizeOf<T>();
            if (end > byteCount || !System.BitConverter.IsLittleEndian)
            {
                value = default;
                return byteCount + 1;
            }

            value = Unsafe.ReadUnaligned<T>(ref position);
            return end;
        }

        ulong wide;
        if (offset < byteCount && position < 0x80)
        {
            wide = position;
            offset++;
        }
        else if (offset + 1 < byteCount && Unsafe.Add(ref position, 1) < 0x80)
        {
            wide = (position & 0x7FU) | ((uint)Unsafe.Add(ref position, 1) << 7);
            offset += 2;
        }
        else
        {
            offset = GetLargeAt(ref position, offset, byteCount, out ulong large);
            wide = large;
        }

        if (typeof(T) == typeof(bool))
        {
            bool flag = wide != 0;
            value = Unsafe.As<bool, T>(ref flag);
        }
        else if (typeof(T) == typeof(int) || typeof(T) == typeof(uint))
        {
            int number = encoding == MemberEncoding.ZigZag ? ProtobufBytes.UnZigZag((uint)wide) : (int)wide;
            value = Unsafe.As<int, T>(ref number);
        }
        else
        {
            long number = encoding == MemberEncoding.ZigZag ? ProtobufBytes.UnZigZag(wide) : (long)wide;
            value = Unsafe.As<long, T>(ref number);
        }

        return offset;
    }

    /// <summary>Reads a string at an offset of a message.</summary>
    /// <param name="start">The first byte of the message.</param>
    /// <param name="offset">The offset.</param>
    /// <param name="byteCount">The number of bytes of the message, less than 128.</param>
    /// <param name="existing">The string to return if it is equal; null for none.</param>
    /// <param name="value">The string.</param>
    /// <returns>The offset after it; beyond the end of the message if it must be read in another way.</returns>
    public static int GetTextAt(ref byte start, int offset, int byteCount, string? existing, out string value)
    {
        ref byte position = ref Unsafe.Add(ref start, (nint)(uint)offset);
        if (offset < byteCount && position < byteCount - offset
            && Utf8Text.Read(ref Unsafe.Add(ref position, 1), position, existing) is string text)
        {
            value = text;
            return offset + 1 + position;
        }

        value = "";
        return byteCount + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int GetLargeAt(ref byte position, int offset, int byteCount, out ulong value)
    {
        int available = byteCount - offset;
        if (available > sizeof(int))
        {
            uint word = (uint)LittleEndian.ReadInt32(ref position);
            value = (word & 0x7F) | ((word >> 1) & 0x3F80) | ((word >> 2) & 0x1F_C000);
            if ((word & 0x80_8080) == 0x8080)
                return offset + 3;
            value |= (word >> 3) & 0xFE0_0000;
            if ((word & 0x8080_8080) == 0x80_8080)
                return offset + 4;
            byte fifth = Unsafe.Add(ref position, sizeof(int));
            value |= (ulong)fifth << 28;
            if ((word & 0x8080_8080) == 0x8080_8080 && fifth < 0x80)
                return offset + 5;
        }

        value = 0;
        int varintByteCount = available > 0 ? ProtobufBytes.Read(ref position, available, out value) : 0;
        return varintByteCount == 0 ? byteCount + 1 : offset + varintByteCount;
    }
}
