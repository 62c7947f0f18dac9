// The byte counts of versioned records: the body is kept in one piece, since the first of them is open until its end.
using System.Buffers;
using System.Runtime.CompilerServices;

namespace Formatters;

public ref partial struct BinaryBodyWriter
{
    // A text is written in one go where three bytes a character fit; without room to spare, those at the end of a body would not be.
    internal const int SpareByteCount = 256;

    /// <summary>Creates a writer with room for a whole body.</summary>
    /// <param name="output">Receives the bytes.</param>
    /// <param name="limits">The limits.</param>
    /// <param name="sizeHint">How many bytes to ask for at first, with <see cref="SpareByteCount"/>: if no more come, none of them is moved. 0 for any.</param>
    internal BinaryBodyWriter(IBufferWriter<byte> output, FormatterLimits limits, int sizeHint) =>
        Output = new BodyOutput(output, limits, sizeHint);

    /// <summary>Leaves room for an Int32 byte count.</summary>
    /// <returns>Where it is, for <see cref="EndLong"/>.</returns>
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

    /// <summary>Leaves 1 byte for the byte count of a value of a few bytes.</summary>
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
