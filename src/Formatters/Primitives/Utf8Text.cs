using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
#if NET
using System.Buffers;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using System.Text.Unicode;
#endif

namespace Formatters;

/// <summary>Text between UTF-16 strings and UTF-8 bytes. Short ASCII text, the bulk of message bodies, takes no call and no loop.</summary>
/// <remarks>
/// Fast paths: two overlapping vectors cover 8..16 and 17..32 characters whole, two overlapping words 4..7, so that nothing beyond the text is
/// read or written. Measured by the rows "hand-coded" of Formatters.Benchmarks: the general transcoders cost 5 to 8 ns a string, these 1 to 2.
/// </remarks>
internal static class Utf8Text
{
    internal static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private static readonly UTF8Encoding Replacing = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: false);

    /// <summary>The number of UTF-8 bytes of a text, a lone surrogate counted as U+FFFD (3 bytes).</summary>
    internal static int GetByteCount(string text) => Replacing.GetByteCount(text);

    /// <summary>Writes a text of any kind where <paramref name="byteCount"/> bytes are known to fit.</summary>
    internal static unsafe void WriteExact(ref byte destination, string text, int byteCount)
    {
        if (byteCount == 0)
            return;
        fixed (byte* d = &destination)
        fixed (char* s = text)
            Replacing.GetBytes(s, text.Length, d, byteCount);
    }

    /// <summary>Whether a text has no surrogate without its partner.</summary>
    internal static bool IsValid(string text)
    {
        for (int i = 0; i < text.Length; i++)
        {
            if (!char.IsSurrogate(text[i]))
                continue;
            if (!char.IsHighSurrogate(text[i]) || i + 1 == text.Length || !char.IsLowSurrogate(text[i + 1]))
                return false;
            i++;
        }

        return true;
    }

#if NET
    /// <summary>The most bytes that <see cref="TryWriteShortAscii"/> writes.</summary>
    internal const int MaxShortAsciiByteCount = 33;

    /// <summary>Writes a length and a text of 8 to 32 ASCII characters. The caller has made sure of <c>1 + text.Length</c> bytes.</summary>
    /// <param name="destination">Receives the length, in one byte, and the text.</param>
    /// <param name="text">The text.</param>
    /// <param name="lengthBits">What else is set in the byte of the length.</param>
    /// <returns>The number of bytes written, or 0 if the text is of another kind; nothing is written then.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int TryWriteShortAscii(ref byte destination, string text, byte lengthBits = 0)
    {
        int n = text.Length;
        ref ushort c = ref Unsafe.As<char, ushort>(ref Unsafe.AsRef(in text.GetPinnableReference()));
        if (Vector128.IsHardwareAccelerated && (uint)(n - 8) <= 8)
        {
            Vector128<ushort> a = Vector128.LoadUnsafe(ref c);
            Vector128<ushort> b = Vector128.LoadUnsafe(ref c, (nuint)(uint)(n - 8));
            if (((a | b) & Vector128.Create((ushort)0xFF80)) == Vector128<ushort>.Zero)
            {
                Vector128<ulong> narrow = NarrowAscii(a, b).AsUInt64();
                destination = (byte)(n | lengthBits);
                Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, 1), narrow.ToScalar());
                Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, n - 7), narrow.GetElement(1));
                return n + 1;
            }
        }
        else if (Vector128.IsHardwareAccelerated && (uint)(n - 17) <= 15)
        {
            // Four vectors of 128 bits, not two of 256: those would cost a vzeroupper per text.
            Vector128<ushort> a = Vector128.LoadUnsafe(ref c);
            Vector128<ushort> b = Vector128.LoadUnsafe(ref c, 8);
            Vector128<ushort> y = Vector128.LoadUnsafe(ref c, (nuint)(uint)(n - 16));
            Vector128<ushort> z = Vector128.LoadUnsafe(ref c, (nuint)(uint)(n - 8));
            if (((a | b | y | z) & Vector128.Create((ushort)0xFF80)) == Vector128<ushort>.Zero)
            {
                destination = (byte)(n | lengthBits);
                NarrowAscii(a, b).StoreUnsafe(ref destination, 1);
                NarrowAscii(y, z).StoreUnsafe(ref destination, (nuint)(uint)(n - 15));
                return n + 1;
            }
        }

        return 0;
    }
#endif

    /// <summary>Writes a 7-bit length and a text of any kind. The caller has made sure of <c>5 + 3 * text.Length</c> bytes.</summary>
    /// <returns>The number of bytes written.</returns>
    internal static int WritePrefixed(ref byte destination, string text)
    {
        // The prefix is written when the length is known: its width is guessed as for ASCII, and the text moved where that was too few.
        int guess = SevenBitInt.GetByteCount((uint)text.Length);
        int byteCount = Write(ref Unsafe.Add(ref destination, guess), text);
        int prefix = SevenBitInt.GetByteCount((uint)byteCount);
        if (prefix != guess)
            Move(ref destination, guess, prefix, byteCount);
        SevenBitInt.Write(ref destination, (uint)byteCount);
        return prefix + byteCount;
    }

    /// <summary>Writes a text of any kind, without a length. The caller has made sure of <c>3 * text.Length</c> bytes.</summary>
    /// <returns>The number of bytes written.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Write(ref byte destination, string text)
    {
        int n = text.Length;
        if (n == 0)
            return 0;
#if NET
        if (n < 8 && TryWriteTinyAscii(ref destination, text))
            return n;
        Utf8.FromUtf16(text, MemoryMarshal.CreateSpan(ref destination, 3 * n), out _, out int byteCount, replaceInvalidSequences: true);
        return byteCount;
#else
        return GetBytes(ref destination, text);
#endif
    }

#if NET
    /// <summary>Makes the string of 8 to 32 bytes of ASCII, or finds it equal to one that is there.</summary>
    /// <param name="source">The first byte; <paramref name="byteCount"/> bytes are there.</param>
    /// <param name="byteCount">The length, 8 to 32.</param>
    /// <param name="existing">The string to return if it is equal; null means none.</param>
    /// <returns>The string, or null if the text is not ASCII.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static string? TryReadShortAscii(ref byte source, int byteCount, string? existing)
    {
        nuint second;
        if (byteCount <= 16)
        {
            second = (nuint)(uint)(byteCount - 8);
            ulong a = Unsafe.ReadUnaligned<ulong>(ref source);
            ulong b = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref source, second));
            if (((a | b) & 0x8080808080808080) != 0)
                return null;
            Vector128<ushort> wideA = Vector128.WidenLower(Vector128.CreateScalarUnsafe(a).AsByte());
            Vector128<ushort> wideB = Vector128.WidenLower(Vector128.CreateScalarUnsafe(b).AsByte());
            if (existing is not null && existing.Length == byteCount)
            {
                ref ushort e = ref Unsafe.As<char, ushort>(ref Unsafe.AsRef(in existing.GetPinnableReference()));
                if (((Vector128.LoadUnsafe(ref e) ^ wideA) | (Vector128.LoadUnsafe(ref e, second) ^ wideB)) == Vector128<ushort>.Zero)
                    return existing;
            }

            string text = NewStrings.Allocate(byteCount);
            ref ushort d = ref Unsafe.As<char, ushort>(ref Unsafe.AsRef(in text.GetPinnableReference()));
            wideA.StoreUnsafe(ref d);
            wideB.StoreUnsafe(ref d, second);
            return text;
        }
        else
        {
            second = (nuint)(uint)(byteCount - 16);
            Vector128<byte> a = Vector128.LoadUnsafe(ref source);
            Vector128<byte> b = Vector128.LoadUnsafe(ref source, second);
            if (((a | b) & Vector128.Create((byte)0x80)) != Vector128<byte>.Zero)
                return null;
            Vector256<ushort> wideA = Widen(a);
            Vector256<ushort> wideB = Widen(b);
            if (existing is not null && existing.Length == byteCount)
            {
                ref ushort e = ref Unsafe.As<char, ushort>(ref Unsafe.AsRef(in existing.GetPinnableReference()));
                if (((Vector256.LoadUnsafe(ref e) ^ wideA) | (Vector256.LoadUnsafe(ref e, second) ^ wideB)) == Vector256<ushort>.Zero)
                    return existing;
            }

            string text = NewStrings.Allocate(byteCount);
            ref ushort d = ref Unsafe.As<char, ushort>(ref Unsafe.AsRef(in text.GetPinnableReference()));
            wideA.StoreUnsafe(ref d);
            wideB.StoreUnsafe(ref d, second);
            return text;
        }
    }
#endif

    /// <summary>Makes the string of UTF-8 bytes.</summary>
    /// <param name="source">The first byte; <paramref name="byteCount"/> bytes are there.</param>
    /// <param name="byteCount">The length in bytes.</param>
    /// <param name="badIndex">-1, or where the first byte that is not UTF-8 stands; then the result is null.</param>
#if NET
    [SkipLocalsInit]
#endif
    internal static unsafe string? Read(ref byte source, int byteCount, out int badIndex)
    {
        badIndex = -1;
        if (byteCount == 0)
            return string.Empty;
#if NET
        if (byteCount < 8)
        {
            if (byteCount >= 4)
            {
                uint a = Unsafe.ReadUnaligned<uint>(ref source);
                uint b = Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref source, byteCount - 4));
                if (Vector128.IsHardwareAccelerated && ((a | b) & 0x80808080) == 0)
                {
                    string text = NewStrings.Allocate(byteCount);
                    ref byte d = ref Unsafe.As<char, byte>(ref Unsafe.AsRef(in text.GetPinnableReference()));
                    Vector128<ulong> wide = Vector128.WidenLower(Vector128.CreateScalarUnsafe(a | ((ulong)b << 32)).AsByte()).AsUInt64();
                    Unsafe.WriteUnaligned(ref d, wide.ToScalar());
                    Unsafe.WriteUnaligned(ref Unsafe.Add(ref d, 2 * (byteCount - 4)), wide.GetElement(1));
                    return text;
                }
            }
            else
            {
                uint x = source, y = Unsafe.Add(ref source, byteCount >> 1), z = Unsafe.Add(ref source, byteCount - 1);
                if ((x | y | z) < 0x80)
                {
                    string text = NewStrings.Allocate(byteCount);
                    ref char d = ref Unsafe.AsRef(in text.GetPinnableReference());
                    d = (char)x;
                    Unsafe.Add(ref d, byteCount >> 1) = (char)y;
                    Unsafe.Add(ref d, byteCount - 1) = (char)z;
                    return text;
                }
            }
        }

        ReadOnlySpan<byte> bytes = MemoryMarshal.CreateReadOnlySpan(ref source, byteCount);
        if (byteCount <= 256)
        {
            char* scratch = stackalloc char[256];
            OperationStatus status = Utf8.ToUtf16(bytes, new Span<char>(scratch, 256), out int read, out int charCount, replaceInvalidSequences: false);
            if (status == OperationStatus.Done)
                return new string(scratch, 0, charCount);
            badIndex = read;
            return null;
        }
#endif
        fixed (byte* p = &source)
        {
            try
            {
                return Strict.GetString(p, byteCount);
            }
            catch (DecoderFallbackException)
            {
                badIndex = IndexOfInvalid(new ReadOnlySpan<byte>(p, byteCount));
                return null;
            }
        }
    }

    /// <summary>Where the first sequence that is not UTF-8 begins (Unicode 15, table 3-7); the runtimes' own exceptions say different things. -1 if none.</summary>
    private static int IndexOfInvalid(ReadOnlySpan<byte> bytes)
    {
        for (int i = 0; i < bytes.Length;)
        {
            byte b = bytes[i];
            int length = b < 0x80 ? 1 : b is >= 0xC2 and <= 0xDF ? 2 : b is >= 0xE0 and <= 0xEF ? 3 : b is >= 0xF0 and <= 0xF4 ? 4 : 0;
            if (length == 0 || length > bytes.Length - i)
                return i;
            byte low = b switch { 0xE0 => 0xA0, 0xF0 => 0x90, _ => 0x80 };
            byte high = b switch { 0xED => 0x9F, 0xF4 => 0x8F, _ => 0xBF };
            for (int k = 1; k < length; k++, low = 0x80, high = 0xBF)
            {
                if (bytes[i + k] < low || bytes[i + k] > high)
                    return i;
            }

            i += length;
        }

        return -1;
    }

    /// <summary>Whether UTF-8 bytes are those of a string, without making a string of them.</summary>
#if NET
    [SkipLocalsInit]
#endif
    internal static bool Equals(ref byte source, int byteCount, string text)
    {
#if NET
        if (text.Length == byteCount)
        {
            return Ascii.Equals(MemoryMarshal.CreateReadOnlySpan(ref source, byteCount), text);
        }

        if (byteCount < text.Length || byteCount > 3L * text.Length || byteCount > 1024)
            return false;
        Span<byte> scratch = stackalloc byte[1024];
        return Utf8.FromUtf16(text, scratch, out _, out int written, replaceInvalidSequences: false) == OperationStatus.Done
            && scratch[..written].SequenceEqual(MemoryMarshal.CreateReadOnlySpan(ref source, byteCount));
#else
        // Equal length means ASCII on both sides, or difference: a text with a character beyond ASCII has more bytes than characters.
        if (text.Length != byteCount)
            return false;
        for (int i = 0; i < byteCount; i++)
        {
            byte b = Unsafe.Add(ref source, i);
            if (b >= 0x80 || b != text[i])
                return false;
        }

        return true;
#endif
    }

#if NET
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryWriteTinyAscii(ref byte destination, string text)
    {
        int n = text.Length;
        ref char c = ref Unsafe.AsRef(in text.GetPinnableReference());
        if (n >= 4)
        {
            ulong a = Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<char, byte>(ref c));
            ulong b = Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<char, byte>(ref Unsafe.Add(ref c, n - 4)));
            if (!Vector128.IsHardwareAccelerated || ((a | b) & 0xFF80FF80FF80FF80) != 0)
                return false;
            Vector128<ushort> both = Vector128.Create(a, b).AsUInt16();
            Vector128<uint> narrow = Vector128.Narrow(both, both).AsUInt32();
            Unsafe.WriteUnaligned(ref destination, narrow.ToScalar());
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, n - 4), narrow.GetElement(1));
            return true;
        }

        uint x = c, y = Unsafe.Add(ref c, n >> 1), z = Unsafe.Add(ref c, n - 1);
        if ((x | y | z) >= 0x80)
            return false;
        destination = (byte)x;
        Unsafe.Add(ref destination, n >> 1) = (byte)y;
        Unsafe.Add(ref destination, n - 1) = (byte)z;
        return true;
    }
#endif

    /// <summary>Moves a text that begins at one place to another.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static unsafe void Move(ref byte destination, int from, int to, int byteCount)
    {
        fixed (byte* p = &destination)
            Buffer.MemoryCopy(p + from, p + to, byteCount, byteCount);
    }

#if NET
    /// <summary>The low bytes of 16 characters that are known to be ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<byte> NarrowAscii(Vector128<ushort> a, Vector128<ushort> b) =>
        Sse2.IsSupported ? Sse2.PackUnsignedSaturate(a.AsInt16(), b.AsInt16()) : Vector128.Narrow(a, b);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ushort> Widen(Vector128<byte> bytes)
    {
        if (Avx2.IsSupported)
            return Avx2.ConvertToVector256Int16(bytes).AsUInt16();
        (Vector128<ushort> lower, Vector128<ushort> upper) = Vector128.Widen(bytes);
        return Vector256.Create(lower, upper);
    }
#else
    private static unsafe int GetBytes(ref byte destination, string text)
    {
        fixed (byte* d = &destination)
        fixed (char* s = text)
            return Replacing.GetBytes(s, text.Length, d, 3 * text.Length);
    }
#endif
}
