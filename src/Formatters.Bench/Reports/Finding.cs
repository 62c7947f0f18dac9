namespace Formatters.Bench.Compare;

/// <summary>Judges what a study found by the rounds measured here.</summary>
internal static partial class Findings
{
    /// <summary>Fewer rounds than these decide nothing.</summary>
    internal const int MinRounds = 7;

    /// <summary>Describes how verdicts are given.</summary>
    /// <param name="findings">Those that are shown.</param>
    /// <param name="name">The word for one of them.</param>
    internal static string Legend(IEnumerable<Finding> findings, string name = "finding")
    {
        string tolerance = Numbers.Percent(RateRatio.Tolerance);
        return $"A {name} holds if the whole interval is above 1 and the ratio is more than {tolerance} away from it, and does not hold if that is "
            + $"so below 1. Even: the whole interval is within {tolerance} of 1. Undecided: anything else, or fewer than {MinRounds} rounds."
            + (findings.Any(static finding => finding.IsNoGain)
                ? $" A {name} of \"no faster\" is the other way round: it holds if the ratio is even or below 1, and does not hold if it is above."
                : "");
    }

    /// <summary>Judges one finding: that the first rate is higher than the second, round by round.</summary>
    internal static Finding Compare(string text, IReadOnlyList<double>? faster, IReadOnlyList<double>? slower, double? studyRatio)
    {
        if (faster is null || slower is null)
            return new Finding(text, Verdict.NotMeasured, null, studyRatio);
        return RateRatio.Paired(faster, slower) is { } ratio
            ? new Finding(text, Judge(ratio), ratio, studyRatio)
            : new Finding(text, Verdict.NotMeasured, null, studyRatio);
    }

    /// <summary>Judges a finding of no gain: that the first rate is not higher than the second.</summary>
    /// <param name="text">Says "no faster".</param>
    internal static Finding NoGain(string text, IReadOnlyList<double>? more, IReadOnlyList<double>? one, double? studyRatio)
    {
        Finding finding = Compare(text, more, one, studyRatio);
        return finding with
        {
            Verdict = finding switch
            {
                { Verdict: Verdict.Holds } => Verdict.DoesNotHold,
                { Verdict: Verdict.Even or Verdict.DoesNotHold } => Verdict.Holds,
                _ => finding.Verdict,
            },
        };
    }

    internal static Verdict Judge(RateRatio ratio) => ratio switch
    {
        _ when ratio.Rounds < MinRounds => Verdict.Undecided,
        { Low: >= 1 - RateRatio.Tolerance, High: <= 1 + RateRatio.Tolerance } => Verdict.Even,
        { Low: > 1, Value: > 1 + RateRatio.Tolerance } => Verdict.Holds,
        { High: < 1, Value: < 1 - RateRatio.Tolerance } => Verdict.DoesNotHold,
        _ => Verdict.Undecided,
    };

    /// <summary>A verdict in words.</summary>
    /// <param name="count">How many have it.</param>
    internal static string Describe(Verdict verdict, int count = 1) => verdict switch
    {
        Verdict.Holds => count == 1 ? "holds" : "hold",
        Verdict.Even => "even",
        Verdict.Undecided => "undecided",
        Verdict.DoesNotHold => count == 1 ? "does not hold" : "do not hold",
        Verdict.NotApplicable => "not applicable",
        _ => "not measured",
    };
}

/// <summary>The verdict on a finding of the study.</summary>
internal enum Verdict
{
    /// <summary>The rows it needs were not measured.</summary>
    NotMeasured,

    /// <summary>The difference points the same way and is more than 5 %; the whole interval does. Of a claim of a figure: the whole interval lies in
    /// its range.</summary>
    Holds,

    /// <summary>The difference is 5 % or less either way; the whole interval is.</summary>
    Even,

    /// <summary>The difference points the other way and is more than 5 %; the whole interval does. Of a claim of a figure: the whole interval lies
    /// outside its range.</summary>
    DoesNotHold,

    /// <summary>There were fewer than 7 rounds, or the interval of the ratio allows more than one of the others.</summary>
    Undecided,

    /// <summary>The queue lacks what it is about.</summary>
    NotApplicable,
}

/// <summary>One finding of the study and its fate.</summary>
/// <param name="Text">The finding, as a sentence without a full stop.</param>
/// <param name="Verdict">Whether it holds.</param>
/// <param name="Ratio">The ratio measured here; null if not measured.</param>
/// <param name="StudyRatio">The ratio of the study; null where it gives a chart without numbers.</param>
internal sealed record Finding(string Text, Verdict Verdict, RateRatio? Ratio, double? StudyRatio)
{
    /// <summary>Gets whether it says that there is no gain (<see cref="Findings.NoGain"/>): it holds if the ratio is even or below 1.</summary>
    internal bool IsNoGain => Text.Contains(" no faster ", StringComparison.Ordinal);
}
