// Extensible Markup Language (XML) 1.0: https://www.w3.org/TR/xml/
using System;

namespace Formatters;

/// <summary>Applies the limits to the markup of a body before an XmlReader reads it.</summary>
/// <remarks>
/// XmlSerializer recurses for each nested element, and XmlReader creates an object of some hundred bytes for each attribute of a start tag before
/// their number is available. Both are therefore counted here, over the raw bytes, which is also cheaper than an XmlReader around another. The
/// scanner finds the same tags as a parser in every well-formed document; in others the parser stops at the error, and up to there they agree. This
/// holds for all encodings in which the bytes of ASCII have no other meaning; others are rejected or decoded first.
/// </remarks>
internal static class XmlBodyScanner
{
    /// <summary>The maximum number of attributes of one element.</summary>
    internal const int MaxAttributeCount = 1000;

    /// <summary>Determines whether the body is UTF-16, by its byte order mark or its first character.</summary>
    internal static bool IsUtf16(ReadOnlySpan<byte> body, out bool bigEndian)
    {
        bigEndian = body.Length >= 2 && (body[0], body[1]) is (0xFE, 0xFF) or (0, 0x3C);
        return bigEndian || (body.Length >= 2 && (body[0], body[1]) is (0xFF, 0xFE) or (0x3C, 0));
    }

    /// <summary>Determines whether the body begins as XML does, with a '&lt;' after an optional byte order mark and white space.</summary>
    internal static bool StartsWithMarkup(ReadOnlySpan<byte> body)
    {
        int i = HasByteOrderMark(body) ? 3 : 0;
        while (i < body.Length && body[i] is 0x20 or 0x09 or 0x0A or 0x0D)
            i++;
        return i < body.Length && body[i] == '<';
    }

    internal static bool HasByteOrderMark(ReadOnlySpan<byte> body) => body.StartsWith("\uFEFF"u8);

    /// <summary>Counts depth and attributes.</summary>
    /// <param name="body">The body, in UTF-8 or another superset of ASCII.</param>
    /// <param name="maxDepth">The maximum number of nested elements.</param>
    /// <param name="isDecoded">Whether the body was UTF-16: then the encoding that it declares does not count, and offsets are unknown.</param>
    /// <param name="rootOnly">Whether to stop after the start tag of the root.</param>
    /// <exception cref="MessageFormatException">Too deep, too many attributes, a document type declaration, or an encoding that is not
    /// supported.</exception>
    internal static void Check(ReadOnlySpan<byte> body, int maxDepth, bool isDecoded, bool rootOnly)
    {
        if (!StartsWithMarkup(body))
            ThrowMalformed("The body does not begin with an XML tag.", isDecoded ? -1 : 0);
        int i = body.IndexOf((byte)'<');
        if (!isDecoded)
            CheckDeclaredEncoding(body, i);
        int depth = 0;
        while (i < body.Length)
        {
            ReadOnlySpan<byte> rest = body.Slice(i);
            int byteCount;
            if (rest.StartsWith("</"u8))
            {
                depth--;
                byteCount = LengthThrough(rest, ">"u8);
            }
            else if (rest.StartsWith("<?"u8))
            {
                byteCount = LengthThrough(rest, "?>"u8);
            }
            else if (rest.StartsWith("<!--"u8))
            {
                byteCount = 4 + LengthThrough(rest.Slice(4), "-->"u8);
            }
            else if (rest.StartsWith("<![CDATA["u8))
            {
                byteCount = LengthThrough(rest, "]]>"u8);
            }
            else if (rest.StartsWith("<!"u8))
            {
                ThrowMalformed("The body has a document type declaration, which is not allowed.", isDecoded ? -1 : i);
                return;
            }
            else
            {
                if (++depth > maxDepth)
                    ThrowHelper.ThrowElementDepthExceeded(isDecoded ? -1 : i, maxDepth);
                byteCount = StartTag(rest, isDecoded ? -1 : i, out bool isEmptyElement);
                if (isEmptyElement)
                    depth--;
                if (rootOnly)
                    return;
            }

            i += byteCount;
            int next = body.Slice(i).IndexOf((byte)'<');
            if (next < 0)
                return;
            i += next;
        }
    }

    /// <summary>Returns the length up to and including a mark; the whole length without one, where the parser finds the end of the body.</summary>
    private static int LengthThrough(ReadOnlySpan<byte> rest, ReadOnlySpan<byte> mark)
    {
        int index = rest.IndexOf(mark);
        return index < 0 ? rest.Length : index + mark.Length;
    }

    private static int StartTag(ReadOnlySpan<byte> rest, int byteOffset, out bool isEmptyElement)
    {
        isEmptyElement = false;
        int attributeCount = 0;
        int i = 1;
        while (i < rest.Length)
        {
            byte b = rest[i];
            if (b == '>')
            {
                isEmptyElement = rest[i - 1] == '/';
                return i + 1;
            }

            if (b is (byte)'"' or (byte)'\'')
            {
                if (++attributeCount > MaxAttributeCount)
                    ThrowHelper.ThrowTooManyAttributes(byteOffset, MaxAttributeCount);
                int length = rest.Slice(i + 1).IndexOf(b);
                if (length < 0)
                    return rest.Length;
                i += length + 1;
            }

            i++;
        }

        return rest.Length;
    }

    private static void CheckDeclaredEncoding(ReadOnlySpan<byte> body, int start)
    {
        ReadOnlySpan<byte> rest = body.Slice(start);
        if (!rest.StartsWith("<?xml"u8))
            return;
        ReadOnlySpan<byte> declaration = rest.Slice(0, LengthThrough(rest, "?>"u8));
        int index = declaration.IndexOf("encoding"u8);
        if (index < 0)
            return;
        ReadOnlySpan<byte> value = declaration.Slice(index + 8);
        int quote = value.IndexOfAny((byte)'"', (byte)'\'');
        if (quote < 0)
            return;
        int length = value.Slice(quote + 1).IndexOf(value[quote]);
        ReadOnlySpan<byte> name = value.Slice(quote + 1, Math.Max(length, 0));
        if (!IsSupersetOfAscii(name))
            ThrowMalformed("The body declares an encoding that is not supported here: neither Unicode nor a Latin code page.", start + index);
    }

    private static bool IsSupersetOfAscii(ReadOnlySpan<byte> name)
    {
        Span<char> lower = stackalloc char[16];
        if (name.Length > lower.Length)
            return false;
        for (int i = 0; i < name.Length; i++)
            lower[i] = (char)(name[i] is >= (byte)'A' and <= (byte)'Z' ? name[i] | 0x20 : name[i]);
        ReadOnlySpan<char> text = lower.Slice(0, name.Length);
        return text.SequenceEqual("utf-8".AsSpan()) || text.SequenceEqual("us-ascii".AsSpan())
            || text.StartsWith("iso-8859-".AsSpan()) || text.StartsWith("windows-125".AsSpan());
    }

    private static void ThrowMalformed(string what, long byteOffset) =>
        throw new MessageFormatException(MessageFormatErrorCode.Malformed, what, byteOffset, isPoison: true);
}
