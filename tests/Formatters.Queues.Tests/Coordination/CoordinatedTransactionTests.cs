using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues.PostgreSql;
using Npgsql;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Queues of a folder, queues of a database and the application's rows in one transaction.</summary>
public sealed class CoordinatedTransactionTests
{
    [PostgresFact]
    public async Task From_the_database_into_the_folder()
    {
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(Postgres.Address);
        QueueClient from = await both.OpenInDatabaseAsync("from");
        QueueClient to = await both.OpenInFolderAsync("to");
        await FolderAndDatabase.SendAsync(from, "x", "y");

        await using CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync();
        await to.SendAsync(new QueueMessage { Label = await FolderAndDatabase.ReceiveAsync(from, transaction) }, transaction);
        Assert.Equal(0, await to.GetMessageCountAsync());
        await transaction.CommitAsync();

        Assert.Equal(["x"], await both.PeekAsync(both.FolderQueue("to")));
        // What it has fetched ahead goes back.
        await from.DisposeAsync();
        Assert.Equal(["y"], await both.PeekAsync(both.DatabaseQueue("from")));
        Assert.Equal(0, await both.GetPreparedCountAsync());
        Assert.Equal(0, both.Coordinator.UndeliveredCount);
    }

    [PostgresFact]
    public async Task From_the_folder_into_rows_and_several_queues_of_both()
    {
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(Postgres.Address);
        QueueClient[] inFolder = [await both.OpenInFolderAsync("f1"), await both.OpenInFolderAsync("f2")];
        QueueClient[] inDatabase = [await both.OpenInDatabaseAsync("d1"), await both.OpenInDatabaseAsync("d2")];
        await FolderAndDatabase.SendAsync(inFolder[0], "x");
        await FolderAndDatabase.SendAsync(inDatabase[0], "y");
        // One message to a queue of each: also only in both.
        await using QueueClient all = await both.OpenAsync($"{both.FolderQueue("f2")},{both.DatabaseQueue("d2")}", null);
        Assert.Equal(QueueFeatures.CoordinatedTransactions, all.Capabilities.Features & (QueueFeatures.CoordinatedTransactions | QueueFeatures.Transactions));

        for (int attempt = 1; attempt <= 2; attempt++)
        {
            await using CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync();
            Assert.Equal("x", await FolderAndDatabase.ReceiveAsync(inFolder[0], transaction));
            Assert.Equal("y", await FolderAndDatabase.ReceiveAsync(inDatabase[0], transaction));
            await all.SendAsync(new QueueMessage { Label = "z" }, transaction);
            await both.InsertAsync(transaction, attempt);
            if (attempt == 1)
                await transaction.RollbackAsync();
            else
                await transaction.CommitAsync();
            Assert.Equal(attempt == 1 ? [] : [2], await both.GetRowsAsync());
            Assert.Equal(new long[] { attempt == 1 ? 1 : 0, attempt == 1 ? 0 : 1 }, await Task.WhenAll(inFolder.Select(queue => queue.GetMessageCountAsync().AsTask())));
            Assert.Equal(new long[] { attempt == 1 ? 1 : 0, attempt == 1 ? 0 : 1 }, await Task.WhenAll(inDatabase.Select(queue => queue.GetMessageCountAsync().AsTask())));
        }

        Assert.Equal(["z"], await both.PeekAsync(both.FolderQueue("f2")));
        Assert.Equal(["z"], await both.PeekAsync(both.DatabaseQueue("d2")));
    }

    [PostgresFact]
    public async Task Receiver_that_waits_in_the_database_is_woken()
    {
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(Postgres.Address);
        QueueClient to = await both.OpenInDatabaseAsync("to", new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete });
        QueueClient sends = await both.OpenInDatabaseAsync("to");
        QueueClient folder = await both.OpenInFolderAsync("f");
        foreach (bool isPrepared in new[] { true, false })
        {
            Task<ReceivedMessage?> waiting = to.ReceiveAsync(TimeSpan.FromSeconds(60)).AsTask();
            await using CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync();
            await sends.SendAsync(new QueueMessage { Label = $"{isPrepared}" }, transaction);
            if (isPrepared)
                await folder.SendAsync(new QueueMessage(), transaction);
            await Task.Delay(50);
            Assert.False(waiting.IsCompleted);
            await transaction.CommitAsync();
            Assert.Equal($"{isPrepared}", (await waiting)!.Label);
        }
    }

    [PostgresFact]
    public async Task Application_uses_its_own_connections()
    {
        var builder = new NpgsqlConnectionStringBuilder();
        await using (NpgsqlConnection probe = await Postgres.ConnectAsync(Postgres.Address))
            builder.ConnectionString = probe.ConnectionString;
        var uri = new Uri(Postgres.Address);
        builder.Password = uri.UserInfo.Split(':')[1];
        builder.ApplicationName = "the application";
        await using NpgsqlDataSource connections = NpgsqlDataSource.Create(builder);
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(Postgres.Address, connections: connections);
        QueueClient folder = await both.OpenInFolderAsync("f");
        QueueClient database = await both.OpenInDatabaseAsync("d");

        await using CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync();
        Assert.Equal("the application", await transaction.GetNpgsqlTransaction().Connection!.ScalarAsync<string>("SHOW application_name"));
        await both.InsertAsync(transaction, 1);
        await folder.SendAsync(new QueueMessage { Label = "f" }, transaction);
        await database.SendAsync(new QueueMessage { Label = "d" }, transaction);
        await transaction.CommitAsync();

        Assert.Equal([1], await both.GetRowsAsync());
        Assert.Equal(["f"], await both.PeekAsync(both.FolderQueue("f")));
        Assert.Equal(["d"], await both.PeekAsync(both.DatabaseQueue("d")));

        builder.Database = "template1";
        await using NpgsqlDataSource elsewhere = NpgsqlDataSource.Create(builder);
        await Assert.ThrowsAsync<ArgumentException>(() => new PostgreSqlQueueProvider().OpenResourceManagerAsync(Postgres.Address, elsewhere).AsTask());
    }

    [PostgresFact]
    public async Task What_only_one_side_does_needs_no_decision()
    {
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(Postgres.Address, inner => new CrashProgram.GapResourceManager(inner, gap => throw new InvalidOperationException($"{gap}")));
        QueueClient database = await both.OpenInDatabaseAsync("d");

        await using CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync();
        await database.SendAsync(new QueueMessage { Label = "d" }, transaction);
        await both.InsertAsync(transaction, 1);
        await transaction.CommitAsync();

        Assert.Equal([1], await both.GetRowsAsync());
        Assert.Equal(["d"], await both.PeekAsync(both.DatabaseQueue("d")));
    }

    /// <summary>With nothing in the folder the commit is PostgreSQL's own, which answers that of a failed transaction with ROLLBACK.</summary>
    [PostgresFact]
    public async Task Failed_command_with_an_empty_folder_rolls_back_and_says_so()
    {
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(Postgres.Address);
        QueueClient from = await both.OpenInDatabaseAsync("from");
        QueueClient to = await both.OpenInDatabaseAsync("to");
        await FolderAndDatabase.SendAsync(from, "x");

        await using (CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync())
        {
            Assert.Equal("x", await FolderAndDatabase.ReceiveAsync(from, transaction));
            await to.SendAsync(new QueueMessage { Label = "lost" }, transaction);
            await both.InsertAsync(transaction, 1);
            await Assert.ThrowsAsync<PostgresException>(() => both.InsertAsync(transaction, 1));

            QueueException e = await Assert.ThrowsAsync<QueueException>(() => transaction.CommitAsync().AsTask());
            Assert.Contains("a command in it has failed", e.Message, StringComparison.Ordinal);
            Assert.False(e.OutcomeUnknown);
            Assert.Equal(1, await from.GetMessageCountAsync());
        }

        Assert.Empty(await both.GetRowsAsync());
        Assert.Equal(0, await to.GetMessageCountAsync());
        Assert.Equal(["x"], await both.PeekAsync(both.DatabaseQueue("from")));
    }

    [PostgresTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task What_was_received_behind_a_savepoint_that_was_undone_comes_again(bool isPrepared)
    {
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(Postgres.Address);
        QueueClient from = await both.OpenInDatabaseAsync("from");
        QueueClient folder = await both.OpenInFolderAsync("f");
        await FolderAndDatabase.SendAsync(from, "x", "y");

        await using CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync();
        Assert.Equal("x", await FolderAndDatabase.ReceiveAsync(from, transaction));
        NpgsqlTransaction rows = transaction.GetNpgsqlTransaction();
        await rows.SaveAsync("s");
        Assert.Equal("y", await FolderAndDatabase.ReceiveAsync(from, transaction));
        await rows.RollbackAsync("s");
        if (isPrepared)
            await folder.SendAsync(new QueueMessage(), transaction);
        await transaction.CommitAsync();

        Assert.Equal(["y"], await both.PeekAsync(both.DatabaseQueue("from")));
    }

    public static TheoryData<string> Failures { get; } = ["rows", "deleted in folder", "ended by the application", "cancelled", "lock gone"];

    /// <summary>Whatever fails before the decision, both sides are as before, and what was received comes again.</summary>
    [PostgresTheory]
    [MemberData(nameof(Failures))]
    public async Task Failure_before_the_decision_rolls_both_back(string failure)
    {
        using var stop = new CancellationTokenSource();
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(
            Postgres.Address, failure == "cancelled" ? inner => new CrashProgram.GapResourceManager(inner, _ => stop.CancelAsync()) : null);
        QueueClient folder = await both.OpenInFolderAsync("f");
        QueueClient doomed = await both.OpenInFolderAsync("doomed");
        QueueClient database = await both.OpenInDatabaseAsync("d");
        await FolderAndDatabase.SendAsync(folder, "x");
        await FolderAndDatabase.SendAsync(database, "y");

        await using (CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync())
        {
            Assert.Equal("x", await FolderAndDatabase.ReceiveAsync(folder, transaction));
            Assert.Equal("y", await FolderAndDatabase.ReceiveAsync(database, transaction));
            await both.InsertAsync(transaction, 1);
            await doomed.SendAsync(new QueueMessage(), transaction);
            switch (failure)
            {
                case "rows":
                    await Assert.ThrowsAsync<PostgresException>(() => both.InsertAsync(transaction, 1));
                    Assert.Contains("aborted", (await CommitFailsAsync<QueueException>(transaction)).Message, StringComparison.Ordinal);
                    break;
                case "deleted in folder":
                    await new QueueConnector(both.Folders).DeleteAsync(both.FolderQueue("doomed"));
                    Assert.Contains("deleted", (await CommitFailsAsync<QueueException>(transaction)).Message, StringComparison.Ordinal);
                    break;
                case "ended by the application":
                    await transaction.GetNpgsqlTransaction().RollbackAsync();
                    await CommitFailsAsync<InvalidOperationException>(transaction);
                    break;
                case "cancelled":
                    await Assert.ThrowsAnyAsync<OperationCanceledException>(() => transaction.CommitAsync(stop.Token).AsTask());
                    break;
                case "lock gone":
                    await both.RunAsync($"SELECT pg_terminate_backend({transaction.GetNpgsqlTransaction().Connection!.ProcessID})");
                    Assert.Contains("lost", (await CommitFailsAsync<QueueException>(transaction)).Message, StringComparison.Ordinal);
                    break;
            }

            await Assert.ThrowsAsync<InvalidOperationException>(() => transaction.CommitAsync().AsTask());
        }

        await FolderAndDatabase.WhenAsync(async () => await both.GetPreparedCountAsync() == 0);
        Assert.Empty(await both.GetRowsAsync());
        Assert.Equal(["x"], await both.PeekAsync(both.FolderQueue("f")));
        await FolderAndDatabase.WhenAsync(async () => await database.GetMessageCountAsync() == 1);
        Assert.Equal(["y"], await both.PeekAsync(both.DatabaseQueue("d")));

        static async Task<T> CommitFailsAsync<T>(CoordinatedTransaction transaction)
            where T : Exception
        {
            T e = await Assert.ThrowsAsync<T>(() => transaction.CommitAsync().AsTask());
            Assert.False(e is QueueException { OutcomeUnknown: true });
            return e;
        }
    }

    /// <summary>The application's commands may be the first in the transaction: another one on its connection is not taken for it.</summary>
    [PostgresTheory]
    [InlineData("ROLLBACK", false)]
    [InlineData("COMMIT", false)]
    [InlineData("COMMIT; BEGIN", true)]
    public async Task Application_that_ends_the_transaction_before_anything_else_is_in_it(string end, bool isAsync)
    {
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(Postgres.Address);
        QueueClient folder = await both.OpenInFolderAsync("f");
        // The second is on a connection that has just answered.
        for (int attempt = 1; attempt <= 2; attempt++)
        {
            await using CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync();
            NpgsqlTransaction rows = isAsync ? await transaction.GetNpgsqlTransactionAsync() : transaction.GetNpgsqlTransaction();
            Assert.Same(rows, transaction.GetNpgsqlTransaction());
            await folder.SendAsync(new QueueMessage(), transaction);
            await both.InsertAsync(transaction, attempt);
            if (attempt == 1)
            {
                await transaction.CommitAsync();
                continue;
            }

            await rows.Connection!.RunAsync(end);
            InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => transaction.CommitAsync().AsTask());
            Assert.Contains("by the application itself", e.Message, StringComparison.Ordinal);
        }

        Assert.Equal(end == "ROLLBACK" ? [1] : [1, 2], await both.GetRowsAsync());
        Assert.Equal(1, await folder.GetMessageCountAsync());
        Assert.Equal(0, await both.GetPreparedCountAsync());
    }

    /// <summary>A connection of the pool that the server has closed is noticed before anything is lost, and after a while before anything fails.</summary>
    [PostgresFact]
    public async Task Connection_that_was_closed_since_the_last_transaction()
    {
        await using PrivatePostgres server = await PrivatePostgres.StartAsync();
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(server.Address);
        QueueClient folder = await both.OpenInFolderAsync("f");
        QueueClient database = await both.OpenInDatabaseAsync("d");
        var committed = new List<string?>();
        for (int attempt = 1; attempt <= 4; attempt++)
        {
            await using CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync();
            await database.SendAsync(new QueueMessage { Label = $"{attempt}" }, transaction);
            await folder.SendAsync(new QueueMessage { Label = $"{attempt}" }, transaction);
            try
            {
                await transaction.CommitAsync();
                committed.Add($"{attempt}");
            }
            catch (QueueException e) when (attempt == 2)
            {
                Assert.False(e.OutcomeUnknown);
                continue;
            }

            await both.RunAsync(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'Formatters.Queues' "
                + "AND (query LIKE 'COMMIT PREPARED%' OR query LIKE 'SELECT pg_notify%')");
            // It is asked before it is used.
            if (attempt != 1)
                await Task.Delay(1200);
        }

        Assert.Equal(["1", "3", "4"], committed.Where(label => label != "2"));
        Assert.Equal(committed, await both.PeekAsync(both.FolderQueue("f")));
        Assert.Equal(committed, await both.PeekAsync(both.DatabaseQueue("d")));
        await FolderAndDatabase.WhenAsync(async () => await both.GetPreparedCountAsync() == 0);
    }

    /// <summary>What is sent and received in the database is written with the commit: what cannot be is found then, also when the rest is prepared.</summary>
    [PostgresFact]
    public async Task Queue_of_the_database_that_was_deleted_rolls_both_back()
    {
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(Postgres.Address);
        QueueClient folder = await both.OpenInFolderAsync("f");
        QueueClient from = await both.OpenInDatabaseAsync("from");
        QueueClient doomed = await both.OpenInDatabaseAsync("doomed");
        await FolderAndDatabase.SendAsync(folder, "x");
        await FolderAndDatabase.SendAsync(from, "y");
        foreach (bool isHandedOut in new[] { false, true })
        {
            await using CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync();
            Assert.Equal("x", await FolderAndDatabase.ReceiveAsync(folder, transaction));
            Assert.Equal("y", await FolderAndDatabase.ReceiveAsync(from, transaction));
            await doomed.SendAsync(new QueueMessage(), transaction);
            await new QueueConnector(new PostgreSqlQueueProvider()).DeleteAsync(both.DatabaseQueue("doomed"));
            if (isHandedOut)
                await Assert.ThrowsAsync<QueueException>(() => transaction.GetNpgsqlTransactionAsync().AsTask());
            QueueException e = await Assert.ThrowsAsync<QueueException>(() => transaction.CommitAsync().AsTask());
            Assert.Contains("deleted", e.Message, StringComparison.Ordinal);
            Assert.False(e.OutcomeUnknown);
            Assert.Equal(0, await both.GetPreparedCountAsync());
            Assert.Equal(1, await folder.GetMessageCountAsync());
            Assert.Equal(1, await from.GetMessageCountAsync());
        }
    }

    /// <summary>What was received before the application asked for its transaction can be given up after it.</summary>
    [PostgresTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Message_received_before_the_application_has_the_transaction(bool isPrepared)
    {
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(Postgres.Address);
        QueueClient folder = await both.OpenInFolderAsync("f");
        QueueClient from = await both.OpenInDatabaseAsync(
            "from", new QueueOptions { DeliveryMode = DeliveryMode.Transactional, DeadLetterQueue = QueueAddress.Parse(both.DatabaseQueue("dead")).QueueName });
        QueueClient to = await both.OpenInDatabaseAsync("to");
        await using QueueClient dead = await both.OpenInDatabaseAsync("dead");
        await FolderAndDatabase.SendAsync(from, "x", "y", "z");
        await using (CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync())
        {
            ReceivedMessage x = (await from.ReceiveAsync(TimeSpan.FromSeconds(10), transaction))!;
            Assert.Equal("y", await FolderAndDatabase.ReceiveAsync(from, transaction));
            await to.SendAsync(new QueueMessage { Label = "1" }, transaction);
            await both.InsertAsync(transaction, 1);
            await x.DeadLetterAsync("bad");
            await to.SendAsync(new QueueMessage { Label = "2" }, transaction);
            Assert.Equal("z", await FolderAndDatabase.ReceiveAsync(from, transaction));
            if (isPrepared)
                await folder.SendAsync(new QueueMessage(), transaction);
            await transaction.CommitAsync();
        }

        Assert.Equal([1], await both.GetRowsAsync());
        await from.DisposeAsync();
        Assert.Empty(await both.PeekAsync(both.DatabaseQueue("from")));
        Assert.Equal(["1", "2"], await both.PeekAsync(both.DatabaseQueue("to")));
        Assert.Equal(["x"], await both.PeekAsync(both.DatabaseQueue("dead")));
    }

    /// <summary>The database goes on to prepare what its caller has given up: that is rolled back, and what was received comes again at once.</summary>
    [PostgresFact]
    public async Task Cancelled_while_the_database_prepares()
    {
        using var stop = new CancellationTokenSource();
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(Postgres.Address);
        QueueClient folder = await both.OpenInFolderAsync("f");
        QueueClient database = await both.OpenInDatabaseAsync("d");
        await FolderAndDatabase.SendAsync(database, "y");
        // PREPARE waits, and when the server is asked to cancel it, waits a little more and succeeds.
        string function = $"{both.Table}_pause";
        await both.RunAsync(
            $"""
            CREATE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              BEGIN
                PERFORM pg_sleep(60);
              EXCEPTION WHEN query_canceled THEN
                PERFORM pg_sleep(0.3);
              END;
              RETURN NULL;
            END $$;
            CREATE CONSTRAINT TRIGGER pause AFTER INSERT ON {both.Table} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION {function}();
            """);
        try
        {
            await using CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync();
            Assert.Equal("y", await FolderAndDatabase.ReceiveAsync(database, transaction));
            await both.InsertAsync(transaction, 1);
            await folder.SendAsync(new QueueMessage(), transaction);
            int backend = transaction.GetNpgsqlTransaction().Connection!.ProcessID;
            Task commit = transaction.CommitAsync(stop.Token).AsTask();
            await FolderAndDatabase.WhenAsync(() => both.IsSleepingAsync(backend));
            await stop.CancelAsync();

            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => commit);
            Assert.Equal(0, await both.GetPreparedCountAsync());
            Assert.Empty(await both.GetRowsAsync());
            Assert.Equal(0, await folder.GetMessageCountAsync());
            Assert.Equal(1, await database.GetMessageCountAsync());
            Assert.Equal(["y"], await both.PeekAsync(both.DatabaseQueue("d")));
        }
        finally
        {
            await both.RunAsync($"DROP FUNCTION {function} CASCADE");
        }
    }

    [PostgresFact]
    public async Task Many_at_once()
    {
        const int Count = 200;
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(Postgres.Address);
        QueueClient folder = await both.OpenInFolderAsync("f");
        QueueClient database = await both.OpenInDatabaseAsync("d");
        await Parallel.ForAsync(0, Count, new ParallelOptions { MaxDegreeOfParallelism = 16 }, async (i, _) =>
        {
            await using CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync(CancellationToken.None);
            await folder.SendAsync(new QueueMessage { Label = $"{i}" }, transaction, CancellationToken.None);
            await database.SendAsync(new QueueMessage { Label = $"{i}" }, transaction, CancellationToken.None);
            await both.InsertAsync(transaction, i);
            if (i % 10 != 9)
                await transaction.CommitAsync(CancellationToken.None);
            if (i % 50 == 0)
                await both.Coordinator.ResolveAsync(CancellationToken.None);
        });
        IEnumerable<int> committed = Enumerable.Range(0, Count).Where(i => i % 10 != 9);
        Assert.Equal(committed.Select(i => (long)i), await both.GetRowsAsync());
        Assert.Equal(committed.Select(i => $"{i}").Order(), (await both.PeekAsync(both.FolderQueue("f"))).Order());
        Assert.Equal(committed.Select(i => $"{i}").Order(), (await both.PeekAsync(both.DatabaseQueue("d"))).Order());
        Assert.Equal(0, await both.GetPreparedCountAsync());
    }

    /// <summary>Each folder ends only what it has prepared itself, and nothing that its own process has under way.</summary>
    [PostgresFact]
    public async Task Folders_on_one_database_do_not_mix()
    {
        var isPrepared = new TaskCompletionSource();
        var goOn = new TaskCompletionSource();
        await using FolderAndDatabase one = await FolderAndDatabase.CreateAsync(Postgres.Address, inner => new CrashProgram.GapResourceManager(inner, StopAsync));
        QueueClient folder = await one.OpenInFolderAsync("f");
        await using CoordinatedTransaction transaction = await one.Coordinator.BeginTransactionAsync();
        await one.InsertAsync(transaction, 1);
        await folder.SendAsync(new QueueMessage { Label = "f" }, transaction);
        Task commit = transaction.CommitAsync().AsTask();
        await isPrepared.Task;

        await using (FolderAndDatabase other = await FolderAndDatabase.CreateAsync(Postgres.Address))
            await other.Coordinator.ResolveAsync();
        await one.Coordinator.ResolveAsync();
        Assert.False(commit.IsCompleted);
        Assert.True(await one.GetPreparedCountAsync() > 0);
        goOn.SetResult();
        await commit;

        Assert.Equal([1], await one.GetRowsAsync());
        Assert.Equal(["f"], await one.PeekAsync(one.FolderQueue("f")));

        async Task StopAsync(CrashProgram.CommitGap gap)
        {
            if (gap != CrashProgram.CommitGap.AfterPrepare)
                return;
            isPrepared.SetResult();
            await goOn.Task;
        }
    }

    [PostgresFact]
    public async Task Closed_folder_takes_its_coordinators_with_it()
    {
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(Postgres.Address);
        QueueClient folder = await both.OpenInFolderAsync("f");
        CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync();
        await both.InsertAsync(transaction, 1);
        await folder.SendAsync(new QueueMessage(), transaction);
        await both.Folders.DisposeAsync();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => both.Coordinator.ResolveAsync().AsTask());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => both.Coordinator.BeginTransactionAsync().AsTask());
        Assert.Contains("closed", (await Assert.ThrowsAsync<QueueException>(() => transaction.CommitAsync().AsTask())).Message, StringComparison.Ordinal);
        Assert.Equal(0, await both.GetPreparedCountAsync());
        Assert.Empty(await both.GetRowsAsync());
    }

    [PostgresFact]
    public async Task Server_that_prepares_nothing_is_refused_with_the_setting()
    {
        await using PrivatePostgres server = await PrivatePostgres.StartAsync(maxPreparedTransactions: 0);
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => new PostgreSqlQueueProvider().OpenResourceManagerAsync(server.Address).AsTask());
        Assert.Contains("max_prepared_transactions", e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("formatters@", e.Message, StringComparison.Ordinal);
    }

    [PostgresFact]
    public async Task Server_that_prepares_no_more_rolls_both_back()
    {
        await using PrivatePostgres server = await PrivatePostgres.StartAsync(maxPreparedTransactions: 1);
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(server.Address);
        await using NpgsqlConnection other = await Postgres.ConnectAsync(server.Address);
        await other.RunAsync("BEGIN");
        await other.RunAsync("SELECT pg_current_xact_id()");
        await other.RunAsync("PREPARE TRANSACTION 'other'");
        QueueClient folder = await both.OpenInFolderAsync("f");
        for (int i = 0; i < 2; i++)
        {
            await using CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync();
            await both.InsertAsync(transaction, i);
            await folder.SendAsync(new QueueMessage { Label = $"{i}" }, transaction);
            if (i == 0)
                Assert.Contains("prepared transactions", (await Assert.ThrowsAsync<QueueException>(() => transaction.CommitAsync().AsTask())).Message, StringComparison.Ordinal);
            else
                await transaction.CommitAsync();
            // What is not ours stays.
            await both.Coordinator.ResolveAsync();
            if (i == 0)
                await other.RunAsync("COMMIT PREPARED 'other'");
        }

        Assert.Equal([1], await both.GetRowsAsync());
        Assert.Equal(["1"], await both.PeekAsync(both.FolderQueue("f")));
    }

    [PostgresFact]
    public async Task Addresses_are_a_folder_and_a_database()
    {
        await Assert.ThrowsAsync<FormatException>(() => new PostgreSqlQueueProvider().OpenResourceManagerAsync(Postgres.Address + "/queue").AsTask());
        await using ResourceManager database = await new PostgreSqlQueueProvider().OpenResourceManagerAsync(Postgres.Address);
        await using var folders = new FileQueueProvider();
        await Assert.ThrowsAsync<FormatException>(() => folders.OpenCoordinatorAsync(Postgres.Address, database).AsTask());
        await Assert.ThrowsAsync<ArgumentNullException>(() => folders.OpenCoordinatorAsync("file:x", null!).AsTask());
    }
}
