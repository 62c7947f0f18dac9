using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Formatters.Bench.Compare;
using Formatters.Bench.Measurement;
using Formatters.TestSupport;
using Formatters.TradeEngine.Measurement;
using Formatters.TradeEngine.Runs;
using Xunit;

namespace Formatters.TradeEngine.Tests.CommandLine;

/// <summary>The order of a sweep's cases, and its verdicts.</summary>
public sealed class SweepTests
{
    private const int Rounds = 7;

    public static TheoryData<string> Kinds => ["inbound", "load", "nodes", "cores"];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(6)]
    public void Order_OfTheCases_GivesEachEveryPlaceEquallyOften(int count)
    {
        int[][] rounds = [.. Enumerable.Range(0, 2 * count).Select(round => RoundOrder.Indexes(count, round).ToArray())];

        Assert.All(rounds, order => Assert.Equal(Enumerable.Range(0, count), order.Order()));
        for (int place = 0; place < count; place++)
            Assert.All(Enumerable.Range(0, count), item => Assert.Equal(2, rounds.Count(order => order[place] == item)));
    }

    /// <summary>Whatever a round has in common, and however much the runs differ: in 95 of 100 sweeps nothing is claimed of equal cases.</summary>
    [Theory]
    [MemberData(nameof(Kinds))]
    public void Cases_WithTheSameParameters_AreEvenOrUndecided(string kind)
    {
        foreach (double noise in (double[])[0.001, 0.1, 1])
        {
            int decided = Enumerable.Range(0, 400).Count(seed => SweepFindings.Judge(kind, Simulate(kind, seed, noise, _ => 1))
                .Any(finding => finding.Verdict is not (Verdict.Even or Verdict.Undecided)));

            Assert.True(decided <= 20, $"{decided} of 400 with a noise of {noise}");
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Cases_ThatDiffer_AreJudged(string kind)
    {
        // What the study claims makes a rate higher makes a time shorter, except that of the load.
        double[] claimed = kind is "load" ? [1, 0.5, 0.3] : [1, 2, 3];

        IReadOnlyList<Finding> holds = SweepFindings.Judge(kind, Simulate(kind, 1, 0.01, item => claimed[item]));
        IReadOnlyList<Finding> fails = SweepFindings.Judge(kind, Simulate(kind, 1, 0.01, item => 1 / claimed[item]));
        IReadOnlyList<Finding> few = SweepFindings.Judge(kind, [.. Simulate(kind, 1, 0.01, item => claimed[item]).Where(point => point.Round < Rounds - 1)]);

        Assert.Equal(kind == "inbound" ? 4 : 2, holds.Count);
        Assert.All(holds, finding => Assert.Equal(Verdict.Holds, finding.Verdict));
        Assert.All(fails, finding => Assert.Equal(Verdict.DoesNotHold, finding.Verdict));
        Assert.All(few, finding => Assert.Equal(Verdict.Undecided, finding.Verdict));
    }

    [Theory]
    [InlineData(0.0426, 1, "+4.3 %")]
    [InlineData(-0.0426, 1, "-4.3 %")]
    [InlineData(-0.0001, 1, "0.0 %")]
    [InlineData(0.004, 0, "0 %")]
    [InlineData(-0.06, 0, "-6 %")]
    public void Difference_HasASign_UnlessItIsZero(double share, int decimals, string expected) => Assert.Equal(expected, EngineText.Signed(share, decimals));

    /// <summary>Also those threads that were there before.</summary>
    [Fact]
    public void Limit_OfProcessors_IsThatOfEveryThread()
    {
        Skip.If(!OperatingSystem.IsLinux(), "only Linux tells the processors of each thread.");
        string[] before = AllowedProcessors();
        using (ProcessorLimit.Create(1))
            Assert.All(AllowedProcessors(), list => Assert.True(int.TryParse(list, out _), list));

        Assert.Equal(before.Distinct(), AllowedProcessors().Distinct());

        static string[] AllowedProcessors() =>
            [.. Directory.GetDirectories("/proc/self/task").Select(ReadStatus).OfType<string>()];

        static string? ReadStatus(string thread)
        {
            try
            {
                return File.ReadLines(Path.Combine(thread, "status")).First(line => line.StartsWith("Cpus_allowed_list:", StringComparison.Ordinal)).Split('\t')[1];
            }
            catch (IOException)
            {
                // It has ended.
                return null;
            }
        }
    }

    /// <summary>Three cases whose speeds are multiplied by random factors, one of the round and one of the run.</summary>
    private static SweepPoint[] Simulate(string kind, int seed, double noise, Func<int, double> speedOf)
    {
        var random = new Random(seed);
        var points = new List<SweepPoint>();
        for (int round = 0; round < Rounds; round++)
        {
            double common = Math.Exp(random.NextDouble());
            for (int item = 0; item < 3; item++)
            {
                double speed = speedOf(item) * common * Math.Exp(noise * random.NextDouble());
                points.Add(new SweepPoint(
                    $"case {item}", 1, kind == "nodes" ? 1 + item : 1, 1_000 * speed, null, 0, 0.1 / speed, 0.1 / speed, 0.1 / speed, 1, new ProcessorShares(0, 0, 0, 0), true, null)
                {
                    Round = round,
                    Load = item,
                });
            }
        }

        return [.. points];
    }
}
