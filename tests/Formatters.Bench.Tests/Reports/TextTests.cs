using System;
using System.Globalization;
using System.IO;
using System.Linq;
using Formatters.Bench.Compare;
using Formatters.Bench.Measurement;
using Formatters.Bench.Reports;
using Xunit;

namespace Formatters.Bench.Tests.Reports;

public class TextTests
{
    [Theory]
    [InlineData(0.5, "0.50")]
    [InlineData(28.83, "28.83")]
    [InlineData(1344, "1,344")]
    [InlineData(1234567.8, "1,234,568")]
    public void Rate_HasThousandsSeparatorsAndDecimalsOnlyBelow100(double value, string expected) => Assert.Equal(expected, Numbers.Rate(value));

    [Theory]
    [InlineData(0, "0 messages")]
    [InlineData(1, "1 message")]
    [InlineData(1234, "1,234 messages")]
    public void Count_HasThePluralOfItsNoun(long value, string expected) => Assert.Equal(expected, Numbers.Count(value, "message"));

    /// <summary>An interval is that of a test only if there are rounds enough, and always of the run.</summary>
    [Theory]
    [InlineData(1, false, "the least and the greatest of the rounds")]
    [InlineData(5, false, "the least and the greatest of the rounds")]
    [InlineData(6, true, "of the sign test (95 %)")]
    [InlineData(null, true, "with fewer than 6 rounds the least and the greatest")]
    public void LegendOfIntervals_SaysWhatTheyAre(int? rounds, bool hasConfidence, string words)
    {
        string legend = RatioText.IntervalLegend(rounds);

        Assert.Equal(hasConfidence, legend.Contains("95 %", StringComparison.Ordinal));
        Assert.Contains(words, legend, StringComparison.Ordinal);
        Assert.EndsWith("another run can lie outside of it", legend, StringComparison.Ordinal);
    }

    /// <summary>A finding of no gain has a verdict of its own, which the legend explains where there is one.</summary>
    [Fact]
    public void Legend_ExplainsNoGainWhereThereIsSuchAFinding()
    {
        double[] even = [.. Enumerable.Repeat(100.0, 7)];
        Finding gain = Findings.Compare("3 senders beat 1", even, even, null);
        Finding noGain = Findings.NoGain("3 receivers no faster than 1", even, even, null);

        Assert.Equal((Verdict.Even, Verdict.Holds), (gain.Verdict, noGain.Verdict));
        Assert.DoesNotContain("no faster", Findings.Legend([gain]), StringComparison.Ordinal);
        Assert.Contains("holds if the ratio is even or below 1", Findings.Legend([gain, noGain]), StringComparison.Ordinal);
        Assert.StartsWith("A claim holds if", Findings.Legend([gain], "claim"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1.278, "1.28x")]
    [InlineData(12.34, "12.3x")]
    [InlineData(1234.0, "1,234x")]
    [InlineData(null, "-")]
    public void Ratio_HasThreeDigitsAtMost(double? value, string expected) => Assert.Equal(expected, Numbers.Ratio(value));

    [Theory]
    [InlineData(4190591.3584517627, 4190591)]
    [InlineData(100.6, 101)]
    [InlineData(28.8349, 28.83)]
    public void CsvRate_IsWholeAndHasTwoDecimalsBelow100(double value, double expected) => Assert.Equal(expected, CsvText.Rate(value));

    [Theory]
    [InlineData(39.6649392023339, 39.66)]
    [InlineData(0.07979525432848159, 0.0798)]
    [InlineData(1234567.0, 1235000.0)]
    [InlineData(null, null)]
    public void CsvFourDigits_AreSignificantOnes(double? value, double? expected) => Assert.Equal(expected, CsvText.FourDigits(value));

    [Theory]
    [InlineData(1.21, 1.1, 1.34, "1.21x (1.10-1.34)")]
    [InlineData(12.34, 9.996, 1_234, "12.3x (10.0-1,234)")]
    [InlineData(1.06, 1.003, 1.2, "1.06x (1.003-1.20)")]
    [InlineData(1.0, 0.9496, 1.04, "1.00x (0.9496-1.04)")]
    public void WithInterval_IsFromLowToHigh(double value, double low, double high, string expected) =>
        Assert.Equal(expected, RatioText.WithInterval(new RateRatio(value, low, high, 7), RatioText.FindingBounds));

    /// <summary>A printed ratio would get the same verdict as the ratio itself.</summary>
    [Fact]
    public void WithInterval_NeverContradictsTheVerdict()
    {
        var random = new Random(1);
        for (int i = 0; i < 10_000; i++)
        {
            double[] values = [.. Enumerable.Range(0, 3).Select(_ => 1 + ((random.NextDouble() - 0.5) / (i % 2 == 0 ? 4 : 40))).Order()];
            var ratio = new RateRatio(values[1], values[0], values[2], 7);

            double[] printed = [.. RatioText.WithInterval(ratio, RatioText.FindingBounds).Split('x', '(', '-', ')').Where(static part => part.Trim().Length > 0).Select(static part => double.Parse(part, CultureInfo.InvariantCulture))];

            Assert.Equal(Findings.Judge(ratio), Findings.Judge(new RateRatio(printed[0], printed[1], printed[2], 7)));
        }
    }

    [Fact]
    public void TextTable_ThatIsTooWideForALine_HasNarrowGaps()
    {
        var table = new TextTable(("a", -1), ("b", 0), ("c", 0));
        table.Add(new string('a', 30), new string('b', 26), new string('c', 21));
        var output = new StringWriter { NewLine = "\n" };

        table.Print(output);

        Assert.All(output.ToString().Split('\n'), static line => Assert.InRange(line.Length, 0, TextWrap.Width));
    }

    [Fact]
    public void TextTable_AlignsByTheSignOfTheWidth()
    {
        var table = new TextTable(("name", -6), ("n", 4));
        table.Add("a", "1,234");
        table.Add("bc", "2");
        var output = new StringWriter { NewLine = "\n" };

        table.Print(output);

        Assert.Equal("name        n\n------  -----\na       1,234\nbc          2\n", output.ToString());
    }

    [Fact]
    public void TextTable_TheWrongNumberOfCells_Throws() => Assert.Throws<ArgumentException>(() => new TextTable(("a", 0)).Add("1", "2"));

    [Fact]
    public void TextWrap_BreaksAtSpacesAndIndents()
    {
        var output = new StringWriter { NewLine = "\n" };

        TextWrap.Print(output, "head ", new string('a', 40) + " " + new string('b', 40) + " " + new string('c', 100));

        Assert.Equal($"head {new string('a', 40)}\n     {new string('b', 40)}\n     {new string('c', 100)}\n", output.ToString());
    }

    [Fact]
    public void CsvText_QuotesOnlyWhatNeedsIt()
    {
        var output = new StringWriter();

        CsvText.WriteLine(output, "a b", "c,d", "e\"f", null, 1234.5, 7);

        Assert.Equal("a b,\"c,d\",\"e\"\"f\",,1234.5,7\r\n", output.ToString());
    }
}
