using System;
using System.Collections.Generic;
using System.Text;

namespace Formatters.Queues;

/// <summary>
/// The pattern of a <c>LIKE</c>: <c>%</c> matches any string, including the empty one, <c>_</c> one character (a code point), everything else itself.
/// </summary>
public sealed class SelectorPattern
{
    private const int AnyText = -1;
    internal const int AnyCharacter = -2;

    private readonly int[] _parts;

    /// <summary>The runs before, between and after each <c>%</c>.</summary>
    private readonly SelectorRun[] _runs;

    internal SelectorPattern(string text, char? escape)
    {
        var parts = new List<int>(text.Length);
        for (int i = 0; i < text.Length;)
        {
            // An escape character before any other character matches itself, as in ActiveMQ; SQL-92 defines an error.
            bool isEscaped = text[i] == escape && i + 1 < text.Length && (text[i + 1] is '%' or '_' || text[i + 1] == escape);
            if (isEscaped)
                i++;
            Rune.DecodeFromUtf16(text.AsSpan(i), out Rune rune, out int charCount);
            i += charCount;
            int part = isEscaped ? rune.Value : rune.Value switch { '%' => AnyText, '_' => AnyCharacter, int value => value };
            if (part != AnyText || parts.Count == 0 || parts[^1] != AnyText)
                parts.Add(part);
        }

        _parts = [.. parts];
        var runs = new List<SelectorRun>();
        for (int start = 0; start <= _parts.Length;)
        {
            int end = Array.IndexOf(_parts, AnyText, start);
            if (end < 0)
                end = _parts.Length;
            runs.Add(new SelectorRun(_parts.AsSpan(start, end - start).ToArray()));
            start = end + 1;
        }

        _runs = [.. runs];
    }

    /// <summary>Gets the prefix of every match; empty if the pattern begins with a wildcard.</summary>
    public string Prefix
    {
        get
        {
            var prefix = new StringBuilder();
            foreach (int part in _parts)
            {
                if (part < 0)
                    break;
                prefix.Append(new Rune(part));
            }

            return prefix.ToString();
        }
    }

    /// <summary>Returns the pattern with an escape character.</summary>
    /// <param name="escape">Precedes each literal <c>%</c> and <c>_</c>, and each occurrence of itself.</param>
    /// <returns>The pattern, as SQL's <c>LIKE … ESCAPE</c> expects it.</returns>
    public string ToString(char escape)
    {
        var text = new StringBuilder();
        foreach (int part in _parts)
        {
            if (part >= 0 && (part is '%' or '_' || part == escape))
                text.Append(escape);
            text.Append(part switch { AnyText => "%", AnyCharacter => "_", _ => new Rune(part).ToString() });
        }

        return text.ToString();
    }

    /// <summary>Returns the pattern with <c>\</c> as its escape character.</summary>
    /// <returns>The pattern.</returns>
    public override string ToString() => ToString('\\');

    /// <summary>Determines whether a whole string matches, by ordinal comparison.</summary>
    /// <param name="text">The string.</param>
    /// <returns>Whether it does.</returns>
    /// <remarks>
    /// Takes time proportional to the string's length; if <c>_</c> follows a <c>%</c>, proportional to that times the longest part between two
    /// <c>%</c>. Allocates nothing.
    /// </remarks>
    /// <exception cref="ArgumentNullException"><paramref name="text"/> is null.</exception>
    public bool IsMatch(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        SelectorRun first = _runs[0], last = _runs[^1];
        int at = first.MatchAt(text, 0);
        if (_runs.Length == 1 || at < 0)
            return at == text.Length;
        int end = last.MatchBefore(text, text.Length);
        for (int i = 1; i < _runs.Length - 1 && at >= 0 && at <= end; i++)
            at = _runs[i].Find(text, at, end);
        return at >= 0 && at <= end;
    }
}
