// The reader's side of Formatters.Generated.ContractCode.
using System;
using System.Runtime.CompilerServices;
#if NET
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
#endif

namespace Formatters.Binary;

public ref partial struct BinaryBodyReader
{
    /// <summary>Checks for a run of members of fixed size, and advances past it.</summary>
    /// <returns>Its first byte.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte Take(int byteCount)
    {
        ref byte start = ref _input.Require(byteCount);
        _input.Advance(ref start, byteCount);
        return ref start;
    }

    /// <summary>Reads an Int32 byte count, and checks it against the bytes that remain.</summary>
    internal int ReadByteCount()
    {
        int byteCount = ReadInt32();
        if (byteCount < 0)
            ThrowHelper.ThrowBadLength(ByteOffset - 4, "The number of bytes is negative.");
        _input.Require(byteCount);
        return byteCount;
    }

    /// <summary>Checks for a run of members of fixed size.</summary>
    /// <returns>Its first byte.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly ref byte Peek(int byteCount) => ref _input.Require(byteCount);

    /// <summary>Returns the first byte of the run of members that the reader has just advanced past.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly ref byte Preceding(int byteCount) => ref Unsafe.Subtract(ref _input.Position, byteCount);

    /// <summary>Calls <see cref="ReadTextInline"/> without inlining it.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal string ReadTextAmongRuns(int before, int behind, string? existing) => ReadTextInline(before, behind, existing);

    /// <summary>Advances past bytes that have been checked for, reads a string, checks for the bytes after it and advances past them.</summary>
    /// <remarks>
    /// Row "generated binary", read: one check and one advance for a record of a string among numbers; each advance depends on the one before it.
    /// </remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal string ReadTextInline(int before, int behind, string? existing)
    {
#if NET
        ref byte p = ref _input.Position;
        nint maxByteCount = _input.NativeRemainingAt(ref p) - (before + 1 + behind);
        if (Vector128.IsHardwareAccelerated && maxByteCount >= 0)
        {
            int byteCount = Unsafe.Add(ref p, before);
            ref byte text = ref Unsafe.Add(ref p, before + 1);
            // Advances before it allocates, so that fewer values are live during the call.
            if ((uint)(byteCount - 8) <= 24 && byteCount <= maxByteCount && Utf8Text.IsShortAscii(ref text, byteCount))
            {
                _input.Advance(ref p, before + 1 + byteCount + behind);
                return Utf8Text.ReadShortAscii(ref text, byteCount, existing);
            }

            // Row "generated binary", overwrite of order-50-text-7: a fifth less time than with a call.
            if ((uint)(byteCount - 4) <= 3 && byteCount <= maxByteCount && Utf8Text.IsTinyAscii(ref text, byteCount))
            {
                _input.Advance(ref p, before + 1 + byteCount + behind);
                return Utf8Text.ReadTinyAscii(ref text, byteCount, existing);
            }

            if (byteCount > 32)
                return ReadLongerText(before, behind, existing);
        }
#endif
        return ReadText(before, behind, existing);
    }

    /// <summary>Does what <see cref="ReadTextInline"/> does, for a string of 0 to 3 bytes, or one that is not ASCII.</summary>
    /// <remarks>
    /// One method per length, so that none keeps more values in registers across a call than it needs. Row "generated binary", read of
    /// order-50-text-1, -text-7, -text-33 and -text-200: a tenth to a third less time than with one method for all.
    /// </remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private string ReadText(int before, int behind, string? existing)
    {
#if NET
        ref byte p = ref _input.Position;
        nint maxByteCount = _input.NativeRemainingAt(ref p) - (before + 1 + behind);
        if (Vector128.IsHardwareAccelerated && maxByteCount >= 0)
        {
            int byteCount = Unsafe.Add(ref p, before);
            ref byte text = ref Unsafe.Add(ref p, before + 1);
            if ((uint)(byteCount - 1) <= 2 && byteCount <= maxByteCount && Utf8Text.IsTinyAscii(ref text, byteCount))
            {
                _input.Advance(ref p, before + 1 + byteCount + behind);
                return Utf8Text.ReadTinyAscii(ref text, byteCount, existing);
            }
        }
#endif
        return ReadOtherText(before, behind, existing);
    }

#if NET
    /// <summary>Does what <see cref="ReadText"/> does, for a string of 33 to 64 bytes, or more; the first byte of the length is available.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private string ReadLongerText(int before, int behind, string? existing)
    {
        ref byte p = ref _input.Position;
        int byteCount = Unsafe.Add(ref p, before);
        ref byte text = ref Unsafe.Add(ref p, before + 1);
        if (byteCount > 64)
            return ReadLongText(before, behind, existing);
        if (byteCount <= _input.NativeRemainingAt(ref p) - (before + 1 + behind) && Utf8Text.IsMediumAscii(ref text, byteCount))
        {
            _input.Advance(ref p, before + 1 + byteCount + behind);
            return Utf8Text.ReadMediumAscii(ref text, byteCount, existing);
        }

        return ReadOtherText(before, behind, existing);
    }

    /// <summary>Does what <see cref="ReadText"/> does, for a string of 65 or more bytes; the first byte of the length is available.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private string ReadLongText(int before, int behind, string? existing)
    {
        ref byte p = ref _input.Position;
        nint room = _input.NativeRemainingAt(ref p) - before - behind;
        int byteCount = Unsafe.Add(ref p, before);
        int minByteCount = 65;
        int prefix = 1;
        if (byteCount >= 0x80 && room >= 2)
        {
            if (Unsafe.Add(ref p, before + 1) == 0)
                return ReadUtf16(before, behind, existing);
            byteCount += (Unsafe.Add(ref p, before + 1) - 1) << 7;
            minByteCount = 0x80;
            prefix = 2;
        }

        // An overlong length appears as a count below the minimum, a third length byte as a count of 16384 or more.
        ref byte text = ref Unsafe.Add(ref p, before + prefix);
        if (byteCount >= minByteCount && byteCount < 0x4000 && byteCount <= room - prefix && Utf8Text.IsLongAscii(ref text, byteCount))
        {
            _input.Advance(ref p, before + prefix + byteCount + behind);
            return Utf8Text.ReadLongAscii(ref text, byteCount, existing);
        }

        return ReadOtherText(before, behind, existing);
    }

    /// <summary>Does what <see cref="ReadText"/> does, for a string whose length is in one byte, and a 0 after it; both are available.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private string ReadUtf16(int before, int behind, string? existing)
    {
        ref byte p = ref _input.Position;
        int byteCount = Unsafe.Add(ref p, before) & 0x7F;
        if (byteCount > 0 && byteCount % sizeof(char) == 0 && byteCount <= _input.NativeRemainingAt(ref p) - (before + 2 + behind) && !RefusesUtf16
            && Utf16Text.Read(MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref p, before + 2), byteCount), existing) is string text)
        {
            _input.Advance(ref p, before + 2 + byteCount + behind);
            return text;
        }

        return ReadOtherText(before, behind, existing);
    }
#endif

    /// <summary>Does what <see cref="ReadTextInline"/> does, for any string; errors of the string precede those of the run after it.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private string ReadOtherText(int before, int behind, string? existing)
    {
        _input.Advance(before);
        _input.Require(1);
        int byteCount = _input.Position;
        bool isUtf16 = false;
        if (byteCount < 0x80)
            _input.Advance(1);
        else
            byteCount = ReadTextByteCount(out isUtf16);
        ref byte start = ref _input.Require(byteCount);
        string? text;
        if (isUtf16)
        {
            ReadOnlySpan<byte> bytes = _input.ReadAgain(ByteOffset, byteCount);
            text = Utf16Text.Read(bytes, existing);
            if (text is null)
                ThrowHelper.ThrowBadText(ByteOffset + Utf16Text.IndexOfInvalid(bytes));
        }
        else
        {
            text = Utf8Text.Read(ref start, byteCount, existing);
            if (text is null)
                ThrowHelper.ThrowBadText(ByteOffset + Utf8Text.IndexOfInvalid(ref start, byteCount));
        }

        _input.Advance(byteCount);
        _input.Require(behind);
        _input.Advance(behind);
        return text;
    }

    /// <summary>
    /// Reads the lengths of a multidimensional array, and checks their product as <see cref="ReadCount(int, int)"/> checks a count.
    /// </summary>
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
            if (length > _input.Limits.MaxElementCount)
                ThrowHelper.ThrowTooManyElements(ByteOffset - 4, length, _input.Limits.MaxElementCount);
            lengths[i] = length;
            product = Math.Min(product * length, int.MaxValue + 1L);
        }

        if (product == 0 && !ArrayLengths.CanMake(lengths))
            ThrowHelper.ThrowBadLength(byteOffset, "No array can have these lengths.");
        if (product * minElementByteCount > BytesRemaining)
            _input.ThrowTruncated(product * minElementByteCount);
        if (product > _input.Limits.MaxElementCount)
            ThrowHelper.ThrowTooManyElements(byteOffset, product, _input.Limits.MaxElementCount);
        elementCount = (int)product;
        ChargeAllocation(byteOffset, elementCount, elementAllocation);
        if (minElementByteCount == 0)
            _input.ChargeEmptyElements(ByteOffset - 4, elementCount);
        return lengths;
    }
}
