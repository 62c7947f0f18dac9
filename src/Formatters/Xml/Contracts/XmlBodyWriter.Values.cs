// XML Schema Part 2, Datatypes: https://www.w3.org/TR/xmlschema-2/; the lexical forms are those of XmlConvert.
using System;
using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using System.Xml;

namespace Formatters.Generated;

public ref partial struct XmlBodyWriter
{
    private const int MaxNumberByteCount = 32;

#if NET
    private static readonly SearchValues<char> s_specialInFrameworkText = SearchValues.Create("<>&\uFFFE\uFFFF" + ControlsBut("\t\n\r"));
    private static readonly SearchValues<char> s_specialInNetText = SearchValues.Create("<>&\uFFFE\uFFFF" + ControlsBut("\t"));
    private static readonly SearchValues<char> s_specialInCompactText = SearchValues.Create("<>&\uFFFE\uFFFF" + ControlsBut("\t\n"));
    private static readonly SearchValues<char> s_specialInFrameworkAttribute = SearchValues.Create("\"<>&\uFFFE\uFFFF" + ControlsBut("\t"));
    private static readonly SearchValues<char> s_specialInAttribute = SearchValues.Create("\"<>&\uFFFE\uFFFF" + ControlsBut(""));

    private static string ControlsBut(string plain) =>
        string.Concat(Enumerable.Range(0, ' ').Select(static i => (char)i).Where(c => !plain.Contains(c, StringComparison.Ordinal)));
#endif

    /// <summary>Writes the text of a value, in the open element or attribute.</summary>
    /// <typeparam name="T">A number, a boolean, a date, a duration or a GUID.</typeparam>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Value<T>(T value)
        where T : struct
    {
        if (typeof(T) == typeof(int))
            Value((int)(object)value);
        else if (typeof(T) == typeof(long))
            Value((long)(object)value);
        else if (typeof(T) == typeof(double))
            Value((double)(object)value);
        else if (typeof(T) == typeof(bool))
            Value((bool)(object)value);
        else if (typeof(T) == typeof(decimal))
            Value((decimal)(object)value);
        else if (typeof(T) == typeof(DateTime))
            Value((DateTime)(object)value);
        else if (typeof(T) == typeof(Guid))
            Value((Guid)(object)value);
        else if (typeof(T) == typeof(float))
            Value((float)(object)value);
        else if (typeof(T) == typeof(ulong))
            Value((ulong)(object)value);
        else if (typeof(T) == typeof(TimeSpan))
            Value((TimeSpan)(object)value);
        else
            Value((DateTimeOffset)(object)value);
    }

    private void Value(bool value)
    {
        Ensure(5);
        Put(value ? "true"u8 : "false"u8);
    }

    private void Value(int value)
    {
        Ensure(MaxNumberByteCount);
        Utf8Formatter.TryFormat(value, _span.Slice(_position), out int byteCount);
        _position += byteCount;
    }

    private void Value(long value)
    {
        Ensure(MaxNumberByteCount);
        Utf8Formatter.TryFormat(value, _span.Slice(_position), out int byteCount);
        _position += byteCount;
    }

    private void Value(ulong value)
    {
        Ensure(MaxNumberByteCount);
        Utf8Formatter.TryFormat(value, _span.Slice(_position), out int byteCount);
        _position += byteCount;
    }

    private void Value(double value)
    {
        Ensure(MaxNumberByteCount);
        _position += XmlNumbers.Write(_span.Slice(_position), value, IsFramework);
    }

    private void Value(float value)
    {
        Ensure(MaxNumberByteCount);
        _position += XmlNumbers.Write(_span.Slice(_position), value, IsFramework);
    }

    private void Value(decimal value)
    {
        Ensure(MaxNumberByteCount);
#if NET
        value.TryFormat(_span.Slice(_position), out int byteCount, default, CultureInfo.InvariantCulture);
        _position += byteCount;
#else
        Ascii(value.ToString(CultureInfo.InvariantCulture));
#endif
    }

    private void Value(DateTime value)
    {
        if (value.Kind == DateTimeKind.Local)
        {
            Ascii(XmlConvert.ToString(value, XmlDateTimeSerializationMode.RoundtripKind));
            return;
        }

        Ensure(MaxNumberByteCount);
        Span<byte> to = _span.Slice(_position, MaxNumberByteCount);
        // yyyy-MM-ddTHH:mm:ss.fffffff, from which XmlConvert removes trailing zeros.
        Utf8Formatter.TryFormat(value, to, out _, new StandardFormat('O'));
        int byteCount = 27;
        while (to[byteCount - 1] == '0' && byteCount > 19)
            byteCount--;
        if (byteCount is 19 or 20)
            byteCount = 19;
        if (value.Kind == DateTimeKind.Utc)
            to[byteCount++] = (byte)'Z';
        _position += byteCount;
    }

    private void Value(DateTimeOffset value) => Ascii(XmlConvert.ToString(value));

    private void Value(TimeSpan value) => Ascii(XmlConvert.ToString(value));

    private void Value(Guid value)
    {
        Ensure(36);
        Utf8Formatter.TryFormat(value, _span.Slice(_position), out int byteCount);
        _position += byteCount;
    }

    /// <summary>Writes bytes in base64.</summary>
    /// <param name="value">The bytes.</param>
    private void Value(byte[] value)
    {
        long byteCount64 = (value.Length + 2L) / 3 * 4;
        EnsureLong(byteCount64, byteCount64);
        Base64.EncodeToUtf8(value, _span.Slice(_position), out _, out int byteCount);
        _position += byteCount;
    }

    private void Value(string value)
    {
        ReadOnlySpan<char> rest = value.AsSpan();
        while (!rest.IsEmpty)
        {
            int charCount = IndexOfSpecial(rest);
            if (charCount < 0)
                charCount = rest.Length;
            if (charCount > 0)
                Plain(rest.Slice(0, charCount));
            if (charCount == rest.Length)
                return;
            rest = rest.Slice(charCount);
            if (_style == XmlBodyStyle.Net && !_isInAttribute && rest[0] is ('\r' or '\n'))
            {
                Ensure(2);
                Put("\r\n"u8);
                rest = rest.Slice(rest.Length > 1 && rest[0] == '\r' && rest[1] == '\n' ? 2 : 1);
            }
            else
            {
                Escape(rest[0]);
                rest = rest.Slice(1);
            }
        }
    }

    // As the writers of the runtime: only control characters and the two noncharacters are written as numbers, in hexadecimal.
    private void Escape(char c)
    {
        Ensure(8);
        switch (c)
        {
            case '<':
                Put("&lt;"u8);
                break;
            case '>':
                Put("&gt;"u8);
                break;
            case '&':
                Put("&amp;"u8);
                break;
            case '"':
                Put("&quot;"u8);
                break;
            default:
                if (_style == XmlBodyStyle.Net && c is not ('\t' or '\n' or '\r'))
                    ThrowBadText();
                Put("&#x"u8);
                Utf8Formatter.TryFormat((uint)c, _span.Slice(_position), out int byteCount, new StandardFormat('X'));
                _position += byteCount;
                _span[_position++] = (byte)';';
                break;
        }
    }

#if NET
    private readonly int IndexOfSpecial(ReadOnlySpan<char> text) => text.IndexOfAny(_style switch
    {
        XmlBodyStyle.Framework => _isInAttribute ? s_specialInFrameworkAttribute : s_specialInFrameworkText,
        XmlBodyStyle.Net => _isInAttribute ? s_specialInAttribute : s_specialInNetText,
        _ => _isInAttribute ? s_specialInAttribute : s_specialInCompactText,
    });

    private void Plain(ReadOnlySpan<char> text)
    {
        EnsureLong(text.Length, 3L * text.Length);
        OperationStatus status = System.Text.Unicode.Utf8.FromUtf16(
            text, _span.Slice(_position), out _, out int byteCount, replaceInvalidSequences: false);
        if (status != OperationStatus.Done)
            ThrowBadText();
        _position += byteCount;
    }
#else
    private static readonly UTF8Encoding s_strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private readonly int IndexOfSpecial(ReadOnlySpan<char> text)
    {
        for (int i = 0; i < text.Length; i++)
        {
            char c = text[i];
            if (c is '<' or '>' or '&' or '\uFFFE' or '\uFFFF' || c == '"' && _isInAttribute || c < ' ' && IsSpecialControl(c))
                return i;
        }

        return -1;
    }

    private readonly bool IsSpecialControl(char c) => c switch
    {
        '\t' => _isInAttribute && !IsFramework,
        '\n' => _isInAttribute || _style == XmlBodyStyle.Net,
        '\r' => _isInAttribute || !IsFramework,
        _ => true,
    };

    private unsafe void Plain(ReadOnlySpan<char> text)
    {
        EnsureLong(text.Length, 3L * text.Length);
        fixed (char* from = text)
        fixed (byte* to = _span.Slice(_position))
        {
            try
            {
                _position += s_strict.GetBytes(from, text.Length, to, 3 * text.Length);
            }
            catch (EncoderFallbackException)
            {
                ThrowBadText();
            }
        }
    }
#endif

    /// <summary>Ensures space for a potentially long value, unless it is too long for a body anyway.</summary>
    private void EnsureLong(long minByteCount, long maxByteCount)
    {
        if (BytesWritten + minByteCount > _limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(BytesWritten + minByteCount, _limits.MaxBodyByteCount);
        Ensure(checked((int)maxByteCount));
    }

    private static void ThrowBadText() =>
        throw new MessageFormatException(MessageFormatErrorCode.BadText,
            "A string has a character that XML cannot carry, or a surrogate without its partner.");

    private void Ascii(string text)
    {
        Ensure(text.Length);
        Span<byte> to = _span.Slice(_position, text.Length);
        for (int i = 0; i < to.Length; i++)
            to[i] = (byte)text[i];
        _position += to.Length;
    }
}
