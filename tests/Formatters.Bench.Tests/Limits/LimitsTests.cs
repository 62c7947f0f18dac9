using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using Formatters.Bench.Load;
using Formatters.Bench.Reports;
using Formatters.Bench.Tests.Support;
using Formatters.Bench.Limits;
using Formatters.Queues;
using Xunit;

namespace Formatters.Bench.Tests.Limits;

public class LimitsTests
{
    private static readonly string[] Short = ["--senders", "1,3", "--rounds", "2", "--seconds-per-case", "0.02", "--recovery-mib", "1"];

    [Fact]
    public async Task Memory_and_folder_are_measured_and_left_empty()
    {
        string folder = Directory.CreateTempSubdirectory("formatters-limits-").FullName;
        await using var files = new FileQueueProvider();
        var tool = new Tool(files);
        string json = Path.Combine(folder, "report.json");
        string csv = Path.Combine(folder, "report.csv");

        ToolResult result = await tool.RunAsync(["limits", "memory:t", $"file://{folder}/t", .. Short, "--json", json, "--csv", csv]);

        Assert.True(result.ExitCode == 0, result.Error);
        Assert.True(result.LongestLine <= 80, result.Output);
        Assert.Contains("(fdatasync)", result.Output, StringComparison.Ordinal);
        // Two rounds have no confidence.
        Assert.DoesNotContain("95 %", result.Output, StringComparison.Ordinal);
        Assert.Contains("interval is the least and the greatest of the rounds", string.Join(' ', result.Output.Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);
        LimitsReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), ReportJson.Default.LimitsReport)!;
        Assert.Equal([("express", 1, 1, 100)], report.Queues[0].Cases.Select(item => (item.Mode, item.Senders, item.Receivers, item.ByteCount)));
        Assert.Equal(
            [("express", 1, 1, 100), ("recoverable", 1, 0, 1024), ("recoverable", 3, 0, 1024)],
            report.Queues[1].Cases.Select(item => (item.Mode, item.Senders, item.Receivers, item.ByteCount)));
        Assert.All(report.Queues.SelectMany(queue => queue.Cases), item => Assert.True(item.MessagesPerSecond is { Count: 2, Min: > 0 }));
        Assert.Null(report.Queues[0].Disk);
        Assert.True(report.Queues[1].Disk is { ByteCount: 1536, FlushesPerSecond.Min: > 0 });
        Assert.Equal(1, report.Queues[1].Cases[1].RatioToOneSender!.Value);
        Assert.True(report.Queues[1].Cases[2].RatioToDisk!.Value > 0);
        Assert.True(report.Queues[1].Recovery is { MessageCount: > 900, LogByteCount: > 1 << 20, BytesPerSecond.Min: > 0 });
        Assert.Equal(1 + 4, (await File.ReadAllLinesAsync(csv)).Length);
        await using QueueClient queue = await tool.Connector.OpenAsync($"file://{folder}/t", QueueOptions.Fastest);
        Assert.Equal(0, await queue.GetMessageCountAsync());
        await files.DisposeAsync();
        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public async Task Senders_can_be_processes_over_a_folder()
    {
        string folder = Directory.CreateTempSubdirectory("formatters-limits-").FullName;
        string json = Path.Combine(folder, "report.json");
        await using var files = new FileQueueProvider();

        // The delay of flushes is the tool's, which must therefore own the folder.
        Task<ToolResult> run = new Tool().RunAsync(["limits", $"file://{folder}/t", .. Short, "--processes", "--flush-delay", "5", "--json", json]);
        while (!File.Exists(Path.Combine(folder, "processes", "owner")) && !run.IsCompleted)
            await Task.Yield();
        int processCount = 0;
        while (!run.IsCompleted)
            processCount = Math.Max(processCount, (await files.GetProcessesAsync($"file:{folder}")).Select(process => process.ProcessId).Distinct().Count());
        ToolResult result = await run;

        Assert.Equal(1 + 3, processCount);
        Assert.True(result.ExitCode == 0, result.Error);
        Assert.Contains("Each sender is a process", string.Join(' ', result.Output.Split()), StringComparison.Ordinal);
        LimitsReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), ReportJson.Default.LimitsReport)!;
        Assert.True(report.Processes);
        Assert.Equal([(1, 1), (1, 0), (3, 0)], report.Queues[0].Cases.Select(item => (item.Senders, item.Receivers)));
        Assert.InRange(report.Queues[0].Cases[1].MessagesPerSecond.Max, 1, 200);
        await files.DisposeAsync();
        Directory.Delete(folder, recursive: true);
    }

    [Theory]
    [InlineData("limits --processes", "needs the address of a queue")]
    [InlineData("limits memory:t --processes", "belongs to one process")]
    [InlineData("limits memory:t --processes --size 7", "at least 8 bytes")]
    public async Task Processes_that_cannot_share_a_queue_are_refused(string arguments, string words)
    {
        ToolResult result = await new Tool().RunAsync(arguments.Split(' '));

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(words, result.Error, StringComparison.Ordinal);
    }

    /// <summary>As on a machine that is busy with something else for the whole time.</summary>
    [Fact]
    public async Task Senders_that_come_too_late_are_measured_all_the_same()
    {
        var tool = new Tool();
        await using QueueClient queue = await tool.Connector.OpenAsync("memory:late", QueueOptions.Fastest);
        await using QueueClient both = await tool.Connector.OpenAsync("memory:both", QueueOptions.Fastest);

        LoadResult sent = await new LoadRun(LoadScenario.OfBytes(queue, 100) with { Senders = 3, Time = TimeSpan.Zero }, TimeProvider.System).SendAsync(default);
        LoadResult received = await new LoadRun(LoadScenario.OfBytes(both, 100) with { Time = TimeSpan.Zero }, TimeProvider.System).SendAndReceiveAsync(default);

        Assert.Equal(3, await queue.GetMessageCountAsync());
        Assert.Equal((3, 1, 1), (sent.Sent, received.Sent, received.Received));
        Assert.True(sent.Sending > TimeSpan.Zero && received.Receiving > TimeSpan.Zero);
    }

    [Fact]
    public async Task Emulated_disk_slows_the_flushes_and_is_printed()
    {
        string folder = Directory.CreateTempSubdirectory("formatters-limits-").FullName;
        string json = Path.Combine(folder, "report.json");

        ToolResult result = await new Tool().RunAsync(["limits", $"file://{folder}/t", .. Short, "--flush-delay", "5", "--json", json]);

        Assert.True(result.ExitCode == 0, result.Error);
        Assert.True(result.Output.Split("5 ms added to each flush").Length >= 2, result.Output);
        QueueLimits queue = Assert.Single(JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), ReportJson.Default.LimitsReport)!.Queues);
        Assert.Equal(5, queue.EmulatedFlushMilliseconds);
        Assert.InRange(queue.Disk!.FlushesPerSecond.Max, 1, 200);
        Assert.InRange(queue.Cases[1].MessagesPerSecond.Max, 1, 200);
        Directory.Delete(folder, recursive: true);
    }
}
