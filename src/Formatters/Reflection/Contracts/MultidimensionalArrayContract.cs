using System;
using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>The contract of a multidimensional array: its lengths, then the elements, the last index fastest.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class MultidimensionalArrayContract(Type type, ValueContract element) : ValueContract(type)
{
    internal ValueContract Element { get; } = element;

    internal int ElementAllocation { get; } = Allocation.OfElement(element.Type);

    internal override int MinByteCount => sizeof(int) * Type.GetArrayRank();

    internal override void Write(ref BinaryBodyWriter writer, object? value)
    {
        MultidimensionalArrayMethods.WriteLengths(ref writer, (Array?)value);
        int i = 0;
        foreach (object? element in (Array)value!)
        {
            try
            {
                Element.Write(ref writer, element);
            }
            catch (MessageFormatException e) when (NotePath(e, IndexPart(i)))
            {
                throw;
            }

            i++;
        }
    }

    internal override object? Read(ref BinaryBodyReader reader, object? existing)
    {
        int[] lengths = reader.ReadLengths(Type.GetArrayRank(), Element.MinByteCount, ElementAllocation, out int count);
        Array items = NewItems(count);
        for (int i = 0; i < count; i++)
        {
            try
            {
                items.SetValue(Element.Read(ref reader, null), i);
            }
            catch (MessageFormatException e) when (NotePath(e, IndexPart(i)))
            {
                throw;
            }
            catch (Exception e) when (BodyFault.Is(e))
            {
                throw BodyFault.Refused(reader.ByteOffset, e, IndexPart(i));
            }
        }

        return MultidimensionalArrayMethods.ToMultidimensionalArray(items, lengths);
    }

    internal Array NewItems(int count) => Array.CreateInstance(Element.Type, count);

    internal override object CreateEmpty() => Array.CreateInstance(Element.Type, new int[Type.GetArrayRank()]);
}

/// <summary>Operations of multidimensional arrays beyond their elements; emitted code also calls them.</summary>
internal static class MultidimensionalArrayMethods
{
    internal static void WriteLengths(ref BinaryBodyWriter writer, Array? grid)
    {
        if (grid is null)
            ContractMethods.ThrowUnexpectedNull();
        Generated.ContractCode.CheckGrid(ref writer, grid);
        for (int i = 0; i < grid.Rank; i++)
            writer.Write(grid.GetLength(i));
    }

    /// <summary>
    /// Determines whether every .NET can create an array of these lengths: every partial product must fit, even if a later 0 leaves no elements.
    /// </summary>
    internal static bool CanMake(int[] lengths)
    {
        long product = 1;
        foreach (int length in lengths)
        {
            product *= length;
            if (product > int.MaxValue)
                return false;
        }

        return true;
    }

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
