using Formatters.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Formatters.Benchmarks.Workers;

/// <param name="createProvider">Creates the provider of its queues.</param>
internal sealed class FormattersWorker(string address, Func<QueueProvider> createProvider) : WorkerCase(WorkerResult.Baseline)
{
    private IHost _sender = null!;
    private IHost _worker = null!;
    private ISender<WorkerOrder> _orders = null!;

    internal override async Task StartSenderAsync()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddQueues()
            .AddProvider(createProvider())
            .AddQueue("orders", queue => queue.Address = $"{address}/{Queue}")
            .AddSender<WorkerOrder>("orders");
        _sender = builder.Build();
        await _sender.StartAsync();
        _orders = _sender.Services.GetRequiredService<ISender<WorkerOrder>>();
    }

    internal override Task SendAsync(WorkerOrder order) => _orders.SendAsync(order);

    internal override async Task StartWorkerAsync()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton(Handled);
        builder.Services.AddQueues()
            .AddProvider(createProvider())
            .AddQueue("orders", queue =>
            {
                queue.Address = $"{address}/{Queue}";
                queue.Concurrency = Concurrency;
                queue.PrefetchCount = PrefetchCount;
            })
            .AddConsumer<WorkerOrder, Handler>("orders");
        _worker = builder.Build();
        await _worker.StartAsync();
    }

    internal override async Task StopWorkerAsync()
    {
        await _worker.StopAsync();
        await ((IAsyncDisposable)_worker).DisposeAsync();
    }

    public override async ValueTask DisposeAsync()
    {
        await _sender.StopAsync();
        await ((IAsyncDisposable)_sender).DisposeAsync();
        QueueProvider provider = createProvider();
        foreach (string suffix in new[] { "", ".dead" })
            await provider.DeleteAsync(QueueAddress.Parse($"{address}/{Queue}{suffix}"));
    }

    private sealed class Handler(HandledOrders handled) : IMessageHandler<WorkerOrder>
    {
        public Task HandleAsync(WorkerOrder message, MessageContext context, System.Threading.CancellationToken cancellationToken)
        {
            handled.Add(message);
            return Task.CompletedTask;
        }
    }
}
