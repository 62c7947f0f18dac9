using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Bench.Compare;
using Formatters.Bench.Measurement;
using Xunit;

namespace Formatters.Bench.Tests.Compare;

public class FindingsTests
{
    [Theory]
    [InlineData(2.0, nameof(Verdict.Holds))]
    [InlineData(1.06, nameof(Verdict.Holds))]
    [InlineData(1.04, nameof(Verdict.Even))]
    [InlineData(0.96, nameof(Verdict.Even))]
    [InlineData(0.94, nameof(Verdict.DoesNotHold))]
    public void Compare_ARatio_GivesItsVerdict(double ratio, string verdict)
    {
        Finding finding = Findings.Compare("a beats b", [.. Enumerable.Repeat(100 * ratio, 7)], [.. Enumerable.Repeat(100.0, 7)], 1.5);

        Assert.Equal(verdict, finding.Verdict.ToString());
        Assert.Equal(ratio, finding.Ratio!.Value, 12);
        Assert.Equal(1.5, finding.StudyRatio);
    }

    [Theory]
    [InlineData(new[] { 0.5, 0.6, 0.8, 1.3, 1.4, 1.4, 2 }, nameof(Verdict.Undecided))]
    [InlineData(new[] { 2, 1.6, 1.1, 0.7, 0.6, 0.6, 0.5 }, nameof(Verdict.Undecided))]
    [InlineData(new[] { 1, 1, 1, 1.2, 1.3, 1.3, 1.3 }, nameof(Verdict.Undecided))]
    // Of seven rounds one that disagrees leaves it open: the interval of 95 % is all of them.
    [InlineData(new[] { 0.5, 1.01, 1.01, 1.3, 1.4, 1.4, 2 }, nameof(Verdict.Undecided))]
    [InlineData(new[] { 2, 0.99, 0.99, 0.7, 0.6, 0.6, 0.5 }, nameof(Verdict.Undecided))]
    [InlineData(new[] { 1.01, 1.01, 1.01, 1.3, 1.4, 1.4, 2 }, nameof(Verdict.Holds))]
    [InlineData(new[] { 0.99, 0.99, 0.99, 0.7, 0.6, 0.6, 0.5 }, nameof(Verdict.DoesNotHold))]
    // Of nine it does not.
    [InlineData(new[] { 0.5, 1.01, 1.01, 1.3, 1.4, 1.4, 2, 2, 2 }, nameof(Verdict.Holds))]
    [InlineData(new[] { 2, 0.99, 0.99, 0.7, 0.6, 0.6, 0.5, 0.5, 0.5 }, nameof(Verdict.DoesNotHold))]
    // Even is what lies within 5 % with the whole interval, not a median of 1.
    [InlineData(new[] { 0.5, 0.9, 0.9, 1, 1.1, 1.4, 2 }, nameof(Verdict.Undecided))]
    [InlineData(new[] { 0.96, 0.97, 0.99, 1, 1.01, 1.02, 1.04 }, nameof(Verdict.Even))]
    [InlineData(new[] { 0.94, 0.97, 0.99, 1, 1.01, 1.02, 1.04 }, nameof(Verdict.Undecided))]
    [InlineData(new[] { 1.01, 1.02, 1.02, 1.03, 1.04, 1.06, 1.07 }, nameof(Verdict.Undecided))]
    [InlineData(new[] { 3, 3, 3, 3, 3, 3.0 }, nameof(Verdict.Undecided))]
    [InlineData(new[] { 1, 1, 1, 1, 1, 1.0 }, nameof(Verdict.Undecided))]
    public void Compare_RoundsThatDisagree_AreUndecidedIfTheirIntervalHoldsOne(double[] ratios, string verdict)
    {
        double[] slower = [.. new double[] { 100, 110, 20, 95, 105, 90, 98, 101, 99 }.Take(ratios.Length)];

        Finding finding = Findings.Compare("a beats b", [.. slower.Zip(ratios, (rate, ratio) => rate * ratio)], slower, null);

        Assert.Equal(verdict, finding.Verdict.ToString());
    }

    [Theory]
    [InlineData(1.0, nameof(Verdict.Holds))]
    [InlineData(0.5, nameof(Verdict.Holds))]
    [InlineData(1.5, nameof(Verdict.DoesNotHold))]
    public void NoGain_HoldsWhereTheFirstIsNotFaster(double ratio, string verdict) =>
        Assert.Equal(verdict, Findings.NoGain("a gains nothing", [.. Enumerable.Repeat(100 * ratio, 7)], [.. Enumerable.Repeat(100.0, 7)], 1.1).Verdict.ToString());

    [Fact]
    public void Compare_ARowThatIsNotThere_IsNotMeasured() =>
        Assert.Equal((Verdict.NotMeasured, (double?)null), Findings.Compare("a beats b", [1], null, null) is var finding ? (finding.Verdict, finding.Ratio?.Value) : default);

    [Fact]
    public void Judge_TheStudysOwnFigures_AllHoldWithItsRatios()
    {
        CompareRow[] orders =
        [
            Row("hand-coded", Study.HandCodedSend, Study.HandCodedReceive),
            Row("BinaryFormatter", Study.BinarySend, Study.BinaryReceive),
            Row("XML", Study.XmlSend, Study.XmlReceive),
        ];
        CompareRow[] int32s = [Row("ActiveX", 30, 30), Row("XML", 10, 10), Row("BinaryFormatter", 20, 15)];

        IReadOnlyList<Finding> findings = Findings.Judge(orders, int32s);

        Assert.All(findings, finding => Assert.Equal(Verdict.Holds, finding.Verdict));
        Assert.Equal([7.7, 5.6, 1.3, 2.4], findings.Take(4).Select(finding => System.Math.Round(finding.Ratio!.Value, 1)));
        Assert.Equal([7.7, 5.6, 1.3, 2.4], findings.Take(4).Select(finding => System.Math.Round(finding.StudyRatio!.Value, 1)));
        Assert.Equal([1.5, 2], findings.TakeLast(2).Select(finding => finding.Ratio!.Value));
    }

    [Fact]
    public void Judge_WithoutTheLegacyRow_IsNotMeasured() =>
        Assert.All(Findings.Judge([Row("hand-coded", 1, 1), Row("XML", 1, 1)], []), finding => Assert.Equal(Verdict.NotMeasured, finding.Verdict));

    private static CompareRow Row(string name, double send, double receive) =>
        new(name, 100, Statistics.Of([send]), Statistics.Of([receive]), null, null, 1, 1, [.. Enumerable.Repeat(send, 7)], [.. Enumerable.Repeat(receive, 7)]);
}
