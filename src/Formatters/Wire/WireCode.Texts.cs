using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Custom;

namespace Formatters.Generated;

// Strings, which all formats write as a length and UTF-8: they differ in the code of a short string, its maximum length, and the longer headers.
public static partial class WireCode
{
    /// <summary>The maximum length of a string whose header may be its first byte, in any format.</summary>
    internal const int MaxShortTextByteCount = 64;

    private const int MaxTextHeaderByteCount = 5;
    private const int MaxStackByteCount = 256;

    /// <summary>Calls <see cref="WriteTextInline"/> without inlining it.</summary>
    /// <inheritdoc cref="WriteTextInline"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte WriteText<TFormat>(ref WireWriter writer, ref byte position, string value, int following)
        where TFormat : struct, IWireFormat => ref WriteTextInline<TFormat>(ref writer, ref position, value, following);

    /// <summary>Writes a string, and reserves bytes after it.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The string; null is an error.</param>
    /// <param name="following">The number of bytes to reserve after it.</param>
    /// <returns>The position after it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte WriteTextInline<TFormat>(ref WireWriter writer, ref byte position, string value, int following)
        where TFormat : struct, IWireFormat
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
#if NET
        nuint n = (uint)value.Length;
        if (default(TFormat).MaxShortTextByteCount > 0 && writer.Output.RoomAt(ref position) - following > (int)n)
        {
            if (n - 8 <= 8)
            {
                if (Utf8Text.TryWrite8To16(ref position, value, n, default(TFormat).ShortTextCode))
                    return ref Unsafe.Add(ref position, n + 1);
            }
            else if (n - 17 <= (nuint)(default(TFormat).MaxShortTextByteCount < 32 ? default(TFormat).MaxShortTextByteCount - 17 : 15)
                && Utf8Text.TryWrite17To32(ref position, value, n, default(TFormat).ShortTextCode))
            {
                return ref Unsafe.Add(ref position, n + 1);
            }
        }
#endif
        return ref WriteOtherText<TFormat>(ref writer, ref position, value, following);
    }

    /// <summary>Reads a string.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">The string to return if it is equal; null for none.</param>
    /// <returns>The string.</returns>
    /// <exception cref="MessageFormatException">Another value is next, the bytes are not UTF-8, or the body ends before its end.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string ReadString<TFormat>(ref WireReader reader, string? existing)
        where TFormat : struct, IWireFormat => ReadShortText<TFormat>(ref reader, existing);

    /// <summary>Reads a string at a position, without advancing it.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="position">The position of the value.</param>
    /// <param name="existing">The string to return if it is equal.</param>
    /// <param name="byteCount">Receives how many bytes it has, with its header.</param>
    /// <returns>The string.</returns>
    /// <exception cref="MessageFormatException">The next value has another kind, is invalid UTF-8, or is truncated.</exception>
    public static string ReadText<TFormat>(ref WireReader reader, ref byte position, string? existing, out int byteCount)
        where TFormat : struct, IWireFormat
    {
        string value = ReadOtherText<TFormat>(ref reader, ref position, existing);
        byteCount = reader.ByteCountSince(ref position);
        return value;
    }

    /// <inheritdoc cref="ReadText"/>
    /// <remarks>Inlined: each copy adapts to the length of its own member.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static string ReadTextInline<TFormat>(ref WireReader reader, ref byte position, string? existing, out int byteCount)
        where TFormat : struct, IWireFormat
    {
#if NET
        int remaining = reader.Input.RemainingAt(ref position);
        if (default(TFormat).MaxShortTextByteCount > 0 && System.Runtime.Intrinsics.Vector128.IsHardwareAccelerated && remaining > 8)
        {
            uint contentByteCount = (uint)(position - default(TFormat).ShortTextCode);
            ref byte text = ref Unsafe.Add(ref position, 1);
            if (contentByteCount - 8 <= (uint)(default(TFormat).MaxShortTextByteCount < 32 ? default(TFormat).MaxShortTextByteCount - 8 : 24)
                && contentByteCount < (uint)remaining && Utf8Text.IsShortAscii(ref text, (int)contentByteCount))
            {
                byteCount = 1 + (int)contentByteCount;
                return Utf8Text.ReadShortAscii(ref text, (int)contentByteCount, existing);
            }
        }
#endif
        string value = ReadOtherText<TFormat>(ref reader, ref position, existing);
        byteCount = reader.ByteCountSince(ref position);
        return value;
    }

    /// <summary>Writes any string: in one pass if there is capacity for three bytes per character, otherwise after counting its bytes.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void WriteAnyText<TFormat>(ref BodyOutput output, string value)
        where TFormat : struct, IWireFormat
    {
        if (output.Limits.RefuseInvalidText && !Utf8Text.IsValid(value))
            ThrowHelper.ThrowInvalidText();
        // That of ASCII, except in the compact format, which counts.
        int byteCount = value.Length;
        if (typeof(TFormat) == typeof(CompactFormat))
        {
            byteCount = Utf16Text.GetUtf8ByteCount(value);
            if (Utf16Text.IsShorter(value, byteCount))
            {
                WriteUtf16(ref output, value);
                return;
            }
        }

        if (output.Room - MaxTextHeaderByteCount >= 3L * value.Length)
        {
            // The header is written when the length is known; the string is moved if it needs a longer one.
            ref byte start = ref output.Position;
            int guess = HeaderByteCount<TFormat>(byteCount);
            int written = WriteContent(ref Unsafe.Add(ref start, guess), value);
            int headerByteCount = written == byteCount ? guess : HeaderByteCount<TFormat>(written);
            if (headerByteCount != guess)
                Utf8Text.Move(ref start, guess, headerByteCount, written);
            default(TFormat).WriteTextHeader(ref start, written);
            output.Advance(ref start, headerByteCount + written);
            return;
        }

        if (typeof(TFormat) != typeof(CompactFormat))
            byteCount = Utf8Text.GetByteCount(value);
        int header = HeaderByteCount<TFormat>(byteCount);
        if (byteCount > int.MaxValue - header)
            ThrowHelper.ThrowBodyTooLarge(byteCount, output.Limits.MaxBodyByteCount);
        ref byte p = ref output.Reserve(header + byteCount);
        Utf8Text.WriteExact(ref default(TFormat).WriteTextHeader(ref p, byteCount), value, byteCount);
        output.Advance(ref p, header + byteCount);
    }

    /// <summary>Writes a string of the compact format in UTF-16, after a byte that is never in UTF-8.</summary>
    private static void WriteUtf16(ref BodyOutput output, string value)
    {
        long byteCount = 1 + (sizeof(char) * (long)value.Length);
        if (byteCount > int.MaxValue - MaxTextHeaderByteCount)
            ThrowHelper.ThrowBodyTooLarge(byteCount, output.Limits.MaxBodyByteCount);
        ref byte start = ref output.Reserve(MaxTextHeaderByteCount + (int)byteCount);
        ref byte content = ref default(CompactFormat).WriteTextHeader(ref start, (int)byteCount);
        content = CompactHead.Utf16;
        Utf16Text.Write(ref Unsafe.Add(ref content, 1), value);
        output.Advance(ref start, (int)Unsafe.ByteOffset(ref start, ref content) + (int)byteCount);
    }

    /// <summary>Writes a string that is not of 8 to 32 ASCII characters, or whose length is not in its first byte.</summary>
    /// <remarks>One method for each length, as in the binary format.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte WriteOtherText<TFormat>(ref WireWriter writer, ref byte position, string value, int following)
        where TFormat : struct, IWireFormat
    {
        if (IsCustom<TFormat>())
            return ref WriteCustomText<TFormat>(ref writer, ref position, value);
#if NET
        if (value.Length >= 8)
            return ref WriteLongText<TFormat>(ref writer, ref position, value, following);
        if (writer.Output.RoomAt(ref position) >= 8 + following && Utf8Text.TryWriteTinyAscii(ref position, value, default(TFormat).ShortTextCode))
            return ref Unsafe.Add(ref position, (nuint)(uint)value.Length + 1);
#endif
        return ref WriteAnyText<TFormat>(ref writer, ref position, value, following);
    }

#if NET
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte WriteLongText<TFormat>(ref WireWriter writer, ref byte position, string value, int following)
        where TFormat : struct, IWireFormat
    {
        if (value.Length >= 32 && writer.Output.RoomAt(ref position) - (long)MaxTextHeaderByteCount - following >= value.Length)
        {
            ref byte start = ref default(TFormat).WriteTextHeader(ref position, value.Length);
            if (Utf8Text.TryWriteLongAscii(ref start, value))
                return ref Unsafe.Add(ref start, (nuint)(uint)value.Length);
        }

        return ref WriteAnyText<TFormat>(ref writer, ref position, value, following);
    }
#endif

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte WriteAnyText<TFormat>(ref WireWriter writer, ref byte position, string value, int following)
        where TFormat : struct, IWireFormat
    {
        writer.End(ref position);
        WriteAnyText<TFormat>(ref writer.Output, value);
        return ref writer.Output.ReserveBound(following);
    }

    /// <summary>Writes a string in a format of the application, which gets its UTF-8.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte WriteCustomText<TFormat>(ref WireWriter writer, ref byte position, string value)
        where TFormat : struct, IWireFormat
    {
        if (writer.Limits.RefuseInvalidText && !Utf8Text.IsValid(value))
            ThrowHelper.ThrowInvalidText();
        int byteCount = Utf8Text.GetByteCount(value);
        if (byteCount > MaxStackByteCount && byteCount > writer.Limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(byteCount, writer.Limits.MaxBodyByteCount);
        byte[]? rented = byteCount > MaxStackByteCount ? ArrayPool<byte>.Shared.Rent(byteCount) : null;
        Span<byte> content = rented is null ? stackalloc byte[MaxStackByteCount] : rented;
        Utf8Text.WriteExact(ref MemoryMarshal.GetReference(content), value, byteCount);
        position = ref default(TFormat).WriteUtf8(ref writer, ref position, content.Slice(0, byteCount));
        if (rented is not null)
            ArrayPool<byte>.Shared.Return(rented);
        return ref position;
    }

    private static int WriteContent(ref byte destination, string value)
    {
#if NET
        if (value.Length >= 32 && Utf8Text.TryWriteLongAscii(ref destination, value))
            return value.Length;
#endif
        return Utf8Text.Write(ref destination, value);
    }

    private static int HeaderByteCount<TFormat>(int byteCount)
        where TFormat : struct, IWireFormat
    {
        if (byteCount <= default(TFormat).MaxShortTextByteCount)
            return 1;
        long header = 0;
        ref byte start = ref Unsafe.As<long, byte>(ref header);
        return (int)Unsafe.ByteOffset(ref start, ref default(TFormat).WriteTextHeader(ref start, byteCount));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string ReadOtherText<TFormat>(ref WireReader reader, ref byte position, string? existing)
        where TFormat : struct, IWireFormat
    {
#if NET
        // Of 0 to 7 characters.
        int remaining = IsCustom<TFormat>() ? 0 : reader.Input.RemainingAt(ref position);
        uint byteCount = remaining > 0 ? (uint)(position - default(TFormat).ShortTextCode) : uint.MaxValue;
        if (byteCount < 8 && byteCount < (uint)remaining)
        {
            ref byte text = ref Unsafe.Add(ref position, 1);
            if (byteCount == 0 || System.Runtime.Intrinsics.Vector128.IsHardwareAccelerated && Utf8Text.IsTinyAscii(ref text, (int)byteCount))
            {
                reader.Input.MoveTo(ref Unsafe.Add(ref text, (int)byteCount));
                return byteCount == 0 ? "" : Utf8Text.ReadTinyAscii(ref text, (int)byteCount, existing);
            }
        }
#endif
        reader.Input.MoveTo(ref position);
        return ReadShortText<TFormat>(ref reader, existing);
    }

    /// <summary>Reads a string. Most are short: for them one check of the remaining bytes and one advance suffice.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static string ReadShortText<TFormat>(ref WireReader reader, string? existing)
        where TFormat : struct, IWireFormat
    {
        if (IsCustom<TFormat>())
            return ReadLongText<TFormat>(ref reader, existing);
        ref byte p = ref reader.Input.Require(1);
        int byteCount = p - default(TFormat).ShortTextCode;
        if ((uint)byteCount <= (uint)default(TFormat).MaxShortTextByteCount && byteCount < reader.Input.BytesRemaining
            && !(typeof(TFormat) == typeof(CompactFormat) && byteCount > 0 && Unsafe.Add(ref p, 1) == CompactHead.Utf16)
            && Utf8Text.Read(ref Unsafe.Add(ref p, 1), byteCount, existing) is { } text
            && !(typeof(TFormat) == typeof(CompactFormat) && Utf16Text.IsShorter(text, byteCount)))
        {
            reader.Input.Advance(ref p, 1 + byteCount);
            return text;
        }

        return ReadLongText<TFormat>(ref reader, existing);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string ReadLongText<TFormat>(ref WireReader reader, string? existing)
        where TFormat : struct, IWireFormat
    {
        ReadOnlySpan<byte> bytes = default(TFormat).ReadUtf8(ref reader);
        ref byte start = ref MemoryMarshal.GetReference(bytes);
        if (typeof(TFormat) == typeof(CompactFormat) && !bytes.IsEmpty && start == CompactHead.Utf16)
            return ReadUtf16(ref reader, bytes.Slice(1), existing);
        string? text = Utf8Text.Read(ref start, bytes.Length, existing);
        if (text is null)
            ThrowHelper.ThrowBadText(OffsetOf<TFormat>(ref reader, bytes) + Utf8Text.IndexOfInvalid(ref start, bytes.Length));
        if (typeof(TFormat) == typeof(CompactFormat) && Utf16Text.IsShorter(text, bytes.Length))
            ThrowHelper.ThrowMalformed(OffsetOf<TFormat>(ref reader, bytes), "A string is in UTF-8 that is shorter in UTF-16.");
        return text;
    }

    private static string ReadUtf16(ref WireReader reader, scoped ReadOnlySpan<byte> bytes, string? existing)
    {
        int byteOffset = OffsetOf<CompactFormat>(ref reader, bytes);
        if (bytes.IsEmpty || bytes.Length % sizeof(char) != 0)
            ThrowHelper.ThrowMalformed(byteOffset, "The number of bytes of UTF-16 is odd, or 0.");
        string? text = Utf16Text.Read(bytes, existing);
        if (text is null)
            ThrowHelper.ThrowBadText(byteOffset + Utf16Text.IndexOfInvalid(bytes));
        if (!Utf16Text.IsShorter(text))
            ThrowHelper.ThrowMalformed(byteOffset, "A string is in UTF-16 that is not longer in UTF-8.");
        return text;
    }
}
