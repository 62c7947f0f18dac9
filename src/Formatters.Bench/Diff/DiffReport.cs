namespace Formatters.Bench.Diff;

/// <summary>The change of a figure.</summary>
internal enum Change
{
    /// <summary>The whole interval of the ratio is worse by more than the threshold.</summary>
    Worse,

    /// <summary>The whole interval is better by more than the threshold.</summary>
    Better,

    /// <summary>The whole interval lies within the threshold.</summary>
    Same,

    /// <summary>The interval reaches beyond the threshold, or a side has fewer than <see cref="DiffRun.MinRuns"/> runs.</summary>
    Undecided,

    /// <summary>The row that ratios are to: it says how fast the machine was.</summary>
    Reference,

    /// <summary>A run of the second side lacks it.</summary>
    Missing,

    /// <summary>A run of the first side lacks it.</summary>
    New,
}

/// <summary>One figure in the runs of two sides.</summary>
/// <param name="Name">What was measured.</param>
/// <param name="Unit">Of the medians.</param>
/// <param name="Before">The median of the first side's runs, of each its median; null if a run lacks it.</param>
/// <param name="After">The median of the second side's runs, likewise.</param>
/// <param name="Ratio">How many times as good the second side is: above 1 is better, whether the unit is of a rate or of a time. With
/// <paramref name="Reference"/>, of the ratios to that row within each run. Null where a side is missing.</param>
/// <param name="Change">What became of it.</param>
/// <param name="Reference">The row that ratios are to; null if the verb has none.</param>
internal sealed record DiffRow(string Name, string Unit, double? Before, double? After, RateRatio? Ratio, Change Change, string? Reference = null);

/// <param name="Before">How each file of the first side was obtained.</param>
/// <param name="After">How each file of the second side was obtained.</param>
/// <param name="Threshold">From which difference on a figure is worse or better: 0.05 is 5 %.</param>
/// <param name="Rows">The figures, in the order of the first file.</param>
/// <param name="Differences">In what the runs themselves differ: machine, runtime, arguments, load.</param>
internal sealed record DiffReport(
    IReadOnlyList<RunInfo> Before, IReadOnlyList<RunInfo> After, double Threshold, IReadOnlyList<DiffRow> Rows, IReadOnlyList<string> Differences)
{
    /// <summary>Gets whether there are enough runs for a verdict.</summary>
    internal bool HasVerdicts => Math.Min(Before.Count, After.Count) >= DiffRun.MinRuns;

    /// <summary>Gets whether a figure is worse or missing.</summary>
    internal bool IsWorse => Rows.Any(static row => row.Change is Change.Worse or Change.Missing);
}
