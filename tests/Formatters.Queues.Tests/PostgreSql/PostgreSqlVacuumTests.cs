using System;
using System.Diagnostics;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues.PostgreSql;
using Npgsql;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What received messages leave behind is vacuumed in the background, and nothing depends on it.</summary>
public class PostgreSqlVacuumTests
{
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan AfterAPause = TimeSpan.FromMinutes(3);

    [PostgresTheory]
    [InlineData(ReceiveMode.PeekLock, DeliveryMode.Recoverable, "recoverable_message")]
    [InlineData(ReceiveMode.ReceiveAndDelete, DeliveryMode.Express, "express_message")]
    public Task After_so_many_messages_the_table_is_vacuumed(ReceiveMode receiveMode, DeliveryMode deliveryMode, string table) => WithSchemaAsync(async (connection, schema) =>
    {
        await using QueueClient queue = await OpenAsync(Postgres.Address, schema, 1_000, new QueueOptions { ReceiveMode = receiveMode, DeliveryMode = deliveryMode });

        await PassAsync(queue, 999);
        Assert.Equal(0, await VacuumsAsync(connection, schema, table));
        await PassAsync(queue, 1);
        Assert.True(await WithinAsync(Soon, async () => await VacuumsAsync(connection, schema, table) == 1));

        // After a pause of nine times as long as that took.
        Assert.True(await WithinAsync(AfterAPause, async () =>
        {
            await PassAsync(queue, 1_000);
            return await VacuumsAsync(connection, schema, table) > 1;
        }));
    });

    [PostgresFact]
    public Task A_purge_counts() => WithSchemaAsync(async (connection, schema) =>
    {
        await using QueueClient queue = await OpenAsync(Postgres.Address, schema, 1_000);
        await queue.SendBatchAsync([.. Enumerable.Range(0, 1_000).Select(_ => new QueueMessage())]);
        Assert.Equal(1_000, await queue.PurgeAsync());

        Assert.True(await WithinAsync(Soon, async () => await VacuumsAsync(connection, schema, "recoverable_message") == 1));
    });

    [PostgresFact]
    public Task Zero_is_never() => WithSchemaAsync(async (connection, schema) =>
    {
        await using (QueueClient queue = await OpenAsync(Postgres.Address, schema, 0))
            await PassAsync(queue, 3_000);

        await Task.Delay(200);
        Assert.Equal(0, await VacuumsAsync(connection, schema, "recoverable_message"));
    });

    /// <summary>Who does not own the tables may not vacuum them: messages come all the same, and it is not tried again.</summary>
    [PostgresFact]
    public Task A_user_who_may_not_leaves_it_to_the_server() => WithSchemaAsync(async (connection, schema) =>
    {
        await (await OpenAsync(Postgres.Address, schema, 0)).DisposeAsync();
        await connection.RunAsync(
            $"CREATE ROLE {schema} LOGIN PASSWORD 'x'; GRANT ALL ON SCHEMA {schema} TO {schema}; GRANT ALL ON ALL TABLES IN SCHEMA {schema} TO {schema}; GRANT ALL ON ALL SEQUENCES IN SCHEMA {schema} TO {schema}");
        try
        {
            var uri = new UriBuilder(Postgres.Address) { UserName = schema, Password = "x" };
            await using QueueClient queue = await OpenAsync(uri.Uri.AbsoluteUri, schema, 100);
            for (int i = 0; i < 20; i++)
                await PassAsync(queue, 100);
            Assert.Equal(0, await queue.GetMessageCountAsync());
            Assert.Equal(0, await VacuumsAsync(connection, schema, "recoverable_message"));
        }
        finally
        {
            await connection.RunAsync($"DROP OWNED BY {schema}; DROP ROLE {schema}");
        }
    });

    /// <summary>Another vacuum, or whoever has locked the table against one, is not waited for: neither by receives nor by the closing of the queue.</summary>
    [PostgresFact]
    public Task A_locked_table_holds_nobody_up() => WithSchemaAsync(async (connection, schema) =>
    {
        QueueClient queue = await OpenAsync(Postgres.Address, schema, 100);
        await PassAsync(queue, 10);
        await using NpgsqlTransaction transaction = await connection.BeginTransactionAsync();
        await connection.RunAsync($"LOCK TABLE {schema}.recoverable_message, {schema}.express_message IN SHARE UPDATE EXCLUSIVE MODE");

        for (int i = 0; i < 5; i++)
            await PassAsync(queue, 200);
        await queue.DisposeAsync().AsTask().WaitAsync(Soon);

        await transaction.RollbackAsync();
        Assert.Equal(0, await VacuumsAsync(connection, schema, "recoverable_message"));
    });

    [PostgresFact]
    public Task A_close_ends_it() => WithSchemaAsync(async (connection, schema) =>
    {
        for (int i = 0; i < 20; i++)
        {
            QueueClient queue = await OpenAsync(Postgres.Address, schema, 10);
            await PassAsync(queue, 100);
            await queue.DisposeAsync().AsTask().WaitAsync(Soon);
        }

        Assert.True(await WithinAsync(Soon, async () =>
            await connection.ScalarAsync<long>("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'VACUUM%' AND state = 'active' AND query LIKE $$%" + schema + "%$$ AND pid <> pg_backend_pid()") == 0));
    });

    [Fact]
    public void A_threshold_below_zero_is_refused() =>
        Assert.Equal("VacuumThreshold", Assert.Throws<ArgumentOutOfRangeException>(() => new PostgreSqlQueueOptions { VacuumThreshold = -1 }).ParamName);

    [PostgresFact]
    public Task The_server_compiles_no_statement() => WithSchemaAsync(async (connection, schema) =>
    {
        // A plan around a scan that is off counts as so expensive that the server would compile it, for a tenth of a second and more.
        await using (await OpenAsync(Postgres.Address, schema, 0))
        {
            await connection.RunAsync($"CREATE TABLE {schema}.seen (setting text)");
            await connection.RunAsync($"CREATE FUNCTION {schema}.see() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO {schema}.seen VALUES (current_setting(''jit'')); RETURN NEW; END'");
            await connection.RunAsync($"CREATE TRIGGER see BEFORE INSERT ON {schema}.queue FOR EACH ROW EXECUTE FUNCTION {schema}.see()");
        }

        await using QueueClient other = await new QueueConnector(new PostgreSqlQueueProvider(new PostgreSqlQueueOptions { SchemaName = schema })).OpenAsync($"{Postgres.Address}/other");
        Assert.Equal("off", await connection.ScalarAsync<string>($"SELECT DISTINCT setting FROM {schema}.seen"));
    });

    private static async Task<QueueClient> OpenAsync(string address, string schema, int threshold, QueueOptions? options = null) =>
        await new QueueConnector(new PostgreSqlQueueProvider(new PostgreSqlQueueOptions { SchemaName = schema, VacuumThreshold = threshold })).OpenAsync($"{address}/q", options);

    /// <summary>Sends messages and receives them.</summary>
    private static async Task PassAsync(QueueClient queue, int count)
    {
        await queue.SendBatchAsync([.. Enumerable.Range(0, count).Select(_ => new QueueMessage())]);
        for (int received = 0; received < count;)
        {
            var messages = await queue.ReceiveBatchAsync(count - received, Soon);
            Assert.NotEmpty(messages);
            received += messages.Count;
            if (queue.Options.ReceiveMode == ReceiveMode.PeekLock)
                await queue.AcknowledgeBatchAsync(messages);
        }
    }

    private static Task<long> VacuumsAsync(NpgsqlConnection connection, string schema, string table) =>
        connection.ScalarAsync<long>($"SELECT vacuum_count FROM pg_stat_all_tables WHERE schemaname = '{schema}' AND relname = '{table}'");

    private static async Task<bool> WithinAsync(TimeSpan time, Func<Task<bool>> isSo)
    {
        for (var clock = Stopwatch.StartNew(); clock.Elapsed < time; await Task.Delay(50))
        {
            if (await isSo())
                return true;
        }

        return false;
    }

    /// <summary>Runs a test over a schema of its own.</summary>
    private static async Task WithSchemaAsync(Func<NpgsqlConnection, string, Task> test)
    {
        string schema = $"vacuum_{Guid.NewGuid():N}";
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        try
        {
            await test(connection, schema);
        }
        finally
        {
            await connection.RunAsync($"DROP SCHEMA IF EXISTS {schema} CASCADE");
        }
    }
}
