// https://protobuf.dev/programming-guides/encoding/#varints
using System;
using System.Runtime.CompilerServices;
using Formatters.Protobuf;
#if NET
using System.Numerics;
#endif

namespace Formatters;

/// <summary>Reads and writes varints and tags. No bounds are checked: the caller has reserved the space.</summary>
internal static class ProtobufBytes
{
    internal const int MaxVarint32ByteCount = 5;
    internal const int MaxVarintByteCount = 10;
    internal const int MaxNumber = (1 << 29) - 1;

    internal static uint Tag(int number, ProtobufWireType wireType) => ((uint)number << 3) | (uint)wireType;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static uint ZigZag(int value) => (uint)((value << 1) ^ (value >> 31));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong ZigZag(long value) => (ulong)((value << 1) ^ (value >> 63));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int UnZigZag(uint value) => (int)(value >> 1) ^ -(int)(value & 1);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static long UnZigZag(ulong value) => (long)(value >> 1) ^ -(long)(value & 1);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int GetByteCount(uint value) => GetByteCount((ulong)value);

    /// <summary>Returns the number of bytes of a varint, 1 to 10.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int GetByteCount(ulong value)
    {
#if NET
        // 1 + the number of the highest bit / 7, without a division.
        return ((BitOperations.Log2(value | 1) * 9) + 73) >> 6;
#else
        int byteCount = 1;
        for (; value >= 0x80; value >>= 7)
            byteCount++;
        return byteCount;
#endif
    }

    /// <summary>Writes a varint and returns the number of bytes, 1 to 5.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Write(ref byte destination, uint value)
    {
        if (value < 0x80)
        {
            destination = (byte)value;
            return 1;
        }

        if (value < 0x4000)
        {
            LittleEndian.Write(ref destination, (short)((value & 0x7F) | 0x80 | (value >> 7 << 8)));
            return 2;
        }

        return WriteLarge(ref destination, value);
    }

    /// <summary>Writes a varint and returns the number of bytes, 1 to 10.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Write(ref byte destination, ulong value)
    {
        if (value < 0x80)
        {
            destination = (byte)value;
            return 1;
        }

        return WriteLarge(ref destination, value);
    }

    /// <summary>Writes a varint in a given number of bytes, at least its minimum.</summary>
    internal static void WritePadded(ref byte destination, uint value, int byteCount)
    {
        for (int i = 0; i < byteCount - 1; i++, value >>= 7)
            Unsafe.Add(ref destination, i) = (byte)(value | 0x80);
        Unsafe.Add(ref destination, byteCount - 1) = (byte)value;
    }

    /// <summary>Gets the value of a varint of at most eight bytes, of which the first is the lowest byte of a word.</summary>
    /// <param name="word">Eight bytes, little endian.</param>
    /// <param name="byteCount">The number of bytes of the varint; 0 if it has more than eight.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Decode(ulong word, out int byteCount)
    {
        ulong ends = ~word & 0x8080_8080_8080_8080;
        byteCount = 0;
        if (ends == 0)
            return 0;
        // All bits up to the one that ends the varint.
        ulong mask = ends ^ (ends - 1);
#if NET
        byteCount = (BitOperations.TrailingZeroCount(ends) >> 3) + 1;
#else
        for (ulong rest = mask; rest != 0; rest >>= 8)
            byteCount++;
#endif
        return Join(word & mask);
    }

    /// <summary>Joins the lower seven bits of each byte.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Join(ulong word)
    {
        word = (word & 0x007F_007F_007F_007F) | ((word & 0x7F00_7F00_7F00_7F00) >> 1);
        word = (word & 0x0000_3FFF_0000_3FFF) | ((word & 0x3FFF_0000_3FFF_0000) >> 2);
        return (word & 0x0FFF_FFFF) | ((word & 0x0FFF_FFFF_0000_0000) >> 4);
    }

    /// <summary>Reverses <see cref="Join"/>, for the lower 56 bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Split(ulong value)
    {
        value = (value & 0x0FFF_FFFF) | ((value << 4) & 0x0FFF_FFFF_0000_0000);
        value = (value & 0x0000_3FFF_0000_3FFF) | ((value << 2) & 0x3FFF_0000_3FFF_0000);
        return (value & 0x007F_007F_007F_007F) | ((value << 1) & 0x7F00_7F00_7F00_7F00);
    }

    /// <summary>Reads a varint of at most ten bytes; bits beyond the 64th are ignored, as protobuf's own libraries do.</summary>
    /// <param name="source">The first byte.</param>
    /// <param name="available">The number of available bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>The number of bytes; 0 if it does not end within the available bytes, or within ten.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static int Read(ref byte source, int available, out ulong value)
    {
        if (available >= sizeof(long))
        {
            ulong word = (ulong)LittleEndian.ReadInt64(ref source);
            value = Decode(word, out int byteCount);
            if (byteCount > 0)
                return byteCount;
            if (available > sizeof(long) && Unsafe.Add(ref source, 8) < 0x80)
            {
                value = Join(word) | ((ulong)Unsafe.Add(ref source, 8) << 56);
                return 9;
            }
        }

        int max = Math.Min(available, MaxVarintByteCount);
        ulong result = 0;
        for (int i = 0; i < max; i++)
        {
            byte b = Unsafe.Add(ref source, i);
            result |= (ulong)(b & 0x7F) << (7 * i);
            if (b < 0x80)
            {
                value = result;
                return i + 1;
            }
        }

        value = 0;
        return 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int WriteLarge(ref byte destination, ulong value) => SevenBitInt.Write(ref destination, value);
}
