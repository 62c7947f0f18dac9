using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using MemoryPack;

namespace Formatters;

/// <summary>A body in short segments, whose memory checks the stack each time the reader enters a segment.</summary>
/// <remarks>MemoryPack recurses without counting when it reads: a body of 200,000 bytes can end the process. It reads at least one byte for each
/// level.</remarks>
internal sealed class StackCheckedBody(byte[] bytes, int byteCount) : MemoryManager<byte>
{
    private const int SegmentByteCount = 128;

    /// <summary>Reads a value and checks the stack on the way.</summary>
    /// <returns>The number of bytes read.</returns>
    /// <exception cref="InsufficientExecutionStackException">The body is nested too deeply.</exception>
    internal static int Read<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.All)] T>(ReadOnlySpan<byte> body, ref T? value,
        MemoryPackSerializerOptions options)
    {
        byte[] rented = ArrayPool<byte>.Shared.Rent(body.Length);
        try
        {
            body.CopyTo(rented);
            return MemoryPackSerializer.Deserialize(new StackCheckedBody(rented, body.Length).ToSequence(), ref value, options);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    public override Span<byte> GetSpan()
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        return bytes.AsSpan(0, byteCount);
    }

    public override MemoryHandle Pin(int elementIndex = 0) => throw new NotSupportedException();

    public override void Unpin() => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
    }

    private ReadOnlySequence<byte> ToSequence()
    {
        if (byteCount == 0)
            return default;
        var first = new Segment(CreateMemory(0, Math.Min(SegmentByteCount, byteCount)), null);
        Segment last = first;
        for (int start = SegmentByteCount; start < byteCount; start += SegmentByteCount)
            last = new Segment(CreateMemory(start, Math.Min(SegmentByteCount, byteCount - start)), last);
        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        internal Segment(ReadOnlyMemory<byte> memory, Segment? previous)
        {
            Memory = memory;
            if (previous is null)
                return;
            RunningIndex = previous.RunningIndex + previous.Memory.Length;
            previous.Next = this;
        }
    }
}
