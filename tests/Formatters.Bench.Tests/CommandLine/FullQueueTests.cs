using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Tests.Support;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Bench.Tests.CommandLine;

/// <summary>Queues with messages of others: none of the verbs that measure touches them unasked.</summary>
public class FullQueueTests
{
    private static readonly string[] Quick = ["--payload", "empty", "--batch", "20", "--rounds", "2", "--timeout", "5", "--seconds-per-case", "0.1"];

    public static TheoryData<string> Measurements => new(
        "compare --quick --formatter hand-coded --queue faulty:q",
        "compare --quick --formatter hand-coded --queue faulty:q --mode transactional",
        "perftest NOTX SENDANDPURGE faulty:q",
        "perftest NOTX SENDANDRECEIVE faulty:a,faulty:q,faulty:z",
        "perftest TX SENDANDRECEIVE faulty:q",
        "perftest NOTX SERVER faulty:q faulty:r",
        "perftest NOTX SERVER faulty:a,q faulty:r",
        "perftest NOTX SERVER faulty:r faulty:q",
        "perftest NOTX CLIENT faulty:q faulty:r",
        "perftest TX CLIENT faulty:r faulty:q",
        "perftest NOTX CLIENT memory:r memory:q",
        "perftest NOTX CLIENT memory:q memory:r",
        "limits memory:a faulty:q --seconds-per-case 0.02 --rounds 1",
        "senders memory:a faulty:q --part tables --mode express --sizes 100 --senders 1 --seconds-per-case 0.02 --rounds 1");

    [Theory]
    [MemberData(nameof(Measurements))]
    public async Task A_queue_that_is_not_empty_is_refused_and_left_as_it_is(string commandLine)
    {
        var tool = new Tool(new FaultyQueueProvider(Fault.None));
        string address = commandLine.Split(' ', ',').First(part => part is "q" || part.EndsWith(":q", StringComparison.Ordinal));
        address = address.Contains(':', StringComparison.Ordinal) ? address : "faulty:" + address;
        await FillAsync(tool, address, 1_200);
        await using QueueClient locking = await tool.Connector.OpenAsync(address);
        ReceivedMessage locked = (await locking.ReceiveAsync(TimeSpan.Zero))!;

        ToolResult result = await tool.RunAsync(Complete(commandLine));

        Assert.Equal(2, result.ExitCode);
        Assert.Contains($"'{address}' holds 1,200 messages, 1 of them locked by a receiver or in a transaction".Replace("faulty:", "memory:", StringComparison.Ordinal), result.Error, StringComparison.Ordinal);
        Assert.Contains("--purge", result.Error, StringComparison.Ordinal);
        await locked.ReturnAsync();
        Assert.Equal(Enumerable.Range(0, 1_200).Select(i => $"{i}"), await DrainAsync(tool, address));
    }

    [Theory]
    [InlineData("compare --quick --formatter hand-coded --queue memory:q", 0)]
    [InlineData("perftest NOTX SENDANDPURGE memory:q", 0)]
    [InlineData("perftest TX SENDANDRECEIVE memory:a,q", 0)]
    [InlineData("perftest NOTX CLIENT memory:q memory:r", 0)]
    [InlineData("perftest NOTX CLIENT memory:r memory:q", 0)]
    [InlineData("limits memory:q --seconds-per-case 0.02 --rounds 1", 0)]
    [InlineData("senders memory:q --mode express --sizes 100 --senders 1 --seconds-per-case 0.02 --rounds 1", 0)]
    [InlineData("compare --quick --formatter hand-coded --queue memory:q", 1)]
    [InlineData("perftest NOTX CLIENT memory:q memory:r", 1)]
    [InlineData("limits memory:q --seconds-per-case 0.02 --rounds 1", 1)]
    [InlineData("senders memory:q --mode express --sizes 100 --senders 1 --seconds-per-case 0.02 --rounds 1", 1)]
    public async Task With_purge_what_is_there_is_deleted_and_said_unless_it_is_locked(string commandLine, int lockedCount)
    {
        var tool = new Tool();
        await FillAsync(tool, "memory:q", 3);
        await using QueueClient locking = await tool.Connector.OpenAsync("memory:q");
        for (int i = 0; i < lockedCount; i++)
            Assert.NotNull(await locking.ReceiveAsync(TimeSpan.Zero));

        ToolResult result = await tool.RunAsync([.. Complete(commandLine), "--purge"]);

        if (lockedCount == 0)
        {
            Assert.True(result.ExitCode == 0, result.Error);
            Assert.Contains("purged: 'memory:q' holds 3 messages", result.Output + result.Error, StringComparison.Ordinal);
            Assert.Equal(0, await tool.CountAsync("memory:q"));
            return;
        }

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("Locked messages cannot be purged", result.Error, StringComparison.Ordinal);
        await locking.DisposeAsync();
        Assert.Equal(["0", "1", "2"], await DrainAsync(tool, "memory:q"));
    }

    [Theory]
    [InlineData("compare --queue slow:q")]
    [InlineData("perftest NOTX SENDANDRECEIVE slow:q")]
    [InlineData("perftest NOTX CLIENT slow:q memory:r")]
    [InlineData("limits slow:q")]
    [InlineData("senders slow:q")]
    public async Task CtrlC_while_the_queue_is_looked_at_deletes_nothing(string commandLine)
    {
        var slow = new SlowCountProvider();
        var tool = new Tool(slow);
        await FillAsync(tool, "slow:q", 3);
        using var stop = new CancellationTokenSource();
        Task<ToolResult> run = tool.RunAsync(stop.Token, Parse(commandLine));
        await slow.Asked;
        await stop.CancelAsync();

        Assert.Equal(130, (await run).ExitCode);
        Assert.Equal(0, slow.Purges);
        Assert.Equal(["0", "1", "2"], await DrainAsync(tool, "slow:q"));
    }

    [Fact]
    public async Task A_client_whose_server_never_comes_takes_back_its_question_and_nothing_else()
    {
        var tool = new Tool(new FaultyQueueProvider(Fault.None));

        ToolResult result = await tool.RunAsync("perftest", "NOTX", "CLIENT", "faulty:q", "faulty:r", "--timeout", "0.1");

        Assert.Equal(1, result.ExitCode);
        Assert.Contains("no answer from a SERVER", result.Error, StringComparison.Ordinal);
        // Not even the end of the conversation: a server that is started now finds its queue empty.
        Assert.Equal(0, await tool.CountAsync("faulty:q"));
    }

    [Fact]
    public async Task What_stands_in_the_folder_of_a_measured_queue_stays()
    {
        string folder = Directory.CreateTempSubdirectory("formatters-limits-").FullName;
        Directory.CreateDirectory(Path.Combine(folder, "recovery"));
        await File.WriteAllTextAsync(Path.Combine(folder, "recovery", "mine"), "mine");
        await File.WriteAllTextAsync(Path.Combine(folder, "flush-rate.tmp"), "mine");
        await using (var files = new FileQueueProvider())
        {
            var tool = new Tool(files);
            await FillAsync(tool, $"file://{folder}/other", 2);

            ToolResult result = await tool.RunAsync(
                ["limits", $"file://{folder}/t", "--senders", "1", "--rounds", "1", "--seconds-per-case", "0.02", "--recovery-mib", "1"]);

            Assert.True(result.ExitCode == 0, result.Error);
            Assert.Equal(2, await tool.CountAsync($"file://{folder}/other"));
        }

        Assert.Equal("mine", await File.ReadAllTextAsync(Path.Combine(folder, "recovery", "mine")));
        Assert.Equal("mine", await File.ReadAllTextAsync(Path.Combine(folder, "flush-rate.tmp")));
        Assert.Equal(["processes", "recovery"], Directory.GetDirectories(folder).Select(path => Path.GetFileName(path)).Order(StringComparer.Ordinal));
        Directory.Delete(folder, recursive: true);
    }

    [PostgresFact]
    public Task Postgres_that_is_not_empty_is_refused() => RefuseAsync(new PostgreSqlQueueProvider(), Broker.NewQueue(Broker.PostgreSql), "holds 3 messages, 1 of them locked");

    /// <summary>RabbitMQ does not say what is locked.</summary>
    [BrokerFact]
    public Task RabbitMq_that_is_not_empty_is_refused() => RefuseAsync(new RabbitMqQueueProvider(), Broker.NewQueue(), "holds 2 messages");

    private static async Task RefuseAsync(QueueProvider provider, string address, string words)
    {
        var tool = new Tool(provider);
        try
        {
            await FillAsync(tool, address, 3);
            await using (QueueClient locking = await tool.Connector.OpenAsync(address, new QueueOptions { PrefetchCount = 1 }))
            {
                Assert.NotNull(await locking.ReceiveAsync(TimeSpan.FromSeconds(20)));
                ToolResult result = await tool.RunAsync(["perftest", "NOTX", "SENDANDRECEIVE", address, .. Quick]);
                Assert.Equal(2, result.ExitCode);
                Assert.Contains(words, result.Error, StringComparison.Ordinal);
            }

            Assert.Equal(["0", "1", "2"], await DrainAsync(tool, address));
        }
        finally
        {
            await tool.Connector.DeleteAsync(address);
        }
    }

    private static string[] Parse(string commandLine) => commandLine.Split(' ');

    private static string[] Complete(string commandLine) => commandLine.StartsWith("perftest", StringComparison.Ordinal) ? [.. Parse(commandLine), .. Quick] : Parse(commandLine);

    private static async Task FillAsync(Tool tool, string address, int count)
    {
        await using QueueClient queue = await tool.Connector.OpenAsync(address);
        for (int i = 0; i < count; i++)
            await queue.SendAsync(new QueueMessage { MessageId = $"{i}" });
    }

    private static async Task<List<string?>> DrainAsync(Tool tool, string address)
    {
        var ids = new List<string?>();
        await using QueueClient queue = await tool.Connector.OpenAsync(address);
        while (await queue.ReceiveAsync(TimeSpan.FromSeconds(1)) is { } message)
        {
            ids.Add(message.MessageId);
            await message.AcknowledgeAsync();
        }

        return ids;
    }

    /// <summary>Queues in memory that take their time to count: until the caller gives up.</summary>
    private sealed class SlowCountProvider : WrappingQueueProvider
    {
        private readonly TaskCompletionSource _asked = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _purges;

        internal SlowCountProvider()
            : base("slow")
        {
        }

        internal Task Asked => _asked.Task;

        internal int Purges => _purges;

        protected override async ValueTask<long> CountAsync(QueueClient queue, CancellationToken cancellationToken)
        {
            _asked.TrySetResult();
            await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
            return 0;
        }

        protected override ValueTask<long> PurgeAsync(QueueClient queue, CancellationToken cancellationToken)
        {
            Interlocked.Increment(ref _purges);
            return base.PurgeAsync(queue, cancellationToken);
        }
    }
}
