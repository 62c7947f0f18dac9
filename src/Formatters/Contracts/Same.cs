using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters.Generated;

public static partial class ContractCode
{
    /// <summary>Whether a value that was read is the existing one: the same object, or the same bits.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="value">The value that was read.</param>
    /// <param name="existing">The existing one.</param>
    /// <returns>False also where that is not known: of structs with references in them.</returns>
    public static bool IsSame<T>(T value, T existing) => Same<T>.Are(value, existing);
}

/// <summary>Whether two values are the same to the last bit: 1.0 and 1.00, and a time as UTC and as local, are equal but not that.</summary>
/// <typeparam name="T">The type.</typeparam>
internal static class Same<T>
{
#if NET
    private static bool IsPlain => !RuntimeHelpers.IsReferenceOrContainsReferences<T>();
#else
    private static readonly bool IsPlain = typeof(T).IsPrimitive || typeof(T).IsEnum
        || typeof(T) == typeof(decimal) || typeof(T) == typeof(Guid) || typeof(T) == typeof(DateTime) || typeof(T) == typeof(TimeSpan);
#endif

    /// <summary>Whether one stands for the other: the same object, or the same bits.</summary>
    /// <returns>False also where that is not known: of structs with references in them.</returns>
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
