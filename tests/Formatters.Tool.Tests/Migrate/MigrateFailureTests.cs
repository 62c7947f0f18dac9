using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Xunit;

namespace Formatters.Tools.Tests.Migrate;

/// <summary>Queues that fail while messages are between them: at every moment each message is in one of the queues.</summary>
public sealed class MigrateFailureTests
{
    private const string Source = "memory:old";
    private const string Destination = "gated:new";
    private const string Errors = "gated:errors";

    [Fact]
    public async Task A_message_leaves_the_source_only_when_the_error_queue_has_it()
    {
        var tool = new Tool(new GatedQueueProvider((queue, message) => queue == "errors" && message.MessageId == "bad 3" ? throw new QueueException("The error queue is full.") : Task.CompletedTask));
        await SendAsync(tool, Source, [.. Enumerable.Range(0, 6).Select(i => Bad($"bad {i}"))]);

        ToolResult result = await RunAsync(tool, "--error-queue", Errors);

        Assert.Equal(1, result.ExitCode);
        Assert.Contains("The error queue is full.", result.Error, StringComparison.Ordinal);
        string[] left = await TakeAsync(tool, Source), aside = await TakeAsync(tool, Errors);
        Assert.Contains("bad 3", left);
        Assert.Equal(Enumerable.Range(0, 6).Select(i => $"bad {i}"), left.Concat(aside).Order());
    }

    [Fact]
    public async Task Sends_under_way_are_waited_for_when_one_fails()
    {
        var areBegun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var hasFailed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var begun = new ConcurrentQueue<string>();
        var tool = new Tool(new GatedQueueProvider(async (_, message) =>
        {
            if (message.MessageId == "0")
            {
                await areBegun.Task;
                hasFailed.SetResult();
                throw new QueueException("The connection to the broker was lost.");
            }

            begun.Enqueue(message.MessageId!);
            if (begun.Count == 10)
                areBegun.SetResult();
            // Arrives after the failure is known.
            await hasFailed.Task;
            await Task.Delay(200);
        }));
        await SendAsync(tool, Source, [.. Enumerable.Range(0, 20).Select(i => Good($"{i}"))]);

        ToolResult result = await RunAsync(tool);

        Assert.Equal(1, result.ExitCode);
        Assert.Contains("The connection to the broker was lost.", result.Error, StringComparison.Ordinal);
        string[] left = await TakeAsync(tool, Source), moved = await TakeAsync(tool, Destination);
        Assert.Contains("0", left);
        // What was begun has arrived and is acknowledged: nothing comes twice.
        Assert.InRange(begun.Count, 10, 19);
        Assert.Equal(begun.Order(), moved.Order());
        Assert.Equal(Enumerable.Range(0, 20).Select(i => $"{i}").Order(), left.Concat(moved).Order());
    }

    [Fact]
    public async Task What_cannot_be_read_is_back_in_its_queue_before_the_others_have_arrived()
    {
        var mayArrive = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var tool = new Tool(new GatedQueueProvider((_, _) => mayArrive.Task));
        await SendAsync(tool, Source, [Good("first"), Bad("bad"), Good("never begun")]);

        Task<ToolResult> run = RunAsync(tool);
        string? returned;
        await using (QueueClient source = await tool.Connector.OpenAsync(Source, new QueueOptions { DeliveryMode = DeliveryMode.Express, ReceiveMode = ReceiveMode.PeekLock }))
        {
            ReceivedMessage? message = null;
            for (int i = 0; i < 500 && message is not { MessageId: "bad" } && !run.IsCompleted; i++)
            {
                if (message is not null)
                    await message.ReturnAsync();
                await Task.Delay(10);
                message = await source.ReceiveAsync(TimeSpan.Zero);
            }

            returned = message?.MessageId;
            Assert.False(run.IsCompleted);
            if (message is not null)
                await message.ReturnAsync();
        }

        mayArrive.SetResult();
        ToolResult result = await run;

        Assert.Equal("bad", returned);
        Assert.Equal(1, result.ExitCode);
        Assert.Contains("The message bad cannot be read and is still in its queue", result.Error, StringComparison.Ordinal);
        // It was refused once, and no other message was begun after it.
        Assert.Matches("cannot be read: Malformed +1 ", result.Output);
        Assert.Equal(["first"], await TakeAsync(tool, Destination));
        Assert.Equal(["bad", "never begun"], (await TakeAsync(tool, Source)).Order());
    }

    [Fact]
    public async Task What_the_error_queue_cannot_carry_stays_and_says_why()
    {
        var tool = new Tool(new GatedQueueProvider((queue, _) => queue == "errors" ? throw new ArgumentException("A header is too long.") : Task.CompletedTask));
        await SendAsync(tool, Source, [Bad("bad"), Good("good")]);

        ToolResult result = await RunAsync(tool, "--error-queue", Errors);

        Assert.Equal(1, result.ExitCode);
        Assert.Contains("The message bad cannot be read and is still in its queue; the error queue does not accept it", result.Error, StringComparison.Ordinal);
        Assert.Contains("A header is too long.", result.Error, StringComparison.Ordinal);
        Assert.Contains("bad", await TakeAsync(tool, Source));
        Assert.Empty(await TakeAsync(tool, Errors));
    }

    private static QueueMessage Good(string id) => new(new MessageBody("1"u8.ToArray(), 0, "application/json")) { MessageId = id };

    private static QueueMessage Bad(string id) => new(new MessageBody(new byte[] { 1 }, 768, null)) { MessageId = id };

    private static Task<ToolResult> RunAsync(Tool tool, params string[] args) =>
        tool.RunAsync(["migrate", Source, Destination, "--type", "System.Int32", "--to-format", "binary", "--wait", "0", .. args]);

    private static async Task SendAsync(Tool tool, string address, IEnumerable<QueueMessage> messages)
    {
        await using QueueClient queue = await tool.Connector.OpenAsync(address, QueueOptions.Fastest);
        foreach (QueueMessage message in messages)
            await queue.SendAsync(message, cancellationToken: CancellationToken.None);
    }

    private static async Task<string[]> TakeAsync(Tool tool, string address)
    {
        await using QueueClient queue = await tool.Connector.OpenAsync(address, QueueOptions.Fastest);
        var ids = new List<string>();
        while (await queue.ReceiveAsync(TimeSpan.Zero) is { } message)
            ids.Add(message.MessageId!);
        return [.. ids];
    }
}
