using System;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Hosting.Testing;
using Formatters.Queues;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Time.Testing;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>The harness: the queues of an application, whatever their addresses, are in memory.</summary>
public class HarnessTests
{
    [Fact]
    public async Task Queues_AreInMemory_WhateverTheirAddresses()
    {
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            static queues => queues.AddSender<OrderStatus>("states").AddConsumer<OrderPlaced>(
                "orders", static (order, context, token) => context.Services.GetRequiredService<ISender<OrderStatus>>().SendAsync(new OrderStatus(order.Id, "placed"), null, token)),
            null,
            "orders:Address=postgres://elsewhere/shop/orders",
            "orders:DeliveryMode=Recoverable",
            "states:Address=amqp://elsewhere/states");
        await host.Harness.SendAsync("orders", new OrderPlaced(1, "Ada"));
        Assert.Equal([new OrderStatus(1, "placed")], await host.Harness.WaitForSentAsync<OrderStatus>());
        Assert.Equal("OrderStatus", host.Harness.SentMessages("states")[0].Headers[ContractNames.HeaderName]);
        Assert.Empty(host.Harness.Sent<OrderPlaced>());
        Assert.Equal([new OrderPlaced(1, "Ada")], await host.Harness.WaitForHandledAsync<OrderPlaced>());
        Assert.Empty(host.Harness.Handled<OrderPlaced>("states"));
    }

    [Fact]
    public async Task Topics_AreSharedByTheirSubscriptions()
    {
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            static queues => queues.AddSender<OrderPlaced>("events").AddConsumer<OrderPlaced>("billing", static (_, _, _) => Task.CompletedTask),
            null,
            "events:Address=postgres://elsewhere/shop/events",
            "events:IsTopic=true",
            "billing:Address=postgres://elsewhere/shop/events",
            "billing:IsTopic=true",
            "billing:Subscription=billing");
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"));
        Assert.Equal(1, (await host.Harness.WaitForHandledAsync<OrderPlaced>())[0].Id);
    }

    /// <summary>As in the application: a name that is misspelled would be a queue that nobody receives from, or a list that is always empty.</summary>
    [Fact]
    public async Task UnknownQueue_IsAnErrorThatNamesTheOthers()
    {
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            static queues => queues.AddSender<OrderStatus>("states").AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask),
            null,
            "audit:Address=postgres://elsewhere/shop/audit");
        QueueHarness harness = host.Harness;
        foreach (Func<Task> use in (Func<Task>[])
            [
                () => harness.SendAsync("ordres", new OrderPlaced(1, "Ada")),
                () => harness.SendAsync("ordres", new QueueMessage()),
                () => Task.FromResult(harness.Sent<OrderPlaced>("ordres")),
                () => Task.FromResult(harness.SentMessages("ordres")),
                () => Task.FromResult(harness.Handled<OrderPlaced>("ordres")),
            ])
        {
            OptionsValidationException e = await Assert.ThrowsAsync<OptionsValidationException>(use);
            Assert.Contains("where is queue 'ordres'? Known queues: audit, orders, states.", e.Message, StringComparison.Ordinal);
        }

        await harness.SendAsync("audit", new OrderPlaced(1, "Ada"));
        Assert.Empty(harness.Sent<OrderPlaced>("audit"));
    }

    [Fact]
    public async Task Delay_GoesByTheClockOfTheTest()
    {
        var time = new FakeTimeProvider();
        await using TestHost host = await TestHost.StartWithHarnessAsync(static queues => queues.AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask), time);
        await host.Harness.SendAsync("orders", new OrderPlaced(1, "Ada"), new SendOptions { Delay = TimeSpan.FromDays(1) });
        await host.Harness.SendAsync("orders", new OrderPlaced(2, "Bob"));
        Assert.Equal(2, (await host.Harness.WaitForHandledAsync<OrderPlaced>())[0].Id);
        time.Advance(TimeSpan.FromDays(1));
        Assert.Equal(1, (await host.Harness.WaitForHandledAsync<OrderPlaced>(2))[1].Id);
    }

    [Fact]
    public async Task Wait_CanBeCancelled()
    {
        await using TestHost host = await TestHost.StartWithHarnessAsync(static queues => queues.AddSender<OrderPlaced>("orders"));
        using var cancelled = new CancellationTokenSource();
        Task wait = host.Harness.WaitForHandledAsync<OrderPlaced>(1, cancelled.Token);
        await cancelled.CancelAsync();
        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => wait);
        Assert.Contains("0 of 1 OrderPlaced", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Handlers_DoNotBelongToTheTraceInWhichTheHostStarts()
    {
        using var source = new ActivitySource("Formatters.Hosting.Tests.Start");
        using var listener = new ActivityListener
        {
            ShouldListenTo = own => own.Name is QueueTelemetry.ActivitySourceName || own == source,
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
        };
        ActivitySource.AddActivityListener(listener);
        ActivityTraceId handled = default;
        using Activity start = source.StartActivity("start")!;
        await using TestHost host = await TestHost.StartWithHarnessAsync(queues => queues.AddConsumer<OrderPlaced>("orders", (_, _, _) =>
        {
            handled = Activity.Current!.TraceId;
            return Task.CompletedTask;
        }));
        Activity.Current = null;
        await host.Harness.SendAsync("orders", new OrderPlaced(1, "Ada"));
        await host.Harness.WaitForHandledAsync<OrderPlaced>();
        Assert.NotEqual(start.TraceId, handled);
    }
}
