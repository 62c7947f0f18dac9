using System;
using System.Collections;

namespace Formatters;

/// <summary>The contract of a hash table: load factor, version, comparer, number of buckets, then keys and values as two arrays.</summary>
/// <remarks>
/// The keys are in the order of their hashes in the process that wrote them. Those of strings are random in every process of .NET, and ours of
/// numbers are keyed. A table that was read therefore stores the order with its comparer, and is written in it again.
/// </remarks>
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

    /// <summary>The factor by which the class multiplies a load factor.</summary>
    private const float InnerFactor = 0.72f;

    private static readonly Func<object, object?>? GetBuckets = FieldAccess.FindGetter<object?>(typeof(Hashtable), "_buckets", "buckets");
    private static readonly Func<object, object?>? GetKeyComparer =
        FieldAccess.FindGetter<object?>(typeof(Hashtable), "_keycomparer", "_keycomparer");
    private static readonly Func<object, float>? GetLoadFactor = FieldAccess.FindGetter<float>(typeof(Hashtable), "_loadFactor", "loadFactor");
    private static readonly Func<object, int>? GetVersion = FieldAccess.FindGetter<int>(typeof(Hashtable), "_version", "version");
    private static readonly Action<object, int>? SetVersion = FieldAccess.FindSetter<int>(typeof(Hashtable), "_version", "version");

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
            GetCapacity(bag, byteOffset), ReadLoadFactor(bag, byteOffset), new ReadComparer((IEqualityComparer?)bag[KeyComparer]));
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
            NrbfThrow.Malformed(byteOffset, "The hash table has different numbers of keys and values.");
        for (int i = 0; i < keys.Length; i++)
        {
            object key = keys[i]
                ?? throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull, "A key is null.", byteOffset, nameof(Hashtable),
                    isPoison: true);
            if (table.ContainsKey(key))
                throw new MessageFormatException(MessageFormatErrorCode.DuplicateKey, "A key occurs twice.", byteOffset, nameof(Hashtable),
                    isPoison: true);
            table.Add(key, values[i]);
        }

        // The array may also be referenced elsewhere in the body, where the application can change it.
        if (GetKeyComparer?.Invoke(table) is ReadComparer comparer)
            comparer.Keys = (object?[])keys.Clone();
        SetVersion?.Invoke(table, Require<int>(bag, Version, byteOffset));
    }

    protected override void Fill(object?[] bag, object value)
    {
        var table = (Hashtable)value;
        object? comparer = GetKeyComparer?.Invoke(table);
        var read = comparer as ReadComparer;
        object?[] keys = read?.FindKeys(table) ?? CopyKeys(table);
        object?[] values = new object?[keys.Length];
        for (int i = 0; i < keys.Length; i++)
            values[i] = table[keys[i]!];
        bag[LoadFactor] = GetLoadFactor?.Invoke(table) ?? InnerFactor;
        bag[Version] = GetVersion?.Invoke(table) ?? table.Count;
        bag[KeyComparer] = read is null ? comparer : read.Comparer;
        bag[HashSize] = (GetBuckets?.Invoke(table) as Array)?.Length ?? table.Count;
        bag[Keys] = keys;
        bag[Values] = values;
    }

    private static object[] CopyKeys(Hashtable table)
    {
        object[] keys = new object[table.Count];
        table.Keys.CopyTo(keys, 0);
        return keys;
    }

    /// <summary>
    /// The comparer of a table that was read: that of the body or, if it had none, one that hashes numbers and dates with a random key, as <see
    /// cref="KeyedComparer{TKey}"/> does, so that a sender cannot cause collisions.
    /// </summary>
    private sealed class ReadComparer(IEqualityComparer? comparer) : IEqualityComparer
    {
        /// <summary>Gets the comparer of the body.</summary>
        internal IEqualityComparer? Comparer => comparer;

        /// <summary>Gets or sets the keys in the order of the body.</summary>
        internal object?[] Keys { get; set; } = [];

        /// <summary>Returns the keys in the order of the body, if the table has exactly these. A table and its clones share a comparer.</summary>
        internal object?[]? FindKeys(Hashtable table) =>
            table.Count == Keys.Length && Array.TrueForAll(Keys, key => table.ContainsKey(key!)) ? (object?[])Keys.Clone() : null;

        bool IEqualityComparer.Equals(object? x, object? y) => comparer is null ? Equals(x, y) : comparer.Equals(x, y);

        int IEqualityComparer.GetHashCode(object key) => comparer is null ? Hash(key) : comparer.GetHashCode(key);

        private static int Hash(object key) => key switch
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
