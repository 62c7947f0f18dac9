using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using Formatters.Bench.Reports;
using Formatters.Bench.Tests.Support;
using Formatters.Bench.Throughput;
using Xunit;

namespace Formatters.Bench.Tests.Throughput;

/// <summary>Options that change during a run.</summary>
public sealed class ThroughputStepsTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-steps-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Steps_AddUp_InTheOrderOfTheirTimes()
    {
        var options = new ThroughputOptions
        {
            Connection = ConnectionString.Parse("memory:"),
            SendPath = "q",
            ReceivePaths = [],
            InflightSends = 4,
            Changes = [ThroughputChange.Parse("2:inflight-sends=2,receive-work-duration=5"), ThroughputChange.Parse("0.5:inflight-sends=16,send-batch-count=10")],
        };

        var steps = new ThroughputSteps(options, TimeProvider.System);

        Assert.Equal(
            [(4, 0, 0), (16, 10, 0), (16, 10, 0), (2, 10, 5)],
            new[] { 0.4, 0.5, 1.9, 2 }.Select(seconds => steps.At(TimeSpan.FromSeconds(seconds)))
                .Select(now => (now.InflightSends, now.SendBatchCount, (int)now.WorkDuration.TotalMilliseconds)));
        Assert.Equal((16, 10), (steps.Largest.InflightSends, steps.Largest.SendBatchCount));
    }

    /// <summary>More, and fewer, of everything; every message comes once, and no row has two values of an option.</summary>
    [Fact]
    public async Task Run_WhoseOptionsChange_LosesNothing_AndHasRowsOfEachStep()
    {
        string json = Path.Combine(_folder, "report.json");

        ToolResult result = await new Tool { Clock = TimeProvider.System }.RunAsync(
            "throughput", "-C", "memory:", "-S", "q", "-i", "4", "-j", "2", "-f", "0.2", "--seconds", "5", "--json", json,
            "--change", "1:inflight-sends=16,send-batch-count=10,inflight-receives=4,receive-batch-count=20,send-delay=1",
            "--change", "2.5:inflight-sends=1,send-batch-count=0,inflight-receives=1,receive-batch-count=0");

        Assert.True(result.ExitCode == 0, result.Error + result.Output);
        ThroughputReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), ReportJson.Default.ThroughputReport)!;
        Assert.Equal(report.Summary.Sent, report.Summary.Received);
        Assert.Equal([(0, 4), (10, 16), (0, 1)], report.Sends.Select(row => (row.BatchCount, row.Inflight)).Distinct());
        Assert.Equal([(0, 2), (20, 4), (0, 1)], report.Receives.Select(row => (row.BatchCount, row.Inflight)).Distinct());
    }

    [Theory]
    [InlineData("10")]
    [InlineData("x:inflight-sends=2")]
    [InlineData("1:sender-count=2")]
    [InlineData("1:inflight-sends=0")]
    [InlineData("1:inflight-sends=2;send-delay=1")]
    [InlineData("1:send-delay=-1")]
    [InlineData("-1:send-delay=1")]
    public async Task Change_ThatIsNone_IsAnError(string change)
    {
        ToolResult result = await new Tool().RunAsync("throughput", "-C", "memory:", "-S", "q", "-n", "10", "--change", change);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("--change", result.Error, StringComparison.Ordinal);
    }
}
