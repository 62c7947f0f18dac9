#if NET
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using System.Text;

namespace Formatters;

// ASCII between UTF-16 and UTF-8, by length: 1 to 7 (tiny), 8 to 32 (short), 33 to 64 (medium), above (long). Two overlapping vectors, or words,
// cover the whole string: nothing beyond it and its terminating null character is read, and nothing beyond its bytes is written (one byte more for a
// single character). Characters are Int16, the operand type of the packing instructions: each further vector type is one more to load for the first
// message.
internal static partial class Utf8Text
{
    /// <summary>The maximum number of bytes that <see cref="TryWriteShortAscii"/> writes.</summary>
    internal const int MaxShortAsciiByteCount = 33;

    /// <summary>Writes a length and a string of 8 to 32 ASCII characters, <c>1 + text.Length</c> bytes. The caller has reserved them.</summary>
    /// <param name="destination">The position of the length.</param>
    /// <param name="text">The string.</param>
    /// <param name="code">The other bits of the length byte.</param>
    /// <returns>False, with nothing written, if the string is not ASCII.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryWriteShortAscii(ref byte destination, string text, byte code = 0)
    {
        nuint n = (uint)text.Length;
        if (n - 8 <= 8)
            return TryWrite8To16(ref destination, text, n, code);
        return n - 17 <= 15 && TryWrite17To32(ref destination, text, n, code);
    }

    /// <summary>Does what <see cref="TryWriteShortAscii"/> does, for 8 to 16 characters.</summary>
    /// <param name="destination">The position of the length.</param>
    /// <param name="text">The string.</param>
    /// <param name="n">The length of the string as a native integer, so that no index has to be widened.</param>
    /// <param name="code">The other bits of the length byte.</param>
    /// <returns>False, with nothing written, if the string is not ASCII.</returns>
    /// <remarks>
    /// A caller of several of these leaves by each of them: one bool for all, as in <see cref="TryWriteShortAscii"/>, costs four instructions beside
    /// 22 (row "generated binary", write of order-0).
    /// </remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryWrite8To16(ref byte destination, string text, nuint n, byte code = 0)
    {
        if (!Vector128.IsHardwareAccelerated)
            return false;
        ref short c = ref GetReference(text);
        Vector128<short> a = Vector128.LoadUnsafe(ref c);
        Vector128<short> b = Vector128.LoadUnsafe(ref c, n - 8);
        if (!IsAscii(a | b))
            return false;
        destination = (byte)(code | n);
        Vector128<ulong> narrow = NarrowAscii(a, b).AsUInt64();
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, 1), narrow.ToScalar());
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, n - 7), narrow.GetElement(1));
        return true;
    }

    /// <summary>Does what <see cref="TryWriteShortAscii"/> does, for 17 to 32 characters.</summary>
    /// <inheritdoc cref="TryWrite8To16"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryWrite17To32(ref byte destination, string text, nuint n, byte code = 0)
    {
        if (!Vector128.IsHardwareAccelerated)
            return false;
        ref short c = ref GetReference(text);
        // Four vectors of 128 bits, not two of 256: those would cost a vzeroupper per string, and are not compiled ahead of time (ReadyToRun).
        Vector128<short> a = Vector128.LoadUnsafe(ref c);
        Vector128<short> b = Vector128.LoadUnsafe(ref c, 8);
        Vector128<short> y = Vector128.LoadUnsafe(ref c, n - 16);
        Vector128<short> z = Vector128.LoadUnsafe(ref c, n - 8);
        if (!IsAscii(a | b | y | z))
            return false;
        destination = (byte)(code | n);
        NarrowAscii(a, b).StoreUnsafe(ref destination, 1);
        NarrowAscii(y, z).StoreUnsafe(ref destination, n - 15);
        return true;
    }

    /// <summary>
    /// Writes a length and a string of 0 to 7 ASCII characters, <c>1 + text.Length</c> bytes; after a single character one more byte, to be
    /// overwritten.
    /// </summary>
    /// <remarks>The caller has reserved at least 3 bytes.</remarks>
    /// <inheritdoc cref="TryWriteShortAscii"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryWriteTinyAscii(ref byte destination, string text, byte code = 0)
    {
        int n = text.Length;
        ref short c = ref GetReference(text);
        if (n == 0)
        {
            destination = code;
            return true;
        }

        if (n >= 4)
        {
            ulong a = LoadWord(ref c);
            ulong b = LoadWord(ref Unsafe.Add(ref c, (nuint)(uint)(n - 4)));
            if (!Vector128.IsHardwareAccelerated || ((a | b) & 0xFF80FF80FF80FF80) != 0)
                return false;
            Vector128<short> both = Vector128.Create(a, b).AsInt16();
            Vector128<uint> narrow = NarrowAscii(both, both).AsUInt32();
            destination = (byte)(code | n);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, 1), narrow.ToScalar());
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, (nuint)(uint)(n - 3)), narrow.GetElement(1));
            return true;
        }

        // Two characters from the first on and two from the last on: the latter include the terminating null character.
        uint x = LoadPair(ref c), y = LoadPair(ref Unsafe.Add(ref c, (nuint)(uint)(n - 1)));
        if (((x | y) & 0xFF80FF80) != 0)
            return false;
        destination = (byte)(code | n);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, 1), (ushort)(x | (x >> 8)));
        Unsafe.Add(ref destination, (nuint)(uint)n) = (byte)Unsafe.Add(ref c, (nuint)(uint)(n - 1));
        return true;
    }

    /// <summary>
    /// Writes a length and a string of 33 to 64 ASCII characters, <c>1 + text.Length</c> bytes; for any other string, bytes to be overwritten.
    /// </summary>
    /// <inheritdoc cref="TryWriteShortAscii"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryWriteMediumAscii(ref byte destination, string text)
    {
        if (!Vector128.IsHardwareAccelerated)
            return false;
        nuint n = (uint)text.Length;
        ref short c = ref GetReference(text);
        Vector128<short> a = Vector128.LoadUnsafe(ref c);
        Vector128<short> b = Vector128.LoadUnsafe(ref c, 8);
        Vector128<short> d = Vector128.LoadUnsafe(ref c, 16);
        Vector128<short> e = Vector128.LoadUnsafe(ref c, 24);
        Vector128<short> y = Vector128.LoadUnsafe(ref c, n - 16);
        Vector128<short> z = Vector128.LoadUnsafe(ref c, n - 8);
        Vector128<short> all = a | b | d | e | y | z;
        if (n > 48)
        {
            Vector128<short> w = Vector128.LoadUnsafe(ref c, n - 32);
            Vector128<short> x = Vector128.LoadUnsafe(ref c, n - 24);
            all |= w | x;
            NarrowAscii(w, x).StoreUnsafe(ref destination, n - 31);
        }

        if (!IsAscii(all))
            return false;
        destination = (byte)n;
        NarrowAscii(a, b).StoreUnsafe(ref destination, 1);
        NarrowAscii(d, e).StoreUnsafe(ref destination, 17);
        NarrowAscii(y, z).StoreUnsafe(ref destination, n - 15);
        return true;
    }

    /// <summary>Writes a string of 32 or more ASCII characters, without a length; for any other string, bytes to be overwritten.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryWriteLongAscii(ref byte destination, string text)
    {
        if (!Vector128.IsHardwareAccelerated)
            return false;
        ref short c = ref GetReference(text);
        // The last block overlaps the preceding one.
        nuint last = (nuint)(uint)(text.Length - 32);
        for (nuint i = 0; i < last; i += 32)
        {
            if (!TryNarrow32(ref Unsafe.Add(ref c, i), ref Unsafe.Add(ref destination, i)))
                return false;
        }

        return TryNarrow32(ref Unsafe.Add(ref c, last), ref Unsafe.Add(ref destination, last));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryNarrow32(ref short source, ref byte destination)
    {
        Vector256<short> lower = Vector256.LoadUnsafe(ref source);
        Vector256<short> upper = Vector256.LoadUnsafe(ref source, 16);
        if (((lower | upper) & Vector256.Create(unchecked((short)0xFF80))) != Vector256<short>.Zero)
            return false;
        NarrowAscii(lower, upper).StoreUnsafe(ref destination);
        return true;
    }

    /// <summary>Determines whether 1 to 7 bytes are ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsTinyAscii(ref byte source, int byteCount) =>
        byteCount >= 4
            ? ((Unsafe.ReadUnaligned<uint>(ref source) | Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref source, (nuint)(uint)(byteCount - 4))))
                & 0x80808080) == 0
            : (source | Unsafe.Add(ref source, (nuint)((uint)byteCount >> 1)) | Unsafe.Add(ref source, (nuint)(uint)(byteCount - 1))) < 0x80;

    /// <summary>Determines whether 8 to 32 bytes are ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsShortAscii(ref byte source, int byteCount) =>
        byteCount <= 16
            ? ((Unsafe.ReadUnaligned<ulong>(ref source) | Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref source, (nuint)(uint)(byteCount - 8))))
                & 0x8080808080808080) == 0
            : ((Vector128.LoadUnsafe(ref source) | Vector128.LoadUnsafe(ref source, (nuint)(uint)(byteCount - 16))) & Vector128.Create((byte)0x80))
            == Vector128<byte>.Zero;

    /// <summary>Determines whether 33 to 64 bytes are ASCII.</summary>
    /// <remarks>
    /// With vectors of 128 bits: an allocation after a read with 256 bits takes 5 % longer (row "generated binary", read of order-50-text-33).
    /// </remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsMediumAscii(ref byte source, int byteCount) =>
        ((Vector128.LoadUnsafe(ref source) | Vector128.LoadUnsafe(ref source, 16)
            | Vector128.LoadUnsafe(ref source, (nuint)(uint)(byteCount - 32)) | Vector128.LoadUnsafe(ref source, (nuint)(uint)(byteCount - 16)))
            & Vector128.Create((byte)0x80)) == Vector128<byte>.Zero;

    /// <summary>Creates the string of 1 to 7 ASCII bytes, or returns an existing equal one.</summary>
    /// <inheritdoc cref="ReadShortAscii"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static string ReadTinyAscii(ref byte source, int byteCount, string? existing)
    {
        if (byteCount == 1)
            return existing is not null && existing.Length == 1 && existing[0] == source ? existing : SingleCharacters.Texts[source];
        bool isSameLength = existing is not null && existing.Length == byteCount;
        nuint last = (nuint)(uint)(byteCount - 1);
        if (byteCount < 4)
        {
            // Two, or three: the second may be the last.
            if (isSameLength)
            {
                ref short e = ref GetReference(existing!);
                if (e == source && Unsafe.Add(ref e, 1) == Unsafe.Add(ref source, 1) && Unsafe.Add(ref e, last) == Unsafe.Add(ref source, last))
                    return existing!;
            }

            string few = NewStrings.Allocate(byteCount);
            ref short d = ref GetReference(few);
            d = source;
            Unsafe.Add(ref d, 1) = Unsafe.Add(ref source, 1);
            Unsafe.Add(ref d, last) = Unsafe.Add(ref source, last);
            return few;
        }

        last -= 3;
        if (isSameLength)
        {
            ref short e = ref GetReference(existing!);
            if (LoadWord(ref e) == WidenWord(ref source) && LoadWord(ref Unsafe.Add(ref e, last)) == WidenWord(ref Unsafe.Add(ref source, last)))
                return existing!;
        }

        string text = NewStrings.Allocate(byteCount);
        ref short destination = ref GetReference(text);
        StoreWord(ref destination, WidenWord(ref source));
        StoreWord(ref Unsafe.Add(ref destination, last), WidenWord(ref Unsafe.Add(ref source, last)));
        return text;
    }

    /// <summary>Creates the string of 8 to 32 ASCII bytes, or returns an existing equal one.</summary>
    /// <param name="source">The first byte.</param>
    /// <param name="byteCount">The length.</param>
    /// <param name="existing">The string to return if it is equal; null for none.</param>
    /// <remarks>
    /// With vectors of 128 bits only: code with others is not compiled ahead of time (ReadyToRun). The bytes are loaded again after the allocation:
    /// vectors do not survive a call, and keeping them on the stack costs more than widening twice.
    /// </remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static string ReadShortAscii(ref byte source, int byteCount, string? existing)
    {
        if (existing is not null && existing.Length == byteCount)
        {
            ref short e = ref GetReference(existing);
            if (byteCount <= 16)
            {
                nuint second = (nuint)(uint)(byteCount - 8);
                if (((Vector128.LoadUnsafe(ref e) ^ Widen8(ref source))
                    | (Vector128.LoadUnsafe(ref e, second) ^ Widen8(ref Unsafe.Add(ref source, second)))) == Vector128<short>.Zero)
                    return existing;
            }
            else
            {
                nuint second = (nuint)(uint)(byteCount - 16);
                if ((Difference16(ref e, ref source) | Difference16(ref Unsafe.Add(ref e, second), ref Unsafe.Add(ref source, second)))
                    == Vector128<short>.Zero)
                    return existing;
            }
        }

        string text = NewStrings.Allocate(byteCount);
        ref short d = ref GetReference(text);
        if (byteCount <= 16)
        {
            nuint second = (nuint)(uint)(byteCount - 8);
            Widen8(ref source).StoreUnsafe(ref d);
            Widen8(ref Unsafe.Add(ref source, second)).StoreUnsafe(ref d, second);
        }
        else
        {
            nuint second = (nuint)(uint)(byteCount - 16);
            Widen8(ref source).StoreUnsafe(ref d);
            Widen8(ref Unsafe.Add(ref source, 8)).StoreUnsafe(ref d, 8);
            Widen8(ref Unsafe.Add(ref source, second)).StoreUnsafe(ref d, second);
            Widen8(ref Unsafe.Add(ref source, second + 8)).StoreUnsafe(ref d, second + 8);
        }

        return text;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<short> Difference16(ref short text, ref byte source) =>
        (Vector128.LoadUnsafe(ref text) ^ Widen8(ref source)) | (Vector128.LoadUnsafe(ref text, 8) ^ Widen8(ref Unsafe.Add(ref source, 8)));

    /// <summary>Creates the string of 33 to 64 ASCII bytes, or returns an existing equal one.</summary>
    /// <inheritdoc cref="ReadShortAscii"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static string ReadMediumAscii(ref byte source, int byteCount, string? existing)
    {
        nuint last = (nuint)(uint)(byteCount - 32);
        if (existing is not null && existing.Length == byteCount)
        {
            ref short e = ref GetReference(existing);
            if (Equals32(ref source, ref e) && Equals32(ref Unsafe.Add(ref source, last), ref Unsafe.Add(ref e, last)))
                return existing;
        }

        string text = NewStrings.Allocate(byteCount);
        ref short d = ref GetReference(text);
        Widen32(ref source, ref d);
        Widen32(ref Unsafe.Add(ref source, last), ref Unsafe.Add(ref d, last));
        return text;
    }

    /// <summary>Determines whether 65 or more bytes are ASCII.</summary>
    /// <remarks>By vectors of 128 bits, as in <see cref="IsMediumAscii"/>.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsLongAscii(ref byte source, int byteCount)
    {
        nuint last = (nuint)(uint)(byteCount - 64);
        Vector128<byte> all = Load64(ref Unsafe.Add(ref source, last));
        for (nuint i = 0; i < last; i += 64)
            all |= Load64(ref Unsafe.Add(ref source, i));
        return (all & Vector128.Create((byte)0x80)) == Vector128<byte>.Zero;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<byte> Load64(ref byte source) =>
        Vector128.LoadUnsafe(ref source) | Vector128.LoadUnsafe(ref source, 16) | Vector128.LoadUnsafe(ref source, 32) | Vector128.LoadUnsafe(
            ref source, 48);

    /// <summary>Creates the string of 65 or more ASCII bytes, or returns an existing equal one.</summary>
    /// <inheritdoc cref="ReadShortAscii"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static string ReadLongAscii(ref byte source, int byteCount, string? existing)
    {
        if (existing is not null && EqualsAscii(ref source, byteCount, existing))
            return existing;
        string text = NewStrings.Allocate(byteCount);
        ref short d = ref GetReference(text);
        // The last block overlaps the preceding one.
        nuint last = (nuint)(uint)(byteCount - 32);
        for (nuint i = 0; i < last; i += 32)
            Widen32(ref Unsafe.Add(ref source, i), ref Unsafe.Add(ref d, i));
        Widen32(ref Unsafe.Add(ref source, last), ref Unsafe.Add(ref d, last));
        return text;
    }

    /// <summary>Does what <see cref="ReadMediumAscii"/> and <see cref="ReadLongAscii"/> do, without inlining.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string ReadLonger(ref byte source, int byteCount, string? existing) =>
        byteCount <= 64 ? ReadMediumAscii(ref source, byteCount, existing) : ReadLongAscii(ref source, byteCount, existing);

    /// <summary>Determines whether 33 or more ASCII bytes equal a string.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool EqualsAscii(ref byte source, int byteCount, string text)
    {
        if (text.Length != byteCount)
            return false;
        ref short t = ref GetReference(text);
        nuint last = (nuint)(uint)(byteCount - 32);
        for (nuint i = 0; i < last; i += 32)
        {
            if (!Equals32(ref Unsafe.Add(ref source, i), ref Unsafe.Add(ref t, i)))
                return false;
        }

        return Equals32(ref Unsafe.Add(ref source, last), ref Unsafe.Add(ref t, last));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool Equals32(ref byte source, ref short text) =>
        ((Vector256.LoadUnsafe(ref text) ^ Widen16(ref source)) | (Vector256.LoadUnsafe(ref text, 16) ^ Widen16(ref Unsafe.Add(ref source, 16))))
        == Vector256<short>.Zero;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Widen32(ref byte source, ref short destination)
    {
        Widen16(ref source).StoreUnsafe(ref destination);
        Widen16(ref Unsafe.Add(ref source, 16)).StoreUnsafe(ref destination, 16);
    }

    /// <summary>Widens 4 bytes to characters.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong WidenWord(ref byte source) =>
        Vector128.WidenLower(Vector128.CreateScalarUnsafe(Unsafe.ReadUnaligned<uint>(ref source)).AsByte()).AsUInt64().ToScalar();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong LoadWord(ref short source) => Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<short, byte>(ref source));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint LoadPair(ref short source) => Unsafe.ReadUnaligned<uint>(ref Unsafe.As<short, byte>(ref source));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void StoreWord(ref short destination, ulong value) => Unsafe.WriteUnaligned(ref Unsafe.As<short, byte>(ref destination), value);

    /// <summary>Determines whether 8 characters are ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsAscii(Vector128<short> characters) =>
        Sse41.IsSupported
            ? Sse41.TestZ(characters, Vector128.Create(unchecked((short)0xFF80)))
            : (characters & Vector128.Create(unchecked((short)0xFF80))) == Vector128<short>.Zero;

    /// <summary>Narrows 16 characters that are known to be ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<byte> NarrowAscii(Vector128<short> a, Vector128<short> b) =>
        Sse2.IsSupported ? Sse2.PackUnsignedSaturate(a, b) : Vector128.Narrow(a, b).AsByte();

    /// <summary>Narrows 32 characters that are known to be ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<byte> NarrowAscii(Vector256<short> a, Vector256<short> b)
    {
        // Packs each half separately: 8 bytes of the lower, 8 of the upper, then again.
        return Avx2.IsSupported
            ? Avx2.Permute4x64(Avx2.PackUnsignedSaturate(a, b).AsInt64(), 0b11_01_10_00).AsByte()
            : Vector256.Create(NarrowAscii(a.GetLower(), a.GetUpper()), NarrowAscii(b.GetLower(), b.GetUpper()));
    }

    /// <summary>Widens 8 bytes to characters.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<short> Widen8(ref byte source) =>
        Vector128.WidenLower(Vector128.CreateScalarUnsafe(Unsafe.ReadUnaligned<ulong>(ref source)).AsByte()).AsInt16();

    /// <summary>Widens 16 bytes to characters.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<short> Widen16(ref byte source)
    {
        Vector128<byte> bytes = Vector128.LoadUnsafe(ref source);
        if (Avx2.IsSupported)
            return Avx2.ConvertToVector256Int16(bytes);
        (Vector128<ushort> lower, Vector128<ushort> upper) = Vector128.Widen(bytes);
        return Vector256.Create(lower, upper).AsInt16();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref short GetReference(string text) => ref Unsafe.As<char, short>(ref Unsafe.AsRef(in text.GetPinnableReference()));

    /// <summary>The cached strings of one ASCII character: flags and codes are read without an allocation.</summary>
    private static class SingleCharacters
    {
        internal static readonly string[] Texts = Make();

        private static string[] Make()
        {
            string[] texts = new string[0x80];
            for (int i = 0; i < texts.Length; i++)
                texts[i] = ((char)i).ToString();
            return texts;
        }
    }
}
#endif
