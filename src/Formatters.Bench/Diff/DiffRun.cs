using System.Text.RegularExpressions;

namespace Formatters.Bench.Diff;

/// <summary>Compares the runs of two sides figure by figure.</summary>
internal static partial class DiffRun
{
    /// <summary>With fewer runs on a side, no figure is called worse, better or the same.</summary>
    /// <remarks>Three runs a side have only 20 ways to be divided: a difference as large comes by chance in one of ten.</remarks>
    internal const int MinRuns = 4;

    /// <summary>From this difference of the mean load on, it is reported: half a processor.</summary>
    private const double LoadDifference = 0.5;

    /// <param name="before">The files of the first side, each of one run.</param>
    /// <param name="after">The files of the second side.</param>
    /// <param name="threshold">From which difference on a figure is worse or better: 0.05 is 5 %.</param>
    /// <exception cref="UsageException">They are of different verbs, or have no figure in common.</exception>
    internal static DiffReport Compare(IReadOnlyList<ResultFile> before, IReadOnlyList<ResultFile> after, double threshold)
    {
        string[] verbs = [.. before.Concat(after).Select(static file => file.Verb!).Distinct()];
        if (verbs.Length > 1)
            throw new UsageException($"The files are of different verbs: {string.Join(" and ", verbs)}.");
        IReadOnlyList<Figure> all = [.. before.Concat(after).SelectMany(static file => file.Series!).DistinctBy(static series => series.Name)
            .Select(series => Figure.Of(series, before, after))];
        Figure[] common = [.. all.Where(static figure => figure is { Before: not null, After: not null })];
        if (common.Length == 0)
            throw new UsageException("The files have no figure in common.");
        HashSet<string?> references = [.. common.Select(static figure => figure.Reference)];
        common = [.. common.Where(figure => !references.Contains(figure.Series.Name))];
        bool isDecidable = Math.Min(before.Count, after.Count) >= MinRuns;
        RateRatio[] ratios = isDecidable
            ? RunIntervals.Of([.. common.Select(static figure => (figure.ValuesOf(figure.Before!), figure.ValuesOf(figure.After!)))])
            : [.. common.Select(static figure => RateRatio.Unpaired(figure.RoundsOf(figure.After!), figure.RoundsOf(figure.Before!))!)];
        DiffRow[] rows = [.. all.Select(figure => new DiffRow(figure.Series.Name, figure.Series.Unit, Median(figure.Before), Median(figure.After),
            null, figure switch
            {
                { Before: null } => Change.New,
                { After: null } => Change.Missing,
                _ when references.Contains(figure.Series.Name) => Change.Reference,
                _ => Change.Undecided,
            }, figure.Reference))];
        for (int i = 0; i < common.Length; i++)
        {
            int at = Array.FindIndex(rows, row => row.Name == common[i].Series.Name);
            rows[at] = rows[at] with { Ratio = ratios[i], Change = isDecidable ? Judge(ratios[i], threshold) : Change.Undecided };
        }

        RunInfo[] first = [.. before.Select(static file => file.Run!)];
        RunInfo[] second = [.. after.Select(static file => file.Run!)];
        return new DiffReport(first, second, threshold, rows, [.. Differences(first, second)]);
    }

    /// <summary>The ratios from which on a figure is worse and better. By 5 % worse is 1 / 1.05, so that both are the same step.</summary>
    internal static double[] BoundsOf(double threshold) => [1 / (1 + threshold), 1 + threshold];

    internal static Change Judge(RateRatio ratio, double threshold) => BoundsOf(threshold) switch
    {
        [var worse, _] when ratio.High < worse => Change.Worse,
        [_, var better] when ratio.Low > better => Change.Better,
        [var worse, var better] when ratio.Low >= worse && ratio.High <= better => Change.Same,
        _ => Change.Undecided,
    };

    private static double? Median(Series[]? runs) => runs is null ? null : Statistics.Of([.. runs.Select(static run => Median(run.Rounds))]).Median;

    private static double Median(IReadOnlyList<double> rounds) => Statistics.Of([.. rounds]).Median;

    private static IEnumerable<string> Differences(RunInfo[] before, RunInfo[] after)
    {
        (string Name, Func<RunInfo, string?> Value)[] all =
        [
            ("tool", static run => run.Tool),
            ("arguments", static run => FileOptions().Replace(run.CommandLine, "")),
            ("processor", static run => run.Machine.Processor),
            ("cores", static run => Numbers.Count(run.Machine.LogicalCores)),
            ("container limits", static run => run.Machine.ContainerLimits),
            ("governor", static run => run.Machine.Governor),
            ("system", static run => run.Machine.OperatingSystem),
            ("runtime", static run => run.Machine.Runtime),
            ("garbage collector", static run => run.Machine.GarbageCollector),
            ("JIT", static run => run.Machine.Tiering),
            ("interrupted", static run => run.IsInterrupted ? "yes" : "no"),
        ];
        foreach ((string name, Func<RunInfo, string?> value) in all)
        {
            string one = Values(before, value);
            string other = Values(after, value);
            if (one != other)
                yield return $"{name}: {one} / {other}";
        }

        double[] loadBefore = Loads(before);
        double[] loadAfter = Loads(after);
        if (loadBefore.Length > 0 && loadAfter.Length > 0 && Math.Abs(loadBefore.Average() - loadAfter.Average()) >= LoadDifference)
            yield return FormattableString.Invariant(
                $"load before the runs: {loadBefore.Average():0.00} / {loadAfter.Average():0.00} (of one minute, means)");
    }

    private static string Values(RunInfo[] runs, Func<RunInfo, string?> value) =>
        string.Join(" or ", runs.Select(run => value(run) ?? "none").Distinct().Order(StringComparer.Ordinal));

    private static double[] Loads(RunInfo[] runs) =>
        [.. runs.Where(static run => run.LoadBefore is { Count: > 0 }).Select(static run => run.LoadBefore![0])];

    [GeneratedRegex(@" --(json|csv)[ =]\S+")]
    private static partial Regex FileOptions();

    /// <summary>A figure, and its series in each run of a side; null if a run lacks it.</summary>
    private sealed record Figure(
        Series Series, Series[]? Before, Series[]? After, string? Reference, Series[]? ReferenceBefore, Series[]? ReferenceAfter)
    {
        internal static Figure Of(Series series, IReadOnlyList<ResultFile> before, IReadOnlyList<ResultFile> after)
        {
            (Series[]? first, Series[]? second) = (Find(before, series.Name), Find(after, series.Name));
            // Another reference in some of the runs is none.
            string? reference = (first ?? []).Concat(second ?? []).All(run => run.Reference == series.Reference) ? series.Reference : null;
            Series[]? referenceBefore = reference is null ? null : Find(before, reference);
            Series[]? referenceAfter = reference is null ? null : Find(after, reference);
            return referenceBefore is null || referenceAfter is null
                ? new Figure(series, first, second, null, null, null)
                : new Figure(series, first, second, reference, referenceBefore, referenceAfter);
        }

        /// <summary>The figure of each run: the larger the better.</summary>
        internal double[] ValuesOf(Series[] runs) => [.. runs.Select((_, i) => Median(RoundsOf(runs, i)))];

        /// <summary>The rounds of all runs.</summary>
        internal double[] RoundsOf(Series[] runs) => [.. runs.SelectMany((_, i) => RoundsOf(runs, i))];

        private double[] RoundsOf(Series[] runs, int i)
        {
            Series[]? references = ReferenceEquals(runs, Before) ? ReferenceBefore : ReferenceAfter;
            IEnumerable<double> rounds =
                references is null ? runs[i].Rounds : runs[i].Rounds.Zip(references[i].Rounds, static (round, reference) => round / reference);
            return [.. Series.IsHigherBetter ? rounds : rounds.Select(static round => 1 / round)];
        }

        private static Series[]? Find(IReadOnlyList<ResultFile> files, string name)
        {
            Series[] found = [.. files.SelectMany(file => file.Series!.Where(series => series.Name == name && series.Rounds.Count > 0).Take(1))];
            return found.Length == files.Count ? found : null;
        }
    }
}
