using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Tools.Tests.Commands;

/// <summary>The verb <c>queue</c>.</summary>
public sealed class QueueCommandTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-queue-verb-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task List_prints_a_line_for_each_queue_and_writes_JSON()
    {
        var tool = new Tool();
        await SendAsync(tool, "memory:orders", "1", "2", "3");
        await SendAsync(tool, "memory:a b", []);
        await using QueueClient orders = await tool.Connector.OpenAsync("memory:orders");
        Assert.NotNull(await orders.ReceiveAsync(TimeSpan.Zero));
        string json = Path.Combine(_folder, "queues.json");

        ToolResult result = await tool.RunAsync("queue", "list", "memory:", "--json", json);

        Assert.Equal((0, ""), (result.ExitCode, result.Error));
        Assert.Equal("queue                   waiting    locked        oldest", result.OutputLines[0]);
        Assert.Matches(@"^a b +0 +0 +-$", result.OutputLines[2]);
        Assert.Matches(@"^orders +2 +1 +\d\.\d s$", result.OutputLines[3]);
        using JsonDocument document = JsonDocument.Parse(await File.ReadAllTextAsync(json));
        Assert.Equal(Tool.Now, document.RootElement.GetProperty("at").GetDateTimeOffset());
        JsonElement second = document.RootElement.GetProperty("queues")[1];
        Assert.Equal(("memory:orders", "orders", 2, 1), (second.GetProperty("address").GetString(), second.GetProperty("name").GetString(), second.GetProperty("messageCount").GetInt32(), second.GetProperty("lockedCount").GetInt32()));
        Assert.InRange(second.GetProperty("oldestSeconds").GetDouble(), 0, 60);
    }

    /// <summary>Every option that takes a file to write: - is the standard output, and what is meant for a person goes to the error output.</summary>
    [Theory]
    [InlineData("queue", "list", "file:{0}/", "--json", "-")]
    [InlineData("queue", "peek", "file:{0}/a", "--json", "-")]
    [InlineData("queue", "verify", "file:{0}/", "--json", "-")]
    [InlineData("queue", "requeue", "file:{0}/dead", "--json", "-")]
    public async Task A_dash_is_the_standard_output(params string[] args)
    {
        string folder = Path.Combine(_folder, "queues");
        await using (var files = new FileQueueProvider())
        {
            await using QueueClient queue = await new QueueConnector(files).OpenAsync($"file:{folder}/a", new QueueOptions { DeliveryMode = DeliveryMode.Recoverable });
            await queue.SendAsync(new QueueMessage(new MessageBody(new byte[] { 1 })));
            await using QueueClient dead = await new QueueConnector(files).OpenAsync($"file:{folder}/dead", new QueueOptions { DeliveryMode = DeliveryMode.Recoverable });
        }

        var start = new System.Diagnostics.ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = _folder };
        Array.ForEach([typeof(Tools.CommandLine.UsageException).Assembly.Location, .. args.Select(arg => arg.Replace("{0}", folder, StringComparison.Ordinal))], start.ArgumentList.Add);
        using System.Diagnostics.Process process = System.Diagnostics.Process.Start(start)!;
        Task<string> error = process.StandardError.ReadToEndAsync();
        using JsonDocument document = JsonDocument.Parse(await process.StandardOutput.ReadToEndAsync());
        Assert.Equal(JsonValueKind.Object, document.RootElement.ValueKind);
        Assert.NotEqual("", await error);
        await process.WaitForExitAsync();
        Assert.Equal((0, false), (process.ExitCode, File.Exists(Path.Combine(_folder, "-"))));
    }

    [Fact]
    public async Task List_of_a_queue_that_is_not_there_fails_and_makes_none()
    {
        var tool = new Tool(new FileQueueProvider());
        ToolResult result = await tool.RunAsync("queue", "list", "memory:nothing");
        Assert.Equal((1, "formatters: There is no queue 'memory:nothing'."), (result.ExitCode, Assert.Single(result.ErrorLines)));
        Assert.Empty(await tool.Connector.ListAsync("memory:"));

        result = await tool.RunAsync("queue", "list", "memory:");
        Assert.Equal((0, "There are no queues."), (result.ExitCode, result.OutputLines[0]));
        result = await tool.RunAsync("queue", "verify", "postgres://user:secret@host/db/orders");
        Assert.Equal((2, "formatters: 'postgres:' is not a folder: only queues in a folder (file:) have a log to read."), (result.ExitCode, result.ErrorLines[0]));

        result = await tool.RunAsync("queue", "list", $"file:{_folder}/none/");
        Assert.Equal(1, result.ExitCode);
        Assert.Contains("is not a folder of queues", Assert.Single(result.ErrorLines), StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFileSystemEntries(_folder));
    }

    [Fact]
    public async Task Verify_says_what_is_damaged_and_salvage_copies_what_is_not()
    {
        string source = Path.Combine(_folder, "source");
        await using (var provider = new FileQueueProvider())
        {
            var sender = new Tool(provider);
            foreach (string body in new[] { "1", "2", "3" })
                await SendAsync(sender, $"file:{source}/orders", body);
        }

        var tool = new Tool(new FileQueueProvider());

        ToolResult result = await tool.RunAsync("queue", "verify", $"file:{source}/");
        Assert.Equal((0, ""), (result.ExitCode, result.Error));
        Assert.Equal("The log is whole.", result.OutputLines[0]);
        Assert.Contains("3  in orders", result.Output, StringComparison.Ordinal);

        string segment = Path.Combine(source, "0000000000000001.log");
        byte[] bytes = await File.ReadAllBytesAsync(segment);
        // The last block closes the log; the two before it are the third and the second message.
        int[] blocks = [.. Enumerable.Range(8, (bytes.Length / 512) - 8).Select(sector => sector * 512).Where(at => bytes.AsSpan(at, 4).SequenceEqual("FMTB"u8))];
        int offset = blocks[^3];
        bytes[offset + 40] ^= 1;
        await File.WriteAllBytesAsync(segment, bytes);
        string json = Path.Combine(_folder, "verify.json");
        result = await tool.RunAsync("queue", "verify", source, "--json", json);
        Assert.Equal((1, ""), (result.ExitCode, result.Error));
        Assert.Contains($"0000000000000001.log, offset {offset}: damaged: a block is not whole (1 block lost)", Unwrapped(result), StringComparison.Ordinal);
        Assert.Contains("lost at most: the messages numbered 2", Unwrapped(result), StringComparison.Ordinal);
        using JsonDocument document = JsonDocument.Parse(await File.ReadAllTextAsync(json));
        Assert.Equal((false, 2, offset), (
            document.RootElement.GetProperty("isWhole").GetBoolean(),
            document.RootElement.GetProperty("messageCount").GetInt32(),
            document.RootElement.GetProperty("findings")[0].GetProperty("offset").GetInt32()));

        string target = Path.Combine(_folder, "target");
        result = await tool.RunAsync("queue", "salvage", $"file:{source}/", $"file:{target}/");
        Assert.Equal((1, ""), (result.ExitCode, result.Error));
        Assert.Contains("2 messages copied", result.Output, StringComparison.Ordinal);
        Assert.Equal(bytes, await File.ReadAllBytesAsync(segment));
        result = await tool.RunAsync("queue", "list", $"file:{target}/");
        Assert.Equal(0, result.ExitCode);
        Assert.Matches("orders +2 ", result.Output);
        result = await tool.RunAsync("queue", "salvage", source, target);
        Assert.Equal(2, result.ExitCode);
        Assert.Contains("is not empty", Assert.Single(result.ErrorLines), StringComparison.Ordinal);
        result = await tool.RunAsync("queue", "verify", Path.Combine(_folder, "none"));
        Assert.Equal(2, result.ExitCode);
        Assert.Contains("There is no folder", Assert.Single(result.ErrorLines), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Peek_says_when_a_lock_ends()
    {
        var tool = new Tool { Clock = TimeProvider.System };
        await SendAsync(tool, "memory:leased", "1");
        await using QueueClient queue = await tool.Connector.OpenAsync("memory:leased", QueueOptions.Fastest with { ReceiveMode = ReceiveMode.PeekLock, LeaseDuration = TimeSpan.FromDays(1) });
        Assert.NotNull(await queue.ReceiveAsync(TimeSpan.Zero));

        ToolResult result = await tool.RunAsync("queue", "peek", "memory:leased");

        Assert.Equal(0, result.ExitCode);
        Assert.Matches(@"locked (1 d|2?\d:\d\d:\d\d)", result.Output);
    }

    [Fact]
    public async Task Folder_that_another_process_has_for_itself_is_shown_from_its_log()
    {
        string folder = $"file:{Path.Combine(_folder, "open")}/";
        await using var owner = new FileQueueProvider(new FileQueueOptions { Sharing = FolderSharing.Exclusive });
        var connector = new QueueConnector(owner);
        await using QueueClient orders = await connector.OpenAsync($"{folder}orders", new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, DeadLetterQueue = "dead" });
        foreach (string text in new[] { "1", "2", "3" })
            await orders.SendAsync(new QueueMessage(new MessageBody(Encoding.UTF8.GetBytes(text))));
        await (await orders.ReceiveAsync(TimeSpan.Zero))!.DeadLetterAsync("bad-address", "no such street");
        var tool = new Tool(new FileQueueProvider());

        ToolResult result = await tool.RunAsync("queue", "list", folder);
        Assert.Equal(0, result.ExitCode);
        Assert.Matches("orders +2 +- +-", result.Output);
        Assert.Contains("Its log was read without", result.Error, StringComparison.Ordinal);

        result = await tool.RunAsync("queue", "peek", $"{folder}dead", "--body");
        Assert.Equal(0, result.ExitCode);
        Assert.Contains("bad-address: no such street (from ", result.Output, StringComparison.Ordinal);
        result = await tool.RunAsync("queue", "peek", $"{folder}orders", "--count", "1", "--body");
        Assert.Contains("There may be more: --after ", result.Output, StringComparison.Ordinal);
        string position = result.Output.Trim().Split(' ')[^1];
        result = await tool.RunAsync("queue", "peek", $"{folder}orders", "--after", position, "--body");
        Assert.Equal(0, result.ExitCode);
        Assert.DoesNotContain(position, result.Output, StringComparison.Ordinal);
        result = await tool.RunAsync("queue", "peek", $"{folder}orders", "--after", "x");
        Assert.Equal(2, result.ExitCode);
        result = await tool.RunAsync("inspect", "--queue", $"{folder}orders");
        Assert.Equal(0, result.ExitCode);
        Assert.Equal(2, result.OutputLines.Count(line => line.StartsWith("//", StringComparison.Ordinal)));

        result = await tool.RunAsync("queue", "peek", $"{folder}none");
        Assert.Equal(1, result.ExitCode);
        Assert.Contains("one process at a time", result.Error, StringComparison.Ordinal);
        result = await tool.RunAsync("queue", "purge", $"{folder}orders");
        Assert.Equal(1, result.ExitCode);
        Assert.Equal(2, await orders.GetMessageCountAsync());
    }

    [Theory]
    [InlineData(0.4, "0.4 s")]
    [InlineData(59, "59 s")]
    [InlineData(61, "0:01:01")]
    [InlineData(3 * 86_400 + 2 * 3_600 + 5 * 60 + 9, "3 d 2:05:09")]
    public void Ages_are_short(double seconds, string text) => Assert.Equal(text, Formatters.Tools.Queues.QueueList.AgeOf(TimeSpan.FromSeconds(seconds)));

    [Fact]
    public async Task Peek_shows_messages_and_why_dead_ones_are_and_leaves_them()
    {
        var tool = new Tool();
        await MakeDeadLettersAsync(tool, "memory:", "orders", "{\"a\": 1}", "{\"a\": 2}", "{\"a\":");
        string json = Path.Combine(_folder, "peek.json");

        ToolResult result = await tool.RunAsync("queue", "peek", "memory:dead", "--count", "2", "--body", "--json", json);

        Assert.Equal((0, ""), (result.ExitCode, result.Error));
        Assert.Matches(@"^\S+ +id-0 +\S+( s)? +8 +0 +ready +dead: test$", result.OutputLines[2]);
        Assert.Contains("\"a\": 1", result.Output, StringComparison.Ordinal);
        using JsonDocument document = JsonDocument.Parse(await File.ReadAllTextAsync(json));
        string next = document.RootElement.GetProperty("next").GetString()!;
        Assert.Contains($"There may be more: --after {next}", result.Output, StringComparison.Ordinal);
        JsonElement first = document.RootElement.GetProperty("messages")[0];
        Assert.Equal(("id-0", "test", "for the test", "orders"), (
            first.GetProperty("messageId").GetString(), first.GetProperty("deadLetterReason").GetString(), first.GetProperty("deadLetterDescription").GetString(), first.GetProperty("deadLetterSource").GetString()));
        Assert.Equal("value", first.GetProperty("headers").GetProperty("own").GetString());
        Assert.Equal("{\"a\": 1}", Encoding.UTF8.GetString(first.GetProperty("body").GetBytesFromBase64()));
        result = await tool.RunAsync("queue", "peek", "memory:dead", "--after", next);
        Assert.Equal(0, result.ExitCode);
        Assert.Contains("id-2", result.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("id-1", result.Output, StringComparison.Ordinal);
        Assert.Equal(3, await tool.CountAsync("memory:dead"));
        result = await tool.RunAsync("queue", "peek", "memory:dead", "--after", "here");
        Assert.Equal(2, result.ExitCode);
        Assert.Equal(1, (await tool.RunAsync("queue", "peek", "memory:none")).ExitCode);
    }

    [Fact]
    public async Task Peek_tells_what_is_locked_or_for_later()
    {
        var tool = new Tool();
        await SendAsync(tool, "memory:q", "1", "2");
        await using QueueClient queue = await tool.Connector.OpenAsync("memory:q");
        await queue.SendAsync(new QueueMessage { DueTime = DateTimeOffset.UtcNow.AddYears(100), Label = "much later" });
        Assert.NotNull(await queue.ReceiveAsync(TimeSpan.Zero));

        ToolResult result = await tool.RunAsync("queue", "peek", "memory:q");
        Assert.Equal(0, result.ExitCode);
        Assert.Contains(" locked", result.OutputLines[2], StringComparison.Ordinal);
        Assert.Contains(" ready", result.OutputLines[3], StringComparison.Ordinal);
        Assert.Matches("later +much later$", result.OutputLines[4]);
        result = await tool.RunAsync("queue", "peek", "memory:q", "--ready");
        Assert.Equal(4, result.OutputLines.Length);
        result = await tool.RunAsync("queue", "peek", "memory:q", "--selector", "JMSType = 'x'");
        Assert.Equal((0, 3), (result.ExitCode, result.OutputLines.Length));
    }

    [BrokerFact]
    public async Task Peek_over_RabbitMQ_is_refused()
    {
        var tool = new Tool(new RabbitMqQueueProvider());
        string address = Broker.NewQueue();
        await SendAsync(tool, address, "1");
        try
        {
            ToolResult result = await tool.RunAsync("queue", "peek", address);
            Assert.Equal(2, result.ExitCode);
            Assert.Contains("--return", Assert.Single(result.ErrorLines), StringComparison.Ordinal);
        }
        finally
        {
            await tool.Connector.DeleteAsync(address);
        }
    }

    [PostgresFact]
    public async Task Peek_in_PostgreSQL()
    {
        var tool = new Tool(new PostgreSqlQueueProvider());
        string address = Broker.NewQueue(Broker.PostgreSql);
        await SendAsync(tool, address, "1", "2");
        try
        {
            ToolResult result = await tool.RunAsync("queue", "peek", address);
            Assert.Equal((0, ""), (result.ExitCode, result.Error));
            Assert.Equal(2, result.OutputLines.Count(line => line.Contains(" ready", StringComparison.Ordinal)));
        }
        finally
        {
            await tool.Connector.DeleteAsync(address);
        }
    }

    [Fact]
    public async Task Purge_deletes_what_is_not_locked_in_queues_that_are_there()
    {
        var tool = new Tool();
        await SendAsync(tool, "memory:a", "1", "2", "3");
        await SendAsync(tool, "memory:b", "1");
        await using QueueClient a = await tool.Connector.OpenAsync("memory:a");
        Assert.NotNull(await a.ReceiveAsync(TimeSpan.Zero));

        ToolResult result = await tool.RunAsync("queue", "purge", "memory:a", "memory:b", "memory:c");
        Assert.Equal(1, result.ExitCode);
        Assert.Contains("There is no queue 'memory:c'", result.Error, StringComparison.Ordinal);
        Assert.Equal((2, 1), (await tool.CountAsync("memory:a"), await tool.CountAsync("memory:b")));
        result = await tool.RunAsync("queue", "purge", "memory:a", "memory:b");
        Assert.Equal((0, "memory:a: 2 messages deleted; 1 is locked, and stays\nmemory:b: 1 message deleted\n"), (result.ExitCode, result.Output.ReplaceLineEndings("\n")));
        Assert.Equal((0, 0), (await tool.CountAsync("memory:a"), await tool.CountAsync("memory:b")));
    }

    [Fact]
    public async Task Purge_of_a_place_is_refused()
    {
        await using var files = new FileQueueProvider();
        var tool = new Tool(files);
        string queue = $"file:{_folder}/{Path.GetFileName(_folder)}";
        await SendAsync(tool, queue, "1");
        // The folder's only queue has the folder's name: it is not taken for it.
        ToolResult result = await tool.RunAsync("queue", "purge", $"file:{_folder}/");
        Assert.Equal(2, result.ExitCode);
        Assert.Contains("is the address of a location", result.Error, StringComparison.Ordinal);
        result = await tool.RunAsync("queue", "purge", $"file:{_folder}");
        Assert.Equal(2, result.ExitCode);
        Assert.Equal(1, await tool.CountAsync(queue));
    }

    [Fact]
    public Task Requeue_in_memory() => RequeueAsync(new MemoryQueueProvider(), "memory:", "-");

    [Fact]
    public async Task Requeue_in_a_folder()
    {
        await using var files = new FileQueueProvider();
        await RequeueAsync(files, $"file:{_folder}/", "x");
    }

    [BrokerFact]
    public Task Requeue_over_RabbitMQ() =>
        RequeueAsync(new RabbitMqQueueProvider(new RabbitMqOptions { DeadLetters = RabbitMqDeadLetters.ByReceiver }), Broker.NewQueue() + "-", "x");

    [PostgresFact]
    public Task Requeue_in_PostgreSQL() => RequeueAsync(new PostgreSqlQueueProvider(), Broker.NewQueue(Broker.PostgreSql) + "-", "x");

    [Fact]
    public async Task Requeue_leaves_what_is_not_a_dead_letter_or_whose_queue_is_gone()
    {
        var tool = new Tool();
        await MakeDeadLettersAsync(tool, "memory:", "gone", "1");
        await SendAsync(tool, "memory:dead", "no dead letter");
        await MakeDeadLettersAsync(tool, "memory:", "orders", "2");
        await tool.Connector.DeleteAsync("memory:gone");

        ToolResult result = await tool.RunAsync("queue", "requeue", "memory:dead");

        Assert.Equal(1, result.ExitCode);
        Assert.Contains("1 of 3 messages sent back", result.Output, StringComparison.Ordinal);
        Assert.Contains("left: there is no queue 'memory:gone': name a queue with --to", result.Output, StringComparison.Ordinal);
        Assert.Contains("left: not a dead letter", result.Output, StringComparison.Ordinal);
        Assert.Equal(["1", "no dead letter"], await DrainAsync(tool, "memory:dead"));
        Assert.Equal(["2"], await DrainAsync(tool, "memory:orders"));
        Assert.Equal(["memory:dead", "memory:orders"], (await tool.Connector.ListAsync("memory:")).Select(queue => queue.Address.ToString()));
    }

    [Fact]
    public async Task Requeue_of_a_reason_and_a_number_to_another_queue()
    {
        var tool = new Tool();
        await MakeDeadLettersAsync(tool, "memory:", "orders", "1", "2", "3");
        await MakeDeadLettersAsync(tool, "memory:", "orders", "other", reason: "bad");
        await SendAsync(tool, "memory:again", []);
        string json = Path.Combine(_folder, "report.json");

        ToolResult result = await tool.RunAsync("queue", "requeue", "memory:dead", "--reason", "test", "--limit", "2", "--to", "memory:again", "--json", json);

        Assert.Equal((0, ""), (result.ExitCode, result.Error));
        Assert.Equal(["1", "2"], await DrainAsync(tool, "memory:again"));
        result = await tool.RunAsync("queue", "requeue", "memory:dead", "--reason", "bad", "--to", "memory:again", "--json", json);
        Assert.Equal(0, result.ExitCode);
        Assert.Equal(["3"], await DrainAsync(tool, "memory:dead"));
        Assert.Equal(["other"], await DrainAsync(tool, "memory:again"));
        using JsonDocument document = JsonDocument.Parse(await File.ReadAllTextAsync(json));
        Assert.Equal(1, document.RootElement.GetProperty("requeuedCount").GetInt32());
        Assert.Equal(1, document.RootElement.GetProperty("requeued").GetProperty("memory:again").GetInt32());
        Assert.Equal(1, document.RootElement.GetProperty("kept").GetProperty("reason test").GetInt32());
    }

    [Fact]
    public async Task Requeue_that_is_interrupted_has_moved_whole_messages()
    {
        var tool = new Tool();
        await MakeDeadLettersAsync(tool, "memory:", "orders", [.. Enumerable.Range(0, 50).Select(i => $"{i}")]);
        using var stop = new CancellationTokenSource();
        await stop.CancelAsync();

        ToolResult result = await tool.RunAsync(stop.Token, "queue", "requeue", "memory:dead");

        Assert.Equal(130, result.ExitCode);
        Assert.Contains("what was not sent back is in the dead-letter queue", result.Error, StringComparison.Ordinal);
        Assert.Equal(50, await tool.CountAsync("memory:orders") + await tool.CountAsync("memory:dead"));
    }

    private static async Task RequeueAsync(QueueProvider provider, string place, string prefix)
    {
        var tool = new Tool(provider is MemoryQueueProvider ? [] : [provider]);
        string orders = prefix + "orders, new";
        await MakeDeadLettersAsync(tool, place, orders, [.. Enumerable.Range(0, 5).Select(i => $"{i}")]);
        string dead = place + "dead";
        string ordersAddress = place + Uri.EscapeDataString(orders);
        try
        {
            ToolResult result = await tool.RunAsync("queue", "requeue", dead);

            Assert.Equal((0, ""), (result.ExitCode, result.Error));
            Assert.StartsWith("5 of 5 messages sent back", result.Output, StringComparison.Ordinal);
            Assert.Equal(0, Assert.Single(await tool.Connector.ListAsync(dead)).MessageCount);
            await using QueueClient queue = await tool.Connector.OpenAsync(ordersAddress, QueueOptions.Fastest);
            for (int i = 0; i < 5; i++)
            {
                ReceivedMessage message = (await queue.ReceiveAsync(TimeSpan.FromSeconds(20)))!;
                Assert.Equal(($"{i}", $"id-{i}", "label", "value", null), (Encoding.UTF8.GetString(message.Body.ToArray()), message.MessageId, message.Label, message.Headers["own"], message.DeadLetterReason));
            }
        }
        finally
        {
            await tool.Connector.DeleteAsync(dead);
            await tool.Connector.DeleteAsync(ordersAddress);
        }
    }

    private static Task MakeDeadLettersAsync(Tool tool, string place, string name, params string[] texts) => MakeDeadLettersAsync(tool, place, name, texts, "test");

    private static Task MakeDeadLettersAsync(Tool tool, string place, string name, string text, string reason) => MakeDeadLettersAsync(tool, place, name, [text], reason);

    private static async Task MakeDeadLettersAsync(Tool tool, string place, string name, string[] texts, string reason)
    {
        string deadName = QueueAddress.Parse(place + "dead").QueueName;
        await using QueueClient queue = await tool.Connector.OpenAsync(place + Uri.EscapeDataString(name), new QueueOptions { DeadLetterQueue = deadName });
        for (int i = 0; i < texts.Length; i++)
        {
            await queue.SendAsync(new QueueMessage(new MessageBody(Encoding.UTF8.GetBytes(texts[i]))) { MessageId = $"id-{i}", Label = "label", Headers = { ["own"] = "value" } });
            await (await queue.ReceiveAsync(TimeSpan.FromSeconds(20)))!.DeadLetterAsync(reason, "for the test");
        }
    }

    private static string Unwrapped(ToolResult result) => string.Join(' ', result.Output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));

    private static async Task SendAsync(Tool tool, string address, params string[] texts)
    {
        await using QueueClient queue = await tool.Connector.OpenAsync(address);
        foreach (string text in texts)
            await queue.SendAsync(new QueueMessage(new MessageBody(Encoding.UTF8.GetBytes(text))));
    }

    private static async Task<List<string>> DrainAsync(Tool tool, string address)
    {
        await using QueueClient queue = await tool.Connector.OpenAsync(address, QueueOptions.Fastest);
        var texts = new List<string>();
        while (await queue.ReceiveAsync(TimeSpan.Zero) is { } message)
            texts.Add(Encoding.UTF8.GetString(message.Body.ToArray()));
        return texts;
    }
}
