using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Formatters.Queues.Tests;

/// <summary>Random selectors and messages for a judge: another implementation of the same language.</summary>
/// <remarks>
/// Properties have one type each, by their first letter, since the judge knows headers only as texts, and converts each to the type of the literal beside it:
/// s string, i whole number, d approximate number, b boolean. A text that is beyond the literal's type (5000000000 beside 1, 2.5 beside 2) is
/// like no number for it, so that there are none. What knows types gets messages that mix them.
/// </remarks>
internal sealed class SelectorCases(int seed, bool mixesTypes = false)
{
    private static readonly string[] Strings = ["", "a", "b", "ab", "aab", "A", "a b", "a%b", "a_b", "100%", "it's", "é", "[a]", "a.b", "(x|y)", "a\\b", "a*b"];
    private static readonly string[] Patterns = ["", "%", "_", "a%", "%b", "%a%", "a_b", "_a%_", "a!%b", "a!_b", "%!%", "!!", "(%)", "[_]", "a.b", "%é%", "__", "a\\b", "%%", "a%b%"];
    private static readonly string[] Exact = ["0", "1", "-1", "2", "5", "7", "+3", "-12", "0x1F", "010", "2147483648", "-9223372036854775808"];
    private static readonly string[] Approximate = ["0.0", "1.5", "-2.5", ".5", "5.", "1E1", "-1.25E-1", "7.0", "1e10"];
    private static readonly string[] Comparisons = ["=", "<>", "<", "<=", ">", ">="];

    private readonly Random _random = new(seed);

    /// <summary>A message in which each property is there or not.</summary>
    internal QueueMessage NextMessage()
    {
        var message = new QueueMessage();
        foreach (string name in new[] { "s1", "s2" })
            Maybe(() => message.Headers[name] = Pick(Strings));
        foreach (string name in new[] { "i1", "i2" })
            Maybe(() => message.Headers[name] = _random.Next(4) == 0 ? _random.Next() : _random.Next(-13, 13));
        foreach (string name in new[] { "d1", "d2" })
            Maybe(() => message.Headers[name] = _random.Next(-20, 40) / 4.0);
        foreach (string name in new[] { "b1", "b2" })
            Maybe(() => message.Headers[name] = _random.Next(2) == 0);
        Maybe(() => message.CorrelationId = Pick(["a", "ab", "c-1"]));
        Maybe(() => message.Label = Pick(["a", "order"]));
        // The one number that the judge has as a number: arithmetic is possible with it.
        message.Headers["JMSXGroupSeq"] = _random.Next(-13, 13);
        if (mixesTypes)
        {
            foreach (string name in message.Headers.Keys.ToArray())
            {
                if (_random.Next(4) == 0)
                    message.Headers[name] = NextValue(isComputedWith: name == "JMSXGroupSeq");
            }
        }

        return message;

        void Maybe(Action action)
        {
            if (_random.Next(4) > 0)
                action();
        }
    }

    internal string NextSelector() => Condition(_random.Next(1, 5));

    private object NextValue(bool isComputedWith) => _random.Next(6) switch
    {
        0 => Pick(Strings),
        1 => _random.Next(-13, 13),
        // Computing with such is exact in PostgreSQL only.
        2 when !isComputedWith => (long.MaxValue / 2) + _random.Next(-2, 2),
        3 => _random.Next(-20, 40) / 4.0,
        4 => Pick(["1", "TRUE", "2.5", "null"]),
        _ => _random.Next(2) == 0,
    };

    private string Condition(int depth)
    {
        if (depth == 0)
            return Predicate();
        return _random.Next(5) switch
        {
            0 => $"{Condition(depth - 1)} AND {Condition(depth - 1)}",
            1 => $"{Condition(depth - 1)} OR {Condition(depth - 1)}",
            // The judge's NOT binds closer than a comparison, against the specification.
            2 => $"NOT ({Condition(depth - 1)})",
            3 => $"({Condition(depth - 1)})",
            _ => Predicate(),
        };
    }

    private string Predicate()
    {
        string not = _random.Next(3) == 0 ? "NOT " : "";
        switch (_random.Next(9))
        {
            case 0:
                return $"{Text()} {Pick(["=", "<>"])} {Quote(Pick(Strings))}";
            case 1:
                return $"{Text()} {not}LIKE {Quote(Pick(Patterns))}{Pick(["", " ESCAPE '!'"])}";
            case 2:
                return $"{Text()} {not}IN ({string.Join(", ", Enumerable.Range(0, _random.Next(1, 8)).Select(_ => Quote(Pick(Strings))))})";
            case 3:
                return $"{Pick(["i1", "i2"])} {Pick(Comparisons)} {Pick([Pick(Exact), Pick(Approximate), $"{Pick(Exact.Take(10).ToArray())} * 2 - 3"])}";
            case 4:
                return $"{Pick(["d1", "d2"])} {Pick(Comparisons)} {Pick([Pick(Approximate), $"{Pick(Approximate)} + 1 / 4"])}";
            case 5:
                return $"{Pick(["i1", "i2"])} {not}BETWEEN {Pick(Exact.Take(8).ToArray())} AND {Pick(Exact.Take(8).ToArray())}";
            case 6:
                return $"{Pick(["b1", "b2"])} {Pick(["=", "<>"])} {Pick(["TRUE", "FALSE"])}";
            case 7:
                return $"{Pick(["s1", "i1", "d1", "b1", "JMSCorrelationID", "JMSType", "nowhere"])} IS {not}NULL";
            default:
                return $"{Sum(3)} {Pick(Comparisons)} {Sum(1)}";
        }
    }

    private string Text() => Pick(["s1", "s2", "JMSCorrelationID", "JMSType"]);

    private string Sum(int depth)
    {
        if (depth == 0)
            return Pick(["JMSXGroupSeq", "JMSXGroupSeq", _random.Next(1, 9).ToString(CultureInfo.InvariantCulture), "2.5"]);
        return _random.Next(6) switch
        {
            0 => $"{Sum(depth - 1)} + {Sum(depth - 1)}",
            1 => $"{Sum(depth - 1)} - {Sum(depth - 1)}",
            2 => $"{Sum(depth - 1)} * {Sum(depth - 1)}",
            // Never by zero: infinite for the judge.
            3 => $"{Sum(depth - 1)} / {_random.Next(1, 9)}",
            4 => $"({Sum(depth - 1)})",
            _ => Sum(0),
        };
    }

    private static string Quote(string text) => $"'{text.Replace("'", "''", StringComparison.Ordinal)}'";

    private T Pick<T>(IReadOnlyList<T> values) => values[_random.Next(values.Count)];
}
