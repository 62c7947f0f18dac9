using System;
using Formatters.Buffers;

namespace Formatters;

/// <summary>Sorts values, written to a temporary buffer, by their bytes, for the canonical form of maps and sets.</summary>
/// <remarks>
/// The order is that of CBOR's core deterministic encoding (https://www.rfc-editor.org/rfc/rfc8949#section-4.2.1): bytewise, of the encoded values.
/// </remarks>
internal sealed class SortedValues : IDisposable
{
    private readonly int[] _ends;
    private int _count;

    internal SortedValues(int capacity) => _ends = new int[capacity];

    /// <summary>Gets the buffer for the values; call <see cref="EndValue"/> after each.</summary>
    internal PooledBufferWriter Buffer { get; } = new();

    /// <summary>Ends a value that was written to <see cref="Buffer"/>.</summary>
    internal void EndValue() => _ends[_count++] = Buffer.WrittenCount;

    /// <summary>Returns the indexes of the values in the order of their bytes.</summary>
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
