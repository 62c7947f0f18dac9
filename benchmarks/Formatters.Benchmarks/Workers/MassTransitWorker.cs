using MassTransit;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Formatters.Benchmarks.Workers;

/// <summary>A worker of MassTransit over RabbitMQ. Its senders wait for the confirmation by default.</summary>
internal sealed class MassTransitWorker(Uri address) : WorkerCase("MassTransit")
{
    private IHost _sender = null!;
    private IHost _worker = null!;
    private ISendEndpoint _orders = null!;

    internal override async Task StartSenderAsync()
    {
        _sender = await StartAsync(static _ => { }, static (_, _) => { });
        _orders = await _sender.Services.GetRequiredService<IBus>().GetSendEndpoint(new Uri("queue:" + Queue));
    }

    internal override Task SendAsync(WorkerOrder order) => _orders.Send(order);

    internal override async Task StartWorkerAsync() => _worker = await StartAsync(
        static x => x.AddConsumer<Consumer>(),
        (context, cfg) =>
        {
            cfg.PrefetchCount = PrefetchCount;
            cfg.ReceiveEndpoint(Queue, endpoint =>
            {
                endpoint.ConcurrentMessageLimit = Concurrency;
                endpoint.ConfigureConsumer<Consumer>(context);
            });
        });

    internal override async Task StopWorkerAsync()
    {
        await _worker.StopAsync();
        await ((IAsyncDisposable)_worker).DisposeAsync();
    }

    public override async ValueTask DisposeAsync()
    {
        await _sender.StopAsync();
        await ((IAsyncDisposable)_sender).DisposeAsync();
        await RabbitMqQueues.DeleteAsync(address, Queue, Queue + "_error", Queue + "_skipped");
    }

    private async Task<IHost> StartAsync(Action<IBusRegistrationConfigurator> add,
        Action<IBusRegistrationContext, IRabbitMqBusFactoryConfigurator> configure)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton(Handled);
        builder.Services.AddMassTransit(x =>
        {
            add(x);
            x.UsingRabbitMq((context, cfg) =>
            {
                string[] user = address.UserInfo.Split(':');
                cfg.Host(address.Host, (ushort)(address.IsDefaultPort ? 5672 : address.Port), "/", host =>
                {
                    host.Username(user[0]);
                    host.Password(user[1]);
                });
                configure(context, cfg);
            });
        });
        IHost host = builder.Build();
        await host.StartAsync();
        return host;
    }

    private sealed class Consumer(HandledOrders handled) : IConsumer<WorkerOrder>
    {
        public Task Consume(ConsumeContext<WorkerOrder> context)
        {
            handled.Add(context.Message);
            return Task.CompletedTask;
        }
    }
}
