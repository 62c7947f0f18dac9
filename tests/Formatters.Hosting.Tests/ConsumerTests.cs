using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Extensions.DependencyInjection;
using Polly;
using Polly.Retry;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>Handlers, the pipeline around them, and what becomes of the messages, on every kind of queue.</summary>
public class ConsumerTests
{
    [Theory]
    [QueueKindData]
    public async Task Handler_GetsMessageContextAndScope_AndTheQueueIsEmptyAfterwards(string kind)
    {
        await using QueuePlace place = QueuePlace.Of(kind);
        var seen = new BlockingCollection<(OrderPlaced Order, MessageContext Context, ScopedService Service)>();
        await using (TestHost host = await TestHost.StartAsync([$"orders:Address={place.Address("orders")}"], queues =>
        {
            queues.Services.AddScoped<ScopedService>().AddSingleton(seen);
            place.AddTo(queues).AddSender<OrderPlaced>("orders").AddConsumer<OrderPlaced, RecordingHandler>("orders");
        }))
        {
            ISender<OrderPlaced> sender = host.Get<ISender<OrderPlaced>>();
            var options = new SendOptions { CorrelationId = "basket 7", Label = "an order", MessageId = "m1", Headers = new Dictionary<string, object> { ["region"] = "north" } };
            await sender.SendAsync(new OrderPlaced(1, "Ada"), options);
            await sender.SendAsync(new OrderPlaced(2, "Bob"));
            var first = seen.Take();
            var second = seen.Take();
            Assert.Equal((new OrderPlaced(1, "Ada"), new OrderPlaced(2, "Bob")), (first.Order, second.Order));
            Assert.Equal(("orders", "order-placed", "m1", "basket 7", "an order"), (first.Context.QueueName, first.Context.ContractName, first.Context.MessageId, first.Context.CorrelationId, first.Context.Message.Label));
            Assert.Equal((1, 1), (first.Context.Attempt, first.Context.DeliveryCount));
            Assert.Equal("north", first.Context.Message.Headers["region"]);
            Assert.Equal("order-placed", first.Context.Message.Headers[ContractNames.HeaderName]);
            Assert.NotSame(first.Service, second.Service);
            Assert.True(first.Service.IsDisposed);
            Assert.Equal("application/vnd.formatters.binary", first.Context.Message.Body.ContentType);
        }

        await using TestHost after = TestHost.Build([$"orders:Address={place.Address("orders")}"], queues => place.AddTo(queues));
        QueueClient queue = after.Host.Services.GetRequiredKeyedService<QueueClient>("orders");
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
    }

    [Theory]
    [QueueKindData]
    public async Task FailedMessages_AreTriedAgain_ThenDeadLettersWithTheException(string kind)
    {
        await using QueuePlace place = QueuePlace.Of(kind);
        var attempts = new ConcurrentQueue<int>();
        await using TestHost host = await TestHost.StartAsync([$"orders:Address={place.Address("orders")}", "orders:Retry:MaxAttempts=3", "orders:Retry:Delay=00:00:00.010"], queues =>
            place.AddTo(queues).AddSender<OrderPlaced>("orders").AddConsumer<OrderPlaced>("orders", (_, context, _) =>
            {
                attempts.Enqueue(context.Attempt);
                throw new InvalidOperationException("the shop is closed");
            }));
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"));
        ReceivedMessage dead = await ReceiveDeadLetterAsync(host, place.Address("orders"));
        Assert.Equal([1, 2, 3], attempts);
        Assert.Equal(DeadLetterReasons.HandlerFailed, dead.DeadLetterReason);
        Assert.Contains("System.InvalidOperationException: the shop is closed", dead.DeadLetterDescription, StringComparison.Ordinal);
        Assert.Contains(nameof(ConsumerTests), dead.DeadLetterDescription, StringComparison.Ordinal);
        Assert.Equal(2, host.Log.Of(5).Count);
        await host.Log.WaitForAsync(6); // is written after the move
        Assert.Contains("(handler-failed): the shop is closed", Assert.Single(host.Log.Of(6)), StringComparison.Ordinal);
    }

    [Theory]
    [QueueKindData]
    public async Task BodiesThatCannotBeRead_AreSetAsideAtOnce_AndTheNextIsHandled(string kind)
    {
        await using QueuePlace place = QueuePlace.Of(kind);
        var handled = new TaskCompletionSource<OrderPlaced>();
        await using TestHost host = await TestHost.StartAsync([$"orders:Address={place.Address("orders")}"], queues =>
            place.AddTo(queues).AddSender<OrderPlaced>("orders").AddConsumer<OrderPlaced>("orders", (order, _, _) =>
            {
                handled.SetResult(order);
                return Task.CompletedTask;
            }));
        QueueClient queue = host.Host.Services.GetRequiredKeyedService<QueueClient>("orders");
        await queue.SendAsync(new QueueMessage(new MessageBody("no order"u8.ToArray())));
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(2, "Bob"));
        Assert.Equal(2, (await handled.Task).Id);
        ReceivedMessage dead = await ReceiveDeadLetterAsync(host, place.Address("orders"));
        Assert.Equal(DeadLetterReasons.UnreadableBody, dead.DeadLetterReason);
        Assert.Equal("no order"u8.ToArray(), dead.Body.ToArray());
        Assert.NotNull(dead.DeadLetterDescription);
    }

    [Theory]
    [QueueKindData]
    public async Task SeveralTypesOnOneQueue_AreToldApart_AndAnUnknownOneIsADeadLetter(string kind)
    {
        await using QueuePlace place = QueuePlace.Of(kind);
        var handled = new BlockingCollection<object>();
        Task Handle(object message)
        {
            handled.Add(message);
            return Task.CompletedTask;
        }

        await using TestHost host = await TestHost.StartAsync([$"orders:Address={place.Address("orders")}"], queues =>
            place.AddTo(queues)
                .AddSender<OrderPlaced>("orders")
                .AddSender<OrderCancelled>("orders")
                .AddSender<OrderStatus>("orders", "order-state")
                .AddConsumer<OrderPlaced>("orders", (message, _, _) => Handle(message))
                .AddConsumer<OrderCancelled>("orders", (message, _, _) => Handle(message), static consumer => consumer.FormerNames.Add("order-withdrawn"))
                .AddSender<Withdrawal>("orders", "order-withdrawn"));
        await host.Get<ISender<OrderCancelled>>().SendAsync(new OrderCancelled(1));
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(2, "Bob"));
        await host.Get<ISender<OrderStatus>>().SendAsync(new OrderStatus(3, "renamed"));
        await host.Get<ISender<Withdrawal>>().SendAsync(new Withdrawal(4));
        Assert.Equal(new OrderCancelled(1), handled.Take());
        Assert.Equal(new OrderPlaced(2, "Bob"), handled.Take());
        Assert.Equal(new OrderCancelled(4), handled.Take());
        ReceivedMessage dead = await ReceiveDeadLetterAsync(host, place.Address("orders"));
        Assert.Equal(DeadLetterReasons.UnknownContract, dead.DeadLetterReason);
        Assert.Equal("The message names the contract 'order-state'. Consumers of queue 'orders': order-placed, OrderCancelled, order-withdrawn.", dead.DeadLetterDescription);
        Assert.Equal("order-state", dead.Headers[ContractNames.HeaderName]);
    }

    [Fact]
    public async Task MessagesWithoutHeader_AreIdentifiedByARule_OtherwiseDeadLetters()
    {
        await using TestHost host = await TestHost.StartWithHarnessAsync(static queues => queues
            .AddQueue("orders")
            .AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask, static consumer => consumer.Matches = static message => message.Label == "placed")
            .AddConsumer<OrderCancelled>("orders", static (_, _, _) => Task.CompletedTask, static consumer => consumer.Matches = static message => message.Body.BodyType == BodyTypes.Json));
        await host.Harness.SendAsync("orders", Labelled("placed", new BinaryBodyFormatter<OrderPlaced>(), new OrderPlaced(1, "Ada")));
        await host.Harness.SendAsync("orders", Labelled("other", new BinaryBodyFormatter<OrderPlaced>(), new OrderPlaced(2, "Bob")));
        await host.Harness.SendAsync("orders", Labelled("", new JsonFormatter<OrderCancelled>(), new OrderCancelled(3)));
        Assert.Equal(3, (await host.Harness.WaitForHandledAsync<OrderCancelled>())[0].Id);
        Assert.Equal([new OrderPlaced(1, "Ada")], host.Harness.Handled<OrderPlaced>());
        Testing.DeadLetteredMessage dead = Assert.Single(host.Harness.DeadLettered);
        Assert.Equal(("orders", DeadLetterReasons.UnknownContract, "other"), (dead.Queue, dead.Reason, dead.Message.Label));
        Assert.Equal("The message has no header 'message_contract', and no consumer of queue 'orders' matches it.", dead.Description);
    }

    [Theory]
    [InlineData("a\nb", "'a?b'")]
    [InlineData(7, "'Int32'")]
    public async Task HostileContractName_IsPrintedSafely(object header, string expected)
    {
        await using TestHost host = await TestHost.StartWithHarnessAsync(static queues => queues.AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask));
        var message = new QueueMessage();
        message.Headers[ContractNames.HeaderName] = header;
        await host.Harness.SendAsync("orders", message);
        Assert.Contains(expected, (await host.Harness.WaitForDeadLetteredAsync())[0].Description, StringComparison.Ordinal);
    }

    [Fact]
    public async Task KeyWhoseHashCodeThrows_SetsTheMessageAside_AndTheNextIsHandled()
    {
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            static queues => queues
            .AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask, static consumer => consumer.OrderingKey = static order => new UnhashableKey(order.Id)),
            null,
            "orders:Retry:MaxAttempts=1");
        await host.Harness.SendAsync("orders", new OrderPlaced(1, "Ada"));
        await host.Harness.SendAsync("orders", new OrderPlaced(2, "Bob"));
        Assert.Equal(2, (await host.Harness.WaitForHandledAsync<OrderPlaced>())[0].Id);
        Assert.Contains("The ordering key could not be selected", (await host.Harness.WaitForDeadLetteredAsync())[0].Description, StringComparison.Ordinal);
    }

    private sealed record UnhashableKey(int Id)
    {
        public override int GetHashCode() => Id == 1 ? throw new InvalidOperationException("no hash code") : Id;
    }

    [Fact]
    public async Task RuleOrKeyThatThrows_SetsTheMessageAside_AndTheNextIsHandled()
    {
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            static queues => queues
            .AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask, static consumer => consumer.OrderingKey = static order => order.Id / (order.Id - 1))
            .AddConsumer<OrderCancelled>("orders", static (_, _, _) => Task.CompletedTask, static consumer => consumer.Matches = static message => message.Label!.Length > 0),
            null,
            "orders:Retry:MaxAttempts=1");
        await host.Harness.SendAsync("orders", new OrderPlaced(1, "Ada"));
        await host.Harness.SendAsync("orders", new QueueMessage());
        await host.Harness.SendAsync("orders", new OrderPlaced(2, "Bob"));
        Assert.Equal(2, (await host.Harness.WaitForHandledAsync<OrderPlaced>())[0].Id);
        IReadOnlyList<Testing.DeadLetteredMessage> dead = await host.Harness.WaitForDeadLetteredAsync(2);
        Assert.Contains(dead, static letter => letter.Description!.Contains("The ordering key could not be selected: System.DivideByZeroException", StringComparison.Ordinal));
        Assert.All(dead, static letter => Assert.Equal(DeadLetterReasons.UnreadableBody, letter.Reason));
        Assert.Equal(dead.Where(static letter => letter.Message.Headers.Count > 0), await host.Harness.WaitForDeadLetteredAsync<OrderPlaced>());
    }

    [Fact]
    public async Task Middleware_RunsAroundTheHandler_InTheOrderOfRegistration()
    {
        var steps = new ConcurrentQueue<string>();
        await using TestHost host = await TestHost.StartWithHarnessAsync(queues =>
        {
            queues.Services.AddSingleton(steps);
            queues.UseMiddleware<RecordingMiddleware>()
                .Use(async (context, next) =>
                {
                    steps.Enqueue("inner " + ((OrderPlaced)context.Payload).Id);
                    await next(context);
                })
                .AddConsumer<OrderPlaced>("orders", (order, _, _) =>
                {
                    steps.Enqueue("handler");
                    return Task.CompletedTask;
                });
        });
        await host.Harness.SendAsync("orders", new OrderPlaced(1, "Ada"));
        await host.Harness.WaitForHandledAsync<OrderPlaced>();
        Assert.Equal(["outer", "inner 1", "handler", "outer end"], steps);
    }

    [Fact]
    public async Task Validation_RejectsAMessage_WithoutRetries()
    {
        int handledCount = 0;
        await using TestHost host = await TestHost.StartWithHarnessAsync(queues => queues
            .Use(static (context, next) => context.Payload is OrderPlaced { Id: < 0 } ? throw new MessageRejectedException("the id is negative") { Reason = "invalid" } : next(context))
            .AddConsumer<OrderPlaced>("orders", (_, _, _) =>
            {
                handledCount++;
                return Task.CompletedTask;
            }));
        await host.Harness.SendAsync("orders", new OrderPlaced(-1, "Ada"));
        Testing.DeadLetteredMessage dead = (await host.Harness.WaitForDeadLetteredAsync())[0];
        Assert.Equal(("invalid", "the id is negative", 0), (dead.Reason, dead.Description, handledCount));
        Assert.Empty(host.Log.Of(5));
    }

    [Fact]
    public async Task PollyPipeline_PlugsInAsMiddleware()
    {
        ResiliencePipeline pipeline = new ResiliencePipelineBuilder().AddRetry(new RetryStrategyOptions { MaxRetryAttempts = 3, Delay = TimeSpan.Zero }).Build();
        int attempts = 0;
        await using TestHost host = await TestHost.StartWithHarnessAsync(queues => queues
            .Use(async (context, next) => await pipeline.ExecuteAsync(async _ => await next(context), context.CancellationToken))
            .AddConsumer<OrderPlaced>("orders", (_, _, _) => ++attempts < 4 ? throw new TimeoutException() : Task.CompletedTask));
        await host.Harness.SendAsync("orders", new OrderPlaced(1, "Ada"));
        await host.Harness.WaitForHandledAsync<OrderPlaced>();
        Assert.Equal(4, attempts);
        Assert.Empty(host.Log.Of(5));
    }

    [Fact]
    public async Task Concurrency_IsTheNumberOfHandlersAtATime()
    {
        int running = 0;
        int most = 0;
        var release = new TaskCompletionSource();
        var busy = new SemaphoreSlim(0);
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            queues => queues.AddConsumer<OrderPlaced>("orders", async (_, _, _) =>
            {
                int now = Interlocked.Increment(ref running);
                InterlockedMax(ref most, now);
                busy.Release();
                await release.Task;
                Interlocked.Decrement(ref running);
            }),
            null,
            "orders:Concurrency=3");
        for (int i = 0; i < 10; i++)
            await host.Harness.SendAsync("orders", new OrderPlaced(i, "Ada"));
        for (int i = 0; i < 3; i++)
            await busy.WaitAsync();
        release.SetResult();
        await host.Harness.WaitForHandledAsync<OrderPlaced>(10);
        Assert.Equal(3, most);
    }

    [Fact]
    public async Task OrderingKey_KeepsTheOrderOfEachKey_AlsoOverRetries()
    {
        var failed = new ConcurrentDictionary<int, bool>();
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            queues => queues.AddConsumer<OrderPlaced>(
                "orders",
                async (order, _, _) =>
                {
                    await Task.Delay(order.Id % 3, CancellationToken.None);
                    if (order.Id % 7 == 0 && failed.TryAdd(order.Id, true))
                        throw new TimeoutException();
                },
                static consumer => consumer.OrderingKey = static order => order.Customer),
            null,
            "orders:Concurrency=4",
            "orders:Retry:Delay=00:00:00.005");
        for (int i = 0; i < 200; i++)
            await host.Harness.SendAsync("orders", new OrderPlaced(i, "customer " + (i % 5)));
        await host.Harness.WaitForHandledAsync<OrderPlaced>(200);
        foreach (IGrouping<string, OrderPlaced> customer in host.Harness.Handled<OrderPlaced>().GroupBy(static order => order.Customer))
            Assert.Equal(customer.Select(static order => order.Id).Order(), customer.Select(static order => order.Id));
        Assert.Equal(29, failed.Count);
    }

    [Fact]
    public async Task RegisteredFormatter_TakesPrecedence_AndReadsSeveralFormats()
    {
        var registry = new FormatterRegistry(new CborFormatter<OrderPlaced>(), new JsonFormatter<OrderPlaced>());
        await using TestHost host = await TestHost.StartWithHarnessAsync(queues => queues
            .AddFormatter<OrderPlaced>(registry)
            .AddSender<OrderPlaced>("orders")
            .AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask));
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"));
        await host.Harness.SendAsync("orders", Labelled("", new JsonFormatter<OrderPlaced>(), new OrderPlaced(2, "Bob")));
        Assert.Equal([new OrderPlaced(1, "Ada"), new OrderPlaced(2, "Bob")], await host.Harness.WaitForHandledAsync<OrderPlaced>(2));
        Assert.Equal(ContentTypes.Cbor, host.Harness.SentMessages("orders")[0].Body.ContentType);
    }

    internal static async Task<ReceivedMessage> ReceiveDeadLetterAsync(TestHost host, string address)
    {
        await using QueueClient dead = await host.Get<QueueConnector>().OpenAsync(address + ".dead");
        ReceivedMessage message = (await dead.ReceiveAsync(Timeout.InfiniteTimeSpan))!;
        await message.AcknowledgeAsync();
        return message;
    }

    private static QueueMessage Labelled<T>(string label, MessageFormatter<T> formatter, T value)
    {
        var message = new QueueMessage { Label = label };
        ((IMessageFormatter)formatter).Write(message.Body, value);
        return message;
    }

    private static void InterlockedMax(ref int location, int value)
    {
        int current;
        while ((current = Volatile.Read(ref location)) < value && Interlocked.CompareExchange(ref location, value, current) != current)
        {
        }
    }

    private sealed record Withdrawal(int Id);

    private sealed class ScopedService : IDisposable
    {
        internal bool IsDisposed { get; private set; }

        public void Dispose() => IsDisposed = true;
    }

    private sealed class RecordingHandler(ScopedService service, BlockingCollection<(OrderPlaced Order, MessageContext Context, ScopedService Service)> seen) : IMessageHandler<OrderPlaced>
    {
        public Task HandleAsync(OrderPlaced message, MessageContext context, CancellationToken cancellationToken)
        {
            Assert.Same(service, context.Services.GetRequiredService<ScopedService>());
            Assert.False(service.IsDisposed);
            seen.Add((message, context, service), CancellationToken.None);
            return Task.CompletedTask;
        }
    }

    private sealed class RecordingMiddleware(ConcurrentQueue<string> steps) : IMessageMiddleware
    {
        public async Task InvokeAsync(MessageContext context, MessageDelegate next)
        {
            steps.Enqueue("outer");
            await next(context);
            steps.Enqueue("outer end");
        }
    }
}
