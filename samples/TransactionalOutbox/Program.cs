// Claim: the row that a handler writes and the message that it sends commit together, and an order that is delivered twice is shipped once.
//
//   dotnet run --project samples/TransactionalOutbox     over SQLite and queues in a folder; ends by itself

using System;
using System.Data.Common;
using System.Globalization;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Formatters;
using Formatters.Hosting;
using Formatters.Queues;
using Microsoft.Data.Sqlite;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

string folder = Directory.CreateTempSubdirectory("formatters-outbox-").FullName;
string database = $"Data Source={folder}/shop.db";

HostApplicationBuilder builder = Host.CreateApplicationBuilder();
builder.Logging.SetMinimumLevel(LogLevel.Warning);
builder.Services.AddQueues()
    .AddQueue("orders", queue =>
    {
        queue.Address = $"file:{folder}/orders";
        queue.Retry.Delay = TimeSpan.FromMilliseconds(50);
    })
    .AddQueue("shipments", queue => queue.Address = $"file:{folder}/shipments")
    .AddSender<OrderPlaced>("orders")
    .AddSender<OrderShipped>("shipments")
    .AddConsumer<OrderPlaced, ShippingHandler>("orders", consumer => consumer.IsTransactional = true)
    .AddOutbox(_ => new SqliteConnection(database), options => options.CreateTables = true);
IHost host = builder.Build();
await ExecuteAsync("create table shipments (order_id integer not null)");
await host.StartAsync();

// Order 2 is sent twice, as after a crash of its sender. Order 3 fails at its first attempt, after it has written and sent.
var orders = host.Services.GetRequiredService<ISender<OrderPlaced>>();
foreach (int id in new[] { 1, 2, 2, 3 })
    await orders.SendAsync(new OrderPlaced(id), new SendOptions { MessageId = $"order-{id}" });

QueueClient shipments = host.Services.GetRequiredKeyedService<QueueClient>("shipments");
var formatter = new VersionedFormatter<OrderShipped>();
for (int i = 0; i < 3; i++)
{
    ReceivedMessage message = (await shipments.ReceiveAsync(Timeout.InfiniteTimeSpan))!;
    Console.WriteLine($"Order {message.Read(formatter).Id} is shipped.");
    await message.AcknowledgeAsync();
}

bool holds = await shipments.ReceiveAsync(TimeSpan.Zero) is null && await ExecuteAsync("select count(*) from shipments") == 3 && ShippingHandler.AttemptCount == 4;
await host.StopAsync();
await ((IAsyncDisposable)host).DisposeAsync();
SqliteConnection.ClearAllPools();
Directory.Delete(folder, recursive: true);
Console.WriteLine(holds ? "Three rows and three messages, for four deliveries and one failed attempt." : "Not true.");
return holds ? 0 : 1;

async Task<long> ExecuteAsync(string statement)
{
    await using var connection = new SqliteConnection(database);
    await connection.OpenAsync();
    await using SqliteCommand command = connection.CreateCommand();
    command.CommandText = statement;
    return Convert.ToInt64(await command.ExecuteScalarAsync() ?? 0L, CultureInfo.InvariantCulture);
}

[MessageContract]
public partial record OrderPlaced([MessageMember(1)] int Id);

[MessageContract]
public partial record OrderShipped([MessageMember(1)] int Id);

internal sealed class ShippingHandler(IOutboxTransaction transaction) : IMessageHandler<OrderPlaced>
{
    private static int _attemptCount;

    internal static int AttemptCount => _attemptCount;

    public async Task HandleAsync(OrderPlaced message, MessageContext context, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _attemptCount);
        await using DbCommand insert = transaction.CreateCommand("insert into shipments (order_id) values (@id)", ("@id", message.Id));
        await insert.ExecuteNonQueryAsync(cancellationToken);
        await transaction.SendAsync(new OrderShipped(message.Id), cancellationToken: cancellationToken);
        if (message.Id == 3 && context.Attempt == 1)
            throw new InvalidOperationException("the carrier does not answer");
    }
}
