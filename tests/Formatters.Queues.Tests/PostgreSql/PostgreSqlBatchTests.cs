using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues.PostgreSql;
using Npgsql;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What batches, messages for later and duplicates are in the tables, and that tables of earlier versions get them.</summary>
public sealed class PostgreSqlBatchTests
{
    private static readonly QueueOptions Window = new() { DuplicateWindow = TimeSpan.FromMinutes(10) };
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(20);

    [PostgresFact]
    public Task Schema_of_version_1_gets_what_it_lacks_and_keeps_its_messages() => WithSchemaAsync(async (connection, schema, newConnector) =>
    {
        await using (QueueClient queue = await newConnector().OpenAsync($"{Postgres.Address}/q"))
            await queue.SendAsync(new QueueMessage { MessageId = "old", CorrelationId = "c" });
        // As version 1 had made it.
        await connection.RunAsync(
            $"DROP TABLE {schema}.sent_id; DROP INDEX {schema}.message_due, {schema}.message_correlation, {schema}.message_asking; "
            + $"ALTER TABLE {schema}.message DROP COLUMN due_at, DROP COLUMN acknowledge_types, DROP COLUMN administration_queue, DROP COLUMN acknowledgment; UPDATE {schema}.version SET version = 1");

        await Task.WhenAll(Enumerable.Range(0, 4).Select(i => Task.Run(async () => await (await newConnector().OpenAsync($"{Postgres.Address}/q{i % 2}")).DisposeAsync())));

        Assert.Equal(3, await connection.ScalarAsync<int>($"SELECT version FROM {schema}.version"));
        await using QueueClient upgraded = await newConnector().OpenAsync($"{Postgres.Address}/q", Window);
        await upgraded.SendBatchAsync([new QueueMessage { MessageId = "new", DueTime = DateTimeOffset.UtcNow.AddHours(1) }]);
        ReceivedMessage old = (await upgraded.ReceiveByCorrelationIdAsync("c", Soon))!;
        Assert.Equal(("old", null, 1), (old.MessageId, old.DueTime, old.DeliveryCount));
        Assert.Equal(["old", "new"], (await upgraded.PeekAsync()).Select(message => message.MessageId));
    });

    [PostgresFact]
    public Task Schema_that_its_user_may_not_change_says_who_may() => WithSchemaAsync(async (connection, schema, newConnector) =>
    {
        await (await newConnector().OpenAsync($"{Postgres.Address}/q")).DisposeAsync();
        await connection.RunAsync(
            $"DROP TABLE {schema}.sent_id; DROP INDEX {schema}.message_due, {schema}.message_correlation, {schema}.message_asking; "
            + $"ALTER TABLE {schema}.message DROP COLUMN due_at, DROP COLUMN acknowledge_types, DROP COLUMN administration_queue, DROP COLUMN acknowledgment; UPDATE {schema}.version SET version = 1");
        await connection.RunAsync($"CREATE ROLE {schema} LOGIN PASSWORD 'x'; GRANT ALL ON SCHEMA {schema} TO {schema}; GRANT ALL ON ALL TABLES IN SCHEMA {schema} TO {schema}");
        try
        {
            var uri = new UriBuilder(Postgres.Address) { UserName = schema, Password = "x" };
            QueueException e = await Assert.ThrowsAsync<QueueException>(() => newConnector().OpenAsync($"{uri.Uri.AbsoluteUri}/q").AsTask());
            Assert.Contains("let a program whose user owns it open it once", e.Message, StringComparison.Ordinal);
            Assert.Equal(1, await connection.ScalarAsync<int>($"SELECT version FROM {schema}.version"));
        }
        finally
        {
            await connection.RunAsync($"DROP OWNED BY {schema}; DROP ROLE {schema}");
        }
    });

    [PostgresFact]
    public Task A_batch_is_one_transaction_also_when_it_is_large_and_all_or_none() => WithSchemaAsync(async (connection, schema, newConnector) =>
    {
        await using QueueClient queue = await newConnector().OpenAsync($"{Postgres.Address}/q");
        await queue.SendBatchAsync([.. Enumerable.Range(0, 300).Select(_ => new QueueMessage())]);
        Assert.Equal(1, await connection.ScalarAsync<long>($"SELECT count(DISTINCT xmin::text) FROM {schema}.message"));
        Assert.Equal(300, await queue.PurgeAsync());
        // More than one statement takes.
        byte[] body = new byte[1 << 20];
        await queue.SendBatchAsync([.. Enumerable.Range(0, 40).Select(i => new QueueMessage(new MessageBody(body)) { Label = $"{i}" })]);
        Assert.Equal(1, await connection.ScalarAsync<long>($"SELECT count(DISTINCT xmin::text) FROM {schema}.message"));
        Assert.Equal(Enumerable.Range(0, 40).Select(i => $"{i}"), (await queue.PeekAsync()).Select(message => message.Label));
        await queue.PurgeAsync();

        await connection.RunAsync(
            $"CREATE FUNCTION {schema}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.label = 'bad' THEN RAISE 'refused'; END IF; RETURN NEW; END $$; "
            + $"CREATE TRIGGER refuse BEFORE INSERT ON {schema}.recoverable_message FOR EACH ROW EXECUTE FUNCTION {schema}.refuse()");
        QueueException e = await Assert.ThrowsAsync<QueueException>(
            () => queue.SendBatchAsync([.. Enumerable.Range(0, 40).Select(i => new QueueMessage(new MessageBody(body)) { Label = i == 39 ? "bad" : "good" })]).AsTask());
        Assert.Contains("refused", e.Message, StringComparison.Ordinal);
        Assert.False(e is QueueBatchException);
        Assert.Equal(0, await connection.ScalarAsync<long>($"SELECT count(*) FROM {schema}.message"));
    });

    /// <summary>Whatever the server's reason: here a trigger. Sends that share a statement with the refused one are sent, in their order.</summary>
    [PostgresFact]
    public Task A_send_that_the_server_refuses_fails_alone() => WithSchemaAsync(async (connection, schema, newConnector) =>
    {
        QueueConnector connector = newConnector();
        await using QueueClient queue = await connector.OpenAsync($"{Postgres.Address}/q");
        await using QueueClient limited = await connector.OpenAsync($"{Postgres.Address}/limited", new QueueOptions { MaxMessageCount = 1_000, DuplicateWindow = TimeSpan.FromHours(1) });
        await using MessageTopic topic = await connector.OpenTopicAsync($"{Postgres.Address}/topic");
        await using QueueClient subscription = await topic.SubscribeAsync();
        await connection.RunAsync(
            $"CREATE FUNCTION {schema}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.label = 'bad' THEN RAISE 'refused'; END IF; RETURN NEW; END $$; "
            + $"CREATE TRIGGER refuse BEFORE INSERT ON {schema}.recoverable_message FOR EACH ROW EXECUTE FUNCTION {schema}.refuse()");
        (Func<QueueMessage, ValueTask> SendAsync, QueueClient Receiver)[] ways =
        [
            (message => queue.SendAsync(message), queue), (message => limited.SendAsync(message), limited), (message => topic.SendAsync(message), subscription),
        ];
        foreach ((Func<QueueMessage, ValueTask> sendAsync, QueueClient receiver) in ways)
        {
            Task[] sends = [.. Enumerable.Range(0, 100).Select(i => sendAsync(new QueueMessage { MessageId = $"{i}", Label = i % 33 == 5 ? "bad" : "good" }).AsTask())];
            await Task.WhenAll(sends).ContinueWith(static _ => { }, TaskScheduler.Default);
            for (int i = 0; i < sends.Length; i++)
            {
                Assert.Equal(i % 33 == 5, sends[i].IsFaulted);
                if (sends[i].Exception?.InnerException is { } error)
                    Assert.Contains("refused", Assert.IsType<QueueException>(error).Message, StringComparison.Ordinal);
            }

            IReadOnlyList<ReceivedMessage> received = await receiver.ReceiveBatchAsync(1_000, Soon);
            Assert.Equal(Enumerable.Range(0, 100).Where(i => i % 33 != 5).Select(i => $"{i}"), received.Select(message => message.MessageId));
        }

        // A batch of one call is all or none.
        await Assert.ThrowsAsync<QueueException>(() => queue.SendBatchAsync([new QueueMessage(), new QueueMessage { Label = "bad" }]).AsTask());
        Assert.Equal(0, await queue.GetMessageCountAsync());
    });

    [PostgresFact]
    public Task A_batch_is_received_and_acknowledged_in_one_statement_each() => WithSchemaAsync(async (connection, schema, newConnector) =>
    {
        await using QueueClient queue = await newConnector().OpenAsync($"{Postgres.Address}/q", new QueueOptions { PrefetchCount = 1 });
        await queue.SendBatchAsync([.. Enumerable.Range(0, 100).Select(_ => new QueueMessage())]);
        IReadOnlyList<ReceivedMessage> batch = await queue.ReceiveBatchAsync(100, Soon);

        Assert.Equal(100, batch.Count);
        Assert.Equal("100 1", await connection.ScalarAsync<string>($"SELECT count(*) || ' ' || count(DISTINCT xmin::text) FROM {schema}.message WHERE locked_by IS NOT NULL"));
        // A trigger of the statement counts how many take the rows out.
        await connection.RunAsync(
            $"CREATE TABLE {schema}.seen (n int); CREATE FUNCTION {schema}.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO {schema}.seen VALUES (1); RETURN NULL; END $$; "
            + $"CREATE TRIGGER note AFTER DELETE ON {schema}.message FOR EACH STATEMENT EXECUTE FUNCTION {schema}.note()");
        await queue.AcknowledgeBatchAsync(batch);
        Assert.Equal((0, 1), (await connection.ScalarAsync<long>($"SELECT count(*) FROM {schema}.message"), await connection.ScalarAsync<long>($"SELECT count(*) FROM {schema}.seen")));
    });

    [PostgresFact]
    public Task A_message_for_later_comes_when_it_is_due_to_a_receiver_that_waits() => WithSchemaAsync(async (_, _, newConnector) =>
    {
        await using QueueClient queue = await newConnector().OpenAsync($"{Postgres.Address}/q");
        await using QueueClient other = await newConnector().OpenAsync($"{Postgres.Address}/q");
        // Not with the next look: on a busy machine, in one of a few tries.
        double late = double.MaxValue;
        for (int i = 0; i < 5 && late > 650; i++)
        {
            // The receiver has waited so long that it looks once a second.
            ValueTask<ReceivedMessage?> receive = queue.ReceiveAsync(Soon);
            await Task.Delay(2500);
            DateTimeOffset due = DateTimeOffset.UtcNow.AddMilliseconds(1300);
            await other.SendAsync(new QueueMessage { DueTime = due });
            ReceivedMessage message = (await receive)!;
            late = (DateTimeOffset.UtcNow - due).TotalMilliseconds;
            Assert.True(late >= 0, "Too early.");
            await message.AcknowledgeAsync();
        }

        Assert.InRange(late, 0, 650);
    });

    [PostgresFact]
    public Task One_of_many_that_send_an_id_at_once_is_taken() => WithSchemaAsync(async (connection, schema, newConnector) =>
    {
        QueueConnector connector = newConnector();
        QueueClient[] queues = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => connector.OpenAsync($"{Postgres.Address}/q", Window).AsTask()));
        int taken = 0;
        // Batches in opposite orders would wait for each other for ever.
        await Task.WhenAll(queues.SelectMany((queue, i) => Enumerable.Range(0, 20).Select(round => Task.Run(async () =>
        {
            var messages = new List<QueueMessage> { new() { MessageId = $"a{round}" }, new() { MessageId = $"b{round}" } };
            if (i % 2 == 0)
                messages.Reverse();
            try
            {
                await queue.SendBatchAsync(messages);
                System.Threading.Interlocked.Increment(ref taken);
            }
            catch (DuplicateMessageException e)
            {
                Assert.Equal([$"a{round}", $"b{round}"], e.MessageIds.Order());
            }
        }))));

        Assert.Equal((20, 40), (taken, await connection.ScalarAsync<long>($"SELECT count(*) FROM {schema}.message")));
        foreach (QueueClient queue in queues)
            await queue.DisposeAsync();
    });

    [PostgresFact]
    public Task Ids_are_noted_in_their_order_whatever_that_of_the_batch() => WithSchemaAsync(async (connection, schema, newConnector) =>
    {
        await using QueueClient queue = await newConnector().OpenAsync($"{Postgres.Address}/q", Window);
        string note = $"INSERT INTO {schema}.sent_id SELECT id, '{{0}}', statement_timestamp(), statement_timestamp() + interval '1 hour' FROM {schema}.queue WHERE name = 'q'";
        await connection.RunAsync("BEGIN; " + string.Format(System.Globalization.CultureInfo.InvariantCulture, note, "a"));
        Task send = queue.SendBatchAsync([new QueueMessage { MessageId = "b" }, new QueueMessage { MessageId = "a" }]).AsTask();
        await using (NpgsqlConnection watch = await Postgres.ConnectAsync(Postgres.Address))
        {
            while (await watch.ScalarAsync<long>($"SELECT count(*) FROM pg_locks l JOIN pg_stat_activity s USING (pid) WHERE NOT l.granted AND s.query LIKE '%{schema}%'") == 0)
            {
                Assert.False(send.IsCompleted, "The send did not wait for the id.");
                await Task.Delay(10);
            }
        }

        // The sender waits for the first of them, and holds no other.
        await connection.RunAsync("SET LOCAL lock_timeout = '500ms'; " + string.Format(System.Globalization.CultureInfo.InvariantCulture, note, "b") + "; COMMIT");
        Assert.Equal(["a", "b"], (await Assert.ThrowsAsync<DuplicateMessageException>(() => send)).MessageIds.Order());
    });

    [PostgresFact]
    public Task A_message_for_later_has_no_age_before() => WithSchemaAsync(async (_, _, newConnector) =>
    {
        QueueConnector connector = newConnector();
        await using QueueClient queue = await connector.OpenAsync($"{Postgres.Address}/q");
        await queue.SendAsync(new QueueMessage { DueTime = DateTimeOffset.UtcNow.AddHours(1) });

        QueueStatus status = Assert.Single(await connector.ListAsync($"{Postgres.Address}/q"));

        Assert.Equal((1L, 0L, null, null), (status.MessageCount, status.LockedCount, status.OldestAge, status.OldestSentTime));
    });

    [PostgresFact]
    public Task An_id_is_free_again_when_its_transaction_is_rolled_back_or_its_send_refused() => WithSchemaAsync(async (connection, schema, newConnector) =>
    {
        QueueConnector connector = newConnector();
        await using QueueClient queue = await connector.OpenAsync($"{Postgres.Address}/q", Window with { DeliveryMode = DeliveryMode.Transactional });
        await using (NpgsqlTransaction application = await connection.BeginTransactionAsync())
        {
            await using QueueTransaction joined = queue.UseTransaction(application);
            await queue.SendAsync(new QueueMessage { MessageId = "a" }, joined);
            await Assert.ThrowsAsync<DuplicateMessageException>(() => queue.SendAsync(new QueueMessage { MessageId = "a" }, joined).AsTask());
            await joined.RollbackAsync();
        }

        await using (QueueTransaction own = await queue.BeginTransactionAsync())
        {
            await queue.SendAsync(new QueueMessage { MessageId = "a" }, own);
            await own.CommitAsync();
        }

        await using (QueueTransaction again = await queue.BeginTransactionAsync())
        {
            await queue.SendBatchAsync([new QueueMessage { MessageId = "x" }, new QueueMessage { MessageId = "a" }], again);
            await Assert.ThrowsAsync<DuplicateMessageException>(() => again.CommitAsync().AsTask());
        }

        await using QueueClient limited = await connector.OpenAsync($"{Postgres.Address}/q", Window with { MaxMessageCount = 1 });
        Assert.Contains("is full", (await Assert.ThrowsAsync<QueueException>(() => limited.SendAsync(new QueueMessage { MessageId = "x" }).AsTask())).Message, StringComparison.Ordinal);
        await limited.PurgeAsync();
        await limited.SendAsync(new QueueMessage { MessageId = "x" });
        Assert.Equal("a x", await connection.ScalarAsync<string>($"SELECT string_agg(message_id, ' ' ORDER BY message_id) FROM {schema}.sent_id"));
    });

    [PostgresFact]
    public Task Ids_are_forgotten_after_their_window() => WithSchemaAsync(async (connection, schema, newConnector) =>
    {
        await using QueueClient queue = await newConnector().OpenAsync($"{Postgres.Address}/q", new QueueOptions { DuplicateWindow = TimeSpan.FromMilliseconds(200) });
        for (int i = 0; i < 3; i++)
        {
            await queue.SendBatchAsync([.. Enumerable.Range(0, 10).Select(n => new QueueMessage { MessageId = $"{i}-{n}" })]);
            await Task.Delay(300);
        }

        await queue.SendAsync(new QueueMessage { MessageId = "last" });
        Assert.Equal("last", await connection.ScalarAsync<string>($"SELECT string_agg(message_id, ' ') FROM {schema}.sent_id"));
    });

    [PostgresFact]
    public Task What_a_handle_has_fetched_ahead_it_shows_as_free_and_finds_by_its_id() => WithSchemaAsync(async (_, _, newConnector) =>
    {
        QueueConnector connector = newConnector();
        await using QueueClient queue = await connector.OpenAsync($"{Postgres.Address}/q");
        await queue.SendBatchAsync([.. Enumerable.Range(0, 10).Select(i => new QueueMessage { MessageId = $"{i}", CorrelationId = $"c{i}" })]);
        Assert.Equal("0", (await queue.ReceiveAsync(Soon))!.MessageId);

        IReadOnlyList<PeekedMessage> peeked = await queue.PeekAsync();
        Assert.Equal(Enumerable.Range(0, 10).Select(i => ($"{i}", i == 0, i == 0 ? 1 : 0)), peeked.Select(message => (message.MessageId!, message.IsLocked, message.DeliveryCount)));
        Assert.Equal(9, (await queue.PeekAsync(new PeekOptions { IncludeLocked = false })).Count);
        await using (QueueClient other = await connector.OpenAsync($"{Postgres.Address}/q"))
            Assert.Equal(10, (await other.PeekAsync()).Count(message => message.IsLocked));
        Assert.Equal("7", (await queue.ReceiveByIdAsync("7", TimeSpan.Zero))!.MessageId);
        Assert.Equal("5", (await queue.ReceiveByCorrelationIdAsync("c5", TimeSpan.Zero))!.MessageId);
        Assert.Equal(["1", "2", "3", "4", "6", "8", "9"], (await queue.ReceiveBatchAsync(10, Soon)).Select(message => message.MessageId));
    });

    /// <summary>Runs a test over a schema of its own.</summary>
    private static async Task WithSchemaAsync(Func<NpgsqlConnection, string, Func<QueueConnector>, Task> test)
    {
        string schema = $"batches_{Guid.NewGuid():N}";
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        try
        {
            await test(connection, schema, () => new QueueConnector(new PostgreSqlQueueProvider(new PostgreSqlQueueOptions { SchemaName = schema })));
        }
        finally
        {
            await connection.RunAsync($"DROP SCHEMA IF EXISTS {schema} CASCADE");
        }
    }
}
