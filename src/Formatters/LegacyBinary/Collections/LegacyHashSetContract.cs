using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>The contract of a set: its version, comparer and number of buckets, and, if it has buckets, an array of its items.</summary>
internal sealed class LegacyHashSetContract<T>(LegacyType type) : LegacyKeyedContract(type)
{
    private const int Version = 0;
    private const int Comparer = 1;
    private const int Capacity = 2;
    private const int Elements = 3;

    private static readonly Func<object, int>? GetVersion = FieldAccess.FindGetter<int>(typeof(HashSet<T>), "_version", "m_version");
    private static readonly Action<object, int>? SetVersion = FieldAccess.FindSetter<int>(typeof(HashSet<T>), "_version", "m_version");
    private static readonly Func<object, object?>? GetBuckets = FieldAccess.FindGetter<object?>(typeof(HashSet<T>), "_buckets", "m_buckets");

    private LegacyMember[]? _emptyMembers;

    internal static LegacyClassContract Create(LegacyType type, LegacyTypeMapBuilder types)
    {
        LegacyComparers.AddEquality<T>(types);
        return WithMembers(
            new LegacyHashSetContract<T>(type),
            ("Version", types.Get(typeof(int))), ("Comparer", types.Get(new LegacyShape<IEqualityComparer<T>>())),
                ("Capacity", types.Get(typeof(int))),
            ("Elements", types.Get(new LegacyArrayShape<T>())));
    }

    internal override object GetMembers(object value, LegacyTypeMap map, out LegacyMember[] members)
    {
        object bag = base.GetMembers(value, map, out members);
        if (((object?[])bag)[Elements] is null)
            members = _emptyMembers ??= [Members[Version], Members[Comparer], Members[Capacity]];
        return bag;
    }

    internal override object Make(object?[] bag, int byteOffset)
    {
        var comparer = Require<IEqualityComparer<T>>(bag, Comparer, byteOffset);
        return new HashSet<T>(
#if NET
            GetCapacity(bag, byteOffset),
#endif
            LegacyKeys.Comparer(comparer));
    }

    internal override int GetCapacity(object?[] bag, int byteOffset) =>
        LegacyKeys.Capacity(Require<int>(bag, Capacity, byteOffset), (bag[Elements] as Array)?.Length ?? 0);

    internal override void AddItems(object collection, object?[] bag, int byteOffset)
    {
        var set = (HashSet<T>)collection;
        foreach (T item in bag[Elements] as T[] ?? [])
        {
            if (!set.Add(item))
                LegacyKeys.ThrowDuplicate(byteOffset, Type);
        }

        SetVersion?.Invoke(set, Require<int>(bag, Version, byteOffset));
    }

    protected override void Fill(object?[] bag, object value)
    {
        var set = (HashSet<T>)value;
        int bucketCount = GetBuckets is null ? set.Count : (GetBuckets(set) as Array)?.Length ?? 0;
        bag[Version] = GetVersion?.Invoke(set) ?? set.Count;
        bag[Comparer] = LegacyKeys.WrittenComparer(set.Comparer);
        bag[Capacity] = bucketCount;
        if (bucketCount == 0)
            return;
        var items = new T[set.Count];
        set.CopyTo(items);
        bag[Elements] = items;
    }
}
