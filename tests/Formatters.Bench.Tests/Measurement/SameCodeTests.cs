using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Bench.Compare;
using Formatters.Bench.Factors;
using Formatters.Bench.Measurement;
using Formatters.Bench.Own;
using Formatters.Bench.Perftest;
using Formatters.Bench.Reports;
using Formatters.Bench.Senders;
using Formatters.Bench.Tests.Support;
using Formatters.Bench.Throughput;
using Xunit;

namespace Formatters.Bench.Tests.Measurement;

/// <summary>The same code measured as two rows: no verb may claim a difference more often than in 5 of 100 runs, however noisy the machine is.</summary>
public class SameCodeTests
{
    private const int Runs = 4_000;

    private delegate double[] Rounds();

    /// <summary>The verbs that give verdicts: each judges rows of the same code, and says of each comparison whether it claims a difference.</summary>
    private static readonly Dictionary<string, Func<Rounds, IEnumerable<(string Comparison, bool ClaimsDifference)>>> Verbs = new()
    {
        ["compare"] = static rounds => Findings.Judge(
            [OfCompare("hand-coded", rounds), OfCompare("BinaryFormatter", rounds), OfCompare("XML", rounds)], [OfCompare("ActiveX", rounds), OfCompare("BinaryFormatter", rounds)]).Select(Differs),
        ["perftest"] = static rounds => PerftestFindings.Judge(
            PerftestOperation.SendAndPurge,
            [
                new PerftestSection(
                    new QueueInfo("memory:q", "memory", "express", ""),
                    IsOffered: true,
                    [.. from name in new[] { "string 500", "string 500 ActiveX" } from route in new[] { PerftestRow.Local, PerftestRow.Remote, PerftestRow.Native } select OfPerftest(name, route, rounds)]),
            ]).Select(Differs),
        ["senders"] = static rounds =>
            SendersFindings.Judge([.. SendersCase.OfStudy(Enum.GetValues<SendersMode>(), null, null).Select(item => OfSenders(item, rounds))], Formatters.Bench.Senders.Study.UsualByteCount).Select(Differs),
        // A claim of another figure than 1 is rightly rejected.
        ["factors"] = static rounds => Claims.Judge([.. Scenario.All.Select(scenario => new ScenarioRow(scenario.Name, null, 1, rounds()))])
            .Where(static claim => claim.High is null || claim is { Low: < 1, High: > 1 })
            .Select(static claim => (claim.Text, claim.High is null ? claim.Verdict is Verdict.Holds or Verdict.DoesNotHold : claim.Verdict == Verdict.DoesNotHold)),
        ["own"] = static rounds => OwnRun.Advise([OfOwn("a", true, rounds), OfOwn("b", false, rounds)])!.Reasons is var reasons
            ? [("b", reasons.Any(static reason => reason.StartsWith("b is ", StringComparison.Ordinal)))]
            : [],
        // The steps of the same code have no knee beyond the first.
        ["throughput --ramp"] = static rounds => [("knee", ThroughputRamp.KneeOf([.. Enumerable.Range(1, 4).Select(value => OfRamp(value, rounds()))]).Inflight > 1)],
    };

    public static TheoryData<string, double> VerbsAndNoise()
    {
        var data = new TheoryData<string, double>();
        foreach (string verb in Verbs.Keys)
        {
            foreach (double noise in new[] { 0, 0.01, 0.1, 0.5 })
                data.Add(verb, noise);
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(VerbsAndNoise))]
    public void Two_rows_of_the_same_code_are_even_or_undecided_in_95_of_100_runs(string verb, double noise)
    {
        var random = new Random(1);
        var claimed = new Dictionary<string, int>();
        for (int run = 0; run < Runs; run++)
        {
            foreach ((string comparison, bool claimsDifference) in Verbs[verb](() => [.. Enumerable.Range(0, 9).Select(_ => 1_000 * Math.Exp(noise * (random.NextDouble() + random.NextDouble() - 1)))]))
                claimed[comparison] = claimed.GetValueOrDefault(comparison) + (claimsDifference ? 1 : 0);
        }

        Assert.NotEmpty(claimed);
        Assert.All(claimed, static comparison => Assert.InRange(comparison.Value, 0, Runs / 20));
    }

    private static (string Comparison, bool ClaimsDifference) Differs(Finding finding) =>
        (finding.Text, finding.Verdict == Verdict.DoesNotHold || (finding.Verdict == Verdict.Holds && !finding.Text.Contains("no faster", StringComparison.Ordinal)));

    private static RampStep OfRamp(int value, double[] rounds) => new("in-flight", value, 0, 0, 1, Statistics.Of(rounds).Median, 1) { ReceiveRounds = rounds };

    private static CompareRow OfCompare(string name, Rounds rounds) => new(name, 1, Statistics.Of([1]), Statistics.Of([1]), null, null, 1, 1, rounds(), rounds());

    private static PerftestRow OfPerftest(string name, string route, Rounds rounds) => new(name, 1, 1, Statistics.Of([1]), rounds(), null, null) { Route = route };

    private static SendersRow OfSenders(SendersCase item, Rounds rounds) => new(
        item.Name, SendersModes.NameOf(item.Mode), item.Threads, item.ByteCount, item.PerTransaction, item.OpensEach, Statistics.Of([1]), 0, null, Statistics.Of([1]), 0, null, null, rounds(), rounds())
    {
        Receivers = item.Receivers,
        WriteRounds = rounds(),
    };

    private static OwnRow OfOwn(string name, bool canChange, Rounds rounds)
    {
        double[] write = rounds(), read = rounds();
        return new OwnRow(name, "", [], canChange, true, OfCompare(name, rounds) with { WriteNanoseconds = Statistics.Of(write).Median, ReadNanoseconds = Statistics.Of(read).Median }, write, read, null);
    }
}
