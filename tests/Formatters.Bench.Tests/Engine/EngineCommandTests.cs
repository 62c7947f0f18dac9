using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using Formatters.Bench.Engine;
using Formatters.Bench.Reports;
using Formatters.Bench.Tests.Support;
using Formatters.Queues;
using Xunit;

namespace Formatters.Bench.Tests.Engine;

/// <summary>The verb <c>engine</c>.</summary>
public sealed class EngineCommandTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-engine-verb-").FullName;
    private readonly FileQueueProvider _files = new();

    private string[] Places => ["--queues", $"file://{_folder}/queues/", "--store", Path.Combine(_folder, "store")];

    public void Dispose()
    {
        _files.DisposeAsync().AsTask().GetAwaiter().GetResult();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task Engine_OnTheEmbeddedDefault_EndsAsItMust_AndSaysWhatItFound()
    {
        string json = Path.Combine(_folder, "report.json");
        string csv = Path.Combine(_folder, "report.csv");

        ToolResult result = await new Tool(_files).RunAsync(["engine", "--quick", "--trades", "400", "--kills", "5", "--interval", "10", .. Places,
            "--json", json, "--csv", csv]);

        Assert.True(result.ExitCode == 0, result.Error + result.Output);
        EngineReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), ReportJson.Default.EngineReport)!;
        Assert.True(report.Result is { Trades: 400, WrongClearings: 0, RepeatedClearings: 0, WrongExceptions: 0, Kills: 5, IsRight: true,
            ExpectedExceptions: > 0 });
        Assert.Equal(report.Result.ExpectedClearings, report.Result.Clearings);
        Assert.Equal(["router", "noe", "alc", "npr", "set"], report.Result.Analysis.Stations.Select(station => station.Name));
        Assert.Equal(report.Result.Sent, report.Result.Analysis.Stations[0].Completions);
        Assert.Equal(report.Result.Samples.Count + 1, (await File.ReadAllLinesAsync(csv)).Length);
        Assert.Contains("trades have exactly one CLS that holds", result.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("WRONG", result.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Engine_FromATextFile_SendsWhatIsInIt()
    {
        string set = Path.Combine(_folder, "set.xml");
        var tool = new Tool(_files);
        string[] shares = ["--trades", "150", "--bad", "0.05", "--changes", "0.1"];

        ToolResult written = await tool.RunAsync(["engine", "--write-set", set, .. shares]);
        ToolResult result = await tool.RunAsync(["engine", "--set", set, .. shares, .. Places]);

        Assert.True(written.ExitCode == 0, written.Error);
        Assert.True(result.ExitCode == 0, result.Error + result.Output);
        string exceptions = Assert.Single(result.OutputLines, line => line.Contains("messages in the exception queue", StringComparison.Ordinal));
        Assert.StartsWith("  ok", exceptions, StringComparison.Ordinal);
        Assert.DoesNotContain("of 0 bad", exceptions, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Engine_OverQueuesThatAreNotEmpty_LeavesThemAlone()
    {
        var tool = new Tool(_files);
        await using IMessageQueue queue = await tool.Connector.OpenAsync("memory:noe");
        await queue.SendAsync(new QueueMessage());

        ToolResult result = await tool.RunAsync("engine", "--trades", "10", "--queues", "memory:", "--store", Path.Combine(_folder, "store"));

        Assert.Equal(1, result.ExitCode);
        Assert.Contains("The queue noe at 'memory:' has 1 messages", result.Error, StringComparison.Ordinal);
        Assert.Equal(1, await queue.GetMessageCountAsync());
    }

    [Theory]
    [InlineData("--format", "yaml", "'yaml' is none of xml, binary, versioned, messagepack, protobuf, json.")]
    [InlineData("--trades", "0", "--trades takes 1 to 10,000,000, not 0.")]
    [InlineData("--set", "nowhere.xml", "there is no file")]
    public async Task Engine_WithArgumentsThatMeanNothing_SaysWhy(string option, string value, string error)
    {
        ToolResult result = await new Tool(_files).RunAsync("engine", option, value);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(error, result.Error, StringComparison.Ordinal);
    }
}
