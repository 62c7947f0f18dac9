using System.CommandLine;
using Formatters.Benchmarks.Ratios;

namespace Formatters.Benchmarks.Startup;

/// <summary>The verb <c>startup</c>: the first write and the first read in a new process, row by row, in interleaved rounds of processes.</summary>
internal static class StartupCommand
{
    /// <summary>The rows that are measured where none are given, the baseline first.</summary>
    internal static IReadOnlyList<string> DefaultRows { get; } = [RowCatalog.Baseline, "hand-coded", "generated binary"];

    /// <summary>Parses the arguments behind the verb and runs.</summary>
    /// <param name="args">Behind <c>startup</c>.</param>
    /// <returns>0; 1 if a row fails; 2 if the arguments are wrong.</returns>
    public static int Run(string[] args, TextWriter output, TextWriter error) =>
        Verb.Run(Create(output, error), args, output, error);

    /// <summary>Measures each row in as many new processes, in turn.</summary>
    /// <param name="entries">The rows, the baseline first.</param>
    /// <exception cref="RowCheckException">A row fails.</exception>
    internal static StartupReport Measure(IReadOnlyList<RowEntry> entries, int runCount, CancellationToken cancellationToken)
    {
        FirstUse[][] results = entries.Select(_ => new FirstUse[runCount]).ToArray();
        for (int run = 0; run < runCount; run++)
        {
            for (int i = 0; i < entries.Count; i++)
            {
                cancellationToken.ThrowIfCancellationRequested();
                results[i][run] = FirstUse.MeasureInNewProcess(entries[i]);
            }
        }

        return new StartupReport(
            [.. entries.Select((entry, i) => new StartupRow(entry.Name, Median(results[i], static use => use.Write),
                Ratio(results[i], static use => use.Write), Median(results[i], static use => use.Read), Ratio(results[i], static use => use.Read)))],
            runCount);

        double Ratio(FirstUse[] own, Func<FirstUse, TimeSpan> time) =>
            Statistics.Of(own.Zip(results[0], (a, b) => time(a) / time(b)).ToArray()).Median;
    }

    private static double Median(FirstUse[] own, Func<FirstUse, TimeSpan> time) =>
        Statistics.Of(own.Select(use => time(use).TotalMilliseconds).ToArray()).Median;

    private static Command Create(TextWriter output, TextWriter error)
    {
        var rows =
            RowOption.Create($"A row to measure; may be repeated. Default: {string.Join(", ", DefaultRows)}. The rows are: {RowCatalog.Names}.");
        Option<int> runs = NumberOption.Create("--runs", "How many processes each row gets.", 15, 1, 1000);
        var startup = new Command("startup",
            $"Measures the first write and the first read of an order in new processes, beside those of the row {RowCatalog.Baseline}.") { rows,
            runs };
        startup.SetAction(result => Run(
            RowCatalog.Select(result.GetValue(rows) is { Length: > 0 } names ? [RowCatalog.Baseline, .. names] : [.. DefaultRows]),
            result.GetValue(runs),
            output,
            error));
        return startup;
    }

    private static int Run(IReadOnlyList<RowEntry> entries, int runCount, TextWriter output, TextWriter error)
    {
        foreach (string line in Machine.Describe())
            output.WriteLine(line);
        StartupReport report;
        try
        {
            report = Measure(entries, runCount, CancellationToken.None);
        }
        catch (RowCheckException e)
        {
            error.WriteLine(e.Message);
            return 1;
        }

        output.WriteLine();
        output.WriteLine($"{"first use in a process",-34} {"write ms",10} {"ratio",6} {"read ms",10} {"ratio",6}");
        foreach (StartupRow row in report.Rows)
            output.WriteLine($"{row.Name,-34} {Cells(row.Write, row.WriteRatio)} {Cells(row.Read, row.ReadRatio)}");

        output.WriteLine();
        output.WriteLine($"ratio: median over {runCount} processes of the time by that of {RowCatalog.Baseline} in the same round; "
            + $"order-50, making the formatter counts as write.");
        return 0;
    }

    // Three digits that count, but of the baseline "1.00".
    private static string Cells(double milliseconds, double ratio) => string.Create(
        CultureInfo.InvariantCulture, $"{milliseconds,10:0.0} {ratio.ToString(ratio < 0.995 ? "G3" : "0.00", CultureInfo.InvariantCulture),6}");
}
