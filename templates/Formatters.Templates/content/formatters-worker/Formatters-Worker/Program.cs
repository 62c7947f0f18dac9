using Formatters.Hosting;
using Formatters_Worker;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

string command = args is [var first, ..] && !first.StartsWith('-') ? first : "work";
int orderCount = 1;
bool isValid = command == "work" || (command == "send" && (args.Length == 1 || int.TryParse(args[1], out orderCount)) && orderCount > 0);
if (!isValid)
{
    Console.Error.WriteLine("""
        send [COUNT]   sends orders to the queue, and ends
        work           handles the orders of the queue, until Ctrl+C (the default)
        """);
    return 2;
}

var settings = new HostApplicationBuilderSettings { Args = args, ContentRootPath = AppContext.BaseDirectory };
HostApplicationBuilder builder = Host.CreateApplicationBuilder(settings);
QueuesBuilder queues = builder.Services.AddQueues(builder.Configuration).AddSender<OrderPlaced>("orders");
if (command == "work")
    queues.AddConsumer<OrderPlaced, OrderHandler>("orders");

using IHost host = builder.Build();
if (command == "work")
{
    await host.RunAsync();
    return 0;
}

ISender<OrderPlaced> sender = host.Services.GetRequiredService<ISender<OrderPlaced>>();
for (int id = 1; id <= orderCount; id++)
    await sender.SendAsync(new OrderPlaced(id, "Ada"));
Console.WriteLine($"Sent: {orderCount}. The command work handles what is in the queue.");
return 0;
