using System;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
#if NET
using System.Runtime.Intrinsics;
using System.Text;
#endif

namespace Formatters;

/// <summary>Copies strings to and from UTF-16, low byte first: the form of strings that are not ASCII if the options of
/// a writer ask for it, and in the compact format of those that are shorter so.</summary>
internal static class Utf16Text
{
    private const char Replacement = '\uFFFD';

    /// <summary>Determines whether a string is written in UTF-16, rather than in as many bytes of UTF-8 as it has characters.</summary>
    internal static bool Applies(string text)
    {
#if NET
        return !Ascii.IsValid(text);
#else
        foreach (char c in text)
        {
            if (c >= 0x80)
                return true;
        }

        return false;
#endif
    }

    /// <summary>Determines whether a string is shorter in UTF-16, after one byte, than in UTF-8: most characters take three bytes.</summary>
    internal static bool IsShorter(string text) => IsShorter(text, GetUtf8ByteCount(text));

    /// <summary>Does the same for a string whose number of bytes in UTF-8 is known.</summary>
    internal static bool IsShorter(string text, int utf8ByteCount) => utf8ByteCount > 1 + (sizeof(char) * (long)text.Length);

    /// <summary>Returns the number of bytes in UTF-8, quickly for a string without surrogates.</summary>
    internal static int GetUtf8ByteCount(string text) =>
#if NET
        TryGetUtf8Surplus(text, out int surplus) ? (sizeof(char) * text.Length) + surplus :
#endif
        Utf8Text.GetByteCount(text);

    /// <summary>Writes a string where two bytes for each character are known to fit; a surrogate without its partner becomes U+FFFD.</summary>
    internal static void Write(ref byte destination, string text)
    {
#if NET
        if (BitConverter.IsLittleEndian && TryCopyWithoutSurrogates(ref Bytes(text), ref destination, text.Length))
            return;
#endif
        if (BitConverter.IsLittleEndian)
        {
            Unsafe.CopyBlockUnaligned(ref destination, ref MemoryMarshal.GetReference(MemoryMarshal.AsBytes(text.AsSpan())), 2 * (uint)text.Length);
        }
        else
        {
            for (int i = 0; i < text.Length; i++)
                LittleEndian.Write(ref Unsafe.Add(ref destination, 2 * i), (short)text[i]);
        }

        for (int index = IndexOfUnpaired(text.AsSpan(), 0); index >= 0; index = IndexOfUnpaired(text.AsSpan(), index + 1))
            LittleEndian.Write(ref Unsafe.Add(ref destination, 2 * index), unchecked((short)Replacement));
    }

    /// <summary>Creates the string of UTF-16 bytes, or returns an existing equal one.</summary>
    /// <param name="bytes">The bytes: an even number, and not 0.</param>
    /// <param name="existing">The string to return if it is equal; null for none.</param>
    /// <returns>The string, or null if a surrogate has no partner: <see cref="IndexOfInvalid"/> returns the index.</returns>
    internal static unsafe string? Read(ReadOnlySpan<byte> bytes, string? existing)
    {
        if (existing is not null && BitConverter.IsLittleEndian && bytes.SequenceEqual(MemoryMarshal.AsBytes(existing.AsSpan())))
            return IndexOfUnpaired(existing.AsSpan(), 0) < 0 ? existing : null;
#if NET
        string text = NewStrings.Allocate(bytes.Length / sizeof(char));
        if (BitConverter.IsLittleEndian && TryCopyWithoutSurrogates(ref MemoryMarshal.GetReference(bytes), ref Bytes(text), text.Length))
            return text;
#else
        string text = new('\0', bytes.Length / sizeof(char));
#endif
        fixed (char* chars = text)
        {
            var content = new Span<char>(chars, text.Length);
            bytes.CopyTo(MemoryMarshal.AsBytes(content));
            if (!BitConverter.IsLittleEndian)
            {
                for (int i = 0; i < content.Length; i++)
                    content[i] = (char)BinaryPrimitives.ReverseEndianness((ushort)content[i]);
            }
        }

        return IndexOfUnpaired(text.AsSpan(), 0) < 0 ? text : null;
    }

#if NET
    /// <summary>
    /// Counts how many bytes more a string of 8 to 32,767 characters takes in UTF-8 than in UTF-16. Rows "Japanese titles" and "accented titles" of
    /// compact in models.
    /// </summary>
    /// <returns>False for other lengths, and where there is a surrogate.</returns>
    private static bool TryGetUtf8Surplus(string text, out int surplus)
    {
        surplus = 0;
        if (!Vector128.IsHardwareAccelerated || text.Length is < 8 or > short.MaxValue)
            return false;
        ref ushort chars = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(text.AsSpan()));
        int last = text.Length - Vector128<ushort>.Count;
        // Of the last eight characters, those that the loop counts, too, are replaced by one that takes two bytes in either.
        Vector128<ushort> isInLoop = Vector128.LessThan(
            Vector128.Create((ushort)0, 1, 2, 3, 4, 5, 6, 7), Vector128.Create((ushort)(-text.Length & 7)));
        Vector128<ushort> some = Vector128.ConditionalSelect(
            isInLoop, Vector128.Create((ushort)0x80), Vector128.LoadUnsafe(ref chars, (nuint)last));
        Vector128<ushort> counts = default, surrogates = default;
        for (int i = 0; ; i += Vector128<ushort>.Count)
        {
            surrogates |= Vector128.Equals(some & Vector128.Create((ushort)0xF800), Vector128.Create((ushort)0xD800));
            counts += Vector128.LessThan(some, Vector128.Create((ushort)0x80)) - Vector128.GreaterThan(some, Vector128.Create((ushort)0x7FF));
            if (i >= last)
                break;
            some = Vector128.LoadUnsafe(ref chars, (nuint)i);
        }

        surplus = Vector128.Sum(counts.AsInt16());
        return surrogates == Vector128<ushort>.Zero;
    }

    private static ref byte Bytes(string text) => ref Unsafe.As<char, byte>(ref MemoryMarshal.GetReference(text.AsSpan()));

    /// <summary>
    /// Copies characters, and finds out in the same pass that none is a surrogate. Rows "Japanese titles" and "accented titles" of "binary UTF-16" in
    /// models.
    /// </summary>
    /// <returns>False also for a few characters, which are not copied.</returns>
    private static bool TryCopyWithoutSurrogates(ref byte source, ref byte destination, int charCount)
    {
        int last = (sizeof(char) * charCount) - Vector128<byte>.Count;
        if (!Vector128.IsHardwareAccelerated || last < 0)
            return false;
        Vector128<ushort> found = CopyAndFindSurrogates(ref source, ref destination, last);
        for (int i = 0; i < last; i += Vector128<byte>.Count)
            found |= CopyAndFindSurrogates(ref source, ref destination, i);
        return found == Vector128<ushort>.Zero;

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        static Vector128<ushort> CopyAndFindSurrogates(ref byte source, ref byte destination, int at)
        {
            Vector128<ushort> chars = Vector128.LoadUnsafe(ref source, (nuint)at).AsUInt16();
            chars.AsByte().StoreUnsafe(ref destination, (nuint)at);
            return Vector128.Equals(chars & Vector128.Create((ushort)0xF800), Vector128.Create((ushort)0xD800));
        }
    }
#endif

    /// <summary>Finds the first byte of the first surrogate without its partner; -1 if there is none.</summary>
    internal static int IndexOfInvalid(ReadOnlySpan<byte> bytes)
    {
        for (int i = 0; i < bytes.Length; i += sizeof(char))
        {
            char c = CharAt(bytes, i);
            if (!char.IsSurrogate(c))
                continue;
            if (!char.IsHighSurrogate(c) || i + sizeof(char) == bytes.Length || !char.IsLowSurrogate(CharAt(bytes, i + sizeof(char))))
                return i;
            i += sizeof(char);
        }

        return -1;
    }

    private static char CharAt(ReadOnlySpan<byte> bytes, int index) => (char)BinaryPrimitives.ReadUInt16LittleEndian(bytes.Slice(index));

    private static int IndexOfUnpaired(ReadOnlySpan<char> text, int start)
    {
        for (int index = start; ; index += 2)
        {
#if NET
            int next = text[index..].IndexOfAnyInRange('\uD800', '\uDFFF');
            if (next < 0)
                return -1;
            index += next;
#else
            while (index < text.Length && !char.IsSurrogate(text[index]))
                index++;
            if (index == text.Length)
                return -1;
#endif
            if (!char.IsHighSurrogate(text[index]) || index + 1 == text.Length || !char.IsLowSurrogate(text[index + 1]))
                return index;
        }
    }
}
