using Formatters.Hosting.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Xunit;

namespace Formatters_Worker.Tests;

public class OrderHandlerTests
{
    [Fact]
    public async Task AnOrder_IsHandled()
    {
        HostApplicationBuilder builder = Host.CreateApplicationBuilder();
        builder.Services.AddQueues().AddConsumer<OrderPlaced, OrderHandler>("orders");
        builder.Services.AddQueueHarness();
        using IHost host = builder.Build();
        await host.StartAsync();
        QueueHarness harness = host.Services.GetRequiredService<QueueHarness>();

        await harness.SendAsync("orders", new OrderPlaced(1, "Ada"));

        Assert.Equal([new OrderPlaced(1, "Ada")], await harness.WaitForHandledAsync<OrderPlaced>());
        Assert.Empty(harness.DeadLettered);
        await host.StopAsync();
    }
}
