// Claim: one call makes a formatter the serializer of MassTransit, and a program without MassTransit reads and writes the messages of its bus.
//
//   dotnet run --project samples/Bus      over MassTransit's transport in memory; no server is needed
using System;
using System.Threading.Tasks;
using Formatters;
using Formatters.Hosting;
using Formatters.Hosting.Buses;
using Formatters.MassTransit;
using Formatters.Queues;
using MassTransit;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Shop;

HostApplicationBuilder builder = Host.CreateApplicationBuilder(args);
builder.Logging.ClearProviders();
builder.Services.AddSingleton(new TaskCompletionSource<string>());
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
string consumed = await host.Services.GetRequiredService<TaskCompletionSource<string>>().Task;
await host.StopAsync();
Console.WriteLine(consumed);

// A program without MassTransit: in the JSON envelope that any endpoint consumes, and for endpoints that use formatters.
var contracts = new ContractRegistry(WireFormat.MessagePack).Add<OrderPlaced>();
QueueMessage envelope = MassTransitEnvelope.CreateJson(contracts, new OrderPlaced(2, "Grace"));
QueueMessage plain = MassTransitEnvelope.Create(contracts, new OrderPlaced(2, "Grace"));
Console.WriteLine($"{envelope.Body.ContentType}, {envelope.Body.ByteCount} bytes: {MassTransitEnvelope.Read(contracts, envelope)}");
Console.WriteLine($"{plain.Body.ContentType}, {plain.Body.ByteCount} bytes: {MassTransitEnvelope.Read(contracts, plain)}");
bool holds = consumed == "application/x-msgpack, 6 bytes: OrderPlaced { Id = 1, Customer = Ada }"
    && MassTransitEnvelope.Read(contracts, envelope).Equals(new OrderPlaced(2, "Grace"))
    && MassTransitEnvelope.Read(contracts, plain).Equals(new OrderPlaced(2, "Grace"));
return holds ? 0 : 1;

internal sealed class OrderConsumer(TaskCompletionSource<string> consumed) : IConsumer<OrderPlaced>
{
    public Task Consume(ConsumeContext<OrderPlaced> context)
    {
        consumed.TrySetResult($"{context.ReceiveContext.ContentType}, {context.ReceiveContext.Body.Length} bytes: {context.Message}");
        return Task.CompletedTask;
    }
}
