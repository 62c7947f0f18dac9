using System;
using System.Collections.Generic;
using System.Text;

namespace Formatters.Queues;

/// <summary>Defines the kinds of tokens in a selector.</summary>
internal enum SelectorTokenKind : byte
{
    End,
    Identifier,
    Keyword,
    Text,
    Exact,
    Approximate,
    Symbol,
}

/// <summary>A name, literal, operator or parenthesis of a selector, and where it is.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Text">A keyword in upper case, a name or string without its quotes, or a number or symbol unchanged.</param>
/// <param name="Position">The position in the selector.</param>
internal readonly record struct SelectorToken(SelectorTokenKind Kind, string Text, int Position);

/// <summary>Splits a selector into tokens.</summary>
internal static class SelectorLexer
{
    private static readonly HashSet<string> Keywords = ["NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE"];

    /// <summary>The symbols, so that a token does not allocate a string.</summary>
    private static readonly string[] Symbols = ["=", "<>", "<", "<=", ">", ">=", "+", "-", "*", "/", "(", ")", ","];

    internal static List<SelectorToken> Read(string text)
    {
        if (text.Length > MessageSelector.MaxCharCount)
            throw new InvalidSelectorException($"it has more than {MessageSelector.MaxCharCount} characters.", MessageSelector.MaxCharCount);
        var tokens = new List<SelectorToken>();
        for (int at = 0; at < text.Length;)
        {
            if (text[at] is ' ' or '\t' or '\r' or '\n' or '\f')
            {
                at++;
                continue;
            }

            SelectorToken token = ReadOne(text, at, out at);
            tokens.Add(token);
        }

        tokens.Add(new SelectorToken(SelectorTokenKind.End, "", text.Length));
        return tokens;
    }

    private static SelectorToken ReadOne(string text, int start, out int end)
    {
        char first = text[start];
        char second = start + 1 < text.Length ? text[start + 1] : '\0';
        if (first is '\'' or '"')
            return ReadQuoted(text, start, out end);
        if (char.IsAsciiDigit(first) || (first == '.' && char.IsAsciiDigit(second)))
            return ReadNumber(text, start, out end);
        if (char.IsLetter(first) || first is '_' or '$')
        {
            end = start + 1;
            while (end < text.Length && (char.IsLetterOrDigit(text[end]) || text[end] is '_' or '$'))
                end++;
            string name = text[start..end];
            string upper = name.ToUpperInvariant();
            return Keywords.Contains(upper)
                ? new SelectorToken(SelectorTokenKind.Keyword, upper, start)
                : new SelectorToken(SelectorTokenKind.Identifier, name, start);
        }

        int charCount = (first, second) is ('<', '>') or ('<', '=') or ('>', '=') ? 2 : 1;
        end = start + charCount;
        foreach (string symbol in Symbols)
        {
            if (symbol.Length == charCount && string.CompareOrdinal(text, start, symbol, 0, charCount) == 0)
                return new SelectorToken(SelectorTokenKind.Symbol, symbol, start);
        }

        throw new InvalidSelectorException($"'{first}' has no meaning here.", start);
    }

    /// <summary>Reads a string in single quotes or a name in double quotes; a quote inside is doubled.</summary>
    private static SelectorToken ReadQuoted(string text, int start, out int end)
    {
        char quote = text[start];
        var value = new StringBuilder();
        for (int i = start + 1; i < text.Length; i++)
        {
            if (text[i] == quote)
            {
                if (i + 1 == text.Length || text[i + 1] != quote)
                {
                    end = i + 1;
                    if (quote == '"' && value.Length == 0)
                        throw new InvalidSelectorException("the name is empty.", start);
                    return new SelectorToken(quote == '"' ? SelectorTokenKind.Identifier : SelectorTokenKind.Text, value.ToString(), start);
                }

                i++;
            }

            // A database would not accept either as a parameter.
            bool isPair = char.IsHighSurrogate(text[i]) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]);
            if (text[i] == '\0' || (char.IsSurrogate(text[i]) && !isPair))
                throw new InvalidSelectorException("a zero character or half of a surrogate pair is not allowed in a string.", i);
            value.Append(text[i]);
            if (isPair)
                value.Append(text[++i]);
        }

        throw new InvalidSelectorException($"the closing {quote} is missing.", start);
    }

    // Java's literals: 57, 57L, 0x1F, 017 (octal), 5., .5, 5.5E-3, 7E3.
    private static SelectorToken ReadNumber(string text, int start, out int end)
    {
        end = start;
        if (text[start] == '0' && start + 1 < text.Length && (text[start + 1] is 'x' or 'X'))
        {
            for (end = start + 2; end < text.Length && char.IsAsciiHexDigit(text[end]);)
                end++;
            return Finish(SelectorTokenKind.Exact, text, start, ref end);
        }

        SelectorTokenKind kind = SelectorTokenKind.Exact;
        SkipDigits(ref end);
        if (end < text.Length && text[end] == '.')
        {
            kind = SelectorTokenKind.Approximate;
            end++;
            SkipDigits(ref end);
        }

        if (end < text.Length && (text[end] is 'e' or 'E'))
        {
            int exponent = end + 1;
            if (exponent < text.Length && (text[exponent] is '+' or '-'))
                exponent++;
            if (exponent == text.Length || !char.IsAsciiDigit(text[exponent]))
                throw new InvalidSelectorException("the number's exponent is missing.", start);
            kind = SelectorTokenKind.Approximate;
            end = exponent;
            SkipDigits(ref end);
        }

        return Finish(kind, text, start, ref end);

        void SkipDigits(ref int at)
        {
            while (at < text.Length && char.IsAsciiDigit(text[at]))
                at++;
        }
    }

    private static SelectorToken Finish(SelectorTokenKind kind, string text, int start, ref int end)
    {
        var token = new SelectorToken(kind, text[start..end], start);
        if (kind == SelectorTokenKind.Exact && end < text.Length && (text[end] is 'l' or 'L'))
            end++;
        if (end < text.Length && (char.IsLetterOrDigit(text[end]) || text[end] is '_' or '$' or '.'))
            throw new InvalidSelectorException("the number does not end where it should.", start);
        return token;
    }
}
