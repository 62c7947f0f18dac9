using System;
using Formatters.Bench.Measurement;
using Xunit;

namespace Formatters.Bench.Tests.Measurement;

public class StatisticsTests
{
    [Fact]
    public void Of_EightValues_GivesTheTextbookFigures()
    {
        Statistics statistics = Statistics.Of([9, 2, 4, 4, 4, 5, 5, 7]);

        Assert.Equal(8, statistics.Count);
        Assert.Equal(5, statistics.Mean);
        Assert.Equal(4.5, statistics.Median);
        Assert.Equal(Math.Sqrt(32.0 / 7), statistics.StandardDeviation, 12);
        Assert.Equal(2, statistics.Min);
        Assert.Equal(9, statistics.Max);
        Assert.Equal((5.5 - 4) / 4.5, statistics.Spread, 12);
    }

    [Fact]
    public void Of_OneValue_HasNoDeviationAndNoSpread()
    {
        Statistics statistics = Statistics.Of([3.5]);

        Assert.Equal((3.5, 3.5, 0, 0), (statistics.Mean, statistics.Median, statistics.StandardDeviation, statistics.Spread));
    }

    [Fact]
    public void Of_OddCount_MedianIsTheMiddleOne() => Assert.Equal(3, Statistics.Of([100, 3, 1]).Median);

    [Fact]
    public void Of_Nothing_Throws() => Assert.Throws<ArgumentException>(() => Statistics.Of([]));

    [Theory]
    [InlineData(0, 10)]
    [InlineData(0.25, 17.5)]
    [InlineData(0.5, 25)]
    [InlineData(1, 40)]
    public void Quantile_FourValues_InterpolatesBetweenNeighbours(double q, double expected) =>
        Assert.Equal(expected, Statistics.Quantile([10, 20, 30, 40], q), 12);
}
