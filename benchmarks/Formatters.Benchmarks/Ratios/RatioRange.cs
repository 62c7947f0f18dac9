namespace Formatters.Benchmarks.Ratios;

/// <summary>The ratios of several rounds: one's figure divided by another's in the same round.</summary>
internal readonly record struct RatioRange(double Median, double Min, double Max)
{
    /// <param name="own">The figures of the rounds.</param>
    /// <param name="other">Those that they are divided by, in the same order.</param>
    internal static RatioRange Of(IReadOnlyList<double> own, IReadOnlyList<double> other)
    {
        double[] ratios = [.. own.Zip(other, static (a, b) => a / b)];
        return new RatioRange(Statistics.Of(ratios).Median, ratios.Min(), ratios.Max());
    }

    /// <summary>Returns the median and the range, as <c>1.15 (0.40 to 1.48)</c>.</summary>
    public override string ToString() => $"{Text(Median)} ({Text(Min)} to {Text(Max)})";

    private static string Text(double ratio) =>
        ratio.ToString(ratio < 0.0995 ? "0.000" : ratio < 9.995 ? "0.00" : "0", CultureInfo.InvariantCulture);
}
