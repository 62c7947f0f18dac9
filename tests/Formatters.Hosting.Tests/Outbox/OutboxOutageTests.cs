using System;
using System.Collections.Generic;
using System.Data.Common;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Data.Sqlite;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Npgsql;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>While the database cannot work, no attempt is counted, health says so, and both end when it works.</summary>
public class OutboxOutageTests
{
    private static readonly Dictionary<string, Exception> FactoryErrors = new()
    {
        ["I/O"] = new IOException("the certificate cannot be read"),
        ["socket"] = new SocketException((int)SocketError.HostUnreachable),
        ["HTTP"] = new HttpRequestException("the token service does not answer"),
        ["cancelled"] = new TaskCanceledException("the token service did not answer in time"),
        ["other"] = new UnauthorizedAccessException("no token"),
    };

    public static TheoryData<string> FactoryErrorNames => [.. FactoryErrors.Keys];

    /// <summary>A server that accepts connections and never answers, for longer than a handler may take.</summary>
    [Theory]
    [OutboxData]
    public async Task ASilentDatabase_CountsNoAttempts(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        string address = $"Host=127.0.0.1;Port={((IPEndPoint)silent.LocalEndpoint).Port};Username=test;Password=x;Timeout=1;Pooling=false";
        bool isSilent = false;
        await using TestHost host = await StartAsync(place, () => isSilent ? new NpgsqlConnection(address) : place.Connect());
        isSilent = true;
        await SendAsync(host);
        await host.Log.WaitForAsync(27);
        isSilent = false;
        await ExpectHandledAsync(place, host);
    }

    /// <summary>The wait for the lock is longer than a handler may take, and than health is to be late.</summary>
    [Fact]
    public async Task ALockedDatabase_CountsNoAttempts_AndIsReportedBeforeItsTimeout()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        await using TestHost host = await StartCleanAsync(place, () => new SqliteConnection($"Data Source={place.Folder}/shop.db;Default Timeout=600"));
        await using (DbConnection other = place.Connect())
        {
            await other.OpenAsync();
            await using DbTransaction locked = await other.BeginTransactionAsync();
            await SendAsync(host);
            await host.Log.WaitForAsync(27);
            Assert.Equal(HealthStatus.Unhealthy, (await host.Get<HealthCheckService>().CheckHealthAsync()).Status);
        }

        await ExpectHandledAsync(place, host);
    }

    [Theory]
    [MemberData(nameof(FactoryErrorNames))]
    public async Task AConnectionThatCannotBeCreated_FailsNoStart_AndCountsNoAttempts(string name)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        bool fails = true;
        await using TestHost host = await StartAsync(place, () => fails ? throw FactoryErrors[name] : place.Connect());
        await host.Log.WaitForAsync(21);
        var error = await Assert.ThrowsAsync<OutboxException>(() => host.Get<IOutbox>().BeginAsync());
        Assert.Equal(OutboxErrorCode.DatabaseFailed, error.ErrorCode);
        await SendAsync(host);
        await host.Log.WaitForAsync(27);
        fails = false;
        await ExpectHandledAsync(place, host);
    }

    /// <summary>A table that is dropped while the host runs, and comes back.</summary>
    [Theory]
    [OutboxData]
    public async Task ADroppedOutbox_CountsNoAttempts(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await StartAsync(place, place.Connect);
        await place.ExecuteAsync("alter table formatters_outbox rename to away");
        await SendAsync(host);
        await host.Log.WaitForAsync(27);
        await place.ExecuteAsync("alter table away rename to formatters_outbox");
        await ExpectHandledAsync(place, host);
    }

    /// <summary>The server ends the connection while the handler runs.</summary>
    [PostgreSqlFact]
    public async Task AConnectionThatEnds_CountsNoAttempts()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("PostgreSQL");
        bool ends = true;
        await using TestHost host = await StartAsync(place, place.Connect, async transaction =>
        {
            if (!ends)
                return;
            await using DbCommand id = transaction.CreateCommand("select pg_backend_pid()");
            await place.ExecuteAsync($"select pg_terminate_backend({await id.ExecuteScalarAsync()})");
        });
        await SendAsync(host);
        await host.Log.WaitForAsync(27);
        ends = false;
        await ExpectHandledAsync(place, host);
    }

    /// <summary>A database that is full, or read-only, for the handler and for the commit.</summary>
    [Theory]
    [InlineData("pragma max_page_count = 1", "pragma max_page_count = 1000000")]
    [InlineData("pragma query_only = 1", "pragma query_only = 0")]
    public async Task ADatabaseThatCannotBeWritten_CountsNoAttempts(string begin, string end)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        bool fails = true;
        await using TestHost host = await StartAsync(place, Connect, async transaction =>
        {
            if (!fails)
                return;
            await using DbCommand command = transaction.CreateCommand(begin);
            await command.ExecuteNonQueryAsync();
        });
        await SendAsync(host);
        await host.Log.WaitForAsync(27);
        fails = false;
        await ExpectHandledAsync(place, host);

        // The setting stays with a connection of the pool.
        DbConnection Connect()
        {
            DbConnection connection = place.Connect();
            connection.Open();
            using DbCommand command = connection.CreateCommand();
            command.CommandText = end;
            command.ExecuteNonQuery();
            return connection;
        }
    }

    /// <summary>PostgreSQL says what it cannot do with a statement of the handler, or only at the commit.</summary>
    [PostgreSqlTheory]
    [InlineData("53100", false)]
    [InlineData("53100", true)]
    [InlineData("25006", false)]
    [InlineData("XX001", true)]
    public async Task AStateOfPostgreSql_CountsNoAttempts(string state, bool isAtCommit)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("PostgreSQL");
        await FailInsertsAsync(place, state, isAtCommit);
        await using TestHost host = await StartAsync(place, place.Connect);
        await SendAsync(host);
        await host.Log.WaitForAsync(27);
        await place.ExecuteAsync("drop trigger fail on shipped");
        await ExpectHandledAsync(place, host);
    }

    /// <summary>A constraint, a conflict of transactions and an error that the application raises are attempts, at the commit too.</summary>
    [PostgreSqlTheory]
    [InlineData("23505", true)]
    [InlineData("40001", true)]
    [InlineData("P0001", true)]
    [InlineData("57014", false)]
    public async Task AStateOfPostgreSql_CountsAsAnAttempt(string state, bool isAtCommit)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("PostgreSQL");
        await FailInsertsAsync(place, state, isAtCommit);
        await using TestHost host = await StartAsync(place, place.Connect);
        await SendAsync(host);
        await host.Log.WaitForAsync(6);
        Assert.Empty(host.Log.Of(27));
    }

    /// <summary>A handler may decide that a message is bad, whatever the reason.</summary>
    [Fact]
    public async Task AMessageThatTheHandlerRejects_IsADeadLetter()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        await using TestHost host = await StartAsync(
            place, place.Connect, static _ => throw new MessageRejectedException("the shop is full", new SqliteException("SQLite Error 13: 'database or disk is full'.", 13)));
        await SendAsync(host);
        await host.Log.WaitForAsync(6);
        Assert.Empty(host.Log.Of(27));
    }

    /// <summary>Errors of another database, and of the handler's own statements, are attempts.</summary>
    [Theory]
    [InlineData("SQLite Error 5: 'database is locked'.", 5)]
    [InlineData("SQLite Error 19: 'UNIQUE constraint failed: shipped.id'.", 19)]
    [InlineData("SQLite Error 1: 'no such table: customers'.", 1)]
    [InlineData("SQLite Error 1: 'no such table: my_formatters_outbox_2'.", 1)]
    public async Task AnErrorOfTheHandler_CountsAsAnAttempt(string message, int code)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        await using TestHost host = await StartAsync(place, place.Connect, _ => throw new SqliteException(message, code));
        await SendAsync(host);
        await host.Log.WaitForAsync(6);
        Assert.Empty(host.Log.Of(27));
    }

    [Theory]
    [OutboxData]
    public async Task AnOutage_EndsWithoutACommittedMessage(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        bool fails = false;
        await using TestHost host = await StartAsync(
            place, () => fails ? throw new IOException("the token is gone") : place.Connect(), static _ => throw new FormatException("the order is not valid"));
        fails = true;
        await SendAsync(host);
        await host.Log.WaitForAsync(27);
        fails = false;
        // The only message becomes a dead letter, and nothing is left that could commit.
        await host.Log.WaitForAsync(6);
        await host.Log.WaitForAsync(28);
        Assert.Equal(HealthStatus.Healthy, (await host.Get<HealthCheckService>().CheckHealthAsync()).Status);
        Assert.Equal(["0"], await place.QueryAsync("select count(*) from formatters_inbox"));
    }

    [Fact]
    public async Task ALockedDatabase_DoesNotWork_UntilItIsUnlocked()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        await using (TestHost first = await StartAsync(place, place.Connect))
            await first.Host.StopAsync();
        await using DbConnection other = place.Connect();
        await other.OpenAsync();
        await using DbTransaction locked = await other.BeginTransactionAsync();
        await using TestHost host = await StartAsync(place, () => new SqliteConnection($"Data Source={place.Folder}/shop.db;Default Timeout=1"));
        await host.Log.WaitForAsync(21);
        // Some more attempts.
        await Task.Delay(500);
        Assert.Empty(host.Log.Of(22));
        await locked.RollbackAsync();
        await host.Log.WaitForAsync(22);
        Assert.Single(host.Log.Of(21));
    }

    /// <summary>The wait for the lock would take ten minutes.</summary>
    [Fact]
    public async Task ALockedDatabase_DoesNotKeepTheHostFromStopping()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        TestHost host = await StartCleanAsync(place, () => new SqliteConnection($"Data Source={place.Folder}/shop.db;Default Timeout=600"));
        await using (DbConnection other = place.Connect())
        {
            await other.OpenAsync();
            await using DbTransaction locked = await other.BeginTransactionAsync();
            await SendAsync(host);
            await host.Log.WaitForAsync(27);
            using var limit = new CancellationTokenSource(TimeSpan.FromMilliseconds(100));
            await host.Host.StopAsync(limit.Token);
            // The lock is still held: the host has not waited for it.
            Assert.Empty(host.Log.Of(28));
        }

        await host.DisposeAsync();
        Assert.Empty(host.Log.Of(6));
    }

    /// <summary>Rows that are written to a deleted file are lost; a message must not be acknowledged for them.</summary>
    [Fact]
    public async Task ADeletedFile_IsReported_AndNothingIsCommittedToIt()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        await using TestHost host = await StartAsync(place, place.Connect);
        await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
        {
            File.Delete(Path.Combine(place.Folder, "shop.db"));
            await transaction.SendAsync(new OrderStatus(1, "Ada"));
            var error = await Assert.ThrowsAsync<OutboxException>(() => transaction.CommitAsync());
            Assert.Equal(OutboxErrorCode.DatabaseFailed, error.ErrorCode);
            Assert.Contains("was deleted or moved", error.Message, StringComparison.Ordinal);
        }

        await host.Log.WaitForAsync(21);
        await SendAsync(host);
        await host.Log.WaitForAsync(27);
        HealthReport report = await host.Get<HealthCheckService>().CheckHealthAsync();
        Assert.Contains("was deleted or moved", report.Entries["queues"].Description, StringComparison.Ordinal);
        Assert.Empty(host.Log.Of(5));
        Assert.Empty(host.Log.Of(6));
    }

    [Fact]
    public async Task ADeletedFile_ThatOnlyTheApplicationHasOpened_IsReported()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        var isApplication = new AsyncLocal<bool>();
        await using TestHost host = await StartAsync(place, () => isApplication.Value ? place.Connect() : throw new TimeoutException("Not yet."));
        isApplication.Value = true;
        await using OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync();
        File.Delete(Path.Combine(place.Folder, "shop.db"));
        var error = await Assert.ThrowsAsync<OutboxException>(() => transaction.CommitAsync());
        Assert.Contains("was deleted or moved", error.Message, StringComparison.Ordinal);
    }

    private static Task<TestHost> StartAsync(OutboxPlace place, Func<DbConnection> connect, Func<IOutboxTransaction, Task>? before = null) => TestHost.StartAsync(
        [.. place.Configuration, "orders:Retry:Delay=00:00:00.010", "orders:Retry:MaxDelay=00:00:00.010", "orders:Retry:MaxAttempts=1", "orders:HandlerTimeout=00:00:00.500"],
        queues =>
        {
            queues.Services.AddHealthChecks().AddQueues();
            queues.AddSender<OrderPlaced>("orders")
                .AddSender<OrderStatus>("invoices")
                .AddConsumer<OrderPlaced>(
                    "orders",
                    async (order, context, cancellationToken) =>
                    {
                        var transaction = context.Services.GetRequiredService<IOutboxTransaction>();
                        if (before is not null)
                            await before(transaction);
                        await using DbCommand insert = transaction.CreateCommand("insert into shipped (id) values (@id)", ("@id", order.Id));
                        await insert.ExecuteNonQueryAsync(cancellationToken);
                        await transaction.SendAsync(new OrderStatus(order.Id, new string('a', 100_000)), cancellationToken: cancellationToken);
                    },
                    static consumer => consumer.IsTransactional = true)
                .AddOutbox(_ => connect(), static options =>
                {
                    options.CreateTables = true;
                    options.PollInterval = TimeSpan.FromMilliseconds(20);
                    options.MaxRetryDelay = TimeSpan.FromMilliseconds(50);
                });
        });

    /// <summary>Makes inserts into the table of the handler fail, or their commits.</summary>
    private static async Task FailInsertsAsync(OutboxPlace place, string state, bool isAtCommit)
    {
        await place.ExecuteAsync($"create function fail() returns trigger language plpgsql as $$ begin raise exception using errcode = '{state}'; end $$");
        await place.ExecuteAsync(isAtCommit
            ? "create constraint trigger fail after insert on shipped deferrable initially deferred for each row execute function fail()"
            : "create trigger fail after insert on shipped for each row execute function fail()");
    }

    private static Task SendAsync(TestHost host) => host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"));

    /// <summary>Starts a host that has cleaned its inbox: with the cleaning under way, handlers would wait half a minute for their turn to write.</summary>
    private static async Task<TestHost> StartCleanAsync(OutboxPlace place, Func<DbConnection> connect)
    {
        await using (TestHost first = await StartAsync(place, place.Connect))
            await first.Host.StopAsync();
        await place.ExecuteAsync("insert into formatters_inbox (queue, message_id, handled_at) values ('orders', 'old', 0)");
        TestHost host = await StartAsync(place, connect);
        await place.WaitForAsync("select count(*) from formatters_inbox", "0");
        return host;
    }

    private static async Task ExpectHandledAsync(OutboxPlace place, TestHost host)
    {
        await place.WaitForAsync("select id from shipped", "1");
        await host.Log.WaitForAsync(28);
        Assert.Single(host.Log.Of(27));
        foreach (int eventId in new[] { 5, 6, 11 })
            Assert.Empty(host.Log.Of(eventId));
        while ((await host.Get<HealthCheckService>().CheckHealthAsync()).Status != HealthStatus.Healthy)
            await Task.Delay(10);
    }
}
