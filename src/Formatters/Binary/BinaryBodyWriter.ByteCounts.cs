// Byte counts that are known only behind what they count. Room is left for one, and it is put there in the end: so long, the span stays uncommitted.
using System;
using System.Buffers;
using System.Runtime.CompilerServices;

namespace Formatters;

public ref partial struct BinaryBodyWriter
{
    /// <summary>Writes the tag of a union and leaves room for a byte count, at a position of generated code.</summary>
    internal ref byte BeginCaseAt(ref byte position, int tag, out long start)
    {
        const int MaxByteCount = SevenBitInt.MaxByteCount32 + sizeof(int);
        if (RoomAt(ref position) < MaxByteCount)
            position = ref GrowAt(ref position, MaxByteCount);
        position = ref Unsafe.Add(ref position, SevenBitInt.Write(ref position, (uint)tag));
        start = _committed + (_spanByteCount - RoomAt(ref position)) + sizeof(int);
        if (_openCount++ == 0)
            _firstOpenByteCount = start - sizeof(int);
        return ref Unsafe.Add(ref position, sizeof(int));
    }

    /// <summary>Puts the byte count before what begins at an offset and ends at a position of generated code.</summary>
    internal ref byte EndCaseAt(ref byte position, long start)
    {
        int byteCount = (int)(_committed + (_spanByteCount - RoomAt(ref position)) - start);
        LittleEndian.Write(ref Unsafe.Subtract(ref position, byteCount + sizeof(int)), byteCount);
        _openCount--;
        return ref position;
    }

    /// <summary>As <see cref="Grow"/>, where a byte count before is still open: what lies behind it moves to the new span.</summary>
    private void GrowBehindOpenByteCount(int byteCount)
    {
        int committedByteCount = (int)(_firstOpenByteCount - _committed);
        int keptByteCount = _spanByteCount - Room - committedByteCount;
        byte[] kept = ArrayPool<byte>.Shared.Rent(keptByteCount);
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
