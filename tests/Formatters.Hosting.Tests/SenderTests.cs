using System;
using System.Diagnostics;
using System.Linq;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Time.Testing;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>Scheduled sends, request and reply, topics, and the trace from a sender to its handler.</summary>
public class SenderTests
{
    [Fact]
    public async Task Delay_HoldsTheMessageBack_UntilItIsDue()
    {
        var time = new FakeTimeProvider();
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            static queues => queues.AddSender<OrderPlaced>("orders").AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask), time);
        ISender<OrderPlaced> sender = host.Get<ISender<OrderPlaced>>();
        await sender.SendAsync(new OrderPlaced(1, "later"), new SendOptions { Delay = TimeSpan.FromHours(1) });
        await sender.SendAsync(new OrderPlaced(2, "tomorrow"), new SendOptions { DueTime = time.GetUtcNow().AddDays(1) });
        await sender.SendAsync(new OrderPlaced(3, "now"), new SendOptions { Delay = TimeSpan.Zero });
        await host.Harness.WaitForHandledAsync<OrderPlaced>();
        time.Advance(TimeSpan.FromHours(1));
        await host.Harness.WaitForHandledAsync<OrderPlaced>(2);
        time.Advance(TimeSpan.FromHours(23));
        await host.Harness.WaitForHandledAsync<OrderPlaced>(3);
        Assert.Equal([3, 1, 2], host.Harness.Handled<OrderPlaced>().Select(static order => order.Id));
    }

    [Fact]
    public async Task Delay_AndDueTime_ExcludeEachOther()
    {
        await using TestHost host = await TestHost.StartWithHarnessAsync(static queues => queues.AddSender<OrderPlaced>("orders"));
        ISender<OrderPlaced> sender = host.Get<ISender<OrderPlaced>>();
        await Assert.ThrowsAsync<ArgumentException>(() => sender.SendAsync(new OrderPlaced(1, "x"), new SendOptions { Delay = TimeSpan.FromHours(1), DueTime = DateTimeOffset.UtcNow }));
        await Assert.ThrowsAsync<ArgumentException>(() => sender.SendAsync(new OrderPlaced(1, "x"), new SendOptions { Delay = -TimeSpan.FromHours(1) }));
        Assert.Empty(host.Harness.Sent<OrderPlaced>());
    }

    [Fact]
    public async Task A_host_whose_queue_has_no_provider_says_so_and_ends()
    {
        TestHost host = await TestHost.StartAsync(["orders:Address=amqp://localhost/orders"], static queues => queues.AddSender<OrderPlaced>("orders"));
        await using (host)
            await Assert.ThrowsAsync<NotSupportedException>(() => host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "x")));
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => TestHost.StartAsync(["orders:Address=amqp://localhost/orders"],
            static queues => queues.AddSender<OrderPlaced>("orders").AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask)));
        Assert.IsType<NotSupportedException>(e.InnerException);
    }

    [Theory]
    [QueueKindData]
    public async Task QueueThatWasDeletedAndMadeAgain_IsOpenedAgain(string kind)
    {
        await using QueuePlace place = QueuePlace.Of(kind);
        string address = place.Address("orders");
        await using TestHost host = await TestHost.StartAsync([$"orders:Address={address}", "orders:DeadLetterQueue="], queues => place.AddTo(queues).AddSender<OrderPlaced>("orders"));
        QueueConnector connector = host.Get<QueueConnections>().Connector;
        var sender = host.Get<ISender<OrderPlaced>>();
        await sender.SendAsync(new OrderPlaced(1, "Ada"));
        await connector.DeleteAsync(address);
        await using QueueClient queue = await connector.OpenAsync(address, new QueueOptions());

        await Task.WhenAll(Enumerable.Range(2, 5).Select(i => sender.SendAsync(new OrderPlaced(i, "Ada"))));

        var received = new List<int>();
        for (int i = 0; i < 5; i++)
            received.Add((await queue.ReceiveAsync(new BinaryBodyFormatter<OrderPlaced>(), Timeout.InfiniteTimeSpan))!.Value.Id);
        Assert.Equal([2, 3, 4, 5, 6], received.Order());
    }

    [Theory]
    [QueueKindData]
    public async Task Request_GetsItsReply_AndTheReplyQueueIsDeletedAtTheEnd(string kind)
    {
        await using QueuePlace place = QueuePlace.Of(kind);
        string address = place.Address("orders");
        var replyQueue = "";
        TestHost host = await TestHost.StartAsync([$"orders:Address={address}", "orders:Concurrency=4"], queues =>
            place.AddTo(queues).AddSender<OrderPlaced>("orders").AddConsumer<OrderPlaced>("orders", (order, context, token) =>
            {
                replyQueue = context.Message.ResponseQueue!;
                return context.ReplyAsync(new OrderStatus(order.Id, "shipped to " + order.Customer), cancellationToken: token);
            }));
        await using (host)
        {
            ISender<OrderPlaced> sender = host.Get<ISender<OrderPlaced>>();
            OrderStatus[] replies = await Task.WhenAll(Enumerable.Range(0, 20).Select(i => sender.RequestAsync<OrderStatus>(new OrderPlaced(i, "Ada " + i), TimeSpan.FromMinutes(1))));
            Assert.Equal(Enumerable.Range(0, 20).Select(static i => new OrderStatus(i, "shipped to Ada " + i)), replies);
            Assert.Contains(".replies.", replyQueue, StringComparison.Ordinal);
        }

        if (kind is "folder" or "PostgreSQL")
        {
            await using TestHost after = TestHost.Build([], queues => place.AddTo(queues));
            Assert.Empty(await after.Get<QueueConnector>().ListAsync(address[..(address.LastIndexOf('/') + 1)] + replyQueue));
        }
    }

    [Fact]
    public async Task Request_MayWaitForTheLongestTime()
    {
        await using TestHost host = await TestHost.StartAsync(["orders:Address=memory:orders"], static queues => queues
            .AddSender<OrderPlaced>("orders")
            .AddConsumer<OrderPlaced>("orders", static (order, context, token) => context.ReplyAsync(new OrderStatus(order.Id, "shipped"), cancellationToken: token)));
        Assert.Equal(new OrderStatus(1, "shipped"), await host.Get<ISender<OrderPlaced>>().RequestAsync<OrderStatus>(new OrderPlaced(1, "Ada"), TimeSpan.MaxValue));
    }

    [Fact]
    public async Task Request_WithoutReply_TimesOut_AndExpires()
    {
        var time = new FakeTimeProvider();
        await using TestHost host = await TestHost.StartWithHarnessAsync(static queues => queues.AddSender<OrderPlaced>("orders"), time);
        Task<OrderStatus> request = host.Get<ISender<OrderPlaced>>().RequestAsync<OrderStatus>(new OrderPlaced(1, "Ada"), TimeSpan.FromSeconds(10), new SendOptions { MessageId = "m1" });
        while (!request.IsCompleted)
        {
            time.Advance(TimeSpan.FromSeconds(1));
            await Task.Delay(1);
        }

        TimeoutException e = await Assert.ThrowsAsync<TimeoutException>(() => request);
        Assert.Equal("There was no reply from queue 'orders' to order-placed m1 within 00:00:10.", e.Message);
        Assert.Equal(TimeSpan.FromSeconds(10), host.Harness.SentMessages("orders")[0].TimeToLive);
    }

    [Theory]
    [InlineData(null, "names no queue for replies")]
    [InlineData("amqp://elsewhere/replies", "asks for a reply at another location")]
    [InlineData("file:/etc/replies", "asks for a reply at another location")]
    public async Task Reply_GoesNowhereElse(string? responseQueue, string expected)
    {
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            static queues => queues.AddConsumer<OrderPlaced>("orders", static (order, context, token) => context.ReplyAsync(order, cancellationToken: token)), null, "orders:Retry:MaxAttempts=1");
        var message = new QueueMessage { ResponseQueue = responseQueue };
        ((IMessageFormatter)new BinaryBodyFormatter<OrderPlaced>()).Write(message.Body, new OrderPlaced(1, "Ada"));
        await host.Harness.SendAsync("orders", message);
        Assert.Contains(expected, (await host.Harness.WaitForDeadLetteredAsync())[0].Description, StringComparison.Ordinal);
    }

    [Theory]
    [QueueKindData]
    public async Task Topic_GivesEachSubscriptionACopy_OfWhatItSelects(string kind)
    {
        await using QueuePlace place = QueuePlace.Of(kind);
        var billed = new BlockingCollection<int>();
        var shipped = new BlockingCollection<int>();
        string address = place.Address("events");
        await using TestHost host = await TestHost.StartAsync(
            [
                $"events:Address={address}", "events:IsTopic=true",
                $"billing:Address={address}", "billing:IsTopic=true", "billing:Subscription=billing",
                $"shipping:Address={address}", "shipping:IsTopic=true", "shipping:Subscription=shipping",
                // RabbitMQ selects only with a plugin.
                kind == "RabbitMQ" ? "shipping:Concurrency=1" : "shipping:Selector=message_contract = 'order-placed'",
            ],
            queues => place.AddTo(queues)
                .AddSender<OrderPlaced>("events")
                .AddSender<OrderCancelled>("events")
                .AddConsumer<OrderPlaced>("billing", (order, _, _) => Add(billed, order.Id))
                .AddConsumer<OrderCancelled>("billing", (order, _, _) => Add(billed, order.Id))
                .AddConsumer<OrderPlaced>("shipping", (order, _, _) => Add(shipped, order.Id)));
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"));
        await host.Get<ISender<OrderCancelled>>().SendAsync(new OrderCancelled(2));
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(3, "Bob"));
        Assert.Equal([1, 2, 3], new[] { billed.Take(), billed.Take(), billed.Take() });
        Assert.Equal([1, 3], new[] { shipped.Take(), shipped.Take() });
        await host.Host.StopAsync();
        await using MessageTopic topic = await host.Get<QueueConnector>().OpenTopicAsync(address);
        Assert.True(await topic.UnsubscribeAsync("billing"));
        Assert.True(await topic.UnsubscribeAsync("shipping"));

        static Task Add(BlockingCollection<int> to, int id)
        {
            to.Add(id);
            return Task.CompletedTask;
        }
    }

    [Fact]
    public async Task OneTrace_RunsFromTheSender_ThroughTheHandler_ToWhatItSends()
    {
        var spans = new ConcurrentQueue<Activity>();
        using var source = new ActivitySource("Formatters.Hosting.Tests");
        using var listener = new ActivityListener
        {
            ShouldListenTo = own => own.Name is QueueTelemetry.ActivitySourceName || own == source,
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = spans.Enqueue,
        };
        ActivitySource.AddActivityListener(listener);
        await using TestHost host = await TestHost.StartWithHarnessAsync(static queues => queues
            .AddSender<OrderPlaced>("orders")
            .AddSender<OrderStatus>("states")
            .AddConsumer<OrderPlaced>("orders", static (order, context, token) => context.Services.GetRequiredService<ISender<OrderStatus>>().SendAsync(new OrderStatus(order.Id, "placed"), null, token))
            .AddConsumer<OrderStatus>("states", static (_, _, _) => Task.CompletedTask));
        ActivityTraceId trace;
        using (Activity request = source.StartActivity("POST /orders")!)
        {
            trace = request.TraceId;
            await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"));
        }

        await host.Harness.WaitForHandledAsync<OrderStatus>();
        while (spans.Count(span => span.TraceId == trace && span.DisplayName.StartsWith("process", StringComparison.Ordinal)) < 2)
            await Task.Delay(1);
        Activity[] own = [.. spans.Where(span => span.TraceId == trace && span.Source != source).OrderBy(static span => span.StartTimeUtc)];
        Assert.Equal(["send orders", "process orders", "send states", "process states"], own.Select(static span => span.DisplayName).Where(static name => name.StartsWith("send", StringComparison.Ordinal) || name.StartsWith("process", StringComparison.Ordinal)));
        Activity Span(string name) => own.Single(span => span.DisplayName == name);
        Assert.Equal(Span("send orders").SpanId, Span("process orders").ParentSpanId);
        Assert.Equal(Span("process orders").SpanId, Span("send states").ParentSpanId);
        Assert.Equal(Span("send states").SpanId, Span("process states").ParentSpanId);
    }

    [Fact]
    public async Task KeyedSenders_SendOneTypeToSeveralQueues()
    {
        await using TestHost host = await TestHost.StartWithHarnessAsync(static queues => queues.AddSender<OrderPlaced>("orders").AddSender<OrderPlaced>("audit"));
        await host.Host.Services.GetRequiredKeyedService<ISender<OrderPlaced>>("orders").SendAsync(new OrderPlaced(1, "Ada"));
        await host.Host.Services.GetRequiredKeyedService<ISender<OrderPlaced>>("audit").SendAsync(new OrderPlaced(2, "Bob"));
        Assert.Equal((1, 2), (Assert.Single(host.Harness.Sent<OrderPlaced>("orders")).Id, Assert.Single(host.Harness.Sent<OrderPlaced>("audit")).Id));
        Assert.Equal(2, (await host.Harness.WaitForSentAsync<OrderPlaced>(2)).Count);
    }
}
