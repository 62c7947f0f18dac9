using System;
using System.Threading.Tasks;
using Formatters.Queues.PostgreSql;
using Npgsql;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>The application's own transaction, of which the application does what it likes: commands that fail, savepoints, settings.</summary>
public sealed class JoinedTransactionTests : QueueTestBase
{
    private static readonly QueueOptions Transactional = new() { DeliveryMode = DeliveryMode.Transactional };

    protected override QueueProvider Provider { get; } = new PostgreSqlQueueProvider();

    protected override string Place => Postgres.Address + "/";

    public enum Use
    {
        Send,
        Receive,
        Both,
        Nothing,
    }

    /// <summary>PostgreSQL answers the COMMIT of such a transaction with ROLLBACK, and Npgsql says nothing.</summary>
    [PostgresTheory]
    [InlineData(Use.Send)]
    [InlineData(Use.Receive)]
    [InlineData(Use.Both)]
    [InlineData(Use.Nothing)]
    public async Task Commit_after_a_command_that_failed_and_was_caught_says_so(Use use)
    {
        QueueClient from = await OpenAsync(Transactional, "from");
        QueueClient to = await OpenAsync(Transactional, "to");
        await SendCommittedAsync(from, 1);
        await using NpgsqlConnection connection = await ConnectAsync();
        await using (NpgsqlTransaction rows = await connection.BeginTransactionAsync())
        await using (QueueTransaction messages = from.UseTransaction(rows))
        {
            if (use is Use.Receive or Use.Both)
                Assert.Equal("0", Text(await from.ReceiveAsync(Soon, messages)));
            if (use is Use.Send or Use.Both)
                await to.SendAsync(Message("lost"), messages);
            await InsertTwiceAsync(connection);

            QueueException e = await Assert.ThrowsAsync<QueueException>(() => messages.CommitAsync().AsTask());

            Assert.False(e.OutcomeUnknown);
            Assert.Contains("a command in it has failed, so PostgreSQL has aborted it", e.Message, StringComparison.Ordinal);
            if (use != Use.Nothing)
                Assert.Contains($"{(use == Use.Send ? to : from).Address}", e.Message, StringComparison.Ordinal);

            // At once, not with the end of the handle or of the transaction.
            QueueClient other = await OpenAsync(Transactional, "from");
            await using QueueTransaction again = await other.BeginTransactionAsync();
            Assert.Equal("0", Text(await other.ReceiveAsync(TimeSpan.Zero, again)));
        }

        Assert.Equal(0, await to.GetMessageCountAsync());
        Assert.Equal(0, await connection.ScalarAsync<long>("SELECT count(*) FROM inbox"));
    }

    [PostgresFact]
    public async Task Send_and_commit_after_a_command_that_failed_and_was_caught_both_say_so()
    {
        QueueClient queue = await OpenAsync(Transactional);
        await using NpgsqlConnection connection = await ConnectAsync();
        await using NpgsqlTransaction rows = await connection.BeginTransactionAsync();
        await using QueueTransaction messages = queue.UseTransaction(rows);
        await InsertTwiceAsync(connection);

        await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(Message("x"), messages).AsTask());
        await Assert.ThrowsAsync<QueueException>(() => messages.CommitAsync().AsTask());

        // The connection is as good as new.
        await using QueueTransaction next = queue.UseTransaction(await connection.BeginTransactionAsync());
        await queue.SendAsync(Message("y"), next);
        await next.CommitAsync();
        Assert.Equal(1, await queue.GetMessageCountAsync());
    }

    /// <summary>Nobody can say so then; but what was received comes again.</summary>
    [PostgresFact]
    public async Task Application_that_commits_a_failed_transaction_itself_gets_back_what_it_received()
    {
        QueueClient queue = await OpenAsync(Transactional);
        await SendCommittedAsync(queue, 1);
        await using NpgsqlConnection connection = await ConnectAsync();
        await using (NpgsqlTransaction rows = await connection.BeginTransactionAsync())
        await using (QueueTransaction messages = queue.UseTransaction(rows))
        {
            Assert.Equal("0", Text(await queue.ReceiveAsync(Soon, messages)));
            await InsertTwiceAsync(connection);
            await rows.CommitAsync();
        }

        await AssertComesAgainAsync("a", "0");
    }

    [PostgresTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Savepoint_saves_the_transaction_from_a_command_that_fails(bool commitsItself)
    {
        QueueClient from = await OpenAsync(Transactional, "from");
        QueueClient to = await OpenAsync(Transactional, "to");
        await SendCommittedAsync(from, 3);
        await using NpgsqlConnection connection = await ConnectAsync();
        await using (NpgsqlTransaction rows = await connection.BeginTransactionAsync())
        await using (QueueTransaction messages = from.UseTransaction(rows))
        {
            await rows.SaveAsync("early");
            // All that the queue has done in this transaction so far is undone.
            Assert.Equal("0", Text(await from.ReceiveAsync(Soon, messages)));
            await to.SendAsync(Message("undone"), messages);
            await rows.RollbackAsync("early");

            Assert.Equal("1", Text(await from.ReceiveAsync(Soon, messages)));
            await to.SendAsync(Message("done"), messages);
            await rows.SaveAsync("late");
            Assert.Equal("2", Text(await from.ReceiveAsync(Soon, messages)));
            await InsertTwiceAsync(connection);
            await rows.RollbackAsync("late");
            if (commitsItself)
                await rows.CommitAsync();
            else
                await messages.CommitAsync();

            // What was received behind a savepoint is not taken out. The commit gives it back, or the end of the transaction.
            if (!commitsItself)
                Assert.Equal(2, await from.GetMessageCountAsync());
        }

        Assert.Equal(1, await to.GetMessageCountAsync());
        await AssertComesAgainAsync("from", "0", "2");
        await AssertComesAgainAsync("to", "done");
    }

    /// <summary>What the connection says of commits is not what the queue has promised: the commit of what was sent or received waits for the disk.</summary>
    [PostgresTheory]
    [InlineData("off", "on", false)]
    [InlineData("off", "on", true)]
    [InlineData("local", "on", true)]
    [InlineData("remote_write", "on", true)]
    [InlineData("on", "on", true)]
    [InlineData("remote_apply", "remote_apply", true)]
    public async Task Commit_waits_for_the_disk_whatever_the_connection_says(string setting, string atCommit, bool commitsItself)
    {
        QueueClient queue = await OpenAsync(Transactional);
        await SendCommittedAsync(queue, 1);
        await using NpgsqlConnection connection = await ConnectAsync();
        // What the setting is while the transaction commits.
        string table = $"public.seen_{Guid.NewGuid():N}";
        await connection.RunAsync(
            $"""
            CREATE TABLE {table} (setting text);
            CREATE FUNCTION {table}_see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO {table} VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER see AFTER INSERT ON inbox DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION {table}_see();
            SET synchronous_commit = {setting};
            """);
        try
        {
            foreach (Use use in new[] { Use.Send, Use.Receive })
            {
                await using NpgsqlTransaction rows = await connection.BeginTransactionAsync();
                await using QueueTransaction messages = queue.UseTransaction(rows);
                if (use == Use.Send)
                {
                    // What was set behind a savepoint is forgotten with it.
                    await rows.SaveAsync("s");
                    await queue.SendAsync(Message("undone"), messages);
                    await rows.RollbackAsync("s");
                    await queue.SendAsync(Message("x"), messages);
                }
                else
                {
                    Assert.NotNull(await queue.ReceiveAsync(Soon, messages));
                }

                await connection.RunAsync($"INSERT INTO inbox VALUES ({(int)use})");
                if (commitsItself)
                {
                    await rows.CommitAsync();
                }
                else
                {
                    await connection.RunAsync($"SET LOCAL synchronous_commit = {setting}");
                    await messages.CommitAsync();
                }

                Assert.Equal(setting, await connection.ScalarAsync<string>("SHOW synchronous_commit"));
            }

            Assert.Equal($"{atCommit} {atCommit}", await connection.ScalarAsync<string>($"SELECT string_agg(setting, ' ') FROM {table}"));
        }
        finally
        {
            await connection.RunAsync($"DROP TABLE {table}; DROP FUNCTION {table}_see CASCADE");
        }
    }

    [PostgresFact]
    public async Task Dead_letter_keeps_its_properties()
    {
        QueueClient queue = await OpenAsync(Transactional with { DeadLetterQueue = AddressOf("dead")[Place.Length..] });
        QueueClient dead = await OpenAsync(new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock }, "dead");
        await using (QueueTransaction sending = await queue.BeginTransactionAsync())
        {
            var message = new QueueMessage(new MessageBody(new byte[] { 1, 2 }, BodyTypes.Binary, "a/b"))
            {
                Label = "label",
                MessageId = "id",
                CorrelationId = "cause",
                ResponseQueue = "memory:answers",
                Priority = 7,
                TimeToLive = TimeSpan.FromHours(1),
                Headers = { ["n"] = 5L },
            };
            await queue.SendAsync(message, sending);
            await sending.CommitAsync();
        }

        await using NpgsqlConnection connection = await ConnectAsync();
        DateTimeOffset? sent;
        await using (QueueTransaction messages = queue.UseTransaction(await connection.BeginTransactionAsync()))
        {
            ReceivedMessage received = (await queue.ReceiveAsync(Soon, messages))!;
            sent = received.SentTime;
            await received.DeadLetterAsync("why", "because");
            await messages.CommitAsync();
        }

        ReceivedMessage letter = (await dead.ReceiveAsync(Soon))!;
        Assert.Equal([1, 2], letter.Body.ToArray());
        Assert.Equal((BodyTypes.Binary, "a/b", 7, sent, 1), (letter.Body.BodyType, letter.Body.ContentType, letter.Priority, letter.SentTime, letter.DeliveryCount));
        Assert.Equal(("label", "id", "cause", "memory:answers"), (letter.Label, letter.MessageId, letter.CorrelationId, letter.ResponseQueue));
        Assert.Equal(("why", "because", queue.Address.QueueName), (letter.DeadLetterReason, letter.DeadLetterDescription, letter.DeadLetterSource));
        Assert.Equal(5L, Assert.Single(letter.Headers).Value);
        // A dead letter waits for somebody without end.
        Assert.Null(letter.TimeToLive);
    }

    [PostgresFact]
    public async Task Lost_connection_is_a_queue_exception_and_not_a_transaction_that_the_application_ended()
    {
        QueueClient queue = await OpenAsync(Transactional);
        await SendCommittedAsync(queue, 1);
        await using NpgsqlConnection connection = await ConnectAsync();
        await using (QueueTransaction messages = queue.UseTransaction(await connection.BeginTransactionAsync()))
        {
            Assert.Equal("0", Text(await queue.ReceiveAsync(Soon, messages)));
            await using (NpgsqlConnection other = await Postgres.ConnectAsync(Postgres.Address))
                await other.RunAsync($"SELECT pg_terminate_backend({connection.ProcessID}, 10000)");

            QueueException e = await Assert.ThrowsAsync<QueueException>(() => messages.CommitAsync().AsTask());
            Assert.Contains("lost", e.Message, StringComparison.Ordinal);
            // The commit was not sent.
            Assert.False(e.OutcomeUnknown);
        }

        await AssertComesAgainAsync("a", "0");
    }

    /// <summary>A connection with the application's table, which is the connection's own.</summary>
    private static async Task<NpgsqlConnection> ConnectAsync()
    {
        NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        await connection.RunAsync("CREATE TEMP TABLE inbox (id int PRIMARY KEY)");
        return connection;
    }

    /// <summary>The usual inbox: the second insert says that the message was processed before.</summary>
    private static async Task InsertTwiceAsync(NpgsqlConnection connection)
    {
        await connection.RunAsync("INSERT INTO inbox VALUES (1)");
        PostgresException e = await Assert.ThrowsAsync<PostgresException>(() => connection.RunAsync("INSERT INTO inbox VALUES (1)"));
        Assert.Equal(PostgresErrorCodes.UniqueViolation, e.SqlState);
    }

    private async Task AssertComesAgainAsync(string name, params string[] texts)
    {
        QueueClient queue = await OpenAsync(Transactional, name);
        await using QueueTransaction transaction = await queue.BeginTransactionAsync();
        foreach (string text in texts)
            Assert.Equal(text, Text(await queue.ReceiveAsync(TimeSpan.Zero, transaction)));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero, transaction));
    }

    private static async Task SendCommittedAsync(QueueClient queue, int count)
    {
        await using QueueTransaction transaction = await queue.BeginTransactionAsync();
        for (int i = 0; i < count; i++)
            await queue.SendAsync(Message(i), transaction);
        await transaction.CommitAsync();
    }
}
