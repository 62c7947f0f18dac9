using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Formatters.LegacyBinary;
using Formatters.Tools.Migrate;
using Formatters.Orders;
using Formatters.Queues;
using Xunit;

namespace Formatters.Tools.Tests.Migrate;

public sealed class MigrateTests
{
    private const string Source = "memory:old";
    private const string Destination = "memory:new";
    private const string Errors = "memory:errors";

    private static readonly string[] OrderTypes = ["--assembly", typeof(Order).Assembly.Location, "--type", "Formatters.Orders.Order", "--type", "Formatters.Orders.LineItem"];

    private readonly Tool _tool = new();

    [Theory]
    [InlineData("binary")]
    [InlineData("legacy-binary")]
    [InlineData("xml")]
    public async Task A_queue_of_mixed_bodies_becomes_one_format_in_its_order(string format)
    {
        IMessageFormatter[] senders =
        [
            new XmlFormatter(typeof(Order)),
            new LegacyBinaryFormatter<Order>(LegacyBinaryOptions.Default.WithType(typeof(LineItem))),
            new BinaryBodyFormatter<Order>(),
        ];
        var sent = new List<QueueMessage>();
        for (int i = 0; i < 30; i++)
        {
            var message = new QueueMessage { Label = $"order {i}", MessageId = $"id-{i}", CorrelationId = "of this", ResponseQueue = "memory:answers", Headers = { ["n"] = i } };
            senders[i % senders.Length].Write(message.Body, SampleOrders.Create(seed: i, lineItemCount: i % 5));
            if (i % 6 < 2)
            {
                // As over a transport that says nothing of the body.
                message.Body.BodyType = 0;
                message.Body.ContentType = null;
            }

            sent.Add(message);
        }

        await SendAsync(Source, sent);

        ToolResult result = await RunAsync([Source, Destination, .. OrderTypes, "--to-format", format]);

        Assert.True(result.ExitCode == 0, result.Error);
        // One line, and on a slow machine how far it is.
        Assert.Equal("migrating ...", result.ErrorLines[0]);
        Assert.All(result.ErrorLines, static line => Assert.StartsWith("migrating ", line, StringComparison.Ordinal));
        Assert.Contains("30 moved", result.Output, StringComparison.Ordinal);
        Assert.True(result.LongestLine <= 80, result.Output);
        Assert.All(new[] { "read as xml", "read as legacy-binary", "read as binary" }, words => Assert.Contains(words, result.Output, StringComparison.Ordinal));
        List<ReceivedMessage> moved = await TakeAsync(Destination);
        Assert.Equal(sent.Select(Properties), moved.Select(Properties));
        IMessageFormatter reader = senders.Single(sender => sender.CanRead(moved[0].Body));
        Assert.All(moved, (message, i) => Assert.True(((Order)reader.Read(message.Body)!).ContentEquals(SampleOrders.Create(seed: i, lineItemCount: i % 5))));
        Assert.Equal(0, await _tool.CountAsync(Source));
    }

    [Fact]
    public async Task ActiveX_bodies_need_no_type()
    {
        var formatter = new ActiveXFormatter();
        await SendAsync(Source, [.. new object[] { "text", 7, 1.5m }.Select(value => Written(formatter, value))]);

        ToolResult result = await RunAsync(Source, Destination, "--to-format", "activex");

        Assert.True(result.ExitCode == 0, result.Error);
        Assert.Equal(new object?[] { "text", 7, 1.5m }, (await TakeAsync(Destination)).Select(message => formatter.Read(message.Body)));
    }

    [Fact]
    public async Task What_cannot_be_read_goes_to_the_error_queue_unchanged_and_with_its_reason()
    {
        byte[] cut = new LegacyBinaryFormatter<int>().Write(42)[..^3];
        QueueMessage[] bad =
        [
            new(new MessageBody(cut, 768, null)) { MessageId = "cut", Headers = { ["n"] = 1 } },
            new(new MessageBody(Encoding.UTF8.GetBytes("{\"a\":"), 0, "application/json")) { MessageId = "json" },
            new(new MessageBody(new byte[] { 1, 2, 3 }, 4711, "application/unheard-of")) { MessageId = "unknown" },
            Written(new ActiveXFormatter(), "no number", "text"),
        ];
        await SendAsync(Source, [Written(new JsonFormatter<int>(), 1, "first"), .. bad, Written(new LegacyBinaryFormatter<int>(), 2, "last")]);

        ToolResult result = await RunAsync(Source, Destination, "--type", "System.Int32", "--to-format", "messagepack", "--error-queue", Errors);

        Assert.True(result.ExitCode == 0, result.Error);
        Assert.Contains("2 moved, 4 to the error queue", result.Output, StringComparison.Ordinal);
        Assert.Equal(new[] { 1, 2 }, (await TakeAsync(Destination)).Select(message => new MessagePackFormatter<int>().Read(message.Body)));
        List<ReceivedMessage> aside = await TakeAsync(Errors);
        Assert.Equal(bad.Select(Bytes), aside.Select(Bytes));
        Assert.Equal(bad.Select(message => (message.MessageId, message.Body.BodyType, message.Body.ContentType)), aside.Select(message => (message.MessageId, message.Body.BodyType, message.Body.ContentType)));
        Assert.Equal(
            ["Truncated", "BadValue", "UnknownFormat", "TypeNotAllowed"],
            aside.Select(message => (string)message.Headers["formatters-error-code"]));
        Assert.All(aside, message => Assert.Equal(Source, message.Headers["formatters-error-source"]));
        Assert.All(aside, message => Assert.NotEmpty((string)message.Headers["formatters-error"]));
        Assert.Equal(1, aside[0].Headers["n"]);
        Assert.Equal(0, await _tool.CountAsync(Source));
    }

    /// <summary>A type has no contract in some formats: a body may be of one of them.</summary>
    [Fact]
    public async Task A_body_of_an_unknown_format_names_the_formats_that_were_not_tried()
    {
        await SendAsync(Source, [new(new MessageBody(new byte[] { 1, 2, 3 }, 4711, "application/unheard-of"))]);

        ToolResult result = await RunAsync(Source, Destination, "--type", "System.Collections.Generic.Dictionary`2[[System.String],[System.Int32]]", "--to-format", "json");

        Assert.True(result.ExitCode == 1, result.Error);
        Assert.Contains("has no contract in were not tried: ", result.ErrorLines[^1], StringComparison.Ordinal);
        Assert.Contains("xml (", result.ErrorLines[^1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task From_the_error_queue_messages_go_back_as_they_were()
    {
        var message = new QueueMessage(new MessageBody(new byte[] { 9, 9 }, 768, null)) { MessageId = "m", Label = "l", Headers = { ["n"] = 1 } };
        await SendAsync(Source, [message]);
        await RunAsync(Source, Destination, "--type", "System.Int32", "--to-format", "json", "--error-queue", Errors);

        ToolResult result = await RunAsync(Errors, Source, "--to-format", "unchanged");

        Assert.True(result.ExitCode == 0, result.Error);
        Assert.StartsWith("not read", result.OutputLines[2], StringComparison.Ordinal);
        Assert.Equal(Properties(message), Properties(Assert.Single(await TakeAsync(Source))));
    }

    [Fact]
    public async Task Without_an_error_queue_the_first_unreadable_message_ends_the_run_and_stays()
    {
        await SendAsync(Source, [Written(new JsonFormatter<int>(), 1, "good"), new(new MessageBody(new byte[] { 1 }, 768, null)) { MessageId = "bad" }]);

        ToolResult result = await RunAsync(Source, Destination, "--type", "System.Int32", "--to-format", "binary");

        Assert.Equal(1, result.ExitCode);
        Assert.Contains("The message bad cannot be read and is still in its queue; with --error-queue", result.ErrorLines[^1], StringComparison.Ordinal);
        Assert.Contains("1 moved", result.Output, StringComparison.Ordinal);
        Assert.Equal("good", Assert.Single(await TakeAsync(Destination)).MessageId);
        Assert.Equal("bad", Assert.Single(await TakeAsync(Source)).MessageId);
    }

    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 1)]
    public async Task A_dry_run_reads_everything_moves_nothing_and_ends_as_the_run_would(bool hasErrorQueue, int exitCode)
    {
        QueueMessage[] messages = [.. Enumerable.Range(0, 1000).Select(i => Written(new JsonFormatter<int>(), i, $"{i}")), new(new MessageBody(new byte[] { 1 }, 768, null)) { MessageId = "bad" }];
        await SendAsync(Source, messages);

        ToolResult result = await RunAsync([Source, Destination, "--type", "System.Int32", "--to-format", "binary", "--dry-run", .. hasErrorQueue ? new[] { "--error-queue", Errors } : []]);

        Assert.Equal(exitCode, result.ExitCode);
        Assert.Equal("reading ...", result.ErrorLines[0]);
        Assert.All(result.ErrorLines, static line => Assert.StartsWith("reading ", line, StringComparison.Ordinal));
        Assert.Contains("cannot be read: Malformed", result.Output, StringComparison.Ordinal);
        Assert.Contains("Malformed: The first is message bad: ", result.Output, StringComparison.Ordinal);
        Assert.True(result.LongestLine <= 80, result.Output);
        Assert.Contains("would be written as binary         1,000", result.Output, StringComparison.Ordinal);
        Assert.Contains("1,001 of 1,001 messages were read, and every one is where it was", result.Output, StringComparison.Ordinal);
        Assert.Equal(messages.Select(Properties), (await TakeAsync(Source)).Select(Properties));
        Assert.Equal((0L, 0L), (await _tool.CountAsync(Destination), await _tool.CountAsync(Errors)));
    }

    [Fact]
    public async Task A_limit_is_the_most_that_is_taken()
    {
        await SendAsync(Source, [.. Enumerable.Range(0, 10).Select(i => Written(new JsonFormatter<int>(), i))]);

        ToolResult result = await RunAsync(Source, Destination, "--type", "System.Int32", "--to-format", "binary", "--limit", "3");

        Assert.True(result.ExitCode == 0, result.Error);
        Assert.Equal(new[] { 0, 1, 2 }, (await TakeAsync(Destination)).Select(message => new BinaryBodyFormatter<int>().Read(message.Body)));
        Assert.Equal(7, await _tool.CountAsync(Source));
    }

    [Fact]
    public async Task Bodies_without_tags_are_of_the_format_that_is_named()
    {
        var message = new QueueMessage(new MessageBody(new BinaryBodyFormatter<int>().Write(5), 0, null));
        await SendAsync(Source, [message]);

        ToolResult refused = await RunAsync(Source, Destination, "--type", "System.Int32", "--to-format", "json");
        ToolResult result = await RunAsync(Source, Destination, "--type", "System.Int32", "--from-format", "binary", "--to-format", "json");

        Assert.Equal((1, 0), (refused.ExitCode, result.ExitCode));
        Assert.Equal("5"u8.ToArray(), Bytes(Assert.Single(await TakeAsync(Destination))));
    }

    [Fact]
    public async Task Types_and_formatters_come_from_an_assembly_of_the_user()
    {
        await SendAsync(Source, [Written(new JsonFormatter<UserMessage>(), new UserMessage { Text = "hello" }), new(new MessageBody(Encoding.UTF8.GetBytes("plain"), 0, "text/plain"))]);
        string assembly = typeof(UserMessage).Assembly.Location;

        ToolResult result = await RunAsync(
            Source, Destination, "--assembly", assembly, "--type", typeof(UserMessage).FullName!, "--limit", "1", "--to-format", typeof(UserFormatters).FullName + ".Upper",
            "--allow", "UserMessage.Text:value");
        Assert.True(result.ExitCode == 0, result.Error);
        Assert.Equal("HELLO"u8.ToArray(), Bytes(Assert.Single(await TakeAsync(Destination))));

        result = await RunAsync(
            Source, Destination, "--assembly", assembly, "--type", typeof(UserMessage).FullName!, "--from-format", typeof(UserFormatters).FullName + ".Upper", "--to-format", "json");
        Assert.True(result.ExitCode == 0, result.Error);
        Assert.Equal("{\"Text\":\"plain\"}"u8.ToArray(), Bytes(Assert.Single(await TakeAsync(Destination))));
    }

    [Fact]
    public async Task Legacy_bodies_have_the_names_that_their_types_had()
    {
        LegacyBinaryOptions old = LegacyBinaryOptions.Default.WithType(typeof(UserMessage), "Old.Note", "OldShop, Version=1.0.0.0");
        await SendAsync(Source, [Written(new LegacyBinaryFormatter<UserMessage>(old), new UserMessage { Text = "from before" })]);
        string[] args = [Source, Destination, "--assembly", typeof(UserMessage).Assembly.Location, "--type", typeof(UserMessage).FullName!, "--to-format", "json"];

        ToolResult refused = await RunAsync(args);
        ToolResult result = await RunAsync([.. args, "--legacy-name", $"{typeof(UserMessage).FullName}=Old.Note,OldShop, Version=1.0.0.0"]);

        Assert.Equal(1, refused.ExitCode);
        Assert.Contains("neither declared by a member nor in LegacyBinaryOptions", refused.Error, StringComparison.Ordinal);
        Assert.True(result.ExitCode == 0, result.Error);
        Assert.Equal("{\"Text\":\"from before\"}"u8.ToArray(), Bytes(Assert.Single(await TakeAsync(Destination))));
    }

    [Fact]
    public async Task Generic_types_are_renamed_by_their_open_names()
    {
        LegacyBinaryOptions old = LegacyBinaryOptions.Default.WithType(typeof(UserMessage), "Old.Note", "OldShop").WithType(typeof(UserPage<>), "Old.Sheet`1", "OldShop");
        await SendAsync(Source, [Written(new LegacyBinaryFormatter<UserPage<UserMessage>>(old), new UserPage<UserMessage> { Items = [new UserMessage { Text = "from before" }] })]);
        string page = typeof(UserPage<>).FullName!, message = typeof(UserMessage).FullName!;
        string[] args = [Source, Destination, "--assembly", typeof(UserMessage).Assembly.Location, "--to-format", "json"];

        ToolResult open = await RunAsync([.. args, "--type", page]);
        ToolResult result = await RunAsync(
            [.. args, "--type", $"{page}[[{message}]]", "--legacy-name", $"{message}=Old.Note,OldShop", "--legacy-name", $"{page}=Old.Sheet`1,OldShop"]);

        Assert.Equal(2, open.ExitCode);
        Assert.Contains("is an open generic type", open.Error, StringComparison.Ordinal);
        Assert.True(result.ExitCode == 0, result.Error);
        Assert.Equal("{\"Items\":[{\"Text\":\"from before\"}]}"u8.ToArray(), Bytes(Assert.Single(await TakeAsync(Destination))));
    }

    [Fact]
    public async Task A_destination_that_fails_loses_nothing_and_a_second_run_ends_it()
    {
        var tool = new Tool(new FaultyQueueProvider(Fault.Breaks));
        await using (QueueClient queue = await tool.Connector.OpenAsync(Source, QueueOptions.Fastest))
        {
            for (int i = 0; i < 150; i++)
                await queue.SendAsync(Written(new JsonFormatter<int>(), i, $"{i}"));
        }

        string[] args = ["migrate", Source, "faulty:new", "--type", "System.Int32", "--to-format", "binary", "--wait", "0"];
        ToolResult first = await tool.RunAsync(args);
        Assert.Equal(1, first.ExitCode);
        Assert.Contains("The connection to the broker was lost.", first.ErrorLines[^1], StringComparison.Ordinal);
        Assert.InRange(await tool.CountAsync(Source), 1, 51);
        ToolResult second = await tool.RunAsync(args);

        Assert.True(second.ExitCode == 0, second.Error);
        await using QueueClient moved = await tool.Connector.OpenAsync("faulty:new", QueueOptions.Fastest);
        Assert.Equal(Enumerable.Range(0, 150).Select(i => $"{i}").Order(), (await TakeAllAsync(moved)).Select(message => message.MessageId!).Order());
    }

    [Fact]
    public async Task CtrlC_ends_between_messages()
    {
        const int Count = 20_000;
        var formatter = new JsonFormatter<int>();
        await SendAsync(Source, [.. Enumerable.Range(0, Count).Select(i => Written(formatter, i, $"{i}"))]);
        using var cancellation = new CancellationTokenSource();
        Task<ToolResult> run = _tool.RunAsync(cancellation.Token, "migrate", Source, Destination, "--type", "System.Int32", "--to-format", "binary", "--wait", "1000");
        while (await _tool.CountAsync(Destination) == 0 && !run.IsCompleted)
            await Task.Yield();
        await cancellation.CancelAsync();

        ToolResult result = await run;

        Assert.Equal(130, result.ExitCode);
        Assert.Contains("interrupted; what was not moved is in its queue", result.Error, StringComparison.Ordinal);
        IEnumerable<string?> ids = (await TakeAsync(Destination)).Concat(await TakeAsync(Source)).Select(message => message.MessageId);
        Assert.Equal(Enumerable.Range(0, Count).Select(i => $"{i}"), ids);
    }

    [Fact]
    public async Task An_interrupted_run_is_not_shown_as_done()
    {
        await SendAsync(Source, [.. Enumerable.Range(0, 5_000).Select(i => Written(new JsonFormatter<int>(), i))]);
        using var cancellation = new CancellationTokenSource();
        var shown = new List<double>();
        var progress = new RecordedProgress(fraction =>
        {
            shown.Add(fraction);
            cancellation.Cancel();
        });
        var options = new MigrateOptions { Source = Source, Destination = Destination, Reencoding = new Reencoding([], writer: null, readUnchanged: false) };

        Assert.False(await new MigrateRun(_tool.Connector, options).RunAsync(progress, cancellation.Token));

        Assert.InRange(Assert.Single(shown), 0, 0.9);
    }

    [Fact]
    public async Task Between_folders_of_durable_queues()
    {
        string folder = Directory.CreateTempSubdirectory("formatters-migrate-").FullName;
        try
        {
            const int Count = 1_000;
            var locking = new QueueOptions { ReceiveMode = ReceiveMode.PeekLock };
            await using (var provider = new FileQueueProvider())
            {
                var tool = new Tool(provider);
                await using (QueueClient queue = await tool.Connector.OpenAsync($"file:{folder}/a/old", new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete }))
                    await Task.WhenAll(Enumerable.Range(0, Count).Select(i => queue.SendAsync(Written(new LegacyBinaryFormatter<int>(), i)).AsTask()));
                // One folder can hold both queues; the errors go to another one.
                await using (QueueClient queue = await tool.Connector.OpenAsync($"file:{folder}/a/old", new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete }))
                    await queue.SendAsync(new QueueMessage(new MessageBody(new byte[] { 0 }, 768, null)));

                ToolResult result = await tool.RunAsync(
                    "migrate", $"file:{folder}/a/old", $"file:{folder}/a/new", "--type", "System.Int32", "--to-format", "json", "--error-queue", $"file:{folder}/b/errors", "--wait", "0");

                Assert.True(result.ExitCode == 0, result.Error);
            }

            // Opened anew: everything is on the disk.
            await using var reopened = new FileQueueProvider();
            var second = new Tool(reopened);
            Assert.Equal((0L, 1L), (await second.CountAsync($"file:{folder}/a/old"), await second.CountAsync($"file:{folder}/b/errors")));
            await using QueueClient moved = await second.Connector.OpenAsync($"file:{folder}/a/new", locking);
            Assert.Equal(Enumerable.Range(0, Count), (await TakeAllAsync(moved)).Select(message => new JsonFormatter<int>().Read(message.Body)));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static QueueMessage Written(IMessageFormatter formatter, object value, string? id = null)
    {
        var message = new QueueMessage { MessageId = id };
        formatter.Write(message.Body, value);
        return message;
    }

    private static byte[] Bytes(QueueMessage message) => message.Body.ToArray();

    private static string Properties(QueueMessage message) =>
        $"{message.MessageId} {message.Label} {message.CorrelationId} {message.ResponseQueue} {string.Join(' ', message.Headers.Select(pair => $"{pair.Key}={pair.Value}"))}";

    private static async Task<List<ReceivedMessage>> TakeAllAsync(QueueClient queue)
    {
        var messages = new List<ReceivedMessage>();
        while (await queue.ReceiveAsync(TimeSpan.Zero) is { } message)
            messages.Add(message);
        return messages;
    }

    private Task<ToolResult> RunAsync(params string[] args) => _tool.RunAsync(["migrate", .. args, "--wait", "0"]);

    private async Task SendAsync(string address, IReadOnlyList<QueueMessage> messages)
    {
        await using QueueClient queue = await _tool.Connector.OpenAsync(address, QueueOptions.Fastest);
        foreach (QueueMessage message in messages)
            await queue.SendAsync(message);
    }

    private sealed class RecordedProgress(Action<double> report) : IRunProgress, IProgress<double>
    {
        public IProgress<double> Stage(string name) => this;

        public void Show(string line)
        {
        }

        public void Report(double value) => report(value);
    }

    private async Task<List<ReceivedMessage>> TakeAsync(string address)
    {
        await using QueueClient queue = await _tool.Connector.OpenAsync(address, QueueOptions.Fastest);
        return await TakeAllAsync(queue);
    }
}

/// <summary>As a user's assembly would have it.</summary>
public sealed class UserMessage
{
    public string Text { get; set; } = "";
}

/// <summary>As a user's assembly would have it.</summary>
public sealed class UserPage<T>
{
    public List<T> Items { get; set; } = [];
}

/// <summary>As a user's assembly would have it.</summary>
public static class UserFormatters
{
    public static IMessageFormatter Upper { get; } = DelegateFormatter.FromArrays(
        "text/plain",
        0x8001,
        message => Encoding.UTF8.GetBytes(message.Text.ToUpperInvariant()),
        (byte[] body) => new UserMessage { Text = Encoding.UTF8.GetString(body) });
}
