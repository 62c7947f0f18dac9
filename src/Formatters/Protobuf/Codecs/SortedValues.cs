using System;

namespace Formatters;

/// <summary>Values written aside, to be put into the order of their bytes: what the canonical form of maps and sets is made of.</summary>
/// <remarks>The order is that of CBOR's core deterministic encoding (https://www.rfc-editor.org/rfc/rfc8949#section-4.2.1): bytewise, of the encoded values.</remarks>
internal sealed class SortedValues : IDisposable
{
    private readonly int[] _ends;
    private int _count;

    internal SortedValues(int capacity) => _ends = new int[capacity];

    /// <summary>Receives the values, one behind the other; <see cref="EndValue"/> follows each.</summary>
    internal PooledBufferWriter Buffer { get; } = new();

    /// <summary>Ends a value that was written into <see cref="Buffer"/>.</summary>
    internal void EndValue() => _ends[_count++] = Buffer.WrittenCount;

    /// <summary>The places at which the values were added, in the order of their bytes.</summary>
    internal int[] GetOrder()
    {
        int[] order = new int[_count];
        for (int i = 0; i < _count; i++)
            order[i] = i;
        Array.Sort(order, (x, y) => Get(x).SequenceCompareTo(Get(y)));
        return order;
    }

    internal ReadOnlySpan<byte> Get(int index)
    {
        int start = index == 0 ? 0 : _ends[index - 1];
        return Buffer.WrittenSpan.Slice(start, _ends[index] - start);
    }

    public void Dispose() => Buffer.Dispose();
}
