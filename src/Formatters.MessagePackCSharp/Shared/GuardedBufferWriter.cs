using System;
using System.Buffers;
using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>Passes bytes on to another buffer writer until the limit, and looks at the stack: for a library that takes a buffer writer, and no limit,
/// and recurses without counting.</summary>
internal sealed class GuardedBufferWriter(IBufferWriter<byte> destination, int maxByteCount) : IBufferWriter<byte>
{
    /// <summary>
    /// As much as is given out unasked. A library that recurses without counting writes at least a byte for each level: from one look at the stack
    /// to the next it cannot use up what the look makes sure of.
    /// </summary>
    private const int PieceByteCount = 256;

    /// <summary>The number of bytes of the body so far.</summary>
    internal long WrittenCount { get; private set; }

    public void Advance(int count)
    {
        WrittenCount += count;
        if (WrittenCount > maxByteCount)
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.LimitExceeded,
                $"The body has {WrittenCount} bytes or more; the limit is {maxByteCount} (FormatterLimits.MaxBodyByteCount).");
        }

        destination.Advance(count);
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        Memory<byte> memory = destination.GetMemory(sizeHint);
        int byteCount = Math.Max(sizeHint, PieceByteCount);
        return memory.Length > byteCount ? memory[..byteCount] : memory;
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        Span<byte> span = destination.GetSpan(sizeHint);
        int byteCount = Math.Max(sizeHint, PieceByteCount);
        return span.Length > byteCount ? span[..byteCount] : span;
    }
}
