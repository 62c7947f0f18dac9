using System;
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What selectors select, and what they refuse.</summary>
public sealed class MessageSelectorTests
{
    private static readonly QueueMessage Sample = SelectorTruths.Sample;

    [Fact]
    public void Patterns_match_as_regular_expressions_do()
    {
        var random = new Random(20261123);
        int matchCount = 0;
        for (int i = 0; i < 20_000; i++)
        {
            string pattern = Text("ab\u00e9%_%", 8), text = Text("ab\u00e9", 10);
            string expression = "^(?s:" + string.Concat(pattern.Select(part => part switch { '%' => ".*", '_' => ".", _ => part.ToString() })) + ")\\z";
            bool isMatch = MessageSelector.Parse($"h LIKE '{pattern}'").Matches(new QueueMessage { Headers = { ["h"] = text } });
            Assert.True(isMatch == System.Text.RegularExpressions.Regex.IsMatch(text, expression), $"'{text}' LIKE '{pattern}'");
            matchCount += isMatch ? 1 : 0;
        }

        Assert.InRange(matchCount, 1000, 19_000);

        string Text(string characters, int maxCharCount) => string.Concat(Enumerable.Range(0, random.Next(maxCharCount + 1)).Select(_ => characters[random.Next(characters.Length)]));
    }

    [Theory]
    [InlineData("")]
    [InlineData("  ")]
    public void An_empty_selector_selects_every_message(string selector)
    {
        Assert.True(MessageSelector.Parse(selector).Matches(Sample));
        Assert.Equal("TRUE", MessageSelector.Parse(selector).ToSql(new SelectorColumns { Headers = "h", MessageId = "m", CorrelationId = "c", Label = "l", Priority = "p", SentTime = "t" }, static _ => "$1"));
    }

    [Theory]
    [InlineData("%\U0001F600_", "x\U0001F600\U0001F601", true)]
    [InlineData("_%_", "\U0001F600", false)]
    [InlineData("%_\U0001F600%a", "\U0001F600\U0001F600ba", true)]
    [InlineData("a%a", "a", false)]
    [InlineData("%", "", true)]
    [InlineData("", "", true)]
    [InlineData("", "a", false)]
    public void Patterns_count_code_points(string pattern, string text, bool isMatch) =>
        Assert.Equal(isMatch, MessageSelector.Parse($"h LIKE '{pattern}'").Matches(new QueueMessage { Headers = { ["h"] = text } }));

    [Fact]
    public void A_pattern_is_limited()
    {
        string pattern = new('a', MessageSelector.MaxPatternCharCount);
        Assert.True(MessageSelector.Parse($"h LIKE '{pattern}'").Matches(new QueueMessage { Headers = { ["h"] = pattern } }));
        InvalidSelectorException error = Assert.Throws<InvalidSelectorException>(() => MessageSelector.Parse($"h LIKE '{pattern}a'"));
        Assert.Equal(7, error.Position);
        Assert.Contains("1024", error.Message, StringComparison.Ordinal);
    }

    /// <summary>A selector, the position of its mistake, a word of the message.</summary>
    public static TheoryData<string, int, string> Invalid => new()
    {
        { "colour =", 8, "the end" },
        { "colour = 'red", 9, "closing '" },
        { "\"colour = 1", 0, "closing \"" },
        { "\"\" = 1", 0, "empty" },
        { "colour == 'red'", 8, "not '='" },
        { "colour != 'red'", 7, "'!'" },
        { "colour = 'red' size = 1", 15, "'size' was not expected" },
        { "colour = red'", 12, "closing '" },
        { "a = 1 = 2", 6, "'='" },
        { "(a = 1", 6, "')' was expected" },
        { "a = 1)", 5, "')' was not expected" },
        { "a > 'x'", 4, "number was expected" },
        { "a < TRUE", 4, "number was expected" },
        { "'x' + 1 = 2", 0, "number was expected" },
        { "(a = 1) = TRUE", 0, "value was expected, not a condition" },
        { "(a = 1) + 1 = 2", 0, "value was expected, not a condition" },
        { "a + 1", 0, "condition was expected" },
        { "5", 0, "condition was expected" },
        { "a = 1 AND 'x'", 10, "condition was expected" },
        { "NOT 5", 4, "condition was expected" },
        { "5 IS NULL", 0, "name of a property" },
        { "a + 1 IN ('x')", 0, "name of a property" },
        { "'x' LIKE 'x'", 0, "name of a property" },
        { "a IS 5", 5, "NULL was expected" },
        { "a IS NOT 5", 9, "NULL was expected" },
        { "a = NULL", 4, "'NULL'" },
        { "a IN ()", 6, "string in single quotes" },
        { "a IN ('x',)", 10, "string in single quotes" },
        { "a IN (1)", 6, "string in single quotes" },
        { "a IN 'x'", 5, "'(' was expected" },
        { "a LIKE b", 7, "string in single quotes" },
        { "a LIKE 'x' ESCAPE 'ab'", 18, "one character" },
        { "a LIKE 'x' ESCAPE ''", 18, "one character" },
        { "a BETWEEN 1", 11, "AND was expected" },
        { "a BETWEEN 1 OR 2", 12, "AND was expected" },
        { "a BETWEEN 'x' AND 'y'", 10, "number was expected" },
        { "a NOT = 1", 2, "'NOT' was not expected" },
        { "a = 9223372036854775808", 4, "64 bits" },
        { "a = -9223372036854775809", 5, "64 bits" },
        { "a = 08", 4, "octal" },
        { "a = 0x", 4, "no digits" },
        { "a = 5x", 4, "does not end" },
        { "a = 5.5.5", 4, "does not end" },
        { "a = 1e", 4, "exponent" },
        { "a = 1e999", 4, "infinite" },
        { "a = 1 / 0", 4, "divided by zero" },
        { "a = 'x\0y'", 6, "zero character" },
        { "size=12AND yes", 5, "does not end" },
        { "JMSDestination = 'x'", 0, "JMSDestination" },
        { "a = ?", 4, "'?'" },
    };

    [Theory]
    [MemberData(nameof(SelectorTruths.True), MemberType = typeof(SelectorTruths))]
    public void Matches_True(string selector) => Assert.True(MessageSelector.Parse(selector).Matches(Sample));

    [Theory]
    [MemberData(nameof(SelectorTruths.NotTrue), MemberType = typeof(SelectorTruths))]
    public void Matches_NotTrue(string selector) => Assert.False(MessageSelector.Parse(selector).Matches(Sample));

    [Theory]
    [MemberData(nameof(Invalid))]
    public void Parse_Invalid_SaysWhere(string selector, int position, string words)
    {
        InvalidSelectorException e = Assert.Throws<InvalidSelectorException>(() => MessageSelector.Parse(selector));

        Assert.Equal(position, e.Position);
        Assert.Contains(words, e.Message, StringComparison.Ordinal);
        Assert.Contains($"character {position}", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Three_values_combine_as_in_SQL()
    {
        // t, f and u (unknown) in every combination, observed also through NOT: u is neither true nor false.
        var message = new QueueMessage { Headers = { ["t"] = true, ["f"] = false } };
        foreach (string a in new[] { "t", "f", "u" })
        {
            Assert.Equal(a switch { "t" => "f", "f" => "t", _ => "u" }, Value($"NOT {a}"));
            foreach (string b in new[] { "t", "f", "u" })
            {
                Assert.Equal(a == "f" || b == "f" ? "f" : a == "t" && b == "t" ? "t" : "u", Value($"{a} AND {b}"));
                Assert.Equal(a == "t" || b == "t" ? "t" : a == "f" && b == "f" ? "f" : "u", Value($"{a} OR {b}"));
            }
        }

        string Value(string condition) =>
            MessageSelector.Parse(condition).Matches(message) ? "t" : MessageSelector.Parse($"NOT ({condition})").Matches(message) ? "f" : "u";
    }

    [Theory]
    [InlineData("(", ")", "a")]
    [InlineData("NOT ", "", "a")]
    [InlineData("- ", " = 1", "a")]
    [InlineData("", " = 1", "a + 1 ")]
    public void Parse_DeepNesting_IsRefused(string open, string close, string inner)
    {
        string nested = inner.Length > 1
            ? "a" + string.Concat(Enumerable.Repeat(" + 1", 50)) + close
            : string.Concat(Enumerable.Repeat(open, 50)) + inner + string.Concat(Enumerable.Repeat(close, close == ")" ? 50 : 1));
        MessageSelector.Parse(nested);
        string deep = inner.Length > 1
            ? "a" + string.Concat(Enumerable.Repeat(" + 1", 10_000 / 2)) + close
            : string.Concat(Enumerable.Repeat(open, 5_000)) + inner + string.Concat(Enumerable.Repeat(close, close == ")" ? 5_000 : 1));

        InvalidSelectorException e = Assert.Throws<InvalidSelectorException>(() => MessageSelector.Parse(deep));
        Assert.Contains("100 levels", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Parse_LongButFlat_IsTaken()
    {
        string selector = string.Join(" OR ", Enumerable.Range(0, 2_000).Select(i => $"size = {i}"));

        Assert.True(MessageSelector.Parse(selector).Matches(Sample));
        InvalidSelectorException e = Assert.Throws<InvalidSelectorException>(() => MessageSelector.Parse(selector + new string(' ', MessageSelector.MaxCharCount)));
        Assert.Contains("32768", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Parse_AnyPrefixOfASelector_IsTakenOrRefusedWithItsError()
    {
        const string Selector = "NOT (a LIKE 'x!%' ESCAPE '!' OR b NOT BETWEEN -1.5E3 AND 0x1F * c) AND \"d-e\" IN ('f', 'g''h') OR JMSPriority IS NOT NULL";
        for (int i = 0; i <= Selector.Length; i++)
        {
            try
            {
                MessageSelector.Parse(Selector[..i]);
            }
            catch (InvalidSelectorException e)
            {
                Assert.InRange(e.Position, 0, i);
            }
        }
    }

    [Fact]
    public void Matches_AllocatesNothing()
    {
        MessageSelector selector = MessageSelector.Parse(
            "colour IN ('red', 'blue') AND size * 2 + 1 BETWEEN 5 AND 50 AND percent LIKE '%of!_a%' ESCAPE '!' AND NOT missing IS NOT NULL AND JMSMessageID <> 'x'");
        Assert.True(selector.Matches(Sample));
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++)
            selector.Matches(Sample);

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
    }

    [Fact]
    public void Matches_ManyWildcards_TakesNoExponentialTime()
    {
        MessageSelector selector = MessageSelector.Parse($"a LIKE '{string.Concat(Enumerable.Repeat("%a", 500))}b'");

        Assert.False(selector.Matches(new QueueMessage { Headers = { ["a"] = new string('a', 5_000) } }));
    }

    [Fact]
    public void ToSql_TextsAreParameters()
    {
        var parameters = new List<object>();
        string sql = MessageSelector.Parse("colour = 'red' AND \"x'; DROP\" NOT LIKE 'a_''b%' AND size > 5 AND JMSMessageID IN ('m')").ToSql(
            new SelectorColumns { Headers = "h", MessageId = "id", CorrelationId = "c", Label = "l", Priority = "p", SentTime = "s" },
            value =>
            {
                parameters.Add(value);
                return $"${parameters.Count}";
            });

        Assert.DoesNotContain("red", sql, StringComparison.Ordinal);
        Assert.DoesNotContain("DROP", sql, StringComparison.Ordinal);
        Assert.Equal(["colour", "red", "x'; DROP", "a_'b%", "size"], parameters.Take(5));
        Assert.Equal(["m"], Assert.IsType<string[]>(parameters[5]));
        Assert.StartsWith("(((h) -> $1::text) = to_jsonb($2::text)", sql[1..], StringComparison.Ordinal);
    }

    [Fact]
    public void Parse_HalfASurrogatePair_IsRefused() => Assert.Equal(5, Assert.Throws<InvalidSelectorException>(() => MessageSelector.Parse("a = '\ud83d'")).Position);

    [Fact]
    public void ToString_IsTheText() => Assert.Equal(" a = 1 ", MessageSelector.Parse(" a = 1 ").ToString());
}
