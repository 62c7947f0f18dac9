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
    /// <returns>Whether it did; nothing is written of a text of another kind.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryWriteShortAscii(ref byte destination, string text)
    {
        int n = text.Length;
        ref ushort c = ref GetReference(text);
        if (!Vector128.IsHardwareAccelerated)
            return false;
        if ((uint)(n - 8) <= 8)
        {
            Vector128<ushort> a = Vector128.LoadUnsafe(ref c);
            Vector128<ushort> b = Vector128.LoadUnsafe(ref c, (nuint)(uint)(n - 8));
            if (((a | b) & Vector128.Create((ushort)0xFF80)) != Vector128<ushort>.Zero)
                return false;
            Vector128<ulong> narrow = NarrowAscii(a, b).AsUInt64();
            destination = (byte)n;
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, 1), narrow.ToScalar());
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, (nuint)(uint)(n - 7)), narrow.GetElement(1));
            return true;
        }

        if ((uint)(n - 17) <= 15)
        {
            // Four vectors of 128 bits, not two of 256: those would cost a vzeroupper per text.
            Vector128<ushort> a = Vector128.LoadUnsafe(ref c);
            Vector128<ushort> b = Vector128.LoadUnsafe(ref c, 8);
            Vector128<ushort> y = Vector128.LoadUnsafe(ref c, (nuint)(uint)(n - 16));
            Vector128<ushort> z = Vector128.LoadUnsafe(ref c, (nuint)(uint)(n - 8));
            if (((a | b | y | z) & Vector128.Create((ushort)0xFF80)) != Vector128<ushort>.Zero)
                return false;
            destination = (byte)n;
            NarrowAscii(a, b).StoreUnsafe(ref destination, 1);
            NarrowAscii(y, z).StoreUnsafe(ref destination, (nuint)(uint)(n - 15));
            return true;
        }

        return false;
    }

    /// <summary>Writes a length and a text of 1 to 7 ASCII characters, <c>1 + text.Length</c> bytes.</summary>
    internal static bool TryWriteTinyAscii(ref byte destination, string text)
    {
        int n = text.Length;
        ref ushort c = ref GetReference(text);
        if (n >= 4)
        {
            ulong a = Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<ushort, byte>(ref c));
            ulong b = Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<ushort, byte>(ref Unsafe.Add(ref c, n - 4)));
            if (!Vector128.IsHardwareAccelerated || ((a | b) & 0xFF80FF80FF80FF80) != 0)
                return false;
            Vector128<ushort> both = Vector128.Create(a, b).AsUInt16();
            Vector128<uint> narrow = NarrowAscii(both, both).AsUInt32();
            destination = (byte)n;
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, 1), narrow.ToScalar());
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, n - 3), narrow.GetElement(1));
            return true;
        }

        uint x = c, y = Unsafe.Add(ref c, n >> 1), z = Unsafe.Add(ref c, n - 1);
        if ((x | y | z) >= 0x80)
            return false;
        destination = (byte)n;
        Unsafe.Add(ref destination, 1) = (byte)x;
        Unsafe.Add(ref destination, 1 + (n >> 1)) = (byte)y;
        Unsafe.Add(ref destination, n) = (byte)z;
        return true;
    }

    /// <summary>Writes a 7-bit length and a text of 33 or more ASCII characters; of one of another kind, bytes that are to be written over.</summary>
    private static bool TryWriteLongAscii(ref byte destination, string text)
    {
        if (!Vector128.IsHardwareAccelerated)
            return false;
        ref ushort c = ref GetReference(text);
        ref byte d = ref Unsafe.Add(ref destination, SevenBitInt.Write(ref destination, (uint)text.Length));
        // The last block overlaps the one before it.
        nuint last = (nuint)(uint)(text.Length - 32);
        for (nuint i = 0; i < last; i += 32)
        {
            if (!TryNarrow32(ref Unsafe.Add(ref c, i), ref Unsafe.Add(ref d, i)))
                return false;
        }

        return TryNarrow32(ref Unsafe.Add(ref c, last), ref Unsafe.Add(ref d, last));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryNarrow32(ref ushort source, ref byte destination)
    {
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

    /// <summary>Whether 8 to 16 bytes are ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsAscii8To16(ref byte source, int byteCount) =>
        ((Unsafe.ReadUnaligned<ulong>(ref source) | Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref source, (nuint)(uint)(byteCount - 8)))) & 0x8080808080808080) == 0;

    /// <summary>Whether 16 to 32 bytes are ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsAscii16To32(ref byte source, int byteCount) =>
        ((Vector128.LoadUnsafe(ref source) | Vector128.LoadUnsafe(ref source, (nuint)(uint)(byteCount - 16))) & Vector128.Create((byte)0x80)) == Vector128<byte>.Zero;

    /// <summary>Makes the string of 8 to 16 bytes that are ASCII, or finds it equal to one that is there.</summary>
    /// <param name="source">The first byte.</param>
    /// <param name="byteCount">The length, 8 to 16.</param>
    /// <param name="existing">The string to return if it is equal; null means none.</param>
    /// <remarks>The bytes are loaded again behind the allocation: vectors do not survive a call, and to keep them on the stack costs more than to widen twice.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static string ReadAscii8To16(ref byte source, int byteCount, string? existing)
    {
        nuint second = (nuint)(uint)(byteCount - 8);
        if (existing is not null && existing.Length == byteCount)
        {
            ref ushort e = ref GetReference(existing);
            if (((Vector128.LoadUnsafe(ref e) ^ Widen8(ref source)) | (Vector128.LoadUnsafe(ref e, second) ^ Widen8(ref Unsafe.Add(ref source, second)))) == Vector128<ushort>.Zero)
                return existing;
        }

        string text = NewStrings.Allocate(byteCount);
        ref ushort d = ref GetReference(text);
        Widen8(ref source).StoreUnsafe(ref d);
        Widen8(ref Unsafe.Add(ref source, second)).StoreUnsafe(ref d, second);
        return text;
    }

    /// <inheritdoc cref="ReadAscii8To16"/>
    /// <summary>Makes the string of 16 to 32 bytes that are ASCII, or finds it equal to one that is there.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static string ReadAscii16To32(ref byte source, int byteCount, string? existing)
    {
        nuint second = (nuint)(uint)(byteCount - 16);
        if (existing is not null && existing.Length == byteCount)
        {
            ref ushort e = ref GetReference(existing);
            if (((Vector256.LoadUnsafe(ref e) ^ Widen16(ref source)) | (Vector256.LoadUnsafe(ref e, second) ^ Widen16(ref Unsafe.Add(ref source, second)))) == Vector256<ushort>.Zero)
                return existing;
        }

        string text = NewStrings.Allocate(byteCount);
        ref ushort d = ref GetReference(text);
        Widen16(ref source).StoreUnsafe(ref d);
        Widen16(ref Unsafe.Add(ref source, second)).StoreUnsafe(ref d, second);
        return text;
    }

    /// <summary>Makes the string of 1 to 7 bytes of ASCII, or finds it equal to one that is there; null if they are not ASCII.</summary>
    private static string? TryReadTinyAscii(ref byte source, int byteCount, string? existing)
    {
        if (byteCount >= 4)
        {
            uint a = Unsafe.ReadUnaligned<uint>(ref source);
            uint b = Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref source, byteCount - 4));
            if (!Vector128.IsHardwareAccelerated || ((a | b) & 0x80808080) != 0)
                return null;
            Vector128<ulong> wide = Vector128.WidenLower(Vector128.CreateScalarUnsafe(a | ((ulong)b << 32)).AsByte()).AsUInt64();
            ulong wideA = wide.ToScalar();
            ulong wideB = wide.GetElement(1);
            int second = 2 * (byteCount - 4);
            if (existing is not null && existing.Length == byteCount)
            {
                ref byte e = ref Unsafe.As<ushort, byte>(ref GetReference(existing));
                if (Unsafe.ReadUnaligned<ulong>(ref e) == wideA && Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref e, second)) == wideB)
                    return existing;
            }

            string text = NewStrings.Allocate(byteCount);
            ref byte d = ref Unsafe.As<ushort, byte>(ref GetReference(text));
            Unsafe.WriteUnaligned(ref d, wideA);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref d, second), wideB);
            return text;
        }
        else
        {
            int middle = byteCount >> 1;
            int last = byteCount - 1;
            uint x = source, y = Unsafe.Add(ref source, middle), z = Unsafe.Add(ref source, last);
            if ((x | y | z) >= 0x80)
                return null;
            if (existing is not null && existing.Length == byteCount && existing[0] == x && existing[middle] == y && existing[last] == z)
                return existing;
            string text = NewStrings.Allocate(byteCount);
            ref ushort d = ref GetReference(text);
            d = (ushort)x;
            Unsafe.Add(ref d, middle) = (ushort)y;
            Unsafe.Add(ref d, last) = (ushort)z;
            return text;
        }
    }

    /// <summary>Makes the string of 33 or more bytes of ASCII, or finds it equal to one that is there; null if they are not ASCII.</summary>
    private static string? TryReadLongAscii(ref byte source, int byteCount, string? existing)
    {
        if (existing is not null && existing.Length == byteCount && Ascii.Equals(MemoryMarshal.CreateReadOnlySpan(ref source, byteCount), existing))
            return existing;
        // The last block overlaps the one before it.
        nuint last = (nuint)(uint)(byteCount - 32);
        for (nuint i = 0; i < last; i += 32)
        {
            if (!IsAscii16To32(ref Unsafe.Add(ref source, i), 32))
                return null;
        }

        if (!IsAscii16To32(ref Unsafe.Add(ref source, last), 32))
            return null;
        string text = NewStrings.Allocate(byteCount);
        ref ushort d = ref GetReference(text);
        for (nuint i = 0; i < last; i += 32)
            Widen32(ref Unsafe.Add(ref source, i), ref Unsafe.Add(ref d, i));
        Widen32(ref Unsafe.Add(ref source, last), ref Unsafe.Add(ref d, last));
        return text;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Widen32(ref byte source, ref ushort destination)
    {
        Widen16(ref source).StoreUnsafe(ref destination);
        Widen16(ref Unsafe.Add(ref source, 16)).StoreUnsafe(ref destination, 16);
    }

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
