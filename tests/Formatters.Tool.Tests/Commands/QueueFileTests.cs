using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Formatters.Queues.Tests;
using Xunit;

namespace Formatters.Tools.Tests.Commands;

/// <summary><c>queue send</c> and <c>queue receive</c>.</summary>
public sealed class QueueFileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-files-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public Task In_memory() => CheckAsync(new Tool(), "memory:");

    [Fact]
    public async Task In_a_folder()
    {
        await using var files = new FileQueueProvider();
        await CheckAsync(new Tool(files), $"file://{_folder}/queues/");
    }

    [BrokerFact]
    public async Task Over_RabbitMQ()
    {
        string queue = Broker.NewQueue();
        await CheckAsync(new Tool(new RabbitMqQueueProvider()), queue[..(queue.LastIndexOf('/') + 1)], Path.GetFileName(queue));
    }

    [PostgresFact]
    public async Task In_PostgreSQL()
    {
        await using TestDatabase database = await TestDatabase.CreateAsync();
        await CheckAsync(new Tool(new PostgreSqlQueueProvider()), database.Address + "/");
    }

    [ServiceBusFact]
    public Task Over_Service_Bus() => CheckAsync(new Tool(ServiceBusPeer.Provider()), "servicebus:", "files-" + Guid.NewGuid().ToString("N"));

    [ServiceBusFact]
    public async Task Over_Service_Bus_what_waits_is_listed_and_dead_letters_return()
    {
        var tool = new Tool(ServiceBusPeer.Provider());
        string queue = "servicebus:listed-" + Guid.NewGuid().ToString("N"), deadLetters = queue + "/$DeadLetterQueue";
        await using (QueueClient handle = await tool.Connector.OpenAsync(queue, new QueueOptions { DeadLetterQueue = "$DeadLetterQueue" }))
        {
            await handle.SendAsync(new QueueMessage(new MessageBody(new byte[] { 1 })));
            await (await handle.ReceiveAsync(TimeSpan.FromSeconds(20)))!.DeadLetterAsync("a reason");
        }

        ToolResult listed = await tool.RunAsync("queue", "list", "servicebus:");
        Assert.Contains(listed.OutputLines, line => line.StartsWith(deadLetters["servicebus:".Length..] + " ", StringComparison.Ordinal));
        Assert.Contains("a reason", (await tool.RunAsync("queue", "peek", deadLetters)).Output, StringComparison.Ordinal);
        ToolResult result = await tool.RunAsync("queue", "requeue", deadLetters, "--to", queue);
        Assert.Equal((0, ""), (result.ExitCode, result.Error));
        Assert.Equal((1, 0), (await tool.CountAsync(queue), await tool.CountAsync(deadLetters)));
        await tool.Connector.DeleteAsync(queue);
    }

    /// <summary>Queues without sessions may have messages of sessions, which other queues need.</summary>
    [ServiceBusFact]
    public async Task Over_Service_Bus_messages_keep_their_sessions()
    {
        var tool = new Tool(ServiceBusPeer.Provider());
        string queue = "servicebus:sessions-" + Guid.NewGuid().ToString("N"), other = queue + "-2", saved = Path.Combine(_folder, "sessions");
        await using (QueueClient handle = await tool.Connector.OpenAsync(queue))
            await handle.SendAsync(new QueueMessage(new MessageBody(new byte[] { 1 })) { SessionId = "customer 17" });

        ToolResult result = await tool.RunAsync("migrate", queue, other, "--to-format", "unchanged");
        Assert.True(result.ExitCode == 0, result.Error + result.Output);
        result = await tool.RunAsync("queue", "receive", other, "--to", saved);
        Assert.True(result.ExitCode == 0, result.Error + result.Output);
        result = await tool.RunAsync("queue", "send", queue, saved);
        Assert.True(result.ExitCode == 0, result.Error + result.Output);
        await using (QueueClient handle = await tool.Connector.OpenAsync(queue, new QueueOptions { DeadLetterQueue = "$DeadLetterQueue" }))
        {
            Assert.Equal("customer 17", Assert.Single(await handle.PeekAsync(new PeekOptions())).SessionId);
            await (await handle.ReceiveAsync(TimeSpan.FromSeconds(20)))!.DeadLetterAsync("a reason");
        }

        await using QueueClient again = await tool.Connector.OpenAsync("memory:again");
        result = await tool.RunAsync("queue", "requeue", queue + "/$DeadLetterQueue", "--to", "memory:again");
        Assert.True(result.ExitCode == 0, result.Error + result.Output);
        Assert.Equal("customer 17", Assert.Single(await again.PeekAsync(new PeekOptions())).Headers["session-id"]);
        await tool.Connector.DeleteAsync(queue);
        await tool.Connector.DeleteAsync(other);
    }

    /// <summary>Messages go to a folder and back, with everything that a file keeps.</summary>
    private async Task CheckAsync(Tool tool, string place, string name = "orders")
    {
        string queue = place + name, saved = Path.Combine(_folder, "saved");
        string body = Path.Combine(_folder, "body.json");
        // A new receiver of Service Bus may take a while to connect.
        string wait = place == "servicebus:" ? "5" : "0.5";
        await File.WriteAllTextAsync(body, "{\"number\": 1}");
        ToolResult result = await tool.RunAsync(
            "queue", "send", queue, body, "--content-type", "application/json", "--label", "first", "--id", "id-1", "--correlation-id", "c-1", "--header", "region=north");
        Assert.Equal((0, ""), (result.ExitCode, result.Error));
        await using (QueueClient sender = await tool.Connector.OpenAsync(queue))
        {
            var message = new QueueMessage(new MessageBody(new byte[] { 0, 255 }, 768)) { MessageId = "id-2" };
            foreach ((string header, object value) in Values)
                message.Headers[header] = value;
            await sender.SendAsync(message);
        }

        result = await tool.RunAsync("queue", "receive", queue, "--all", "--to", saved, "--wait", wait);
        Assert.Equal((0, "", 0), (result.ExitCode, result.Error, await tool.CountAsync(queue)));
        Assert.Equal(["00000001.body", "00000001.body.properties.json", "00000002.body", "00000002.body.properties.json"], Directory.GetFiles(saved).Select(Path.GetFileName).Order());
        Assert.Equal(await File.ReadAllBytesAsync(body), await File.ReadAllBytesAsync(Path.Combine(saved, "00000001.body")));

        result = await tool.RunAsync("queue", "send", queue, saved);
        Assert.Equal((0, ""), (result.ExitCode, result.Error));
        await using QueueClient receiver = await tool.Connector.OpenAsync(queue);
        ReceivedMessage first = (await receiver.ReceiveAsync(TimeSpan.FromSeconds(20)))!, second = (await receiver.ReceiveAsync(TimeSpan.FromSeconds(20)))!;
        Assert.Equal(("id-1", "first", "c-1", "application/json", "north"), (first.MessageId, first.Label, first.CorrelationId, first.Body.ContentType, first.Headers["region"]));
        Assert.Equal(("id-2", 768), (second.MessageId, second.Body.BodyType));
        Assert.Equal([0, 255], second.Body.ToArray());
        Assert.All(Values, pair => Assert.Equal(pair.Value, second.Headers[pair.Name]));
        await receiver.DisposeAsync();
        await tool.Connector.DeleteAsync(queue);
    }

    private static readonly (string Name, object Value)[] Values = [("text", "é\"\n"), ("yes", true), ("int", int.MinValue), ("long", long.MaxValue), ("double", 0.1), ("bytes", new byte[] { 1, 255 })];

    [Fact]
    public async Task Receive_of_one_message_is_a_file_and_leaves_the_others()
    {
        var tool = new Tool();
        string to = Path.Combine(_folder, "one");
        await SendAsync(tool, [1], [2]);

        ToolResult result = await tool.RunAsync("queue", "receive", "memory:a", "--to", to);
        Assert.Equal((0, "1 message received from memory:a"), (result.ExitCode, result.OutputLines[0]));
        Assert.Equal([1], await File.ReadAllBytesAsync(to));
        Assert.Equal(1, await tool.CountAsync("memory:a"));

        // A file that exists is not overwritten, and the message stays.
        result = await tool.RunAsync("queue", "receive", "memory:a", "--to", to);
        Assert.Equal((2, 1), (result.ExitCode, await tool.CountAsync("memory:a")));
        Assert.Equal([1], await File.ReadAllBytesAsync(to));
    }

    [Fact]
    public async Task Receive_continues_after_the_files_that_are_there()
    {
        var tool = new Tool();
        string to = Path.Combine(_folder, "saved");
        await SendAsync(tool, [1], [2], [3]);
        Assert.Equal(0, (await tool.RunAsync("queue", "receive", "memory:a", "--to", to, "--count", "2", "--wait", "0")).ExitCode);
        Assert.Equal(0, (await tool.RunAsync("queue", "receive", "memory:a", "--to", to, "--all", "--wait", "0")).ExitCode);
        Assert.Equal([1, 2, 3], Directory.GetFiles(to, "*.body").Order().SelectMany(File.ReadAllBytes));
    }

    [Fact]
    public async Task Receive_with_a_selector_leaves_the_others()
    {
        var tool = new Tool();
        await using (QueueClient queue = await tool.Connector.OpenAsync("memory:a"))
        {
            foreach (string region in new[] { "north", "south" })
                await queue.SendAsync(new QueueMessage { Headers = { ["region"] = region } });
        }

        string to = Path.Combine(_folder, "south");
        Assert.Equal(0, (await tool.RunAsync("queue", "receive", "memory:a", "--to", to, "--selector", "region = 'south'")).ExitCode);
        Assert.Contains("\"south\"", await File.ReadAllTextAsync(to + ".properties.json"), StringComparison.Ordinal);
        Assert.Equal(1, await tool.CountAsync("memory:a"));
    }

    [Fact]
    public async Task Receive_into_a_place_that_cannot_be_written_leaves_the_message()
    {
        var tool = new Tool();
        await SendAsync(tool, [1]);
        ToolResult result = await tool.RunAsync("queue", "receive", "memory:a", "--to", Path.Combine(_folder, "no", "folder", "x"));
        Assert.Equal((2, 1), (result.ExitCode, await tool.CountAsync("memory:a")));
        // The disk refuses the body after the message was received.
        result = await tool.RunAsync("queue", "receive", "memory:a", "--to", "/dev/full");
        Assert.Equal((1, 1), (result.ExitCode, await tool.CountAsync("memory:a")));
    }

    [Theory]
    [InlineData("not json")]
    [InlineData("null")]
    [InlineData("{\"headers\": [{\"name\": \"a\", \"type\": \"date\", \"value\": \"1\"}]}")]
    [InlineData("{\"headers\": [{\"name\": \"a\", \"type\": \"int\", \"value\": \"x\"}]}")]
    [InlineData("{\"priority\": 10}")]
    public async Task Send_with_bad_properties_names_the_file_and_sends_nothing(string properties)
    {
        var tool = new Tool();
        await File.WriteAllBytesAsync(Path.Combine(_folder, "0.body"), [0]);
        await File.WriteAllBytesAsync(Path.Combine(_folder, "1.body"), [1]);
        await File.WriteAllTextAsync(Path.Combine(_folder, "1.body.properties.json"), properties);
        ToolResult result = await tool.RunAsync("queue", "send", "memory:a", _folder);
        Assert.Equal(2, result.ExitCode);
        Assert.Contains("1.body.properties.json", Assert.Single(result.ErrorLines), StringComparison.Ordinal);
        Assert.Equal(0, await tool.CountAsync("memory:a"));
    }

    [Fact]
    public async Task Receive_does_not_replace_properties()
    {
        var tool = new Tool();
        await SendAsync(tool, [1]);
        string to = Path.Combine(_folder, "order");
        await File.WriteAllTextAsync(to + ".properties.json", "mine");
        Assert.Equal(2, (await tool.RunAsync("queue", "receive", "memory:a", "--to", to)).ExitCode);
        Assert.Equal(("mine", 1), (await File.ReadAllTextAsync(to + ".properties.json"), await tool.CountAsync("memory:a")));
    }

    /// <summary>Two runs into one folder take different numbers.</summary>
    [Fact]
    public async Task Receives_into_one_folder_lose_nothing()
    {
        var tool = new Tool();
        string to = Path.Combine(_folder, "saved");
        await SendAsync(tool, Enumerable.Range(0, 60).Select(static i => new[] { (byte)i }));
        ToolResult[] results = await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => tool.RunAsync("queue", "receive", "memory:a", "--to", to, "--all", "--wait", "0.2")));
        Assert.All(results, static result => Assert.Equal((0, ""), (result.ExitCode, result.Error)));
        Assert.Equal(Enumerable.Range(0, 60).Select(static i => (byte)i), Directory.GetFiles(to, "*.body").SelectMany(File.ReadAllBytes).Order());
    }

    /// <summary>A run that was killed leaves a file under a temporary name.</summary>
    [Fact]
    public async Task Send_of_a_folder_leaves_out_temporary_files()
    {
        var tool = new Tool();
        await File.WriteAllBytesAsync(Path.Combine(_folder, "1.body"), [1]);
        await File.WriteAllBytesAsync(Path.Combine(_folder, ".2.body.0123.tmp"), [2]);
        Assert.Equal(0, (await tool.RunAsync("queue", "send", "memory:a", _folder)).ExitCode);
        Assert.Equal(1, await tool.CountAsync("memory:a"));
    }

    private static async Task SendAsync(Tool tool, params IEnumerable<byte[]> bodies)
    {
        await using QueueClient queue = await tool.Connector.OpenAsync("memory:a");
        foreach (byte[] body in bodies)
            await queue.SendAsync(new QueueMessage(new MessageBody(body)));
    }
}
