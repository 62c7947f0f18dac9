using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>The contract of a dictionary: its version, comparer and number of buckets, and, if it has buckets, an array of its pairs.</summary>
/// <remarks>
/// Version and buckets are read from and written to the private fields that hold them, so that a body that is read and written again has the same
/// bytes. If a runtime has no such fields, the number of items is used for both.
/// </remarks>
internal sealed class LegacyDictionaryContract<TKey, TValue>(LegacyType type) : LegacyKeyedContract(type)
    where TKey : notnull
{
    private const int Version = 0;
    private const int Comparer = 1;
    private const int HashSize = 2;
    private const int Pairs = 3;

    private static readonly Func<object, int>? GetVersion = FieldAccess.FindGetter<int>(typeof(Dictionary<TKey, TValue>), "_version", "version");
    private static readonly Action<object, int>? SetVersion = FieldAccess.FindSetter<int>(typeof(Dictionary<TKey, TValue>), "_version", "version");
    private static readonly Func<object, object?>? GetBuckets =
        FieldAccess.FindGetter<object?>(typeof(Dictionary<TKey, TValue>), "_buckets", "buckets");

    private LegacyMember[]? _emptyMembers;

    internal static LegacyClassContract Create(LegacyType type, LegacyTypeMapBuilder types)
    {
        LegacyComparers.AddEquality<TKey>(types);
        types.Get(LegacyShapes.Runtime<KeyValuePair<TKey, TValue>>());
        return WithMembers(
            new LegacyDictionaryContract<TKey, TValue>(type),
            ("Version", types.Get(typeof(int))), ("Comparer", types.Get(new LegacyShape<IEqualityComparer<TKey>>())),
                ("HashSize", types.Get(typeof(int))),
            ("KeyValuePairs", types.Get(new LegacyArrayShape<KeyValuePair<TKey, TValue>>())));
    }

    internal override object GetMembers(object value, LegacyTypeMap map, out LegacyMember[] members)
    {
        object bag = base.GetMembers(value, map, out members);
        if (((object?[])bag)[Pairs] is null)
            members = _emptyMembers ??= [Members[Version], Members[Comparer], Members[HashSize]];
        return bag;
    }

    internal override object Make(object?[] bag, int byteOffset)
    {
        var comparer = Require<IEqualityComparer<TKey>>(bag, Comparer, byteOffset);
        return new Dictionary<TKey, TValue>(GetCapacity(bag, byteOffset), LegacyKeys.Comparer(comparer));
    }

    internal override int GetCapacity(object?[] bag, int byteOffset) =>
        LegacyKeys.Capacity(Require<int>(bag, HashSize, byteOffset), (bag[Pairs] as Array)?.Length ?? 0);

    internal override void AddItems(object collection, object?[] bag, int byteOffset)
    {
        var dictionary = (Dictionary<TKey, TValue>)collection;
        if (bag[Pairs] is KeyValuePair<TKey, TValue>[] pairs)
        {
            foreach (KeyValuePair<TKey, TValue> pair in pairs)
            {
                if (pair.Key is null)
                    LegacyKeys.ThrowNull(byteOffset, Type);
                if (dictionary.ContainsKey(pair.Key))
                    LegacyKeys.ThrowDuplicate(byteOffset, Type);
                dictionary.Add(pair.Key, pair.Value);
            }
        }

        SetVersion?.Invoke(dictionary, Require<int>(bag, Version, byteOffset));
    }

    protected override void Fill(object?[] bag, object value)
    {
        var dictionary = (Dictionary<TKey, TValue>)value;
        int bucketCount = GetBuckets is null ? dictionary.Count : (GetBuckets(dictionary) as Array)?.Length ?? 0;
        bag[Version] = GetVersion?.Invoke(dictionary) ?? dictionary.Count;
        bag[Comparer] = LegacyKeys.WrittenComparer(dictionary.Comparer);
        bag[HashSize] = bucketCount;
        if (bucketCount == 0)
            return;
        var pairs = new KeyValuePair<TKey, TValue>[dictionary.Count];
        ((ICollection<KeyValuePair<TKey, TValue>>)dictionary).CopyTo(pairs, 0);
        bag[Pairs] = pairs;
    }
}
