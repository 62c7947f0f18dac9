using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
#if NET
using System.Buffers;
using System.Runtime.Intrinsics;
using System.Text.Unicode;
#endif

namespace Formatters;

/// <summary>Converts between UTF-16 strings and UTF-8 bytes. Short ASCII strings, the bulk of message bodies, need no call and no loop.</summary>
/// <remarks>
/// Measured by the rows "hand-coded" and "generated binary" of Formatters.Benchmarks: the general transcoders cost 5 to 15 ns per string, those for
/// ASCII 1 to 3.
/// </remarks>
internal static partial class Utf8Text
{
    internal static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private static readonly UTF8Encoding Replacing = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: false);

    /// <summary>Returns the number of UTF-8 bytes of a string, counting an unpaired surrogate as U+FFFD (3 bytes).</summary>
    /// <exception cref="MessageFormatException">They are more than an <see cref="int"/> can count.</exception>
    internal static int GetByteCount(string text) => text.Length <= int.MaxValue / 3 ? Replacing.GetByteCount(text) : GetLargeByteCount(text);

    private static int GetLargeByteCount(string text)
    {
        try
        {
            return Replacing.GetByteCount(text);
        }
        catch (ArgumentException)
        {
            ThrowHelper.ThrowBodyTooLarge(1L + int.MaxValue, int.MaxValue);
            return 0;
        }
    }

    /// <summary>Writes any string where <paramref name="byteCount"/> bytes are known to fit.</summary>
    internal static unsafe void WriteExact(ref byte destination, string text, int byteCount)
    {
        if (byteCount == 0)
            return;
        fixed (byte* d = &destination)
        fixed (char* s = text)
            Replacing.GetBytes(s, text.Length, d, byteCount);
    }

    /// <summary>Determines whether a string has no unpaired surrogate.</summary>
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

    /// <summary>Writes a 7-bit length and any string. The caller has reserved <c>5 + 3 * text.Length</c> bytes.</summary>
    /// <returns>The number of bytes written.</returns>
    internal static int WritePrefixed(ref byte destination, string text)
    {
        int n = text.Length;
#if NET
        if (n < 8)
        {
            if (TryWriteTinyAscii(ref destination, text))
                return 1 + n;
        }
        else if (n <= 32)
        {
            if (TryWriteShortAscii(ref destination, text))
                return 1 + n;
        }
        else
        {
            int prefix = SevenBitInt.Write(ref destination, (uint)n);
            if (TryWriteLongAscii(ref Unsafe.Add(ref destination, prefix), text))
                return prefix + n;
        }
#endif
        return WriteOther(ref destination, text);
    }

    /// <summary>Does what <see cref="WritePrefixed"/> does, with the transcoder of the base library.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int WriteOther(ref byte destination, string text)
    {
        // The prefix is written when the length is known: its width is guessed as for ASCII, and the bytes are moved if it was one byte too short.
        int guess = SevenBitInt.GetByteCount((uint)text.Length);
        int byteCount = Write(ref Unsafe.Add(ref destination, guess), text);
        int prefix = SevenBitInt.GetByteCount((uint)byteCount);
        if (prefix != guess)
            Move(ref destination, guess, prefix, byteCount);
        SevenBitInt.Write(ref destination, (uint)byteCount);
        return prefix + byteCount;
    }

    /// <summary>Writes any string, without a length. The caller has reserved <c>3 * text.Length</c> bytes.</summary>
    /// <returns>The number of bytes written.</returns>
    internal static int Write(ref byte destination, string text)
    {
#if NET
        if (CanTranscode)
            return Transcode(ref destination, text);
        Utf8.FromUtf16(text, MemoryMarshal.CreateSpan(ref destination, 3 * text.Length), out _, out int byteCount, replaceInvalidSequences: true);
        return byteCount;
#else
        return GetBytes(ref destination, text);
#endif
    }

    /// <summary>Creates the string of UTF-8 bytes, or returns an existing equal one.</summary>
    /// <param name="source">The first byte; <paramref name="byteCount"/> bytes are available.</param>
    /// <param name="byteCount">The length in bytes.</param>
    /// <param name="existing">The string to return if it is equal; null for none.</param>
    /// <returns>The string, or null if the bytes are not UTF-8: <see cref="IndexOfInvalid"/> returns the index.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static string? Read(ref byte source, int byteCount, string? existing)
    {
        if (byteCount == 0)
            return string.Empty;
#if NET
        if (Vector128.IsHardwareAccelerated)
        {
            if (byteCount < 8)
            {
                if (IsTinyAscii(ref source, byteCount))
                    return ReadTinyAscii(ref source, byteCount, existing);
            }
            else if (byteCount <= 32)
            {
                if (IsShortAscii(ref source, byteCount))
                    return ReadShortAscii(ref source, byteCount, existing);
            }
            else if (byteCount <= 64 ? IsMediumAscii(ref source, byteCount) : IsLongAscii(ref source, byteCount))
            {
                return ReadLonger(ref source, byteCount, existing);
            }
        }
#endif
        return ReadOther(ref source, byteCount, existing);
    }

    /// <summary>Does what <see cref="Read"/> does, with the transcoders of the base library.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
#if NET
    [SkipLocalsInit]
#endif
    private static unsafe string? ReadOther(ref byte source, int byteCount, string? existing)
    {
        const int MaxScratchCharCount = 1024;
#if NET
        if (byteCount <= MaxScratchCharCount)
        {
            Span<char> scratch = stackalloc char[MaxScratchCharCount];
            ReadOnlySpan<byte> bytes = MemoryMarshal.CreateReadOnlySpan(ref source, byteCount);
            int charCount;
            if (CanTranscode && source >= 0xE0)
                charCount = Transcode(ref source, byteCount, ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(scratch)));
            else if (Utf8.ToUtf16(bytes, scratch, out _, out charCount, replaceInvalidSequences: false) != OperationStatus.Done)
                return null;
            if (charCount < 0)
                return null;
            ReadOnlySpan<char> text = scratch[..charCount];
            return existing is not null && text.SequenceEqual(existing) ? existing : new string(text);
        }

        if (existing is not null && existing.Length <= byteCount && EqualsInPieces(MemoryMarshal.CreateReadOnlySpan(ref source, byteCount), existing))
            return existing;
#else
        if (existing is not null && EqualsAscii(ref source, byteCount, existing))
            return existing;
#endif
        fixed (byte* p = &source)
        {
            try
            {
#if !NET
                if (existing is not null && existing.Length < byteCount && existing.Length <= MaxScratchCharCount)
                {
                    char* scratch = stackalloc char[MaxScratchCharCount];
                    if (Strict.GetCharCount(p, byteCount) == existing.Length)
                    {
                        Strict.GetChars(p, byteCount, scratch, existing.Length);
                        if (existing.AsSpan().SequenceEqual(new ReadOnlySpan<char>(scratch, existing.Length)))
                            return existing;
                    }
                }
#endif
                return Strict.GetString(p, byteCount);
            }
            catch (DecoderFallbackException)
            {
                return null;
            }
        }
    }

    /// <summary>
    /// Finds the first sequence that is not UTF-8 (Unicode 15, table 3-7); -1 if there is none. The exceptions of the runtimes differ.
    /// </summary>
    internal static int IndexOfInvalid(ref byte source, int byteCount)
    {
        for (int i = 0; i < byteCount;)
        {
            byte b = Unsafe.Add(ref source, i);
            int length = b < 0x80 ? 1 : b is >= 0xC2 and <= 0xDF ? 2 : b is >= 0xE0 and <= 0xEF ? 3 : b is >= 0xF0 and <= 0xF4 ? 4 : 0;
            if (length == 0 || length > byteCount - i)
                return i;
            byte low = b switch { 0xE0 => 0xA0, 0xF0 => 0x90, _ => 0x80 };
            byte high = b switch { 0xED => 0x9F, 0xF4 => 0x8F, _ => 0xBF };
            for (int k = 1; k < length; k++, low = 0x80, high = 0xBF)
            {
                byte next = Unsafe.Add(ref source, i + k);
                if (next < low || next > high)
                    return i;
            }

            i += length;
        }

        return -1;
    }

#if NET
    /// <summary>Determines whether bytes equal a string of any length.</summary>
    [SkipLocalsInit]
    private static bool EqualsInPieces(ReadOnlySpan<byte> bytes, ReadOnlySpan<char> text)
    {
        Span<char> piece = stackalloc char[1024];
        OperationStatus status;
        do
        {
            status = Utf8.ToUtf16(bytes, piece, out int byteCount, out int charCount, replaceInvalidSequences: false);
            if (status is not (OperationStatus.Done or OperationStatus.DestinationTooSmall) || !text.StartsWith(piece[..charCount]))
                return false;
            bytes = bytes[byteCount..];
            text = text[charCount..];
        }
        while (status != OperationStatus.Done);

        return text.IsEmpty;
    }
#endif

#if !NET
    /// <summary>Determines whether bytes equal an ASCII string: a string with other characters has more bytes than characters.</summary>
    private static bool EqualsAscii(ref byte source, int byteCount, string text)
    {
        if (text.Length != byteCount)
            return false;
        for (int i = 0; i < byteCount; i++)
        {
            byte b = Unsafe.Add(ref source, i);
            if (b >= 0x80 || b != text[i])
                return false;
        }

        return true;
    }
#endif

    /// <summary>Moves bytes; the ranges may overlap, which Mono's <c>Buffer.MemoryCopy</c> does not support.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static unsafe void Move(ref byte destination, int from, int to, int byteCount)
    {
        fixed (byte* p = &destination)
            new ReadOnlySpan<byte>(p + from, byteCount).CopyTo(new Span<byte>(p + to, byteCount));
    }

#if !NET
    private static unsafe int GetBytes(ref byte destination, string text)
    {
        fixed (byte* d = &destination)
        fixed (char* s = text)
            return Replacing.GetBytes(s, text.Length, d, 3 * text.Length);
    }
#endif
}
