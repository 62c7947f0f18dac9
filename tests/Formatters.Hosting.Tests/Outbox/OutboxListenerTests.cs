using System;
using System.Data.Common;
using System.Threading;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Npgsql;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>On PostgreSQL, a dispatcher that looks once a day is notified of messages that it cannot know of.</summary>
public class OutboxListenerTests
{
    private readonly string _table = "outbox_" + Guid.NewGuid().ToString("N");

    [PostgreSqlFact]
    public async Task ACommitOfTheApplication_NotifiesTheDispatcher()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("PostgreSQL");
        await using TestHost host = await StartAsync(place);
        await host.Log.WaitForAsync(30);
        await SendAsync(place, host, 1);
        Assert.Equal([new OrderPlaced(1, "Ada")], await OutboxTests.ReceiveAsync(host, 1));
    }

    /// <summary>A process that only sends: its host is not started.</summary>
    [PostgreSqlFact]
    public async Task ACommitOfAnotherProcess_NotifiesTheDispatcher()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("PostgreSQL");
        await using TestHost host = await StartAsync(place);
        await host.Log.WaitForAsync(30);
        await using TestHost other = TestHost.Build(place.Configuration, queues => place.AddTo(queues, Configure));
        await using (OutboxTransaction transaction = await other.Get<IOutbox>().BeginAsync())
        {
            await transaction.SendAsync(new OrderPlaced(1, "Ada"));
            await transaction.CommitAsync();
        }

        Assert.Equal([new OrderPlaced(1, "Ada")], await OutboxTests.ReceiveAsync(host, 1));
    }

    /// <summary>The dispatcher that is sending may have looked before the commit in a process whose own dispatcher must not send.</summary>
    [PostgreSqlFact]
    public async Task ADispatcherThatMayNotSend_NotifiesTheOneThatDoes()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("PostgreSQL");
        await using TestHost host = await StartAsync(place);
        await host.Log.WaitForAsync(30);
        await using DbConnection sending = place.Connect();
        await sending.OpenAsync();
        await using DbTransaction turn = await sending.BeginTransactionAsync();
        await using (DbCommand take = sending.CreateCommand())
        {
            take.CommandText = host.Get<Outbox>().GetTables(sending).TryLock;
            while (await take.ExecuteScalarAsync() is not true)
                await Task.Delay(10);
        }

        await using var listening = new NpgsqlConnection(place.ConnectionString);
        await listening.OpenAsync();
        await host.Get<Outbox>().ListenAsync(listening, CancellationToken.None);
        await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
        {
            await transaction.SendAsync(new OrderPlaced(1, "Ada"));
            await transaction.CommitAsync();
        }

        await listening.WaitAsync();
        Assert.Equal(["1"], await place.QueryAsync($"select count(*) from {_table}"));
    }

    [PostgreSqlFact]
    public async Task AConnectionThatEnds_IsOpenedAgain()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("PostgreSQL");
        await using TestHost host = await StartAsync(place);
        await host.Log.WaitForAsync(30);
        await place.ExecuteAsync($"select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen \"{_table}\"'");
        // What is committed meanwhile is found, too.
        await SendAsync(place, host, 1);
        Assert.Equal([new OrderPlaced(1, "Ada")], await OutboxTests.ReceiveAsync(host, 1));
        await host.Log.WaitForAsync(30, 2);
        await SendAsync(place, host, 2);
        Assert.Equal([new OrderPlaced(2, "Ada")], await OutboxTests.ReceiveAsync(host, 1));
        Assert.Empty(host.Log.Of(21));
    }

    /// <summary>The trigger of the documentation, for rows that other programs insert.</summary>
    [PostgreSqlFact]
    public async Task ATrigger_NotifiesTheDispatcher()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("PostgreSQL");
        await using TestHost host = await StartAsync(place);
        await host.Log.WaitForAsync(30);
        await place.ExecuteAsync(
            $"""
            create function notify_outbox() returns trigger language plpgsql as $$ begin perform pg_notify('{_table}', ''); return null; end $$;
            create trigger notify after insert on {_table} for each statement execute function notify_outbox();
            """);
        byte[] body = new BinaryBodyFormatter<OrderPlaced>().Write(new OrderPlaced(3, "Ada"));
        await place.ExecuteAsync(
            $"insert into {_table} (queue, message_id, contract, properties, body, body_type, created_at) "
                + $"values ('orders', 'a', 'order-placed', '{{}}', '\\x{Convert.ToHexString(body)}', 0, 0)");
        Assert.Equal([new OrderPlaced(3, "Ada")], await OutboxTests.ReceiveAsync(host, 1));
    }

    private static async Task SendAsync(OutboxPlace place, TestHost host, int id)
    {
        await using DbConnection connection = place.Connect();
        await connection.OpenAsync();
        await using DbTransaction transaction = await connection.BeginTransactionAsync();
        await host.Get<IOutbox>().SendAsync(transaction, new OrderPlaced(id, "Ada"));
        await transaction.CommitAsync();
    }

    private void Configure(OutboxOptions options)
    {
        options.OutboxTable = _table;
        options.PollInterval = TimeSpan.FromDays(1);
        options.MaxRetryDelay = TimeSpan.FromDays(1);
    }

    private Task<TestHost> StartAsync(OutboxPlace place) => TestHost.StartAsync(place.Configuration, queues => place.AddTo(queues, Configure));
}

/// <summary>A theory that needs PostgreSQL.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PostgreSqlTheoryAttribute : TheoryAttribute
{
    public PostgreSqlTheoryAttribute() => Skip = TestScale.SkipReason("FORMATTERS_POSTGRES", "Set FORMATTERS_POSTGRES; eng/postgres starts a server.");
}

/// <summary>A test that needs PostgreSQL.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PostgreSqlFactAttribute : FactAttribute
{
    public PostgreSqlFactAttribute() => Skip = TestScale.SkipReason("FORMATTERS_POSTGRES", "Set FORMATTERS_POSTGRES; eng/postgres starts a server.");
}
