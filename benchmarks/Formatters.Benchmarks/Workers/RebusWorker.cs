using Npgsql;
using Rebus.Activation;
using Rebus.Bus;
using Rebus.Config;
using Rebus.Routing.TypeBased;
using Rebus.Serialization.Json;

namespace Formatters.Benchmarks.Workers;

/// <summary>A worker of Rebus over PostgreSQL. It has no prefetch: each order is fetched in a transaction that ends when it is handled.</summary>
internal sealed class RebusWorker(string connectionString) : WorkerCase("Rebus")
{
    private readonly BuiltinHandlerActivator _sender = new();
    private BuiltinHandlerActivator _worker = null!;
    private IBus _orders = null!;

    internal override Task StartSenderAsync()
    {
        // The input queue creates the table.
        _orders = Configure.With(_sender)
            .Logging(static l => l.None())
            .Transport(t => t.UsePostgreSql(connectionString, Queue, "sender"))
            .Serialization(static s => s.UseSystemTextJson())
            .Routing(static r => r.TypeBased().Map<WorkerOrder>("orders"))
            .Start();
        return Task.CompletedTask;
    }

    internal override Task SendAsync(WorkerOrder order) => _orders.Send(order);

    internal override Task StartWorkerAsync()
    {
        _worker = new BuiltinHandlerActivator();
        _worker.Handle<WorkerOrder>(order =>
        {
            Handled.Add(order);
            return Task.CompletedTask;
        });
        Configure.With(_worker)
            .Logging(static l => l.None())
            .Transport(t => t.UsePostgreSql(connectionString, Queue, "orders"))
            .Serialization(static s => s.UseSystemTextJson())
            .Options(static o =>
            {
                o.SetNumberOfWorkers(Concurrency);
                o.SetMaxParallelism(Concurrency);
            })
            .Start();
        return Task.CompletedTask;
    }

    internal override Task StopWorkerAsync()
    {
        _worker.Dispose();
        return Task.CompletedTask;
    }

    public override async ValueTask DisposeAsync()
    {
        _sender.Dispose();
        await using var connection = new NpgsqlConnection(connectionString);
        await connection.OpenAsync();
        await using var drop = new NpgsqlCommand($"drop table if exists {Queue}", connection);
        await drop.ExecuteNonQueryAsync();
    }
}
