using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using Formatters.Bench.Measurement;
using Formatters.Bench.Perftest;
using Formatters.Bench.Reports;
using Formatters.Bench.Tests.Support;
using Xunit;

namespace Formatters.Bench.Tests.Perftest;

public class PerftestTests
{
    private static readonly string[] Tiny = ["--rounds", "2", "--batch", "3", "--seconds-per-case", "0.1"];

    public static TheoryData<string, string, string> Operations
    {
        get
        {
            var data = new TheoryData<string, string, string>();
            foreach (string transactionMode in new[] { "NOTX", "TX", "notx" })
            {
                foreach (string queue in new[] { "memory:q", "memory:a,b,c" })
                {
                    data.Add(transactionMode, "SENDANDPURGE", queue);
                    data.Add(transactionMode, "SendAndReceive", queue);
                    data.Add(transactionMode, "client", queue);
                }
            }

            return data;
        }
    }

    /// <summary>Before anything is measured, a batch is compared as a whole.</summary>
    [Fact]
    public async Task AQueueThatChangesOneContent_FailsTheRun()
    {
        ToolResult result = await new Tool(new ChangedContentProvider(2)).RunAsync(
            ["perftest", "NOTX", "SENDANDRECEIVE", "changed:q", "--payload", Payloads.StringName(500), "--rounds", "2", "--batch", "5"]);

        Assert.Equal(1, result.ExitCode);
    }

    [Theory]
    [MemberData(nameof(Operations))]
    public async Task EveryOperation_EveryPayload_GivesARowAndLeavesTheQueuesEmpty(string transactionMode, string operation, string queue)
    {
        var tool = new Tool();

        ToolResult result = await tool.RunAsync(["perftest", transactionMode, operation, queue, .. operation == "client" ? ["memory:answers"] : Array.Empty<string>(), .. Tiny]);

        Assert.True(result.ExitCode == 0, result.Error);
        // Progress, where it takes longer.
        Assert.All(result.ErrorLines, line => Assert.EndsWith("%", line, StringComparison.Ordinal));
        foreach ((string name, _) in Payloads.Classic(50))
            Assert.Single(result.OutputLines, line => Regex.IsMatch(line, $"^{Regex.Escape(name)} +[0-9]"));
        Assert.True(result.LongestLine <= 80, result.Output);
        Assert.Contains("memory only: nothing survives the process", result.Output, StringComparison.Ordinal);
        Assert.Equal(transactionMode == "TX", result.Output.Contains("transactional: in-memory", StringComparison.Ordinal));
        Assert.Equal(transactionMode != "TX", result.Output.Contains("recoverable: not offered by in-memory", StringComparison.Ordinal));
        Assert.Equal(operation == "client", result.Output.Contains("CLIENT runs its SERVER beside it", StringComparison.Ordinal));
        foreach (string address in new[] { "memory:q", "memory:a", "memory:b", "memory:c", "memory:answers" })
            Assert.Equal(0, await tool.CountAsync(address));
    }

    [Fact]
    public async Task SeveralQueues_AreNamedAndSaid()
    {
        ToolResult result = await new Tool().RunAsync(["perftest", "NOTX", "SENDANDPURGE", "memory:a,b,c", "--payload", "empty", .. Tiny]);

        Assert.Contains("Sent as one to 3 queues", result.Output, StringComparison.Ordinal);
        Assert.Contains("memory:a,memory:b,memory:c", result.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("string 1000", "string 1,000")]
    [InlineData("STRING 1,000", "string 1,000")]
    [InlineData("empty", "empty")]
    [InlineData("xml", "order generated XML|order XML|Int32 XML")]
    public async Task Payload_ChoosesByName(string filter, string expected)
    {
        ToolResult result = await new Tool().RunAsync(["perftest", "NOTX", "SENDANDPURGE", "memory:q", "--payload", filter, .. Tiny]);

        IEnumerable<string> rows = result.OutputLines.SkipWhile(line => !line.StartsWith("---", StringComparison.Ordinal)).Skip(1).TakeWhile(line => line.Length > 0);
        Assert.Equal(expected.Split('|'), rows.Select(line => line[..21].TrimEnd()));
    }

    [Fact]
    public async Task WithoutABatchCount_TheBatchFitsTheTimeOfACase()
    {
        ToolResult result = await new Tool().RunAsync(
            "perftest", "NOTX", "SENDANDRECEIVE", "memory:q", "--payload", "Int32 binary", "--seconds-per-case", "4", "--rounds", "3");

        Assert.Equal(0, result.ExitCode);
        string row = Assert.Single(result.OutputLines, line => line.StartsWith("Int32 binary", StringComparison.Ordinal));
        Assert.True(int.Parse(row.Split(' ', StringSplitOptions.RemoveEmptyEntries)[3], System.Globalization.NumberStyles.AllowThousands, System.Globalization.CultureInfo.InvariantCulture) > 10, row);
    }

    /// <summary>A queue that takes its time for each batch: 50 messages a second from batches of 2 say nothing about it.</summary>
    [Fact]
    public async Task ABatch_HasALeastNumberOfMessages_HoweverLittleTimeThereIs()
    {
        string json = Path.GetTempFileName();

        ToolResult result = await new Tool().RunAsync(
            "perftest", "NOTX", "SENDANDRECEIVE", "memory:q", "--mode", "express", "--payload", "order", "--seconds-per-case", "0.01", "--json", json);

        Assert.True(result.ExitCode == 0, result.Error);
        PerftestReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), ReportJson.Default.PerftestReport)!;
        Assert.All(report.Sections[0].Rows, row => Assert.True(row.BatchCount >= 32, $"{row}"));
        Assert.All(report.Sections[0].Rows, row => Assert.Equal((7, 7), (row.Rounds.Count, row.Ratio!.Rounds)));
        Assert.Equal(1, report.Sections[0].Rows.Single(row => row.Payload == "order BinaryFormatter").Ratio!.Value);
        File.Delete(json);
    }

    /// <summary>Whatever disturbs the machine for a while disturbs a round of all payloads, not all rounds of one.</summary>
    [Fact]
    public async Task Payloads_AreMeasuredInTurns()
    {
        var labels = new List<int>();
        var tool = new Tool(new GatedQueueProvider((_, message) =>
        {
            labels.Add((int)message.Body.ByteCount);
            return Task.CompletedTask;
        }));

        ToolResult result = await tool.RunAsync(
            "perftest", "NOTX", "SENDANDPURGE", "gated:q", "--mode", "express", "--payload", "empty", "--payload", "string 500", "--batch", "2", "--rounds", "3");

        Assert.True(result.ExitCode == 0, result.Error);
        Assert.All(labels.TakeLast(12).Chunk(4), static round => Assert.Equal([0, 0, 502, 502], round.Order()));
        Assert.All(labels.TakeLast(12).Chunk(2), static batch => Assert.Equal(batch[0], batch[1]));
    }

    [Fact]
    public async Task JsonAndCsv_SayWhatTheTableSays()
    {
        string folder = Directory.CreateTempSubdirectory("formatters-bench-").FullName;
        try
        {
            string json = Path.Combine(folder, "report.json");
            string csv = Path.Combine(folder, "report.csv");

            ToolResult result = await new Tool().RunAsync(
                ["perftest", "NOTX", "SENDANDPURGE", "memory:q", "--payload", "empty", "--payload", "string 500", .. Tiny, "--json", json, "--csv", csv]);

            Assert.Equal(0, result.ExitCode);
            PerftestReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), ReportJson.Default.PerftestReport)!;
            Assert.Equal((PerftestOperation.SendAndPurge, 1), (report.Operation, report.QueueCount));
            Assert.Equal([true, false], report.Sections.Select(section => section.IsOffered));
            Assert.Equal(["empty", "string 500"], report.Sections[0].Rows.Select(row => row.Payload));
            Assert.All(report.Sections[0].Rows, row => Assert.Equal((3, 2), (row.BatchCount, row.Rate.Count)));
            string[] lines = await File.ReadAllLinesAsync(csv);
            Assert.Equal(1 + 2 + 1, lines.Length);
            Assert.StartsWith("SendAndPurge,express,string 500,local,502,3,2,", lines[2], StringComparison.Ordinal);
            Assert.Matches(@"^SendAndPurge,express,string 500,local,502,3,2(,\d+(\.\d{1,2})?){5},,,(,\d+(\.\d+)?(E-\d+)?){3},1,in-memory,,19814,\d+(\.\d+)?,\.NET,\d+$", lines[2]);
            Assert.EndsWith(",not offered,,,,", lines[3], StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
