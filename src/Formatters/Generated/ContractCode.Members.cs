using System;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Generic;
#if NET
using System.Collections.Frozen;
using System.Collections.Immutable;
#endif

namespace Formatters.Generated;

// Members with a collection that has a comparer, and members whose setter has code.
public static partial class ContractCode
{
    /// <summary>
    /// Clears the collection of an existing object's member before its setter gets the new one, because a setter may add to the existing content.
    /// </summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="existing">The collection; null and a read-only one are ignored.</param>
    public static void Empty<T>(object? existing)
    {
        switch (existing)
        {
            case ICollection<T> { IsReadOnly: false } collection:
                collection.Clear();
                break;
            case IList { IsReadOnly: false, IsFixedSize: false } list:
                list.Clear();
                break;
            case IDictionary { IsReadOnly: false, IsFixedSize: false } dictionary:
                dictionary.Clear();
                break;
            case Queue<T> queue:
                queue.Clear();
                break;
            case Stack<T> stack:
                stack.Clear();
                break;
            case ConcurrentStack<T> stack:
                stack.Clear();
                break;
#if NET
            case ConcurrentQueue<T> queue:
                queue.Clear();
                break;
            case ConcurrentBag<T> bag:
                bag.Clear();
                break;
#endif
        }
    }

    /// <summary>Copies a list to which elements are to be added.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="items">The elements; null if there are none.</param>
    /// <returns>A new list; null for null.</returns>
    public static List<T>? CopyList<T>(IEnumerable<T>? items) => items is null ? null : [.. items];

    /// <summary>Copies a dictionary to which entries are to be added.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    /// <param name="entries">The entries; null if there are none.</param>
    /// <returns>A new dictionary; null for null.</returns>
    public static Dictionary<TKey, TValue>? CopyDictionary<TKey, TValue>(IEnumerable<KeyValuePair<TKey, TValue>>? entries)
        where TKey : notnull
    {
        if (entries is null)
            return null;
        Dictionary<TKey, TValue> copy = NewDictionary<TKey, TValue>(0);
        foreach (KeyValuePair<TKey, TValue> entry in entries)
            AddEntry(copy, entry.Key, entry.Value, -1);
        return copy;
    }

    /// <summary>Gives a dictionary that was read the comparer of the member's initial one, which its declaration may have set.</summary>
    /// <typeparam name="TDictionary">The type of the member.</typeparam>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    /// <param name="read">The dictionary that was read.</param>
    /// <param name="initial">The member's initial value; it is not changed.</param>
    /// <param name="byteOffset">The end of the dictionary, for the error.</param>
    /// <returns>The same dictionary, or one with the comparer.</returns>
    /// <exception cref="MessageFormatException">Two keys are equal by that comparer.</exception>
    public static TDictionary KeepComparer<TDictionary, TKey, TValue>(TDictionary read, object? initial, int byteOffset)
        where TKey : notnull => (TDictionary)KeptEntries<TKey, TValue>(read, initial, byteOffset)!;

    /// <summary>Gives a set that was read the comparer of the member's initial one, which its declaration may have set.</summary>
    /// <typeparam name="TSet">The type of the member.</typeparam>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="read">The set that was read.</param>
    /// <param name="initial">The member's initial value; it is not changed.</param>
    /// <param name="byteOffset">The end of the set, for the error.</param>
    /// <returns>The same set, or one with the comparer.</returns>
    /// <exception cref="MessageFormatException">Two elements are equal by that comparer.</exception>
    public static TSet KeepSetComparer<TSet, T>(TSet read, object? initial, int byteOffset)
        where T : notnull => (TSet)KeptElements<T>(read, initial, byteOffset)!;

    internal static object? KeptEntries<TKey, TValue>(object? read, object? initial, int byteOffset)
        where TKey : notnull
    {
        if (ReferenceEquals(read, initial))
            return read;
        switch (initial)
        {
            case Dictionary<TKey, TValue> { Comparer: var comparer } when !IsUsual(comparer) && read is Dictionary<TKey, TValue> entries:
                return Fill(new Dictionary<TKey, TValue>(entries.Count, comparer), entries, byteOffset);
            case SortedDictionary<TKey, TValue> { Comparer: var comparer } when !IsUsual(comparer) && read is SortedDictionary<TKey, TValue> entries:
                return Fill(new SortedDictionary<TKey, TValue>(comparer), entries, byteOffset);
            case SortedList<TKey, TValue> { Comparer: var comparer } when !IsUsual(comparer) && read is SortedList<TKey, TValue> entries:
                return Fill(new SortedList<TKey, TValue>(entries.Count, comparer), entries, byteOffset);
#if NET
            case ConcurrentDictionary<TKey, TValue> { Comparer: var comparer }
                when !IsUsual(comparer) && read is ConcurrentDictionary<TKey, TValue> entries:
                return Fill(new ConcurrentDictionary<TKey, TValue>(comparer), entries, byteOffset);
            case ImmutableDictionary<TKey, TValue> old when read is ImmutableDictionary<TKey, TValue> entries
                && (!IsUsual(old.KeyComparer) || !old.ValueComparer.Equals(EqualityComparer<TValue>.Default)):
                ImmutableDictionary<TKey, TValue>.Builder builder = ImmutableDictionary.CreateBuilder(old.KeyComparer, old.ValueComparer);
                Fill(builder, entries, byteOffset);
                return builder.ToImmutable();
            case ImmutableSortedDictionary<TKey, TValue> old when read is ImmutableSortedDictionary<TKey, TValue> entries
                && (!IsUsual(old.KeyComparer) || !old.ValueComparer.Equals(EqualityComparer<TValue>.Default)):
                ImmutableSortedDictionary<TKey, TValue>.Builder sorted = ImmutableSortedDictionary.CreateBuilder(old.KeyComparer, old.ValueComparer);
                Fill(sorted, entries, byteOffset);
                return sorted.ToImmutable();
            case FrozenDictionary<TKey, TValue> { Comparer: var comparer } when !IsUsual(comparer) && read is FrozenDictionary<TKey, TValue> entries:
                return Fill(new Dictionary<TKey, TValue>(entries.Count, comparer), entries, byteOffset).ToFrozenDictionary(Frozen(comparer));
#endif
#if NET9_0_OR_GREATER
            case OrderedDictionary<TKey, TValue> { Comparer: var comparer } when !IsUsual(comparer)
                && read is OrderedDictionary<TKey, TValue> entries:
                return Fill(new OrderedDictionary<TKey, TValue>(entries.Count, comparer), entries, byteOffset);
#endif
            default:
                return read;
        }
    }

    internal static object? KeptElements<T>(object? read, object? initial, int byteOffset)
        where T : notnull
    {
        if (ReferenceEquals(read, initial))
            return read;
        switch (initial)
        {
            case HashSet<T> { Comparer: var comparer } when !IsUsual(comparer) && read is HashSet<T> items:
                return Fill(new HashSet<T>(comparer), items, byteOffset);
            case SortedSet<T> { Comparer: var comparer } when !IsUsual(comparer) && read is SortedSet<T> items:
                return Fill(new SortedSet<T>(comparer), items, byteOffset);
#if NET
            case ImmutableHashSet<T> { KeyComparer: var comparer } when !IsUsual(comparer) && read is ImmutableHashSet<T> items:
                return Checked(items.WithComparer(comparer), items.Count, byteOffset);
            case ImmutableSortedSet<T> { KeyComparer: var comparer } when !IsUsual(comparer) && read is ImmutableSortedSet<T> items:
                return Checked(items.WithComparer(comparer), items.Count, byteOffset);
            case FrozenSet<T> { Comparer: var comparer } when !IsUsual(comparer) && read is FrozenSet<T> items:
                return Checked(items.ToFrozenSet(Frozen(comparer)), items.Count, byteOffset);
#endif
            default:
                return read;
        }
    }

    /// <summary>Throws if a dictionary has two keys that only its own comparer distinguishes, and that every reader considers equal.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    /// <param name="entries">The dictionary, not null.</param>
    /// <exception cref="MessageFormatException">There are two such keys.</exception>
    public static void CheckKeys<TKey, TValue>(IEnumerable<KeyValuePair<TKey, TValue>> entries)
        where TKey : notnull
    {
        bool isUsual = entries switch
        {
            Dictionary<TKey, TValue> { Comparer: var comparer } => NeverSplits(comparer),
            SortedDictionary<TKey, TValue> { Comparer: var comparer } => NeverSplits(comparer),
            SortedList<TKey, TValue> { Comparer: var comparer } => NeverSplits(comparer),
#if NET
            ConcurrentDictionary<TKey, TValue> { Comparer: var comparer } => NeverSplits(comparer),
            ImmutableDictionary<TKey, TValue> { KeyComparer: var comparer } => NeverSplits(comparer),
            ImmutableSortedDictionary<TKey, TValue> { KeyComparer: var comparer } => NeverSplits(comparer),
            FrozenDictionary<TKey, TValue> { Comparer: var comparer } => NeverSplits(comparer),
#endif
#if NET9_0_OR_GREATER
            OrderedDictionary<TKey, TValue> { Comparer: var comparer } => NeverSplits(comparer),
#endif
            _ => false,
        };
        if (isUsual)
            return;
        HashSet<TKey> keys = NewSet<TKey>(0);
        foreach (KeyValuePair<TKey, TValue> entry in entries)
            AddElement(keys, entry.Key, -1);
    }

    /// <summary>Throws if a set has two elements that only its own comparer distinguishes, and that every reader considers equal.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="elements">The set, not null.</param>
    /// <exception cref="MessageFormatException">There are two such elements.</exception>
    public static void CheckElements<T>(IEnumerable<T> elements)
        where T : notnull
    {
        bool isUsual = elements switch
        {
            HashSet<T> { Comparer: var comparer } => NeverSplits(comparer),
            SortedSet<T> { Comparer: var comparer } => NeverSplits(comparer),
#if NET
            ImmutableHashSet<T> { KeyComparer: var comparer } => NeverSplits(comparer),
            ImmutableSortedSet<T> { KeyComparer: var comparer } => NeverSplits(comparer),
            FrozenSet<T> { Comparer: var comparer } => NeverSplits(comparer),
#endif
            _ => false,
        };
        if (isUsual)
            return;
        HashSet<T> keys = NewSet<T>(0);
        foreach (T element in elements)
            AddElement(keys, element, -1);
    }

    /// <summary>Returns the elements of a set, after checking that every reader distinguishes them.</summary>
    internal static T[] ToDistinctArray<T>(IEnumerable<T> elements)
        where T : notnull
    {
        CheckElements(elements);
        return [.. elements];
    }

    /// <summary>Determines whether a comparer considers keys equal as a new collection does.</summary>
    private static bool IsUsual<T>(IEqualityComparer<T> comparer)
        where T : notnull =>
        ReferenceEquals(comparer, EqualityComparer<T>.Default) || ReferenceEquals(comparer, KeyedComparer<T>.Instance)
        || comparer.Equals(EqualityComparer<T>.Default) || ReferenceEquals(comparer, StringComparer.Ordinal);

    private static bool IsUsual<T>(IComparer<T> comparer) =>
        ReferenceEquals(comparer, System.Collections.Generic.Comparer<T>.Default) || ReferenceEquals(comparer, Order<T>());

    /// <summary>
    /// Determines whether a comparer considers equal all keys that a new collection does: a string comparer of the base library compares the
    /// characters.
    /// </summary>
    private static bool NeverSplits<T>(IEqualityComparer<T> comparer)
        where T : notnull => IsUsual(comparer) || comparer is StringComparer or KeyedStrings;

#if NET
    /// <summary>Hides a comparer of strings from a frozen collection, which would hash them without a key.</summary>
    private static IEqualityComparer<T> Frozen<T>(IEqualityComparer<T> comparer) =>
        comparer is StringComparer strings ? (IEqualityComparer<T>)(object)new KeyedStrings(strings) : comparer;
#endif

    private static bool NeverSplits<T>(IComparer<T> comparer) => IsUsual(comparer) || comparer is StringComparer;

    private static TDictionary Fill<TDictionary, TKey, TValue>(
        TDictionary dictionary, IEnumerable<KeyValuePair<TKey, TValue>> entries, int byteOffset)
        where TDictionary : IDictionary<TKey, TValue>
    {
        foreach (KeyValuePair<TKey, TValue> entry in entries)
        {
            if (dictionary.ContainsKey(entry.Key))
                ContractMethods.ThrowDuplicateKey(byteOffset);
            dictionary.Add(entry.Key, entry.Value);
        }

        return dictionary;
    }

    private static TSet Fill<TSet, T>(TSet set, IEnumerable<T> elements, int byteOffset)
        where TSet : ISet<T>
    {
        foreach (T element in elements)
        {
            if (!set.Add(element))
                ContractMethods.ThrowDuplicateKey(byteOffset);
        }

        return set;
    }

#if NET
    private static IReadOnlyCollection<T> Checked<T>(IReadOnlyCollection<T> set, int elementCount, int byteOffset)
    {
        if (set.Count != elementCount)
            ContractMethods.ThrowDuplicateKey(byteOffset);
        return set;
    }
#endif
}
