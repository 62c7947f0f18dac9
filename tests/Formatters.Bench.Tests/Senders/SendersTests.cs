using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using Formatters.Bench.Compare;
using Formatters.Bench.Load;
using Formatters.Bench.Reports;
using Formatters.Bench.Senders;
using Formatters.Bench.Tests.Support;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Bench.Tests.Senders;

public sealed class SendersTests : IDisposable
{
    private static readonly string[] Short = ["--rounds", "2", "--seconds-per-case", "0.02", "--max-messages", "500"];

    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-senders-").FullName;

    [Fact]
    public async Task Memory_and_folder_have_the_cases_of_the_study_and_are_left_empty()
    {
        await using var files = new FileQueueProvider();
        var tool = new Tool(files);
        string csv = Path.Combine(_folder, "report.csv");

        (ToolResult result, SendersReport report) = await RunAsync(tool, ["memory:t", $"file://{_folder}/t", .. Short, "--csv", csv]);

        Assert.True(result.LongestLine <= 80, result.Output);
        // Memory is not recoverable, and there is no database.
        Assert.Equal(["express", "internal"], report.Queues[0].Rows.Select(row => row.Mode).Distinct());
        Assert.Equal(["recoverable"], report.Queues[0].NotOffered.Keys);
        SendersRow[] rows = [.. report.Queues[1].Rows];
        Assert.Equal([10, 1_000, 2_000, 4_000], rows.Where(row => row is { Mode: "express", Difference: "" }).Select(row => row.ByteCount));
        Assert.Equal([1, 2, 3, 5, 10, 20, 50], rows.Where(row => row is { Mode: "recoverable", ByteCount: 1_000, Difference: "" }).Select(row => row.Threads).Order());
        Assert.Equal([2, 5, 10, 20, 50, 100], rows.Where(row => row.PerTransaction > 1).Select(row => row.PerTransaction));
        Assert.Single(rows, row => row.OpensEach);
        Assert.All(rows, row => Assert.True(row is { Sent: { Count: 2, Min: > 0 }, Received: { Count: 2, Min: > 0 }, SendCpu: >= 0 }, row.Name));
        Assert.Equal((587, 1_251), (Row(report.Queues[1], "recoverable/1/1000").Study!.Sent, Row(report.Queues[1], "recoverable/1/1000").Study!.Received));
        Assert.Equal(
            [
                "a journal of what was received", "a journal of what was sent", "acknowledgements asked for",
                "bodies encrypted (AES-GCM)", "bodies signed (ECDSA P-256)", "bodies signed (HMAC-SHA256)", "receivers waiting meanwhile",
            ],
            rows.Where(row => row is { Mode: "express", Difference.Length: > 0 }).Select(row => row.Difference).Order());
        Assert.Equal(
            ["a journal of what was received", "a journal of what was sent", "acknowledgements asked for", "receivers waiting meanwhile"],
            rows.Where(row => row is { Mode: "recoverable", OpensEach: false, Difference.Length: > 0 }).Select(row => row.Difference).Order());
        // What a message has beside its body is in the log of the folder alone; nothing of memory leaves the process.
        Assert.Equal(["headers", "network"], report.Queues[0].PartsNotMeasured.Keys.Order());
        Assert.Equal(["network"], report.Queues[1].PartsNotMeasured.Keys);
        if (OperatingSystem.IsLinux())
            Assert.InRange(report.Queues[1].Headers.Single(row => row.Mode == "recoverable").Sent, 1, 10_000);
        foreach (QueueSenders queue in report.Queues)
        {
            Assert.Equal([10, 1_000, 10_000], queue.Memory.Select(row => row.ByteCount));
            Assert.All(queue.Memory, row => Assert.Equal(10, row.Steps.Count));
        }

        Assert.Equal(1 + report.Queues.Sum(queue => queue.Rows.Count), (await File.ReadAllLinesAsync(csv)).Length);
        foreach (string address in new[] { "memory:t", $"file://{_folder}/t" })
        {
            await using QueueClient queue = await tool.Connector.OpenAsync(address, QueueOptions.Fastest);
            Assert.Equal(0, await queue.GetMessageCountAsync());
        }
    }

    /// <summary>In a process of its own: in this one other tests take and give back memory meanwhile.</summary>
    [Fact]
    public async Task Memory_of_what_waits_grows_with_its_bodies()
    {
        string json = Path.Combine(_folder, "report.json");
        using var tool = Process.Start("dotnet", [typeof(Formatters.Bench.CommandLine.BenchApplication).Assembly.Location, "senders", "memory:t", $"file://{_folder}/t", "--part", "memory", .. Short, "--json", json]);
        await tool.WaitForExitAsync();

        Assert.Equal(0, tool.ExitCode);
        SendersReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), ReportJson.Default.SendersReport)!;
        foreach (QueueSenders queue in report.Queues)
        {
            Assert.All(queue.Memory, row => Assert.True(row.BytesPerMessage >= row.ByteCount, $"{row}"));
            Assert.InRange(queue.MemoryFormula!.PerBodyByte, 0.5, 2);
        }
    }

    [Fact]
    public async Task Rates_are_those_of_the_queue()
    {
        var clock = new ManualClock();
        var tool = new Tool(new KnownSpeedProvider("fake", clock, _ => TimeSpan.FromMilliseconds(2), _ => TimeSpan.FromMilliseconds(5))) { Clock = clock };

        (ToolResult _, SendersReport report) = await RunAsync(tool, ["fake:q", "--part", "tables,advice", "--mode", "internal", "--sizes", "100", "--senders", "1", "--rounds", "7", "--seconds-per-case", "0.5"]);

        // In turns of 2 ms (5 ms) until 500 ms are over; ten messages in each transaction take as long.
        Assert.Equal(["internal/1/100", .. new[] { 2, 5, 10, 20, 50, 100 }.Select(count => $"internal/1/100/{count} per transaction")], report.Queues[0].Rows.Select(row => row.Name));
        Assert.All(report.Queues[0].Rows, row =>
        {
            Assert.Equal(500, row.Sent.Median, 6);
            Assert.Equal(200, row.Received.Median, 6);
        });
        Finding ten = report.Queues[0].Findings.Single(finding => finding.Text.StartsWith("10 messages", StringComparison.Ordinal));
        Assert.Equal((Verdict.Even, 1), (ten.Verdict, ten.Ratio!.Value));
        Assert.Equal(Verdict.NotMeasured, report.Queues[0].Findings[0].Verdict);
    }

    [Theory]
    [InlineData(Fault.Loses, 1, "did not come")]
    [InlineData(Fault.Breaks, 1, "The connection to the broker was lost.")]
    public async Task A_queue_that_fails_ends_the_run(object fault, int exitCode, string words)
    {
        var tool = new Tool(new FaultyQueueProvider((Fault)fault));

        ToolResult result = await tool.RunAsync("senders", "faulty:q", "--mode", "express", "--sizes", "100", "--senders", "1", "--seconds-per-case", "0.2", "--max-messages", "300");

        Assert.Equal(exitCode, result.ExitCode);
        Assert.Contains(words, result.Error, StringComparison.Ordinal);
    }

    /// <summary>A message that comes twice, or that nobody sent.</summary>
    [Theory]
    [InlineData(0, 0, "came twice")]
    [InlineData(0, 7, "never sent")]
    public async Task Numbers_come_once(long first, long second, string words)
    {
        await using QueueClient queue = await new Tool().Connector.OpenAsync("memory:numbers", QueueOptions.Fastest);
        foreach (long number in new[] { first, second })
            await queue.SendAsync(new QueueMessage(new MessageBody(BitConverter.GetBytes(number))));
        var load = new LoadRun(SendersScenario.Of(new SendersCase(SendersMode.Express, 1, 8), queue, queue, _ => default), TimeProvider.System);

        var error = await Assert.ThrowsAsync<Formatters.Bench.Measurement.VerificationException>(() => load.ReceiveAsync([2], default));

        Assert.Contains(words, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Parts_without_rounds_have_no_findings_and_say_how_they_were_measured()
    {
        ToolResult result = await new Tool().RunAsync(["senders", "memory:t", "--part", "memory", "--max-messages", "50"]);

        Assert.Equal(0, result.ExitCode);
        Assert.Contains("Each part once", result.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("What the study says", result.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("0 rounds", result.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--mode external", "--database")]
    [InlineData("--mode durable", "not one of express, recoverable, internal, external")]
    [InlineData("--sizes 7", "numbers from 8")]
    [InlineData("--senders 0", "numbers from 1")]
    [InlineData("--mode recoverable --part tables", "it is not recoverable")]
    [InlineData("--processes", "belongs to one process")]
    [InlineData("--part figures", "not one of tables, advice, headers, memory, network")]
    public async Task What_cannot_be_measured_is_refused(string arguments, string words)
    {
        ToolResult result = await new Tool().RunAsync(["senders", "memory:refused", .. arguments.Split(' ')]);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(words, result.Error, StringComparison.Ordinal);
    }

    [PostgresFact]
    public async Task External_transactions_are_over_the_folder_and_the_database()
    {
        string queue = Broker.NewQueue(Broker.PostgreSql);
        string database = queue[..queue.LastIndexOf('/')];

        (ToolResult _, SendersReport report) = await RunAsync(
            new Tool(), [$"file://{_folder}/e", "--mode", "internal,external", "--part", "tables", "--sizes", "100", "--senders", "1,3", "--database", database, .. Short]);

        Assert.Equal(
            ["internal/1/100", "internal/3/100", "external/1/100", "external/3/100"],
            report.Queues[0].Rows.Where(row => row.Difference.Length == 0).Select(row => row.Name));
    }

    [PostgresFact]
    public Task Over_PostgreSQL() => OverServerAsync(Broker.NewQueue(Broker.PostgreSql));

    [BrokerFact]
    public Task Over_RabbitMQ() => OverServerAsync(Broker.NewQueue());

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static async Task OverServerAsync(string address)
    {
        // Recoverable messages wait in a folder for the network.
        await using var files = new FileQueueProvider();
        (ToolResult _, SendersReport report) = await RunAsync(
            new Tool(files, new RabbitMqQueueProvider(), new PostgreSqlQueueProvider()), [address, "--part", "tables,headers,network", "--sizes", "100", "--senders", "1,4", "--rounds", "2", "--seconds-per-case", "0.02", "--max-messages", "50"]);

        QueueSenders queue = report.Queues[0];
        Assert.Equal(["express", "recoverable", "internal"], queue.Rows.Select(row => row.Mode).Distinct());
        Assert.Equal(["express", "recoverable"], queue.Headers.Select(row => row.Mode));
        Assert.All(queue.Headers, row => Assert.True(row is { Where: "network", Sent: > 20, Received: > 20 }, $"{row}"));
        Assert.Equal(Bench.Senders.Study.Networked.Select(row => (row.Mode.ToString().ToLowerInvariant(), row.ByteCount)), queue.Network.Select(row => (row.Mode, row.ByteCount)));
        Assert.All(queue.Network, row => Assert.True(row is { Messages: 50, Rate: > 0, NetworkUse: > 0 }, $"{row}"));
    }

    [BrokerFact]
    public async Task Senders_can_be_processes()
    {
        (ToolResult result, SendersReport report) = await RunAsync(
            new Tool(new RabbitMqQueueProvider()),
            [Broker.NewQueue(), "--part", "tables", "--mode", "express", "--sizes", "100", "--senders", "1,2", "--receivers", "1,3", "--processes", .. Short]);

        Assert.True(report.Processes);
        Assert.Equal([(1, 1), (1, 3), (2, 1), (2, 3)], report.Queues[0].Rows.Select(row => (row.Threads, row.Receivers)));
        Assert.Contains("(processes)", result.Output, StringComparison.Ordinal);
    }

    private static async Task<(ToolResult Result, SendersReport Report)> RunAsync(Tool tool, string[] arguments)
    {
        string json = Path.GetTempFileName();
        ToolResult result = await tool.RunAsync(["senders", .. arguments, "--json", json]);
        Assert.True(result.ExitCode == 0, result.Error);
        SendersReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), ReportJson.Default.SendersReport)!;
        File.Delete(json);
        return (result, report);
    }

    private static SendersRow Row(QueueSenders queue, string name) => queue.Rows.Single(row => row.Name == name);
}
