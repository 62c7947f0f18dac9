using System;
using System.Collections.Generic;

namespace Formatters.Generator;

/// <summary>Lines of C# with their indentation; always with line feeds, so that the output is the same on every machine.</summary>
internal sealed class SourceWriter
{
    private readonly List<string> _lines = [];
    private readonly Stack<int> _blocks = new();

    /// <summary>Adds a line; an empty one only between others.</summary>
    internal void Line(string line = "")
    {
        if (line.Length > 0 || _lines.Count > 0 && _lines[_lines.Count - 1] is not "" and string last && last[last.Length - 1] != '{')
            Add(line, _blocks.Count);
    }

    /// <summary>Begins lines that are indented, without braces.</summary>
    internal void Indent() => _blocks.Push(-1);

    /// <summary>Ends what <see cref="Indent"/> began.</summary>
    internal void Unindent() => _blocks.Pop();

    internal void Open(string? header = null)
    {
        if (header is not null)
            Line(header);
        Line("{");
        _blocks.Push(header is null ? -1 : _lines.Count - 1);
    }

    /// <summary>Closes a block; one of a single statement needs no braces.</summary>
    internal void Close()
    {
        int brace = _blocks.Pop();
        if (brace >= 0 && _lines.Count == brace + 2 && IsControl(_lines[brace - 1]) && IsPlain(_lines[brace + 1]))
            _lines.RemoveAt(brace);
        else
            Line("}");
    }

    /// <summary>Closes a lambda that is the last argument of a call.</summary>
    internal void CloseCall()
    {
        _blocks.Pop();
        Line("});");
    }

    /// <summary>One indented line, as the body of a condition.</summary>
    internal void Nested(string line) => Add(line, _blocks.Count + 1);

    public override string ToString() => string.Join("\n", _lines) + "\n";

    private void Add(string line, int depth) => _lines.Add(line.Length == 0 ? line : new string(' ', 4 * depth) + line);

    private static bool IsControl(string line) => StartsWith(line, "if (") || StartsWith(line, "else") || StartsWith(line, "for (") || StartsWith(line, "foreach (") || StartsWith(line, "while (");

    /// <summary>Whether it is a statement by itself, without a condition that a following <c>else</c> could belong to.</summary>
    private static bool IsPlain(string line) => line[line.Length - 1] == ';' && !IsControl(line);

    private static bool StartsWith(string line, string keyword) => line.TrimStart().StartsWith(keyword, StringComparison.Ordinal);
}
