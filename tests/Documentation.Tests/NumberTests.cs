using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text.RegularExpressions;
using Formatters;
using Formatters.Hosting;
using Formatters.Queues;
using Xunit;

namespace Documentation.Tests;

/// <summary>Defaults, limits and counts on the pages are those of the code.</summary>
public sealed partial class NumberTests
{
    private const long MiB = 1024 * 1024;

    /// <summary>Tables of settings: a page, and the object whose properties have the defaults. <c>Retry:Delay</c> is a property of a property.</summary>
    private static readonly (string Page, object Defaults)[] Tables =
        [("docs/hosting.md", new HostedQueueOptions()), ("docs/outbox.md", new OutboxOptions())];

    public static TheoryData<string, string> Facts => new()
    {
        { "docs/threat-model.md", $"| {FormatterLimits.Default.MaxBodyByteCount / MiB} MiB | `LimitExceeded`" },
        { "docs/threat-model.md", $"`MaxElementCount` | {Number(FormatterLimits.Default.MaxElementCount)} |" },
        { "docs/threat-model.md", $"| {FormatterLimits.Default.MaxDepth} | `DepthExceeded`" },
        { "docs/threat-model.md", $"CI reads {Number(CountsOf("FORMATTERS_HOSTILE_READS").Single().Full)} bodies of each format" },
        { "docs/folder.md", $"`CachedByteCount` ({new FileQueueOptions().CachedByteCount / MiB} MiB)" },
        { "docs/queues.md", $"`OperationTimeout` ({new QueueOptions().OperationTimeout.TotalSeconds} seconds)" },
    };

    public static TheoryData<string, string, string> Settings
    {
        get
        {
            var data = new TheoryData<string, string, string>();
            foreach ((string page, object defaults) in Tables)
            {
                foreach (string line in File.ReadLines(Path.Combine(Repository.Root, page)).Where(static line => line.StartsWith("| `", StringComparison.Ordinal)))
                {
                    string[] cells = [.. line.Split(" | ").Select(static cell => cell.Trim('|', ' '))];
                    string[] names = [.. Name().Matches(cells[0]).Select(static match => match.Groups[1].Value)];
                    if (!Array.TrueForAll(names, name => ValueOf(defaults, name) is not null))
                        continue; // Another table.
                    string[] texts = names.Length == 1 ? [cells[1]] : cells[1].Split(", ");
                    foreach ((string name, string text) in names.Zip(texts))
                        data.Add(page, name, text);
                }
            }

            return data;
        }
    }

    public static TheoryData<string> Variables => [.. AllCounts().Select(static count => count.Variable).Distinct()];

    [Theory]
    [MemberData(nameof(Facts))]
    public void A_page_says_what_the_code_does(string page, string text) => Assert.Contains(text, File.ReadAllText(Path.Combine(Repository.Root, page)), StringComparison.Ordinal);

    [Theory]
    [MemberData(nameof(Settings))]
    public void A_table_has_the_default_of_each_setting(string page, string name, string text)
    {
        object? value = ValueOf(Tables.Single(table => table.Page == page).Defaults, name)!.Value.Value;
        // A default that depends on something else is null or empty, and the page has words for it.
        if (value is null or "")
            Assert.DoesNotMatch(@"^[0-9`]", text.Replace("`ByQueue` if possible", "", StringComparison.Ordinal));
        else
            Assert.StartsWith(Text(value), text.Trim('`'), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Variables))]
    public void The_counts_of_tests_are_in_CONTRIBUTING(string variable)
    {
        string row = Assert.Single(File.ReadLines(Path.Combine(Repository.Root, "CONTRIBUTING.md")), line => line.StartsWith("| `FORMATTERS_", StringComparison.Ordinal) && line.Contains($"`{variable}`", StringComparison.Ordinal));
        int[][] columns = [.. row.Trim('|').Split(" | ").TakeLast(3).Select(static cell => Count().Matches(cell).Select(static match => int.Parse(match.Value, NumberStyles.AllowThousands, CultureInfo.InvariantCulture)).ToArray())];
        Assert.All(CountsOf(variable), count =>
        {
            Assert.Contains(count.Quick, columns[0]);
            Assert.Contains(count.Full, columns[1]);
            Assert.Contains(count.Night, columns[2]);
        });
    }

    private static (string Variable, int Full, int Quick, int Night)[] CountsOf(string variable) => [.. AllCounts().Where(count => count.Variable == variable)];

    private static IEnumerable<(string Variable, int Full, int Quick, int Night)> AllCounts() =>
        from file in Directory.EnumerateFiles(Path.Combine(Repository.Root, "tests"), "*.cs", SearchOption.AllDirectories)
        from Match call in Call().Matches(File.ReadAllText(file))
        select (call.Groups[1].Value, Parse(call, 2), Parse(call, 3), Parse(call, 4));

    private static int Parse(Match call, int group) => int.Parse(call.Groups[group].Value.Replace("_", "", StringComparison.Ordinal), CultureInfo.InvariantCulture);

    /// <summary>Returns a property, or null if there is none; what it is may be null.</summary>
    private static (object? Value, Type Type)? ValueOf(object owner, string name)
    {
        foreach (string part in name.Split(':'))
        {
            if (owner.GetType().GetProperty(part) is not { } property)
                return null;
            object? value = property.GetValue(owner);
            if (!name.EndsWith(part, StringComparison.Ordinal))
                owner = value!;
            else
                return (value, property.PropertyType);
        }

        return null;
    }

    private static string Text(object value) => value switch
    {
        TimeSpan { Days: > 0 } time => Plural(time.TotalDays, "day"),
        TimeSpan { Minutes: > 0 } time => Plural(time.TotalMinutes, "minute"),
        TimeSpan time => Plural(time.TotalSeconds, "second"),
        bool flag => flag ? "true" : "false",
        IFormattable number => number.ToString(value is int ? "N0" : null, CultureInfo.InvariantCulture),
        _ => value.ToString()!,
    };

    private static string Plural(double count, string unit) => string.Create(CultureInfo.InvariantCulture, $"{count} {unit}{(count == 1 ? "" : "s")}");

    private static string Number(int value) => value.ToString("N0", CultureInfo.InvariantCulture);

    [GeneratedRegex("`([A-Za-z:]+)`")]
    private static partial Regex Name();

    [GeneratedRegex(@"[0-9][0-9,]*")]
    private static partial Regex Count();

    [GeneratedRegex("""TestScale\.Count\("(\w+)", full: ([0-9_]+), quick: ([0-9_]+), night: ([0-9_]+)\)""")]
    private static partial Regex Call();
}
