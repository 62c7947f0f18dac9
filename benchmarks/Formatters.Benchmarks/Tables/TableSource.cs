using System.Text.RegularExpressions;
using Formatters.Benchmarks.Ratios;

namespace Formatters.Benchmarks.Tables;

/// <param name="Facts">The machine, the runtime, the rounds, and the versions of servers.</param>
/// <param name="Cells">For each table of the part the cells of a row, the label not among them.</param>
internal sealed record Measured(string Facts, params IReadOnlyList<Func<string, IReadOnlyList<string>>> Cells);

/// <summary>A library that has rows in a table.</summary>
/// <param name="Name">Its name in the facts line.</param>
/// <param name="Assembly">The assembly that has its version.</param>
internal sealed record Library(string Name, string Assembly);

/// <summary>A marked part of a page: one or several tables from one measurement, and a line that says where and when.</summary>
/// <param name="Name">The name in the mark.</param>
/// <param name="Page">The file, from the root of the repository.</param>
/// <param name="Command">The command that prints the same figures.</param>
/// <param name="Tables">The tables, in their order.</param>
/// <param name="Libraries">The libraries that are rows or columns; the facts line names their versions.</param>
internal sealed record TableSource(
    string Name,
    string Page,
    string Command,
    IReadOnlyList<MarkedTable> Tables,
    IReadOnlyList<Library> Libraries,
    Func<IMeasurements, CancellationToken, Task<Measured>> Measure)
{
    /// <summary>All parts, those that need no server first.</summary>
    public static IReadOnlyList<TableSource> All { get; } = [.. FormatterTables.All, .. QueueTables.All];

    /// <summary>Gets whether it needs RabbitMQ and PostgreSQL.</summary>
    public bool NeedsServers { get; init; }

    /// <summary>Measures, and prints the lines of the part.</summary>
    public async Task<IReadOnlyList<string>> WriteAsync(RunFacts run, IMeasurements measurements, CancellationToken cancellationToken)
    {
        Measured measured = await Measure(measurements, cancellationToken);
        var lines = new List<string>();
        for (int i = 0; i < Tables.Count; i++)
        {
            lines.AddRange(Tables[i].Print(measured.Cells[i]));
            lines.Add("");
        }

        string versions = string.Join(", ", Libraries.Select(static library => $"{library.Name} {Machine.VersionOf(library.Assembly)}"));
        return [.. lines, .. Wrap(run.Print(Command, versions.Length == 0 ? measured.Facts : $"{measured.Facts}; {versions}"))];
    }

    /// <summary>Compares the lines of the part with what <see cref="WriteAsync"/> writes, whatever the figures are.</summary>
    /// <exception cref="TableException">Something else is there.</exception>
    public void Check(IReadOnlyList<string> lines)
    {
        List<List<string>> tables = Blocks(lines);
        if (tables.Count != Tables.Count + 1)
            throw new TableException($"it has {tables.Count} blocks, and the command writes {Tables.Count} "
                + $"tables and a line that says where and when");
        for (int i = 0; i < Tables.Count; i++)
            Tables[i].Check(tables[i]);
        string facts = string.Join(' ', tables[^1]);
        if (RunFacts.CommandOf(facts) != Command)
            throw new TableException($"its last line is '{facts}', and the command writes '{RunFacts.Example(Command)}'");
        foreach (Library library in Libraries)
        {
            if (!Regex.IsMatch(facts, $@"[;,] {Regex.Escape(library.Name)} \d+\.\d"))
                throw new TableException($"its last line does not name the version of {library.Name}");
        }
    }

    private static List<List<string>> Blocks(IReadOnlyList<string> lines)
    {
        var blocks = new List<List<string>> { new() };
        foreach (string line in lines)
        {
            if (line.Length > 0)
                blocks[^1].Add(line);
            else if (blocks[^1].Count > 0)
                blocks.Add([]);
        }

        if (blocks[^1].Count == 0)
            blocks.RemoveAt(blocks.Count - 1);
        return blocks;
    }

    /// <summary>Breaks a line between words.</summary>
    private static IEnumerable<string> Wrap(string text)
    {
        const int MaxCharCount = 156;
        string line = "";
        foreach (string word in text.Split(' '))
        {
            if (line.Length > 0 && line.Length + 1 + word.Length > MaxCharCount)
            {
                yield return line;
                line = "";
            }

            line += line.Length == 0 ? word : " " + word;
        }

        yield return line;
    }

    /// <summary>Prints a whole number, as <c>4,096</c>.</summary>
    internal static string Count(long count) => count.ToString("N0", CultureInfo.InvariantCulture);

    internal static string Decimals(double number, string format) => number.ToString(format, CultureInfo.InvariantCulture);
}
