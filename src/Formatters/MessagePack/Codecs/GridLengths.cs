using System;

namespace Formatters;

/// <summary>The beginning of an array of several dimensions: an array of their lengths, and behind them an array of all elements.</summary>
internal static class GridLengths
{
    /// <summary>Reads up to the header of the elements, within the outer array, whose level of nesting is counted: the caller leaves it.</summary>
    internal static int[] Read(ref MessagePackBodyReader reader, int rank, int elementAllocation, out int elementCount)
    {
        int byteOffset = reader.ByteOffset;
        if (reader.ReadArrayHeader() != rank + 1)
            ThrowHelper.ThrowBadValue(byteOffset, "array of " + rank + " dimensions");
        reader.Enter();
        int[] lengths = new int[rank];
        int lengthsOffset = reader.ByteOffset;
        long product = 1;
        for (int i = 0; i < rank; i++)
        {
            byteOffset = reader.ByteOffset;
            lengths[i] = reader.ReadInt32();
            if (lengths[i] < 0)
                ThrowHelper.ThrowBadLength(byteOffset, "The number of elements is negative.");
            if (lengths[i] > reader.Limits.MaxElementCount)
                ThrowHelper.ThrowTooManyElements(byteOffset, lengths[i], reader.Limits.MaxElementCount);
            product = Math.Min(product * lengths[i], int.MaxValue);
        }

        if (product == 0 && !GridMethods.CanMake(lengths))
            ThrowHelper.ThrowBadLength(lengthsOffset, "No array can have these lengths.");
        byteOffset = reader.ByteOffset;
        elementCount = reader.ReadArrayHeader(elementAllocation);
        if (elementCount != product)
            ThrowHelper.ThrowBadLength(byteOffset, "The number of elements is not the product of the lengths.");
        return lengths;
    }
}
