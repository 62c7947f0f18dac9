// Extensible Markup Language (XML) 1.0, 2.2 Characters, 2.4 Character Data: https://www.w3.org/TR/xml/
using System;
using System.Buffers;
using System.Buffers.Text;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Formatters.Generated;

public ref partial struct XmlBodyReader
{
#if NET
    // ASCII that needs no escape in text: row "generated XML", read, of Formatters.Benchmarks.
    private static readonly SearchValues<byte> s_plain = SearchValues.Create(PlainBytes());

    private static byte[] PlainBytes()
    {
        byte[] bytes = new byte[0x80];
        int count = 0;
        for (byte b = 0; b < 0x80; b++)
        {
            if (IsPlain(b))
                bytes[count++] = b;
        }

        return bytes[..count];
    }
#endif

    private static bool IsPlain(byte b) => b is (byte)'\t' or (byte)'\n' or (byte)'\r'
        or (>= 0x20 and < 0x80 and not ((byte)'<' or (byte)'>' or (byte)'&'));

    /// <summary>Reads the text of an element with no other content, and its end tag. The value can then be retrieved.</summary>
    /// <param name="name">The name of the element.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadContent(ReadOnlySpan<byte> name)
    {
        if ((uint)_position < (uint)_body.Length && _body[_position] == '>' && !_hasAttributes)
        {
            int start = _position + 1;
            int length = PlainLength(_body.Slice(start));
            if (TryEndTag(start + length, name))
            {
                _text = _body.Slice(start, length);
                return;
            }
        }

        _text = ReadContentSlow(name);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int PlainLength(ReadOnlySpan<byte> rest)
    {
#if NET
        int length = rest.IndexOfAnyExcept(s_plain);
        return length < 0 ? rest.Length : length;
#else
        int length = 0;
        while (length < rest.Length && IsPlain(rest[length]))
            length++;
        return length;
#endif
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ReadOnlySpan<byte> ReadContentSlow(ReadOnlySpan<byte> name)
    {
        ReadStartTag();
        if (_hasAttributes)
            Fail();
        if (HasFailed)
            return default;
        if (_body[_position] == '/')
        {
            _position += 2;
            return default;
        }

        _position++;
        ReadOnlySpan<byte> text = ReadText(isJoined: true);
        if (!TryEndTag(_position, name))
            Fail();
        return HasFailed ? default : Unescape(text);
    }

    /// <summary>Reads raw text up to a tag.</summary>
    /// <param name="isJoined">Whether it continues after comments and instructions.</param>
    private ReadOnlySpan<byte> ReadText(bool isJoined)
    {
        ReadOnlySpan<byte> text = default;
        while (true)
        {
            ReadOnlySpan<byte> rest = _body.Slice(_position);
            int length = rest.IndexOf((byte)'<');
            if (length < 0 || rest.Length < length + 2 || (!IsCanonical && !IsText(rest.Slice(0, length))))
            {
                Fail();
                return default;
            }

            text = text.IsEmpty ? rest.Slice(0, length) : (byte[])[.. text, .. rest.Slice(0, length)];
            _position += length;
            if (!isJoined || !IsCanonical || rest[length + 1] != '?')
                return text;
            _position += CanonicalXml.Marker.Length;
        }
    }

    /// <summary>Tries to read an empty tag, which represents no value unless it represents an empty string.</summary>
    /// <returns><see langword="false"/> if the element has an end tag: its content follows.</returns>
    public bool TryReadEmpty()
    {
        ReadStartTag();
        if (_hasAttributes)
            Fail();
        if (HasFailed || _body[_position] != '/')
            return false;
        _position += 2;
        return true;
    }

    /// <summary>
    /// Determines whether the bytes are plain text: control characters, and parts of the end of a CDATA section, are left to XmlReader.
    /// </summary>
    private static bool IsText(ReadOnlySpan<byte> text)
    {
        for (int i = 0; i < text.Length; i++)
        {
            i += PlainLength(text.Slice(i));
            if (i < text.Length && text[i] != '&' && text[i] < 0x80)
                return false;
        }

        return true;
    }

    /// <summary>Replaces entities and character references.</summary>
    private ReadOnlySpan<byte> Unescape(ReadOnlySpan<byte> text)
    {
        int at = text.IndexOf((byte)'&');
        if (at < 0)
            return text;
        byte[] bytes = new byte[text.Length];
        int count = 0;
        while (at >= 0)
        {
            text.Slice(0, at).CopyTo(bytes.AsSpan(count));
            count += at;
            text = text.Slice(at);
            int length = text.IndexOf((byte)';') + 1;
            int byteCount = UnescapeOne(text.Slice(0, length), bytes.AsSpan(count));
            if (byteCount == 0 && !(IsCanonical && text.StartsWith(CanonicalXml.Section)))
            {
                Fail();
                return default;
            }

            count += byteCount;
            text = text.Slice(length);
            at = text.IndexOf((byte)'&');
        }

        text.CopyTo(bytes.AsSpan(count));
        return bytes.AsSpan(0, count + text.Length);
    }

    /// <returns>The number of bytes; 0 if the entity or reference is not supported here.</returns>
    private static int UnescapeOne(ReadOnlySpan<byte> reference, Span<byte> destination)
    {
        if (reference.StartsWith("&#x"u8) && Utf8Parser.TryParse(reference.Slice(3), out uint value, out int byteCount, 'X')
            && byteCount == reference.Length - 4)
            return value is 0x09 or 0x0A or 0x0D or (>= 0x20 and < 0x80) ? Put(destination, (byte)value) : 0;
        return reference.SequenceEqual("&lt;"u8)
            ? Put(destination, (byte)'<')
            : reference.SequenceEqual("&gt;"u8)
            ? Put(destination, (byte)'>')
            : reference.SequenceEqual("&amp;"u8)
            ? Put(destination, (byte)'&')
            : reference.SequenceEqual("&quot;"u8)
            ? Put(destination, (byte)'"')
            : reference.SequenceEqual("&apos;"u8)
            ? Put(destination, (byte)'\'')
            : 0;
    }

    private static int Put(Span<byte> destination, byte value)
    {
        destination[0] = value;
        return 1;
    }

    /// <summary>Creates a string from UTF-8; fails if it is invalid, or contains characters not allowed in XML.</summary>
    private string GetString(ReadOnlySpan<byte> text)
    {
        if (text.IsEmpty)
            return "";
        if (!IsCanonical && text.IndexOf((byte)0xEF) >= 0 && (text.IndexOf("\uFFFE"u8) >= 0 || text.IndexOf("\uFFFF"u8) >= 0))
        {
            Fail();
            return "";
        }

        string? value = Utf8Text.Read(ref MemoryMarshal.GetReference(text), text.Length, null);
        if (value is null)
            Fail();
        return value ?? "";
    }

    /// <summary>Reads the text of an element whose attributes have been read, and its end tag. The value can then be retrieved.</summary>
    /// <param name="name">The name of the element.</param>
    /// <param name="isString">Whether the value is a string.</param>
    /// <returns><see langword="false"/> if there is no text except white space, and no CDATA section.</returns>
    /// <remarks>
    /// As XmlSerializer does: of several runs of text, separated by elements, the last counts; for a string also if separated by comments.
    /// </remarks>
    public bool ReadMixedContent(ReadOnlySpan<byte> name, bool isString)
    {
        bool hasText = false;
        ReadOnlySpan<byte> last = default;
        if (!Enter())
            return false;
        while (!HasFailed)
        {
            ReadOnlySpan<byte> escaped = ReadText(isJoined: !isString);
            int section = IsCanonical ? escaped.IndexOf(CanonicalXml.Section) : -1;
            if (section > 0 && IsBlank(escaped.Slice(0, section)))
                escaped = escaped.Slice(section);
            ReadOnlySpan<byte> text = Unescape(escaped);
            if (HasFailed)
                break;
            if (section >= 0 || !IsBlank(text))
            {
                last = text;
                hasText = true;
            }

            byte next = _body[_position + 1];
            if (next == '/')
                break;
            if (next == '!')
                Fail();
            else if (IsCanonical && next == '?')
                _position += CanonicalXml.Marker.Length;
            else
                Skip();
        }

        Leave(name);
        _text = last;
        return hasText && !HasFailed;
    }

    private static bool IsBlank(ReadOnlySpan<byte> text)
    {
        foreach (byte b in text)
        {
            if (b is not ((byte)' ' or (byte)'\r' or (byte)'\n' or (byte)'\t'))
                return false;
        }

        return true;
    }
}
