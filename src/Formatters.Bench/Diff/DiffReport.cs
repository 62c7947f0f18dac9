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

    /// <summary>The interval reaches beyond the threshold: the rounds do not decide.</summary>
    Undecided,

    /// <summary>It is in the first file alone.</summary>
    Missing,

    /// <summary>It is in the second file alone.</summary>
    New,
}

/// <summary>One figure in two result files.</summary>
/// <param name="Name">What was measured.</param>
/// <param name="Unit">Of the medians.</param>
/// <param name="Before">The median of the first file's rounds; null where it has none.</param>
/// <param name="After">The median of the second file's rounds; null where it has none.</param>
/// <param name="Ratio">How many times as good the second is: above 1 is better, whether the unit is of a rate or of a time. Null where a side is
/// missing.</param>
/// <param name="Change">What became of it.</param>
internal sealed record DiffRow(string Name, string Unit, double? Before, double? After, RateRatio? Ratio, Change Change);

/// <param name="Before">How the first file was obtained.</param>
/// <param name="After">How the second file was obtained.</param>
/// <param name="Threshold">From which difference on a figure is worse or better: 0.05 is 5 %.</param>
/// <param name="Rows">The figures, in the order of the first file.</param>
/// <param name="Differences">In what the runs themselves differ: machine, runtime, arguments.</param>
internal sealed record DiffReport(RunInfo Before, RunInfo After, double Threshold, IReadOnlyList<DiffRow> Rows, IReadOnlyList<string> Differences)
{
    /// <summary>Whether a figure is worse or missing.</summary>
    internal bool IsWorse
    {
        get
        {
            foreach (DiffRow row in Rows)
            {
                if (row.Change is Change.Worse or Change.Missing)
                    return true;
            }

            return false;
        }
    }
}
