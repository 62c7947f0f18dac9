using System;
using System.Collections.Concurrent;
using System.Data.Common;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Time.Testing;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>Handlers run in a transaction, whose rows and messages commit together, once for each message.</summary>
public class InboxTests
{
    [Theory]
    [OutboxData]
    public async Task Handler_CommitsItsRowsAndMessages_AndAFailedAttemptDoesNot(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await StartAsync(place, static services => services.AddScoped<FailsAtFirst>(), static queues =>
            queues.AddConsumer<OrderPlaced, FailsAtFirst>("orders", static consumer => consumer.IsTransactional = true));
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"));
        await place.WaitForAsync("select id from shipped", "2");
        Assert.Equal(["orders"], await place.QueryAsync("select queue from formatters_inbox"));
        await host.Log.WaitForAsync(5);
        QueueClient invoices = host.Host.Services.GetRequiredKeyedService<QueueClient>("invoices");
        ReceivedMessage invoice = (await invoices.ReceiveAsync(Timeout.InfiniteTimeSpan))!;
        Assert.Equal(new OrderStatus(1, "attempt 2"), invoice.Read(new JsonFormatter<OrderStatus>()));
        await invoice.AcknowledgeAsync();
        Assert.Null(await invoices.ReceiveAsync(TimeSpan.Zero));
    }

    [Theory]
    [OutboxData]
    public async Task AMessageThatIsDeliveredAgain_IsAcknowledgedWithoutItsHandler(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await StartAsync(place, null, static queues => queues.AddConsumer<OrderPlaced>(
            "orders",
            static async (order, context, cancellationToken) =>
            {
                var transaction = context.Services.GetRequiredService<IOutboxTransaction>();
                await using DbCommand insert = transaction.CreateCommand("insert into shipped (id) values (@id)", ("@id", order.Id));
                await insert.ExecuteNonQueryAsync(cancellationToken);
            },
            static consumer => consumer.IsTransactional = true));
        var sender = host.Get<ISender<OrderPlaced>>();
        await sender.SendAsync(new OrderPlaced(1, "Ada"), new SendOptions { MessageId = "a" });
        await sender.SendAsync(new OrderPlaced(1, "Ada"), new SendOptions { MessageId = "a" });
        await sender.SendAsync(new OrderPlaced(2, "Ada"), new SendOptions { MessageId = "b" });
        await host.Log.WaitForAsync(26);
        await place.WaitForAsync("select id from shipped order by id", "1,2");
        Assert.Empty(host.Log.Of(5));
    }

    [Theory]
    [OutboxData]
    public async Task AHandlerThatEndsTheTransaction_FailsItsAttempt(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await StartAsync(place, null, static queues => queues.AddConsumer<OrderPlaced>(
            "orders",
            static (_, context, cancellationToken) => context.Services.GetRequiredService<IOutboxTransaction>().Transaction.RollbackAsync(cancellationToken),
            static consumer => consumer.IsTransactional = true));
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"));
        await host.Log.WaitForAsync(6);
        Assert.Contains("transaction was committed or rolled back before", host.Log.Of(6)[0], StringComparison.Ordinal);
        Assert.Empty(await place.QueryAsync("select message_id from formatters_inbox"));
    }

    [Theory]
    [OutboxData]
    public async Task AHandlerThatCatchesTheErrorOfAStatement_LosesNothing(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await StartAsync(place, null, static queues => queues.AddConsumer<OrderPlaced>(
            "orders",
            static async (order, context, cancellationToken) =>
            {
                var transaction = context.Services.GetRequiredService<IOutboxTransaction>();
                await using (DbCommand insert = transaction.CreateCommand("insert into shipped (id) values (@id)", ("@id", order.Id)))
                    await insert.ExecuteNonQueryAsync(cancellationToken);
                await using DbCommand failing = transaction.CreateCommand("insert into missing (id) values (1)");
                await Assert.ThrowsAnyAsync<DbException>(() => failing.ExecuteNonQueryAsync(cancellationToken));
            },
            static consumer => consumer.IsTransactional = true));
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"));
        if (kind == "SQLite")
        {
            await place.WaitForAsync("select id from shipped", "1");
            return;
        }

        // PostgreSQL rolls the whole transaction back.
        await host.Log.WaitForAsync(6);
        Assert.Contains("The transaction was not committed", host.Log.Of(6)[0], StringComparison.Ordinal);
        Assert.Empty(await place.QueryAsync("select id from shipped"));
    }

    [Theory]
    [OutboxData]
    public async Task ADatabaseThatFails_CountsNoAttempts_UntilItWorks(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        var attempts = new ConcurrentQueue<int>();
        await using TestHost host = await StartAsync(place, null, queues =>
        {
            queues.Services.AddHealthChecks().AddQueues();
            queues.AddConsumer<OrderPlaced>(
                "orders",
                async (order, context, cancellationToken) =>
                {
                    attempts.Enqueue(context.Attempt);
                    var transaction = context.Services.GetRequiredService<IOutboxTransaction>();
                    await using DbCommand insert = transaction.CreateCommand("insert into shipped (id) values (@id)", ("@id", order.Id));
                    await insert.ExecuteNonQueryAsync(cancellationToken);
                },
                static consumer => consumer.IsTransactional = true);
        });
        await place.ExecuteAsync("alter table formatters_inbox rename to away");
        for (int i = 1; i <= 3; i++)
            await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(i, "Ada"));
        await host.Log.WaitForAsync(27);
        HealthReport unhealthy = await host.Get<HealthCheckService>().CheckHealthAsync();
        Assert.Equal(HealthStatus.Unhealthy, unhealthy.Status);
        Assert.Contains("formatters_inbox", unhealthy.Entries["queues"].Description, StringComparison.Ordinal);
        // Longer than all attempts take.
        await Task.Delay(500);
        await place.ExecuteAsync("alter table away rename to formatters_inbox");
        await place.WaitForAsync("select count(*) from shipped", "3");
        await host.Log.WaitForAsync(28);
        Assert.Single(host.Log.Of(27));
        Assert.Empty(host.Log.Of(5));
        Assert.Empty(host.Log.Of(6));
        Assert.All(attempts, static attempt => Assert.Equal(1, attempt));
        // The dispatcher needs the inbox, too, and tries it again later.
        while ((await host.Get<HealthCheckService>().CheckHealthAsync()).Status != HealthStatus.Healthy)
            await Task.Delay(10);
    }

    /// <summary>A value that no database can hold is a failed attempt, not an outage.</summary>
    [PostgreSqlFact]
    public async Task AMessageIdThatTheInboxCannotHold_IsADeadLetter()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("PostgreSQL");
        await using TestHost host = await StartAsync(place, null, static queues => queues.AddConsumer<OrderPlaced>(
            "orders", static (_, _, _) => Task.CompletedTask, static consumer => consumer.IsTransactional = true));
        // More than an index of PostgreSQL takes, and not compressible.
        var random = new Random(1);
        string id = string.Concat(Enumerable.Range(0, 6000).Select(_ => (char)random.Next(0x4E00, 0x9FFF)));
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"), new SendOptions { MessageId = id });
        await host.Log.WaitForAsync(6);
        Assert.Empty(host.Log.Of(27));
    }

    [Theory]
    [OutboxData]
    public async Task IdsOfHandledMessages_AreDeletedAfterTheirTime(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        var time = new FakeTimeProvider(DateTimeOffset.UtcNow);
        await using TestHost host = await StartAsync(place, services => services.AddSingleton<TimeProvider>(time), static _ => { });
        await place.ExecuteAsync(
            $"insert into formatters_inbox (queue, message_id, handled_at) values ('orders', 'old', {time.GetUtcNow().ToUnixTimeMilliseconds()}), "
                + $"('orders', 'new', {time.GetUtcNow().AddYears(9).ToUnixTimeMilliseconds()})");
        time.Advance(TimeSpan.FromDays(7));
        while ((await place.QueryAsync("select message_id from formatters_inbox")).Count > 1)
        {
            time.Advance(TimeSpan.FromMinutes(11));
            await Task.Delay(10);
        }

        Assert.Equal(["new"], await place.QueryAsync("select message_id from formatters_inbox"));
    }

    /// <summary>More than are deleted by one statement.</summary>
    [Theory]
    [OutboxData]
    public async Task ManyIdsOfHandledMessages_AreDeletedTogether(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using (await StartAsync(place, null, static _ => { }))
        {
        }

        await place.ExecuteAsync(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500) "
                + "insert into formatters_inbox (queue, message_id, handled_at) select 'orders', cast(i as text), 0 from n");
        await using TestHost host = await StartAsync(place, null, static _ => { });
        // The dispatcher deletes ids after it has sent messages, and sends the second message after that.
        for (int i = 0; i < 2; i++)
        {
            await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
            {
                await transaction.SendAsync(new OrderPlaced(i, "Ada"));
                await transaction.CommitAsync();
            }

            await OutboxTests.ReceiveAsync(host, 1);
            await place.WaitForAsync("select count(*) from formatters_outbox", "0");
        }

        Assert.Equal(["0"], await place.QueryAsync("select count(*) from formatters_inbox"));
    }

    [Fact]
    public async Task ATransactionalConsumerWithoutOutbox_FailsTheStart()
    {
        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => TestHost.StartAsync(
            ["orders:Address=memory:orders"],
            static queues => queues.AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask, static consumer => consumer.IsTransactional = true)));
        Assert.Equal(
            "Queue 'orders': the consumer of Formatters.Hosting.Tests.OrderPlaced is transactional, and there is no outbox. Call AddOutbox.", error.Message);
    }

    [Fact]
    public async Task TheTransactionOfAConsumerThatIsNotTransactional_IsAnError()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        await using TestHost host = await StartAsync(place, null, static queues => queues.AddConsumer<OrderPlaced>(
            "orders",
            static (order, context, cancellationToken) =>
                context.Services.GetRequiredService<IOutboxTransaction>().SendAsync(new OrderStatus(order.Id, "placed"), cancellationToken: cancellationToken)));
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"));
        await host.Log.WaitForAsync(6);
        Assert.Contains("Set IsTransactional of the consumer", host.Log.Of(6)[0], StringComparison.Ordinal);
    }

    private static Task<TestHost> StartAsync(OutboxPlace place, Action<IServiceCollection>? add, Action<QueuesBuilder> configure) => TestHost.StartAsync(
        [.. place.Configuration, "orders:Retry:Delay=00:00:00.010", "orders:Retry:MaxDelay=00:00:00.010", "orders:Retry:MaxAttempts=3"],
        queues =>
        {
            add?.Invoke(queues.Services);
            configure(place.AddTo(queues));
        });

    /// <summary>Writes a row and a message, and fails at the first attempt.</summary>
    private sealed class FailsAtFirst(IOutboxTransaction transaction) : IMessageHandler<OrderPlaced>
    {
        public async Task HandleAsync(OrderPlaced message, MessageContext context, CancellationToken cancellationToken)
        {
            await using (DbCommand insert = transaction.CreateCommand("insert into shipped (id) values (@id)", ("@id", context.Attempt)))
                await insert.ExecuteNonQueryAsync(cancellationToken);
            await transaction.SendAsync(new OrderStatus(message.Id, $"attempt {context.Attempt}"), cancellationToken: cancellationToken);
            if (context.Attempt == 1)
                throw new TimeoutException("the carrier does not answer");
        }
    }
}
