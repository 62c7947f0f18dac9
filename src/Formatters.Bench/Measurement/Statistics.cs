namespace Formatters.Bench.Measurement;

/// <summary>The statistics of a series of measurements, in their unit.</summary>
/// <param name="Mean">The arithmetic mean.</param>
/// <param name="StandardDeviation">The sample standard deviation (divisor n - 1); 0 for a single measurement.</param>
/// <param name="Median">The middle one, or the mean of the two in the middle.</param>
/// <param name="Min">The least.</param>
/// <param name="Spread">The distance between the quartiles over the median: 0.05 says that the middle half of the measurements lies within 5
/// %.</param>
internal sealed record Statistics(int Count, double Mean, double StandardDeviation, double Median, double Min, double Max, double Spread)
{
    /// <summary>Sums up a series.</summary>
    /// <param name="values">The measurements, at least one.</param>
    /// <exception cref="ArgumentException">There are none.</exception>
    internal static Statistics Of(IReadOnlyCollection<double> values)
    {
        if (values.Count == 0)
            throw new ArgumentException("No measurements.", nameof(values));
        double[] sorted = [.. values.Order()];
        double mean = sorted.Average();
        double median = Quantile(sorted, 0.5);
        return new Statistics(
            sorted.Length,
            mean,
            sorted.Length == 1 ? 0 : Math.Sqrt(sorted.Sum(value => (value - mean) * (value - mean)) / (sorted.Length - 1)),
            median,
            sorted[0],
            sorted[^1],
            median == 0 ? 0 : (Quantile(sorted, 0.75) - Quantile(sorted, 0.25)) / median);
    }

    /// <summary>A quantile, interpolated between neighbours (position q (n - 1), as spreadsheets have it).</summary>
    /// <param name="sorted">The measurements in ascending order, at least one.</param>
    /// <param name="q">Which, from 0 to 1.</param>
    internal static double Quantile(ReadOnlySpan<double> sorted, double q)
    {
        double position = q * (sorted.Length - 1);
        int below = (int)position;
        int above = Math.Min(below + 1, sorted.Length - 1);
        return sorted[below] + ((sorted[above] - sorted[below]) * (position - below));
    }
}
