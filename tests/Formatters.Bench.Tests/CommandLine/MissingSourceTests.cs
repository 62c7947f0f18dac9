using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Bench.Tests.Support;
using Formatters.Queues;
using Xunit;

namespace Formatters.Bench.Tests.CommandLine;

/// <summary>A verb that only receives does not create the queue from which it receives.</summary>
public sealed class MissingSourceTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-missing-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("memory:")]
    [InlineData("file:")]
    public async Task Throughput_WithReceiversAlone_NamesTheMissingQueue(string scheme)
    {
        await using var files = new FileQueueProvider();
        var tool = new Tool(files);
        string place = scheme == "file:" ? $"file://{_folder}/queues/" : scheme;

        ToolResult result = await tool.RunAsync("throughput", "-s", "0", "-r", "1", "--seconds", "0.05", "-C", place, "-R", "nothing");

        Assert.True(result.ExitCode is 1 or 2, $"{result.ExitCode} {result.Output}");
        Assert.Equal("", result.Output);
        Assert.Single(result.ErrorLines);
        Assert.Empty(Directory.EnumerateFileSystemEntries(_folder));
        Assert.Empty(await tool.Connector.ListAsync("memory:"));
    }

    [Fact]
    public async Task Own_WithAFolderAsItsSample_SaysSo()
    {
        ToolResult result = await new Tool().RunAsync("own", "--type", "Formatters.Orders.Order", "--assembly", typeof(Orders.Order).Assembly.Location, "--sample", _folder);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("is a folder", result.Error, StringComparison.Ordinal);
    }
}
