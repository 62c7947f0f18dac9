using System;
using System.Collections.Generic;
using System.Text;

namespace Formatters.Generator;

/// <summary>Writes lines of C# with their indentation; always with line feeds, so that the output is the same on every machine.</summary>
internal sealed class SourceWriter
{
    private const int MaxLineLength = 160;
    private const string Root = "global::";

    private readonly List<string> _lines = [];
    private readonly Stack<(int Brace, bool IsFlat)> _blocks = new();
    private int _depth;

    /// <summary>Gets or sets the beginnings of qualified names, each with what is written instead; the first that matches counts.</summary>
    internal IReadOnlyList<(string Prefix, string Alias)> Aliases { get; set; } = [];

    /// <summary>Adds a line; an empty one only between others.</summary>
    internal void Line(string line = "")
    {
        if (line.Length > 0 || _lines.Count > 0 && _lines[_lines.Count - 1] is not "" and string last && last[last.Length - 1] != '{')
            Add(line, _depth);
    }

    internal void Open(string? header = null) => Open(header, isFlat: false);

    /// <summary>Opens a block whose content is not indented, as that of a namespace or a class: it is most of a file.</summary>
    internal void OpenFlat(string header) => Open(header, isFlat: true);

    /// <summary>Closes a block; one of a single statement needs no braces.</summary>
    internal void Close()
    {
        int brace = EndBlock();
        if (brace < 0 || _lines.Count != brace + 2 || !IsControl(_lines[brace - 1]) || !IsPlain(_lines[brace + 1]))
        {
            Line("}");
            return;
        }

        string statement = _lines[brace + 1];
        _lines.RemoveRange(brace, 2);
        if (!TryJoin(statement))
            _lines.Add(statement);
    }

    /// <summary>Closes a lambda that is the last argument of a call.</summary>
    internal void CloseCall()
    {
        EndBlock();
        Line("});");
    }

    /// <summary>Adds one indented line, as the body of a condition.</summary>
    internal void Nested(string line)
    {
        line = Shorten(line);
        if (!TryJoin(line))
            Add(line, _depth + 1);
    }

    public override string ToString() => string.Join("\n", _lines) + "\n";

    private void Open(string? header, bool isFlat)
    {
        if (header is not null)
            Line(header);
        Line("{");
        _blocks.Push((header is null ? -1 : _lines.Count - 1, isFlat));
        _depth += isFlat ? 0 : 1;
    }

    /// <summary>Ends the innermost block.</summary>
    /// <returns>The line of its brace; -1 for one without a header.</returns>
    private int EndBlock()
    {
        (int brace, bool isFlat) = _blocks.Pop();
        _depth -= isFlat ? 0 : 1;
        return brace;
    }

    private void Add(string line, int depth) => _lines.Add(line.Length == 0 ? line : new string('\t', depth) + Shorten(line));

    /// <summary>Replaces qualified names by aliases, except in strings and characters.</summary>
    private string Shorten(string line)
    {
        if (Aliases.Count == 0 || line.IndexOf(Root, StringComparison.Ordinal) < 0)
            return line;
        var text = new StringBuilder(line.Length);
        char quote = '\0';
        for (int i = 0; i < line.Length; i++)
        {
            char c = line[i];
            if (quote == '\0' && c == 'g' && FindAlias(line, i) is (string prefix, string alias))
            {
                text.Append(alias);
                i += prefix.Length - 1;
                continue;
            }

            text.Append(c);
            if (quote != '\0' && c == '\\')
                text.Append(line[++i]);
            else if (c == quote)
                quote = '\0';
            else if (quote == '\0' && c is '"' or '\'')
                quote = c;
        }

        return text.ToString();
    }

    private (string Prefix, string Alias)? FindAlias(string line, int index)
    {
        foreach ((string Prefix, string Alias) alias in Aliases)
        {
            if (string.CompareOrdinal(line, index, alias.Prefix, 0, alias.Prefix.Length) != 0)
                continue;
            int end = index + alias.Prefix.Length;
            char next = end < line.Length ? line[end] : ';';
            if (alias.Prefix[alias.Prefix.Length - 1] == '.' || !(char.IsLetterOrDigit(next) || next is '_' or '<'))
                return alias;
        }

        return null;
    }

    /// <summary>Appends a statement to its condition, unless the line would be too long.</summary>
    private bool TryJoin(string statement)
    {
        string condition = _lines[_lines.Count - 1];
        statement = statement.TrimStart();
        if (!IsIf(condition) && condition.TrimStart() != "else" || condition[condition.Length - 1] == ';' || !IsPlain(statement)
            || condition.Length + statement.Length >= MaxLineLength)
            return false;
        _lines[_lines.Count - 1] = condition + " " + statement;
        return true;
    }

    /// <summary>Determines whether it is a condition, possibly after the label of a case.</summary>
    private static bool IsIf(string line) => StartsWith(line, "if (") || StartsWith(line, "case ") && line.Contains(": if (");

    private static bool IsControl(string line) =>
        IsIf(line) || StartsWith(line, "else") || StartsWith(line, "for (") || StartsWith(line, "foreach (") || StartsWith(line, "while (");

    /// <summary>Determines whether it is a simple statement, without a condition to which a following <c>else</c> could belong.</summary>
    private static bool IsPlain(string line) => line[line.Length - 1] == ';' && !IsControl(line);

    private static bool StartsWith(string line, string keyword) => line.TrimStart().StartsWith(keyword, StringComparison.Ordinal);
}
