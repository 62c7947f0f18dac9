// Members for the readers of other wire formats: legacy binary bodies contain values of this format, in records.
using System;

namespace Formatters.Binary;

public ref partial struct BinaryBodyReader
{
    /// <summary>Determines whether the next byte has a given value, without reading it.</summary>
    internal readonly bool IsNext(byte value) => BytesRemaining > 0 && _input.Position == value;

    /// <summary>Reads the bytes of a string, not checked to be UTF-8.</summary>
    /// <returns>A view of the body.</returns>
    internal ReadOnlySpan<byte> ReadTextSpan() => ReadSpan(ReadLongByteCount());

    /// <summary>Charges memory that is about to be allocated against <see cref="FormatterLimits.MaxAllocationFactor"/>.</summary>
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
