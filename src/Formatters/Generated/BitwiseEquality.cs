using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters.Generated;

public static partial class ContractCode
{
    /// <summary>Determines whether a value that was read is identical to the existing one: the same object, or the same bits.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="value">The value that was read.</param>
    /// <param name="existing">The existing one.</param>
    /// <returns>False also for structs with references in them, for which this is not known.</returns>
    public static bool IsSame<T>(T value, T existing) => BitwiseEquality<T>.Are(value, existing);
}

/// <summary>Compares values by identity or bits: 1.0 and 1.00, or a time as UTC and as local, are equal but not identical.</summary>
/// <typeparam name="T">The type.</typeparam>
internal static class BitwiseEquality<T>
{
#if NET
    private static bool IsPlain => !RuntimeHelpers.IsReferenceOrContainsReferences<T>();
#else
    private static readonly bool IsPlain = typeof(T).IsPrimitive || typeof(T).IsEnum
        || typeof(T) == typeof(decimal) || typeof(T) == typeof(Guid) || typeof(T) == typeof(DateTime) || typeof(T) == typeof(TimeSpan);
#endif

    /// <summary>Determines whether two values are the same object, or have the same bits.</summary>
    /// <returns>False also for structs with references in them, for which this is not known.</returns>
    internal static bool Are(T left, T right)
    {
        if (!typeof(T).IsValueType)
            return ReferenceEquals(left, right);
        return IsPlain && Bits(ref left).SequenceEqual(Bits(ref right));
    }

    private static unsafe ReadOnlySpan<byte> Bits(ref T value) =>
#if NET
        MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<T, byte>(ref value), Unsafe.SizeOf<T>());
#else
        new(Unsafe.AsPointer(ref value), Unsafe.SizeOf<T>()); // A parameter or local: it does not move.
#endif
}
