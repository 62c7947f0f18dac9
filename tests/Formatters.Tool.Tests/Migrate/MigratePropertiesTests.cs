using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using RabbitMQ.Client;
using Xunit;

namespace Formatters.Tools.Tests.Migrate;

/// <summary>What travels beside the body, between queues of every kind.</summary>
public sealed class MigratePropertiesTests : IAsyncLifetime, IAsyncDisposable
{
    private static readonly TimeSpan TimeToLive = TimeSpan.FromHours(1);

    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-migrate-").FullName;
    private readonly FileQueueProvider _files = new();
    private readonly Tool _tool;

    public MigratePropertiesTests() => _tool = new Tool(_files, new RabbitMqQueueProvider(new RabbitMqOptions { HasPriorities = true }), new PostgreSqlQueueProvider());

    public Task InitializeAsync() => Task.CompletedTask;

    // Called by xunit, which knows no IAsyncDisposable.
    Task IAsyncLifetime.DisposeAsync() => DisposeAsync().AsTask();

    public async ValueTask DisposeAsync()
    {
        await _files.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public Task From_memory_to_a_folder() => KeepsPropertiesAsync("memory:old", $"file:{_folder}/queues/new");

    [BrokerFact]
    public Task From_a_folder_to_RabbitMQ() => KeepsPropertiesAsync($"file:{_folder}/queues/old", Broker.NewQueue());

    [PostgresFact]
    public Task From_PostgreSQL_to_a_folder() => KeepsPropertiesAsync(Broker.NewQueue(Broker.PostgreSql), $"file:{_folder}/queues/new");

    [BrokerFact]
    public Task Between_queues_of_RabbitMQ() => KeepsPropertiesAsync(Broker.NewQueue(), Broker.NewQueue());

    [BrokerFact]
    public async Task A_queue_without_priorities_gets_everything_else()
    {
        var tool = new Tool(new RabbitMqQueueProvider());
        string destination = Broker.NewQueue();
        await using (QueueClient queue = await tool.Connector.OpenAsync("memory:old", QueueOptions.Fastest))
            await queue.SendAsync(NewMessage());

        ToolResult result = await RunAsync(tool, "memory:old", destination);

        Assert.True(result.ExitCode == 0, result.Error);
        ReceivedMessage moved = await TakeAsync(tool, destination);
        Assert.Equal(("a label", "of this", QueueMessage.DefaultPriority), (moved.Label, moved.CorrelationId, moved.Priority));
        Assert.NotNull(moved.TimeToLive);
        await tool.Connector.DeleteAsync(destination);
    }

    [Fact]
    public async Task Acknowledgements_are_asked_for_of_the_destination_and_told_by_the_source()
    {
        string destination = $"file:{_folder}/queues/new";
        QueueMessage asking = NewMessage();
        asking.MessageId = "order-17";
        asking.AdministrationQueue = "told";
        asking.AcknowledgeTypes = AcknowledgeTypes.FullReachQueue | AcknowledgeTypes.FullReceive;
        await using (QueueClient queue = await _tool.Connector.OpenAsync("memory:old", QueueOptions.Fastest))
            await queue.SendAsync(asking);

        ToolResult result = await RunAsync(_tool, "memory:old", destination);

        Assert.True(result.ExitCode == 0, result.Error);
        await TakeAsync(_tool, destination);
        string[] told = new string[4];
        for (int i = 0; i < told.Length; i++)
        {
            ReceivedMessage message = await TakeAsync(_tool, i < 2 ? "memory:told" : $"file:{_folder}/queues/told");
            told[i] = $"{message.Acknowledgment?.Class} {message.Acknowledgment?.QueueName} {message.CorrelationId}";
        }

        Assert.Equal(["ReachQueue old order-17", "Receive old order-17", "ReachQueue new order-17", "Receive new order-17"], told);
    }

    [Theory]
    [InlineData("memory:new", "file:{0}/b/errors")]
    [InlineData("file:{0}/b/new", "memory:errors")]
    public async Task The_memory_of_the_process_is_no_place_for_messages_of_a_disk(string destination, string errors)
    {
        string source = $"file:{_folder}/a/old";
        await using (QueueClient queue = await _tool.Connector.OpenAsync(source, new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete }))
            await queue.SendAsync(NewMessage());

        ToolResult result = await RunAsync(_tool, source, string.Format(CultureInfo.InvariantCulture, destination, _folder), "--error-queue", string.Format(CultureInfo.InvariantCulture, errors, _folder));

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("could be lost", result.Error, StringComparison.Ordinal);
        Assert.Equal("a label", (await TakeAsync(_tool, source)).Label);
    }

    [Fact]
    public async Task A_dead_letter_does_not_expire_and_neither_does_what_cannot_be_read()
    {
        await using (QueueClient queue = await _tool.Connector.OpenAsync("memory:old", new QueueOptions { ReceiveMode = ReceiveMode.PeekLock, DeadLetterQueue = "dead" }))
        {
            await queue.SendAsync(NewMessage());
            await (await queue.ReceiveAsync(TimeSpan.Zero))!.DeadLetterAsync("refused");
            await queue.SendAsync(new QueueMessage(new MessageBody(new byte[] { 1 }, 768, null)) { TimeToLive = TimeToLive });
        }

        ToolResult dead = await RunAsync(_tool, "memory:dead", "memory:new");
        ToolResult unreadable = await RunAsync(_tool, "memory:old", "memory:new", "--error-queue", "memory:errors");

        Assert.Equal((0, 0), (dead.ExitCode, unreadable.ExitCode));
        Assert.Null((await TakeAsync(_tool, "memory:new")).TimeToLive);
        Assert.Null((await TakeAsync(_tool, "memory:errors")).TimeToLive);
    }

    [Fact]
    public async Task What_the_destination_cannot_carry_goes_to_the_error_queue()
    {
        await using (QueueClient queue = await _tool.Connector.OpenAsync("memory:old", QueueOptions.Fastest))
        {
            QueueMessage message = NewMessage();
            message.Headers["when"] = new AmqpTimestamp(1);
            await queue.SendAsync(message);
            await queue.SendAsync(NewMessage());
        }

        string destination = $"file:{_folder}/queues/new";
        ToolResult stopped = await RunAsync(_tool, "memory:old", destination);
        Assert.Equal(1, stopped.ExitCode);
        Assert.Contains("still in its queue", stopped.Error, StringComparison.Ordinal);
        ToolResult result = await RunAsync(_tool, "memory:old", destination, "--error-queue", "memory:errors");

        Assert.True(result.ExitCode == 0, result.Error);
        Assert.Contains("1 moved, 1 to the error queue", result.Output, StringComparison.Ordinal);
        ReceivedMessage aside = await TakeAsync(_tool, "memory:errors");
        Assert.Equal(("BadValue", new AmqpTimestamp(1)), (aside.Headers["formatters-error-code"], aside.Headers["when"]));
        Assert.Contains("when", (string)aside.Headers["formatters-error"], StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_time_of_a_message_that_was_sent_for_later_counts_from_then()
    {
        var clock = new MovedClock { Offset = TimeSpan.FromHours(-2) };
        var tool = new Tool(_files, new MemoryQueueProvider(clock));
        await using (QueueClient queue = await tool.Connector.OpenAsync("memory:old", QueueOptions.Fastest))
        {
            QueueMessage message = NewMessage();
            message.DueTime = clock.GetUtcNow() + TimeSpan.FromMinutes(90);
            await queue.SendAsync(message);
        }

        clock.Offset = TimeSpan.Zero;
        ToolResult result = await RunAsync(tool, "memory:old", $"file:{_folder}/queues/new");

        Assert.True(result.ExitCode == 0, result.Error);
        // Half an hour of its hour is left, less what this test took.
        Assert.InRange((await TakeAsync(tool, $"file:{_folder}/queues/new")).TimeToLive!.Value, TimeSpan.FromMinutes(10), TimeSpan.FromMinutes(30));
    }

    private static QueueMessage NewMessage()
    {
        var message = new QueueMessage
        {
            Label = "a label",
            MessageId = "an id",
            CorrelationId = "of this",
            ResponseQueue = "memory:answers",
            Priority = 7,
            TimeToLive = TimeToLive,
            Headers = { ["text"] = "ü", ["flag"] = true, ["int"] = -7, ["long"] = long.MaxValue, ["double"] = 0.1, ["bytes"] = new byte[] { 0, 255 } },
        };
        ((IMessageFormatter)new JsonFormatter<int>()).Write(message.Body, 42);
        return message;
    }

    private static Task<ToolResult> RunAsync(Tool tool, string source, string destination, params string[] args) =>
        tool.RunAsync(["migrate", source, destination, "--type", "System.Int32", "--to-format", "messagepack", "--wait", source.Contains("://", StringComparison.Ordinal) ? "5" : "0.5", .. args]);

    private static async Task<ReceivedMessage> TakeAsync(Tool tool, string address)
    {
        await using QueueClient queue = await tool.Connector.OpenAsync(address, QueueOptions.Fastest);
        return Assert.IsAssignableFrom<ReceivedMessage>(await queue.ReceiveAsync(TimeSpan.FromSeconds(10)));
    }

    private async Task KeepsPropertiesAsync(string source, string destination)
    {
        QueueMessage sent = NewMessage();
        DateTimeOffset before = DateTimeOffset.UtcNow;
        await using (QueueClient queue = await _tool.Connector.OpenAsync(source, new QueueOptions { DeliveryMode = source.StartsWith("memory", StringComparison.Ordinal) ? DeliveryMode.Express : DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete }))
            await queue.SendAsync(sent);
        // RabbitMQ says the second in which a message was sent.
        DateTimeOffset later = DateTimeOffset.UtcNow + TimeSpan.FromSeconds(source.StartsWith("amqp", StringComparison.Ordinal) ? 2.1 : 0.1);
        while (DateTimeOffset.UtcNow < later)
            await Task.Delay(20);

        ToolResult result = await RunAsync(_tool, source, destination);

        Assert.True(result.ExitCode == 0, result.Error);
        ReceivedMessage moved = await TakeAsync(_tool, destination);
        Assert.Equal(42, new MessagePackFormatter<int>().Read(moved.Body));
        Assert.Equal((sent.Label, sent.MessageId, sent.CorrelationId, sent.ResponseQueue, sent.Priority), (moved.Label, moved.MessageId, moved.CorrelationId, moved.ResponseQueue, moved.Priority));
        Assert.Equal(new SortedDictionary<string, object>(sent.Headers), new SortedDictionary<string, object>(moved.Headers));
        // The rest of its time, not the whole anew.
        Assert.InRange(moved.TimeToLive!.Value, TimeToLive - (DateTimeOffset.UtcNow - before), TimeToLive - TimeSpan.FromMilliseconds(1));
        if (source.StartsWith("amqp", StringComparison.Ordinal) || source.StartsWith("postgres", StringComparison.Ordinal))
            await _tool.Connector.DeleteAsync(source);
        if (destination.StartsWith("amqp", StringComparison.Ordinal))
            await _tool.Connector.DeleteAsync(destination);
    }

    /// <summary>A clock that somebody sets.</summary>
    private sealed class MovedClock : TimeProvider
    {
        internal TimeSpan Offset { get; set; }

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + Offset;

        public override long GetTimestamp() => GetUtcNow().Ticks;
    }
}
