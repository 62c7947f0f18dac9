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
    // 5 % from the threshold of 5 %: the rounds scatter by more.
    [InlineData(1.05, true, nameof(Change.Undecided))]
    public void AFigure_IsJudgedByItsInterval(double factor, bool isHigherBetter, string change)
    {
        DiffReport report = DiffRun.Compare(File(("a", isHigherBetter, 1)), File(("a", isHigherBetter, factor)), 0.05);

        DiffRow row = Assert.Single(report.Rows);
        Assert.Equal(change, row.Change.ToString());
        Assert.Equal(isHigherBetter ? factor : 1 / factor, row.Ratio!.Value, 2);
        Assert.Equal(change == nameof(Change.Worse), report.IsWorse);
    }

    [Fact]
    public void FiguresOfOneFileAlone_AreMissingOrNew_AndAMissingOneIsWorse()
    {
        DiffReport report = DiffRun.Compare(File(("a", true, 1), ("b", true, 1)), File(("a", true, 1), ("c", true, 1)), 0.05);

        Assert.Equal(["a Same", "b Missing", "c New"], report.Rows.Select(row => $"{row.Name} {row.Change}"));
        Assert.True(report.IsWorse);
    }

    [Fact]
    public void FilesOfDifferentVerbs_OrWithNothingInCommon_AreRefused()
    {
        Assert.Throws<UsageException>(() => DiffRun.Compare(File(("a", true, 1)), File(("a", true, 1)) with { Verb = "limits" }, 0.05));
        Assert.Throws<UsageException>(() => DiffRun.Compare(File(("a", true, 1)), File(("b", true, 1)), 0.05));
    }

    [Fact]
    public void WhatTheRunsDifferIn_IsSaid()
    {
        ResultFile before = File(("a", true, 1));
        ResultFile after = before with { Run = before.Run! with { IsInterrupted = true, Machine = before.Run!.Machine with { Processor = "another" } } };

        DiffReport report = DiffRun.Compare(before, after, 0.05);

        Assert.Equal(["processor: one / another", "interrupted: no / yes"], report.Differences);
    }

    /// <summary>From the measurement to the exit code: the files of the tool itself.</summary>
    [Theory]
    [InlineData(4, 4, 0)]
    [InlineData(4, 8, 4)]
    [InlineData(8, 4, 0)]
    public async Task TwoRunsOfTheTool_OverQueuesOfKnownSpeed_GiveTheExitCode(int beforeMs, int afterMs, int exitCode)
    {
        string before = await MeasureAsync("before.json", beforeMs);
        string after = await MeasureAsync("after.json", afterMs);
        string json = Path.Combine(_folder, "diff.json");

        ToolResult result = await new Tool().RunAsync("diff", before, after, "--fail-above", "5%", "--json", json);
        ToolResult withoutLimit = await new Tool().RunAsync("diff", before, after);

        Assert.Equal((exitCode, ""), (result.ExitCode, result.Error));
        Assert.Equal(0, withoutLimit.ExitCode);
        DiffReport report = JsonSerializer.Deserialize(await System.IO.File.ReadAllTextAsync(json), ReportJson.Default.DiffReport)!;
        DiffRow row = Assert.Single(report.Rows);
        Assert.Equal(("SendAndReceive/express/string 500", "msg/s"), (row.Name, row.Unit));
        Assert.Equal((double)beforeMs / afterMs, row.Ratio!.Value, 6);
        Assert.Contains(RatioText.Value(row.Ratio, DiffRun.BoundsOf(0.05)), result.Output, StringComparison.Ordinal);
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
