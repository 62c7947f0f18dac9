using System.Collections.Generic;

namespace Formatters;

/// <summary>Defines how a contract treats a collection of the base library.</summary>
internal enum CollectionKind
{
    /// <summary>A list, or an interface of one, that is read as a <c>List&lt;T&gt;</c>.</summary>
    List,

    /// <summary>A collection that is created from an array of all its elements.</summary>
    Sequence,

    /// <summary>A collection that is created from a <c>HashSet&lt;T&gt;</c>: duplicate elements are an error.</summary>
    Set,

    /// <summary>A dictionary, or an interface of one, that is read as a <c>Dictionary&lt;TKey, TValue&gt;</c>.</summary>
    Dictionary,

    /// <summary>A dictionary that is created from a <c>Dictionary&lt;TKey, TValue&gt;</c>.</summary>
    MadeDictionary,

    /// <summary>A collection of objects, whose element type a member must declare; it is read as an <c>ArrayList</c>.</summary>
    ObjectList,

    /// <summary>A dictionary of objects, whose key and value types a member must declare; it is read as a <c>Hashtable</c>.</summary>
    ObjectDictionary,
}

/// <summary>Defines the source from which a collection is created, if it is not the elements in order.</summary>
internal enum CollectionSource
{
    Elements,

    /// <summary>The elements in reverse: a stack is enumerated from its top.</summary>
    Reversed,

    /// <summary>A <c>List&lt;T&gt;</c> of them.</summary>
    List,
}

/// <summary>Defines how the keys of a collection are compared: strings by their characters, independent of the culture.</summary>
internal enum CollectionKeys
{
    None,

    /// <summary>By an equality comparer.</summary>
    Compared,

    /// <summary>By an equality comparer; under the default one, the collection would hash strings without a key.</summary>
    Frozen,

    /// <summary>By an order.</summary>
    Ordered,
}

/// <summary>A collection of the base library that has a contract.</summary>
/// <param name="Name">The name of the definition in metadata: <c>System.Collections.Generic.Queue`1</c>.</param>
/// <param name="Kind">The kind of collection.</param>
/// <param name="Count">The member with its count; empty if there is none.</param>
/// <param name="Maker">The static method that creates it, with its class in the same namespace: <c>ImmutableList.CreateRange</c>. Empty for its
/// constructor.</param>
internal sealed record KnownCollection(string Name, CollectionKind Kind, string Count = "Count", string Maker = "")
{
    internal CollectionSource Source { get; init; }

    internal CollectionKeys Keys { get; init; }

    /// <summary>Gets whether the collection that was read is assignable to it: an interface, or a <c>HashSet&lt;T&gt;</c>.</summary>
    internal bool IsReadAsIs { get; init; }

    /// <summary>Gets whether it may change while it is written, so that it is first copied to an array.</summary>
    internal bool IsConcurrent { get; init; }

    /// <summary>Gets whether the comparer is the last argument of the maker, as for constructors.</summary>
    internal bool IsComparerLast => Maker.Length == 0 || Maker.StartsWith("Frozen", System.StringComparison.Ordinal);
}

/// <summary>The collections of the base library that have a contract, by name: some are in packages that the library does not reference.</summary>
internal static class KnownCollections
{
    private const string Objects = "System.Collections.";
    private const string Generic = "System.Collections.Generic.";
    private const string ObjectModel = "System.Collections.ObjectModel.";
    private const string Immutable = "System.Collections.Immutable.";
    private const string Concurrent = "System.Collections.Concurrent.";
    private const string Frozen = "System.Collections.Frozen.";

    private static readonly Dictionary<string, KnownCollection> All = CreateAll();

    /// <param name="fullName">The name of the definition in metadata.</param>
    /// <returns>Null if it is not one of these.</returns>
    internal static KnownCollection? Find(string fullName) => All.TryGetValue(fullName, out KnownCollection? collection) ? collection : null;

    /// <summary>Determines whether a member must declare the element type of a collection.</summary>
    internal static bool IsOfObjects(string fullName) => Find(fullName)?.Kind is CollectionKind.ObjectList or CollectionKind.ObjectDictionary;

    private static Dictionary<string, KnownCollection> CreateAll()
    {
        KnownCollection[] rows =
        [
            new(Generic + "List`1", CollectionKind.List),
            new(Generic + "IList`1", CollectionKind.List),
            new(Generic + "ICollection`1", CollectionKind.List),
            new(Generic + "IEnumerable`1", CollectionKind.List),
            new(Generic + "IReadOnlyList`1", CollectionKind.List),
            new(Generic + "IReadOnlyCollection`1", CollectionKind.List),

            new(Objects + "ArrayList", CollectionKind.ObjectList),
            new(Objects + "IList", CollectionKind.ObjectList),
            new(Objects + "ICollection", CollectionKind.ObjectList),
            new(Objects + "IEnumerable", CollectionKind.ObjectList),
            new(Objects + "Hashtable", CollectionKind.ObjectDictionary),
            new(Objects + "IDictionary", CollectionKind.ObjectDictionary),

            new(Generic + "Queue`1", CollectionKind.Sequence),
            new(Generic + "Stack`1", CollectionKind.Sequence) { Source = CollectionSource.Reversed },
            new(Generic + "LinkedList`1", CollectionKind.Sequence),
            new(ObjectModel + "Collection`1", CollectionKind.Sequence) { Source = CollectionSource.List },
            new(ObjectModel + "ObservableCollection`1", CollectionKind.Sequence),
            new(ObjectModel + "ReadOnlyCollection`1", CollectionKind.Sequence),
            new(Concurrent + "ConcurrentQueue`1", CollectionKind.Sequence, "Length") { IsConcurrent = true },
            new(Concurrent + "ConcurrentStack`1", CollectionKind.Sequence, "Length") { IsConcurrent = true, Source = CollectionSource.Reversed },
            // A bag enumerates its elements in reverse, like a stack.
            new(Concurrent + "ConcurrentBag`1", CollectionKind.Sequence, "Length") { IsConcurrent = true, Source = CollectionSource.Reversed },
            new(Immutable + "ImmutableArray`1", CollectionKind.Sequence, "Length", "ImmutableArray.Create"),
            new(Immutable + "ImmutableList`1", CollectionKind.Sequence, "Count", "ImmutableList.CreateRange"),
            new(Immutable + "IImmutableList`1", CollectionKind.Sequence, "Count", "ImmutableList.CreateRange"),
            new(Immutable + "ImmutableQueue`1", CollectionKind.Sequence, "", "ImmutableQueue.CreateRange"),
            new(Immutable + "IImmutableQueue`1", CollectionKind.Sequence, "", "ImmutableQueue.CreateRange"),
            new(Immutable + "ImmutableStack`1", CollectionKind.Sequence, "", "ImmutableStack.CreateRange") { Source = CollectionSource.Reversed },
            new(Immutable + "IImmutableStack`1", CollectionKind.Sequence, "", "ImmutableStack.CreateRange") { Source = CollectionSource.Reversed },

            new(Generic + "HashSet`1", CollectionKind.Set) { IsReadAsIs = true },
            new(Generic + "SortedSet`1", CollectionKind.Set) { Keys = CollectionKeys.Ordered },
            new(Generic + "ISet`1", CollectionKind.Set) { IsReadAsIs = true },
            new(Generic + "IReadOnlySet`1", CollectionKind.Set) { IsReadAsIs = true },
            new(ObjectModel + "ReadOnlySet`1", CollectionKind.Set),
            new(Immutable + "ImmutableHashSet`1", CollectionKind.Set, "Count", "ImmutableHashSet.CreateRange") { Keys = CollectionKeys.Compared },
            new(Immutable + "IImmutableSet`1", CollectionKind.Set, "Count", "ImmutableHashSet.CreateRange") { Keys = CollectionKeys.Compared },
            new(Immutable + "ImmutableSortedSet`1", CollectionKind.Set, "Count", "ImmutableSortedSet.CreateRange") { Keys = CollectionKeys.Ordered },
            new(Frozen + "FrozenSet`1", CollectionKind.Set, "Count", "FrozenSet.ToFrozenSet") { Keys = CollectionKeys.Frozen },

            new(Generic + "Dictionary`2", CollectionKind.Dictionary),
            new(Generic + "IDictionary`2", CollectionKind.Dictionary),
            new(Generic + "IReadOnlyDictionary`2", CollectionKind.Dictionary),
            new(Generic + "SortedDictionary`2", CollectionKind.MadeDictionary) { Keys = CollectionKeys.Ordered },
            new(Generic + "SortedList`2", CollectionKind.MadeDictionary) { Keys = CollectionKeys.Ordered },
            new(Generic + "OrderedDictionary`2", CollectionKind.MadeDictionary) { Keys = CollectionKeys.Compared },
            new(Concurrent + "ConcurrentDictionary`2", CollectionKind.MadeDictionary, "Length") { IsConcurrent = true,
                Keys = CollectionKeys.Compared },
            new(Immutable + "ImmutableDictionary`2", CollectionKind.MadeDictionary, "Count", "ImmutableDictionary.CreateRange")
                { Keys = CollectionKeys.Compared },
            new(Immutable + "IImmutableDictionary`2", CollectionKind.MadeDictionary, "Count", "ImmutableDictionary.CreateRange")
                { Keys = CollectionKeys.Compared },
            new(Immutable + "ImmutableSortedDictionary`2", CollectionKind.MadeDictionary, "Count", "ImmutableSortedDictionary.CreateRange")
                { Keys = CollectionKeys.Ordered },
            new(ObjectModel + "ReadOnlyDictionary`2", CollectionKind.MadeDictionary),
            new(Frozen + "FrozenDictionary`2", CollectionKind.MadeDictionary, "Count", "FrozenDictionary.ToFrozenDictionary")
                { Keys = CollectionKeys.Frozen },
        ];
        var all = new Dictionary<string, KnownCollection>(rows.Length);
        foreach (KnownCollection row in rows)
            all.Add(row.Name, row);
        return all;
    }
}
