using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>Handles sizes and keys of dictionaries and hash tables that come from a sender.</summary>
internal static class LegacyKeys
{
    /// <summary>Returns the capacity for a number of buckets: as after growing normally, at most four times the number of items.</summary>
    internal static int Capacity(int bucketCount, int itemCount) => Math.Min(Math.Max(bucketCount, itemCount), Math.Max(4 * itemCount, 64));

    /// <summary>
    /// Determines whether <see cref="KeyedComparer{TKey}"/> supports the type. Other types have their own hashes, and the runtime keys those of
    /// strings.
    /// </summary>
    private static bool HasKeyedComparer(Type type) =>
        type.IsEnum || type == typeof(Guid) || type == typeof(DateTimeOffset) || NrbfPrimitive.Find(type) is not null;

#pragma warning disable CS8714 // A null has no hash, and is a key of no dictionary; a set may have one.
    /// <summary>Returns the comparer for a collection that was read: the default one is replaced by one with a random key, if supported.</summary>
    /// <returns>Null for the default one.</returns>
    internal static IEqualityComparer<T>? Comparer<T>(IEqualityComparer<T> comparer) =>
        !ReferenceEquals(comparer, EqualityComparer<T>.Default)
        ? comparer
        : HasKeyedComparer(typeof(T))
        ? KeyedComparer<T>.Instance
        : null;

    /// <summary>Returns the comparer to write for that of a collection.</summary>
    internal static IEqualityComparer<T> WrittenComparer<T>(IEqualityComparer<T> comparer) =>
        comparer is KeyedComparer<T> ? EqualityComparer<T>.Default : comparer;
#pragma warning restore CS8714

    [DoesNotReturn]
    internal static void ThrowNull(int byteOffset, LegacyType type) =>
        throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull, "A key is null.", byteOffset, TypeNames.Of(type.Type),
            isPoison: true);

    [DoesNotReturn]
    internal static void ThrowDuplicate(int byteOffset, LegacyType type) =>
        throw new MessageFormatException(MessageFormatErrorCode.DuplicateKey, "A key occurs twice.", byteOffset, TypeNames.Of(type.Type),
            isPoison: true);
}
