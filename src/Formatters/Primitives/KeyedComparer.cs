using System;
using System.Collections;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;

namespace Formatters;

/// <summary>
/// Compares dictionary keys as the default comparer does, but hashes all their bits with SipHash-1-3 with a random key of this process. The default
/// hashes of numbers, dates and GUIDs are known functions: a sender could choose 200,000 keys with one hash, and reading them would take quadratic
/// time. Strings need this only in frozen collections, which replace their default hash by one without a key: elsewhere it is already keyed, or
/// becomes so after 100 collisions.
/// </summary>
internal sealed class KeyedComparer<TKey> : IEqualityComparer<TKey>, IEqualityComparer
    where TKey : notnull
{
    internal static readonly KeyedComparer<TKey> Instance = new();

    private static readonly bool IsInteger =
        typeof(TKey).IsEnum || typeof(TKey).IsPrimitive && typeof(TKey) != typeof(float) && typeof(TKey) != typeof(double);

    private KeyedComparer()
    {
    }

    public bool Equals(TKey? x, TKey? y) => EqualityComparer<TKey>.Default.Equals(x!, y!);

    public int GetHashCode(TKey key)
    {
        // The type tests are constants for the JIT: one branch remains per TKey. Keys that are equal must have equal words.
        if (IsInteger)
            return Unsafe.SizeOf<TKey>() <= sizeof(uint) ? SipHash.Hash(SmallInteger(ref key)) : SipHash.Hash(Unsafe.As<TKey, ulong>(ref key));
        if (typeof(TKey) == typeof(string))
            return Hash((string)(object)key);
        if (typeof(TKey) == typeof(double))
            return SipHash.Hash(Real((double)(object)key));
        if (typeof(TKey) == typeof(float))
            return SipHash.Hash(Real((float)(object)key));
        if (typeof(TKey) == typeof(DateTime))
            return SipHash.Hash((ulong)((DateTime)(object)key).Ticks);
        if (typeof(TKey) == typeof(DateTimeOffset))
            return SipHash.Hash((ulong)((DateTimeOffset)(object)key).UtcTicks);
        if (typeof(TKey) == typeof(TimeSpan))
            return SipHash.Hash((ulong)((TimeSpan)(object)key).Ticks);
        if (typeof(TKey) == typeof(decimal))
            return Hash((decimal)(object)key);
        if (typeof(TKey) == typeof(Guid))
            return SipHash.Hash(Unsafe.As<TKey, ulong>(ref key), Unsafe.Add(ref Unsafe.As<TKey, ulong>(ref key), 1));
#if NET
        if (typeof(TKey) == typeof(Half))
            return SipHash.Hash(Real((double)(Half)(object)key));
        if (typeof(TKey) == typeof(DateOnly))
            return SipHash.Hash((uint)((DateOnly)(object)key).DayNumber);
        if (typeof(TKey) == typeof(TimeOnly))
            return SipHash.Hash((ulong)((TimeOnly)(object)key).Ticks);
        if (typeof(TKey) == typeof(Int128) || typeof(TKey) == typeof(UInt128))
            return SipHash.Hash(Unsafe.As<TKey, ulong>(ref key), Unsafe.Add(ref Unsafe.As<TKey, ulong>(ref key), 1));
#endif
        throw new NotSupportedException($"{typeof(TKey)} is not a supported dictionary key type.");
    }

    bool IEqualityComparer.Equals(object? x, object? y) => x is TKey a && y is TKey b ? Equals(a, b) : object.Equals(x, y);

    int IEqualityComparer.GetHashCode(object value) => value is TKey key ? GetHashCode(key) : value.GetHashCode();

    private static uint SmallInteger(ref TKey key) => Unsafe.SizeOf<TKey>() switch
    {
        1 => Unsafe.As<TKey, byte>(ref key),
        2 => Unsafe.As<TKey, ushort>(ref key),
        _ => Unsafe.As<TKey, uint>(ref key),
    };

    // 0 equals -0, and every NaN equals every other.
    private static ulong Real(double value) =>
        value == 0 ? 0 : double.IsNaN(value) ? ulong.MaxValue : (ulong)BitConverter.DoubleToInt64Bits(value);

    private static int Hash(string value)
    {
#if NET
        return value.GetHashCode();
#else
        int hash = value.Length;
        for (int i = 0; i < value.Length; i += 4)
        {
            ulong word = 0;
            for (int j = i; j < value.Length && j < i + 4; j++)
                word = (word << 16) | value[j];
            hash = SipHash.Hash(word, (uint)hash);
        }

        return hash;
#endif
    }

    private static int Hash(decimal value)
    {
        // 1.20 equals 1.2: division by a one with the maximum scale drops trailing zeros.
        int[] bits = decimal.GetBits(value / 1.0000000000000000000000000000m);
        int sign = value == 0 ? 0 : bits[3];
        return SipHash.Hash((uint)bits[0] | ((ulong)(uint)bits[1] << 32), (uint)bits[2] | ((ulong)(uint)sign << 32));
    }
}

/// <summary>Computes SipHash-1-3 (https://www.aumasson.jp/siphash/siphash.pdf) of 4, 8 or 16 bytes, with a random key of this process.</summary>
/// <remarks>A round less for each word: row "collections", read, of models.</remarks>
internal static class SipHash
{
    private static readonly ulong Key0 = CreateKey();
    private static readonly ulong Key1 = CreateKey();

    internal static int Hash(uint value)
    {
        State state = Begin();
        // The last word has the length in its highest byte, after the bytes that are left over.
        return Finish(ref state, value | (4UL << 56));
    }

    internal static int Hash(ulong value)
    {
        State state = Begin();
        Add(ref state, value);
        return Finish(ref state, 8UL << 56);
    }

    internal static int Hash(ulong first, ulong second)
    {
        State state = Begin();
        Add(ref state, first);
        Add(ref state, second);
        return Finish(ref state, 16UL << 56);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static State Begin() => new()
    {
        V0 = Key0 ^ 0x736F6D6570736575, V1 = Key1 ^ 0x646F72616E646F6D, V2 = Key0 ^ 0x6C7967656E657261, V3 = Key1 ^ 0x7465646279746573,
    };

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Add(ref State state, ulong word)
    {
        state.V3 ^= word;
        Round(ref state.V0, ref state.V1, ref state.V2, ref state.V3);
        state.V0 ^= word;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int Finish(ref State state, ulong lastWord)
    {
        Add(ref state, lastWord);
        state.V2 ^= 0xFF;
        Round(ref state.V0, ref state.V1, ref state.V2, ref state.V3);
        Round(ref state.V0, ref state.V1, ref state.V2, ref state.V3);
        Round(ref state.V0, ref state.V1, ref state.V2, ref state.V3);
        ulong hash = state.V0 ^ state.V1 ^ state.V2 ^ state.V3;
        return (int)(hash ^ (hash >> 32));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Round(ref ulong v0, ref ulong v1, ref ulong v2, ref ulong v3)
    {
        v0 += v1;
        v1 = RotateLeft(v1, 13) ^ v0;
        v0 = RotateLeft(v0, 32);
        v2 += v3;
        v3 = RotateLeft(v3, 16) ^ v2;
        v0 += v3;
        v3 = RotateLeft(v3, 21) ^ v0;
        v2 += v1;
        v1 = RotateLeft(v1, 17) ^ v2;
        v2 = RotateLeft(v2, 32);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong RotateLeft(ulong value, int bits) => (value << bits) | (value >> (64 - bits));

    private static ulong CreateKey()
    {
        using var random = RandomNumberGenerator.Create();
        byte[] bytes = new byte[8];
        random.GetBytes(bytes);
        return BitConverter.ToUInt64(bytes, 0);
    }

    private struct State
    {
        internal ulong V0;
        internal ulong V1;
        internal ulong V2;
        internal ulong V3;
    }
}
