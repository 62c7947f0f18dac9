// The byte counts of versioned records: the body is kept in one span, because its first byte count stays open until its end.
using System.Buffers;
using System.Runtime.CompilerServices;

namespace Formatters.Binary;

public ref partial struct BinaryBodyWriter
{
    // A string is written in one pass if three bytes per character fit; without spare capacity, strings at the end of a body would not fit.
    internal const int SpareByteCount = 256;

    /// <summary>Creates a writer with capacity for a whole body.</summary>
    /// <param name="output">Receives the bytes.</param>
    /// <param name="limits">The limits.</param>
    /// <param name="sizeHint">The number of bytes to request initially, in addition to <see cref="SpareByteCount"/>: if it suffices, no bytes are
    /// moved. 0 for any.</param>
    /// <param name="useUtf16">See <see cref="UseUtf16"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal BinaryBodyWriter(IBufferWriter<byte> output, FormatterLimits limits, int sizeHint, bool useUtf16)
    {
        Output = new BodyOutput(output, limits, sizeHint);
        UseUtf16 = useUtf16;
    }

    /// <summary>Reserves space for an Int32 byte count.</summary>
    /// <returns>Its offset, for <see cref="EndLong"/>.</returns>
    internal long BeginLong()
    {
        Write(0);
        return BytesWritten;
    }

    /// <summary>Writes the number of bytes since <see cref="BeginLong"/>.</summary>
    internal void EndLong(long start)
    {
        int byteCount = (int)(BytesWritten - start);
        LittleEndian.Write(ref Unsafe.Subtract(ref Output.Position, byteCount + sizeof(int)), byteCount);
    }

    /// <summary>Reserves 1 byte for the byte count of a short value.</summary>
    internal long BeginShort()
    {
        Write((byte)0);
        return BytesWritten;
    }

    /// <summary>Writes the number of bytes since <see cref="BeginShort"/>, less than 128.</summary>
    internal void EndShort(long start)
    {
        int byteCount = (int)(BytesWritten - start);
        Unsafe.Subtract(ref Output.Position, byteCount + 1) = (byte)byteCount;
    }
}
