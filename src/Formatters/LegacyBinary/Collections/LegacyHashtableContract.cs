using System;
using System.Collections;

namespace Formatters;

/// <summary>A hash table: load factor, version, comparer, number of buckets, then keys and values as two arrays.</summary>
internal sealed class LegacyHashtableContract(LegacyType type) : LegacyKeyedContract(type)
{
    private const int LoadFactor = 0;
    private const int Version = 1;
    private const int Comparer = 2;
    private const int HashCodeProvider = 3;
    private const int KeyComparer = 4;
    private const int HashSize = 5;
    private const int Keys = 6;
    private const int Values = 7;

    /// <summary>What a load factor is multiplied by in the class.</summary>
    private const float InnerFactor = 0.72f;

    private static readonly Func<object, object?>? GetBuckets = FieldAccess.FindGetter<object?>(typeof(Hashtable), "_buckets", "buckets");
    private static readonly Func<object, object?>? GetKeyComparer = FieldAccess.FindGetter<object?>(typeof(Hashtable), "_keycomparer", "_keycomparer");
    private static readonly Func<object, float>? GetLoadFactor = FieldAccess.FindGetter<float>(typeof(Hashtable), "_loadFactor", "loadFactor");
    private static readonly Func<object, int>? GetVersion = FieldAccess.FindGetter<int>(typeof(Hashtable), "_version", "version");

    private LegacyMember[]? _defaultMembers;
    private LegacyMember[]? _comparerMembers;

    internal static LegacyClassContract Create(LegacyType type, LegacyTypeMapBuilder types)
    {
        LegacyComparers.AddStrings(types);
#pragma warning disable CS0618 // The member's declared type is the obsolete interface; it is always null.
        LegacyType provider = types.Get(new LegacyShape<IHashCodeProvider>());
#pragma warning restore CS0618
        return WithMembers(
            new LegacyHashtableContract(type),
            ("LoadFactor", types.Get(typeof(float))), ("Version", types.Get(typeof(int))), ("Comparer", types.Get(new LegacyShape<IComparer>())),
            ("HashCodeProvider", provider), ("KeyComparer", types.Get(new LegacyShape<IEqualityComparer>())), ("HashSize", types.Get(typeof(int))),
            ("Keys", types.Get(typeof(object[]))), ("Values", types.Get(typeof(object[]))));
    }

    internal override object GetMembers(object value, LegacyTypeMap map, out LegacyMember[] members)
    {
        object?[] bag = (object?[])base.GetMembers(value, map, out _);
        members = bag[KeyComparer] is null
            ? _defaultMembers ??= Array.FindAll(Members, static member => member.Index != KeyComparer)
            : _comparerMembers ??= Array.FindAll(Members, static member => member.Index is not (Comparer or HashCodeProvider));
        return bag;
    }

    internal override object Make(object?[] bag, int byteOffset)
    {
        if (bag[Comparer] is not null || bag[HashCodeProvider] is not null)
            NrbfThrow.TypeNotAllowed(byteOffset);
        return new Hashtable(
            GetCapacity(bag, byteOffset), ReadLoadFactor(bag, byteOffset), (IEqualityComparer?)bag[KeyComparer] ?? KeyedObjectComparer.Instance);
    }

    internal override int GetCapacity(object?[] bag, int byteOffset)
    {
        float bucketCount = Math.Max(0, Require<int>(bag, HashSize, byteOffset));
        return LegacyKeys.Capacity(
            (int)(bucketCount * ReadLoadFactor(bag, byteOffset) * InnerFactor), Require<object?[]>(bag, Keys, byteOffset).Length);
    }

    private float ReadLoadFactor(object?[] bag, int byteOffset)
    {
        float loadFactor = Require<float>(bag, LoadFactor, byteOffset) / InnerFactor;
        if (!(loadFactor is >= 0.0999f and <= 1.0001f))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Hashtable));
        return Math.Min(Math.Max(loadFactor, 0.1f), 1f);
    }

    internal override void AddItems(object collection, object?[] bag, int byteOffset)
    {
        var table = (Hashtable)collection;
        object?[] keys = Require<object?[]>(bag, Keys, byteOffset);
        object?[] values = Require<object?[]>(bag, Values, byteOffset);
        if (keys.Length != values.Length)
            NrbfThrow.Malformed(byteOffset, "The hash table has not as many keys as values.");
        // A table of the same size enumerates in the same order if it is filled from the end: what collides comes last.
        for (int i = keys.Length - 1; i >= 0; i--)
        {
            object key = keys[i]
                ?? throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull, "A key is null.", byteOffset, nameof(Hashtable), isPoison: true);
            if (table.ContainsKey(key))
                throw new MessageFormatException(MessageFormatErrorCode.DuplicateKey, "A key occurs twice.", byteOffset, nameof(Hashtable), isPoison: true);
            table.Add(key, values[i]);
        }
    }

    protected override void Fill(object?[] bag, object value)
    {
        var table = (Hashtable)value;
        object? comparer = GetKeyComparer?.Invoke(table);
        object[] keys = new object[table.Count];
        object?[] values = new object?[table.Count];
        table.Keys.CopyTo(keys, 0);
        table.Values.CopyTo(values, 0);
        bag[LoadFactor] = GetLoadFactor?.Invoke(table) ?? InnerFactor;
        bag[Version] = GetVersion?.Invoke(table) ?? table.Count;
        bag[KeyComparer] = comparer is KeyedObjectComparer ? null : comparer;
        bag[HashSize] = (GetBuckets?.Invoke(table) as Array)?.Length ?? table.Count;
        bag[Keys] = keys;
        bag[Values] = values;
    }

    /// <summary>Hashes numbers and dates under a random key, as <see cref="KeyedComparer{TKey}"/> does: a sender cannot choose keys that collide.</summary>
    private sealed class KeyedObjectComparer : IEqualityComparer
    {
        internal static readonly KeyedObjectComparer Instance = new();

        bool IEqualityComparer.Equals(object? x, object? y) => Equals(x, y);

        int IEqualityComparer.GetHashCode(object key) => key switch
        {
            string text => text.GetHashCode(),
            int or uint or short or ushort or sbyte or byte or char or bool => SipHash.Hash((ulong)key.GetHashCode(), 0),
            long number => KeyedComparer<long>.Instance.GetHashCode(number),
            ulong number => KeyedComparer<ulong>.Instance.GetHashCode(number),
            double number => KeyedComparer<double>.Instance.GetHashCode(number),
            float number => KeyedComparer<float>.Instance.GetHashCode(number),
            decimal number => KeyedComparer<decimal>.Instance.GetHashCode(number),
            DateTime date => KeyedComparer<DateTime>.Instance.GetHashCode(date),
            DateTimeOffset date => KeyedComparer<DateTimeOffset>.Instance.GetHashCode(date),
            TimeSpan span => KeyedComparer<TimeSpan>.Instance.GetHashCode(span),
            Guid guid => KeyedComparer<Guid>.Instance.GetHashCode(guid),
            Enum number => SipHash.Hash((ulong)((IConvertible)number).GetHashCode(), 0),
            _ => key.GetHashCode(),
        };
    }
}
