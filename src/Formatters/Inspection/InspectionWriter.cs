using System;
using System.Globalization;
using System.IO;

namespace Formatters.Inspection;

/// <summary>Prints the values that a <see cref="MessageInspector"/> finds in a body as indented JSON.</summary>
/// <remarks>Call <see cref="At"/> before a value, or before the name of an entry, to set its offset in the body.</remarks>
public sealed class InspectionWriter
{
    private static readonly char[] Indent = [.. new string(' ', 128)];

    private readonly TextWriter _output;
    private readonly bool _showOffsets;
    private readonly long _maxCharCount;
    private long _charCount;
    private int _level;
    private int _byteOffset = -1;
    private int _lastByteOffset = -1;
    private bool _isFirst = true;
    private bool _isNamed;

    internal InspectionWriter(TextWriter output, InspectionOptions options)
    {
        _output = output;
        Options = options;
        _showOffsets = options.ShowOffsets;
        _maxCharCount = options.MaxCharCount;
    }

    internal InspectionOptions Options { get; }

    /// <summary>Gets or sets the offset of the body inside an envelope, for the offsets of its values.</summary>
    internal int BaseOffset { get; set; }

    /// <summary>Gets or sets the number of envelopes around the current body.</summary>
    internal int EnvelopeCount { get; set; }

    /// <summary>Gets or sets the number of bytes to which compressed bodies may still expand.</summary>
    internal long ExpansionLeft { get; set; }

    /// <summary>Sets the offset of the next value or name.</summary>
    /// <param name="byteOffset">In bytes from the start of the body.</param>
    public void At(int byteOffset)
    {
        if (byteOffset >= 0)
            byteOffset += BaseOffset;
        _byteOffset = byteOffset;
        if (byteOffset >= 0)
            _lastByteOffset = byteOffset;
    }

    /// <summary>Begins an object: <see cref="WriteName"/> and a value for each entry follow.</summary>
    public void BeginObject() => Begin('{');

    /// <summary>Ends an object.</summary>
    public void EndObject() => End('}');

    /// <summary>Begins an array: its values follow.</summary>
    public void BeginArray() => Begin('[');

    /// <summary>Ends an array.</summary>
    public void EndArray() => End(']');

    /// <summary>Prints the name of an entry; its value follows.</summary>
    /// <param name="name">The name.</param>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    public void WriteName(string name)
    {
        BeginItem();
        WriteQuoted(name ?? throw new ArgumentNullException(nameof(name)));
        Print(": ");
        _isNamed = true;
    }

    /// <summary>Prints a null.</summary>
    public void WriteNull() => WriteItem("null");

    /// <summary>Prints a Boolean value.</summary>
    /// <param name="value">The value.</param>
    public void Write(bool value) => WriteItem(value ? "true" : "false");

    /// <summary>Prints an integer.</summary>
    /// <param name="value">The value.</param>
    public void Write(long value) => WriteItem(value.ToString(CultureInfo.InvariantCulture));

    /// <inheritdoc cref="Write(long)"/>
    public void Write(ulong value) => WriteItem(value.ToString(CultureInfo.InvariantCulture));

    /// <summary>
    /// Prints a number, with a point or an exponent (<c>2.0</c>, <c>1E+20</c>); a number that JSON cannot represent as <c>{ "$float": "NaN" }</c>.
    /// </summary>
    /// <param name="value">The value.</param>
    public void Write(double value)
    {
        if (double.IsNaN(value) || double.IsInfinity(value))
            WriteTagged("$float", value.ToString(CultureInfo.InvariantCulture));
        else
            WriteFloat(value.ToString("R", CultureInfo.InvariantCulture));
    }

    /// <inheritdoc cref="Write(double)"/>
    public void Write(float value)
    {
        if (float.IsNaN(value) || float.IsInfinity(value))
            WriteTagged("$float", value.ToString(CultureInfo.InvariantCulture));
        else
            WriteFloat(value.ToString("R", CultureInfo.InvariantCulture));
    }

    /// <summary>Prints a string.</summary>
    /// <param name="value">The string.</param>
    /// <exception cref="ArgumentNullException"><paramref name="value"/> is null.</exception>
    public void Write(string value)
    {
        BeginItem();
        WriteQuoted(value ?? throw new ArgumentNullException(nameof(value)));
    }

    /// <summary>Prints bytes as <c>{ "$binary": "00FF" }</c>.</summary>
    /// <param name="value">The bytes.</param>
    public void WriteBytes(ReadOnlySpan<byte> value) => WriteTagged("$binary", ToHex(value));

    /// <summary>Prints a value that JSON cannot represent, as an object with one entry on one line.</summary>
    /// <param name="tag">The kind of value; begins with <c>$</c>.</param>
    /// <param name="value">The value as a string.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public void WriteTagged(string tag, string value)
    {
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        BeginItem();
        Print("{ ");
        WriteEntry(tag ?? throw new ArgumentNullException(nameof(tag)), value);
        Print(" }");
    }

    /// <summary>Prints a value that JSON cannot represent, and its possible meaning, on one line.</summary>
    internal void WriteTagged(string tag, string value, string secondTag, string secondValue)
    {
        BeginItem();
        Print("{ ");
        WriteEntry(tag, value);
        Print(", ");
        WriteEntry(secondTag, secondValue);
        Print(" }");
    }

    /// <summary>Prints an entry of an object whose value is an integer under a tag, as <c>{ "$ref": 4 }</c>.</summary>
    internal void WriteTagged(string tag, long value)
    {
        BeginItem();
        Print("{ ");
        WriteQuoted(tag);
        Print(": " + value.ToString(CultureInfo.InvariantCulture) + " }");
    }

    /// <summary>Prints text that is already JSON.</summary>
    internal void WriteRaw(string json) => WriteItem(json);

    /// <summary>Prints a value of a type that formats without a contract support, or null.</summary>
    internal void WriteValue(object? value)
    {
        switch (value)
        {
            case null:
                WriteNull();
                break;
            case bool boolean:
                Write(boolean);
                break;
            case string text:
                Write(text);
                break;
            case char character:
                Write(character.ToString());
                break;
            case byte[] bytes:
                WriteBytes(bytes);
                break;
            case double wide:
                Write(wide);
                break;
            case float narrow:
                Write(narrow);
                break;
            case ulong large:
                Write(large);
                break;
            case decimal number:
                WriteTagged("$decimal", number.ToString(CultureInfo.InvariantCulture));
                break;
            case DateTime date:
                WriteTagged("$date", date.ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFF", CultureInfo.InvariantCulture) + date.Kind switch
                {
                    DateTimeKind.Utc => "Z",
                    DateTimeKind.Local => " local",
                    _ => "",
                });
                break;
            case TimeSpan span:
                WriteTagged("$timeSpan", span.ToString("c", CultureInfo.InvariantCulture));
                break;
            case Guid guid:
                WriteTagged("$guid", guid.ToString());
                break;
            default:
                Write(Convert.ToInt64(value, CultureInfo.InvariantCulture));
                break;
        }
    }

    /// <summary>Returns bytes as hexadecimal digits.</summary>
    /// <param name="value">The bytes.</param>
    /// <returns>Two digits per byte, upper case.</returns>
    public static string ToHex(ReadOnlySpan<byte> value)
    {
        const string Digits = "0123456789ABCDEF";
        char[] text = new char[value.Length * 2];
        for (int i = 0; i < value.Length; i++)
        {
            text[2 * i] = Digits[value[i] >> 4];
            text[(2 * i) + 1] = Digits[value[i] & 0xF];
        }

        return new string(text);
    }

    internal void EndLine() => _output.Write('\n');

    private void Begin(char bracket)
    {
        BeginItem();
        Print(bracket);
        _level++;
        _isFirst = true;
    }

    private void End(char bracket)
    {
        _level--;
        if (!_isFirst)
            BeginLine();
        Print(bracket);
        _isFirst = false;
    }

    private void WriteItem(string text)
    {
        BeginItem();
        Print(text);
    }

    private void WriteFloat(string digits)
    {
        BeginItem();
        Print(digits);
        if (digits.IndexOfAny(['.', 'E']) < 0)
            Print(".0");
    }

    private void BeginItem()
    {
        if (_isNamed)
        {
            _isNamed = false;
            _byteOffset = -1;
            return;
        }

        if (!_isFirst)
            Print(',');
        BeginLine();
        _isFirst = false;
    }

    private void BeginLine()
    {
        if (_level > 0 || !_isFirst)
            Print('\n');
        if (_showOffsets)
            Print(_byteOffset < 0 ? "/*          */ " : "/* " + _byteOffset.ToString("X8", CultureInfo.InvariantCulture) + " */ ");
        _byteOffset = -1;
        for (int rest = 2 * _level; rest > 0; rest -= Indent.Length)
            Print(Indent, Math.Min(rest, Indent.Length));
    }

    private void WriteEntry(string name, string value)
    {
        WriteQuoted(name);
        Print(": ");
        WriteQuoted(value);
    }

    private void WriteQuoted(string text)
    {
        Print('"');
        for (int i = 0; i < text.Length; i++)
        {
            char c = text[i];
            switch (c)
            {
                case '"' or '\\':
                    Print('\\');
                    Print(c);
                    break;
                case '\n':
                    Print("\\n");
                    break;
                case >= ' ' and < '\u007F':
                    Print(c);
                    break;
                default:
                    bool isPair = char.IsSurrogatePair(text, i);
                    bool isVisible = VisibleText.IsVisible(text, i);
                    PrintEscaped(c, isVisible);
                    if (isPair)
                        PrintEscaped(text[++i], isVisible);
                    break;
            }
        }

        Print('"');
    }

    private void PrintEscaped(char c, bool isVisible)
    {
        if (isVisible)
            Print(c);
        else
            Print("\\u" + ((int)c).ToString("X4", CultureInfo.InvariantCulture));
    }

    private void Print(char c)
    {
        if (++_charCount > _maxCharCount)
            Cut();
        _output.Write(c);
    }

    private void Print(string text)
    {
        if (_charCount + text.Length > _maxCharCount)
            Print(text.ToCharArray(), text.Length);
        _charCount += text.Length;
        _output.Write(text);
    }

    private void Print(char[] text, int charCount)
    {
        int possibleCharCount = (int)Math.Min(charCount, _maxCharCount - _charCount);
        _output.Write(text, 0, possibleCharCount);
        _charCount += possibleCharCount;
        if (possibleCharCount < charCount)
            Cut();
    }

    /// <summary>Prints that the output ends here, and why.</summary>
    private void Cut()
    {
        string what = string.Format(CultureInfo.InvariantCulture,
            "The text of the body was cut after {0} characters (InspectionOptions.MaxCharCount).", _maxCharCount);
        _output.Write("\n... " + what);
        throw new MessageFormatException(MessageFormatErrorCode.LimitExceeded, what, _lastByteOffset);
    }
}
