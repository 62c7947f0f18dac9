using System.Globalization;
using System.IO;
using System.Text;
using System.Threading.Tasks;

namespace Formatters.Bench.CommandLine;

/// <summary>
/// Shows every character that would not show itself, or would move others, as <c>\u202E</c>: ids, labels, names and texts of errors come from senders of messages. Line ends and
/// tabs are the tool's own.
/// </summary>
/// <param name="inner">Receives the text.</param>
internal sealed class VisibleWriter(TextWriter inner) : TextWriter(CultureInfo.InvariantCulture)
{
    private char _highSurrogate;

    internal TextWriter Inner { get; } = inner;

    /// <summary>Makes one that need not be disposed: it has nothing of its own.</summary>
    internal static TextWriter Around(TextWriter inner) => new VisibleWriter(inner);

    public override Encoding Encoding => Inner.Encoding;

    public override void Write(char value)
    {
        if (_highSurrogate != '\0')
        {
            char first = _highSurrogate;
            _highSurrogate = '\0';
            if (char.IsLowSurrogate(value))
            {
                WriteRune(new Rune(first, value));
                return;
            }

            WriteEscaped(first);
        }

        if (char.IsHighSurrogate(value))
            _highSurrogate = value;
        else if (value is (>= ' ' and < '\u007F') or '\r' or '\n' or '\t')
            Inner.Write(value);
        else if (Rune.TryCreate(value, out Rune rune))
            WriteRune(rune);
        else
            WriteEscaped(value);
    }

    public override void Write(char[] buffer, int index, int count)
    {
        foreach (char character in buffer[index..(index + count)])
            Write(character);
    }

    public override void Write(string? value)
    {
        foreach (char character in value ?? "")
            Write(character);
    }

    public override void WriteLine() => Write(Inner.NewLine);

    public override void WriteLine(string? value)
    {
        Write(value);
        WriteLine();
    }

    public override Task WriteAsync(string? value)
    {
        Write(value);
        return Task.CompletedTask;
    }

    public override Task WriteLineAsync(string? value)
    {
        WriteLine(value);
        return Task.CompletedTask;
    }

    public override void Flush() => Inner.Flush();

    public override Task FlushAsync() => Inner.FlushAsync();

    /// <summary>Whether a character is no control character, and none that changes the direction of text, has no width, or ends a line.</summary>
    private static bool IsVisible(Rune rune) => Rune.GetUnicodeCategory(rune) switch
    {
        UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator => false,
        // Default_Ignorable_Code_Point of Unicode, as far as it is of other categories; and the blank of Braille.
        _ => rune.Value is not (0x034F or 0x115F or 0x1160 or 0x17B4 or 0x17B5 or 0x2800 or 0x3164 or 0xFFA0
            or (>= 0x180B and <= 0x180F) or (>= 0xFE00 and <= 0xFE0F) or (>= 0xFFF0 and <= 0xFFF8) or (>= 0xE0000 and <= 0xE0FFF)),
    };

    private void WriteRune(Rune rune)
    {
        string text = rune.ToString();
        if (IsVisible(rune))
        {
            Inner.Write(text);
            return;
        }

        foreach (char character in text)
            WriteEscaped(character);
    }

    private void WriteEscaped(char character) => Inner.Write(string.Create(CultureInfo.InvariantCulture, $"\\u{(int)character:X4}"));
}
