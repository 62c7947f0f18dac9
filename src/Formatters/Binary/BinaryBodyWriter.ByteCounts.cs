// Byte counts that are known only after the content they count. Space is reserved and filled in at the end; until then the span is not committed.
using System.Runtime.CompilerServices;

namespace Formatters.Binary;

public ref partial struct BinaryBodyWriter
{
    /// <summary>Writes the tag of a union and reserves space for a byte count, at a position of generated code.</summary>
    internal ref byte BeginCaseAt(ref byte position, int tag, out long start)
    {
        const int MaxByteCount = SevenBitInt.MaxByteCount32 + sizeof(int);
        if (Output.RoomAt(ref position) < MaxByteCount)
            position = ref GrowAt(ref position, MaxByteCount);
        position = ref Unsafe.Add(ref position, SevenBitInt.Write(ref position, (uint)tag));
        start = Output.OffsetAt(ref position) + sizeof(int);
        Output.BeginOpen(start - sizeof(int));
        return ref Unsafe.Add(ref position, sizeof(int));
    }

    /// <summary>Does what <see cref="BeginCaseAt"/> does, with the byte count before the tag.</summary>
    internal ref byte BeginVersionedCaseAt(ref byte position, int tag, out long start)
    {
        const int MaxByteCount = SevenBitInt.MaxByteCount32 + sizeof(int);
        if (Output.RoomAt(ref position) < MaxByteCount)
            position = ref GrowAt(ref position, MaxByteCount);
        start = Output.OffsetAt(ref position) + sizeof(int);
        Output.BeginOpen(start - sizeof(int));
        position = ref Unsafe.Add(ref position, sizeof(int));
        return ref Unsafe.Add(ref position, SevenBitInt.Write(ref position, (uint)tag));
    }

    /// <summary>Fills in the byte count of the content between an offset and a position of generated code.</summary>
    internal ref byte EndCaseAt(ref byte position, long start)
    {
        int byteCount = (int)(Output.OffsetAt(ref position) - start);
        LittleEndian.Write(ref Unsafe.Subtract(ref position, byteCount + sizeof(int)), byteCount);
        Output.EndOpen();
        return ref position;
    }
}
