using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>What dictionaries and hash tables do with sizes and keys that a sender chose.</summary>
internal static class LegacyKeys
{
    /// <summary>The capacity for a number of buckets: what a collection has that grew by itself, not more than four times its items.</summary>
    internal static int Capacity(int bucketCount, int itemCount) => Math.Min(Math.Max(bucketCount, itemCount), Math.Max(4 * itemCount, 64));

    /// <summary>Whether <see cref="KeyedComparer{TKey}"/> knows the type. The hashes of other types are theirs; that of strings is keyed by the
    /// runtime.</summary>
    private static bool HasKeyedComparer(Type type) =>
        type.IsEnum || type == typeof(Guid) || type == typeof(DateTimeOffset) || NrbfPrimitive.Find(type) is not null;

#pragma warning disable CS8714 // A null has no hash, and is a key of no dictionary; a set may have one.
    /// <summary>The comparer that a collection gets for that of the body: the default one is replaced by one with a random key, where there is one.</summary>
    /// <returns>Null for the default one.</returns>
    internal static IEqualityComparer<T>? Comparer<T>(IEqualityComparer<T> comparer) =>
        !ReferenceEquals(comparer, EqualityComparer<T>.Default) ? comparer
        : HasKeyedComparer(typeof(T)) ? KeyedComparer<T>.Instance
        : null;

    /// <summary>The comparer that is written for that of a collection.</summary>
    internal static IEqualityComparer<T> WrittenComparer<T>(IEqualityComparer<T> comparer) => comparer is KeyedComparer<T> ? EqualityComparer<T>.Default : comparer;
#pragma warning restore CS8714

    [DoesNotReturn]
    internal static void ThrowNull(int byteOffset, LegacyType type) =>
        throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull, "A key is null.", byteOffset, TypeNames.Of(type.Type), isPoison: true);

    [DoesNotReturn]
    internal static void ThrowDuplicate(int byteOffset, LegacyType type) =>
        throw new MessageFormatException(MessageFormatErrorCode.DuplicateKey, "A key occurs twice.", byteOffset, TypeNames.Of(type.Type), isPoison: true);
}
