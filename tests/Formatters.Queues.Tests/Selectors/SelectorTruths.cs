using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>A message, and what selectors say of it: for the predicate, and for queues that select by something else.</summary>
public static class SelectorTruths
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
        "COLOUR IS NULL", "missing is null", "colour in ('red')", "colour like 'r%'", "size between 1 and 20", "colour = 'red' and size > 1 Or no", "\tcolour\r\n=\f'red' ", "'it''s' = 'it''s'", "size=12 AND yes",
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
        "colour LIKE 'R%'", "colour LIKE 'red_'", "colour LIKE ''", "percent LIKE '50!%' ESCAPE '!'", "size LIKE '12'", "size IN ('12')", "colour IN ('Red')", "emoji LIKE 'x__y'",
        "no", "NOT yes", "size", "colour", "bytes", "no AND missing", "FALSE", "NOT TRUE", "missing IS NOT NULL", "NOT (colour = 'red')", "yes AND no OR no", "1 = 2");
}
