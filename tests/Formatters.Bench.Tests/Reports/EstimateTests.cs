using System;
using System.IO;
using Formatters.Bench.Reports;
using Formatters.Bench.Tests.Support;
using Xunit;

namespace Formatters.Bench.Tests.Reports;

/// <summary>How long a run takes, as it says before and after its first cases.</summary>
public sealed class EstimateTests
{
    [Theory]
    [InlineData(0, 4, "")]
    [InlineData(0, 60, "By the cases so far, this takes about 60 s in all.")]
    [InlineData(3, 246, "By the cases so far, this takes about 4 min in all.")]
    [InlineData(100, 120, "")]
    [InlineData(100, 130, "By the cases so far, this takes about 2 min in all.")]
    [InlineData(100, 70, "By the cases so far, this takes about 70 s in all.")]
    public void AnEstimateIsCorrected_IfTheFirstCasesDifferFromItByMoreThanAFourth(int printed, int measured, string expected)
    {
        var output = new StringWriter();
        RunText.PrintCorrectedEstimate(output, TimeSpan.FromSeconds(printed), TimeSpan.FromSeconds(measured));
        Assert.Equal(expected, output.ToString().TrimEnd());
    }

    /// <summary>A run of which 100 s were announced: twenty pieces that take so many seconds each, after a warm-up of ten seconds.</summary>
    [Theory]
    [InlineData(5, "")]
    [InlineData(15, "By the cases so far, this takes about 5 min in all.")]
    [InlineData(1, "By the cases so far, this takes about 32 s in all.")]
    public void AnEstimateIsCorrected_WhileTheRunGoesOn(int seconds, string expected)
    {
        var clock = new ManualClock();
        var output = new StringWriter();
        var estimate = new RunEstimate(output, clock);
        estimate.Print(TimeSpan.FromSeconds(100));
        IProgress<double> progress = estimate.Correct(null, _ => TimeSpan.FromSeconds(2));
        // That of the announced time, which is not in the pieces.
        clock.Advance(TimeSpan.FromSeconds(10));
        progress.Report(0);
        for (int i = 1; i <= 20; i++)
        {
            clock.Advance(TimeSpan.FromSeconds(seconds));
            progress.Report(i / 20.0);
        }

        Assert.Equal(("This takes about 2 min, longer on a busy machine. " + expected).TrimEnd(), output.ToString().Replace(Environment.NewLine, " ", StringComparison.Ordinal).TrimEnd());
    }
}
