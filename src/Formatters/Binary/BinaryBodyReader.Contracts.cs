// The reader's side of Formatters.Generated.ContractCode.
using System;
using System.Runtime.CompilerServices;

namespace Formatters;

public ref partial struct BinaryBodyReader
{
    /// <summary>Checks for a run of members of fixed size, and moves behind it.</summary>
    /// <returns>Its first byte.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte Take(int byteCount)
    {
        ref byte start = ref Require(byteCount);
        Advance(ref start, byteCount);
        return ref start;
    }

    /// <summary>Reads an Int32 byte count, and checks it against the bytes that remain.</summary>
    internal int ReadByteCount()
    {
        int byteCount = ReadInt32();
        if (byteCount < 0)
            ThrowHelper.ThrowBadLength(ByteOffset - 4, "The number of bytes is negative.");
        Require(byteCount);
        return byteCount;
    }

    /// <summary>As <see cref="ReadString(string?)"/>, but inlined: without an existing text its comparison is gone.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal string ReadTextInline(string? existing)
    {
#if NET
        ref byte p = ref _position;
        nint remaining = Unsafe.ByteOffset(ref p, ref _end);
        if (System.Runtime.Intrinsics.Vector128.IsHardwareAccelerated && remaining > 0)
        {
            int byteCount = p;
            if ((uint)(byteCount - 8) <= 24 && byteCount < remaining)
            {
                string? text = Utf8Text.TryReadShortAscii(ref Unsafe.Add(ref p, 1), byteCount, existing);
                if (text is not null)
                {
                    Advance(ref p, 1 + byteCount);
                    return text;
                }
            }
        }
#endif
        return ReadText(existing);
    }

    /// <summary>Reads the lengths of an array of several dimensions, and checks their product as <see cref="ReadCount(int, int)"/> checks a count.</summary>
    internal int[] ReadLengths(int rank, int minElementByteCount, int elementAllocation, out int elementCount)
    {
        int byteOffset = ByteOffset;
        int[] lengths = new int[rank];
        long product = 1;
        for (int i = 0; i < rank; i++)
        {
            int length = ReadInt32();
            if (length < 0)
                ThrowHelper.ThrowBadLength(ByteOffset - 4, "The number of elements is negative.");
            if (length > _limits.MaxElementCount)
                ThrowHelper.ThrowTooManyElements(ByteOffset - 4, length, _limits.MaxElementCount);
            lengths[i] = length;
            product = Math.Min(product * length, int.MaxValue + 1L);
        }

        if (product * minElementByteCount > BytesRemaining)
            ThrowHelper.ThrowTruncated(_bodyByteCount, (product * minElementByteCount) - BytesRemaining);
        if (product > _limits.MaxElementCount)
            ThrowHelper.ThrowTooManyElements(byteOffset, product, _limits.MaxElementCount);
        elementCount = (int)product;
        ChargeAllocation(byteOffset, elementCount, elementAllocation);
        if (minElementByteCount == 0)
            ChargeEmptyElements(elementCount);
        return lengths;
    }
}
