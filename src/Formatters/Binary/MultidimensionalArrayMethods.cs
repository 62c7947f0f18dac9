using System;
using System.Diagnostics.CodeAnalysis;
using Formatters.Binary;

namespace Formatters;

/// <summary>Operations of multidimensional arrays beyond their elements; emitted code also calls them.</summary>
internal static class MultidimensionalArrayMethods
{
    internal static void WriteLengths(ref BinaryBodyWriter writer, Array? grid)
    {
        if (grid is null)
            ContractMethods.ThrowUnexpectedNull();
        CheckLengths(ref writer, grid);
        for (int i = 0; i < grid.Rank; i++)
            writer.Write(grid.GetLength(i));
    }

    /// <summary>Throws if an array has more elements than the limit.</summary>
    internal static void CheckLengths(ref BinaryBodyWriter writer, Array grid)
    {
        for (int i = 0; i < grid.Rank; i++)
        {
            if (grid.GetLength(i) > writer.Limits.MaxElementCount)
                ThrowHelper.ThrowBadElementCount(grid.GetLength(i), writer.Limits.MaxElementCount);
        }

        if (grid.Length > writer.Limits.MaxElementCount)
            ThrowHelper.ThrowBadElementCount(grid.Length, writer.Limits.MaxElementCount);
    }

    internal static TArray Create<TArray>(int[] lengths)
        where TArray : class
#if NET9_0_OR_GREATER
        => (TArray)(object)Array.CreateInstanceFromArrayType(typeof(TArray), lengths);
#else
#pragma warning disable IL3050 // The array type is there: it is TArray.
        => (TArray)(object)Array.CreateInstance(typeof(TArray).GetElementType()!, lengths);
#pragma warning restore IL3050
#endif

    internal static T[] Flatten<T>(Array grid)
    {
        var items = new T[grid.Length];
        int i = 0;
        foreach (T item in grid)
            items[i++] = item;
        return items;
    }

    /// <summary>Creates the multidimensional array from its elements.</summary>
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal static Array ToMultidimensionalArray(Array items, int[] lengths)
    {
        var grid = Array.CreateInstance(items.GetType().GetElementType()!, lengths);
        Fill(grid, items);
        return grid;
    }

    /// <summary>Sets the elements, the last index running fastest.</summary>
    internal static void Fill(Array grid, Array items)
    {
        int[] indexes = new int[grid.Rank];
        for (int i = 0; i < items.Length; i++)
        {
            grid.SetValue(items.GetValue(i), indexes);
            for (int d = indexes.Length - 1; d >= 0 && ++indexes[d] == grid.GetLength(d); d--)
                indexes[d] = 0;
        }
    }
}
