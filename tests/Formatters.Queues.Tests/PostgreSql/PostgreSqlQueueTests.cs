using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues.PostgreSql;
using Npgsql;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What is PostgreSQL's own: the application's transaction, the schema, names, notifications, sessions that end.</summary>
public sealed class PostgreSqlQueueTests : QueueTestBase
{
    private static readonly QueueOptions Recoverable = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete };
    private static readonly QueueOptions PeekLock = Recoverable with { ReceiveMode = ReceiveMode.PeekLock };
    private static readonly QueueOptions Transactional = new() { DeliveryMode = DeliveryMode.Transactional };

    protected override QueueProvider Provider { get; } = new PostgreSqlQueueProvider();

    protected override string Place => Postgres.Address + "/";

    [Theory]
    [InlineData("postgres://host/queue")]
    [InlineData("postgres://host/")]
    [InlineData("postgres://host/database/")]
    [InlineData("postgres://host/database/schema/queue")]
    [InlineData("postgres://host/database/queue?x=1")]
    [InlineData("postgres:queue")]
    public async Task Address_OfAnotherForm_IsRefused(string address)
    {
        FormatException e = await Assert.ThrowsAsync<FormatException>(() => Connector.OpenAsync(address).AsTask());
        Assert.Contains("postgres://[user[:password]@]host[:port]/database/queue", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Nobody_listens_SaysWhereAndNoPassword()
    {
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => Connector.OpenAsync("postgres://me:secret@127.0.0.1:1/db/q").AsTask());
        Assert.Contains("'postgres://me:***@127.0.0.1:1/db/q' cannot be reached: no server listens there", e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", e.ToString(), StringComparison.Ordinal);
        Assert.Equal((false, true), (e.OutcomeUnknown, e.IsUnreachable));
    }

    [PostgresFact]
    public async Task Wrong_password_or_database_SaysSo()
    {
        var uri = new Uri(Postgres.Address);
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => Connector.OpenAsync($"postgres://postgres:wrong@{uri.Host}:{uri.Port}/postgres/q").AsTask());
        Assert.Contains("refused the user or the password", e.Message, StringComparison.Ordinal);
        e = await Assert.ThrowsAsync<QueueException>(() => Connector.OpenAsync($"{Postgres.Address}-none/q").AsTask());
        Assert.Contains("does not exist", e.Message, StringComparison.Ordinal);
    }

    /// <summary>The wall clock of the receiver's machine is set while it has a message: the server still holds its lock.</summary>
    [PostgresTheory]
    [InlineData(1)]
    [InlineData(-1)]
    public async Task Clock_that_is_set_neither_ends_nor_extends_a_lease(int hours)
    {
        var time = new ManualTime();
        await using QueueClient queue = await new QueueConnector(new PostgreSqlQueueProvider(new PostgreSqlQueueOptions { TimeProvider = time }))
            .OpenAsync($"{Postgres.Address}/lease_{Guid.NewGuid():N}", PeekLock with { LeaseDuration = TimeSpan.FromMinutes(1), DeadLetterQueue = $"dead_{Guid.NewGuid():N}" });
        Func<ReceivedMessage, ValueTask>[] verbs =
        [
            static message => message.RenewLeaseAsync(),
            static message => message.ReturnAsync(),
            static message => message.ReturnAsync(TimeSpan.FromMilliseconds(1)),
            static message => message.MoveToDeadLetterQueueAsync("no", null, default),
            static message => message.AcknowledgeAsync(),
        ];
        foreach (Func<ReceivedMessage, ValueTask> verb in verbs)
        {
            await queue.SendAsync(Message("held"));
            ReceivedMessage message = (await queue.ReceiveAsync(TimeSpan.FromSeconds(10)))!;
            DateTimeOffset start = time.GetUtcNow();
            Assert.Equal(start.AddMinutes(1), message.LeaseEnd);
            time.WallOffset += TimeSpan.FromHours(hours);
            await message.RenewLeaseAsync();
            Assert.Equal(start.AddMinutes(1).AddHours(hours), message.LeaseEnd);
            time.WallOffset += TimeSpan.FromHours(hours);
            await verb(message);
            await queue.PurgeAsync();

            await queue.SendAsync(Message("lost"));
            message = (await queue.ReceiveAsync(TimeSpan.FromSeconds(10)))!;
            time.Advance(TimeSpan.FromMinutes(1));
            await Assert.ThrowsAsync<QueueException>(() => verb(message).AsTask());
            await queue.PurgeAsync();
        }
    }

    /// <summary>As a role has them that its administrator has set so.</summary>
    [PostgresTheory]
    [InlineData("serializable")]
    [InlineData("repeatable read")]
    public async Task A_role_of_another_isolation_level_receives_as_others_do(string level)
    {
        string role = $"role_{Guid.NewGuid():N}", schema = $"schema_{Guid.NewGuid():N}";
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        await connection.RunAsync($"CREATE ROLE {role} LOGIN SUPERUSER PASSWORD 'x'; ALTER ROLE {role} SET default_transaction_isolation = '{level}'");
        try
        {
            var uri = new UriBuilder(Postgres.Address) { UserName = role, Password = "x" };
            var connector = new QueueConnector(new PostgreSqlQueueProvider(new PostgreSqlQueueOptions { SchemaName = schema }));
            string address = $"{uri.Uri.AbsoluteUri.TrimEnd('/')}/q";
            QueueClient[] receivers = await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => connector.OpenAsync(address, Recoverable).AsTask()));
            Task sending = Task.Run(async () =>
            {
                for (int i = 0; i < 200; i++)
                    await receivers[i % 4].SendAsync(Message(i));
            });
            string?[][] received = await Task.WhenAll(receivers.Select(receiver => Task.Run(async () =>
            {
                var texts = new List<string?>();
                while (await receiver.ReceiveAsync(TimeSpan.FromSeconds(sending.IsCompleted ? 0 : 1)) is { } message)
                    texts.Add(Text(message));
                return texts.ToArray();
            })));
            await sending;
            List<string?> all = [.. received.SelectMany(texts => texts)];
            while (await receivers[0].ReceiveAsync(TimeSpan.Zero) is { } rest)
                all.Add(Text(rest));
            Assert.Equal(Enumerable.Range(0, 200).Select(i => $"{i}").Order(), all.Order());
            foreach (QueueClient receiver in receivers)
                await receiver.DisposeAsync();
        }
        finally
        {
            await connection.RunAsync($"DROP SCHEMA IF EXISTS {schema} CASCADE; DROP OWNED BY {role}; DROP ROLE {role}");
        }
    }

    /// <summary>Statements of an idle receiver: each look is a handful of them, and looks become rare.</summary>
    [PostgresFact]
    public async Task An_idle_receiver_looks_ever_less_often()
    {
        string schema = $"schema_{Guid.NewGuid():N}";
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        try
        {
            var connector = new QueueConnector(new PostgreSqlQueueProvider(new PostgreSqlQueueOptions { SchemaName = schema }));
            await using QueueClient queue = await connector.OpenAsync($"{Postgres.Address}/q", PeekLock);
            Task<ReceivedMessage?> receive = queue.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();
            // 1, 2, 4 ... ms: twelve looks within 4 s, and then one in 5 s, of several statements each; looks that did not become rare would be hundreds.
            await Task.Delay(TimeSpan.FromSeconds(4.5));
            // Its session holds an advisory lock of the schema's class.
            long schemaId = await connection.ScalarAsync<long>($"SELECT oid::bigint FROM pg_namespace WHERE nspname = '{schema}'");
            int session = await connection.ScalarAsync<int>($"SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND classid = {0x464D_5451 ^ schemaId}");
            Assert.InRange(await CountLooksAsync(session), 1, 12);

            // What is sent to another queue, at which somebody waits, too, is no reason to look.
            await using QueueClient other = await connector.OpenAsync($"{Postgres.Address}/other", PeekLock);
            Task<int> counting = CountLooksAsync(session);
            for (int i = 0; !counting.IsCompleted; i++)
            {
                Task<ReceivedMessage?> waiting = other.ReceiveAsync(Soon).AsTask();
                await Task.Delay(100);
                await other.SendAsync(Message(i));
                await (await waiting)!.AcknowledgeAsync();
            }

            Assert.InRange(await counting, 1, 12);
            await queue.SendAsync(Message("x"));
            Assert.Equal("x", Text(await receive.WaitAsync(Soon)));
        }
        finally
        {
            await connection.RunAsync($"DROP SCHEMA IF EXISTS {schema} CASCADE");
        }

        // In 10 s. Every look begins statements, and the last of them is seen.
        async Task<int> CountLooksAsync(int session)
        {
            var seen = new HashSet<DateTime>();
            var clock = Stopwatch.StartNew();
            while (clock.Elapsed < TimeSpan.FromSeconds(10))
            {
                seen.Add(await connection.ScalarAsync<DateTime>($"SELECT query_start FROM pg_stat_activity WHERE pid = {session}"));
                await Task.Delay(50);
            }

            return seen.Count;
        }
    }

    [PostgresFact]
    public async Task Receive_and_delete_takes_out_of_the_table_only_what_it_hands_out()
    {
        QueueClient queue = await OpenAsync(Recoverable with { ReceiveMode = ReceiveMode.ReceiveAndDelete });
        QueueClient other = await OpenAsync(Recoverable);
        await Task.WhenAll(Enumerable.Range(0, 50).Select(i => queue.SendAsync(Message(i)).AsTask()));

        // A receiver that is killed now has lost what it has in its hand, and no more: the rest is in the table.
        for (int i = 0; i < 3; i++)
        {
            Assert.NotNull(await queue.ReceiveAsync(Soon));
            Assert.Equal(49 - i, await other.GetMessageCountAsync());
        }

        Task<ReceivedMessage?>[] receives = [.. Enumerable.Range(0, 20).Select(_ => queue.ReceiveAsync(Soon).AsTask())];
        Assert.All(await Task.WhenAll(receives), Assert.NotNull);
        Assert.Equal(27, await other.GetMessageCountAsync());
    }

    [PostgresFact]
    public async Task Receive_and_delete_that_is_cancelled_loses_nothing()
    {
        QueueOptions deleting = Recoverable with { ReceiveMode = ReceiveMode.ReceiveAndDelete };
        QueueClient sender = await OpenAsync(Recoverable);
        int handedOut = 0;
        for (int round = 0; round < 60; round++)
        {
            // Limits on deliveries make it lock first and delete then.
            QueueClient queue = await OpenAsync(round % 2 == 0 ? deleting : deleting with { MaxDeliveryCount = 3, DeadLetterQueue = AddressOf("dead")[Place.Length..] });
            using var stop = new CancellationTokenSource();
            Task<ReceivedMessage?>[] receives = [.. Enumerable.Range(0, 5).Select(_ => queue.ReceiveAsync(Soon, null, stop.Token).AsTask())];
            await Task.WhenAll(Enumerable.Range(0, 3).Select(i => sender.SendAsync(Message(i)).AsTask()));
            await Task.Delay(round % 4);
            Task closing = round % 3 == 0 ? queue.DisposeAsync().AsTask() : stop.CancelAsync();
            foreach (Task<ReceivedMessage?> receive in receives)
            {
                await ((Task)receive).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                handedOut += receive.IsCompletedSuccessfully && receive.Result is not null ? 1 : 0;
            }

            await closing;
            // Nobody has closed the handle: what it has taken out and holds would be lost if its process were killed now.
            Assert.Equal((3 * (round + 1)) - handedOut, await sender.GetMessageCountAsync());
        }
    }

    [PostgresFact]
    public async Task Row_and_message_commit_together()
    {
        QueueClient queue = await OpenAsync(Transactional);
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        await connection.RunAsync("CREATE TEMP TABLE sale (id int)");
        foreach (bool commits in new[] { false, true })
        {
            await using NpgsqlTransaction sale = await connection.BeginTransactionAsync();
            await using QueueTransaction messages = queue.UseTransaction(sale);
            await connection.RunAsync("INSERT INTO sale VALUES (1)");
            await queue.SendAsync(Message("sold"), messages);
            Assert.Equal(0, await queue.GetMessageCountAsync());
            if (commits)
                await sale.CommitAsync();
            else
                await sale.RollbackAsync();

            Assert.Equal(commits ? 1 : 0, await connection.ScalarAsync<long>("SELECT count(*) FROM sale"));
            Assert.Equal(commits ? 1 : 0, await queue.GetMessageCountAsync());

            // Npgsql has one object for both: the first one's messages have nothing to do with the second.
            await using NpgsqlTransaction next = await connection.BeginTransactionAsync();
            await connection.RunAsync("INSERT INTO sale VALUES (2)");
            await messages.DisposeAsync();
            await next.CommitAsync();
            Assert.Equal(1, await connection.ScalarAsync<long>("DELETE FROM sale WHERE id = 2 RETURNING 1::bigint"));
        }
    }

    [PostgresFact]
    public async Task Row_and_receive_commit_together()
    {
        QueueClient queue = await OpenAsync(Transactional with { DeadLetterQueue = AddressOf("dead")[Place.Length..] });
        QueueClient dead = await OpenAsync(Recoverable, "dead");
        await SendCommittedAsync(queue, 4);
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        await using (NpgsqlTransaction undone = await connection.BeginTransactionAsync())
        await using (QueueTransaction messages = queue.UseTransaction(undone))
        {
            Assert.Equal(["0", "1"], await ReceiveAllAsync(queue, 2, messages));
            Assert.Equal(2, await queue.GetMessageCountAsync());
            await undone.RollbackAsync();
        }

        await using (NpgsqlTransaction done = await connection.BeginTransactionAsync())
        await using (QueueTransaction messages = queue.UseTransaction(done))
        {
            ReceivedMessage zero = (await queue.ReceiveAsync(Soon, messages))!;
            Assert.Equal(("0", 2), (Text(zero), zero.DeliveryCount));
            await (await queue.ReceiveAsync(Soon, messages))!.DeadLetterAsync("bad", "very");
            await messages.CommitAsync();
        }

        await using (QueueTransaction messages = queue.UseTransaction(await connection.BeginTransactionAsync()))
            Assert.Equal("2", Text(await queue.ReceiveAsync(Soon, messages)));
        await using (QueueTransaction rest = await queue.BeginTransactionAsync())
            Assert.Equal(["2", "3"], await ReceiveAllAsync(queue, 2, rest));
        ReceivedMessage letter = (await dead.ReceiveAsync(Soon))!;
        Assert.Equal(("1", "bad", "very", 1), (Text(letter), letter.DeadLetterReason, letter.DeadLetterDescription, letter.DeliveryCount));
    }

    [PostgresFact]
    public async Task Transaction_of_another_database_is_refused()
    {
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        string name = "formatters_" + Guid.NewGuid().ToString("N");
        await connection.RunAsync($"CREATE DATABASE {name}");
        try
        {
            string other = Postgres.Address[..(Postgres.Address.LastIndexOf('/') + 1)] + name;
            await (await Connector.OpenAsync(other + "/a", Transactional)).DisposeAsync();
            QueueClient queue = await OpenAsync(Transactional);
            await using NpgsqlConnection elsewhere = await Postgres.ConnectAsync(Postgres.Address, name);
            await using NpgsqlTransaction transaction = await elsewhere.BeginTransactionAsync();
            await using QueueTransaction messages = queue.UseTransaction(transaction);

            ArgumentException e = await Assert.ThrowsAsync<ArgumentException>(() => queue.SendAsync(Message("x"), messages).AsTask());
            Assert.Contains("another database", e.Message, StringComparison.Ordinal);
        }
        finally
        {
            await connection.RunAsync($"DROP DATABASE {name} WITH (FORCE)");
        }
    }

    [PostgresFact]
    public async Task UseTransaction_OfWhatHasNone_IsRefused()
    {
        QueueClient express = await OpenAsync(QueueOptions.Fastest);
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        await using NpgsqlTransaction transaction = await connection.BeginTransactionAsync();
        Assert.Throws<NotSupportedException>(() => express.UseTransaction(transaction));
        QueueClient memory = await new QueueConnector(new MemoryQueueProvider()).OpenAsync("memory:a", Transactional);
        Assert.Throws<ArgumentException>(() => memory.UseTransaction(transaction));
    }

    [PostgresFact]
    public async Task Express_is_unlogged_and_recoverable_is_logged()
    {
        QueueClient express = await OpenAsync(QueueOptions.Fastest);
        QueueClient recoverable = await OpenAsync(Recoverable);
        await express.SendAsync(Message("e"));
        await recoverable.SendAsync(Message("r"));
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);

        Assert.Equal("express_message:u recoverable_message:p", await connection.ScalarAsync<string>(
            $"""
            SELECT string_agg(relname || ':' || relpersistence::text, ' ' ORDER BY relname) FROM pg_class WHERE oid IN (
            SELECT m.tableoid FROM formatters_queues.message m JOIN formatters_queues.queue q ON q.id = m.queue_id WHERE q.name = '{express.Address.QueueName}')
            """));
        Assert.Equal(["e", "r"], await ReceiveAllAsync(express, 2));
        Assert.StartsWith("PostgreSQL 1", express.Capabilities.Product, StringComparison.Ordinal);
    }

    [PostgresFact]
    public async Task Names_are_never_read_as_SQL()
    {
        string schema = $"x\"; DROP SCHEMA 'y{Guid.NewGuid():N}";
        var connector = new QueueConnector(new PostgreSqlQueueProvider(new PostgreSqlQueueOptions { SchemaName = schema }));
        string address = $"{Postgres.Address}/{Uri.EscapeDataString("o'r\"d$1e/rs; --")}";
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        try
        {
            await using (QueueClient queue = await connector.OpenAsync(address, PeekLock with { Selector = "\"it's\" = 'a''b$1'" }))
            {
                Assert.Equal("o'r\"d$1e/rs; --", queue.Address.QueueName);
                await queue.SendAsync(new QueueMessage { Label = "'", Headers = { ["it's"] = "a'b$1" } });
                await queue.SendAsync(new QueueMessage { Label = "not this" });
                Task<ReceivedMessage?> waiting = queue.ReceiveAsync(Soon).AsTask();
                Assert.Equal("'", (await waiting)!.Label);
            }

            Assert.Equal(1, await connector.DeleteAsync(address));
        }
        finally
        {
            await connection.RunAsync($"DROP SCHEMA {new NpgsqlCommandBuilder().QuoteIdentifier(schema)} CASCADE");
        }
    }

    [PostgresFact]
    public async Task Schema_is_made_once_by_many_and_a_newer_one_is_refused()
    {
        string schema = "formatters_tests_" + Guid.NewGuid().ToString("N");
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        try
        {
            await Task.WhenAll(Enumerable.Range(0, 8).Select(i => Task.Run(async () => await (await NewConnector().OpenAsync($"{Postgres.Address}/q{i % 2}")).DisposeAsync())));
            Assert.Equal(2, await connection.ScalarAsync<long>($"SELECT count(*) FROM {schema}.queue"));
            Assert.Equal(1, await connection.ScalarAsync<long>($"SELECT count(*) FROM {schema}.version"));
            await connection.RunAsync($"UPDATE {schema}.version SET version = 99");

            QueueException e = await Assert.ThrowsAsync<QueueException>(() => NewConnector().OpenAsync($"{Postgres.Address}/q").AsTask());
            Assert.Contains("has version 99; this library knows version 3. It was created by a newer one", e.Message, StringComparison.Ordinal);
        }
        finally
        {
            await connection.RunAsync($"DROP SCHEMA {schema} CASCADE");
        }

        QueueConnector NewConnector() => new(new PostgreSqlQueueProvider(new PostgreSqlQueueOptions { SchemaName = schema }));
    }

    [PostgresFact]
    public async Task Headers_of_every_type_come_back_as_they_were()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Fastest);
        object[] values =
        [
            int.MinValue, int.MaxValue, 0, 0L, 5L, (long)int.MaxValue, long.MinValue, 0.0, -0.0, 3.0, 1e20, 1e300, 5e-324, double.MaxValue, double.NaN, double.PositiveInfinity, 0.1, true, false, "", "1", "true",
            "{\"bytes\":\"\"}", "ü\n\"\\", Array.Empty<byte>(), new byte[] { 0, 255 },
        ];
        var message = new QueueMessage();
        for (int i = 0; i < values.Length; i++)
            message.Headers[$"h{i}"] = values[i];
        await queue.SendAsync(message);
        await queue.SendAsync(new QueueMessage { Headers = { ["a"] = 1L, ["A"] = 2 } });

        ReceivedMessage received = (await queue.ReceiveAsync(Soon))!;
        for (int i = 0; i < values.Length; i++)
        {
            Assert.Equal(values[i].GetType(), received.Headers[$"h{i}"].GetType());
            Assert.Equal(values[i], received.Headers[$"h{i}"]);
        }

        Assert.True(double.IsNegative((double)received.Headers["h8"]));
        received = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal((1L, 2), ((long)received.Headers["a"], (int)received.Headers["A"]));
        foreach (object bad in new object[] { 1m, DateTime.UnixEpoch, "a\0b" })
            await Assert.ThrowsAsync<ArgumentException>(async () => await queue.SendAsync(new QueueMessage { Headers = { ["x"] = bad } }));
        await Assert.ThrowsAsync<ArgumentException>(async () => await queue.SendAsync(new QueueMessage { Label = "a\0b" }));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
    }

    [PostgresFact]
    public async Task Sends_started_together_share_transactions()
    {
        // A schema of its own: its table is locked, so that the first send is under way until all are started.
        string schema = $"together_{Guid.NewGuid():N}";
        var connector = new QueueConnector(new PostgreSqlQueueProvider(new PostgreSqlQueueOptions { SchemaName = schema }));
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        try
        {
            await using QueueClient queue = await connector.OpenAsync(AddressOf("a"), Recoverable);
            Task sends;
            await using (NpgsqlTransaction locking = await connection.BeginTransactionAsync())
            {
                await connection.RunAsync($"LOCK TABLE {schema}.recoverable_message IN EXCLUSIVE MODE");
                sends = Task.WhenAll(Enumerable.Range(0, 1000).Select(i => queue.SendAsync(Message(i)).AsTask()));
                await locking.CommitAsync();
            }

            await sends;

            // The first, and all the others.
            Assert.Equal("1 999", await connection.ScalarAsync<string>($"SELECT string_agg(n::text, ' ' ORDER BY n) FROM (SELECT count(*) AS n FROM {schema}.message GROUP BY xmin::text) AS t"));
            Assert.Equal(Enumerable.Range(0, 1000).Select(i => $"{i}"), await ReceiveAllAsync(queue, 1000));
        }
        finally
        {
            await connection.RunAsync($"DROP SCHEMA IF EXISTS {schema} CASCADE");
        }
    }

    [PostgresFact]
    public async Task Receivers_that_wait_are_told_and_others_cost_no_notification()
    {
        QueueClient queue = await OpenAsync(Recoverable);
        int queueId = await QueueIdAsync(queue);
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        var heard = new List<string>();
        connection.Notification += (_, e) => heard.Add(e.Payload);
        await connection.RunAsync("LISTEN formatters_queues");
        await queue.SendAsync(Message("nobody waits"));
        await connection.RunAsync("SELECT 1");
        Assert.DoesNotContain($"{queueId}", heard);

        Assert.NotNull(await queue.ReceiveAsync(Soon));
        Task<ReceivedMessage?> waiting = queue.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();
        while (await connection.ScalarAsync<long>($"SELECT count(*) FROM formatters_queues.waiter WHERE queue_id = {queueId}") == 0)
            await Task.Delay(1);
        await queue.SendAsync(Message("x"));
        Assert.Equal("x", Text(await waiting));
        while (!heard.Contains($"{queueId}"))
            await connection.RunAsync("SELECT 1");
    }

    [PostgresFact]
    public async Task What_a_session_that_was_ended_had_locked_comes_again()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        for (int i = 0; i < 5; i++)
            await queue.SendAsync(Message(i));
        ReceivedMessage zero = (await queue.ReceiveAsync(Soon))!;
        ReceivedMessage one = (await queue.ReceiveAsync(Soon))!;
        await zero.AcknowledgeAsync();
        QueueClient other = await OpenAsync(PeekLock);
        Assert.Null(await other.ReceiveAsync(TimeSpan.Zero));
        Task<ReceivedMessage?> waiting = other.ReceiveAsync(Soon).AsTask();

        await TerminateAsync(await SessionOfAsync(queue));

        ReceivedMessage again = (await waiting)!;
        Assert.Equal(("1", 2), (Text(again), again.DeliveryCount));
        await Assert.ThrowsAsync<QueueException>(() => one.AcknowledgeAsync().AsTask());
        await again.AcknowledgeAsync();
        for (int i = 2; i < 5; i++)
            await (await other.ReceiveAsync(Soon))!.AcknowledgeAsync();
        Assert.Equal(0, await other.GetMessageCountAsync());
    }

    [PostgresFact]
    public async Task Sender_and_receiver_connect_again_after_their_sessions_were_ended()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        Task<ReceivedMessage?> waiting = queue.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();
        await TerminateAsync(await SessionOfAsync(queue));
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => waiting);
        Assert.Contains("was lost", e.Message, StringComparison.Ordinal);
        Assert.Equal((false, true), (e.OutcomeUnknown, e.IsUnreachable));

        await queue.SendAsync(Message("x"));
        Assert.Equal("x", Text(await queue.ReceiveAsync(Soon)));
    }

    [PostgresFact]
    public async Task Transaction_whose_lock_is_gone_is_not_committed()
    {
        QueueClient queue = await OpenAsync(Transactional);
        QueueClient to = await OpenAsync(Transactional, "to");
        await SendCommittedAsync(queue, 1);
        await using QueueTransaction transaction = await queue.BeginTransactionAsync();
        Assert.NotNull(await queue.ReceiveAsync(Soon, transaction));
        await to.SendAsync(Message("moved"), transaction);
        await TerminateAsync(await SessionOfAsync(queue));
        QueueClient other = await OpenAsync(Transactional);
        await using QueueTransaction second = await other.BeginTransactionAsync();
        Assert.NotNull(await other.ReceiveAsync(Soon, second));

        QueueException e = await Assert.ThrowsAsync<QueueException>(() => transaction.CommitAsync().AsTask());
        Assert.Contains("gone", e.Message, StringComparison.Ordinal);
        Assert.False(e.OutcomeUnknown);
        Assert.Equal(0, await to.GetMessageCountAsync());
        await second.CommitAsync();
    }

    [PostgresFact]
    public async Task Temporary_subscription_ends_with_its_session()
    {
        await using MessageTopic topic = await Connector.OpenTopicAsync(AddressOf("topic"), Recoverable);
        QueueClient subscription = await topic.SubscribeAsync();
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        int queueId = await QueueIdAsync(subscription);
        await TerminateAsync(await connection.ScalarAsync<int>($"SELECT session_id FROM formatters_queues.subscription WHERE queue_id = {queueId}"));

        await using QueueClient next = await topic.SubscribeAsync();

        Assert.Equal(0, await connection.ScalarAsync<long>($"SELECT count(*) FROM formatters_queues.subscription WHERE queue_id = {queueId}"));
        await Assert.ThrowsAsync<QueueException>(() => subscription.GetMessageCountAsync().AsTask());
        await subscription.DisposeAsync();
    }

    [PostgresFact]
    public async Task Topic_sends_in_transactions_also_the_applications()
    {
        await using MessageTopic topic = await Connector.OpenTopicAsync(AddressOf("topic"), Transactional);
        await using QueueClient even = await topic.SubscribeAsync("n = 2");
        await using QueueClient all = await topic.SubscribeAsync();
        await using (QueueTransaction undone = await topic.BeginTransactionAsync())
            await topic.SendAsync(new QueueMessage { Headers = { ["n"] = 2 } }, undone);
        await using (QueueTransaction done = await topic.BeginTransactionAsync())
        {
            await topic.SendAsync(new QueueMessage { Headers = { ["n"] = 1 } }, done);
            await topic.SendAsync(new QueueMessage { Headers = { ["n"] = 2 } }, done);
            await done.CommitAsync();
        }

        Assert.Equal((1, 2), (await even.GetMessageCountAsync(), await all.GetMessageCountAsync()));
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        await using NpgsqlTransaction own = await connection.BeginTransactionAsync();
        await using (QueueTransaction joined = even.UseTransaction(own))
        {
            await topic.SendAsync(new QueueMessage { Headers = { ["n"] = 2 } }, joined);
            await own.CommitAsync();
        }

        Assert.Equal((2, 3), (await even.GetMessageCountAsync(), await all.GetMessageCountAsync()));
    }

    [PostgresFact]
    public async Task Random_selectors_select_what_the_predicate_selects()
    {
        const int Rounds = 200, Messages = 40;
        int selectedCount = 0;
        QueueClient sender = await OpenAsync(QueueOptions.Fastest);
        for (int seed = 0; seed < Rounds; seed++)
        {
            var cases = new SelectorCases(seed, mixesTypes: seed % 2 == 0);
            string selector = cases.NextSelector();
            QueueMessage[] messages = [.. Enumerable.Range(0, Messages).Select(i =>
            {
                QueueMessage message = cases.NextMessage();
                message.MessageId = $"m{i}";
                return message;
            })];
            await Task.WhenAll(messages.Select(message => sender.SendAsync(message).AsTask()));
            await using QueueClient queue = await Connector.OpenAsync(AddressOf("a"), QueueOptions.Fastest with { Selector = selector });
            var selected = new List<string>();
            while (await queue.ReceiveAsync(TimeSpan.Zero) is { } message)
                selected.Add(message.MessageId!);
            MessageSelector parsed = MessageSelector.Parse(selector);
            Assert.True(messages.Where(parsed.Matches).Select(message => message.MessageId!).SequenceEqual(selected), $"seed {seed}: {selector} selects {string.Join(", ", selected)}");
            selectedCount += selected.Count;
            await sender.PurgeAsync();
        }

        // Neither all nor none: the cases tell something.
        Assert.InRange(selectedCount, Rounds * Messages / 5, Rounds * Messages * 4 / 5);
    }

    [PostgresFact]
    public async Task Purge_and_count_see_what_a_session_that_has_ended_had_locked()
    {
        QueueClient ended = await OpenAsync(PeekLock);
        for (int i = 0; i < 30; i++)
            await ended.SendAsync(Message(i));
        // Each has one, and some fetched ahead; the others are in the queue.
        Assert.NotNull(await ended.ReceiveAsync(Soon));
        QueueClient alive = await OpenAsync(PeekLock);
        ReceivedMessage locked = (await alive.ReceiveAsync(Soon))!;
        QueueClient admin = await OpenAsync(Recoverable);
        long ready = await admin.GetMessageCountAsync();
        long ahead = await alive.GetMessageCountAsync() - ready;
        Assert.InRange(ready, 1, 28);
        Assert.InRange(ahead, 1, 28);
        Assert.Equal(28, await ended.GetMessageCountAsync() + ahead);

        await TerminateAsync(await SessionOfAsync(ended));

        // Once each, also for the one whose session it was, which has not noticed.
        Assert.Equal(29 - ahead, await admin.GetMessageCountAsync());
        Assert.Equal(29 - ahead, await ended.GetMessageCountAsync());
        Assert.Equal(29 - ahead, await admin.PurgeAsync());
        Assert.Equal(0, await admin.GetMessageCountAsync());
        Assert.Null(await admin.ReceiveAsync(TimeSpan.Zero));
        // What a receiver holds that lives is its own.
        Assert.Equal(ahead, await alive.PurgeAsync());
        await locked.AcknowledgeAsync();
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        Assert.Equal(0, await connection.ScalarAsync<long>($"SELECT count(*) FROM formatters_queues.message WHERE queue_id = {await QueueIdAsync(admin)}"));
    }

    /// <summary>A plan that was made for a table which was empty when it was vacuumed must do for one that is full.</summary>
    [PostgresTheory]
    [InlineData(ReceiveMode.PeekLock)]
    [InlineData(ReceiveMode.ReceiveAndDelete)]
    public async Task After_a_vacuum_of_an_empty_table_a_receive_reads_each_row_a_few_times(ReceiveMode mode)
    {
        string schema = $"plan_{Guid.NewGuid():N}";
        var connector = new QueueConnector(new PostgreSqlQueueProvider(new PostgreSqlQueueOptions { SchemaName = schema }));
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        try
        {
            await using QueueClient queue = await connector.OpenAsync(AddressOf("a"), Recoverable with { ReceiveMode = mode });
            await connection.RunAsync($"VACUUM {schema}.message");
            // Twice is enough for a prepared statement.
            for (int i = 0; i < 4; i++)
                Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
            await queue.SendBatchAsync([.. Enumerable.Range(0, 5_000).Select(Message)]);
            int received = (await queue.ReceiveBatchAsync(1_000, Soon)).Count;
            received += (await queue.ReceiveBatchAsync(1_000, Soon)).Count;
            Assert.InRange(received, 1_000, 2_000);

            await queue.DisposeAsync();
            // The counts come when the session has ended.
            while (await connection.ScalarAsync<long>($"SELECT n_tup_del + n_tup_upd FROM pg_stat_all_tables WHERE schemaname = '{schema}' AND relname = 'recoverable_message'") < received)
                await Task.Delay(50);
            Assert.InRange(await connection.ScalarAsync<decimal>($"SELECT sum(idx_tup_read) FROM pg_stat_all_indexes WHERE schemaname = '{schema}' AND relname LIKE '%message'"), 1, 100_000);
        }
        finally
        {
            await connection.RunAsync($"DROP SCHEMA IF EXISTS {schema} CASCADE");
        }
    }

    /// <summary>A purge that fails leaves what was fetched ahead where it was.</summary>
    [PostgresTheory]
    [InlineData(ReceiveMode.PeekLock)]
    [InlineData(ReceiveMode.ReceiveAndDelete)]
    public async Task Purge_that_is_cancelled_loses_nothing(ReceiveMode mode)
    {
        string schema = $"purge_{Guid.NewGuid():N}";
        var connector = new QueueConnector(new PostgreSqlQueueProvider(new PostgreSqlQueueOptions { SchemaName = schema }));
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        try
        {
            await using QueueClient queue = await connector.OpenAsync(AddressOf("a"), Recoverable with { ReceiveMode = mode });
            for (int i = 0; i < 5; i++)
                await queue.SendAsync(Message(i));
            Assert.Equal("0", Text(await queue.ReceiveAsync(Soon)));
            await using (NpgsqlTransaction locking = await connection.BeginTransactionAsync())
            {
                await connection.RunAsync($"LOCK TABLE {schema}.message IN EXCLUSIVE MODE");
                using var stop = new CancellationTokenSource();
                Task purge = queue.PurgeAsync(stop.Token).AsTask();
                while (await connection.ScalarAsync<long>($"SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '{schema}.message'::regclass") == 0)
                    await Task.Delay(5);
                await stop.CancelAsync();
                await Assert.ThrowsAnyAsync<OperationCanceledException>(() => purge);
                // The server has given it up.
                while (await connection.ScalarAsync<long>($"SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '{schema}.message'::regclass") > 0)
                    await Task.Delay(5);
            }

            Assert.Equal(4, await queue.GetMessageCountAsync());
            Assert.Equal(["1", "2", "3", "4"], await ReceiveAllAsync(queue, 4));
            Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        }
        finally
        {
            await connection.RunAsync($"DROP SCHEMA IF EXISTS {schema} CASCADE");
        }
    }

    [PostgresFact]
    public async Task Another_selector_drops_also_what_a_session_that_has_ended_had_locked()
    {
        await using MessageTopic topic = await Connector.OpenTopicAsync(AddressOf("topic"), PeekLock);
        try
        {
            await using (QueueClient subscriber = await topic.SubscribeDurableAsync("s"))
            {
                for (int i = 0; i < 6; i++)
                    await topic.SendAsync(new QueueMessage { Headers = { ["n"] = i % 2 } });
                Assert.NotNull(await subscriber.ReceiveAsync(Soon));
                await TerminateAsync(await SessionOfAsync(subscriber));
                for (int i = 0; i < 2; i++)
                    await topic.SendAsync(new QueueMessage { Headers = { ["n"] = i }, DueTime = DateTimeOffset.UtcNow.AddHours(1) });
                await using QueueClient next = await topic.SubscribeDurableAsync("s", "n = 1");
                Assert.Equal(4, await next.GetMessageCountAsync());
                for (int i = 0; i < 3; i++)
                    Assert.Equal(1, (await next.ReceiveAsync(Soon))!.Headers["n"]);
                Assert.Null(await next.ReceiveAsync(TimeSpan.Zero));
            }
        }
        finally
        {
            await topic.UnsubscribeAsync("s");
        }
    }

    /// <summary>A handle without a limit has returned both: they are dead letters for a handle that has one.</summary>
    [PostgresTheory]
    [InlineData(ReceiveMode.PeekLock)]
    [InlineData(ReceiveMode.ReceiveAndDelete)]
    public async Task What_was_delivered_too_often_is_a_dead_letter_and_is_not_handed_out(ReceiveMode mode)
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await queue.SendBatchAsync([new QueueMessage { MessageId = "a" }, new QueueMessage { MessageId = "b" }]);
        for (int i = 0; i < 2; i++)
        {
            ReceivedMessage[] both = [(await queue.ReceiveAsync(Soon))!, (await queue.ReceiveAsync(Soon))!];
            foreach (ReceivedMessage message in both)
                await message.ReturnAsync();
        }

        QueueClient limited = await OpenAsync(new QueueOptions { ReceiveMode = mode, MaxDeliveryCount = 2, DeadLetterQueue = NameOf("dead") });

        Assert.Null(await limited.ReceiveByIdAsync("b", TimeSpan.Zero));
        Assert.Null(await limited.ReceiveAsync(TimeSpan.Zero));
        QueueClient dead = await OpenAsync(PeekLock, "dead");
        Assert.Equal(("b", "a"), ((await dead.ReceiveAsync(Soon))!.MessageId, (await dead.ReceiveAsync(Soon))!.MessageId));
    }

    /// <summary>Somebody else has the row of the first message in hand, and for long.</summary>
    [PostgresTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Receivers_do_not_wait_for_each_other(bool isOfAnEndedSession)
    {
        QueueClient queue = await OpenAsync(PeekLock with { OperationTimeout = TimeSpan.FromSeconds(8) });
        await queue.SendAsync(Message("in another's hand"));
        if (isOfAnEndedSession)
        {
            QueueClient ended = await OpenAsync(PeekLock);
            Assert.NotNull(await ended.ReceiveAsync(Soon));
            await TerminateAsync(await SessionOfAsync(ended));
        }

        await queue.SendAsync(Message("next"));
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        await using NpgsqlTransaction other = await connection.BeginTransactionAsync();
        await connection.RunAsync($"SELECT 1 FROM formatters_queues.message WHERE queue_id = {await QueueIdAsync(queue)} ORDER BY id LIMIT 1 FOR UPDATE");

        Assert.Equal("next", Text(await queue.ReceiveAsync(TimeSpan.Zero)));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
    }

    /// <summary>The two tables of a queue are read as one.</summary>
    [PostgresFact]
    public async Task Express_and_recoverable_messages_share_an_order_beyond_a_prefetch()
    {
        QueueClient[] senders = [await OpenAsync(QueueOptions.Default with { DeliveryMode = DeliveryMode.Express }), await OpenAsync(Recoverable)];
        for (int i = 0; i < 60; i++)
            await senders[i / 3 % 2].SendAsync(Message(i));
        QueueClient receiver = await OpenAsync(PeekLock with { PrefetchCount = 7 });

        Assert.Equal(Enumerable.Range(0, 60).Select(i => $"{i}"), await ReceiveAllAsync(receiver, 60));
    }

    private static async Task SendCommittedAsync(QueueClient queue, int count)
    {
        await using QueueTransaction transaction = await queue.BeginTransactionAsync();
        for (int i = 0; i < count; i++)
            await queue.SendAsync(Message(i), transaction);
        await transaction.CommitAsync();
    }

    private static async Task<int> QueueIdAsync(QueueClient queue)
    {
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        return await connection.ScalarAsync<int>($"SELECT id FROM formatters_queues.queue WHERE name = '{queue.Address.QueueName}' AND deleted_at IS NULL");
    }

    /// <summary>The session that has locked messages of a queue, or waits for some.</summary>
    private static async Task<int> SessionOfAsync(QueueClient queue)
    {
        int queueId = await QueueIdAsync(queue);
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        while (true)
        {
            int? session = await connection.ScalarAsync<int?>(
                $"SELECT coalesce((SELECT min(locked_by) FROM formatters_queues.message WHERE queue_id = {queueId}), (SELECT min(session_id) FROM formatters_queues.waiter WHERE queue_id = {queueId}), 0)");
            if (session is > 0)
                return session.Value;
            await Task.Delay(5);
        }
    }

    private static async Task TerminateAsync(int session)
    {
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        int pid = await connection.ScalarAsync<int>(
            $"SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = {session} AND objsubid = 2 AND classid::bigint = {0x464D_5451} # 'formatters_queues'::regnamespace::oid::bigint");
        await connection.RunAsync($"SELECT pg_terminate_backend({pid}, 10000)");
    }
}
