namespace Formatters.Bench.Reports;

/// <summary>Formats ratios of rates and their intervals, with enough digits that a number is on the same side of a verdict's bounds as the value
/// is.</summary>
internal static class RatioText
{
    /// <summary>The header of a column of intervals.</summary>
    internal const string IntervalHeader = "interval";

    /// <summary>The legend of such a column.</summary>
    /// <param name="rounds">The least number of rounds of a ratio; null if it is not known.</param>
    internal static string IntervalLegend(int? rounds) => "interval is " + DescribeInterval(rounds);

    /// <summary>Describes what intervals are: rounds of one process are not independent samples of another run.</summary>
    /// <inheritdoc cref="IntervalLegend" path="/param"/>
    internal static string DescribeInterval(int? rounds) => rounds switch
    {
        < RateRatio.MinRounds => "the least and the greatest of the rounds; another run can lie outside of it",
        null => $"that of the sign test (95 %) for the median of the rounds of a run, with fewer than {RateRatio.MinRounds} rounds the least and the "
            + "greatest; another run can lie outside of it",
        _ => "that of the sign test (95 %) for the median of the rounds of this run; another run can lie outside of it",
    };

    private const int MaxDecimals = 6;

    /// <summary>The bounds of the verdicts of findings.</summary>
    internal static readonly double[] FindingBounds = [1 - RateRatio.Tolerance, 1, 1 + RateRatio.Tolerance];

    /// <summary>A ratio with its interval: <c>1.21x (1.10-1.34)</c>.</summary>
    /// <param name="bounds">The bounds by which it is judged, if it stands beside a verdict.</param>
    internal static string WithInterval(RateRatio? ratio, params double[] bounds) =>
        ratio is null ? Numbers.None : $"{Value(ratio, bounds)} ({Interval(ratio, bounds)})";

    /// <summary>A ratio: <c>1.21x</c>.</summary>
    /// <param name="bounds">The bounds by which it is judged, if it stands beside a verdict.</param>
    internal static string Value(RateRatio? ratio, params double[] bounds) => ratio is null ? Numbers.None : Number(ratio.Value, bounds) + "x";

    /// <summary>An interval from low to high: <c>1.10-1.34</c>.</summary>
    /// <param name="bounds">The bounds by which it is judged, if it stands beside a verdict.</param>
    internal static string Interval(RateRatio? ratio, params double[] bounds) =>
        ratio is null ? Numbers.None : $"{Number(ratio.Low, bounds)}-{Number(ratio.High, bounds)}";

    private static string Number(double value, double[] bounds)
    {
        // Such an interval only says that the rounds say nothing.
        if (value >= 9_999.5)
            return value < 999_500
                ? (value / 1e3).ToString("0", CultureInfo.InvariantCulture) + "k"
                : (value / 1e6).ToString("0", CultureInfo.InvariantCulture) + "M";
        int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
        while (decimals < MaxDecimals && bounds.Any(bound => Math.Round(value, decimals).CompareTo(bound) != value.CompareTo(bound)))
            decimals++;
        return value.ToString("N" + decimals.ToString(CultureInfo.InvariantCulture), CultureInfo.InvariantCulture);
    }
}
