using System;
using System.Text;
using System.Xml;

namespace Formatters;

/// <summary>Decodes the text of XML bodies in UTF-16, and converts positions to byte offsets.</summary>
internal static class XmlBodyText
{
    /// <summary>Decodes UTF-16, without the byte order mark.</summary>
    internal static string Decode(ReadOnlySpan<byte> body, bool bigEndian)
    {
        try
        {
            return new UnicodeEncoding(bigEndian, byteOrderMark: true, throwOnInvalidBytes: true).GetString(body.ToArray()).TrimStart('\uFEFF');
        }
        catch (DecoderFallbackException e)
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.BadText, "The text is not valid UTF-16.", Math.Max(-1, e.Index), isPoison: true);
        }
    }

    /// <summary>Creates the exception for an error of the parser.</summary>
    /// <param name="e">The parser's exception.</param>
    /// <param name="body">The body, for the offset; empty if it was decoded.</param>
    internal static MessageFormatException Malformed(XmlException e, ReadOnlySpan<byte> body) =>
        new(
            MessageFormatErrorCode.Malformed,
            "The body is not well-formed XML.",
            e.LineNumber == 0 && !body.IsEmpty ? body.Length : ByteOffset(body, e.LineNumber, e.LinePosition), // 0: there is no root element
            isPoison: true);

    /// <summary>Converts a line and position (both from 1, in characters) to an offset in UTF-8 bytes; -1 if unknown.</summary>
    internal static long ByteOffset(ReadOnlySpan<byte> body, int line, int position)
    {
        if (body.IsEmpty || line < 1 || position < 1)
            return -1;
        int i = XmlBodyScanner.HasByteOrderMark(body) ? 3 : 0;
        for (; line > 1; line--)
        {
            int end = body.Slice(i).IndexOfAny((byte)'\r', (byte)'\n');
            if (end < 0)
                return -1;
            i += end + 1;
            if (body[i - 1] == '\r' && i < body.Length && body[i] == '\n')
                i++;
        }

        for (int column = 1; column < position; i++)
        {
            if (i >= body.Length)
                return body.Length;
            if ((body[i] & 0xC0) != 0x80)
                column += body[i] >= 0xF0 ? 2 : 1;
        }

        while (i < body.Length && (body[i] & 0xC0) == 0x80)
            i++;
        return i;
    }
}
