// https://protobuf.dev/programming-guides/encoding/#packed
#if NET
using Formatters.Protobuf;

using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Formatters;

/// <summary>Reads and writes the elements of a packed field at once: one copy of numbers of fixed size, varints in a loop without calls.</summary>
/// <remarks>Rows "List&lt;int&gt;", "double[1000]", "float[65536]", "collections" and "mixed" of protobuf in models.</remarks>
internal static class PackedNumbers
{
    private const ulong ContinuationBits = 0x8080_8080_8080_8080;

    /// <summary>Returns the form of a type, which is one of those of <see cref="ProtobufScalars"/>.</summary>
    internal static PackedForm FormOf<T>(ProtobufWireType wireType, bool isZigZag)
    {
        switch (wireType)
        {
            case ProtobufWireType.Fixed32:
                return Unsafe.SizeOf<T>() == sizeof(int) && BitConverter.IsLittleEndian ? PackedForm.Fixed : PackedForm.None;
            case ProtobufWireType.Fixed64:
                return Unsafe.SizeOf<T>() == sizeof(long) && BitConverter.IsLittleEndian ? PackedForm.Fixed : PackedForm.None;
            case ProtobufWireType.Varint when typeof(T).IsPrimitive:
                return isZigZag ? PackedForm.ZigZag : PackedForm.Varint;
            default:
                return PackedForm.None;
        }
    }

    /// <summary>Returns the number of complete varints: the bytes without the top bit.</summary>
    internal static int CountVarints(ReadOnlySpan<byte> source)
    {
        ref byte start = ref MemoryMarshal.GetReference(source);
        int count = 0;
        int i = 0;
        for (; i <= source.Length - Vector256<byte>.Count; i += Vector256<byte>.Count)
            count += BitOperations.PopCount(~Vector256.LoadUnsafe(ref start, (nuint)i).ExtractMostSignificantBits());
        for (; i < source.Length; i++)
            count += 1 - (Unsafe.Add(ref start, i) >> 7);
        return count;
    }

    /// <summary>Reads numbers up to the first that is invalid or out of the range of its type.</summary>
    /// <param name="source">The bytes of the packed field.</param>
    /// <param name="values">Receives the values.</param>
    /// <param name="form">Their form.</param>
    /// <param name="byteCount">The number of bytes read.</param>
    /// <returns>How many were read.</returns>
    internal static int Read<T>(ReadOnlySpan<byte> source, Span<T> values, PackedForm form, out int byteCount)
    {
        if (form != PackedForm.Fixed)
            return ReadVarints(source, values, form == PackedForm.ZigZag, out byteCount);
        byteCount = values.Length * Unsafe.SizeOf<T>();
        source.Slice(0, byteCount).CopyTo(MemoryMarshal.CreateSpan(ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(values)), byteCount));
        return values.Length;
    }

    /// <summary>Writes numbers with their length.</summary>
    /// <returns><see langword="false"/> if they may be normalized, each by itself; nothing is written then.</returns>
    internal static bool TryWrite<T>(ref ProtobufBodyWriter writer, ReadOnlySpan<T> values, PackedForm form)
    {
        if (writer.IsCanonical && (typeof(T) == typeof(float) || typeof(T) == typeof(double)))
            return false;
        long byteCount = form == PackedForm.Fixed ? (long)values.Length * Unsafe.SizeOf<T>() : GetByteCount(values, form == PackedForm.ZigZag);
        if (byteCount > Array.MaxLength)
            ThrowHelper.ThrowBodyTooLarge(writer.BytesWritten + byteCount, writer.Limits.MaxBodyByteCount);
        ref byte p = ref writer.ReserveBytes((int)byteCount, out int header);
        p = ref Unsafe.Add(ref p, header);
        if (form == PackedForm.Fixed)
            MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(values)), (int)byteCount)
                .CopyTo(MemoryMarshal.CreateSpan(ref p, (int)byteCount));
        else
            WriteVarints(ref p, (int)byteCount, values, form == PackedForm.ZigZag);
        writer.End(ref Unsafe.Add(ref p, (nint)byteCount));
        return true;
    }

    /// <summary>Determines whether a number has no bits, as a missing field is read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsZero<T>(ref T value) => Unsafe.SizeOf<T>() switch
    {
        sizeof(byte) => Unsafe.As<T, byte>(ref value) == 0,
        sizeof(short) => Unsafe.As<T, short>(ref value) == 0,
        sizeof(int) => Unsafe.As<T, int>(ref value) == 0,
        _ => Unsafe.As<T, long>(ref value) == 0,
    };

    private static int ReadVarints<T>(ReadOnlySpan<byte> source, Span<T> values, bool isZigZag, out int byteCount)
    {
        ref byte start = ref MemoryMarshal.GetReference(source);
        ref T target = ref MemoryMarshal.GetReference(values);
        int count = 0;
        int offset = 0;
        while (count < values.Length)
        {
            // Numbers below 128, 16 at once.
            while (values.Length - count >= Vector128<byte>.Count && source.Length - offset >= Vector128<byte>.Count)
            {
                Vector128<byte> bytes = Vector128.LoadUnsafe(ref start, (nuint)offset);
                if (bytes.ExtractMostSignificantBits() != 0)
                    break;
                Widen(bytes, ref Unsafe.Add(ref target, count), isZigZag);
                count += Vector128<byte>.Count;
                offset += Vector128<byte>.Count;
            }

            // Others up to the end of the vector.
            int end = Math.Min(offset + Vector128<byte>.Count, source.Length - sizeof(long));
            if (offset > end)
                break;
            for (; offset <= end && count < values.Length; count++)
            {
                ulong word = (ulong)LittleEndian.ReadInt64(ref Unsafe.Add(ref start, offset));
                ulong value;
                int size;
                if ((word & 0x80) == 0)
                {
                    value = word & 0x7F;
                    size = 1;
                }
                else if ((word & 0x8000) == 0)
                {
                    value = (word & 0x7F) | ((word >> 1) & 0x3F80);
                    size = 2;
                }
                else
                {
                    value = ProtobufBytes.Decode(word, out size);
                    if (size == 0)
                        size = ReadLong(ref Unsafe.Add(ref start, offset), word, source.Length - offset, out value);
                }

                if (size == 0 || !TryConvert(value, isZigZag, ref Unsafe.Add(ref target, count)))
                {
                    byteCount = offset;
                    return count;
                }

                offset += size;
            }
        }

        for (; count < values.Length; count++)
        {
            int size = ProtobufBytes.Read(ref Unsafe.Add(ref start, offset), source.Length - offset, out ulong value);
            if (size == 0 || !TryConvert(value, isZigZag, ref Unsafe.Add(ref target, count)))
                break;
            offset += size;
        }

        byteCount = offset;
        return count;
    }

    /// <summary>Reads a varint of nine or ten bytes, such as a negative number.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int ReadLong(ref byte source, ulong word, int available, out ulong value)
    {
        value = 0;
        if (available < ProtobufBytes.MaxVarintByteCount)
            return ProtobufBytes.Read(ref source, available, out value);
        ulong ninth = Unsafe.Add(ref source, 8);
        ulong tenth = Unsafe.Add(ref source, 9);
        value = ProtobufBytes.Join(word & ~ContinuationBits) | ((ninth & 0x7F) << 56);
        if (ninth < 0x80)
            return 9;
        value |= tenth << 63;
        return tenth < 0x80 ? 10 : 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryConvert<T>(ulong value, bool isZigZag, ref T target)
    {
        if (typeof(T) == typeof(bool))
        {
            Unsafe.As<T, bool>(ref target) = value != 0;
            return true;
        }

        if (Unsafe.SizeOf<T>() == sizeof(long))
        {
            Unsafe.As<T, long>(ref target) = isZigZag ? ProtobufBytes.UnZigZag(value) : (long)value;
            return true;
        }

        // The lower 32 bits, of which smaller types must be able to hold the value.
        int low = isZigZag ? ProtobufBytes.UnZigZag((uint)value) : (int)value;
        if (Unsafe.SizeOf<T>() == sizeof(int))
        {
            Unsafe.As<T, int>(ref target) = low;
            return true;
        }

        if (Unsafe.SizeOf<T>() == sizeof(short))
        {
            Unsafe.As<T, short>(ref target) = (short)low;
            return low == (typeof(T) == typeof(short) ? (short)low : (ushort)low);
        }

        Unsafe.As<T, byte>(ref target) = (byte)low;
        return low == (typeof(T) == typeof(sbyte) ? (sbyte)low : (byte)low);
    }

    /// <summary>Stores 16 numbers below 128.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Widen<T>(Vector128<byte> bytes, ref T target, bool isZigZag)
    {
        if (typeof(T) == typeof(bool))
        {
            Vector128.Min(bytes, Vector128<byte>.One).StoreUnsafe(ref Unsafe.As<T, byte>(ref target));
            return;
        }

        Vector128<sbyte> numbers = bytes.AsSByte();
        if (isZigZag)
            numbers = (bytes >> 1).AsSByte() ^ -(bytes & Vector128<byte>.One).AsSByte();
        if (Unsafe.SizeOf<T>() == sizeof(byte))
        {
            numbers.StoreUnsafe(ref Unsafe.As<T, sbyte>(ref target));
            return;
        }

        (Vector128<short> first, Vector128<short> second) = Vector128.Widen(numbers);
        Store(first, ref target);
        Store(second, ref Unsafe.Add(ref target, Vector128<short>.Count));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Store<T>(Vector128<short> numbers, ref T target)
    {
        if (Unsafe.SizeOf<T>() == sizeof(short))
        {
            numbers.StoreUnsafe(ref Unsafe.As<T, short>(ref target));
            return;
        }

        (Vector128<int> first, Vector128<int> second) = Vector128.Widen(numbers);
        if (Unsafe.SizeOf<T>() == sizeof(int))
        {
            first.StoreUnsafe(ref Unsafe.As<T, int>(ref target));
            second.StoreUnsafe(ref Unsafe.As<T, int>(ref target), (nuint)Vector128<int>.Count);
            return;
        }

        ref long wide = ref Unsafe.As<T, long>(ref target);
        Vector128.WidenLower(first).StoreUnsafe(ref wide);
        Vector128.WidenUpper(first).StoreUnsafe(ref wide, 2);
        Vector128.WidenLower(second).StoreUnsafe(ref wide, 4);
        Vector128.WidenUpper(second).StoreUnsafe(ref wide, 6);
    }

    /// <summary>Returns a number as the value of its varint.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Convert<T>(ref T value, bool isZigZag)
    {
        if (typeof(T) == typeof(bool))
            return Unsafe.As<T, byte>(ref value) == 0 ? 0UL : 1UL;
        if (typeof(T) == typeof(ulong))
            return Unsafe.As<T, ulong>(ref value);
        if (typeof(T) == typeof(uint))
            return Unsafe.As<T, uint>(ref value);
        if (typeof(T) == typeof(ushort) || typeof(T) == typeof(char))
            return Unsafe.As<T, ushort>(ref value);
        if (typeof(T) == typeof(byte))
            return Unsafe.As<T, byte>(ref value);
        long number = typeof(T) == typeof(long) ? Unsafe.As<T, long>(ref value)
            : typeof(T) == typeof(int) ? Unsafe.As<T, int>(ref value)
            : typeof(T) == typeof(short) ? Unsafe.As<T, short>(ref value)
            : Unsafe.As<T, sbyte>(ref value);
        return isZigZag ? ProtobufBytes.ZigZag(number) : (ulong)number;
    }

    private static long GetByteCount<T>(ReadOnlySpan<T> values, bool isZigZag)
    {
        if (typeof(T) == typeof(bool))
            return values.Length;
        long byteCount = 0;
        ref T source = ref MemoryMarshal.GetReference(values);
        for (int i = 0; i < values.Length; i++)
            byteCount += ProtobufBytes.GetByteCount(Convert(ref Unsafe.Add(ref source, i), isZigZag));
        return byteCount;
    }

    private static void WriteVarints<T>(ref byte start, int byteCount, ReadOnlySpan<T> values, bool isZigZag)
    {
        ref T source = ref MemoryMarshal.GetReference(values);
        int offset = 0;
        int i = 0;
        for (; i < values.Length && byteCount - offset >= ProtobufBytes.MaxVarintByteCount; i++)
        {
            ref byte p = ref Unsafe.Add(ref start, offset);
            ulong value = Convert(ref Unsafe.Add(ref source, i), isZigZag);
            if (value < 0x80)
            {
                p = (byte)value;
                offset++;
                continue;
            }

            // Eight bytes are written, of which the next number overwrites those that are not needed.
            int size = ProtobufBytes.GetByteCount(value);
            ulong word = ProtobufBytes.Split(value) | (ContinuationBits >> (8 * Math.Max(9 - size, 0)));
            LittleEndian.Write(ref p, (long)word);
            if (size > sizeof(long))
            {
                Unsafe.Add(ref p, 8) = (byte)(((value >> 56) & 0x7F) | (size == 10 ? 0x80UL : 0));
                Unsafe.Add(ref p, 9) = (byte)(value >> 63);
            }

            offset += size;
        }

        for (; i < values.Length; i++)
            offset += ProtobufBytes.Write(ref Unsafe.Add(ref start, offset), Convert(ref Unsafe.Add(ref source, i), isZigZag));
    }
}
#endif
