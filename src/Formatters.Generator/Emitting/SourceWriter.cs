using System.Text;

namespace Formatters.Generator;

/// <summary>Lines of C# with their indentation; always with line feeds, so that the output is the same on every machine.</summary>
internal sealed class SourceWriter
{
    private readonly StringBuilder _text = new();
    private int _depth;

    internal void Line(string line = "")
    {
        if (line.Length > 0)
            _text.Append(' ', 4 * _depth).Append(line);
        _text.Append('\n');
    }

    internal void Open(string? header = null)
    {
        if (header is not null)
            Line(header);
        Line("{");
        _depth++;
    }

    internal void Close()
    {
        _depth--;
        Line("}");
    }

    /// <summary>Closes a lambda that is the last argument of a call.</summary>
    internal void CloseCall()
    {
        _depth--;
        Line("});");
    }

    /// <summary>One indented line, as the body of a condition.</summary>
    internal void Nested(string line)
    {
        _depth++;
        Line(line);
        _depth--;
    }

    public override string ToString() => _text.ToString();
}
