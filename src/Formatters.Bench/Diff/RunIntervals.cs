namespace Formatters.Bench.Diff;

/// <summary>Intervals of the ratios of many figures, from several runs a side: all of them together hold with a confidence of 95 %.</summary>
/// <remarks>
/// Westfall and Young's single-step maxT: the runs are divided at random into two sides again and again, and the largest t of all figures is noted;
/// an interval reaches as far as 95 % of these. The figures of a run may depend on each other. If the two sides are of the same code and the runs are
/// exchangeable, some interval excludes 1 in at most 5 of 100 comparisons, however many figures there are.
/// </remarks>
internal static class RunIntervals
{
    private const double Confidence = 0.95;
    private const int Divisions = 2_000;

    /// <summary>A smaller error of a logarithm is rounding.</summary>
    private const double MinError = 1e-9;

    /// <summary>A figure of zero, whose ratio to another is finite.</summary>
    private const double Zero = 1e-9;

    /// <param name="figures">The value of each figure in each run, on both sides; the runs in the same order for all figures, the larger the
    /// better.</param>
    internal static RateRatio[] Of(IReadOnlyList<(double[] Before, double[] After)> figures)
    {
        if (figures.Count == 0)
            return [];
        int count = figures[0].After.Length;
        double[][] logs = [.. figures.Select(static figure => figure.After.Concat(figure.Before)
            .Select(static value => Math.Log(Math.Clamp(value, Zero, 1 / Zero))).ToArray())];
        int[] order = [.. Enumerable.Range(0, logs[0].Length)];
        // The same files give the same verdict.
        var random = new Random(1);
        var largest = new double[Divisions];
        for (int i = 0; i < Divisions; i++)
        {
            foreach (double[] runs in logs)
            {
                (double difference, double error) = Difference(runs, order, count);
                largest[i] = Math.Max(largest[i], Math.Abs(difference) / error);
            }

            random.Shuffle(order);
        }

        Array.Sort(largest);
        // By a little more, so that rounding does not exclude what lies on the end.
        double critical = largest[(int)Math.Ceiling(Confidence * Divisions) - 1] * (1 + 1e-9);
        int[] asMeasured = [.. Enumerable.Range(0, logs[0].Length)];
        return [.. logs.Select(runs =>
        {
            (double difference, double error) = Difference(runs, asMeasured, count);
            return new RateRatio(Math.Exp(difference), Math.Exp(difference - (critical * error)), Math.Exp(difference + (critical * error)),
                Math.Min(count, runs.Length - count));
        })];
    }

    /// <summary>The difference of the means, and its standard error from the pooled variance.</summary>
    /// <param name="order">The runs; those of one side first.</param>
    /// <param name="count">How many are of that side.</param>
    private static (double Difference, double Error) Difference(double[] runs, int[] order, int count)
    {
        double first = 0;
        double second = 0;
        for (int i = 0; i < runs.Length; i++)
        {
            if (i < count)
                first += runs[order[i]] / count;
            else
                second += runs[order[i]] / (runs.Length - count);
        }

        double squares = 0;
        for (int i = 0; i < runs.Length; i++)
        {
            double deviation = runs[order[i]] - (i < count ? first : second);
            squares += deviation * deviation;
        }

        double error = Math.Sqrt(squares / (runs.Length - 2) * ((1.0 / count) + (1.0 / (runs.Length - count))));
        return (first - second, Math.Max(error, MinError));
    }
}
