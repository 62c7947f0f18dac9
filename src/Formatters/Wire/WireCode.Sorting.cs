using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using Formatters.Custom;

namespace Formatters.Generated;

// Maps and sets in the order of the encoded bytes (RFC 8949, 4.2.1), sorted in the body. Rows "settings", "word counts" of cbor in models.
public static partial class WireCode
{
    /// <summary>Up to how many bytes an entry is copied as if it had so many: the excess bytes are overwritten by the next entry.</summary>
    private const int MaxOverlappingByteCount = 32;

    /// <summary>From how many entries on sorting by buckets pays: with the 100 of row "settings" it took longer.</summary>
    private const int MinBucketedCount = 512;

    private const int BucketBitCount = 11;
    private const int MaxBucketCount = 32;

    /// <summary>Limits for what was written within those of the writer.</summary>
    private static readonly FormatterLimits WrittenLimits = new()
    {
        MaxBodyByteCount = int.MaxValue, MaxDepth = int.MaxValue, MaxElementCount = int.MaxValue,
    };

    /// <summary>Determines whether a map or a set is written in the order of its bytes.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <returns>Whether it is.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsSorted<TFormat>()
        where TFormat : struct, IWireFormat => default(TFormat).IsSorted;

    /// <summary>Starts a map or a set that is sorted after it has been written.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <returns>Where it starts.</returns>
    public static long BeginSorted(ref WireWriter writer, ref byte position)
    {
        long start = writer.Output.OffsetAt(ref position);
        writer.Output.BeginOpen(start);
        return start;
    }

    /// <summary>Sorts a map by the bytes of its keys, or a set by those of its elements.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position after it.</param>
    /// <param name="start">The result of <see cref="BeginSorted"/>.</param>
    /// <param name="isMap">Whether it is a map.</param>
    public static void EndSorted<TFormat>(ref WireWriter writer, ref byte position, long start, bool isMap)
        where TFormat : struct, IWireFormat
    {
        writer.End(ref position);
        writer.Output.EndOpen();
        Span<byte> written = writer.Output.WrittenSince(start);
        var reader = new WireReader(written, WrittenLimits);
        int count = isMap ? default(TFormat).ReadMapHeader(ref reader, 0) : default(TFormat).ReadArrayHeader(ref reader, 0);
        int[] starts = ArrayPool<int>.Shared.Rent(count + 1);
        ulong[] order = ArrayPool<ulong>.Shared.Rent(count);
        bool isInOrder = true;
        int offset = reader.ByteOffset;
        ulong previous = 0;
        for (int i = 0; i < count; i++)
        {
            ulong prefix = PrefixOf(written, offset);
            // No encoded key is the start of another one, so the entries are in the order of their keys.
            if (prefix <= previous && isInOrder && i > 0)
                isInOrder = written.Slice(starts[i - 1], offset - starts[i - 1]).SequenceCompareTo(written.Slice(offset)) <= 0;
            order[i] = previous = prefix;
            starts[i] = offset;
            offset = Skip<TFormat>(ref reader, written, offset);
            if (isMap)
                offset = Skip<TFormat>(ref reader, written, offset);
        }

        starts[count] = offset;
        if (!isInOrder)
            Sort(written, starts, order, count);
        ArrayPool<ulong>.Shared.Return(order);
        ArrayPool<int>.Shared.Return(starts);
    }

    /// <summary>Skips a value at an offset in a local, and without the reader if its first byte determines its size.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int Skip<TFormat>(ref WireReader reader, scoped ReadOnlySpan<byte> written, int offset)
        where TFormat : struct, IWireFormat
    {
        int byteCount = default(TFormat).ByteCountOf(written[offset]);
        // Integers of two bytes: the processor need not wait for the table before it goes on.
        if (byteCount == 3)
            return offset + 3;
        if (byteCount > 0)
            return offset + byteCount;
        reader.Input.Advance(offset - reader.ByteOffset);
        default(TFormat).Skip(ref reader);
        return reader.ByteOffset;
    }

    /// <summary>Reads eight bytes as a number that has their order; zeros follow the last one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong PrefixOf(ReadOnlySpan<byte> bytes, int offset)
    {
        if (bytes.Length - offset >= sizeof(ulong))
            return BinaryPrimitives.ReadUInt64BigEndian(bytes.Slice(offset));
        ulong prefix = 0;
        for (int i = 0; i < sizeof(ulong); i++)
            prefix = (prefix << 8) | (offset + i < bytes.Length ? bytes[offset + i] : 0U);
        return prefix;
    }

    /// <summary>Sorts entries by a number: the first bits in which they differ, and the index. If those bits are equal, by all bytes.</summary>
    /// <param name="written">The entries, and what precedes them.</param>
    /// <param name="starts">Where each entry starts, and the end.</param>
    /// <param name="order">The first eight bytes of each entry.</param>
    /// <param name="count">How many entries.</param>
    private static void Sort(Span<byte> written, int[] starts, ulong[] order, int count)
    {
        byte[] bytes = ArrayPool<byte>.Shared.Rent(written.Length + MaxOverlappingByteCount);
        written.CopyTo(bytes);
        ulong differing = 0;
        for (int i = 0; i < count; i++)
            differing |= order[i] ^ order[0];
        int lastByteCount = starts[count] - starts[count - 1];
        for (int prefixByteCount = sizeof(ulong); differing == 0 && prefixByteCount < lastByteCount; prefixByteCount += sizeof(ulong))
        {
            for (int i = 0; i < count; i++)
            {
                order[i] = BinaryPrimitives.ReadUInt64BigEndian(bytes.AsSpan(starts[i] + prefixByteCount));
                differing |= order[i] ^ order[0];
            }
        }

        ulong indexMask = 1;
        while (indexMask < (ulong)count)
            indexMask = (indexMask << 1) | 1;
        int equalBitCount = 0;
        while (equalBitCount < 64 && (differing << equalBitCount) >> 63 == 0)
            equalBitCount++;
        for (int i = 0; i < count; i++)
            order[i] = ((order[i] << equalBitCount) & ~indexMask) | (uint)i;
        if (count < MinBucketedCount || !TrySortByBuckets(order.AsSpan(0, count), (differing << equalBitCount) & ~indexMask))
            Array.Sort(order, 0, count);
        for (int i = 0, end; i < count; i = end)
        {
            for (end = i + 1; end < count && (order[end] ^ order[i]) <= indexMask; end++)
            {
            }

            if (end - i > 1)
                SortByBytes(order, i, end - i, indexMask, bytes, starts);
        }

        int target = starts[0];
        for (int i = 0; i < count; i++)
        {
            int start = starts[(int)(order[i] & indexMask)];
            int byteCount = starts[(int)(order[i] & indexMask) + 1] - start;
            if (byteCount <= MaxOverlappingByteCount && written.Length - target >= MaxOverlappingByteCount)
                Unsafe.CopyBlockUnaligned(ref written[target], ref bytes[start], MaxOverlappingByteCount);
            else
                bytes.AsSpan(start, byteCount).CopyTo(written.Slice(target));
            target += byteCount;
        }

        ArrayPool<byte>.Shared.Return(bytes);
    }

    /// <summary>Distributes numbers to buckets by the first bits in which they differ, and then moves each over the few greater ones before
    /// it.</summary>
    /// <param name="numbers">The numbers.</param>
    /// <param name="differing">The bits in which they differ.</param>
    /// <returns>False if too many have the same first bits; the numbers stay as they are then.</returns>
    private static bool TrySortByBuckets(Span<ulong> numbers, ulong differing)
    {
        // Up to three runs of adjacent bits: of letters, for example, five bits of each byte differ.
        int bit = 63;
        int freeBitCount = BucketBitCount;
        ulong firstMask = NextRun(differing, ref bit, ref freeBitCount, out int firstShift);
        ulong secondMask = NextRun(differing, ref bit, ref freeBitCount, out int secondShift);
        ulong thirdMask = NextRun(differing, ref bit, ref freeBitCount, out int thirdShift);
        Span<int> starts = stackalloc int[1 << BucketBitCount];
        foreach (ulong number in numbers)
            starts[(int)(((number & firstMask) >> firstShift) | ((number & secondMask) >> secondShift) | ((number & thirdMask) >> thirdShift))]++;
        int start = 0;
        foreach (ref int bucket in starts)
        {
            if (bucket > MaxBucketCount)
                return false;
            (bucket, start) = (start, start + bucket);
        }

        ulong[] distributed = ArrayPool<ulong>.Shared.Rent(numbers.Length);
        foreach (ulong number in numbers)
        {
            distributed[starts[
                (int)(((number & firstMask) >> firstShift) | ((number & secondMask) >> secondShift) | ((number & thirdMask) >> thirdShift))]++]
                = number;
        }

        for (int i = 0; i < numbers.Length; i++)
        {
            ulong number = distributed[i];
            int k = i;
            for (; k > 0 && numbers[k - 1] > number; k--)
                numbers[k] = numbers[k - 1];
            numbers[k] = number;
        }

        ArrayPool<ulong>.Shared.Return(distributed);
        return true;
    }

    /// <summary>Returns the mask of the next run of bits, cut to the free ones, and how far they are shifted to those.</summary>
    private static ulong NextRun(ulong bits, ref int bit, ref int freeBitCount, out int shift)
    {
        ulong mask = 0;
        while (bit >= 0 && ((bits >> bit) & 1) == 0)
            bit--;
        // Bits move down to the highest free one, never up.
        shift = bit + 1 - freeBitCount;
        for (; shift >= 0 && freeBitCount > 0 && ((bits >> bit) & 1) != 0; bit--, freeBitCount--)
            mask |= 1UL << bit;
        return mask;
    }

    private static void SortByBytes(ulong[] order, int index, int count, ulong indexMask, byte[] bytes, int[] starts)
    {
        Array.Sort(order, index, count, Comparer<ulong>.Create((x, y) => EntryOf(x).SequenceCompareTo(EntryOf(y))));

        ReadOnlySpan<byte> EntryOf(ulong item)
        {
            int i = (int)(item & indexMask);
            return bytes.AsSpan(starts[i], starts[i + 1] - starts[i]);
        }
    }
}
