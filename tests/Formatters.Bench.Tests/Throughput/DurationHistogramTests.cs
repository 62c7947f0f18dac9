using System;
using System.Linq;
using Formatters.Bench.Measurement;
using Formatters.Bench.Throughput;
using Xunit;

namespace Formatters.Bench.Tests.Throughput;

public class DurationHistogramTests
{
    [Fact]
    public void MeanDeviationMinAndMax_AreExact_AndPercentilesWithinTwoPercent()
    {
        var random = new Random(7);
        // From nanoseconds to minutes.
        long[] values = [.. Enumerable.Range(0, 20_000).Select(_ => (long)Math.Pow(10, 11 * random.NextDouble()))];
        var whole = new DurationHistogram();
        var halves = new DurationHistogram();
        var other = new DurationHistogram();
        for (int i = 0; i < values.Length; i++)
        {
            whole.Add(values[i]);
            (i % 2 == 0 ? halves : other).Add(values[i]);
        }

        halves.Add(other);
        double[] sorted = [.. values.Order().Select(value => (double)value)];
        Statistics statistics = Statistics.Of(sorted);

        foreach (DurationHistogram histogram in new[] { whole, halves })
        {
            Assert.Equal((20_000, (long)statistics.Min, (long)statistics.Max), (histogram.Count, histogram.Min, histogram.Max));
            Assert.Equal(1, histogram.Mean / statistics.Mean, 9);
            Assert.Equal(1, histogram.StandardDeviation / statistics.StandardDeviation, 6);
            foreach (double fraction in new[] { 0.01, 0.5, 0.9, 0.99, 0.999 })
                Assert.InRange(histogram.Percentile(fraction) / sorted[(int)Math.Ceiling(fraction * sorted.Length) - 1], 0.98, 1.02);
            Assert.Equal(statistics.Max, histogram.Percentile(1));
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(127)]
    [InlineData(128)]
    [InlineData(long.MaxValue)]
    public void OneValue_IsAllPercentiles(long value)
    {
        var histogram = new DurationHistogram();
        histogram.Add(value);

        Assert.Equal((value, value, 0), (histogram.Percentile(0.5), histogram.Percentile(1), histogram.StandardDeviation));
    }

    /// <summary>The least of the durations that so many do not exceed: of a few, the rank matters.</summary>
    [Theory]
    [InlineData(0.0, 10)]
    [InlineData(0.2, 10)]
    [InlineData(0.21, 20)]
    [InlineData(0.5, 30)]
    [InlineData(0.75, 40)]
    [InlineData(0.99, 50)]
    [InlineData(1.0, 50)]
    public void OfFive_ThePercentileIsOfTheRankRoundedUp(double fraction, double expected)
    {
        var histogram = new DurationHistogram();
        for (int i = 5; i > 0; i--)
            histogram.Add(10 * i);

        Assert.Equal(expected, histogram.Percentile(fraction));
    }

    [Fact]
    public void None_IsAllZeros()
    {
        var histogram = new DurationHistogram();

        Assert.Equal((0, 0, 0, 0, 0), (histogram.Count, histogram.Mean, histogram.StandardDeviation, histogram.Percentile(0.5), histogram.Max));
    }
}
