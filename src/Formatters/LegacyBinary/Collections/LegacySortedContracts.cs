using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>The contract of a sorted set: its count, comparer and version, and, if it has had items, an array of them.</summary>
internal sealed class LegacySortedSetContract<T>(LegacyType type) : LegacyKeyedContract(type)
{
    private const int Count = 0;
    private const int Comparer = 1;
    private const int Version = 2;
    private const int Items = 3;

    private static readonly Func<object, int>? GetVersion = FieldAccess.FindGetter<int>(typeof(SortedSet<T>), "version", "_version");
    private static readonly Action<object, int>? SetVersion = FieldAccess.FindSetter<int>(typeof(SortedSet<T>), "version", "_version");

    private LegacyMember[]? _emptyMembers;

    internal static LegacyClassContract Create(LegacyType type, LegacyTypeMapBuilder types)
    {
        LegacyComparers.AddOrder<T>(types);
        return WithMembers(
            new LegacySortedSetContract<T>(type),
            ("Count", types.Get(typeof(int))), ("Comparer", types.Get(new LegacyShape<IComparer<T>>())), ("Version", types.Get(typeof(int))),
            ("Items", types.Get(new LegacyArrayShape<T>())));
    }

    internal override object GetMembers(object value, LegacyTypeMap map, out LegacyMember[] members)
    {
        object bag = base.GetMembers(value, map, out members);
        if (((object?[])bag)[Items] is null)
            members = _emptyMembers ??= [Members[Count], Members[Comparer], Members[Version]];
        return bag;
    }

    internal override object Make(object?[] bag, int byteOffset) => new SortedSet<T>(Require<IComparer<T>>(bag, Comparer, byteOffset));

    internal override int GetCapacity(object?[] bag, int byteOffset) => (bag[Items] as Array)?.Length ?? 0;

    internal override void AddItems(object collection, object?[] bag, int byteOffset)
    {
        var set = (SortedSet<T>)collection;
        foreach (T item in bag[Items] as T[] ?? [])
        {
            if (!set.Add(item))
                LegacyKeys.ThrowDuplicate(byteOffset, Type);
        }

        SetVersion?.Invoke(set, Require<int>(bag, Version, byteOffset));
    }

    protected override void Fill(object?[] bag, object value)
    {
        var set = (SortedSet<T>)value;
        bag[Count] = set.Count;
        bag[Comparer] = set.Comparer;
        bag[Version] = GetVersion?.Invoke(set) ?? set.Count;
        if (set.Count == 0)
            return;
        var items = new T[set.Count];
        set.CopyTo(items);
        bag[Items] = items;
    }
}

/// <summary>The contract of a sorted dictionary: a tree of its pairs, which has the members of a sorted set, and a comparer.</summary>
internal sealed class LegacySortedDictionaryContract<TKey, TValue>(LegacyType type) : LegacyKeyedContract(type)
    where TKey : notnull
{
    private static readonly Func<object, object?>? GetTree = FieldAccess.FindGetter<object?>(typeof(SortedDictionary<TKey, TValue>), "_set", "set");
    private static readonly Func<object, int>? GetVersion =
        FieldAccess.FindGetter<int>(typeof(SortedSet<KeyValuePair<TKey, TValue>>), "version", "_version");
    private static readonly Action<object, int>? SetVersion =
        FieldAccess.FindSetter<int>(typeof(SortedSet<KeyValuePair<TKey, TValue>>), "version", "_version");

    internal static LegacyClassContract Create(LegacyType type, LegacyTypeMapBuilder types)
    {
        LegacyComparers.AddOrder<TKey>(types);
        types.Get(LegacyShapes.Runtime<KeyValuePair<TKey, TValue>>());
        types.Get(new LegacyArrayShape<KeyValuePair<TKey, TValue>>());
        types.Get(new LegacyShape<IComparer<TKey>>());
        string arguments = LegacyName.ArgumentsOf(type.Type, types.Options);
        string pair = $"[[System.Collections.Generic.KeyValuePair`2{arguments}, {LegacyName.CoreAssembly}]]";
        StandIn(new LegacyClassShape<PairComparer>(CreateComparer), "System.Collections.Generic.SortedDictionary`2+KeyValuePairComparer" + arguments);
        LegacyType tree = StandIn(new LegacyClassShape<Tree>(CreateTree), "System.Collections.Generic.TreeSet`1" + pair);
        return WithMembers(new LegacySortedDictionaryContract<TKey, TValue>(type), ("_set", tree));

        LegacyType StandIn(LegacyShape shape, string name) => types.GetStandIn(shape, name, type);
    }

    /// <summary>Gets false, because it is a plain class on .NET Framework.</summary>
    internal override bool WritesItself => false;

    internal override object Make(object?[] bag, int byteOffset)
    {
        if (Require<Tree>(bag, 0, byteOffset).Comparer?.KeyComparer is not IComparer<TKey> comparer)
            throw new MessageFormatException(MessageFormatErrorCode.BadValue, "The sorted dictionary has no comparer.", byteOffset,
                TypeNames.Of(Type.Type), isPoison: true);
        return new SortedDictionary<TKey, TValue>(comparer);
    }

    internal override int GetCapacity(object?[] bag, int byteOffset) => Require<Tree>(bag, 0, byteOffset).Items?.Length ?? 0;

    internal override void AddItems(object collection, object?[] bag, int byteOffset)
    {
        var dictionary = (SortedDictionary<TKey, TValue>)collection;
        var tree = (Tree)bag[0]!;
        foreach (KeyValuePair<TKey, TValue> pair in tree.Items ?? [])
        {
            if (pair.Key is null)
                LegacyKeys.ThrowNull(byteOffset, Type);
            if (dictionary.ContainsKey(pair.Key))
                LegacyKeys.ThrowDuplicate(byteOffset, Type);
            dictionary.Add(pair.Key, pair.Value);
        }

        if (GetTree?.Invoke(dictionary) is object set)
            SetVersion?.Invoke(set, tree.Version);
    }

    protected override void Fill(object?[] bag, object value)
    {
        var dictionary = (SortedDictionary<TKey, TValue>)value;
        var tree = new Tree { Count = dictionary.Count, Comparer = new PairComparer { KeyComparer = dictionary.Comparer } };
        tree.Version = GetTree?.Invoke(dictionary) is object set && GetVersion is not null ? GetVersion(set) : dictionary.Count;
        if (dictionary.Count > 0)
        {
            tree.Items = new KeyValuePair<TKey, TValue>[dictionary.Count];
            ((ICollection<KeyValuePair<TKey, TValue>>)dictionary).CopyTo(tree.Items, 0);
        }

        bag[0] = tree;
    }

    private static TreeContract CreateTree(LegacyType type, LegacyTypeMapBuilder types)
    {
        var contract = new TreeContract(type);
        contract.SetMembers(
        [
            types.CreateField<int>(type, "Count", static tree => ((Tree)tree).Count, static (tree, value) => ((Tree)tree).Count = value),
            types.CreateField<PairComparer?>(type, "Comparer", static tree => ((Tree)tree).Comparer,
                static (tree, value) => ((Tree)tree).Comparer = value),
            types.CreateField<int>(type, "Version", static tree => ((Tree)tree).Version, static (tree, value) => ((Tree)tree).Version = value),
            types.CreateField<KeyValuePair<TKey, TValue>[]?>(
                type, "Items", static tree => ((Tree)tree).Items, static (tree, value) => ((Tree)tree).Items = value),
        ]);
        return contract;
    }

    private static LegacyRecordContract CreateComparer(LegacyType type, LegacyTypeMapBuilder types)
    {
        var contract = new LegacyRecordContract(type, static () => new PairComparer());
        contract.SetMembers(
        [
            types.CreateField<IComparer<TKey>?>(
                type, "keyComparer", static comparer => ((PairComparer)comparer).KeyComparer,
                    static (comparer, value) => ((PairComparer)comparer).KeyComparer = value),
        ]);
        return contract;
    }

    /// <summary>Represents the runtime's TreeSet, an internal class that writes its own members.</summary>
    private sealed class Tree
    {
        internal int Count;
        internal PairComparer? Comparer;
        internal int Version;
        internal KeyValuePair<TKey, TValue>[]? Items;
    }

    /// <summary>Represents the runtime's KeyValuePairComparer.</summary>
    private sealed class PairComparer
    {
        internal IComparer<TKey>? KeyComparer;
    }

    private sealed class TreeContract(LegacyType type) : LegacyRecordContract(type, static () => new Tree())
    {
        private LegacyMember[]? _emptyMembers;

        internal override bool WritesItself => true;

        internal override object GetMembers(object value, LegacyTypeMap map, out LegacyMember[] members)
        {
            members = ((Tree)value).Items is null ? _emptyMembers ??= [Members[0], Members[1], Members[2]] : Members;
            return value;
        }
    }
}

/// <summary>The contract of a sorted list: its keys and values, in arrays that may be longer than it is.</summary>
internal sealed class LegacySortedListContract<TKey, TValue>(LegacyType type) : LegacyKeyedContract(type)
    where TKey : notnull
{
    private const int Keys = 0;
    private const int Values = 1;
    private const int Size = 2;
    private const int Version = 3;
    private const int Comparer = 4;

    private static readonly Func<object, int>? GetVersion = FieldAccess.FindGetter<int>(typeof(SortedList<TKey, TValue>), "version", "_version");
    private static readonly Action<object, int>? SetVersion = FieldAccess.FindSetter<int>(typeof(SortedList<TKey, TValue>), "version", "_version");

    internal static LegacyClassContract Create(LegacyType type, LegacyTypeMapBuilder types)
    {
        LegacyComparers.AddOrder<TKey>(types);
        string arguments = LegacyName.ArgumentsOf(type.Type, types.Options);
        LegacyType View(bool isOfKeys) => isOfKeys
            ? StandIn(new LegacyClassShape<KeyList>(CreateView<KeyList>), "System.Collections.Generic.SortedList`2+KeyList" + arguments)
            : StandIn(new LegacyClassShape<ValueList>(CreateView<ValueList>), "System.Collections.Generic.SortedList`2+ValueList" + arguments);
        return WithMembers(
            new LegacySortedListContract<TKey, TValue>(type),
            ("keys", types.Get(new LegacyArrayShape<TKey>())), ("values", types.Get(new LegacyArrayShape<TValue>())),
                ("_size", types.Get(typeof(int))),
            ("version", types.Get(typeof(int))), ("comparer", types.Get(new LegacyShape<IComparer<TKey>>())), ("keyList", View(true)),
                ("valueList", View(false)));

        LegacyType StandIn(LegacyShape shape, string name) => types.GetStandIn(shape, name, type);
    }

    /// <summary>Gets false, because it is a plain class.</summary>
    internal override bool WritesItself => false;

    internal override object Make(object?[] bag, int byteOffset) =>
        new SortedList<TKey, TValue>(GetCapacity(bag, byteOffset), Require<IComparer<TKey>>(bag, Comparer, byteOffset));

    internal override int GetCapacity(object?[] bag, int byteOffset) => Require<TKey[]>(bag, Keys, byteOffset).Length;

    internal override void AddItems(object collection, object?[] bag, int byteOffset)
    {
        var list = (SortedList<TKey, TValue>)collection;
        TKey[] keys = Require<TKey[]>(bag, Keys, byteOffset);
        TValue[] values = Require<TValue[]>(bag, Values, byteOffset);
        int count = Require<int>(bag, Size, byteOffset);
        if (keys.Length != values.Length || (uint)count > (uint)keys.Length)
            NrbfThrow.Malformed(byteOffset, "The sorted list has more items than its arrays, or different numbers of keys and values.");
        for (int i = 0; i < count; i++)
        {
            if (keys[i] is null)
                LegacyKeys.ThrowNull(byteOffset, Type);
        }

        // Sorted in the order of this machine, so that each is added at the end and none moves. A copy, because other members may reference the
        // arrays.
        keys = keys.AsSpan(0, count).ToArray();
        values = values.AsSpan(0, count).ToArray();
        Array.Sort(keys, values, list.Comparer);
        for (int i = 0; i < count; i++)
        {
            if (i > 0 && list.Comparer.Compare(keys[i - 1], keys[i]) == 0)
                LegacyKeys.ThrowDuplicate(byteOffset, Type);
            list.Add(keys[i], values[i]);
        }

        SetVersion?.Invoke(list, Require<int>(bag, Version, byteOffset));
    }

    protected override void Fill(object?[] bag, object value)
    {
        var list = (SortedList<TKey, TValue>)value;
        var keys = new TKey[list.Capacity];
        var values = new TValue[list.Capacity];
        // Not with Keys and Values: a list stores these views once they were used, and would write them.
        int i = 0;
        foreach (KeyValuePair<TKey, TValue> pair in list)
        {
            keys[i] = pair.Key;
            values[i++] = pair.Value;
        }

        bag[Keys] = keys;
        bag[Values] = values;
        bag[Size] = list.Count;
        bag[Version] = GetVersion?.Invoke(list) ?? list.Count;
        bag[Comparer] = list.Comparer;
    }

    private static LegacyRecordContract CreateView<TView>(LegacyType type, LegacyTypeMapBuilder types)
        where TView : View, new()
    {
        var contract = new LegacyRecordContract(type, static () => new TView());
        contract.SetMembers(
        [
            types.CreateField<SortedList<TKey, TValue>?>(
                type, "_dict", static view => ((View)view).List, static (view, value) => ((View)view).List = value),
        ]);
        return contract;
    }

    /// <summary>Represents the views of keys and values that a list stores after they were used. They are read and ignored.</summary>
    private abstract class View
    {
        internal SortedList<TKey, TValue>? List;
    }

    private sealed class KeyList : View;

    private sealed class ValueList : View;
}
