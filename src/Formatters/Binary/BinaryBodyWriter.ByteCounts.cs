// Byte counts that are known only behind what they count. Room is left for one, and it is put there in the end: so long, the span stays uncommitted.
using System.Runtime.CompilerServices;

namespace Formatters;

public ref partial struct BinaryBodyWriter
{
    /// <summary>Keeps in one piece what is written from here to <see cref="EndWhole"/>, so that byte counts can be put before what they count. May be nested.</summary>
    internal void BeginWhole() => Output.BeginOpen();

    /// <summary>Ends what <see cref="BeginWhole"/> began.</summary>
    internal void EndWhole() => Output.EndOpen();

    /// <summary>Where a position of generated code is, in bytes from the start of the body.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly long OffsetAt(ref byte position) => Output.OffsetAt(ref position);

    /// <summary>Writes the tag of a union and leaves room for a byte count, at a position of generated code.</summary>
    internal ref byte BeginCaseAt(ref byte position, int tag, out long start)
    {
        const int MaxByteCount = SevenBitInt.MaxByteCount32 + sizeof(int);
        if (Output.RoomAt(ref position) < MaxByteCount)
            position = ref GrowAt(ref position, MaxByteCount);
        position = ref Unsafe.Add(ref position, SevenBitInt.Write(ref position, (uint)tag));
        start = OffsetAt(ref position) + sizeof(int);
        Output.BeginOpen(start - sizeof(int));
        return ref Unsafe.Add(ref position, sizeof(int));
    }

    /// <summary>As <see cref="BeginCaseAt"/>, with the byte count before the tag.</summary>
    internal ref byte BeginVersionedCaseAt(ref byte position, int tag, out long start)
    {
        const int MaxByteCount = SevenBitInt.MaxByteCount32 + sizeof(int);
        if (Output.RoomAt(ref position) < MaxByteCount)
            position = ref GrowAt(ref position, MaxByteCount);
        start = OffsetAt(ref position) + sizeof(int);
        Output.BeginOpen(start - sizeof(int));
        position = ref Unsafe.Add(ref position, sizeof(int));
        return ref Unsafe.Add(ref position, SevenBitInt.Write(ref position, (uint)tag));
    }

    /// <summary>Puts the byte count before what begins at an offset and ends at a position of generated code.</summary>
    internal ref byte EndCaseAt(ref byte position, long start)
    {
        int byteCount = (int)(OffsetAt(ref position) - start);
        LittleEndian.Write(ref Unsafe.Subtract(ref position, byteCount + sizeof(int)), byteCount);
        Output.EndOpen();
        return ref position;
    }
}
