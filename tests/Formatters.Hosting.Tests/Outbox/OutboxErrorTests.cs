using System;
using System.Data.Common;
using System.IO;
using System.Threading.Tasks;
using Microsoft.Data.Sqlite;
using Microsoft.Extensions.Options;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>Each thing that is wrong with a database or transaction is one typed error, and nothing is written.</summary>
public class OutboxErrorTests
{
    [Theory]
    [OutboxData]
    public async Task AMissingTable_FailsTheStart(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await ExpectAsync(OutboxErrorCode.MissingTable, () => StartAsync(place, createTables: false));
    }

    [Fact]
    public void ALockFileThatCannotBeCreated_IsAnError_AndNotAnotherHost()
    {
        string database = Path.GetTempFileName();
        try
        {
            using var first = new OutboxFileLock();
            using var second = new OutboxFileLock();
            Assert.True(first.TryTake(database, "t"));
            Assert.False(second.TryTake(database, "t"));
            first.Dispose();
            Assert.True(second.TryTake(database, "t"));

            using var third = new OutboxFileLock();
            Assert.ThrowsAny<IOException>(() => third.TryTake(database, new string('t', 300)));
        }
        finally
        {
            File.Delete(database);
            File.Delete(database + "-t.lock");
        }
    }

    [Theory]
    [OutboxData]
    public async Task ATableOfOtherColumns_FailsTheStart(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await place.ExecuteAsync("create table formatters_outbox (id bigint not null, subject text not null)");
        OutboxException error = await ExpectAsync(OutboxErrorCode.WrongColumns, () => StartAsync(place));
        Assert.Contains("formatters_outbox", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [OutboxData]
    public async Task ATableThatIsDropped_IsAnErrorOfTheSend(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await StartAsync(place);
        await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
        {
            await using (DbCommand drop = transaction.CreateCommand("drop table formatters_outbox"))
                await drop.ExecuteNonQueryAsync();
            await ExpectAsync(OutboxErrorCode.MissingTable, () => transaction.SendAsync(new OrderPlaced(1, "Ada")));
        }
    }

    [Theory]
    [OutboxData]
    public async Task AnEndedTransaction_IsAnErrorOfTheSendAndTheCommit(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await StartAsync(place);
        await using OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync();
        await transaction.Transaction.RollbackAsync();
        await ExpectAsync(OutboxErrorCode.EndedTransaction, () => transaction.SendAsync(new OrderPlaced(1, "Ada")));
        await ExpectAsync(OutboxErrorCode.EndedTransaction, () => transaction.CommitAsync());
    }

    [Theory]
    [OutboxData]
    public async Task ATransactionOfAnotherDatabase_IsRejected(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using OutboxPlace other = await OutboxPlace.CreateAsync("SQLite");
        await using TestHost host = await StartAsync(place);
        await using DbConnection connection = other.Connect();
        await connection.OpenAsync();
        await using DbTransaction transaction = await connection.BeginTransactionAsync();
        await ExpectAsync(OutboxErrorCode.ForeignTransaction, () => host.Get<IOutbox>().SendAsync(transaction, new OrderPlaced(1, "Ada")));
    }

    [Theory]
    [OutboxData]
    public async Task AReadOnlyDatabase_IsAnErrorOfTheSend(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await StartAsync(place);
        await using OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync();
        await using (DbCommand command = transaction.CreateCommand(kind == "SQLite" ? "pragma query_only = 1" : "set transaction read only"))
            await command.ExecuteNonQueryAsync();
        await ExpectAsync(OutboxErrorCode.ReadOnlyDatabase, () => transaction.SendAsync(new OrderPlaced(1, "Ada")));
        if (kind == "SQLite")
        {
            await using DbCommand reset = transaction.CreateCommand("pragma query_only = 0");
            await reset.ExecuteNonQueryAsync();
        }
    }

    [Fact]
    public async Task AFullDatabase_IsAnErrorOfTheSend_AndNothingIsWritten()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        await using TestHost host = await StartAsync(place);
        await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
        {
            await using (DbCommand command = transaction.CreateCommand("pragma max_page_count = 1"))
                await command.ExecuteNonQueryAsync();
            await ExpectAsync(OutboxErrorCode.DiskFull, () => transaction.SendAsync(new OrderPlaced(1, new string('a', 100_000))));
        }

        Assert.Equal(["0"], await place.QueryAsync("select count(*) from formatters_outbox"));
    }

    [Fact]
    public async Task ADatabaseThatIsUnreachable_DoesNotFailTheStart_AndIsLoggedOnce()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        bool isReachable = false;
        await using TestHost host = await TestHost.StartAsync(place.Configuration, queues => queues
            .AddSender<OrderPlaced>("orders")
            .AddOutbox(
                _ => isReachable ? place.Connect() : new SqliteConnection($"Data Source={place.Folder}/missing/shop.db"),
                static options =>
                {
                    options.CreateTables = true;
                    options.PollInterval = TimeSpan.FromMilliseconds(20);
                    options.MaxRetryDelay = TimeSpan.FromMilliseconds(50);
                }));
        QueueState state = host.Get<QueueStates>().Get("(outbox)");
        Assert.NotNull(state.Database.Error);
        isReachable = true;
        await host.Log.WaitForAsync(22);
        Assert.Single(host.Log.Of(21));
        await using OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync();
        await transaction.SendAsync(new OrderPlaced(1, "Ada"));
        await transaction.CommitAsync();
        Assert.Equal([new OrderPlaced(1, "Ada")], await OutboxTests.ReceiveAsync(host, 1));
        Assert.Null(state.Database.Error);
    }

    [Theory]
    [InlineData("Data Source=:memory:", "formatters_outbox", null, OutboxErrorCode.UnknownDatabase)]
    [InlineData("Data Source=", "formatters_outbox", null, OutboxErrorCode.UnknownDatabase)]
    [InlineData(null, "other.outbox", null, OutboxErrorCode.MissingTable)]
    [InlineData(null, "formatters_outbox", OutboxDialect.PostgreSql, OutboxErrorCode.UnknownDatabase)]
    public async Task ADatabaseThatCannotHaveTheOutbox_FailsTheStart(string? connection, string table, OutboxDialect? dialect, OutboxErrorCode code)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        await ExpectAsync(code, () => TestHost.StartAsync(place.Configuration, queues => queues
            .AddSender<OrderPlaced>("orders")
            .AddOutbox(
                _ => connection is null ? place.Connect() : new SqliteConnection(connection),
                options =>
                {
                    options.CreateTables = true;
                    options.OutboxTable = table;
                    options.Dialect = dialect;
                })));
    }

    [Theory]
    [InlineData("sqlite_outbox")]
    [InlineData("main.sqlite_outbox")]
    [InlineData("temp.outbox")]
    [InlineData("pg_temp.outbox")]
    public async Task AReservedNameOfATable_FailsTheStart(string table)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        var error = await Assert.ThrowsAsync<OptionsValidationException>(() => TestHost.StartAsync(
            place.Configuration, queues => place.AddTo(queues, options => options.OutboxTable = table)));
        Assert.Contains(table, error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [OutboxData]
    public async Task ADatabaseThatCannotBeOpened_IsAnErrorOfBegin(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        bool isReachable = true;
        await using TestHost host = await TestHost.StartAsync(place.Configuration, queues => queues
            .AddSender<OrderPlaced>("orders")
            .AddOutbox(
                _ => isReachable ? place.Connect() : kind == "SQLite" ? new SqliteConnection($"Data Source={place.Folder}/missing/shop.db")
                    : new Npgsql.NpgsqlConnection("Host=localhost;Port=1;Username=test;Password=x;Timeout=5"),
                static options => options.CreateTables = true));
        isReachable = false;
        await ExpectAsync(OutboxErrorCode.DatabaseFailed, () => host.Get<IOutbox>().BeginAsync());
        isReachable = true;
        await using OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync();
        await Assert.ThrowsAsync<ArgumentException>(
            () => transaction.SendAsync(new OrderPlaced(1, "Ada"), options: new SendOptions { Delay = TimeSpan.MaxValue }));
    }

    [Fact]
    public async Task ATypeWithoutSender_IsAnErrorOfTheSend()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        await using TestHost host = await StartAsync(place);
        await using OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync();
        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => transaction.SendAsync(new OrderCancelled(1)));
        Assert.Equal("No sender of Formatters.Hosting.Tests.OrderCancelled is registered: call AddSender<OrderCancelled>.", error.Message);
        await Assert.ThrowsAsync<ArgumentException>(() => transaction.SendAsync(new OrderPlaced(1, "Ada"), options: new SendOptions { Label = "\ud800" }));
    }

    private static Task<TestHost> StartAsync(OutboxPlace place, bool createTables = true) =>
        TestHost.StartAsync(place.Configuration, queues => place.AddTo(queues, options => options.CreateTables = createTables));

    private static async Task<OutboxException> ExpectAsync(OutboxErrorCode code, Func<Task> action)
    {
        var error = await Assert.ThrowsAsync<OutboxException>(action);
        Assert.Equal(code, error.ErrorCode);
        return error;
    }
}
