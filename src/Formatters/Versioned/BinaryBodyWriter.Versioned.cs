// Byte counts stand before what they count: they are written behind it, into room that was left. So that the room is still there, the bytes are kept in
// one piece ("whole") from the outermost byte count on: in the span of the buffer writer if they fit into it, else in a rented array.
using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters;

public ref partial struct BinaryBodyWriter
{
    // A text is written in one go where three bytes a character fit; without room to spare, those at the end of a body would not be.
    private const int SpareByteCount = 256;

    /// <summary>Makes a writer that keeps the whole body in one piece until <see cref="Flush"/>.</summary>
    /// <param name="output">Receives the bytes.</param>
    /// <param name="limits">The limits.</param>
    /// <param name="sizeHint">How many bytes are expected: if no more come, they are written in place.</param>
    internal BinaryBodyWriter(IBufferWriter<byte> output, FormatterLimits limits, int sizeHint)
    {
        _output = output;
        _limits = limits;
        _isWhole = true;
        SetSpan(output.GetSpan(sizeHint + SpareByteCount));
    }

    /// <summary>Begins to keep what is written in one piece.</summary>
    /// <returns>False if it is kept already: then <see cref="EndWhole"/> is not for the caller to call.</returns>
    internal bool BeginWhole()
    {
        if (_isWhole)
            return false;
        _isWhole = true;
        if (_output is not null)
        {
            Commit();
            SetSpan(default);
            SetSpan(_output.GetSpan());
        }

        return true;
    }

    /// <summary>Ends what <see cref="BeginWhole"/> began.</summary>
    internal void EndWhole()
    {
        _isWhole = false;
        if (_rented is null)
            return;
        Commit();
        SetSpan(default);
        SetSpan(_output!.GetSpan());
    }

    /// <summary>Leaves room for an Int32 byte count.</summary>
    /// <returns>Where it is, for <see cref="EndLong"/>.</returns>
    internal int BeginLong()
    {
        Write(0);
        return SpanBytesWritten;
    }

    /// <summary>Writes the number of bytes since <see cref="BeginLong"/>.</summary>
    internal void EndLong(int start)
    {
        int byteCount = SpanBytesWritten - start;
        LittleEndian.Write(ref Unsafe.Subtract(ref Reserve(0), byteCount + sizeof(int)), byteCount);
    }

    /// <summary>Leaves 1 byte for the byte count of a value of a few bytes.</summary>
    internal int BeginShort()
    {
        Write((byte)0);
        return SpanBytesWritten;
    }

    /// <summary>Writes the number of bytes since <see cref="BeginShort"/>, less than 128.</summary>
    internal void EndShort(int start)
    {
        int byteCount = SpanBytesWritten - start;
        Unsafe.Subtract(ref Reserve(0), byteCount + 1) = (byte)byteCount;
    }

    /// <summary>Where a position of generated code is, in bytes from the start of the piece.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
#if NET
    internal readonly int OffsetAt(ref byte position) => (int)Unsafe.ByteOffset(ref _start, ref position);
#else
    internal readonly int OffsetAt(ref byte position) => _spanByteCount - RoomAt(ref position);
#endif

    private void GrowWhole(int byteCount)
    {
        int written = SpanBytesWritten;
        byte[] rented = ArrayPool<byte>.Shared.Rent((int)Math.Min(Math.Max((long)written + byteCount, 2L * (written + Room)), 0x7FFF_FFC7));
        if (written > 0)
            Unsafe.CopyBlockUnaligned(ref rented[0], ref Unsafe.Subtract(ref Reserve(0), written), (uint)written);
        if (_rented is not null)
            ArrayPool<byte>.Shared.Return(_rented);
        _rented = rented;
        SetSpan(rented);
#if NET
        _position = ref Unsafe.Add(ref _position, written);
#else
        _span = _span.Slice(written);
#endif
    }

    private void HandOver(int byteCount)
    {
        _output!.Write(_rented.AsSpan(0, byteCount));
        ArrayPool<byte>.Shared.Return(_rented!);
        _rented = null;
    }
}
