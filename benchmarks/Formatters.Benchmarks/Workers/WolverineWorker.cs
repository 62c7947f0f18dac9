using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Npgsql;
using Wolverine;
using Wolverine.Configuration;
using Wolverine.Postgresql;
using Wolverine.RabbitMQ;

namespace Formatters.Benchmarks.Workers;

internal abstract class WolverineWorker() : WorkerCase("Wolverine")
{
    private IHost _sender = null!;
    private IHost _worker = null!;
    private IMessageBus _orders = null!;

    internal override async Task StartSenderAsync()
    {
        _sender = await StartAsync(ConfigureSender);
        _orders = _sender.MessageBus();
    }

    internal override Task SendAsync(WorkerOrder order) => _orders.SendAsync(order).AsTask();

    internal override async Task StartWorkerAsync() => _worker = await StartAsync(ConfigureWorker);

    internal override async Task StopWorkerAsync()
    {
        await _worker.StopAsync();
        await ((IAsyncDisposable)_worker).DisposeAsync();
    }

    public override async ValueTask DisposeAsync()
    {
        await _sender.StopAsync();
        await ((IAsyncDisposable)_sender).DisposeAsync();
    }

    protected abstract void ConfigureSender(WolverineOptions options);

    protected abstract void ConfigureWorker(WolverineOptions options);

    private async Task<IHost> StartAsync(Action<WolverineOptions> configure)
    {
        IHost host = new HostBuilder()
            .ConfigureServices(services => services.AddLogging(static logging => logging.ClearProviders()).AddSingleton(Handled))
            .UseWolverine(options =>
            {
                options.Durability.Mode = DurabilityMode.Solo;
                options.Discovery.DisableConventionalDiscovery().IncludeType<WolverineOrderHandler>();
                configure(options);
            })
            .Build();
        await host.StartAsync();
        return host;
    }
}

/// <summary>Wolverine over RabbitMQ. Orders are sent inline, so that a send waits for the broker. Each listener handles one order at a time and
/// acknowledges it then.</summary>
internal sealed class WolverineRabbitMqWorker(Uri address) : WolverineWorker
{
    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        await RabbitMqQueues.DeleteAsync(address, Queue, "wolverine-dead-letter-queue");
    }

    protected override void ConfigureSender(WolverineOptions options)
    {
        Connect(options);
        // Inline messages are not persistent by themselves.
        options.PublishMessage<WorkerOrder>().ToRabbitQueue(Queue).SendInline().UseInterop(static (_, mapper) => mapper.MapProperty(
            static envelope => envelope.ContentType!,
            static (envelope, properties) => envelope.ContentType = properties.ContentType,
            static (envelope, properties) =>
            {
                properties.ContentType = envelope.ContentType;
                properties.Persistent = true;
            }));
    }

    protected override void ConfigureWorker(WolverineOptions options)
    {
        Connect(options);
        options.ListenToRabbitQueue(Queue).PreFetchCount(PrefetchCount / Concurrency).ListenerCount(Concurrency).ProcessInline();
    }

    private void Connect(WolverineOptions options) => options.UseRabbitMq(address).AutoProvision().ConfigureChannelCreation(static channel =>
    {
        channel.PublisherConfirmationsEnabled = true;
        channel.PublisherConfirmationTrackingEnabled = true;
    });
}

/// <summary>Wolverine over PostgreSQL. A send waits until the order is in the durable outbox, in the same database.</summary>
internal sealed class WolverinePostgreSqlWorker(string connectionString) : WolverineWorker
{
    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        await using var connection = new NpgsqlConnection(connectionString);
        await connection.OpenAsync();
        await using var drop = new NpgsqlCommand($"drop schema if exists {Queue} cascade", connection);
        await drop.ExecuteNonQueryAsync();
    }

    protected override void ConfigureSender(WolverineOptions options)
    {
        Connect(options);
        options.PublishMessage<WorkerOrder>().ToPostgresqlQueue("orders").UseDurableOutbox();
    }

    protected override void ConfigureWorker(WolverineOptions options)
    {
        Connect(options);
        options.ListenToPostgresqlQueue("orders")
            .MaximumMessagesToReceive(PrefetchCount)
            .MaximumParallelMessages(Concurrency)
            // By default it polls every 5 seconds, for one batch.
            .PollingInterval(TimeSpan.FromMilliseconds(10))
            .UseDurableInbox();
    }

    private void Connect(WolverineOptions options) =>
        options.UsePostgresqlPersistenceAndTransport(connectionString, Queue, transportSchema: Queue).AutoProvision();
}

/// <summary>Handles the orders of Wolverine, which finds the method by its name.</summary>
public sealed class WolverineOrderHandler(HandledOrders handled)
{
    /// <summary>Notes an order.</summary>
    public void Handle(WorkerOrder order) => handled.Add(order);
}
