using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Time.Testing;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>Retries, leases, timeouts and the circuit breaker, by a clock that the test sets.</summary>
public class RetryTests
{
    private readonly FakeTimeProvider _time = new(new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero));

    [Theory]
    [InlineData(1, 0.5, 1)]
    [InlineData(2, 1, 2)]
    [InlineData(5, 8, 16)]
    [InlineData(7, 30, 60)]
    [InlineData(1000, 30, 60)]
    public void BackOff_DoublesUpToTheMaximum_WithJitter(int failureCount, double from, double to)
    {
        TimeSpan[] delays = [.. Enumerable.Range(0, 1000).Select(_ => BackOff.After(TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(1), failureCount))];
        Assert.All(delays, delay => Assert.InRange(delay.TotalSeconds, from, to));
        Assert.True(delays.Max() - delays.Min() > (to - from) * 0.9 * TimeSpan.FromSeconds(1));
    }

    [Theory]
    [InlineData("ByQueue", 5)]
    [InlineData("InProcess", 1)]
    public async Task DelayedMessage_LetsOthersPassInTheQueue_AndHoldsThemUpInTheProcess(string mode, int handledBeforeTheRetry)
    {
        int attempts = 0;
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            queues => queues.AddConsumer<OrderPlaced>("orders", (order, _, _) => order.Id == 0 && ++attempts < 2 ? throw new TimeoutException() : Task.CompletedTask),
            _time,
            "orders:Retry:Delay=00:00:10",
            "orders:Retry:Mode=" + mode);
        for (int i = 0; i < 5; i++)
            await host.Harness.SendAsync("orders", new OrderPlaced(i, "Ada"));
        await host.Log.WaitForAsync(5);
        if (mode == "ByQueue")
            await host.Harness.WaitForHandledAsync<OrderPlaced>(4);
        await AdvanceUntilAsync(host.Harness.WaitForHandledAsync<OrderPlaced>(5), TimeSpan.FromSeconds(1));
        Assert.Equal(handledBeforeTheRetry, 1 + host.Harness.Handled<OrderPlaced>().ToList().FindIndex(static order => order.Id == 0));
    }

    [Fact]
    public async Task LeaseIsRenewed_WhileTheHandlerRuns()
    {
        var release = new TaskCompletionSource();
        var deliveries = new ConcurrentQueue<int>();
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            queues => queues.AddQueue("orders", static queue => queue.ConfigureQueue = static options => options with { LeaseDuration = TimeSpan.FromSeconds(30) }).AddConsumer<OrderPlaced>("orders", (_, context, _) =>
            {
                deliveries.Enqueue(context.DeliveryCount);
                return release.Task;
            }),
            _time,
            "orders:Concurrency=2");
        await host.Harness.SendAsync("orders", new OrderPlaced(1, "Ada"));
        await AdvanceUntilAsync(WaitUntilAsync(() => !deliveries.IsEmpty), TimeSpan.Zero);
        for (int i = 0; i < 40; i++)
        {
            _time.Advance(TimeSpan.FromSeconds(5));
            await Task.Delay(2);
        }

        release.SetResult();
        await host.Harness.WaitForHandledAsync<OrderPlaced>();
        Assert.Equal([1], deliveries);
        Assert.Empty(host.Log.Of(8));
    }

    [Fact]
    public async Task HandlerThatNeverReturns_IsNamedInTheLog_AndItsMessageIsHandledAgain()
    {
        var never = new TaskCompletionSource();
        int calls = 0;
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            queues =>
            {
                queues.Services.AddHealthChecks().AddQueues();
                queues.AddConsumer<OrderPlaced>("orders", (_, _, _) => ++calls == 1 ? never.Task : Task.CompletedTask);
            },
            _time,
            "orders:LeaseDuration=00:00:30",
            "orders:Concurrency=2");
        await host.Harness.SendAsync("orders", new OrderPlaced(1, "Ada"), new SendOptions { MessageId = "m1" });
        await AdvanceUntilAsync(host.Log.WaitForAsync(11), TimeSpan.FromSeconds(1));
        Assert.Equal("Queue 'orders': the handler of order-placed m1 has not completed within 00:05:00; it is cancelled.", Assert.Single(host.Log.Of(11)));
        HealthReport report = await host.Get<HealthCheckService>().CheckHealthAsync();
        Assert.Equal((HealthStatus.Degraded, "orders: 1 handlers have not ended after their timeout"), (report.Status, report.Entries["queues"].Description));
        // Its lease is not renewed any more.
        await AdvanceUntilAsync(host.Harness.WaitForHandledAsync<OrderPlaced>(), TimeSpan.FromSeconds(1));
        Assert.Equal(2, calls);
        never.SetResult();
        await host.Log.WaitForAsync(8);
        Assert.Contains("m1 could not be acknowledged", Assert.Single(host.Log.Of(8)), StringComparison.Ordinal);
    }

    [Fact]
    public async Task LeaseIsRenewed_AlsoAfterAnAttemptThatTimedOut()
    {
        int calls = 0;
        var release = new TaskCompletionSource();
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            queues => queues.AddConsumer<OrderPlaced>("orders", (_, _, token) => Interlocked.Increment(ref calls) == 1 ? Task.Delay(Timeout.Infinite, token) : release.Task),
            _time,
            "orders:LeaseDuration=00:00:30",
            "orders:HandlerTimeout=00:10:00",
            "orders:Concurrency=2",
            "orders:Retry:Mode=InProcess");
        await host.Harness.SendAsync("orders", new OrderPlaced(1, "Ada"));
        await AdvanceUntilAsync(WaitUntilAsync(() => Volatile.Read(ref calls) == 2), TimeSpan.FromSeconds(1));
        for (int i = 0; i < 60; i++)
        {
            _time.Advance(TimeSpan.FromSeconds(5));
            await Task.Delay(2);
        }

        release.SetResult();
        await host.Harness.WaitForHandledAsync<OrderPlaced>();
        Assert.Equal(2, calls);
        Assert.Empty(host.Log.Of(8));
    }

    [Fact]
    public async Task LongestTimes_AreAccepted()
    {
        int calls = 0;
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            queues => queues.AddConsumer<OrderPlaced>("orders", (_, _, _) => ++calls == 1 ? throw new TimeoutException() : Task.CompletedTask, static consumer => consumer.OrderingKey = static order => order.Id),
            _time,
            "orders:LeaseDuration=300000.00:00:00",
            "orders:HandlerTimeout=1000.00:00:00",
            "orders:Retry:Delay=200.00:00:00",
            "orders:Retry:MaxDelay=1000.00:00:00",
            "orders:CircuitBreaker:FailureCount=1",
            "orders:CircuitBreaker:BreakDuration=1000.00:00:00");
        await host.Harness.SendAsync("orders", new OrderPlaced(1, "Ada"));
        await AdvanceUntilAsync(host.Harness.WaitForHandledAsync<OrderPlaced>(), TimeSpan.FromDays(1));
        Assert.Equal(2, calls);
    }

    [Fact]
    public async Task HandlerThatEndsAtItsTimeout_HasFailed()
    {
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            static queues => queues.AddConsumer<OrderPlaced>("orders", static (_, _, token) => Task.Delay(Timeout.Infinite, token)),
            _time,
            "orders:HandlerTimeout=00:00:10",
            "orders:Retry:MaxAttempts=1");
        await host.Harness.SendAsync("orders", new OrderPlaced(1, "Ada"));
        await AdvanceUntilAsync(host.Harness.WaitForDeadLetteredAsync(), TimeSpan.FromSeconds(1));
        Assert.Contains("TimeoutException: The handler did not complete within 00:00:10.", host.Harness.DeadLettered[0].Description, StringComparison.Ordinal);
    }

    [Fact]
    public async Task CircuitBreaker_PausesReceiving_AndGoesOnWithOneMessageAtATime()
    {
        bool isShopOpen = false;
        int calls = 0;
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            queues =>
            {
                queues.Services.AddHealthChecks().AddQueues();
                queues.AddConsumer<OrderPlaced>("orders", (_, _, _) =>
                {
                    Interlocked.Increment(ref calls);
                    return Volatile.Read(ref isShopOpen) ? Task.CompletedTask : throw new InvalidOperationException("the shop is closed");
                });
            },
            _time,
            "orders:CircuitBreaker:FailureCount=3",
            "orders:CircuitBreaker:BreakDuration=00:01:00",
            "orders:Retry:Mode=ByQueue",
            "orders:Retry:Delay=00:00:00");
        for (int i = 0; i < 3; i++)
            await host.Harness.SendAsync("orders", new OrderPlaced(i, "Ada"));
        await host.Log.WaitForAsync(9);
        Assert.Equal("Queue 'orders': 3 attempts in a row failed; receiving pauses for 00:01:00.", Assert.Single(host.Log.Of(9)));
        await WaitUntilAsync(() => host.Log.Of(5).Count == 3);
        await Task.Delay(50);
        Assert.Equal(3, Volatile.Read(ref calls));
        HealthReport report = await host.Get<HealthCheckService>().CheckHealthAsync();
        Assert.Equal((HealthStatus.Degraded, "orders: receiving pauses after consecutive failures"), (report.Status, report.Entries["queues"].Description));

        // A break later, one message is tried, and fails.
        _time.Advance(TimeSpan.FromMinutes(1));
        await WaitUntilAsync(() => host.Log.Of(5).Count == 4);
        await Task.Delay(50);
        Assert.Equal(4, Volatile.Read(ref calls));

        Volatile.Write(ref isShopOpen, true);
        _time.Advance(TimeSpan.FromMinutes(1));
        await host.Harness.WaitForHandledAsync<OrderPlaced>(3);
        Assert.Equal("Queue 'orders': a message was handled; receiving goes on.", Assert.Single(host.Log.Of(10)));
        Assert.Single(host.Log.Of(9));
        Assert.Equal(HealthStatus.Healthy, (await host.Get<HealthCheckService>().CheckHealthAsync()).Status);
    }

    [Fact]
    public async Task CircuitBreaker_WhoseTrialIsAnUnreadableMessage_TriesTheNext()
    {
        bool isShopOpen = false;
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            queues => queues.AddConsumer<OrderPlaced>("orders", (_, _, _) => Volatile.Read(ref isShopOpen) ? Task.CompletedTask : throw new InvalidOperationException()),
            _time,
            "orders:CircuitBreaker:FailureCount=1",
            "orders:Retry:MaxAttempts=1");
        await host.Harness.SendAsync("orders", new OrderPlaced(1, "Ada"));
        await host.Harness.WaitForDeadLetteredAsync();
        await host.Harness.SendAsync("orders", new QueueMessage());
        await host.Harness.SendAsync("orders", new QueueMessage());
        await host.Harness.SendAsync("orders", new OrderPlaced(2, "Bob"));
        Volatile.Write(ref isShopOpen, true);
        await AdvanceUntilAsync(host.Harness.WaitForHandledAsync<OrderPlaced>(), TimeSpan.FromSeconds(1));
        Assert.Equal(3, host.Harness.DeadLettered.Count);
    }

    [Fact]
    public async Task HandlerConstructorThatThrowsLater_IsAFailedAttempt()
    {
        var constructor = new FailingConstructor();
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            queues =>
            {
                queues.Services.AddSingleton(constructor);
                queues.AddConsumer<OrderPlaced, HandlerWithFailingConstructor>("orders");
            },
            null,
            "orders:Retry:MaxAttempts=2",
            "orders:Retry:Delay=00:00:00");
        constructor.Fails = true;
        await host.Harness.SendAsync("orders", new OrderPlaced(1, "Ada"));
        Assert.Contains("no database", (await host.Harness.WaitForDeadLetteredAsync())[0].Description, StringComparison.Ordinal);
        Assert.Single(host.Log.Of(5));
    }

    /// <summary>Advances the clock until a task completes.</summary>
    private async Task AdvanceUntilAsync(Task task, TimeSpan step)
    {
        while (!task.IsCompleted)
        {
            _time.Advance(step);
            await Task.WhenAny(task, Task.Delay(2));
        }

        await task;
    }

    private static async Task WaitUntilAsync(Func<bool> holds)
    {
        while (!holds())
            await Task.Delay(2);
    }

    private sealed class FailingConstructor
    {
        internal bool Fails { get; set; }
    }

    private sealed class HandlerWithFailingConstructor : IMessageHandler<OrderPlaced>
    {
        public HandlerWithFailingConstructor(FailingConstructor constructor)
        {
            if (constructor.Fails)
                throw new InvalidOperationException("no database");
        }

        public Task HandleAsync(OrderPlaced message, MessageContext context, CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
