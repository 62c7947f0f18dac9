// What the readers of other wire formats need of this one: legacy binary bodies have its values, in records.
using System;

namespace Formatters;

public ref partial struct BinaryBodyReader
{
    /// <summary>Whether the next byte is a given one; it is not read.</summary>
    internal readonly bool IsNext(byte value) => BytesRemaining > 0 && _input.Position == value;

    /// <summary>Reads the bytes of a string, not checked to be UTF-8.</summary>
    /// <returns>A view of the body.</returns>
    internal ReadOnlySpan<byte> ReadTextSpan() => ReadSpan(ReadLongByteCount());

    /// <summary>Charges memory that is about to be taken against <see cref="FormatterLimits.MaxAllocationFactor"/>.</summary>
    internal void Charge(int byteOffset, int elementCount, int elementByteCount) => ChargeAllocation(byteOffset, elementCount, elementByteCount);

    /// <inheritdoc cref="Charge(int, int, int)"/>
    internal void Charge(int byteOffset, long byteCount) => _input.Charge(byteOffset, byteCount);

    /// <summary>Checks a count against the bytes that remain.</summary>
    internal readonly void RequireBytes(long byteCount)
    {
        if (byteCount > BytesRemaining)
            _input.ThrowTruncated(byteCount);
    }
}
