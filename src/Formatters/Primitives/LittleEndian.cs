using System;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>Reads and writes fixed-size numbers, little endian, unaligned. No bounds are checked: the caller has reserved the space.</summary>
internal static class LittleEndian
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Write(ref byte destination, short value) =>
        Unsafe.WriteUnaligned(ref destination, BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Write(ref byte destination, int value) =>
        Unsafe.WriteUnaligned(ref destination, BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Write(ref byte destination, long value) =>
        Unsafe.WriteUnaligned(ref destination, BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Write(ref byte destination, float value)
    {
        if (BitConverter.IsLittleEndian)
            Unsafe.WriteUnaligned(ref destination, value);
        else
            Write(ref destination, Unsafe.As<float, int>(ref value));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Write(ref byte destination, double value)
    {
        if (BitConverter.IsLittleEndian)
            Unsafe.WriteUnaligned(ref destination, value);
        else
            Write(ref destination, BitConverter.DoubleToInt64Bits(value));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static short ReadInt16(ref byte source)
    {
        short value = Unsafe.ReadUnaligned<short>(ref source);
        return BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int ReadInt32(ref byte source)
    {
        int value = Unsafe.ReadUnaligned<int>(ref source);
        return BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static long ReadInt64(ref byte source)
    {
        long value = Unsafe.ReadUnaligned<long>(ref source);
        return BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static float ReadSingle(ref byte source)
    {
        int bits = ReadInt32(ref source);
        return Unsafe.As<int, float>(ref bits);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static double ReadDouble(ref byte source) =>
        BitConverter.IsLittleEndian ? Unsafe.ReadUnaligned<double>(ref source) : BitConverter.Int64BitsToDouble(ReadInt64(ref source));

    /// <summary>Returns the number of bytes of a number without leading zeros.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int SizeOf(ulong value)
    {
#if NET
        return (71 - System.Numerics.BitOperations.LeadingZeroCount(value)) >> 3;
#else
        int byteCount = 0;
        for (; value != 0; value >>= 8)
            byteCount++;
        return byteCount;
#endif
    }
}
