namespace Formatters.Bench.Diff;

/// <summary>Compares two result files figure by figure.</summary>
internal static class DiffRun
{
    /// <param name="before">The first file.</param>
    /// <param name="after">The second file.</param>
    /// <param name="threshold">From which difference on a figure is worse or better: 0.05 is 5 %.</param>
    /// <exception cref="UsageException">They are of different verbs, or have no figure in common.</exception>
    internal static DiffReport Compare(ResultFile before, ResultFile after, double threshold)
    {
        if (before.Verb != after.Verb)
            throw new UsageException($"The files are of different verbs: {before.Verb} and {after.Verb}.");
        Dictionary<string, Series> others = after.Series!.ToDictionary(series => series.Name);
        var rows = before.Series!.Select(series => Compare(series, others.GetValueOrDefault(series.Name), threshold)).ToList();
        if (rows.TrueForAll(row => row.Change == Change.Missing))
            throw new UsageException("The files have no figure in common.");
        HashSet<string> known = [.. before.Series!.Select(series => series.Name)];
        rows.AddRange(after.Series!.Where(series => !known.Contains(series.Name))
            .Select(series => new DiffRow(series.Name, series.Unit, null, Median(series), null, Change.New)));
        return new DiffReport(before.Run!, after.Run!, threshold, rows, [.. Differences(before.Run!, after.Run!)]);
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

    private static DiffRow Compare(Series before, Series? after, double threshold)
    {
        RateRatio? ratio = after is null ? null : before.IsHigherBetter ? RateRatio.Unpaired(after.Rounds, before.Rounds)
            : RateRatio.Unpaired(before.Rounds, after.Rounds);
        return ratio is null
            ? new DiffRow(before.Name, before.Unit, Median(before), null, null, Change.Missing)
            : new DiffRow(before.Name, before.Unit, Median(before), Median(after!), ratio, Judge(ratio, threshold));
    }

    private static double? Median(Series series) => series.Rounds.Count == 0 ? null : Statistics.Of([.. series.Rounds]).Median;

    private static IEnumerable<string> Differences(RunInfo before, RunInfo after)
    {
        (string Name, string? Before, string? After)[] all =
        [
            ("tool", before.Tool, after.Tool),
            ("arguments", before.CommandLine, after.CommandLine),
            ("processor", before.Machine.Processor, after.Machine.Processor),
            ("cores", Numbers.Count(before.Machine.LogicalCores), Numbers.Count(after.Machine.LogicalCores)),
            ("container limits", before.Machine.ContainerLimits, after.Machine.ContainerLimits),
            ("governor", before.Machine.Governor, after.Machine.Governor),
            ("system", before.Machine.OperatingSystem, after.Machine.OperatingSystem),
            ("runtime", before.Machine.Runtime, after.Machine.Runtime),
            ("garbage collector", before.Machine.GarbageCollector, after.Machine.GarbageCollector),
            ("JIT", before.Machine.Tiering, after.Machine.Tiering),
        ];
        foreach ((string name, string? one, string? other) in all)
        {
            if (one != other)
                yield return $"{name}: {one ?? "none"} / {other ?? "none"}";
        }

        if (before.IsInterrupted || after.IsInterrupted)
            yield return $"interrupted: {(before.IsInterrupted ? "yes" : "no")} / {(after.IsInterrupted ? "yes" : "no")}";
    }
}
