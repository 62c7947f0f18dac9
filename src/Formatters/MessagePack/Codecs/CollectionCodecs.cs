using System;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>A <c>T[]</c>.</summary>
internal sealed class ArrayCodec<T>(Elements<T> elements) : MessagePackCodec<T[]>
{
    public override void Write(ref MessagePackBodyWriter writer, T[] value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        elements.Write(ref writer, value);
    }

    public override T[] Read(ref MessagePackBodyReader reader, T[]? existing = null) => elements.ReadArray(ref reader, existing);
}

/// <summary>A list, or a member that is declared as an interface of one: it may hold any collection, and is read as a list.</summary>
internal sealed class ListCodec<TList, T>(Elements<T> elements) : MessagePackCodec<TList>
    where TList : class, IEnumerable<T>
{
    public override void Write(ref MessagePackBodyWriter writer, TList value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        if (value is T[] array)
            elements.Write(ref writer, array);
        else
            elements.Write(ref writer, value as List<T> ?? new List<T>(value));
    }

    public override TList Read(ref MessagePackBodyReader reader, TList? existing = null) =>
        (TList)(object)elements.ReadList(ref reader, existing?.GetType() == typeof(List<T>) ? (List<T>)(object)existing : null);
}

/// <summary>Any other collection: it is made of an array.</summary>
/// <param name="elements">The elements.</param>
/// <param name="make">Makes the collection.</param>
/// <param name="isSet">Whether two collections are equal whatever the order of their elements is, and no element comes twice.</param>
internal sealed class MadeCollectionCodec<TCollection, T>(Elements<T> elements, Func<T[], TCollection> make, bool isSet) : MessagePackCodec<TCollection>
    where TCollection : class, IEnumerable<T>
{
    public override void Write(ref MessagePackBodyWriter writer, TCollection value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        var list = new List<T>(value);
        if (isSet && writer.IsCanonical)
            elements.WriteSorted(ref writer, list);
        else
            elements.Write(ref writer, list);
    }

    public override TCollection Read(ref MessagePackBodyReader reader, TCollection? existing = null)
    {
        int byteOffset = reader.ByteOffset;
        T[] items = elements.ReadArray(ref reader, null);
        TCollection made = make(items);
        if (isSet && ((ICollection<T>)made).Count != items.Length)
            ContractMethods.ThrowDuplicateKey(byteOffset);
        return made;
    }
}

/// <summary>An array of several dimensions: an array of their lengths, and behind them an array of all elements, the last index fastest.</summary>
internal sealed class RectangularArrayCodec<TArray, T>(Elements<T> elements, int rank) : MessagePackCodec<TArray>
    where TArray : class
{
    public override void Write(ref MessagePackBodyWriter writer, TArray value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        var array = (Array)(object)value;
        writer.Enter();
        writer.WriteArrayHeader(rank + 1);
        for (int i = 0; i < rank; i++)
            writer.Write(array.GetLength(i));
        var items = new List<T>(array.Length);
        foreach (T item in array)
            items.Add(item);
        elements.Write(ref writer, items);
        writer.Leave();
    }

#if NET
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "The type of the array is that of a member: its code exists.")]
#endif
    public override TArray Read(ref MessagePackBodyReader reader, TArray? existing = null)
    {
        int[] lengths = GridLengths.Read(ref reader, rank, elements.Allocation, out int count);
        T[] items = new T[count];
        elements.ReadItems(ref reader, items, reuses: false);
        reader.Leave();
        Array array = Array.CreateInstance(typeof(T), lengths);
        int[] indexes = new int[rank];
        foreach (T item in items)
        {
            array.SetValue(item, indexes);
            for (int d = rank - 1; d >= 0 && ++indexes[d] == lengths[d]; d--)
                indexes[d] = 0;
        }

        return (TArray)(object)array;
    }
}

/// <summary>How collections are made of arrays.</summary>
internal static class CollectionMakers
{
    internal static readonly Type[] ListTypes =
        [typeof(List<>), typeof(IList<>), typeof(ICollection<>), typeof(IEnumerable<>), typeof(IReadOnlyList<>), typeof(IReadOnlyCollection<>)];

    /// <summary>The maker of a generic collection: the name of a method below, and whether it is a set.</summary>
    internal static (string Name, bool IsSet)? Find(Type definition)
    {
        if (definition == typeof(HashSet<>) || definition == typeof(ISet<>))
            return (nameof(MakeHashSet), true);
#if NET
        if (definition == typeof(IReadOnlySet<>))
            return (nameof(MakeHashSet), true);
#endif
        return definition == typeof(SortedSet<>) ? (nameof(MakeSortedSet), true)
            : definition == typeof(Queue<>) ? (nameof(MakeQueue), false)
            : definition == typeof(Stack<>) ? (nameof(MakeStack), false)
            : definition == typeof(LinkedList<>) ? (nameof(MakeLinkedList), false)
            : definition == typeof(Collection<>) ? (nameof(MakeCollection), false)
            : definition == typeof(ObservableCollection<>) ? (nameof(MakeObservableCollection), false)
            : definition == typeof(ReadOnlyCollection<>) ? (nameof(MakeReadOnlyCollection), false)
            : null;
    }

    private static HashSet<T> MakeHashSet<T>(T[] items)
        where T : notnull => new(items, typeof(T) == typeof(string) ? null : KeyedComparer<T>.Instance);

    private static SortedSet<T> MakeSortedSet<T>(T[] items) => new(items);

    private static Queue<T> MakeQueue<T>(T[] items) => new(items);

    // The top comes first in the body, and is pushed last.
    private static Stack<T> MakeStack<T>(T[] items)
    {
        Array.Reverse(items);
        return new Stack<T>(items);
    }

    private static LinkedList<T> MakeLinkedList<T>(T[] items) => new(items);

    private static Collection<T> MakeCollection<T>(T[] items) => new(new List<T>(items));

    private static ObservableCollection<T> MakeObservableCollection<T>(T[] items) => new(items);

    private static ReadOnlyCollection<T> MakeReadOnlyCollection<T>(T[] items) => new(items);
}
