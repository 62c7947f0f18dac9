using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Xunit;

namespace Formatters.Tools.Tests.Commands;

/// <summary>The verb <c>forward</c>.</summary>
public sealed class ForwardCommandTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-forward-verb-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Moves_what_is_there_and_ends()
    {
        await using var folders = new FileQueueProvider();
        var tool = new Tool(folders);
        await SendAsync(tool, "memory:a", "1", "2");
        ToolResult result = await tool.RunAsync("forward", "memory:a", "memory:b", "--until-empty");
        Assert.Equal((0, "", "2 forwarded from memory:a to memory:b (exactly once), 0 set aside"), (result.ExitCode, result.Error, result.OutputLines[0]));
        string file = $"file://{_folder}/c";
        result = await tool.RunAsync("forward", "memory:b", file, "--until-empty", "--batch", "10");
        Assert.Equal((0, "", $"2 forwarded from memory:b to {file} (at least once), 0 set aside"), (result.ExitCode, result.Error, result.OutputLines[0]));
        Assert.Equal((0, 0, 2), (await tool.CountAsync("memory:a"), await tool.CountAsync("memory:b"), await tool.CountAsync(file)));
    }

    [Fact]
    public async Task What_waited_too_long_is_set_aside_and_said()
    {
        var tool = new Tool();
        await using (QueueClient queue = await tool.Connector.OpenAsync("memory:a"))
            await queue.SendAsync(new QueueMessage { TimeToLive = TimeSpan.FromTicks(1) });
        await Task.Delay(5);
        // The source itself finds it.
        ToolResult result = await tool.RunAsync("forward", "memory:a", "memory:b", "--until-empty", "--dead-letter-queue", "late");
        Assert.Equal(0, result.ExitCode);
        Assert.Equal((0, 1), (await tool.CountAsync("memory:b"), await tool.CountAsync("memory:late")));
    }

    [Fact]
    public async Task Runs_until_it_is_interrupted()
    {
        var tool = new Tool();
        using var interrupt = new CancellationTokenSource();
        await SendAsync(tool, "memory:a");
        Task<ToolResult> run = tool.RunAsync(interrupt.Token, "forward", "memory:a", "memory:b");
        await SendAsync(tool, "memory:a", "1");
        await using (QueueClient target = await tool.Connector.OpenAsync("memory:b"))
            Assert.Equal("1", (await target.ReceiveAsync(TimeSpan.FromSeconds(20)))!.Label);
        await interrupt.CancelAsync();
        ToolResult result = await run;
        Assert.Equal(130, result.ExitCode);
        Assert.Contains("what was not forwarded is in its queue", result.Error, StringComparison.Ordinal);
        Assert.StartsWith("1 forwarded", result.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Says_what_it_waits_for()
    {
        // Another has the folder.
        await using var holder = new FileQueueProvider(new FileQueueOptions { Sharing = FolderSharing.Exclusive });
        string file = $"file://{_folder}/held/a";
        QueueClient held = await holder.OpenAsync(QueueAddress.Parse(file), QueueOptions.Default, default);
        await using var folders = new FileQueueProvider();
        var tool = new Tool(folders);
        await SendAsync(tool, "memory:a", "1");
        Task<ToolResult> run = tool.RunAsync("forward", "memory:a", file, "--until-empty", "--max-back-off", "0.2");
        await Task.Delay(300);
        await held.DisposeAsync();
        await holder.DisposeAsync();
        ToolResult result = await run;
        Assert.Equal(0, result.ExitCode);
        Assert.Contains("one process at a time", result.ErrorLines[0], StringComparison.Ordinal);
        Assert.Contains("Again in 0.1 s.", result.ErrorLines[0], StringComparison.Ordinal);
        Assert.Equal(1, await tool.CountAsync(file));
    }

    [Fact]
    public async Task Source_that_is_not_there_is_refused_and_not_made()
    {
        await using var folders = new FileQueueProvider();
        var tool = new Tool(folders);
        string file = $"file://{_folder}/outbox/orders";
        Directory.CreateDirectory($"{_folder}/empty");
        string inEmpty = $"file://{_folder}/empty/orders";
        foreach (string[] arguments in (string[][])[["forward", file, "memory:b"], ["forward", inEmpty, "memory:b"], ["forward", "memory:nothing", "memory:b", "--until-empty"]])
        {
            ToolResult result = await tool.RunAsync(arguments);
            Assert.Equal((1, $"formatters: There is no queue '{arguments[1]}'."), (result.ExitCode, Assert.Single(result.ErrorLines)));
        }

        Assert.Empty(Directory.EnumerateFileSystemEntries($"{_folder}/empty"));
        await SendAsync(tool, $"file://{_folder}/outbox/other", "1");
        ToolResult other = await tool.RunAsync("forward", file, "memory:b", "--until-empty");
        Assert.Equal((1, $"formatters: There is no queue '{file}'."), (other.ExitCode, Assert.Single(other.ErrorLines)));
        Assert.Empty(await tool.Connector.ListAsync("memory:"));
    }

    [Fact]
    public async Task Queue_to_itself_is_refused()
    {
        ToolResult result = await new Tool().RunAsync("forward", "memory:a", "memory:a");
        Assert.Equal((2, "formatters: 'memory:a' cannot be forwarded to itself."), (result.ExitCode, result.ErrorLines[0]));
    }

    private static async Task SendAsync(Tool tool, string address, params string[] labels)
    {
        await using QueueClient queue = await tool.Connector.OpenAsync(address);
        foreach (string label in labels)
            await queue.SendAsync(new QueueMessage { Label = label });
    }
}
