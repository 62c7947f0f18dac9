#if NET
using Formatters.Binary;

using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters;

/// <summary>
/// Writes and reads the elements of arrays and lists by one copy: of types with <see cref="ScalarTraits.InBlocks"/>, and enums of these.
/// </summary>
/// <remarks>Benchmark "ratios", models with arrays of numbers: 3 to 15 times faster than element by element.</remarks>
internal static class ElementBlock
{
    private const ulong LocalKindBit = 1UL << 63;
    private const ulong TicksMask = (1UL << 62) - 1;

    /// <summary>Writes elements, without their number.</summary>
    internal static void Write<T>(ref BinaryBodyWriter writer, ReadOnlySpan<T> elements)
        where T : unmanaged
    {
        long wholeByteCount = (long)elements.Length * Unsafe.SizeOf<T>();
        if (wholeByteCount > System.Array.MaxLength)
            ThrowHelper.ThrowBodyTooLarge(writer.Output.BytesWritten + wholeByteCount, writer.Limits.MaxBodyByteCount);
        int byteCount = (int)wholeByteCount;
        ref byte start = ref writer.Output.Reserve(byteCount);
        Span<byte> destination = MemoryMarshal.CreateSpan(ref start, byteCount);
        MemoryMarshal.AsBytes(elements).CopyTo(destination);
        if (!BitConverter.IsLittleEndian)
            Reverse<T>(destination);
        // Code without checks can make a bool of any byte; a local time is written in UTC.
        if (typeof(T) == typeof(bool))
            ToZeroOrOne(destination);
        else if (typeof(T) == typeof(DateTime))
            WriteLocalTimes(MemoryMarshal.Cast<T, DateTime>(elements), destination);
        writer.Output.Advance(ref start, byteCount);
    }

    /// <summary>Returns the array to read into: the existing one if it has the length, or a new one, which is not cleared.</summary>
    internal static T[] Array<T>(object? existing, int elementCount)
        where T : unmanaged =>
        existing is not null && existing.GetType() == typeof(T[]) && ((T[])existing).Length == elementCount
            ? (T[])existing
            : GC.AllocateUninitializedArray<T>(elementCount);

    /// <summary>Returns the list to read into, with as many elements: the existing one or a new one.</summary>
    internal static List<T> List<T>(object? existing, int elementCount)
        where T : unmanaged
    {
        List<T> list = existing is not null && existing.GetType() == typeof(List<T>) ? (List<T>)existing : new List<T>(elementCount);
        CollectionsMarshal.SetCount(list, elementCount);
        return list;
    }

    /// <summary>Reads elements whose number has been checked against the body.</summary>
    /// <returns>Whether all are valid; otherwise nothing was read, and the caller reads them one by one.</returns>
    internal static bool TryRead<T>(ref BinaryBodyReader reader, Span<T> elements)
        where T : unmanaged
    {
        int byteCount = elements.Length * Unsafe.SizeOf<T>();
        ReadOnlySpan<byte> source = MemoryMarshal.CreateReadOnlySpan(ref reader.Peek(byteCount), byteCount);
        if (IsChecked<T>() && (!BitConverter.IsLittleEndian || !AreValid<T>(source)))
            return false;
        Span<byte> destination = MemoryMarshal.AsBytes(elements);
        source.CopyTo(destination);
        if (!BitConverter.IsLittleEndian)
            Reverse<T>(destination);
        reader.Take(byteCount);
        return true;
    }

    /// <summary>Writes versioned records, without their number: for each its byte count, its table, and the bytes that it has in memory.</summary>
    internal static void WriteRecords<T>(ref BinaryBodyWriter writer, ReadOnlySpan<T> records, ulong table, int tableByteCount)
        where T : unmanaged
    {
        Debug.Assert(MemberKind.CanBeReadAtOnce(tableByteCount, Unsafe.SizeOf<T>()), "The head would be written beyond the record.");
        int headByteCount = sizeof(int) + tableByteCount;
        long wholeByteCount = (long)records.Length * (headByteCount + Unsafe.SizeOf<T>());
        if (wholeByteCount > System.Array.MaxLength)
            ThrowHelper.ThrowBodyTooLarge(writer.Output.BytesWritten + wholeByteCount, writer.Limits.MaxBodyByteCount);
        ref byte start = ref writer.Output.Reserve((int)wholeByteCount);
        ref byte position = ref start;
        long head = (long)(table << 32) | (uint)(tableByteCount + Unsafe.SizeOf<T>());
        foreach (ref readonly T record in records)
        {
            // What is written beyond the head is written again with the record.
            LittleEndian.Write(ref position, head);
            if (tableByteCount > sizeof(int))
                LittleEndian.Write(ref Unsafe.Add(ref position, sizeof(long)), (int)(table >> 32));
            position = ref Unsafe.Add(ref position, headByteCount);
            Unsafe.WriteUnaligned(ref position, record);
            position = ref Unsafe.Add(ref position, Unsafe.SizeOf<T>());
        }

        writer.Output.Advance(ref start, (int)wholeByteCount);
    }

    /// <summary>Determines whether the bytes of as many versioned records remain, the first of them with the expected table.</summary>
    internal static bool MayBeRecords<T>(ref BinaryBodyReader reader, int recordCount, ulong table, int tableByteCount)
        where T : unmanaged
    {
        int byteCount = sizeof(int) + tableByteCount + Unsafe.SizeOf<T>();
        return (long)recordCount * byteCount <= reader.BytesRemaining
            && (recordCount == 0 || IsHead<T>(ref reader.Peek(byteCount), table, tableByteCount));
    }

    /// <summary>Reads versioned records, for which <see cref="MayBeRecords"/> is true.</summary>
    /// <returns>Whether all have the expected table; otherwise the reader has not advanced.</returns>
    internal static bool TryReadRecords<T>(ref BinaryBodyReader reader, Span<T> records, ulong table, int tableByteCount)
        where T : unmanaged
    {
        int headByteCount = sizeof(int) + tableByteCount;
        int byteCount = records.Length * (headByteCount + Unsafe.SizeOf<T>());
        ref byte position = ref reader.Peek(byteCount);
        foreach (ref T record in records)
        {
            if (!IsHead<T>(ref position, table, tableByteCount))
                return false;
            position = ref Unsafe.Add(ref position, headByteCount);
            record = Unsafe.ReadUnaligned<T>(ref position);
            position = ref Unsafe.Add(ref position, Unsafe.SizeOf<T>());
        }

        reader.Take(byteCount);
        return true;
    }

    /// <summary>Determines whether a record begins with its byte count and the expected table.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsHead<T>(ref byte position, ulong table, int tableByteCount)
        where T : unmanaged
    {
        long head = (long)(table << 32) | (uint)(tableByteCount + Unsafe.SizeOf<T>());
        if (tableByteCount <= sizeof(int))
            return (LittleEndian.ReadInt64(ref position) ^ head) << (8 * (sizeof(int) - tableByteCount)) == 0;
        return LittleEndian.ReadInt64(ref position) == head
            && (LittleEndian.ReadInt32(ref Unsafe.Add(ref position, sizeof(long))) ^ (int)(table >> 32))
                << (8 * (sizeof(long) - tableByteCount)) == 0;
    }

    /// <summary>Reads one element of a type whose values are checked.</summary>
    internal static T ReadOne<T>(ref BinaryBodyReader reader)
        where T : unmanaged
    {
        if (typeof(T) == typeof(bool))
            return Unsafe.BitCast<bool, T>(reader.ReadBoolean());
        if (typeof(T) == typeof(DateTime))
            return Unsafe.BitCast<DateTime, T>(reader.ReadDateTime());
        if (typeof(T) == typeof(DateOnly))
            return Unsafe.BitCast<DateOnly, T>(reader.ReadDateOnly());
        if (typeof(T) == typeof(TimeOnly))
            return Unsafe.BitCast<TimeOnly, T>(reader.ReadTimeOnly());
        throw new UnreachableException($"Every {typeof(T)} is valid.");
    }

    /// <summary>Determines whether some bytes are no value of the type.</summary>
    private static bool IsChecked<T>() =>
        typeof(T) == typeof(bool) || typeof(T) == typeof(DateTime) || typeof(T) == typeof(DateOnly) || typeof(T) == typeof(TimeOnly);

    private static bool AreValid<T>(ReadOnlySpan<byte> source)
    {
        if (typeof(T) == typeof(bool))
            return !source.ContainsAnyExceptInRange((byte)0, (byte)1);
        if (typeof(T) == typeof(DateOnly))
            return AreAtMost(MemoryMarshal.Cast<byte, uint>(source), uint.MaxValue, (uint)DateOnly.MaxValue.DayNumber);
        // The kind is in the upper two bits; local times are converted by the caller.
        return typeof(T) == typeof(DateTime)
            ? AreAtMost(MemoryMarshal.Cast<byte, ulong>(source), TicksMask | LocalKindBit, (ulong)DateTime.MaxValue.Ticks)
            : AreAtMost(MemoryMarshal.Cast<byte, ulong>(source), ulong.MaxValue, (ulong)TimeOnly.MaxValue.Ticks);
    }

    /// <summary>Determines whether all values, with only the bits of a mask, are at most a maximum.</summary>
    private static bool AreAtMost<T>(ReadOnlySpan<T> values, T mask, T max)
        where T : unmanaged, IBinaryInteger<T>
    {
        int i = 0;
        if (Vector.IsHardwareAccelerated && values.Length >= Vector<T>.Count)
        {
            var masks = new Vector<T>(mask);
            var maxima = new Vector<T>(max);
            for (; i <= values.Length - Vector<T>.Count; i += Vector<T>.Count)
            {
                if (Vector.GreaterThanAny(new Vector<T>(values[i..]) & masks, maxima))
                    return false;
            }
        }

        for (; i < values.Length; i++)
        {
            if ((values[i] & mask) > max)
                return false;
        }

        return true;
    }

    private static void ToZeroOrOne(Span<byte> bytes)
    {
        if (!bytes.ContainsAnyExceptInRange((byte)0, (byte)1))
            return;
        foreach (ref byte value in bytes)
            value = value == 0 ? (byte)0 : (byte)1;
    }

    private static void WriteLocalTimes(ReadOnlySpan<DateTime> values, Span<byte> destination)
    {
        if (AreAtMost(MemoryMarshal.Cast<DateTime, ulong>(values), LocalKindBit, 0UL))
            return;
        for (int i = 0; i < values.Length; i++)
        {
            if (values[i].Kind == DateTimeKind.Local)
                BinaryPrimitives.WriteInt64LittleEndian(destination[(i * sizeof(long))..], values[i].ToBinary());
        }
    }

    /// <summary>Reverses the bytes of every element, or of every field of a Guid.</summary>
    private static void Reverse<T>(Span<byte> bytes)
    {
        int size = Unsafe.SizeOf<T>();
        for (int at = 0; at < bytes.Length; at += size)
        {
            Span<byte> element = bytes.Slice(at, size);
            if (typeof(T) == typeof(Guid))
            {
                element[..4].Reverse();
                element[4..6].Reverse();
                element[6..8].Reverse();
            }
            else
            {
                element.Reverse();
            }
        }
    }
}
#endif
