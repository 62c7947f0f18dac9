using System.CommandLine;
using Formatters.Benchmarks.Ratios;

namespace Formatters.Benchmarks.Startup;

/// <summary>The verb <c>startup</c>: the first write and the first read in a new process, row by row, in interleaved rounds of processes.</summary>
internal static class StartupCommand
{
    private static readonly string[] DefaultRows = [RowCatalog.Baseline, "hand-coded", "generated binary"];

    /// <summary>Parses the arguments behind the verb and runs.</summary>
    /// <param name="args">Behind <c>startup</c>.</param>
    /// <returns>0; 1 if a row fails; 2 if the arguments are wrong.</returns>
    public static int Run(string[] args, TextWriter output, TextWriter error) =>
        Verb.Run(Create(output, error), args, output, error);

    private static Command Create(TextWriter output, TextWriter error)
    {
        var rows =
            RowOption.Create($"A row to measure; may be repeated. Default: {string.Join(", ", DefaultRows)}. The rows are: {RowCatalog.Names}.");
        Option<int> runs = NumberOption.Create("--runs", "How many processes each row gets.", 15, 1, 1000);
        var startup = new Command("startup",
            $"Measures the first write and the first read of an order in new processes, beside those of the row {RowCatalog.Baseline}.") { rows,
            runs };
        startup.SetAction(result => Run(
            RowCatalog.Select(result.GetValue(rows) is { Length: > 0 } names ? [RowCatalog.Baseline, .. names] : DefaultRows),
            result.GetValue(runs),
            output,
            error));
        return startup;
    }

    private static int Run(IReadOnlyList<RowEntry> entries, int runCount, TextWriter output, TextWriter error)
    {
        foreach (string line in Machine.Describe())
            output.WriteLine(line);
        FirstUse[][] results = entries.Select(_ => new FirstUse[runCount]).ToArray();
        try
        {
            for (int run = 0; run < runCount; run++)
            {
                for (int i = 0; i < entries.Count; i++)
                    results[i][run] = FirstUse.MeasureInNewProcess(entries[i]);
            }
        }
        catch (RowCheckException e)
        {
            error.WriteLine(e.Message);
            return 1;
        }

        output.WriteLine();
        output.WriteLine($"{"first use in a process",-34} {"write ms",10} {"ratio",6} {"read ms",10} {"ratio",6}");
        for (int i = 0; i < entries.Count; i++)
        {
            output.WriteLine(
                $"{entries[i].Name,-34} {Cells(results[i], results[0], static use => use.Write)} "
                    + $"{Cells(results[i], results[0], static use => use.Read)}");
        }

        output.WriteLine();
        output.WriteLine($"ratio: median over {runCount} processes of the time by that of {RowCatalog.Baseline} in the same round; "
            + $"order-50, making the formatter counts as write.");
        return 0;
    }

    private static string Cells(FirstUse[] own, FirstUse[] baseline, Func<FirstUse, TimeSpan> time)
    {
        double milliseconds = Statistics.Of(own.Select(use => time(use).TotalMilliseconds).ToArray()).Median;
        double ratio = Statistics.Of(own.Zip(baseline, (a, b) => time(a) / time(b)).ToArray()).Median;
        // Three digits that count, but of the baseline "1.00".
        string digits = ratio.ToString(ratio < 0.995 ? "G3" : "0.00", CultureInfo.InvariantCulture);
        return string.Create(CultureInfo.InvariantCulture, $"{milliseconds,10:0.0} {digits,6}");
    }
}
