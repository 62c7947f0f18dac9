using System;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>Invalid settings and registrations fail at startup, with a message that names the setting, the type and the queue.</summary>
public class ConfigurationTests
{
    [Theory]
    [InlineData("orders:Adress=memory:x", "'Queues:orders:Adress' is not a setting")]
    [InlineData("orders:Retry:MaxAttemps=3", "'Queues:orders:Retry:MaxAttemps' is not a setting")]
    [InlineData("orders:ConfigureQueue=x", "'Queues:orders:ConfigureQueue' is not a setting")]
    [InlineData("other:Adress=memory:x", "'Queues:other:Adress' is not a setting")]
    [InlineData("orders:Retry=5", "'Queues:orders:Retry' is '5', which would be ignored")]
    [InlineData("orders:CircuitBreaker=off", "'Queues:orders:CircuitBreaker' is 'off', which would be ignored")]
    [InlineData("orders:Concurrency:Max=5", "'Queues:orders:Concurrency:Max' is not a setting. 'Queues:orders:Concurrency' is a value")]
    [InlineData("orders:Retry:Mode=99", "Queues:orders:Retry:Mode is 99, which is not one of InProcess, ByQueue")]
    [InlineData("orders:DeliveryMode=99", "Queue 'orders': Not a value of DeliveryMode. (Parameter 'DeliveryMode')")]
    [InlineData("orders:AcknowledgeMode=-1", "Queue 'orders': Not a value of AcknowledgeMode.")]
    [InlineData("orders:Concurrency=many", "'Queues:orders:Concurrency'")]
    [InlineData("orders:Concurrency=0", "Queues:orders:Concurrency must be at least 1")]
    [InlineData("orders:PrefetchCount=0", "Queues:orders:PrefetchCount must be at least Concurrency (1)")]
    [InlineData("orders:Format=yaml", "Queues:orders:Format is 'yaml', which is not one of binary, versioned")]
    [InlineData("orders:DeliveryMode=Transactional", "Queues:orders:DeliveryMode cannot be Transactional")]
    [InlineData("orders:AcknowledgeMode=Cumulative", "Queues:orders:AcknowledgeMode cannot be Cumulative")]
    [InlineData("orders:Subscription=x", "Queues:orders:Subscription needs IsTopic")]
    [InlineData("orders:HandlerTimeout=00:00:00", "Queues:orders:HandlerTimeout must be more than zero")]
    [InlineData("orders:Retry:MaxAttempts=0", "Queues:orders:Retry:MaxAttempts must be at least 1")]
    [InlineData("orders:Retry:Delay=02:00:00", "Queues:orders:Retry:Delay must be zero or more, and at most MaxDelay")]
    [InlineData("orders:CircuitBreaker:FailureCount=-1", "Queues:orders:CircuitBreaker:FailureCount must be zero or more")]
    [InlineData("orders:CircuitBreaker:BreakDuration=00:00:00", "Queues:orders:CircuitBreaker:BreakDuration must be more than zero")]
    [InlineData("orders:ReconnectDelay=00:10:00", "Queues:orders:ReconnectDelay must be more than zero, and at most MaxReconnectDelay")]
    [InlineData("orders:LeaseDuration=00:00:00", "Queue 'orders': More than zero")]
    [InlineData("orders:Selector=Size >", "Queue 'orders':")]
    [InlineData("orders:Address=orders", "Queues:orders:Address:")]
    [InlineData("orders:Address=", "Queues:orders:Address is missing")]
    public async Task InvalidSetting_FailsTheStart(string line, string expected)
    {
        OptionsValidationException e = await Assert.ThrowsAsync<OptionsValidationException>(() => StartAsync(["orders:Address=memory:orders", line], HandleOrders));
        Assert.Contains(expected, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task MisspeltQueue_FailsTheStart_WithTheQueuesThatThereAre()
    {
        OptionsValidationException e = await Assert.ThrowsAsync<OptionsValidationException>(() => StartAsync(["ordres:Address=memory:orders"], HandleOrders));
        Assert.Contains("Queues:orders:Address is missing: where is queue 'orders'? Known queues: ordres.", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task SchemeWithoutProvider_FailsTheStart()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => StartAsync(["orders:Address=amqp://localhost/orders"], HandleOrders));
        Assert.Contains("Queue 'orders' cannot be opened: No provider opens 'amqp:' addresses.", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task OptionThatTheQueueDoesNotSupport_FailsTheStart()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(
            () => StartAsync(["orders:Address=memory:orders"], queues => HandleOrders(queues.AddQueue("orders", static queue => queue.ConfigureQueue = static options => options with { MaxDeliveryCount = 3, DeadLetterQueue = null }))));
        Assert.Contains("Queue 'orders' cannot be opened", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ReceiveAndDelete_FailsTheStart()
    {
        OptionsValidationException e = await Assert.ThrowsAsync<OptionsValidationException>(() => StartAsync(
            ["orders:Address=memory:orders"],
            queues => HandleOrders(queues.AddQueue("orders", static queue => queue.ConfigureQueue = static options => options with { ReceiveMode = ReceiveMode.ReceiveAndDelete }))));
        Assert.Contains("Queue 'orders': ConfigureQueue cannot change DeliveryMode and ReceiveMode in this way.", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task HandlerWithAMissingService_FailsTheStart_NamingTypeAndQueue()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(
            () => StartAsync(["orders:Address=memory:orders"], static queues => queues.AddConsumer<OrderPlaced, HandlerWithShop>("orders")));
        Assert.Contains("Queue 'orders': the handler " + typeof(HandlerWithShop) + " for " + typeof(OrderPlaced) + " cannot be created", e.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(IShop), e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task HandlerWhoseConstructorThrows_FailsTheStart()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(
            () => StartAsync(["orders:Address=memory:orders"], static queues => queues.AddConsumer<OrderPlaced, ThrowingHandler>("orders")));
        Assert.Contains("cannot be created: no database", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task MiddlewareWithAMissingService_FailsTheStart()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(
            () => StartAsync(["orders:Address=memory:orders"], static queues => HandleOrders(queues.UseMiddleware<MiddlewareWithShop>())));
        Assert.Contains("The middleware " + typeof(MiddlewareWithShop) + " cannot be created", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task TwoConsumersForOneType_FailTheStart()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(
            () => StartAsync(["orders:Address=memory:orders"], static queues => HandleOrders(queues.AddConsumer<OrderPlaced, IgnoringHandler>("orders"))));
        Assert.Contains("Queue 'orders' has two consumers for " + typeof(OrderPlaced), e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task TwoTypesWithOneContractName_FailTheStart()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => StartAsync(
            ["orders:Address=memory:orders"],
            static queues => HandleOrders(queues).AddConsumer<OrderCancelled>("orders", static (_, _, _) => Task.CompletedTask, static consumer => consumer.ContractName = "order-placed")));
        Assert.Contains("has two consumers for the contract 'order-placed'", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task TypeThatTheFormatCannotCarry_FailsTheStart_AlsoForSenders()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(
            () => StartAsync(["orders:Address=memory:orders", "orders:Format=cbor"], static queues => queues.AddSender<Action>("orders", "action")));
        Assert.Contains("Queue 'orders' cannot carry System.Action", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ContractInSeveralFormats_NeedsTheFormatOfTheQueue()
    {
        static QueuesBuilder Send(QueuesBuilder queues) => queues.AddSender<InTwoFormats>("orders");
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => StartAsync(["orders:Address=memory:orders"], Send));
        Assert.Contains("Its contract has several formats (Binary, Cbor). Set Format of the queue to one of them.", e.Message, StringComparison.Ordinal);
        await StartAsync(["orders:Address=memory:orders", "orders:Format=CBOR"], Send);
    }

    [Fact]
    public void ContractNames_AreThoseOfTheAttributeOrTheType()
    {
        Assert.Equal("order-placed", ContractNames.Of(typeof(OrderPlaced)));
        Assert.Equal("OrderCancelled", ContractNames.Of(typeof(OrderCancelled)));
        Assert.Throws<ArgumentException>(() => ContractNames.Of(typeof(System.Collections.Generic.List<int>)));
        Assert.Throws<ArgumentException>(() => ContractNames.Of(typeof(int[])));
        Assert.Throws<ArgumentException>(() => ContractNames.Of(typeof(NamedEmpty)));
    }

    [Fact]
    public async Task OrderingKeyWithRetriesByQueue_FailsTheStart()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => StartAsync(
            ["orders:Address=memory:orders", "orders:Retry:Mode=ByQueue"],
            static queues => queues.AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask, static consumer => consumer.OrderingKey = static order => order.Customer)));
        Assert.Contains("Queues:orders:Retry:Mode cannot be ByQueue with an ordering key", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task TopicWithoutSubscription_FailsTheStartOfConsumers()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => StartAsync(["orders:Address=memory:orders", "orders:IsTopic=true"], HandleOrders));
        Assert.Contains("Queues:orders:Subscription is missing", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task SeveralAddresses_FailTheStartOfConsumers()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => StartAsync(["orders:Address=memory:a,b"], HandleOrders));
        Assert.Contains("Queues:orders:Address has several addresses", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Settings_AreThoseOfTheConfiguration_ThenThoseOfTheCode()
    {
        await using TestHost host = TestHost.Build(
            ["orders:Address=memory:orders", "orders:concurrency=4", "orders:Retry:MaxAttempts=7", "orders:Retry:Mode=InProcess", "orders:CircuitBreaker:BreakDuration=00:00:05"],
            static queues => queues.AddQueue("orders", static queue => queue.Concurrency *= 2));
        HostedQueueOptions options = host.Get<IOptionsMonitor<HostedQueueOptions>>().Get("orders");
        Assert.Equal(8, options.Concurrency);
        Assert.Equal((7, RetryMode.InProcess), (options.Retry.MaxAttempts, options.Retry.Mode));
        Assert.Equal(TimeSpan.FromSeconds(5), options.CircuitBreaker.BreakDuration);
        Assert.Equal(20, options.EffectivePrefetchCount);
        Assert.Equal("orders.dead", options.GetDeadLetterQueue());
    }

    [Fact]
    public async Task CodeAlone_IsEnough()
    {
        var handled = new TaskCompletionSource<OrderPlaced>();
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddQueues()
            .AddQueue("orders", static queue => queue.Address = "memory:orders")
            .AddSender<OrderPlaced>("orders")
            .AddConsumer<OrderPlaced>("orders", (order, _, _) =>
            {
                handled.SetResult(order);
                return Task.CompletedTask;
            });
        using IHost host = builder.Build();
        await host.StartAsync();
        await host.Services.GetRequiredService<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"));
        Assert.Equal(new OrderPlaced(1, "Ada"), await handled.Task);
        await host.StopAsync();
    }

    [Fact]
    public async Task KeyedQueue_IsThatOfTheConfiguration()
    {
        await using TestHost host = TestHost.Build(["orders:Address=memory:some-orders"], static queues => queues.Services.AddSingleton<QueueUser>());
        QueueUser user = host.Get<QueueUser>();
        Assert.Equal("memory:some-orders", user.Orders.Address.ToString());
        await user.Orders.SendAsync(new QueueMessage(new MessageBody("x"u8.ToArray())));
        Assert.Equal(1, await user.Orders.GetMessageCountAsync());
        Assert.Same(user.Orders, host.Host.Services.GetRequiredKeyedService<QueueClient>("orders"));
        OptionsValidationException e = Assert.Throws<OptionsValidationException>(() => host.Host.Services.GetRequiredKeyedService<QueueClient>("ordres"));
        Assert.Contains("Queues:ordres:Address is missing", e.Message, StringComparison.Ordinal);
    }

    private static QueuesBuilder HandleOrders(QueuesBuilder queues) => queues.AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask);

    private static async Task StartAsync(string[] configuration, Func<QueuesBuilder, QueuesBuilder> configure)
    {
        await using TestHost host = await TestHost.StartAsync(configuration, queues => configure(queues));
    }

    private interface IShop;

    private sealed class QueueUser([FromKeyedServices("orders")] QueueClient orders)
    {
        internal QueueClient Orders => orders;
    }

    private sealed class HandlerWithShop(IShop shop) : IMessageHandler<OrderPlaced>
    {
        public Task HandleAsync(OrderPlaced message, MessageContext context, CancellationToken cancellationToken) => Task.FromResult(shop);
    }

    private sealed class MiddlewareWithShop(IShop shop) : IMessageMiddleware
    {
        public Task InvokeAsync(MessageContext context, MessageDelegate next) => Task.FromResult(shop);
    }

    private sealed class ThrowingHandler : IMessageHandler<OrderPlaced>
    {
        public ThrowingHandler() => throw new InvalidOperationException("no database");

        public Task HandleAsync(OrderPlaced message, MessageContext context, CancellationToken cancellationToken) => Task.CompletedTask;
    }

    private sealed class IgnoringHandler : IMessageHandler<OrderPlaced>
    {
        public Task HandleAsync(OrderPlaced message, MessageContext context, CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
