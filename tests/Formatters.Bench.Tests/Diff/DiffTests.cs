using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using Formatters.Bench.Diff;
using Formatters.Bench.Measurement;
using Formatters.Bench.Reports;
using Formatters.Bench.Tests.Support;
using Xunit;

namespace Formatters.Bench.Tests.Diff;

public sealed class DiffTests : IDisposable
{
    private static readonly double[] Rounds = [100, 101, 99, 100, 102, 98, 100, 101];

    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-diff-").FullName;

    [Theory]
    [InlineData(1.0, true, nameof(Change.Same))]
    [InlineData(1.5, true, nameof(Change.Better))]
    [InlineData(0.8, true, nameof(Change.Worse))]
    // Of a time the smaller is the better.
    [InlineData(1.5, false, nameof(Change.Worse))]
    [InlineData(0.8, false, nameof(Change.Better))]
    // 5 % from the threshold of 5 %: the runs scatter by more.
    [InlineData(1.05, true, nameof(Change.Undecided))]
    public void AFigure_IsJudgedByItsInterval(double factor, bool isHigherBetter, string change)
    {
        DiffReport report = DiffRun.Compare(Runs(("a", isHigherBetter, 1)), Runs(("a", isHigherBetter, factor)), 0.05);

        DiffRow row = Assert.Single(report.Rows);
        Assert.Equal(change, row.Change.ToString());
        Assert.Equal(isHigherBetter ? factor : 1 / factor, row.Ratio!.Value, 2);
        Assert.Equal(change == nameof(Change.Worse), report.IsWorse);
    }

    [Fact]
    public void FiguresOfOneFileAlone_AreMissingOrNew_AndAMissingOneIsWorse()
    {
        DiffReport report = DiffRun.Compare(Runs(("a", true, 1), ("b", true, 1)), Runs(("a", true, 1), ("c", true, 1)), 0.05);

        Assert.Equal(["a Same", "b Missing", "c New"], report.Rows.Select(row => $"{row.Name} {row.Change}"));
        Assert.True(report.IsWorse);
    }

    [Fact]
    public void FilesOfDifferentVerbs_OrWithNothingInCommon_AreRefused()
    {
        Assert.Throws<UsageException>(() => DiffRun.Compare([File(("a", true, 1))], [File(("a", true, 1)) with { Verb = "limits" }], 0.05));
        Assert.Throws<UsageException>(() => DiffRun.Compare([File(("a", true, 1))], [File(("b", true, 1))], 0.05));
    }

    [Fact]
    public void WhatTheRunsDifferIn_IsSaid()
    {
        ResultFile before = File(("a", true, 1));
        ResultFile after = before with
        {
            Run = before.Run! with { IsInterrupted = true, CommandLine = "compare --json b.json", LoadBefore = [2.5, 0, 0], Machine = before.Run!.Machine with { Processor = "another" } },
        };

        DiffReport report = DiffRun.Compare([before with { Run = before.Run! with { LoadBefore = [0.5, 0, 0] } }], [after], 0.05);

        Assert.Equal(["processor: one / another", "interrupted: no / yes", "load before the runs: 0.50 / 2.50 (of one minute, means)"], report.Differences);
    }

    /// <summary>The rounds of one process agree with each other more than with those of the next.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void Few_runs_have_ratios_and_no_verdict(int runs)
    {
        ResultFile[] before = [.. Enumerable.Repeat(File(("a", true, 1)), runs)];
        ResultFile[] after = [.. Enumerable.Repeat(File(("a", true, 0.5)), 10)];

        DiffReport report = DiffRun.Compare(before, after, 0.05);

        Assert.Equal((0.5, Change.Undecided), (Math.Round(report.Rows.Single().Ratio!.Value, 2), report.Rows.Single().Change));
        Assert.False(report.IsWorse);
    }

    /// <summary>Each run has its own speed, and each figure its own in each run: of 100 comparisons of equal code, at most 5 may report a difference of any figure.</summary>
    [Theory]
    [InlineData(4, 0.02)]
    [InlineData(5, 0.3)]
    [InlineData(10, 0.1)]
    public void Equal_code_is_called_worse_or_better_in_at_most_5_of_100_comparisons(int runs, double noise)
    {
        const int Comparisons = 400;
        var random = new Random(1);
        int reported = 0;
        for (int i = 0; i < Comparisons; i++)
        {
            DiffReport report = DiffRun.Compare(Side(), Side(), 0);
            Assert.Equal(30, report.Rows.Count);
            reported += report.Rows.Any(row => row.Change is Change.Worse or Change.Better) ? 1 : 0;
        }

        // Three standard deviations above 5 %.
        Assert.InRange(reported, 0, (int)(0.05 * Comparisons) + (3 * Math.Sqrt(0.05 * 0.95 * Comparisons)));

        ResultFile[] Side() => [.. Enumerable.Range(0, runs).Select(_ =>
        {
            double speed = Factor(noise);
            return File([.. Enumerable.Range(0, 30).Select(figure => ($"f{figure}", true, speed * Factor(noise)))]);
        })];

        double Factor(double size) => Math.Exp(size * (random.NextDouble() + random.NextDouble() - 1));
    }

    [Fact]
    public void A_figure_that_is_worse_is_found_among_others_on_a_machine_that_is_slower()
    {
        var random = new Random(2);

        DiffReport report = DiffRun.Compare(Side(1, 1), Side(0.4, 0.8), 0.05);

        Assert.Equal(["ref Reference", "a Worse", "b Same"], report.Rows.Select(row => $"{row.Name} {row.Change}"));
        Assert.InRange(report.Rows[1].Ratio!.Value, 0.78, 0.82);

        ResultFile[] Side(double machine, double factor) => [.. Enumerable.Range(0, 5).Select(_ => File(("ref", true, machine), ("a", true, machine * factor * Noise()), ("b", true, machine * Noise())))
            .Select(file => file with { Series = [.. file.Series!.Select(series => series with { Reference = "ref" })] })];

        double Noise() => 1 + (0.01 * (random.NextDouble() - 0.5));
    }

    /// <summary>From the measurement to the exit code: the files of the tool itself.</summary>
    [Theory]
    [InlineData(4, 4, 0)]
    [InlineData(4, 8, 4)]
    [InlineData(8, 4, 0)]
    public async Task RunsOfTheTool_OverQueuesOfKnownSpeed_GiveTheExitCode(int beforeMs, int afterMs, int exitCode)
    {
        foreach ((string side, int receiveMs) in new[] { ("before", beforeMs), ("after", afterMs) })
        {
            Directory.CreateDirectory(Path.Combine(_folder, side));
            for (int run = 0; run < DiffRun.MinRuns; run++)
                await MeasureAsync($"{side}/{run}.json", receiveMs);
        }

        string before = Path.Combine(_folder, "before"), after = Path.Combine(_folder, "after"), json = Path.Combine(_folder, "diff.json");

        ToolResult result = await new Tool().RunAsync("diff", before, after, "--fail-above", "5%", "--json", json);
        ToolResult withoutLimit = await new Tool().RunAsync("diff", before, after);
        ToolResult single = await new Tool().RunAsync("diff", Path.Combine(before, "1.json"), Path.Combine(after, "1.json"), "--fail-above", "5%");

        Assert.Equal((exitCode, ""), (result.ExitCode, result.Error));
        Assert.Equal(0, withoutLimit.ExitCode);
        Assert.Equal(2, single.ExitCode);
        Assert.Contains("--fail-above needs 4 runs a side", single.Error, StringComparison.Ordinal);
        DiffReport report = JsonSerializer.Deserialize(await System.IO.File.ReadAllTextAsync(json), ReportJson.Default.DiffReport)!;
        DiffRow row = Assert.Single(report.Rows);
        Assert.Equal(("SendAndReceive/express/string 500", "msg/s"), (row.Name, row.Unit));
        Assert.Equal((double)beforeMs / afterMs, row.Ratio!.Value, 6);
        Assert.Contains(RatioText.Value(row.Ratio, DiffRun.BoundsOf(0.05)), result.Output, StringComparison.Ordinal);
        Assert.DoesNotContain(report.Differences, static difference => !difference.StartsWith("load ", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("no/such/file", "cannot be read")]
    [InlineData("bad.json", "is not a result file")]
    [InlineData("other.json", "is not a result file")]
    public async Task WhatIsNoResultFile_IsAUsageError(string name, string words)
    {
        await System.IO.File.WriteAllTextAsync(Path.Combine(_folder, "bad.json"), "{ half");
        await System.IO.File.WriteAllTextAsync(Path.Combine(_folder, "other.json"), "{ \"name\": 1 }");
        string good = await MeasureAsync("good.json", 4);

        ToolResult result = await new Tool().RunAsync("diff", good, Path.Combine(_folder, name));

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(words, Assert.Single(result.ErrorLines), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("-1")]
    [InlineData("much")]
    public async Task AThresholdThatIsNone_IsAUsageError(string threshold) => Assert.Equal(2, (await new Tool().RunAsync("diff", "a", "b", "--fail-above", threshold)).ExitCode);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>Runs that scatter by 1 %.</summary>
    private static ResultFile[] Runs(params (string Name, bool IsHigherBetter, double Factor)[] series) =>
        [.. new[] { 1, 1.01, 0.995, 0.99, 1.005 }.Select(run => File([.. series.Select(item => (item.Name, item.IsHigherBetter, item.Factor * run))]))];

    private static ResultFile File(params (string Name, bool IsHigherBetter, double Factor)[] series) => new(
        "compare",
        new RunInfo("tool", "compare", Tool.Now, 1, new MachineInfo("one", 2, 1, "system", "runtime", "gc")),
        [.. series.Select(item => new Series(item.Name, "msg/s", item.IsHigherBetter, [.. Rounds.Select(round => round * item.Factor)]))]);

    private async Task<string> MeasureAsync(string name, int receiveMs)
    {
        var clock = new ManualClock();
        var tool = new Tool(new KnownSpeedProvider("fake", clock, _ => TimeSpan.FromMilliseconds(1), _ => TimeSpan.FromMilliseconds(receiveMs))) { Clock = clock };
        string json = Path.Combine(_folder, name);
        ToolResult result = await tool.RunAsync(
            "perftest", "NOTX", "SENDANDRECEIVE", "fake:q", "--mode", "express", "--payload", "string 500", "--batch", "5", "--rounds", "7", "--json", json);
        Assert.True(result.ExitCode == 0, result.Error);
        return json;
    }
}
