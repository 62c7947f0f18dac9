using System;
using System.Linq;
using Formatters.Bench.Measurement;
using Xunit;

namespace Formatters.Bench.Tests.Measurement;

public class RateRatioTests
{
    [Fact]
    public void Paired_ADisturbanceOfBothSeries_DoesNotChangeTheRatio()
    {
        double[] fast = [200, 210, 20, 190, 205];
        double[] slow = [100, 105, 10, 95, 102.5];

        RateRatio ratio = RateRatio.Paired(fast, slow)!;

        Assert.Equal((2, 2, 2, 5), (Math.Round(ratio.Value, 12), Math.Round(ratio.Low, 12), Math.Round(ratio.High, 12), ratio.Rounds));
    }

    /// <summary>The ranks that tables of the sign test give for 95 %.</summary>
    [Theory]
    [InlineData(1, 1, 1)]
    [InlineData(5, 1, 5)]
    [InlineData(6, 1, 6)]
    [InlineData(8, 1, 8)]
    [InlineData(9, 2, 8)]
    [InlineData(12, 3, 10)]
    [InlineData(20, 6, 15)]
    [InlineData(25, 8, 18)]
    [InlineData(50, 18, 33)]
    [InlineData(2_000, 956, 1_045)]
    public void Paired_TheInterval_IsThatOfTheSignTest(int rounds, int low, int high)
    {
        double[] rates = [.. Enumerable.Range(1, rounds).Select(i => (double)i)];

        RateRatio ratio = RateRatio.Paired(rates, Enumerable.Repeat(1.0, rounds))!;

        Assert.Equal((low, high, rounds), (ratio.Low, ratio.High, ratio.Rounds));
    }

    /// <summary>Rounds that scatter by a factor of two each way hold the true ratio in the interval in at least 95 % of all runs.</summary>
    [Theory]
    [InlineData(7, true)]
    [InlineData(15, true)]
    [InlineData(40, true)]
    [InlineData(7, false)]
    [InlineData(15, false)]
    [InlineData(40, false)]
    public void TheInterval_HoldsTheTrueRatio(int rounds, bool isPaired)
    {
        const int Runs = 1_000;
        var random = new Random(rounds);
        int held = 0;
        for (int run = 0; run < Runs; run++)
        {
            double[] slow = [.. Enumerable.Range(0, rounds).Select(_ => 100 * Scatter())];
            double[] fast = [.. Enumerable.Range(0, rounds).Select(_ => 130 * Scatter())];
            RateRatio ratio = (isPaired ? RateRatio.Paired(fast, slow) : RateRatio.Unpaired(fast, slow))!;
            Assert.True(ratio.Low <= ratio.Value && ratio.Value <= ratio.High);
            if (ratio.Low <= 1.3 && ratio.High >= 1.3)
                held++;
        }

        // 95 % of 1,000 runs, less three standard deviations.
        Assert.InRange(held, 930, Runs);

        double Scatter() => Math.Pow(2, (2 * random.NextDouble()) - 1);
    }

    [Fact]
    public void Unpaired_OneSideTwiceAsFast_IsTwoWithWhatWasSeen()
    {
        RateRatio ratio = RateRatio.Unpaired([200, 210, 190], [100, 105])!;

        Assert.Equal((2.0, 190 / 105.0, 2.1, 2), (Math.Round(ratio.Value, 1), ratio.Low, ratio.High, ratio.Rounds));
    }

    [Fact]
    public void WithoutRounds_ThereIsNoRatio()
    {
        Assert.Null(RateRatio.Paired([], [1]));
        Assert.Null(RateRatio.Unpaired([], [1]));
        Assert.Null(RateRatio.Unpaired([1], []));
    }

    [Fact]
    public void Noise_IsThatOfTheRatioShown() => Assert.Equal(0.94, new RateRatio(1, 0.29, 1.94, 7).Noise, 12);
}
