using System;
using System.Buffers;

namespace Formatters.Adapters.Tests;

internal static class Bytes
{
    /// <summary>The same bytes, one in each segment.</summary>
    internal static ReadOnlySequence<byte> Segmented(byte[] body)
    {
        Segment? first = null;
        Segment? last = null;
        for (int i = 0; i < body.Length; i++)
        {
            last = new Segment(body.AsMemory(i, 1), last);
            first ??= last;
        }

        return first is null ? default : new ReadOnlySequence<byte>(first, 0, last!, last!.Memory.Length);
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
