using System;
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What selectors select, and what they refuse.</summary>
public sealed class MessageSelectorTests
{
    /// <summary>The message of <see cref="True"/> and <see cref="NotTrue"/>.</summary>
    internal static readonly QueueMessage Sample = new()
    {
        MessageId = "id-1",
        CorrelationId = "id-0",
        Label = "order",
        Headers =
        {
            ["colour"] = "red",
            ["empty"] = "",
            ["percent"] = "50% of_all",
            ["big"] = 9007199254740993L,
            ["size"] = 12,
            ["negative"] = -3,
            ["price"] = 2.5,
            ["digits"] = "12",
            ["yes"] = true,
            ["no"] = false,
            ["bytes"] = new byte[] { 1 },
            ["infinite"] = double.PositiveInfinity,
            ["order-id"] = 7,
            ["Zeile"] = "a\nb",
            ["emoji"] = "x😀y",
        },
    };

    /// <summary>Every selector whose answer for <see cref="Sample"/> stands here, and the three values in every combination.</summary>
    internal static IEnumerable<(string Selector, bool IsTrue)> Cases =>
    [
        .. ((IEnumerable<object[]>)True).Select(row => ((string)row[0], true)),
        .. ((IEnumerable<object[]>)NotTrue).Select(row => ((string)row[0], false)),
        .. from a in new[] { "yes", "no", "missing" }
           from b in new[] { "yes", "no", "missing" }
           from condition in new[] { $"{a} AND {b}", $"{a} OR {b}" }
           from selector in new[] { condition, $"NOT ({condition})" }
           select (selector, MessageSelector.Parse(selector).Matches(Sample)),
    ];

    public static TheoryData<string> True => new(
        "colour = 'red'", "colour <> 'blue'", "'red' = colour", "size = 12", "size = 12.0", "size = 12L", "size = 0xC", "size = 014", "size <> 13", "size > 11.5", "size >= 12",
        "size < 1.3E1", "12 <= size", "price = 2.5", "price = .25E1", "price > 2.", "negative = -3", "- negative = 3", "+size = 12", "negative < 0",
        "size + 1 = 13", "size - 2 * 3 = 6", "(size - 2) * 3 = 30", "size / 5 = 2.4", "7 / 2 = 3.5", "1 + 2 * 3 = 7", "2 - 1 - 1 = 0", "8 / 2 / 2 = 2", "- - 2 = 2", "size * -1 = -12",
        "9223372036854775807 + 1 > 9223372036854775807", "-9223372036854775808 < 0", "big = 9007199254740993", "big <> 9007199254740992.0", "big > 9007199254740992.0",
        "size BETWEEN 12 AND 12", "size NOT BETWEEN 13 AND 20", "size BETWEEN 5 + 5 AND 100 / 5", "size BETWEEN 10 AND 20 AND yes",
        "colour IN ('blue', 'red')", "colour NOT IN ('blue')", "size NOT IN ('12')", "colour IN ('red')",
        "colour LIKE 'r%'", "colour LIKE '_ed'", "colour LIKE '%'", "colour LIKE '%e%'", "colour NOT LIKE 'R%'", "empty LIKE ''", "empty LIKE '%'", "percent LIKE '50!% %' ESCAPE '!'",
        "percent LIKE '%of!_all' ESCAPE '!'", "percent LIKE '%of%'", "Zeile LIKE 'a_b'", "Zeile LIKE 'a%b'", "emoji LIKE 'x_y'", "size NOT LIKE '12'", "colour LIKE '%r%e%d%'",
        "yes", "yes = TRUE", "no = false", "no <> TRUE", "NOT no", "yes AND NOT no", "no OR yes", "yes OR no AND no", "NOT no AND yes", "(yes)", "((colour = 'red'))", "TRUE", "NOT FALSE",
        "missing IS NULL", "colour IS NOT NULL", "bytes IS NOT NULL", "infinite IS NULL", "NOT missing IS NOT NULL", "missing = 1 OR yes", "NOT (missing = 1 AND no)",
        "JMSMessageID = 'id-1'", "JMSCorrelationID LIKE 'id-%'", "JMSType = 'order'", "JMSXGroupID IS NULL", "\"order-id\" = 7", "\"colour\" = 'red'",
        "COLOUR IS NULL", "colour = 'red' and size > 1 Or no", "\tcolour\r\n=\f'red' ", "'it''s' = 'it''s'", "size=12 AND yes",
        "NOT digits = 12", "NOT (digits > 5)", "NOT bytes", "NOT bytes = 'x'", "NOT size");

    public static TheoryData<string> NotTrue => new(
        "colour = 'Red'", "colour = 'red '", "size = 13", "size > 12", "colour <> 'red'",
        // Other types compare as false, also when they are asked to differ.
        "digits = 12", "digits <> 12", "digits > 5", "size = '12'", "size <> '12'", "yes = 'TRUE'", "yes <> 1", "bytes = 'x'", "bytes = bytes", "bytes <> 'x'", "'a' <> 1", "colour > 5",
        // Unknown is not true, and its opposite neither.
        "missing = 1", "missing <> 1", "NOT missing = 1", "missing", "NOT missing", "missing > 1 OR no", "missing = missing", "missing LIKE '%'", "missing NOT LIKE 'x'", "missing IN ('x')",
        "missing NOT IN ('x')", "missing BETWEEN 1 AND 2", "missing NOT BETWEEN 1 AND 2", "missing + 1 > 0", "NOT (missing = 1 OR no)", "NOT (missing = 1 AND yes)",
        // No value: a division by zero, arithmetic with what is no number.
        "size / (size - 12) > 0", "NOT size / (size - 12) > 0", "digits + 1 = 13", "NOT digits + 1 = 13", "- colour = 1", "infinite > 1",
        "colour LIKE 'R%'", "colour LIKE 'red_'", "colour LIKE ''", "percent LIKE '50!%' ESCAPE '!'", "size LIKE '12'", "size IN ('12')", "emoji LIKE 'x__y'",
        "no", "NOT yes", "size", "colour", "bytes", "no AND missing", "FALSE", "NOT TRUE", "missing IS NOT NULL", "NOT (colour = 'red')", "yes AND no OR no", "1 = 2");

    /// <summary>A selector, the position of its mistake, a word of the message.</summary>
    public static TheoryData<string, int, string> Invalid => new()
    {
        { "", 0, "the end" },
        { "  ", 2, "the end" },
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
    [MemberData(nameof(True))]
    public void Matches_True(string selector) => Assert.True(MessageSelector.Parse(selector).Matches(Sample));

    [Theory]
    [MemberData(nameof(NotTrue))]
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
