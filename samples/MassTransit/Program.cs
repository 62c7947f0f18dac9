// MassTransit with formatters: a message over the bus, and the same message as a plain queue carries it. No server is needed.
using System;
using System.Threading.Tasks;
using Formatters;
using Formatters.Hosting;
using Formatters.MassTransit;
using Formatters.Queues;
using MassTransit;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

HostApplicationBuilder builder = Host.CreateApplicationBuilder(args);
builder.Logging.ClearProviders();
builder.Services.AddSingleton(new TaskCompletionSource());
builder.Services.AddMassTransit(x =>
{
    x.DisableUsageTelemetry();
    x.AddConsumer<OrderConsumer>();
    x.UsingInMemory((context, cfg) =>
    {
        cfg.UseFormatters(WireFormat.MessagePack);
        cfg.ConfigureEndpoints(context);
    });
});
using IHost host = builder.Build();
await host.StartAsync();
await host.Services.GetRequiredService<IBus>().Publish(new OrderPlaced(1, "Ada"));
await host.Services.GetRequiredService<TaskCompletionSource>().Task;
await host.StopAsync();

// A program without MassTransit writes the envelope that any endpoint consumes, and reads what an endpoint sends.
var contracts = new ContractRegistry(WireFormat.MessagePack).Add<OrderPlaced>();
QueueMessage envelope = MassTransitEnvelope.CreateJson(contracts, new OrderPlaced(2, "Grace"));
Console.WriteLine($"{envelope.Body.ContentType}, {envelope.Body.ByteCount} bytes: {MassTransitEnvelope.Read(contracts, envelope)}");
QueueMessage plain = MassTransitEnvelope.Create(contracts, new OrderPlaced(2, "Grace"));
Console.WriteLine($"{plain.Body.ContentType}, {plain.Body.ByteCount} bytes: {MassTransitEnvelope.Read(contracts, plain)}");

[MessageContract(Name = "order-placed", Formats = ContractFormats.MessagePack)]
public partial record OrderPlaced([property: MessageMember(1)] int Id, [property: MessageMember(2)] string Customer);

internal sealed class OrderConsumer(TaskCompletionSource consumed) : IConsumer<OrderPlaced>
{
    public Task Consume(ConsumeContext<OrderPlaced> context)
    {
        Console.WriteLine($"{context.ReceiveContext.ContentType}, {context.ReceiveContext.Body.Length} bytes: {context.Message}");
        consumed.TrySetResult();
        return Task.CompletedTask;
    }
}
