using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Runtime.CompilerServices;

namespace Formatters.Generated;

// Maps and sets in the order of the encoded bytes (RFC 8949, 4.2.1), sorted in the body. Rows "settings", "word counts" of cbor in models.
public static partial class WireCode
{
    /// <summary>Up to how many bytes an entry is copied as if it had so many: the excess bytes are overwritten by the next entry.</summary>
    private const int MaxOverlappingByteCount = 32;

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
        bool isInOrder = true;
        int offset = reader.ByteOffset;
        for (int i = 0; i < count; i++)
        {
            starts[i] = offset;
            offset = Skip<TFormat>(ref reader, written, offset);
            if (isMap)
                offset = Skip<TFormat>(ref reader, written, offset);
            // No encoded key is the start of another one, so the entries are in the order of their keys.
            if (i > 0 && isInOrder)
                isInOrder = written.Slice(starts[i - 1], starts[i] - starts[i - 1]).SequenceCompareTo(written.Slice(starts[i])) <= 0;
        }

        starts[count] = offset;
        if (!isInOrder)
            Sort(written, starts, count);
        ArrayPool<int>.Shared.Return(starts);
    }

    /// <summary>Skips a value at an offset in a local, and without the reader if its first byte determines its size.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int Skip<TFormat>(ref WireReader reader, scoped ReadOnlySpan<byte> written, int offset)
        where TFormat : struct, IWireFormat
    {
        int byteCount = default(TFormat).ByteCountOf(written[offset]);
        if (byteCount > 0)
            return offset + byteCount;
        reader.Input.Advance(offset - reader.ByteOffset);
        default(TFormat).Skip(ref reader);
        return reader.ByteOffset;
    }

    /// <summary>Sorts entries by a number: the first bits in which they differ, and the index. If those bits are equal, by all bytes.</summary>
    private static void Sort(Span<byte> written, int[] starts, int count)
    {
        byte[] bytes = ArrayPool<byte>.Shared.Rent(written.Length + MaxOverlappingByteCount);
        ulong[] order = ArrayPool<ulong>.Shared.Rent(count);
        written.CopyTo(bytes);
        ulong differing = 0;
        int prefixByteCount = 0;
        int lastByteCount = starts[count] - starts[count - 1];
        for (; differing == 0 && prefixByteCount < lastByteCount; prefixByteCount += sizeof(ulong))
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

        ArrayPool<ulong>.Shared.Return(order);
        ArrayPool<byte>.Shared.Return(bytes);
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
