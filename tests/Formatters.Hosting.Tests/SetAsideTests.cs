using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Extensions.Time.Testing;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>A message that cannot be handled is set aside, always, and holds up no other.</summary>
public class SetAsideTests
{
    [Theory]
    [QueueKindData]
    public async Task EveryFailure_IsADeadLetter(string kind)
    {
        Exception[] failures =
        [
            new InvalidOperationException(new string('x', 100_000)),
            new InvalidOperationException("a\0b\uD800"),
            new MessageRejectedException("no reason") { Reason = "" },
            new MessageRejectedException("") { Reason = "a\0b\uD800" },
            new MessageRejectedException(new string('\u20AC', 10_000)) { Reason = new string('r', 10_000) },
        ];
        await using QueuePlace place = QueuePlace.Of(kind);
        string address = place.Address("orders");
        await using TestHost host = await TestHost.StartAsync([$"orders:Address={address}", "orders:Retry:MaxAttempts=1"], queues =>
            place.AddTo(queues).AddSender<OrderPlaced>("orders").AddConsumer<OrderPlaced>("orders", (order, _, _) => throw failures[order.Id]));
        for (int i = 0; i < failures.Length; i++)
            await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(i, "Ada"));
        await host.Log.WaitForAsync(6, failures.Length);

        await using QueueClient dead = await host.Get<QueueConnections>().Connector.OpenAsync(address + ".dead", new QueueOptions());
        var reasons = new List<string?>();
        for (int i = 0; i < failures.Length; i++)
        {
            ReceivedMessage letter = (await dead.ReceiveAsync(TimeSpan.FromSeconds(20)))!;
            reasons.Add(letter.DeadLetterReason);
            await letter.AcknowledgeAsync();
        }

        Assert.Equal(["handler-failed", "handler-failed", "rejected", "a\uFFFDb\uFFFD", new string('r', 4095) + '\u2026'], reasons);
        Assert.Empty(host.Log.Of(8));
    }

    [Theory]
    [QueueKindData]
    public async Task WithoutDeadLetterQueue_OthersGoOn(string kind)
    {
        var handled = new ConcurrentQueue<int>();
        var done = new TaskCompletionSource();
        await using QueuePlace place = QueuePlace.Of(kind);
        string[] configuration = [$"orders:Address={place.Address("orders")}", "orders:DeadLetterQueue=", "orders:Retry:MaxAttempts=1", "orders:Retry:MaxDelay=01:00:00"];
        await using TestHost host = await TestHost.StartAsync(configuration, queues =>
            place.AddTo(queues).AddSender<OrderPlaced>("orders").AddConsumer<OrderPlaced>("orders", (order, _, _) =>
            {
                if (order.Id < 3)
                    throw new InvalidOperationException();
                handled.Enqueue(order.Id);
                if (handled.Count == 5)
                    done.SetResult();
                return Task.CompletedTask;
            }));
        for (int i = 0; i < 8; i++)
            await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(i, "Ada"));
        await done.Task;
        Assert.Equal([3, 4, 5, 6, 7], handled);
        Assert.Equal(3, host.Log.Of(7).Count);
    }

    [Fact]
    public async Task WithoutDeadLetterQueue_TheMessageIsTriedAgain_AndReportedOnce()
    {
        int calls = 0;
        var time = new FakeTimeProvider();
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            queues => queues.AddConsumer<OrderPlaced>("orders", (_, _, _) => ++calls < 4 ? throw new InvalidOperationException() : Task.CompletedTask),
            time,
            "orders:DeadLetterQueue=",
            "orders:Retry:MaxAttempts=1");
        await host.Harness.SendAsync("orders", new OrderPlaced(1, "Ada"));
        await AdvanceUntilAsync(time, host.Harness.WaitForHandledAsync<OrderPlaced>());
        Assert.Equal(4, calls);
        Assert.Contains("(handler-failed) cannot be moved to a dead-letter queue; it stays", Assert.Single(host.Log.Of(7)), StringComparison.Ordinal);
    }

    public static TheoryData<string, int, int> ReadErrors { get; } = new()
    {
        { "poison", 1, 0 },
        { "not poison", 3, 1 },
        { "memory", 3, 1 },
    };

    /// <summary>Only a body that can never be read is set aside at once. A key that is rotated, a limit or memory may be another matter soon.</summary>
    [Theory]
    [MemberData(nameof(ReadErrors))]
    public async Task BodyThatCannotBeRead_IsTriedAgain_UnlessItIsPoison(string error, int reads, int handled)
    {
        foreach (bool isOrdered in new[] { false, true })
        {
            int count = 0;
            var formatter = new BinaryBodyFormatter<OrderPlaced>();
            var time = new FakeTimeProvider();
            MessageFormatter<OrderPlaced> failing = DelegateFormatter.FromBuffers(
                formatter.ContentType,
                0x8123,
                (destination, order) => formatter.Write(destination, order),
                body => formatter.Read(body) is { Id: 0 } order && ++count < 3 ? throw ErrorOf(error) : formatter.Read(body));
            await using TestHost host = await TestHost.StartWithHarnessAsync(
                queues => queues.AddFormatter<OrderPlaced>(failing).AddConsumer<OrderPlaced>(
                    "orders", (_, _, _) => Task.CompletedTask, options => options.OrderingKey = isOrdered ? order => order.Customer : null),
                time,
                "orders:CircuitBreaker:FailureCount=2",
                "orders:Retry:MaxAttempts=3");
            await host.Harness.SendAsync("orders", new OrderPlaced(0, "Ada"));
            await host.Harness.SendAsync("orders", new OrderPlaced(1, "Ada"));
            await AdvanceUntilAsync(time, host.Harness.WaitForHandledAsync<OrderPlaced>(handled + 1));
            if (handled == 0)
                await host.Harness.WaitForDeadLetteredAsync();
            Assert.Equal(reads, count);
            Assert.Equal(1 - handled, host.Harness.DeadLettered.Count);
            // Otherwise the other message is handled between the attempts.
            if (isOrdered && handled == 1)
            {
                Assert.Single(host.Log.Of(9));
                Assert.Equal([0, 1], host.Harness.Handled<OrderPlaced>().Select(static order => order.Id));
            }
        }
    }

    [Fact]
    public async Task BodyThatIsNeverRead_IsADeadLetterAfterTheLastAttempt()
    {
        var time = new FakeTimeProvider();
        MessageFormatter<OrderPlaced> failing = DelegateFormatter.FromBuffers<OrderPlaced>("a/b", 0x8123, (_, _) => { }, _ => throw ErrorOf("not poison"));
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            queues => queues.AddFormatter<OrderPlaced>(failing).AddConsumer<OrderPlaced>("orders", (_, _, _) => Task.CompletedTask),
            time,
            "orders:Retry:MaxAttempts=2");
        await host.Harness.SendAsync("orders", new OrderPlaced(0, "Ada"));
        await AdvanceUntilAsync(time, host.Harness.WaitForDeadLetteredAsync());
        Assert.Equal((DeadLetterReasons.UnreadableBody, "the key was rotated"), (host.Harness.DeadLettered[0].Reason, host.Harness.DeadLettered[0].Description));
        Assert.Single(host.Log.Of(5));
    }

    private static Exception ErrorOf(string error) => error switch
    {
        "poison" => new MessageFormatException(MessageFormatErrorCode.Malformed, "never", isPoison: true),
        "not poison" => new MessageFormatException(MessageFormatErrorCode.Malformed, "the key was rotated"),
#pragma warning disable CA2201 // What a formatter throws when there is no memory.
        _ => new OutOfMemoryException(),
#pragma warning restore CA2201
    };

    private static async Task AdvanceUntilAsync(FakeTimeProvider time, Task task)
    {
        while (!task.IsCompleted)
        {
            time.Advance(TimeSpan.FromSeconds(1));
            await Task.WhenAny(task, Task.Delay(2));
        }

        await task;
    }
}
