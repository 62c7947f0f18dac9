using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Benchmarks.Ratios;

/// <summary>The few figures that say what many rounds say.</summary>
internal static class Statistics
{
    /// <summary>The middle value, or the mean of the two in the middle.</summary>
    public static double Median(IEnumerable<double> values) => Quantile(values, 0.5);

    /// <summary>The distance between the quartiles, divided by the median: how far the rounds lie apart.</summary>
    public static double RelativeSpread(IEnumerable<double> values)
    {
        double[] all = values.ToArray();
        return (Quantile(all, 0.75) - Quantile(all, 0.25)) / Median(all);
    }

    private static double Quantile(IEnumerable<double> values, double fraction)
    {
        double[] sorted = values.Order().ToArray();
        if (sorted.Length == 0)
            throw new ArgumentException("There are no values.", nameof(values));
        double position = fraction * (sorted.Length - 1);
        int below = (int)position;
        int above = Math.Min(below + 1, sorted.Length - 1);
        return sorted[below] + ((position - below) * (sorted[above] - sorted[below]));
    }
}
