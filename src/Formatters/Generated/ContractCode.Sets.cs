using System;
using System.Collections.Generic;
using Formatters.Binary;

namespace Formatters.Generated;

public static partial class ContractCode
{
    /// <summary>Returns the comparer for the keys of new dictionaries and sets, with which a sender cannot cause collisions.</summary>
    /// <typeparam name="T">The type of the keys.</typeparam>
    /// <returns>The comparer.</returns>
    public static IEqualityComparer<T> Comparer<T>()
        where T : notnull => typeof(T) == typeof(string) ? EqualityComparer<T>.Default : KeyedComparer<T>.Instance;

    /// <summary>Returns the comparer for the keys of new frozen collections, which would hash strings without a key under the default one.</summary>
    /// <typeparam name="T">The type of the keys.</typeparam>
    /// <returns>The comparer.</returns>
    public static IEqualityComparer<T> FrozenComparer<T>()
        where T : notnull => KeyedComparer<T>.Instance;

    /// <summary>
    /// Returns the order of the keys of new sorted collections: the default comparer's, except that different strings are never equal.
    /// </summary>
    /// <typeparam name="T">The type of the keys.</typeparam>
    /// <returns>The comparer.</returns>
    public static IComparer<T> Order<T>() => typeof(T) == typeof(string)
        ? (IComparer<T>)(object)StringOrder.Instance
        : System.Collections.Generic.Comparer<T>.Default;

    /// <summary>Creates a set.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="elementCount">For how many elements.</param>
    /// <returns>The set.</returns>
    public static HashSet<T> NewSet<T>(int elementCount)
        where T : notnull
#if NET
        => new(elementCount, Comparer<T>());
#else
        => new(Comparer<T>());
#endif

    /// <summary>Adds an element that was read.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="set">The set.</param>
    /// <param name="element">The element.</param>
    /// <param name="byteOffset">The offset of the element.</param>
    /// <exception cref="MessageFormatException">The set already contains it.</exception>
    internal static void AddElement<T>(HashSet<T> set, T element, int byteOffset)
        where T : notnull
    {
        if (!set.Add(element))
            ContractMethods.ThrowDuplicateKey(byteOffset);
    }

    /// <summary>Reverses the elements of a stack, which are enumerated from the top, into the order in which they are pushed.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="items">The elements; they are turned in place.</param>
    /// <returns>The same array.</returns>
    public static T[] Reverse<T>(T[] items)
    {
        Array.Reverse(items);
        return items;
    }

    /// <summary>Throws if a multidimensional array has more elements than the limit.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="grid">The array.</param>
    /// <exception cref="MessageFormatException">Above the limit.</exception>
    public static void CheckGrid(ref BinaryBodyWriter writer, Array grid) => MultidimensionalArrayMethods.CheckLengths(ref writer, grid);

    /// <summary>Reads the lengths of a multidimensional array.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="rank">The number of dimensions.</param>
    /// <param name="minElementByteCount">The fewest bytes of an element.</param>
    /// <param name="elementAllocation">The approximate size of an element in memory.</param>
    /// <param name="elementCount">The number of elements: the product.</param>
    /// <returns>The lengths; so large an array may be allocated.</returns>
    /// <exception cref="MessageFormatException">A length is negative, or the product needs more bytes than remain or is above the limit.</exception>
    public static int[] ReadLengths(ref BinaryBodyReader reader, int rank, int minElementByteCount, int elementAllocation, out int elementCount) =>
        reader.ReadLengths(rank, minElementByteCount, elementAllocation, out elementCount);

    /// <summary>Creates a multidimensional array.</summary>
    /// <typeparam name="TArray">The type of the array.</typeparam>
    /// <param name="lengths">Its lengths.</param>
    /// <returns>The array.</returns>
    public static TArray NewGrid<TArray>(int[] lengths)
        where TArray : class => MultidimensionalArrayMethods.Create<TArray>(lengths);
}
