using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Formatters;

/// <summary>A dictionary: its version, comparer and number of buckets, and, if it has buckets, an array of its pairs.</summary>
/// <remarks>
/// Version and buckets are read from and written to the private fields that hold them, so that a body that is read and written again has the same
/// bytes. Where a runtime has no such fields, the number of items stands for both.
/// </remarks>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class LegacyDictionaryContract<TKey, TValue>(LegacyType type) : LegacyKeyedContract(type)
    where TKey : notnull
{
    private const int Version = 0;
    private const int Comparer = 1;
    private const int HashSize = 2;
    private const int Pairs = 3;

    private static readonly FieldInfo? VersionField = FindField("_version", "version");
    private static readonly FieldInfo? BucketsField = FindField("_buckets", "buckets");
    private static readonly Func<object, int>? GetVersion = VersionField is null ? null : FieldAccess.Getter<int>(VersionField);
    private static readonly Action<object, int>? SetVersion = VersionField is null ? null : FieldAccess.Setter<int>(VersionField);
    private static readonly Func<object, object?>? GetBuckets = BucketsField is null ? null : FieldAccess.Getter<object?>(BucketsField);

    private LegacyMember[]? _emptyMembers;

    internal override object GetMembers(object value, out LegacyMember[] members)
    {
        object bag = base.GetMembers(value, out members);
        if (((object?[])bag)[Pairs] is null)
            members = _emptyMembers ??= [Members[Version], Members[Comparer], Members[HashSize]];
        return bag;
    }

    internal override object Make(object?[] bag, int byteOffset)
    {
        IEqualityComparer<TKey>? comparer = Require<IEqualityComparer<TKey>>(bag, Comparer, byteOffset);
        if (ReferenceEquals(comparer, EqualityComparer<TKey>.Default))
            comparer = LegacyKeys.HasKeyedComparer(typeof(TKey)) ? KeyedComparer<TKey>.Instance : null;
        return new Dictionary<TKey, TValue>(GetCapacity(bag, byteOffset), comparer);
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
                    throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull, "A key is null.", byteOffset, Type.Type.Name, isPoison: true);
                if (dictionary.ContainsKey(pair.Key))
                    throw new MessageFormatException(MessageFormatErrorCode.DuplicateKey, "A key occurs twice.", byteOffset, Type.Type.Name, isPoison: true);
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
        bag[Comparer] = dictionary.Comparer is KeyedComparer<TKey> ? EqualityComparer<TKey>.Default : dictionary.Comparer;
        bag[HashSize] = bucketCount;
        if (bucketCount == 0)
            return;
        var pairs = new KeyValuePair<TKey, TValue>[dictionary.Count];
        ((ICollection<KeyValuePair<TKey, TValue>>)dictionary).CopyTo(pairs, 0);
        bag[Pairs] = pairs;
    }

    private static FieldInfo? FindField(string name, string olderName) =>
        typeof(Dictionary<TKey, TValue>).GetField(name, BindingFlags.Instance | BindingFlags.NonPublic)
            ?? typeof(Dictionary<TKey, TValue>).GetField(olderName, BindingFlags.Instance | BindingFlags.NonPublic);
}

/// <summary>What dictionaries and hash tables do with sizes and keys that a sender chose.</summary>
internal static class LegacyKeys
{
    /// <summary>The capacity for a number of buckets: what a collection has that grew by itself, not more than four times its items.</summary>
    internal static int Capacity(int bucketCount, int itemCount) => Math.Min(Math.Max(bucketCount, itemCount), Math.Max(4 * itemCount, 64));

    /// <summary>Whether <see cref="KeyedComparer{TKey}"/> knows the type. The hashes of other types are theirs; that of strings is keyed by the runtime.</summary>
    internal static bool HasKeyedComparer(Type type) =>
        type.IsEnum || type == typeof(Guid) || type == typeof(DateTimeOffset) || NrbfPrimitive.Find(type) is not null;
}
