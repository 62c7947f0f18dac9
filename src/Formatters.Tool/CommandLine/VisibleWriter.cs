using System.Globalization;
using System.IO;
using System.Text;
using System.Threading.Tasks;

namespace Formatters.Tools.CommandLine;

/// <summary>
/// Shows every character that would not show itself, or would move others, as <c>\u202E</c>: ids, labels, names and texts of errors come from senders of
/// messages. Line ends and tabs are the tool's own.
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
                WriteCharacter(new string([first, value]));
                return;
            }

            WriteEscaped(first);
        }

        if (char.IsHighSurrogate(value))
            _highSurrogate = value;
        else if (value is (>= ' ' and < '\u007F') or '\r' or '\n' or '\t')
            Inner.Write(value);
        else
            WriteCharacter(value.ToString());
    }

    public override void Write(char[] buffer, int index, int count)
    {
        for (int i = index; i < index + count; i++)
            Write(buffer[i]);
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

    private void WriteCharacter(string text)
    {
        if (VisibleText.IsVisible(text, 0))
        {
            Inner.Write(text);
            return;
        }

        foreach (char character in text)
            WriteEscaped(character);
    }

    private void WriteEscaped(char character) => Inner.Write("\\u" + ((int)character).ToString("X4", CultureInfo.InvariantCulture));
}
