using System.Collections.Generic;

namespace Formatters.Generator;

/// <summary>Types of the base library beyond scalars, arrays, lists and dictionaries, by the names of their definitions.</summary>
internal static class KnownTypes
{
    private const string Generic = "System.Collections.Generic.";
    private const string ObjectModel = "System.Collections.ObjectModel.";
    private const string Immutable = "System.Collections.Immutable.";
    private const string Concurrent = "System.Collections.Concurrent.";
    private const string Frozen = "System.Collections.Frozen.";
    private const string Code = "global::Formatters.Generated.ContractCode.";

    internal static readonly HashSet<string> ListInterfaces =
    [
        Generic + "IList`1", Generic + "ICollection`1", Generic + "IEnumerable`1", Generic + "IReadOnlyList`1", Generic + "IReadOnlyCollection`1",
    ];

    /// <summary>Collections of objects, whose element type a member has to declare; read as <c>ArrayList</c>.</summary>
    internal static readonly HashSet<string> ObjectLists =
        ["System.Collections.ArrayList", "System.Collections.IList", "System.Collections.ICollection", "System.Collections.IEnumerable"];

    /// <summary>Dictionaries of objects, whose key and value types a member has to declare; read as <c>Hashtable</c>.</summary>
    internal static readonly HashSet<string> ObjectDictionaries = ["System.Collections.Hashtable", "System.Collections.IDictionary"];

    internal static readonly CollectionRecipe Hashtable = new("Count", Code + "ToHashtable<{1}, {2}>({0})", false);

    internal static readonly HashSet<string> DictionaryInterfaces = [Generic + "IDictionary`2", Generic + "IReadOnlyDictionary`2"];

    /// <summary>The fewest bytes of types that <c>ContractCode</c> has methods for.</summary>
    internal static readonly Dictionary<string, (string Name, int MinByteCount)> Values = new()
    {
        ["System.Uri"] = ("Uri", 1),
        ["System.Version"] = ("Version", 16),
        ["System.Numerics.BigInteger"] = ("BigInteger", 5),
        ["System.ReadOnlyMemory`1"] = ("ReadOnlyMemory", 4),
        ["System.Memory`1"] = ("Memory", 4),
    };

    internal static readonly Dictionary<string, CollectionRecipe> Sequences = new()
    {
        [Generic + "Queue`1"] = new("Count", "new global::" + Generic + "Queue<{1}>({0})", false),
        [Generic + "Stack`1"] = new("Count", "new global::" + Generic + "Stack<{1}>(" + Code + "Reverse({0}))", false),
        [Generic + "LinkedList`1"] = new("Count", "new global::" + Generic + "LinkedList<{1}>({0})", false),
        [ObjectModel + "Collection`1"] = new("Count", "new global::" + ObjectModel + "Collection<{1}>(new global::" + Generic + "List<{1}>({0}))", false),
        [ObjectModel + "ObservableCollection`1"] = new("Count", "new global::" + ObjectModel + "ObservableCollection<{1}>({0})", false),
        [ObjectModel + "ReadOnlyCollection`1"] = new("Count", "new global::" + ObjectModel + "ReadOnlyCollection<{1}>({0})", false),
        [Concurrent + "ConcurrentQueue`1"] = new("Length", "new global::" + Concurrent + "ConcurrentQueue<{1}>({0})", false, true),
        [Concurrent + "ConcurrentStack`1"] = new("Length", "new global::" + Concurrent + "ConcurrentStack<{1}>(" + Code + "Reverse({0}))", false, true),
        // A bag gives its elements in the reverse order, as a stack.
        [Concurrent + "ConcurrentBag`1"] = new("Length", "new global::" + Concurrent + "ConcurrentBag<{1}>(" + Code + "Reverse({0}))", false, true),
        [Immutable + "ImmutableArray`1"] = new("Length", "global::" + Immutable + "ImmutableArray.Create<{1}>({0})", false),
        [Immutable + "ImmutableList`1"] = new("Count", "global::" + Immutable + "ImmutableList.CreateRange<{1}>({0})", false),
        [Immutable + "IImmutableList`1"] = new("Count", "global::" + Immutable + "ImmutableList.CreateRange<{1}>({0})", false),
        [Immutable + "ImmutableQueue`1"] = new("", "global::" + Immutable + "ImmutableQueue.CreateRange<{1}>({0})", false),
        [Immutable + "IImmutableQueue`1"] = new("", "global::" + Immutable + "ImmutableQueue.CreateRange<{1}>({0})", false),
        [Immutable + "ImmutableStack`1"] = new("", "global::" + Immutable + "ImmutableStack.CreateRange<{1}>(" + Code + "Reverse({0}))", false),
        [Immutable + "IImmutableStack`1"] = new("", "global::" + Immutable + "ImmutableStack.CreateRange<{1}>(" + Code + "Reverse({0}))", false),
        [Generic + "HashSet`1"] = new("Count", "{0}", true),
        [Generic + "SortedSet`1"] = new("Count", "new global::" + Generic + "SortedSet<{1}>({0}, " + Code + "Order<{1}>())", true),
        [Generic + "ISet`1"] = new("Count", "{0}", true),
        [Generic + "IReadOnlySet`1"] = new("Count", "{0}", true),
        [ObjectModel + "ReadOnlySet`1"] = new("Count", "new global::" + ObjectModel + "ReadOnlySet<{1}>({0})", true),
        [Immutable + "ImmutableHashSet`1"] =
            new("Count", "global::" + Immutable + "ImmutableHashSet.CreateRange<{1}>(" + Code + "Comparer<{1}>(), {0})", true),
        [Immutable + "IImmutableSet`1"] =
            new("Count", "global::" + Immutable + "ImmutableHashSet.CreateRange<{1}>(" + Code + "Comparer<{1}>(), {0})", true),
        [Immutable + "ImmutableSortedSet`1"] = new("Count", "global::" + Immutable + "ImmutableSortedSet.CreateRange<{1}>(" + Code + "Order<{1}>(), {0})", true),
        [Frozen + "FrozenSet`1"] = new("Count", "global::" + Frozen + "FrozenSet.ToFrozenSet<{1}>({0}, " + Code + "Comparer<{1}>())", true),
    };

    internal static readonly Dictionary<string, CollectionRecipe> Dictionaries = new()
    {
        [Generic + "SortedDictionary`2"] = new("Count", "new global::" + Generic + "SortedDictionary<{1}, {2}>({0}, " + Code + "Order<{1}>())", false),
        [Generic + "SortedList`2"] = new("Count", "new global::" + Generic + "SortedList<{1}, {2}>({0}, " + Code + "Order<{1}>())", false),
        [Generic + "OrderedDictionary`2"] = new("Count", "new global::" + Generic + "OrderedDictionary<{1}, {2}>({0}, " + Code + "Comparer<{1}>())", false),
        [Concurrent + "ConcurrentDictionary`2"] =
            new("Length", "new global::" + Concurrent + "ConcurrentDictionary<{1}, {2}>({0}, " + Code + "Comparer<{1}>())", false, true),
        [Immutable + "ImmutableDictionary`2"] =
            new("Count", "global::" + Immutable + "ImmutableDictionary.CreateRange<{1}, {2}>(" + Code + "Comparer<{1}>(), {0})", false),
        [Immutable + "IImmutableDictionary`2"] =
            new("Count", "global::" + Immutable + "ImmutableDictionary.CreateRange<{1}, {2}>(" + Code + "Comparer<{1}>(), {0})", false),
        [ObjectModel + "ReadOnlyDictionary`2"] = new("Count", "new global::" + ObjectModel + "ReadOnlyDictionary<{1}, {2}>({0})", false),
        [Immutable + "ImmutableSortedDictionary`2"] = new("Count", "global::" + Immutable + "ImmutableSortedDictionary.CreateRange<{1}, {2}>(" + Code + "Order<{1}>(), {0})", false),
        [Frozen + "FrozenDictionary`2"] = new("Count", "global::" + Frozen + "FrozenDictionary.ToFrozenDictionary<{1}, {2}>({0}, " + Code + "Comparer<{1}>())", false),
    };
}
