using System;
using System.Globalization;
using System.IO;

namespace Formatters;

/// <summary>Receives the values that a <see cref="MessageInspector"/> finds in a body, and prints them as indented JSON.</summary>
/// <remarks>Call <see cref="At"/> before a value, or before the name of an entry, to say where in the body it begins.</remarks>
public sealed class InspectionWriter
{
    private readonly TextWriter _output;
    private readonly bool _showOffsets;
    private int _level;
    private int _byteOffset = -1;
    private bool _isFirst = true;
    private bool _isNamed;

    internal InspectionWriter(TextWriter output, bool showOffsets)
    {
        _output = output;
        _showOffsets = showOffsets;
    }

    /// <summary>Says where the next value or name begins.</summary>
    /// <param name="byteOffset">In bytes from the start of the body.</param>
    public void At(int byteOffset) => _byteOffset = byteOffset;

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
        _output.Write(": ");
        _isNamed = true;
    }

    /// <summary>Prints a null.</summary>
    public void WriteNull() => WriteItem("null");

    /// <summary>Prints a truth value.</summary>
    /// <param name="value">The value.</param>
    public void Write(bool value) => WriteItem(value ? "true" : "false");

    /// <summary>Prints an integer.</summary>
    /// <param name="value">The value.</param>
    public void Write(long value) => WriteItem(value.ToString(CultureInfo.InvariantCulture));

    /// <inheritdoc cref="Write(long)"/>
    public void Write(ulong value) => WriteItem(value.ToString(CultureInfo.InvariantCulture));

    /// <summary>Prints a number; one that is whole with <c>.0</c>, one that JSON does not have as <c>{ "$float": "NaN" }</c>.</summary>
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

    /// <summary>Prints a text.</summary>
    /// <param name="value">The text.</param>
    /// <exception cref="ArgumentNullException"><paramref name="value"/> is null.</exception>
    public void Write(string value)
    {
        BeginItem();
        WriteQuoted(value ?? throw new ArgumentNullException(nameof(value)));
    }

    /// <summary>Prints bytes as <c>{ "$binary": "00FF" }</c>.</summary>
    /// <param name="value">The bytes.</param>
    public void WriteBytes(ReadOnlySpan<byte> value) => WriteTagged("$binary", ToHex(value));

    /// <summary>Prints a value that JSON does not have, as an object of one entry in one line.</summary>
    /// <param name="tag">What it is; begins with <c>$</c>.</param>
    /// <param name="value">The value as text.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public void WriteTagged(string tag, string value)
    {
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        BeginItem();
        _output.Write("{ ");
        WriteEntry(tag ?? throw new ArgumentNullException(nameof(tag)), value);
        _output.Write(" }");
    }

    /// <summary>Prints a value that JSON does not have, and what it may mean, in one line.</summary>
    internal void WriteTagged(string tag, string value, string secondTag, string secondValue)
    {
        BeginItem();
        _output.Write("{ ");
        WriteEntry(tag, value);
        _output.Write(", ");
        WriteEntry(secondTag, secondValue);
        _output.Write(" }");
    }

    /// <summary>Prints an entry of an object whose value is an integer under a tag, as <c>{ "$ref": 4 }</c>.</summary>
    internal void WriteTagged(string tag, long value)
    {
        BeginItem();
        _output.Write("{ ");
        WriteQuoted(tag);
        _output.Write(": " + value.ToString(CultureInfo.InvariantCulture) + " }");
    }

    /// <summary>Prints what is JSON already.</summary>
    internal void WriteRaw(string json) => WriteItem(json);

    /// <summary>Prints a value of one of the types that formats without a contract have; null too.</summary>
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

    /// <summary>Gives bytes in hexadecimal digits.</summary>
    /// <param name="value">The bytes.</param>
    /// <returns>Two digits a byte, upper case.</returns>
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
        _output.Write(bracket);
        _level++;
        _isFirst = true;
    }

    private void End(char bracket)
    {
        _level--;
        if (!_isFirst)
            BeginLine();
        _output.Write(bracket);
        _isFirst = false;
    }

    private void WriteItem(string text)
    {
        BeginItem();
        _output.Write(text);
    }

    private void WriteFloat(string digits)
    {
        BeginItem();
        _output.Write(digits);
        if (digits.IndexOfAny(['.', 'E']) < 0)
            _output.Write(".0");
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
            _output.Write(',');
        BeginLine();
        _isFirst = false;
    }

    private void BeginLine()
    {
        if (_level > 0 || !_isFirst)
            _output.Write('\n');
        if (_showOffsets)
            _output.Write(_byteOffset < 0 ? "/*          */ " : "/* " + _byteOffset.ToString("X8", CultureInfo.InvariantCulture) + " */ ");
        _byteOffset = -1;
        for (int i = 0; i < _level; i++)
            _output.Write("  ");
    }

    private void WriteEntry(string name, string value)
    {
        WriteQuoted(name);
        _output.Write(": ");
        WriteQuoted(value);
    }

    private void WriteQuoted(string text)
    {
        _output.Write('"');
        foreach (char c in text)
        {
            switch (c)
            {
                case '"' or '\\':
                    _output.Write('\\');
                    _output.Write(c);
                    break;
                case '\n':
                    _output.Write("\\n");
                    break;
                case < ' ' or '\u007F' or '\u2028' or '\u2029' or (>= '\u0080' and < '\u00A0'):
                    _output.Write("\\u" + ((int)c).ToString("X4", CultureInfo.InvariantCulture));
                    break;
                default:
                    _output.Write(c);
                    break;
            }
        }

        _output.Write('"');
    }
}
