// Claim: a worker takes a dozen lines, and has retries, dead letters, a scope for each message, logging and a graceful shutdown.
//
//   dotnet run --project samples/Worker -- send 10     sends orders to a queue in a folder
//   dotnet run --project samples/Worker -- work        handles them until Ctrl+C or SIGTERM
//   dotnet run --project samples/Worker                sends and handles orders, and ends: one is tried again, one becomes a dead letter

using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;
using Formatters;
using Formatters.Contracts;
using Formatters.Hosting;
using Formatters.Queues;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

HostApplicationBuilder builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { ContentRootPath = AppContext.BaseDirectory });
builder.Services.AddQueues(builder.Configuration)
    .AddContracts(Contracts.All)
    .AddSender<OrderPlaced>("orders")
    .AddConsumer<OrderPlaced, OrderHandler>("orders");
using IHost host = builder.Build();

switch (args)
{
    case ["work"]:
        await host.RunAsync();
        return 0;
    case ["send", string count]:
        return await SendAsync(int.Parse(count, CultureInfo.InvariantCulture));
    case []:
        return await CheckAsync();
    default:
        Console.Error.WriteLine("Arguments: send COUNT, work, or none.");
        return 2;
}

async Task<int> SendAsync(int count)
{
    var sender = host.Services.GetRequiredService<ISender<OrderPlaced>>();
    for (int id = 1; id <= count; id++)
        await sender.SendAsync(new OrderPlaced { Id = id, Customer = "customer " + id });
    Console.WriteLine($"Sent {count} orders.");
    return 0;
}

async Task<int> CheckAsync()
{
    const int DeadLetterId = 4;
    var connector = host.Services.GetRequiredService<QueueConnector>();
    await using (QueueClient leftOver = await connector.OpenAsync("file:artifacts/worker-sample/orders,orders.dead"))
        await leftOver.PurgeAsync();
    await SendAsync(4);
    await host.StartAsync();
    await using QueueClient dead = await connector.OpenAsync("file:artifacts/worker-sample/orders.dead");
    ReceivedMessage letter = (await dead.ReceiveAsync(Timeout.InfiniteTimeSpan))!;
    await letter.AcknowledgeAsync();
    while (OrderHandler.Attempts.GetValueOrDefault(3) < 2)
        await Task.Delay(10);
    await host.StopAsync();
    bool holds = OrderHandler.Attempts[1] == 1
        && OrderHandler.Attempts[3] == 2
        && OrderHandler.Attempts[DeadLetterId] == 3
        && letter.DeadLetterReason == DeadLetterReasons.HandlerFailed;
    Console.WriteLine(holds ? "Orders 1 to 3 were handled, order 3 at its second attempt; order 4 is a dead letter after three." : "Not true.");
    return holds ? 0 : 1;
}

// The contracts of the program, without reflection: the sample can be published with Native AOT.
[MessageContractMap]
internal static partial class Contracts;

[MessageContract(Name = "order-placed")]
public partial class OrderPlaced
{
    [MessageMember(1)]
    public int Id { get; set; }

    [MessageMember(2)]
    public string Customer { get; set; } = "";
}

internal sealed class OrderHandler : IMessageHandler<OrderPlaced>
{
    internal static ConcurrentDictionary<int, int> Attempts { get; } = new();

    public Task HandleAsync(OrderPlaced message, MessageContext context, CancellationToken cancellationToken)
    {
        Attempts[message.Id] = context.Attempt;
        if ((message.Id == 3 && context.Attempt == 1) || message.Id == 4)
            throw new InvalidOperationException("the warehouse does not answer");
        Console.WriteLine($"Order {message.Id} of {message.Customer} is shipped, at attempt {context.Attempt}.");
        return Task.CompletedTask;
    }
}
