using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.Extensions.DependencyInjection;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>The outbox of an Entity Framework Core context.</summary>
public class ContextOutboxTests
{
    [Theory]
    [OutboxData]
    public async Task SaveChanges_WritesRowsAndMessagesTogether_InOrder(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await StartAsync(place);
        await using AsyncServiceScope scope = host.Host.Services.CreateAsyncScope();
        var context = scope.ServiceProvider.GetRequiredService<ShopContext>();
        for (int i = 0; i < 50; i++)
        {
            context.Add(new Shipment { Id = i });
            context.Outbox().Send(new OrderPlaced(i, "Ada"));
        }

        await context.SaveChangesAsync();
        Assert.Equal(Enumerable.Range(0, 50), (await OutboxTests.ReceiveAsync(host, 50)).Select(static order => order.Id));
        Assert.Equal(["50"], await place.QueryAsync("select count(*) from shipments"));

        // Neither is written if one cannot be.
        context.ChangeTracker.Clear();
        context.Add(new Shipment { Id = 1 });
        context.Outbox().Send(new OrderPlaced(1, "Ada"));
        await Assert.ThrowsAsync<DbUpdateException>(() => context.SaveChangesAsync());
        await place.WaitForAsync("select count(*) from formatters_outbox", "0");
    }

    [Theory]
    [OutboxData]
    public async Task Handler_RunsInATransactionOfTheContext(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await StartAsync(place, static queues => queues.AddConsumer<OrderPlaced, ShippingHandler>(
            "orders", static consumer => consumer.IsTransactional = true));
        var sender = host.Get<ISender<OrderPlaced>>();
        await sender.SendAsync(new OrderPlaced(1, "Ada"), new SendOptions { MessageId = "a" });
        await sender.SendAsync(new OrderPlaced(1, "Ada"), new SendOptions { MessageId = "a" });
        await host.Log.WaitForAsync(26);
        await place.WaitForAsync("select \"Attempt\" from shipments", "2");
        QueueClient invoices = host.Host.Services.GetRequiredKeyedService<QueueClient>("invoices");
        var statuses = new List<OrderStatus>();
        for (int i = 0; i < 2; i++)
        {
            ReceivedMessage message = (await invoices.ReceiveAsync(Timeout.InfiniteTimeSpan))!;
            statuses.Add(message.Read(new JsonFormatter<OrderStatus>()));
            await message.AcknowledgeAsync();
        }

        // That of the transaction is written at once, that of the context with its changes.
        Assert.Equal([new OrderStatus(1, "transaction 2"), new OrderStatus(1, "context 2")], statuses);
        Assert.Null(await invoices.ReceiveAsync(TimeSpan.Zero));
    }

    /// <summary>The changes of the context are saved after the handler, and the database refuses them.</summary>
    [Theory]
    [OutboxData]
    public async Task ADroppedOutbox_CountsNoAttempts(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await StartAsync(place, static queues => queues.AddConsumer<OrderPlaced>(
            "orders",
            static (order, context, _) =>
            {
                context.Services.GetRequiredService<ShopContext>().Outbox().Send(new OrderStatus(order.Id, "placed"));
                return Task.CompletedTask;
            },
            static consumer => consumer.IsTransactional = true));
        await place.ExecuteAsync("alter table formatters_outbox rename to away");
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"));
        await host.Log.WaitForAsync(27);
        await place.ExecuteAsync("alter table away rename to formatters_outbox");
        await host.Log.WaitForAsync(28);
        Assert.Empty(host.Log.Of(5));
        Assert.Empty(host.Log.Of(6));
    }

    [Theory]
    [OutboxData]
    public async Task Begin_HasAContextOfItsOwn(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await StartAsync(place);
        await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
        {
            await transaction.SendAsync(new OrderPlaced(1, "Ada"));
            await transaction.CommitAsync();
        }

        Assert.Equal([new OrderPlaced(1, "Ada")], await OutboxTests.ReceiveAsync(host, 1));
    }

    [Fact]
    public async Task AModelWithoutTheTables_IsAnErrorOfTheSend()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        await using TestHost host = TestHost.Build(place.Configuration, queues =>
        {
            queues.Services.AddDbContext<EmptyContext>(options => options.UseSqlite(place.ConnectionString));
            queues.AddSender<OrderPlaced>("orders").AddOutbox<EmptyContext>();
        });
        await using AsyncServiceScope scope = host.Host.Services.CreateAsyncScope();
        var context = scope.ServiceProvider.GetRequiredService<EmptyContext>();
        var error = Assert.Throws<InvalidOperationException>(() => context.Outbox().Send(new OrderPlaced(1, "Ada")));
        Assert.Contains("call modelBuilder.AddFormattersOutbox()", error.Message, StringComparison.Ordinal);
    }

    /// <summary>Without a transaction of the application, the dispatcher need not wait for its next look.</summary>
    [Fact]
    public async Task WhatIsCommitted_WakesTheDispatcher()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        await using TestHost host = await BuildAsync(place);
        var outbox = host.Get<Outbox>();
        await using AsyncServiceScope scope = host.Host.Services.CreateAsyncScope();
        var context = scope.ServiceProvider.GetRequiredService<ShopContext>();
        await using (IDbContextTransaction transaction = await context.Database.BeginTransactionAsync())
        {
            context.Outbox().Send(new OrderPlaced(1, "Ada"));
            await context.SaveChangesAsync();
            Assert.False(await IsWokenAsync(outbox));
            await transaction.CommitAsync();
        }

        context.Outbox().Send(new OrderPlaced(2, "Ada"));
        await context.SaveChangesAsync();
        Assert.True(await IsWokenAsync(outbox));

        await using (OutboxTransaction transaction = await outbox.BeginAsync(scope.ServiceProvider, null, CancellationToken.None))
        {
            context.Outbox().Send(new OrderPlaced(3, "Ada"));
            await transaction.CommitAsync();
        }

        Assert.True(await IsWokenAsync(outbox));

        static async Task<bool> IsWokenAsync(Outbox outbox)
        {
            using var end = new CancellationTokenSource();
            Task woken = outbox.WaitForWakeAsync(end.Token);
            bool isWoken = woken.IsCompletedSuccessfully;
            await end.CancelAsync();
            await woken.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            return isWoken;
        }
    }

    /// <summary>The next transaction of the same scope, such as that of a middleware that tries again, begins with an empty context.</summary>
    [Fact]
    public async Task WhatIsNotCommitted_IsNotInTheNextTransaction()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        await using TestHost host = await BuildAsync(place);
        var outbox = host.Get<Outbox>();
        await using AsyncServiceScope scope = host.Host.Services.CreateAsyncScope();
        var context = scope.ServiceProvider.GetRequiredService<ShopContext>();
        await using (await outbox.BeginAsync(scope.ServiceProvider, null, CancellationToken.None))
        {
            context.Add(new Shipment { Id = 1 });
            context.Outbox().Send(new OrderPlaced(1, "Ada"));
        }

        await using (OutboxTransaction next = await outbox.BeginAsync(scope.ServiceProvider, null, CancellationToken.None))
            await next.CommitAsync();
        Assert.Equal(["0"], await place.QueryAsync("select count(*) from shipments"));
        Assert.Equal(["0"], await place.QueryAsync("select count(*) from formatters_outbox"));
    }

    [Fact]
    public void Tables_HaveTheNamesAndTheSchemaThatAreGiven()
    {
        var model = new ModelBuilder();
        model.AddFormattersOutbox("sent", "handled", "shop");
        Assert.Equal([("handled", "shop"), ("sent", "shop")], model.Model.GetEntityTypes().Select(static type => (type.GetTableName(), type.GetSchema())).Order());
    }

    private static async Task<TestHost> StartAsync(OutboxPlace place, Action<QueuesBuilder>? configure = null)
    {
        TestHost host = await BuildAsync(place, configure);
        await host.Host.StartAsync();
        return host;
    }

    private static async Task<TestHost> BuildAsync(OutboxPlace place, Action<QueuesBuilder>? configure = null)
    {
        TestHost host = TestHost.Build([.. place.Configuration, "orders:Retry:Delay=00:00:00.010"], queues =>
        {
            queues.Services.AddDbContext<ShopContext>(options => _ = place.Kind == "SQLite" ? options.UseSqlite(place.ConnectionString) : options.UseNpgsql(place.ConnectionString));
            queues.AddSender<OrderPlaced>("orders").AddSender<OrderStatus>("invoices")
                .AddOutbox<ShopContext>(static options => options.PollInterval = TimeSpan.FromMilliseconds(20));
            configure?.Invoke(queues);
        });
        await using (AsyncServiceScope scope = host.Host.Services.CreateAsyncScope())
        {
            var context = scope.ServiceProvider.GetRequiredService<ShopContext>();
            // EnsureCreated does nothing in a database that has tables.
            await context.Database.ExecuteSqlRawAsync(context.Database.GenerateCreateScript());
        }

        return host;
    }

    internal sealed class ShopContext(DbContextOptions<ShopContext> options) : DbContext(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            modelBuilder.Entity<Shipment>().ToTable("shipments").Property(static shipment => shipment.Id).ValueGeneratedNever();
            modelBuilder.AddFormattersOutbox();
        }
    }

    internal sealed class EmptyContext(DbContextOptions<EmptyContext> options) : DbContext(options);

    internal sealed class Shipment
    {
        public int Id { get; set; }

        public int Attempt { get; set; }
    }

    /// <summary>Writes a row and two messages, and fails at the first attempt.</summary>
    internal sealed class ShippingHandler(ShopContext context, IOutboxTransaction transaction) : IMessageHandler<OrderPlaced>
    {
        public async Task HandleAsync(OrderPlaced message, MessageContext messageContext, CancellationToken cancellationToken)
        {
            context.Add(new Shipment { Id = message.Id, Attempt = messageContext.Attempt });
            context.Outbox().Send(new OrderStatus(message.Id, $"context {messageContext.Attempt}"));
            await transaction.SendAsync(new OrderStatus(message.Id, $"transaction {messageContext.Attempt}"), cancellationToken: cancellationToken);
            if (messageContext.Attempt == 1)
                throw new TimeoutException("the carrier does not answer");
        }
    }
}
