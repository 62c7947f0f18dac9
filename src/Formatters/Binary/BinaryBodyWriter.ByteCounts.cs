// Byte counts that are known only behind what they count. Room is left for one, and it is put there in the end: so long, the span stays uncommitted.
using System;
using System.Buffers;
using System.Runtime.CompilerServices;

namespace Formatters;

public ref partial struct BinaryBodyWriter
{
    /// <summary>Keeps in one piece what is written from here to <see cref="EndWhole"/>, so that byte counts can be put before what they count. May be nested.</summary>
    internal void BeginWhole()
    {
        if (_openCount++ == 0)
            _firstOpenByteCount = BytesWritten;
    }

    /// <summary>Ends what <see cref="BeginWhole"/> began.</summary>
    internal void EndWhole() => _openCount--;

    /// <summary>Where a position of generated code is, in bytes from the start of the body.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
#if NET
    internal readonly long OffsetAt(ref byte position) => _committed + Unsafe.ByteOffset(ref _start, ref position);
#else
    internal readonly long OffsetAt(ref byte position) => _committed + _spanByteCount - RoomAt(ref position);
#endif

    /// <summary>Writes the tag of a union and leaves room for a byte count, at a position of generated code.</summary>
    internal ref byte BeginCaseAt(ref byte position, int tag, out long start)
    {
        const int MaxByteCount = SevenBitInt.MaxByteCount32 + sizeof(int);
        if (RoomAt(ref position) < MaxByteCount)
            position = ref GrowAt(ref position, MaxByteCount);
        position = ref Unsafe.Add(ref position, SevenBitInt.Write(ref position, (uint)tag));
        start = OffsetAt(ref position) + sizeof(int);
        if (_openCount++ == 0)
            _firstOpenByteCount = start - sizeof(int);
        return ref Unsafe.Add(ref position, sizeof(int));
    }

    /// <summary>As <see cref="BeginCaseAt"/>, with the byte count before the tag.</summary>
    internal ref byte BeginVersionedCaseAt(ref byte position, int tag, out long start)
    {
        const int MaxByteCount = SevenBitInt.MaxByteCount32 + sizeof(int);
        if (RoomAt(ref position) < MaxByteCount)
            position = ref GrowAt(ref position, MaxByteCount);
        start = OffsetAt(ref position) + sizeof(int);
        if (_openCount++ == 0)
            _firstOpenByteCount = start - sizeof(int);
        position = ref Unsafe.Add(ref position, sizeof(int));
        return ref Unsafe.Add(ref position, SevenBitInt.Write(ref position, (uint)tag));
    }

    /// <summary>Puts the byte count before what begins at an offset and ends at a position of generated code.</summary>
    internal ref byte EndCaseAt(ref byte position, long start)
    {
        int byteCount = (int)(OffsetAt(ref position) - start);
        LittleEndian.Write(ref Unsafe.Subtract(ref position, byteCount + sizeof(int)), byteCount);
        _openCount--;
        return ref position;
    }

    /// <summary>As <see cref="Grow"/>, where a byte count before is still open: what lies behind it moves to the new span.</summary>
    private void GrowBehindOpenByteCount(int byteCount)
    {
        int committedByteCount = (int)(_firstOpenByteCount - _committed);
        int keptByteCount = SpanBytesWritten - committedByteCount;
        byte[] kept = ArrayPool<byte>.Shared.Rent(keptByteCount);
        if (keptByteCount > 0)
            Unsafe.CopyBlockUnaligned(ref kept[0], ref Unsafe.Subtract(ref Reserve(0), keptByteCount), (uint)keptByteCount);
        if (committedByteCount > 0)
            _output!.Advance(committedByteCount);
        _committed = _firstOpenByteCount;
        SetSpan(default);
        // Twice as much as there is, so that with small spans not every one of them has it copied.
        int neededByteCount = keptByteCount + byteCount;
        Span<byte> span = _output!.GetSpan(Math.Max(neededByteCount, (int)Math.Min(2L * keptByteCount, _limits.MaxBodyByteCount)));
        if (span.Length < neededByteCount)
            ThrowHelper.ThrowShortSpan();
        kept.AsSpan(0, keptByteCount).CopyTo(span);
        ArrayPool<byte>.Shared.Return(kept);
        SetSpan(span);
        Advance(ref Reserve(0), keptByteCount);
    }
}
