using System;
using System.Collections.Generic;
using System.Text;

namespace Formatters.Queues;

/// <summary>The pattern of a <c>LIKE</c>: <c>%</c> stands for any text, also none, <c>_</c> for one character (a code point), everything else for itself.</summary>
public sealed class SelectorPattern
{
    private const int AnyText = -1;
    private const int AnyCharacter = -2;

    private readonly int[] _parts;

    internal SelectorPattern(string text, char? escape)
    {
        var parts = new List<int>(text.Length);
        for (int i = 0; i < text.Length;)
        {
            // An escape character before any other stands for itself, as in ActiveMQ; SQL-92 has it as an error.
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
    }

    /// <summary>The text with which every match begins; empty if the pattern begins with a wildcard.</summary>
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

    /// <summary>Writes the pattern with an escape character.</summary>
    /// <param name="escape">Stands before each <c>%</c> and <c>_</c> that stands for itself, and before itself.</param>
    /// <returns>The pattern as SQL's <c>LIKE … ESCAPE</c> takes it.</returns>
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

    /// <summary>The pattern with <c>\</c> as its escape character.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => ToString('\\');

    /// <summary>Whether a text matches, whole and ordinally.</summary>
    /// <param name="text">The text.</param>
    /// <returns>Whether it does.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="text"/> is null.</exception>
    public bool IsMatch(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        int at = 0, part = 0;
        // Where to go on after a mismatch: behind the last %, which takes one character more.
        int retryAt = 0, retryPart = -1;
        while (at < text.Length)
        {
            Rune.DecodeFromUtf16(text.AsSpan(at), out Rune rune, out int charCount);
            if (part < _parts.Length && _parts[part] == AnyText)
            {
                retryAt = at;
                retryPart = ++part;
            }
            else if (part < _parts.Length && (_parts[part] == AnyCharacter || _parts[part] == rune.Value))
            {
                at += charCount;
                part++;
            }
            else if (retryPart >= 0)
            {
                Rune.DecodeFromUtf16(text.AsSpan(retryAt), out _, out charCount);
                retryAt += charCount;
                at = retryAt;
                part = retryPart;
            }
            else
            {
                return false;
            }
        }

        while (part < _parts.Length && _parts[part] == AnyText)
            part++;
        return part == _parts.Length;
    }
}
