namespace Formatters.Bench.Measurement;

/// <summary>The ratio of two rates, with its interval: the one definition in this tool and in the benchmarks.</summary>
/// <param name="Value">The ratio of the rates: 2 means twice as many messages per second.</param>
/// <param name="Low">The lower end of the interval.</param>
/// <param name="High">The upper end.</param>
/// <param name="Rounds">How many rounds it is from; the smaller number where the two sides have different ones.</param>
/// <remarks>
/// The interval holds the median of the distribution of the rounds with a confidence of at least 95 %, whatever it is, if the rounds are independent.
/// Those of one process are not quite: another run can lie outside of the interval. Fewer than <see cref="MinRounds"/> rounds give no such interval:
/// it is then all that was seen, from the least to the greatest.
/// </remarks>
internal sealed record RateRatio(double Value, double Low, double High, int Rounds)
{
    /// <summary>Fewer rounds than these give no interval of 95 %.</summary>
    internal const int MinRounds = 6;

    /// <summary>A difference of 5 % or less counts as none.</summary>
    internal const double Tolerance = 0.05;

    private const double Confidence = 0.95;

    /// <summary>Of a normal distribution: two-sided, at that confidence.</summary>
    private const double NormalQuantile = 1.959964;

    /// <summary>Gets how far the interval reaches from the ratio, at its farther end, as a part of the ratio.</summary>
    public double Noise => Value > 0 ? Math.Max(High - Value, Value - Low) / Value : 0;

    /// <summary>Compares two series that were measured in turns: the median over the rounds of the ratio within a round.</summary>
    /// <param name="rates">One series of rates.</param>
    /// <param name="others">The other; the rounds that only one of them has are left out.</param>
    /// <returns>The ratio; null without a round.</returns>
    /// <remarks>What slows a round down slows both sides down: such a ratio suffers less from a disturbed machine than that of two medians. The
    /// interval is that of the sign test.</remarks>
    internal static RateRatio? Paired(IEnumerable<double> rates, IEnumerable<double> others)
    {
        double[] ratios = [.. rates.Zip(others, static (rate, other) => rate / other).Order()];
        if (ratios.Length == 0)
            return null;
        int outside = CountOutside(ratios.Length);
        return new RateRatio(Statistics.Quantile(ratios, 0.5), ratios[outside], ratios[ratios.Length - 1 - outside], ratios.Length);
    }

    /// <summary>Compares two series that were measured apart: in two runs, or in processes of their own.</summary>
    /// <param name="rates">One series of rates.</param>
    /// <returns>The ratio; null where a side has no round.</returns>
    /// <remarks>The median of the ratios of all pairs (Hodges and Lehmann's estimate, of the logarithms), with the interval of the rank-sum
    /// test.</remarks>
    internal static RateRatio? Unpaired(IReadOnlyCollection<double> rates, IReadOnlyCollection<double> others)
    {
        if (rates.Count == 0 || others.Count == 0)
            return null;
        double[] ratios = [.. rates.SelectMany(rate => others.Select(other => rate / other)).Order()];
        double n = rates.Count;
        double m = others.Count;
        int outside = (int)Math.Floor((n * m / 2) - (NormalQuantile * Math.Sqrt(n * m * (n + m + 1) / 12))) - 1;
        // Too few for that test: all that was seen.
        outside = Math.Min(rates.Count, others.Count) < MinRounds ? 0 : Math.Clamp(outside, 0, (ratios.Length - 1) / 2);
        return new RateRatio(Statistics.Quantile(ratios, 0.5), ratios[outside], ratios[ratios.Length - 1 - outside], (int)Math.Min(n, m));
    }

    /// <summary>Returns how many of the rounds lie below the interval of a median, and as many above it: the binomial distribution with p =
    /// 1/2.</summary>
    private static int CountOutside(int count)
    {
        // The probability that exactly i of the rounds lie below the true median, for i = 0, 1, ...: by logarithms, as 2^-count is too small for many
        // rounds.
        double logOfOne = -count * Math.Log(2);
        double sum = 0;
        int outside = 0;
        for (int i = 0; i < count / 2; i++)
        {
            sum += Math.Exp(logOfOne);
            if (2 * sum > 1 - Confidence)
                break;
            outside = i;
            logOfOne += Math.Log((double)(count - i) / (i + 1));
        }

        return outside;
    }
}
