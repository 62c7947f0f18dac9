#if NET
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using System.Text;

namespace Formatters;

// ASCII between UTF-16 and UTF-8, by length: 1 to 7 (tiny), 8 to 16, 16 to 32, above 32 (long). Two overlapping
// vectors, or words, cover a text whole, so that nothing beyond it is read or written.
internal static partial class Utf8Text
{
    /// <summary>The most bytes that <see cref="TryWriteShortAscii"/> writes.</summary>
    internal const int MaxShortAsciiByteCount = 33;

    /// <summary>Writes a length and a text of 8 to 32 ASCII characters, <c>1 + text.Length</c> bytes. The caller has made sure of them.</summary>
    /// <param name="destination">Where the length goes.</param>
    /// <param name="text">The text.</param>
    /// <param name="code">What the byte of the length has besides.</param>
    /// <param name="maxCharCount">Up to which length: 17 to 32.</param>
    /// <returns>Whether it did; nothing is written of a text of another kind.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryWriteShortAscii(ref byte destination, string text, byte code = 0, int maxCharCount = 32)
    {
        // Of the size of a pointer: no index has to be widened.
        nuint n = (uint)text.Length;
        ref ushort c = ref GetReference(text);
        if (!Vector128.IsHardwareAccelerated)
            return false;
        if (n - 8 <= 8)
        {
            Vector128<ushort> a = Vector128.LoadUnsafe(ref c);
            Vector128<ushort> b = Vector128.LoadUnsafe(ref c, n - 8);
            if (((a | b) & Vector128.Create((ushort)0xFF80)) != Vector128<ushort>.Zero)
                return false;
            Vector128<ulong> narrow = NarrowAscii(a, b).AsUInt64();
            destination = (byte)(code | n);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, 1), narrow.ToScalar());
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, n - 7), narrow.GetElement(1));
            return true;
        }

        if (n - 17 <= (nuint)(uint)(maxCharCount - 17))
        {
            // Four vectors of 128 bits, not two of 256: those would cost a vzeroupper per text.
            Vector128<ushort> a = Vector128.LoadUnsafe(ref c);
            Vector128<ushort> b = Vector128.LoadUnsafe(ref c, 8);
            Vector128<ushort> y = Vector128.LoadUnsafe(ref c, n - 16);
            Vector128<ushort> z = Vector128.LoadUnsafe(ref c, n - 8);
            if (((a | b | y | z) & Vector128.Create((ushort)0xFF80)) != Vector128<ushort>.Zero)
                return false;
            destination = (byte)(code | n);
            NarrowAscii(a, b).StoreUnsafe(ref destination, 1);
            NarrowAscii(y, z).StoreUnsafe(ref destination, n - 15);
            return true;
        }

        return false;
    }

    /// <summary>Writes a length and a text of 0 to 7 ASCII characters, <c>1 + text.Length</c> bytes.</summary>
    /// <inheritdoc cref="TryWriteShortAscii"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryWriteTinyAscii(ref byte destination, string text, byte code = 0)
    {
        int n = text.Length;
        ref ushort c = ref GetReference(text);
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
            Vector128<ushort> both = Vector128.Create(a, b).AsUInt16();
            Vector128<uint> narrow = NarrowAscii(both, both).AsUInt32();
            destination = (byte)(code | n);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, 1), narrow.ToScalar());
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, (nuint)(uint)(n - 3)), narrow.GetElement(1));
            return true;
        }

        nuint middle = (nuint)((uint)n >> 1);
        uint x = c, y = Unsafe.Add(ref c, middle), z = Unsafe.Add(ref c, (nuint)(uint)(n - 1));
        if ((x | y | z) >= 0x80)
            return false;
        destination = (byte)(code | n);
        Unsafe.Add(ref destination, 1) = (byte)x;
        Unsafe.Add(ref destination, 1 + middle) = (byte)y;
        Unsafe.Add(ref destination, (nuint)(uint)n) = (byte)z;
        return true;
    }

    /// <summary>Writes a text of 32 or more ASCII characters, without a length; of one of another kind, bytes that are to be written over.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryWriteLongAscii(ref byte destination, string text)
    {
        if (!Vector128.IsHardwareAccelerated)
            return false;
        ref ushort c = ref GetReference(text);
        // The last block overlaps the one before it.
        nuint last = (nuint)(uint)(text.Length - 32);
        for (nuint i = 0; i < last; i += 32)
        {
            if (!TryNarrow32(ref Unsafe.Add(ref c, i), ref Unsafe.Add(ref destination, i)))
                return false;
        }

        return TryNarrow32(ref Unsafe.Add(ref c, last), ref Unsafe.Add(ref destination, last));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryNarrow32(ref ushort source, ref byte destination)
    {
        if (Avx2.IsSupported)
        {
            Vector256<ushort> lower = Vector256.LoadUnsafe(ref source);
            Vector256<ushort> upper = Vector256.LoadUnsafe(ref source, 16);
            if (((lower | upper) & Vector256.Create((ushort)0xFF80)) != Vector256<ushort>.Zero)
                return false;
            // Packs each half by itself: 8 bytes of the lower, 8 of the upper, and once more.
            Vector256<ulong> packed = Avx2.PackUnsignedSaturate(lower.AsInt16(), upper.AsInt16()).AsUInt64();
            Avx2.Permute4x64(packed, 0b11_01_10_00).AsByte().StoreUnsafe(ref destination);
            return true;
        }

        Vector128<ushort> a = Vector128.LoadUnsafe(ref source);
        Vector128<ushort> b = Vector128.LoadUnsafe(ref source, 8);
        Vector128<ushort> y = Vector128.LoadUnsafe(ref source, 16);
        Vector128<ushort> z = Vector128.LoadUnsafe(ref source, 24);
        if (((a | b | y | z) & Vector128.Create((ushort)0xFF80)) != Vector128<ushort>.Zero)
            return false;
        NarrowAscii(a, b).StoreUnsafe(ref destination);
        NarrowAscii(y, z).StoreUnsafe(ref destination, 16);
        return true;
    }

    /// <summary>Whether 1 to 7 bytes are ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsTinyAscii(ref byte source, int byteCount) =>
        byteCount >= 4
            ? ((Unsafe.ReadUnaligned<uint>(ref source) | Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref source, (nuint)(uint)(byteCount - 4)))) & 0x80808080) == 0
            : (source | Unsafe.Add(ref source, (nuint)((uint)byteCount >> 1)) | Unsafe.Add(ref source, (nuint)(uint)(byteCount - 1))) < 0x80;

    /// <summary>Whether 8 to 32 bytes are ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsShortAscii(ref byte source, int byteCount) =>
        byteCount <= 16
            ? ((Unsafe.ReadUnaligned<ulong>(ref source) | Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref source, (nuint)(uint)(byteCount - 8)))) & 0x8080808080808080) == 0
            : ((Vector128.LoadUnsafe(ref source) | Vector128.LoadUnsafe(ref source, (nuint)(uint)(byteCount - 16))) & Vector128.Create((byte)0x80)) == Vector128<byte>.Zero;

    /// <summary>Whether 33 or more bytes are ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsLongAscii(ref byte source, int byteCount)
    {
        nuint last = (nuint)(uint)(byteCount - 32);
        Vector256<byte> all = Vector256.LoadUnsafe(ref source, last);
        for (nuint i = 0; i < last; i += 32)
            all |= Vector256.LoadUnsafe(ref source, i);
        return (all & Vector256.Create((byte)0x80)) == Vector256<byte>.Zero;
    }

    /// <summary>Makes the string of 1 to 7 bytes that are ASCII, or finds it equal to one that is there.</summary>
    /// <inheritdoc cref="ReadShortAscii"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static string ReadTinyAscii(ref byte source, int byteCount, string? existing)
    {
        // As characters: the first four and the last four; or the first, the middle and the last.
        ulong a, b;
        nuint second;
        if (byteCount >= 4)
        {
            a = WidenWord(ref source);
            second = (nuint)(uint)(byteCount - 4);
            b = WidenWord(ref Unsafe.Add(ref source, second));
        }
        else
        {
            second = (nuint)((uint)byteCount >> 1);
            a = source;
            b = Unsafe.Add(ref source, second) | ((ulong)Unsafe.Add(ref source, (nuint)(uint)(byteCount - 1)) << 32);
        }

        if (existing is not null && existing.Length == byteCount)
        {
            ref ushort e = ref GetReference(existing);
            if (byteCount >= 4
                ? LoadWord(ref e) == a && LoadWord(ref Unsafe.Add(ref e, second)) == b
                : e == a && Unsafe.Add(ref e, second) == (ushort)b && Unsafe.Add(ref e, (nuint)(uint)(byteCount - 1)) == b >> 32)
            {
                return existing;
            }
        }

        string text = NewStrings.Allocate(byteCount);
        ref ushort d = ref GetReference(text);
        if (byteCount >= 4)
        {
            StoreWord(ref d, a);
            StoreWord(ref Unsafe.Add(ref d, second), b);
        }
        else
        {
            d = (ushort)a;
            Unsafe.Add(ref d, second) = (ushort)b;
            Unsafe.Add(ref d, (nuint)(uint)(byteCount - 1)) = (ushort)(b >> 32);
        }

        return text;
    }

    /// <summary>Makes the string of 8 to 32 bytes that are ASCII, or finds it equal to one that is there.</summary>
    /// <param name="source">The first byte.</param>
    /// <param name="byteCount">The length.</param>
    /// <param name="existing">The string to return if it is equal; null means none.</param>
    /// <remarks>The bytes are loaded again behind the allocation: vectors do not survive a call, and to keep them on the stack costs more than to widen twice.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static string ReadShortAscii(ref byte source, int byteCount, string? existing)
    {
        if (existing is not null && existing.Length == byteCount)
        {
            ref ushort e = ref GetReference(existing);
            if (byteCount <= 16)
            {
                nuint second = (nuint)(uint)(byteCount - 8);
                if (((Vector128.LoadUnsafe(ref e) ^ Widen8(ref source)) | (Vector128.LoadUnsafe(ref e, second) ^ Widen8(ref Unsafe.Add(ref source, second)))) == Vector128<ushort>.Zero)
                    return existing;
            }
            else
            {
                nuint second = (nuint)(uint)(byteCount - 16);
                if (((Vector256.LoadUnsafe(ref e) ^ Widen16(ref source)) | (Vector256.LoadUnsafe(ref e, second) ^ Widen16(ref Unsafe.Add(ref source, second)))) == Vector256<ushort>.Zero)
                    return existing;
            }
        }

        string text = NewStrings.Allocate(byteCount);
        ref ushort d = ref GetReference(text);
        if (byteCount <= 16)
        {
            nuint second = (nuint)(uint)(byteCount - 8);
            Widen8(ref source).StoreUnsafe(ref d);
            Widen8(ref Unsafe.Add(ref source, second)).StoreUnsafe(ref d, second);
        }
        else
        {
            nuint second = (nuint)(uint)(byteCount - 16);
            Widen16(ref source).StoreUnsafe(ref d);
            Widen16(ref Unsafe.Add(ref source, second)).StoreUnsafe(ref d, second);
        }

        return text;
    }

    /// <summary>Makes the string of 33 or more bytes that are ASCII, or finds it equal to one that is there.</summary>
    /// <inheritdoc cref="ReadShortAscii"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static string ReadLongAscii(ref byte source, int byteCount, string? existing)
    {
        // The last block overlaps the one before it.
        nuint last = (nuint)(uint)(byteCount - 32);
        if (existing is not null && existing.Length == byteCount)
        {
            ref ushort e = ref GetReference(existing);
            nuint i = 0;
            while (i < last && Equals32(ref Unsafe.Add(ref source, i), ref Unsafe.Add(ref e, i)))
                i += 32;
            if (i >= last && Equals32(ref Unsafe.Add(ref source, last), ref Unsafe.Add(ref e, last)))
                return existing;
        }

        string text = NewStrings.Allocate(byteCount);
        ref ushort d = ref GetReference(text);
        for (nuint i = 0; i < last; i += 32)
            Widen32(ref Unsafe.Add(ref source, i), ref Unsafe.Add(ref d, i));
        Widen32(ref Unsafe.Add(ref source, last), ref Unsafe.Add(ref d, last));
        return text;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool Equals32(ref byte source, ref ushort text) =>
        ((Vector256.LoadUnsafe(ref text) ^ Widen16(ref source)) | (Vector256.LoadUnsafe(ref text, 16) ^ Widen16(ref Unsafe.Add(ref source, 16)))) == Vector256<ushort>.Zero;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Widen32(ref byte source, ref ushort destination)
    {
        Widen16(ref source).StoreUnsafe(ref destination);
        Widen16(ref Unsafe.Add(ref source, 16)).StoreUnsafe(ref destination, 16);
    }

    /// <summary>4 bytes as characters.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong WidenWord(ref byte source) =>
        Vector128.WidenLower(Vector128.CreateScalarUnsafe(Unsafe.ReadUnaligned<uint>(ref source)).AsByte()).AsUInt64().ToScalar();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong LoadWord(ref ushort source) => Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<ushort, byte>(ref source));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void StoreWord(ref ushort destination, ulong value) => Unsafe.WriteUnaligned(ref Unsafe.As<ushort, byte>(ref destination), value);

    /// <summary>The low bytes of 16 characters that are known to be ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<byte> NarrowAscii(Vector128<ushort> a, Vector128<ushort> b) =>
        Sse2.IsSupported ? Sse2.PackUnsignedSaturate(a.AsInt16(), b.AsInt16()) : Vector128.Narrow(a, b);

    /// <summary>8 bytes as characters.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ushort> Widen8(ref byte source) =>
        Vector128.WidenLower(Vector128.CreateScalarUnsafe(Unsafe.ReadUnaligned<ulong>(ref source)).AsByte());

    /// <summary>16 bytes as characters.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ushort> Widen16(ref byte source)
    {
        Vector128<byte> bytes = Vector128.LoadUnsafe(ref source);
        if (Avx2.IsSupported)
            return Avx2.ConvertToVector256Int16(bytes).AsUInt16();
        (Vector128<ushort> lower, Vector128<ushort> upper) = Vector128.Widen(bytes);
        return Vector256.Create(lower, upper);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref ushort GetReference(string text) => ref Unsafe.As<char, ushort>(ref Unsafe.AsRef(in text.GetPinnableReference()));
}
#endif
