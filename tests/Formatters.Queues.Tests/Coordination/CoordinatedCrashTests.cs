using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues.CrashProgram;
using Formatters.Queues.PostgreSql;
using Formatters.TestSupport;
using Npgsql;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Queues.Tests;

/// <summary>The folder's process is killed (SIGKILL), or the database, in each gap of a commit and at random: after the next opening both sides agree.</summary>
public sealed class CoordinatedCrashTests(ITestOutputHelper output)
{
    private const string Killed = "killed";

    /// <summary>How many kills: FORMATTERS_COORDINATED_KILLS; FORMATTERS_KILL_SEED begins with another seed.</summary>
    private static int KillCount => TestScale.Count("FORMATTERS_COORDINATED_KILLS", full: 3, quick: 3, night: 1_000);

    [PostgresFact]
    public async Task Process_killed_in_each_gap()
    {
        // The gap; whether the transaction is committed, whether it is prepared when the process is gone.
        (string Gap, bool IsCommitted, int Prepared)[] gaps =
        [
            (nameof(CommitGap.BeforePrepare), false, 0),
            (nameof(CommitGap.AfterPrepare), false, 1),
            (nameof(CommitGap.AfterDecision), true, 1),
            (nameof(CommitGap.AfterCommitPrepared), true, 0),
            // The decision of the first is forgotten with that of the second, which is not written.
            ("Second", true, 0),
        ];
        await using PrivatePostgres server = await PrivatePostgres.StartAsync();
        foreach ((string gap, bool isCommitted, int prepared) in gaps)
        {
            var folder = new TestFolder();
            var ledger = new CoordinatedLedger(folder.Path, server.Address);
            await ledger.CreateAsync();
            await using (CoordinatedWorker worker = await CoordinatedWorker.OpenAsync(folder.Path, server.Address, _ => Task.CompletedTask))
                await worker.SeedAsync();
            await ledger.CheckAsync();
            Assert.Equal([(1, 1), (2, 2)], ledger.Found);

            using var child = new CrashChild([], "gap", folder.Path, server.Address, "100", gap);
            (int exitCode, List<string> lines, string error) = await child.EndAsync();
            Assert.True(exitCode == 137, $"{gap}: ended with {exitCode}: {error}");
            Assert.Equal(gap == "Second", lines.Contains("committed"));
            await ledger.WhenAloneAsync();
            Assert.Equal(prepared, await ledger.GetPreparedCountAsync());

            await ledger.CheckAsync();
            Assert.Equal(isCommitted ? [(1, 2), (2, 3), (100, 1)] : [(1, 1), (2, 2)], ledger.Found);
            Assert.Equal(0, await ledger.GetPreparedCountAsync());
            folder.Delete();
        }
    }

    [PostgresFact]
    public async Task Process_killed_at_random_again_and_again()
    {
        int firstSeed = TestScale.Number("FORMATTERS_KILL_SEED") ?? TestScale.Seed(1);
        var random = new Random(firstSeed);
        await using PrivatePostgres server = await PrivatePostgres.StartAsync();
        var folder = new TestFolder();
        var ledger = new CoordinatedLedger(folder.Path, server.Address);
        await ledger.CreateAsync();
        int inDoubt = 0;
        for (int seed = firstSeed; seed < firstSeed + KillCount; seed++)
        {
            using var child = new CrashChild([], "coordinate", folder.Path, server.Address, $"{seed * 1_000_000L}", $"{seed}");
            await child.WhenWritten(10 + random.Next(60));
            child.Kill();
            (int exitCode, List<string> lines, string error) = await child.EndAsync();
            Assert.True(exitCode == 137, $"seed {seed}: ended with {exitCode}: {error}");
            ledger.Read(lines);
            await ledger.WhenAloneAsync();
            inDoubt += (int)await ledger.GetPreparedCountAsync();
            await ledger.CheckAsync();
        }

        output.WriteLine($"{KillCount} kills, {ledger.CommitCount} transactions committed, {ledger.Found.Length} messages; {inDoubt} transactions were prepared at a kill");
        Assert.True(ledger.CommitCount > KillCount, $"only {ledger.CommitCount} transactions");
        folder.Delete();
    }

    [PostgresFact]
    public async Task Database_killed_in_each_gap()
    {
        await using PrivatePostgres server = await PrivatePostgres.StartAsync();
        CommitGap? deadly = null;
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(server.Address, inner => new GapResourceManager(inner, async gap =>
        {
            if (gap == deadly)
                await server.KillAsync();
        }));
        QueueClient inFolder = await both.OpenInFolderAsync("f");
        QueueClient outFolder = await both.OpenInFolderAsync("out");
        foreach (CommitGap gap in Enum.GetValues<CommitGap>())
        {
            long row = (long)gap;
            QueueClient inDatabase = await both.OpenInDatabaseAsync("d");
            await FolderAndDatabase.SendAsync(inFolder, $"{gap}");
            await FolderAndDatabase.SendAsync(inDatabase, $"{gap}");
            await using (CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync())
            {
                Assert.Equal($"{gap}", await FolderAndDatabase.ReceiveAsync(inFolder, transaction));
                Assert.Equal($"{gap}", await FolderAndDatabase.ReceiveAsync(inDatabase, transaction));
                await outFolder.SendAsync(new QueueMessage { Label = $"{gap}" }, transaction);
                await both.InsertAsync(transaction, row);
                deadly = gap;
                if (gap == CommitGap.BeforePrepare)
                    Assert.False((await Assert.ThrowsAsync<QueueException>(() => transaction.CommitAsync().AsTask())).Message.Length == 0);
                else
                    await transaction.CommitAsync();
                deadly = null;
            }

            bool isCommitted = gap != CommitGap.BeforePrepare;
            // The folder's part is there at once, the database's when it is back.
            Assert.Equal(isCommitted ? [$"{gap}"] : [], await both.PeekAsync(both.FolderQueue("out")));
            Assert.Equal(gap is CommitGap.AfterPrepare or CommitGap.AfterDecision ? 1 : 0, both.Coordinator.UndeliveredCount);
            await server.RestartAsync();
            await FolderAndDatabase.WhenAsync(async () => both.Coordinator.UndeliveredCount == 0 && await both.GetPreparedCountAsync() == 0);
            Assert.Equal(isCommitted, await both.HasRowAsync(row));
            Assert.Equal(isCommitted ? 0 : 1, await inFolder.GetMessageCountAsync());
            await inDatabase.DisposeAsync();
            Assert.Equal(isCommitted ? [] : [$"{gap}"], await both.TakeAsync(both.DatabaseQueue("d")));
            await inFolder.PurgeAsync();
            await outFolder.PurgeAsync();
        }
    }

    /// <summary>The answer to PREPARE TRANSACTION, or to COMMIT PREPARED, is lost with the database.</summary>
    [PostgresFact]
    public async Task Database_killed_with_its_answer()
    {
        await using PrivatePostgres server = await PrivatePostgres.StartAsync();
        CommitGap deadly = default;
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(server.Address, inner => new GapResourceManager(inner, async gap =>
        {
            if (gap != deadly)
                return;
            await server.KillAsync();
            throw new QueueException(Killed) { OutcomeUnknown = true };
        }));
        QueueClient folder = await both.OpenInFolderAsync("f");
        foreach (CommitGap gap in new[] { CommitGap.AfterPrepare, CommitGap.AfterCommitPrepared })
        {
            QueueClient database = await both.OpenInDatabaseAsync("d");
            await FolderAndDatabase.SendAsync(database, $"{gap}");
            await using (CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync())
            {
                Assert.Equal($"{gap}", await FolderAndDatabase.ReceiveAsync(database, transaction));
                await both.InsertAsync(transaction, (long)gap);
                await folder.SendAsync(new QueueMessage { Label = $"{gap}" }, transaction);
                deadly = gap;
                if (gap == CommitGap.AfterPrepare)
                {
                    QueueException e = await Assert.ThrowsAsync<QueueException>(() => transaction.CommitAsync().AsTask());
                    Assert.Equal(Killed, e.Message);
                    Assert.False(e.OutcomeUnknown);
                }
                else
                {
                    await transaction.CommitAsync();
                }

                deadly = default;
            }

            await server.RestartAsync();
            await FolderAndDatabase.WhenAsync(async () => both.Coordinator.UndeliveredCount == 0 && await both.GetPreparedCountAsync() == 0);
            Assert.Equal(gap == CommitGap.AfterCommitPrepared, await both.HasRowAsync((long)gap));
            Assert.Equal(gap == CommitGap.AfterCommitPrepared ? 1 : 0, await folder.GetMessageCountAsync());
            await database.DisposeAsync();
            Assert.Equal(gap == CommitGap.AfterCommitPrepared ? [] : [$"{gap}"], await both.TakeAsync(both.DatabaseQueue("d")));
        }
    }

    /// <summary>Nobody waits longer than the timeout, and what the server does when it goes on is what was decided.</summary>
    [PostgresFact]
    public async Task Database_that_stops_answering_before_and_after_the_decision()
    {
        await using PrivatePostgres server = await PrivatePostgres.StartAsync();
        CommitGap? pauses = null;
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(
            server.Address,
            inner => new GapResourceManager(inner, gap => gap == pauses ? server.PauseAsync() : Task.CompletedTask),
            operationTimeout: TimeSpan.FromSeconds(10));
        QueueClient folder = await both.OpenInFolderAsync("f");
        foreach (CommitGap gap in new[] { CommitGap.BeforePrepare, CommitGap.AfterDecision })
        {
            try
            {
                await using CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync();
                await both.InsertAsync(transaction, (long)gap);
                await folder.SendAsync(new QueueMessage { Label = $"{gap}" }, transaction);
                pauses = gap;
                if (gap == CommitGap.BeforePrepare)
                    Assert.Contains("did not answer within 10 s", (await Assert.ThrowsAsync<QueueException>(() => transaction.CommitAsync().AsTask())).Message, StringComparison.Ordinal);
                else
                    await transaction.CommitAsync();
                Assert.Equal(gap == CommitGap.AfterDecision ? 1 : 0, both.Coordinator.UndeliveredCount);
            }
            finally
            {
                pauses = null;
                await server.ContinueAsync();
            }

            // What the server had been asked for before may have been prepared late.
            await FolderAndDatabase.WhenAsync(async () => both.Coordinator.UndeliveredCount == 0 && await both.GetPreparedCountAsync() == 0);
            Assert.Equal(gap == CommitGap.AfterDecision, await both.HasRowAsync((long)gap));
            Assert.Equal(gap == CommitGap.AfterDecision ? 1 : 0, await folder.GetMessageCountAsync());
        }
    }

    /// <summary>The decision outlives the folder's process, many segments of its log and a database that is away.</summary>
    [PostgresFact]
    public async Task Undelivered_decision_is_kept_until_the_database_is_back()
    {
        await using PrivatePostgres server = await PrivatePostgres.StartAsync();
        bool isDeadly = true;
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(server.Address, inner => new GapResourceManager(inner, async gap =>
        {
            if (gap == CommitGap.AfterDecision && isDeadly)
                await server.KillAsync();
        }));
        QueueClient folder = await both.OpenInFolderAsync("f");
        await using (CoordinatedTransaction transaction = await both.Coordinator.BeginTransactionAsync())
        {
            await both.InsertAsync(transaction, 1);
            await folder.SendAsync(new QueueMessage { Label = "f" }, transaction);
            await transaction.CommitAsync();
        }

        isDeadly = false;
        Assert.Equal(1, both.Coordinator.UndeliveredCount);
        // Each segment has room for a few; those before are deleted.
        for (int i = 0; i < 50; i++)
        {
            await using QueueTransaction transaction = await folder.BeginTransactionAsync();
            await folder.SendAsync(new QueueMessage(new MessageBody(new byte[20_000])) { Label = $"{i}" }, transaction);
            Assert.NotNull(await folder.ReceiveAsync(TimeSpan.Zero, transaction));
            await transaction.CommitAsync();
        }

        Assert.DoesNotContain("0000000000000001.log", System.IO.Directory.EnumerateFiles(both.FolderPath).Select(System.IO.Path.GetFileName));
        await both.CloseAsync();
        await server.RestartAsync();
        Assert.Equal(1, await both.GetPreparedCountAsync());
        Assert.Empty(await both.GetRowsAsync());

        await both.OpenAsync();

        Assert.Equal(0, await both.GetPreparedCountAsync());
        Assert.Equal([1], await both.GetRowsAsync());
        Assert.Equal(["49"], await both.PeekAsync(both.FolderQueue("f")));
    }
}

/// <summary>What the killed programs were promised, and the comparison with the folder and the database.</summary>
internal sealed class CoordinatedLedger(string folder, string server)
{
    private readonly Dictionary<long, int> _promised = [];

    internal int CommitCount { get; private set; }

    /// <summary>The messages and how far they are, 1 to 3, in the order of their numbers.</summary>
    internal (long Id, int Step)[] Found { get; private set; } = [];

    internal async Task CreateAsync()
    {
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(server);
        await connection.RunAsync("DROP TABLE IF EXISTS public.steps; DROP SCHEMA IF EXISTS formatters_queues CASCADE; CREATE TABLE public.steps (id bigint PRIMARY KEY, step int NOT NULL)");
    }

    internal void Read(IEnumerable<string> lines)
    {
        foreach (string line in lines.Where(line => line.StartsWith("committed", StringComparison.Ordinal)))
        {
            CommitCount++;
            foreach (string[] move in line.Split(' ').Skip(1).Select(word => word.Split('@')))
            {
                long id = long.Parse(move[0], CultureInfo.InvariantCulture);
                _promised[id] = Math.Max(_promised.GetValueOrDefault(id), int.Parse(move[1], CultureInfo.InvariantCulture));
            }
        }
    }

    /// <summary>Waits until the server has noticed that the killed program is gone: a command of its may still be running.</summary>
    internal async Task WhenAloneAsync()
    {
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(server);
        await FolderAndDatabase.WhenAsync(async () =>
            await connection.ScalarAsync<long>("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()") == 0);
    }

    internal async Task<long> GetPreparedCountAsync()
    {
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(server);
        return await connection.ScalarAsync<long>("SELECT count(*) FROM pg_prepared_xacts");
    }

    /// <summary>Opens both, and compares: each message is in one place, once, and its row says the same; what was promised has happened.</summary>
    internal async Task CheckAsync()
    {
        var found = new Dictionary<long, int>();
        await using (var folders = new FileQueueProvider(Program.Options))
        {
            await using ResourceManager resourceManager = await new PostgreSqlQueueProvider().OpenResourceManagerAsync(server);
            await using TransactionCoordinator coordinator = await folders.OpenCoordinatorAsync($"file://{folder}", resourceManager);
            Assert.Equal(0, coordinator.UndeliveredCount);
            await FindAsync(folders, "a", 1, found);
            await FindAsync(folders, "b", 3, found);
        }

        await using NpgsqlConnection connection = await Postgres.ConnectAsync(server);
        Assert.Equal(0, await connection.ScalarAsync<long>("SELECT count(*) FROM pg_prepared_xacts"));
        // Also those that a receiver which was killed had locked.
        foreach (string label in await connection.ScalarAsync<string[]>(
            "SELECT coalesce(array_agg(m.label), '{}') FROM formatters_queues.message m JOIN formatters_queues.queue q ON q.id = m.queue_id WHERE q.name = 'p'") ?? [])
            Add(found, long.Parse(label["message ".Length..], CultureInfo.InvariantCulture), 2);

        string rows = await connection.ScalarAsync<string>("SELECT coalesce(string_agg(id || '@' || step, ' ' ORDER BY id), '') FROM public.steps") ?? "";
        Found = [.. found.Select(pair => (pair.Key, pair.Value)).Order()];
        Assert.Equal(rows, string.Join(' ', Found.Select(item => $"{item.Id}@{item.Step}")));
        foreach ((long id, int step) in _promised)
            Assert.True(found.TryGetValue(id, out int now) && now >= step, $"message {id} was promised to be at {step}, and is at {now}");
    }

    private async Task FindAsync(FileQueueProvider folders, string name, int step, Dictionary<long, int> found)
    {
        var options = new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock };
        await using QueueClient queue = await folders.OpenAsync(QueueAddress.Parse($"file://{folder}/{name}"), options, default);
        while (await queue.ReceiveAsync(TimeSpan.Zero) is { } message)
            Add(found, CrashMessage.Read(message), step);
    }

    private static void Add(Dictionary<long, int> found, long id, int step) => Assert.True(found.TryAdd(id, step), $"message {id} is at {step}, and somewhere else, too");
}
