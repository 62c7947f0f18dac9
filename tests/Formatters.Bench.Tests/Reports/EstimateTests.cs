using System;
using System.IO;
using Formatters.Bench.Reports;
using Xunit;

namespace Formatters.Bench.Tests.Reports;

/// <summary>How long a run takes, as it says before and after its first cases.</summary>
public sealed class EstimateTests
{
    [Theory]
    [InlineData(0, 4, "")]
    [InlineData(0, 60, "By the first cases, this takes about 60 s in all.")]
    [InlineData(3, 246, "By the first cases, this takes about 4 min in all.")]
    [InlineData(100, 120, "")]
    [InlineData(100, 130, "By the first cases, this takes about 2 min in all.")]
    [InlineData(100, 70, "By the first cases, this takes about 70 s in all.")]
    public void AnEstimateIsCorrected_IfTheFirstCasesDifferFromItByMoreThanAFourth(int printed, int measured, string expected)
    {
        var output = new StringWriter();
        RunText.PrintCorrectedEstimate(output, TimeSpan.FromSeconds(printed), TimeSpan.FromSeconds(measured));
        Assert.Equal(expected, output.ToString().TrimEnd());
    }
}
