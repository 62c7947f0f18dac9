using System;
using System.Globalization;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Formatters.Hosting.ShutdownProgram;

/// <summary>
/// <c>FOLDER FIRST-ID</c>: sends orders to a queue in the folder as fast as it can, and handles them, until it gets SIGTERM. The file <c>sent</c> of the folder has the id of each
/// message whose send has completed, <c>handled</c> that of each message whose handler has.
/// </summary>
public static class Program
{
    /// <summary>Runs the worker.</summary>
    public static async Task Main(string[] args)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton<IHostLifetime, Microsoft.Extensions.Hosting.Internal.ConsoleLifetime>();
        builder.Services.AddSingleton(new Ledger(args[0]));
        builder.Services.AddHostedService(services => new OrderProducer(services.GetRequiredService<ISender<Order>>(), services.GetRequiredService<Ledger>(), long.Parse(args[1], CultureInfo.InvariantCulture)));
        builder.Services.AddQueues()
            .AddQueue("orders", queue =>
            {
                queue.Address = "file:" + args[0] + "/orders";
                queue.Concurrency = 8;
            })
            .AddSender<Order>("orders")
            .AddConsumer<Order, OrderHandler>("orders");
        await builder.Build().RunAsync();
    }

    private sealed class OrderHandler(Ledger ledger) : IMessageHandler<Order>
    {
        public async Task HandleAsync(Order message, MessageContext context, CancellationToken cancellationToken)
        {
            await Task.Delay((int)(message.Id % 4), cancellationToken);
            ledger.Write("handled", message.Id);
        }
    }

    private sealed class OrderProducer(ISender<Order> sender, Ledger ledger, long firstId) : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            for (long id = firstId; !stoppingToken.IsCancellationRequested; id++)
            {
                await sender.SendAsync(new Order(id), cancellationToken: CancellationToken.None);
                ledger.Write("sent", id);
                if (id == firstId + 100)
                    Console.WriteLine("busy");
            }
        }
    }
}

/// <summary>The payload of the worker's messages.</summary>
/// <param name="Id">Its number.</param>
public sealed record Order(long Id);

/// <summary>Writes ids to files as they are sent and handled.</summary>
internal sealed class Ledger(string folder) : IDisposable
{
    private readonly StreamWriter _sent = new(Path.Combine(folder, "sent"), append: true) { AutoFlush = true };
    private readonly StreamWriter _handled = new(Path.Combine(folder, "handled"), append: true) { AutoFlush = true };

    internal void Write(string what, long id)
    {
        StreamWriter writer = what == "sent" ? _sent : _handled;
        lock (writer)
            writer.WriteLine(id.ToString(CultureInfo.InvariantCulture));
    }

    public void Dispose()
    {
        _sent.Dispose();
        _handled.Dispose();
    }
}
