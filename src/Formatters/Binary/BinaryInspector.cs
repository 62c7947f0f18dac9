using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Formatters.Inspection;

namespace Formatters;

/// <summary>Prints bytes, with the parts that may be strings as strings: docs/inspector.md.</summary>
internal sealed class BinaryInspector() : MessageInspector("binary", ContentTypes.Binary)
{
    private const int LineByteCount = 16;

    /// <summary>The minimum length of a string, below which printable bytes may be a coincidence.</summary>
    private const int MinTextByteCount = 3;

    internal override int BodyType => BodyTypes.Binary;

    internal override bool Recognizes(ReadOnlySpan<byte> body) => true;

    /// <summary>Determines whether the bytes start with the length of a string and as many bytes of printable text.</summary>
    internal static bool TryReadText(ReadOnlySpan<byte> rest, out string text, out int byteCount)
    {
        text = "";
        byteCount = 0;
        if (!TryReadLength(rest, out int length, out int prefixByteCount, out bool isUtf16))
            return false;
        ReadOnlySpan<byte> bytes = rest.Slice(prefixByteCount, length);
        if ((isUtf16 ? Utf16TextByteCount(bytes) : TextByteCount(bytes)) < length)
            return false;
        text = GetText(bytes, isUtf16);
        byteCount = prefixByteCount + length;
        return true;
    }

    protected override void Inspect(ReadOnlySpan<byte> body, InspectionWriter writer, FormatterLimits limits)
    {
        if (body.Length > limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(body.Length, limits.MaxBodyByteCount);
        writer.At(0);
        writer.BeginArray();
        int start = 0;
        // The ends of the printable text last found, shared by all length prefixes before them: UTF-8; UTF-16 from even offsets; from odd ones.
        Span<int> textEnds = stackalloc int[3];
        for (int i = 0; i < body.Length;)
        {
            bool isText = TryReadLength(body.Slice(i), out int length, out int prefixByteCount, out bool isUtf16) && length >= MinTextByteCount
                && (isUtf16
                    ? IsUtf16Text(body, i + prefixByteCount, length, ref textEnds[1 + ((i + prefixByteCount) & 1)])
                    : IsText(body, i + prefixByteCount, length, ref textEnds[0]));
            if (i > start && (isText || i - start == LineByteCount))
            {
                PrintBytes(body, start, i, writer);
                start = i;
            }

            if (isText)
            {
                writer.At(i);
                writer.Write(GetText(body.Slice(i + prefixByteCount, length), isUtf16));
                start = i + prefixByteCount + length;
            }

            i = isText ? start : i + 1;
        }

        if (start < body.Length)
            PrintBytes(body, start, body.Length, writer);
        writer.EndArray();
    }

    private static void PrintBytes(ReadOnlySpan<byte> body, int start, int end, InspectionWriter writer)
    {
        writer.At(start);
        writer.WriteBytes(body.Slice(start, end - start));
    }

    private static string GetText(ReadOnlySpan<byte> bytes, bool isUtf16) =>
        isUtf16 ? Utf16Text.Read(bytes, null)! : Utf8Text.Strict.GetString(bytes.ToArray());

    private static bool TryReadLength(ReadOnlySpan<byte> rest, out int length, out int prefixByteCount, out bool isUtf16)
    {
        length = 0;
        prefixByteCount = 0;
        isUtf16 = false;
        for (int i = 0; i < Math.Min(rest.Length, 4); i++)
        {
            length |= (rest[i] & 0x7F) << (7 * i);
            if (rest[i] >= 0x80)
                continue;
            prefixByteCount = i + 1;
            isUtf16 = rest[i] == 0 && i > 0;
            return length <= rest.Length - prefixByteCount && !(isUtf16 && (length == 0 || length % sizeof(char) != 0));
        }

        return false;
    }

    private static bool IsText(ReadOnlySpan<byte> body, int start, int byteCount, ref int textEnd)
    {
        if (IsInsideOfCharacter(body, start) || IsInsideOfCharacter(body, start + byteCount))
            return false;
        if (start >= textEnd)
            textEnd = start + TextByteCount(body.Slice(start));
        return start + byteCount <= textEnd;
    }

    private static bool IsUtf16Text(ReadOnlySpan<byte> body, int start, int byteCount, ref int textEnd)
    {
        if (start >= textEnd)
            textEnd = start + Utf16TextByteCount(body.Slice(start));
        return start + byteCount <= textEnd && Utf16Text.IndexOfInvalid(body.Slice(start, byteCount)) < 0;
    }

    private static bool IsInsideOfCharacter(ReadOnlySpan<byte> body, int i) => i < body.Length && (body[i] & 0xC0) == 0x80;

    /// <summary>Returns the number of initial bytes that are UTF-8 without control characters.</summary>
    private static int TextByteCount(ReadOnlySpan<byte> bytes)
    {
        int i = 0;
        while (i < bytes.Length)
        {
            byte b = bytes[i];
            int byteCount = b < 0x80 ? 1 : b >= 0xF0 ? 4 : b >= 0xE0 ? 3 : 2;
            bool isControl = b is (< 0x20 and not ((byte)'\t' or (byte)'\r' or (byte)'\n')) or 0x7F;
            if (isControl || byteCount > bytes.Length - i
                || (b >= 0x80 && Utf8Text.IndexOfInvalid(ref MemoryMarshal.GetReference(bytes.Slice(i)), byteCount) >= 0))
                break;
            i += byteCount;
        }

        return i;
    }

    /// <summary>Returns the number of initial bytes that are UTF-16 without control characters.</summary>
    private static int Utf16TextByteCount(ReadOnlySpan<byte> bytes)
    {
        bytes = bytes.Slice(0, bytes.Length & ~1);
        int i = 0;
        for (; i < bytes.Length; i += sizeof(char))
        {
            char c = (char)BinaryPrimitives.ReadUInt16LittleEndian(bytes.Slice(i));
            if (char.IsControl(c) && c is not ('\t' or '\r' or '\n'))
                break;
        }

        int invalid = Utf16Text.IndexOfInvalid(bytes.Slice(0, i));
        return invalid < 0 ? i : invalid;
    }
}
