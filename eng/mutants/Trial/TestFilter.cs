using System;

namespace Formatters.Mutants;

/// <summary>A filter of `dotnet test`: FullyQualifiedName or DisplayName, with ~ = !~ !=, and with &amp; | and parentheses.</summary>
internal sealed class TestFilter
{
    private readonly Func<string, string?, bool> _matches;

    private TestFilter(Func<string, string?, bool> matches) => _matches = matches;

    public bool Matches(string fullName, string displayName) => _matches(fullName, displayName);

    /// <summary>Whether the tests of a method may be selected, by their display names.</summary>
    public bool MayMatch(string fullName) => _matches(fullName, null);

    public static TestFilter Parse(string text)
    {
        int at = 0;
        Func<string, string?, bool> matches = Either();
        return at == text.Length ? new TestFilter(matches) : throw new FormatException($"'{text}' at {at}");

        Func<string, string?, bool> Either()
        {
            Func<string, string?, bool> left = Both();
            while (at < text.Length && text[at] == '|')
            {
                at++;
                Func<string, string?, bool> before = left, right = Both();
                left = (name, display) => before(name, display) || right(name, display);
            }

            return left;
        }

        Func<string, string?, bool> Both()
        {
            Func<string, string?, bool> left = One();
            while (at < text.Length && text[at] == '&')
            {
                at++;
                Func<string, string?, bool> before = left, right = One();
                left = (name, display) => before(name, display) && right(name, display);
            }

            return left;
        }

        Func<string, string?, bool> One()
        {
            if (at < text.Length && text[at] == '(')
            {
                at++;
                Func<string, string?, bool> inner = Either();
                at++;
                return inner;
            }

            int end = text.IndexOfAny(['&', '|', ')'], at);
            string term = end < 0 ? text[at..] : text[at..end];
            at += term.Length;
            int mark = term.IndexOfAny(['!', '~', '=']);
            bool isNegative = term[mark] == '!';
            bool isPart = term[isNegative ? mark + 1 : mark] == '~';
            string value = term[(mark + (isNegative ? 2 : 1))..];
            bool isDisplay = term[..mark].Trim() == "DisplayName";
            return (name, display) => isDisplay && display is null
                || isNegative != (isPart ? (isDisplay ? display! : name).Contains(value, StringComparison.OrdinalIgnoreCase) : (isDisplay ? display! : name) == value);
        }
    }
}
