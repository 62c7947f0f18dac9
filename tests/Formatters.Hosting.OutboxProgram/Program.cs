using System;
using System.Data.Common;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Data.Sqlite;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Npgsql;

namespace Formatters.Hosting.OutboxProgram;

/// <summary>
/// <c>FOLDER DATABASE FIRST-ID</c>: in transactions of the database, writes a row to <c>placed</c> and sends an order, until it is killed; handles each order
/// in a transaction that writes a row to <c>handled</c> and sends an invoice. Prints <c>busy</c> when it has handled some. With <c>drain</c> in place of the
/// id, places no orders, and ends when nothing is left to send and to handle.
/// </summary>
/// <remarks>DATABASE is <c>sqlite</c>, for a file in the folder, or a connection string of Npgsql; with <c>ef:</c> before it, Entity Framework Core is
/// used. The queues are in the folder.</remarks>
public static class Program
{
    private const int MaxBacklog = 100;
    private const int BusyCount = 20;

    private static volatile int _handledCount;

    /// <summary>Runs the worker.</summary>
    public static async Task Main(string[] args)
    {
        string folder = args[0], database = args[1];
        bool usesContext = database.StartsWith("ef:", StringComparison.Ordinal);
        database = usesContext ? database[3..] : database;
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.AddSimpleConsole().SetMinimumLevel(LogLevel.Error);
        builder.Logging.Services.Configure<Microsoft.Extensions.Logging.Console.ConsoleLoggerOptions>(static options => options.LogToStandardErrorThreshold = LogLevel.Trace);
        QueuesBuilder queues = builder.Services.AddQueues()
            .AddQueue("orders", queue =>
            {
                queue.Address = $"file:{folder}/orders";
                queue.Concurrency = 4;
                // A kill is not the handler's failure.
                queue.Retry.MaxAttempts = int.MaxValue;
            })
            .AddQueue("invoices", queue => queue.Address = $"file:{folder}/invoices")
            .AddSender<OrderPlaced>("orders")
            .AddSender<Invoice>("invoices");
        if (usesContext)
        {
            builder.Services.AddDbContext<ShopContext>(options => _ = database == "sqlite" ? options.UseSqlite($"Data Source={folder}/shop.db") : options.UseNpgsql(database));
            queues.AddConsumer<OrderPlaced, ContextOrderHandler>("orders", static consumer => consumer.IsTransactional = true).AddOutbox<ShopContext>(Configure);
        }
        else
        {
            queues.AddConsumer<OrderPlaced, OrderHandler>("orders", static consumer => consumer.IsTransactional = true)
                .AddOutbox(_ => Connect(folder, database), Configure);
        }

        using IHost host = builder.Build();
        await CreateTablesAsync(folder, database);
        await host.StartAsync();
        var outbox = host.Services.GetRequiredService<IOutbox>();
        if (args[2] == "drain")
        {
            await DrainAsync(outbox, host.Services.GetRequiredKeyedService<QueueClient>("orders"));
            await host.StopAsync();
            return;
        }

        await PlaceAsync(host.Services, outbox, usesContext, long.Parse(args[2], CultureInfo.InvariantCulture));
    }

    private static void Configure(OutboxOptions options)
    {
        options.CreateTables = true;
        options.PollInterval = TimeSpan.FromMilliseconds(50);
    }

    private static async Task PlaceAsync(IServiceProvider services, IOutbox outbox, bool usesContext, long firstId)
    {
        for (long id = firstId; ; id++)
        {
            // What is left at the end has to be handled, too.
            while (id - firstId > _handledCount + MaxBacklog)
                await Task.Delay(1);
            if (usesContext)
            {
                await using AsyncServiceScope scope = services.CreateAsyncScope();
                var context = scope.ServiceProvider.GetRequiredService<ShopContext>();
                context.Add(new Placed { Id = id });
                context.Outbox().Send(new OrderPlaced(id));
                await context.SaveChangesAsync();
                continue;
            }

            await using OutboxTransaction transaction = await outbox.BeginAsync();
            await using (DbCommand insert = transaction.CreateCommand("insert into placed (id) values (@id)", ("@id", id)))
                await insert.ExecuteNonQueryAsync();
            await transaction.SendAsync(new OrderPlaced(id));
            await transaction.CommitAsync();
        }
    }

    private static DbConnection Connect(string folder, string database) =>
        database == "sqlite" ? new SqliteConnection($"Data Source={folder}/shop.db") : new NpgsqlConnection(database);

    private static async Task CreateTablesAsync(string folder, string database)
    {
        await using DbConnection connection = Connect(folder, database);
        await connection.OpenAsync();
        await using DbCommand command = connection.CreateCommand();
        string number = database == "sqlite" ? "integer primary key" : "bigint generated by default as identity primary key";
        command.CommandText = $"create table if not exists placed (number {number}, id bigint not null); create table if not exists handled (number {number}, id bigint not null)";
        await command.ExecuteNonQueryAsync();
    }

    private static async Task DrainAsync(IOutbox outbox, QueueClient orders)
    {
        // An order in hand is locked until its transaction has committed, and the invoice is in the outbox then.
        while (await CountAsync() + await orders.GetMessageCountAsync() + (await orders.GetLockedCountAsync() ?? 0) + await CountAsync() > 0)
            await Task.Delay(20);

        async Task<long> CountAsync()
        {
            await using OutboxTransaction transaction = await outbox.BeginAsync();
            await using DbCommand command = transaction.CreateCommand("select count(*) from formatters_outbox");
            return Convert.ToInt64(await command.ExecuteScalarAsync(), CultureInfo.InvariantCulture);
        }
    }

    private static void NoteHandled()
    {
        if (Interlocked.Increment(ref _handledCount) == BusyCount)
            Console.WriteLine("busy");
    }

    private sealed class OrderHandler(IOutboxTransaction transaction) : IMessageHandler<OrderPlaced>
    {
        public async Task HandleAsync(OrderPlaced message, MessageContext context, CancellationToken cancellationToken)
        {
            await using (DbCommand insert = transaction.CreateCommand("insert into handled (id) values (@id)", ("@id", message.Id)))
                await insert.ExecuteNonQueryAsync(cancellationToken);
            await transaction.SendAsync(new Invoice(message.Id), cancellationToken: cancellationToken);
            NoteHandled();
        }
    }

    private sealed class ContextOrderHandler(ShopContext shop) : IMessageHandler<OrderPlaced>
    {
        public Task HandleAsync(OrderPlaced message, MessageContext context, CancellationToken cancellationToken)
        {
            shop.Add(new Handled { Id = message.Id });
            shop.Outbox().Send(new Invoice(message.Id));
            NoteHandled();
            return Task.CompletedTask;
        }
    }

    private sealed class ShopContext(DbContextOptions<ShopContext> options) : DbContext(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            Map(modelBuilder.Entity<Placed>(), "placed");
            Map(modelBuilder.Entity<Handled>(), "handled");
            modelBuilder.AddFormattersOutbox();
        }

        private static void Map<T>(EntityTypeBuilder<T> entity, string table)
            where T : Row
        {
            entity.ToTable(table).HasKey(static row => row.Number);
            entity.Property(static row => row.Number).HasColumnName("number");
            entity.Property(static row => row.Id).HasColumnName("id");
        }
    }

    private abstract class Row
    {
        public long Number { get; set; }

        public long Id { get; set; }
    }

    private sealed class Placed : Row;

    private sealed class Handled : Row;
}

/// <summary>The payload of the messages that the worker sends and handles.</summary>
/// <param name="Id">Its number.</param>
public sealed record OrderPlaced(long Id);

/// <summary>The payload of the messages that the handler sends.</summary>
/// <param name="Id">The number of the order.</param>
public sealed record Invoice(long Id);
