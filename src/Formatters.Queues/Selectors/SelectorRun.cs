using System;
using System.Text;

namespace Formatters.Queues;

/// <summary>The characters between two <c>%</c> of a pattern; possibly empty.</summary>
internal sealed class SelectorRun
{
    /// <summary>The code points, or <see cref="SelectorPattern.AnyCharacter"/>.</summary>
    private readonly int[] _parts;

    /// <summary>The run as UTF-16, if it has no wildcard.</summary>
    private readonly string? _literal;

    /// <summary>
    /// For each prefix of <see cref="_literal"/>, the length that remains matched if the next character does not match (Knuth, Morris, Pratt).
    /// </summary>
    private readonly int[] _fallback;

    internal SelectorRun(int[] parts)
    {
        _parts = parts;
        _fallback = [];
        if (Array.IndexOf(parts, SelectorPattern.AnyCharacter) >= 0)
            return;
        var literal = new StringBuilder(parts.Length);
        foreach (int part in parts)
            literal.Append(new Rune(part).ToString());
        _literal = literal.ToString();
        _fallback = new int[_literal.Length];
        for (int i = 1, matched = 0; i < _literal.Length; i++)
            _fallback[i] = matched = Extend(matched, _literal[i]);
    }

    /// <summary>Matches the run at an index, and returns its end.</summary>
    /// <returns>The index after it; -1 if it does not.</returns>
    internal int MatchAt(string text, int at)
    {
        if (_literal is not null)
            return string.CompareOrdinal(text, at, _literal, 0, _literal.Length) == 0 ? at + _literal.Length : -1;
        foreach (int part in _parts)
        {
            if (at == text.Length)
                return -1;
            Rune.DecodeFromUtf16(text.AsSpan(at), out Rune rune, out int charCount);
            if (part != SelectorPattern.AnyCharacter && part != rune.Value)
                return -1;
            at += charCount;
        }

        return at;
    }

    /// <summary>Matches the run before an index, and returns its start.</summary>
    /// <returns>The index of its first character; -1 if it does not.</returns>
    internal int MatchBefore(string text, int end)
    {
        for (int i = _parts.Length - 1; i >= 0; i--)
        {
            if (end == 0)
                return -1;
            bool isPair = end > 1 && char.IsSurrogatePair(text[end - 2], text[end - 1]);
            Rune.DecodeFromUtf16(text.AsSpan(end - (isPair ? 2 : 1)), out Rune rune, out int charCount);
            if (_parts[i] != SelectorPattern.AnyCharacter && _parts[i] != rune.Value)
                return -1;
            end -= charCount;
        }

        return end;
    }

    /// <summary>Finds the first match of the run.</summary>
    /// <returns>The index after it; -1 if there is none.</returns>
    internal int Find(string text, int start, int end)
    {
        if (_literal is not null)
            return FindLiteral(text, start, end);
        while (start < end)
        {
            int after = MatchAt(text, start);
            if (after >= 0)
                return after <= end ? after : -1;
            Rune.DecodeFromUtf16(text.AsSpan(start), out _, out int charCount);
            start += charCount;
        }

        return -1;
    }

    private int FindLiteral(string text, int start, int end)
    {
        int matched = 0;
        for (int i = start; i < end && matched < _literal!.Length; i++, start = i)
            matched = Extend(matched, text[i]);
        return matched == _literal!.Length ? start : -1;
    }

    /// <summary>Returns the matched length after a character, given the length before it.</summary>
    private int Extend(int matched, char next)
    {
        while (matched > 0 && _literal![matched] != next)
            matched = _fallback[matched - 1];
        return _literal![matched] == next ? matched + 1 : matched;
    }
}
