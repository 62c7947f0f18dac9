using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues.PostgreSql;
using Npgsql;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>A server that is killed, that stops answering, connections that are cut, receivers that are killed: errors at once, and a ledger that says what became of every message.</summary>
public sealed class PostgreSqlFailureTests
{
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(60);

    /// <summary>Far beyond what any of this takes: only a wait without end gets here.</summary>
    private static readonly TimeSpan Hang = TimeSpan.FromMinutes(4);

    private static readonly QueueOptions Recoverable = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete };
    private static readonly QueueOptions PeekLock = Recoverable with { ReceiveMode = ReceiveMode.PeekLock };
    private static readonly QueueOptions Transactional = new() { DeliveryMode = DeliveryMode.Transactional };

    private readonly QueueConnector _connector = new(new PostgreSqlQueueProvider());

    [PostgresFact]
    public async Task Server_killed_again_and_again_loses_nothing_acknowledged_and_commits_nothing_twice()
    {
        await using PrivatePostgres server = await PrivatePostgres.StartAsync();
        await using QueueClient sends = await _connector.OpenAsync(server.Address + "/ledger", Recoverable);
        await using QueueClient receives = await _connector.OpenAsync(server.Address + "/ledger", PeekLock);
        await using QueueClient from = await _connector.OpenAsync(server.Address + "/ledger", Transactional);
        await using QueueClient to = await _connector.OpenAsync(server.Address + "/moved", Transactional);
        var ledger = new Ledger();
        using var stop = new CancellationTokenSource();
        Task[] parties =
        [
            .. Enumerable.Range(0, 4).Select(sender => Repeat(() => ledger.SendAsync(sends, sender))),
            .. Enumerable.Range(0, 2).Select(_ => Repeat(() => ledger.ReceiveAsync(receives))),
            .. Enumerable.Range(0, 2).Select(_ => Repeat(() => ledger.MoveAsync(from, to))),
        ];
        for (int round = 0; round < 3; round++)
        {
            int goal = ledger.ConfirmedCount + 200;
            await WaitUntilAsync(() => ledger.ConfirmedCount >= goal);
            await server.KillAsync();
            await server.RestartAsync();
        }

        int last = ledger.ConfirmedCount + 100;
        await WaitUntilAsync(() => ledger.ConfirmedCount >= last);
        await stop.CancelAsync();
        await Task.WhenAll(parties).WaitAsync(Hang);
        // What they had fetched ahead goes back.
        foreach (QueueClient queue in new[] { receives, from, to })
            await queue.DisposeAsync();
        Assert.True(ledger.UnknownCount > 0 || ledger.FailureCount > 0, "The server was killed three times, and nobody noticed.");

        ledger.Check(
            await DrainAsync(_connector, server.Address + "/ledger"), await DrainAsync(_connector, server.Address + "/moved"));

        Task Repeat(Func<Task> action) => Task.Run(async () =>
        {
            while (!stop.IsCancellationRequested)
            {
                try
                {
                    await action();
                }
                catch (QueueException e)
                {
                    ledger.Note(e);
                    await Task.Delay(20);
                }
            }
        });

        static async Task WaitUntilAsync(Func<bool> condition)
        {
            long start = Environment.TickCount64;
            while (!condition())
            {
                Assert.True(Environment.TickCount64 - start < Hang.TotalMilliseconds, "Nothing is sent any more.");
                await Task.Delay(10);
            }
        }
    }

    /// <summary>Other processes receive, and are ended by SIGKILL while they do: what they acknowledged is gone, and everything else comes again.</summary>
    [PostgresFact]
    public async Task Receivers_killed_again_and_again_lose_nothing_and_bring_back_nothing_acknowledged()
    {
        const int MessageCount = 1500, Kills = 6;
        string address = $"{Postgres.Address}/formatters-tests-{Guid.NewGuid():N}";
        await using QueueClient sender = await _connector.OpenAsync(address, Recoverable);
        try
        {
            await Task.WhenAll(Enumerable.Range(0, MessageCount).Select(i => sender.SendAsync(new QueueMessage { MessageId = $"{i}" }).AsTask()));
            var acknowledged = new List<string>();
            var received = new List<string>();
            for (int kill = 0; kill < Kills; kill += 2)
            {
                // Two at a time share the queue. Each is killed at its own time: one that waited for the other might take all messages before that begins.
                int lines = 40 + (kill * 31);
                CrashChild[] receivers = [.. Enumerable.Range(0, 2).Select(_ => new CrashChild([], "consume", address, $"{lines + 100}"))];
                await Task.WhenAll(receivers.Select(async receiver =>
                {
                    await receiver.WhenWritten(lines);
                    receiver.Kill();
                }));
                foreach (CrashChild receiver in receivers)
                {
                    (_, List<string> ledger, string error) = await receiver.EndAsync();
                    Assert.Equal("", error);
                    acknowledged.AddRange(Ids(ledger, "acknowledged "));
                    received.AddRange(Ids(ledger, "received "));
                    receiver.Dispose();
                }
            }

            await using QueueClient last = await _connector.OpenAsync(address, Recoverable);
            var rest = new List<string>();
            int redelivered = 0;
            while (await last.ReceiveAsync(rest.Count + acknowledged.Count < MessageCount - (4 * Kills) ? Soon : TimeSpan.FromSeconds(15)) is { } message)
            {
                rest.Add(message.MessageId!);
                redelivered += message.IsRedelivered ? 1 : 0;
            }

            Assert.True(acknowledged.Count >= Kills, $"{acknowledged.Count} acknowledged.");
            Assert.True(redelivered > 0);
            // Once each; and none is missing but those whose acknowledgement was done and could not be written down any more.
            Assert.Equal(acknowledged.Count + rest.Count, acknowledged.Concat(rest).Distinct().Count());
            string[] missing = [.. Enumerable.Range(0, MessageCount).Select(i => $"{i}").Except(acknowledged).Except(rest)];
            Assert.Empty(missing.Except(received));
            Assert.InRange(missing.Length, 0, 4 * Kills);
        }
        finally
        {
            await _connector.DeleteAsync(address);
        }

        static IEnumerable<string> Ids(List<string> ledger, string verb) => ledger.Where(line => line.StartsWith(verb, StringComparison.Ordinal)).Select(line => line[verb.Length..]);
    }

    [PostgresFact]
    public async Task Server_that_is_gone_fails_every_operation_until_it_is_back()
    {
        await using PrivatePostgres server = await PrivatePostgres.StartAsync();
        await using QueueClient queue = await _connector.OpenAsync(server.Address + "/a", PeekLock);
        await using QueueClient express = await _connector.OpenAsync(server.Address + "/a", QueueOptions.Fastest);
        await using QueueClient transactional = await _connector.OpenAsync(server.Address + "/a", Transactional);
        await queue.SendAsync(new QueueMessage { Label = "kept" });
        ReceivedMessage locked = (await queue.ReceiveAsync(Soon))!;
        await express.SendAsync(new QueueMessage { Label = "lost" });
        await using QueueTransaction transaction = await transactional.BeginTransactionAsync();
        await transactional.SendAsync(new QueueMessage(), transaction);
        await using QueueClient empty = await _connector.OpenAsync(server.Address + "/empty", QueueOptions.Fastest);
        Assert.Null(await empty.ReceiveAsync(TimeSpan.Zero));
        Task<ReceivedMessage?> waiting = empty.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();

        await server.KillAsync();

        Assert.Contains("lost", (await Assert.ThrowsAsync<QueueException>(() => waiting.WaitAsync(Hang))).Message, StringComparison.Ordinal);
        for (int i = 0; i < 2; i++)
        {
            await FailsAsync(() => queue.SendAsync(new QueueMessage()).AsTask());
            await FailsAsync(() => queue.ReceiveAsync(TimeSpan.Zero).AsTask());
            await FailsAsync(() => queue.GetMessageCountAsync().AsTask());
            await FailsAsync(() => queue.PurgeAsync().AsTask());
        }

        await FailsAsync(() => locked.AcknowledgeAsync().AsTask());
        await FailsAsync(() => transaction.CommitAsync().AsTask());
        await FailsAsync(() => _connector.OpenAsync(server.Address + "/b").AsTask());
        await server.RestartAsync();

        ReceivedMessage kept = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal("kept", kept.Label);
        await kept.AcknowledgeAsync();
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        await express.SendAsync(new QueueMessage { Label = "again" });
        Assert.Equal("again", (await queue.ReceiveAsync(Soon))!.Label);

        static async Task FailsAsync(Func<Task> operation) => await Assert.ThrowsAsync<QueueException>(() => operation().WaitAsync(Hang));
    }

    /// <summary>A power switch right after the commit: of a connection, a database and a role that all say that commits need not wait.</summary>
    [PostgresFact]
    public async Task Commit_survives_the_kill_though_the_connection_need_not_wait()
    {
        await using PrivatePostgres server = await PrivatePostgres.StartAsync();
        string[] ways = ["by the queue's transaction", "by the application's", "without a transaction"];
        foreach (string way in ways)
        {
            await using NpgsqlConnection application = await Postgres.ConnectAsync(server.Address);
            // The writer of the log would write it for those who do not wait.
            foreach (string statement in new[] { "SYSTEM SET wal_writer_delay = '10s'", "DATABASE postgres SET synchronous_commit = off", "ROLE postgres SET synchronous_commit = off" })
                await application.RunAsync("ALTER " + statement);
            await application.RunAsync("SET synchronous_commit = off");
            await application.RunAsync("SELECT pg_reload_conf()");
            while (await application.ScalarAsync<string>("SHOW wal_writer_delay") != "10s")
                await Task.Delay(5);
            // Each time other connections: those of before are lost.
            var connector = new QueueConnector(new PostgreSqlQueueProvider());
            await using QueueClient transactional = await connector.OpenAsync(server.Address + "/a", Transactional);
            await using QueueClient recoverable = await connector.OpenAsync(server.Address + "/a", Recoverable);
            await using (NpgsqlTransaction rows = await application.BeginTransactionAsync())
            await using (QueueTransaction messages = transactional.UseTransaction(rows))
            {
                if (way == ways[2])
                    await recoverable.SendAsync(new QueueMessage { MessageId = way });
                else
                    await transactional.SendAsync(new QueueMessage { MessageId = way }, messages);
                await (way == ways[0] ? messages.CommitAsync().AsTask() : rows.CommitAsync());
            }

            await server.KillAsync();
            await server.RestartAsync();
        }

        Assert.Equal(ways, await DrainAsync(new QueueConnector(new PostgreSqlQueueProvider()), server.Address + "/a"));
    }

    /// <summary>What the server's settings take from the promise is said by whoever opens a queue.</summary>
    [PostgresFact]
    public async Task Server_that_does_not_flush_is_told_by_the_capabilities()
    {
        await using PrivatePostgres server = await PrivatePostgres.StartAsync();
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(server.Address);
        Assert.DoesNotContain("but", await DurabilityAsync(Recoverable), StringComparison.Ordinal);
        await connection.RunAsync("ALTER SYSTEM SET fsync = off");
        await connection.RunAsync("ALTER SYSTEM SET full_page_writes = off");
        await connection.RunAsync("SELECT pg_reload_conf()");
        while (await connection.ScalarAsync<string>("SHOW fsync") != "off")
            await Task.Delay(5);

        Assert.Contains("the server has fsync = off and full_page_writes = off", await DurabilityAsync(Recoverable), StringComparison.Ordinal);
        Assert.Contains("the server has fsync = off and full_page_writes = off", await DurabilityAsync(Transactional), StringComparison.Ordinal);
        Assert.DoesNotContain("fsync", await DurabilityAsync(QueueOptions.Default with { DeliveryMode = DeliveryMode.Express }), StringComparison.Ordinal);

        async Task<string> DurabilityAsync(QueueOptions options)
        {
            await using QueueClient queue = await _connector.OpenAsync(server.Address + "/a", options);
            return queue.Capabilities.Durability;
        }
    }

    /// <summary>A commit without an answer may have happened, or happen yet; what comes before the commit has not, and does not.</summary>
    [PostgresTheory]
    [InlineData("DEFERRED", true)]
    [InlineData("IMMEDIATE", false)]
    public async Task Transaction_that_is_not_answered_in_time_says_whether_it_may_be_committed(string when, bool isOutcomeUnknown)
    {
        await using PrivatePostgres server = await PrivatePostgres.StartAsync();
        // The first to open makes the tables, which a slow disk may take longer over.
        await (await _connector.OpenAsync(server.Address + "/slow")).DisposeAsync();
        await using QueueClient queue = await _connector.OpenAsync(
            server.Address + "/slow", new QueueOptions { DeliveryMode = DeliveryMode.Transactional, OperationTimeout = TimeSpan.FromSeconds(6) });
        await using (NpgsqlConnection connection = await Postgres.ConnectAsync(server.Address))
        {
            await connection.RunAsync(
                $"""
                CREATE FUNCTION public.pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(3600); RETURN NULL; END $$;
                CREATE CONSTRAINT TRIGGER pause AFTER INSERT ON formatters_queues.message DEFERRABLE INITIALLY {when} FOR EACH ROW EXECUTE FUNCTION public.pause();
                """);
        }

        await using QueueTransaction transaction = await queue.BeginTransactionAsync();
        await queue.SendAsync(new QueueMessage(), transaction);
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => transaction.CommitAsync().AsTask().WaitAsync(Hang));

        Assert.Contains("did not answer within 6 s", e.Message, StringComparison.Ordinal);
        Assert.Equal(isOutcomeUnknown, e.OutcomeUnknown);
    }

    [PostgresFact]
    public async Task Server_that_stops_answering_ends_every_operation_with_the_timeout()
    {
        await using PrivatePostgres server = await PrivatePostgres.StartAsync();
        // The first to open makes the tables, which a slow disk may take longer over.
        await (await _connector.OpenAsync(server.Address + "/paused")).DisposeAsync();
        QueueOptions options = PeekLock with { OperationTimeout = TimeSpan.FromSeconds(6) };
        QueueClient queue = await _connector.OpenAsync(server.Address + "/paused", options);
        QueueClient counted = await _connector.OpenAsync(server.Address + "/paused", options);
        QueueClient empty = await _connector.OpenAsync(server.Address + "/empty", options);
        await queue.SendAsync(new QueueMessage());
        await queue.SendAsync(new QueueMessage());
        Assert.NotNull(await queue.ReceiveAsync(Soon));
        Assert.Null(await empty.ReceiveAsync(TimeSpan.Zero));
        Task<ReceivedMessage?> waiting = empty.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();
        await server.PauseAsync();
        try
        {
            // Side by side: each waits for the timeout.
            Task<QueueException> sending = Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(new QueueMessage()).AsTask().WaitAsync(Hang));
            Task counting = Assert.ThrowsAsync<QueueException>(() => counted.GetMessageCountAsync().AsTask().WaitAsync(Hang));
            // No operation of the receiver's is under way: it looks from time to time.
            await Assert.ThrowsAsync<QueueException>(() => waiting.WaitAsync(Hang));
            QueueException e = await sending;
            await counting;
            Assert.Contains("did not answer within 6 s", e.Message, StringComparison.Ordinal);
            Assert.True(e.OutcomeUnknown);
            await Task.WhenAll(queue.DisposeAsync().AsTask(), counted.DisposeAsync().AsTask(), empty.DisposeAsync().AsTask()).WaitAsync(Hang);
        }
        finally
        {
            await server.ContinueAsync();
        }
    }

    [PostgresFact]
    public async Task Connection_cut_in_the_middle_of_a_statement()
    {
        using var proxy = new LoopbackProxy(Postgres.Address);
        string name = "formatters-tests-" + Guid.NewGuid().ToString("N");
        try
        {
            for (int cut = 0; cut < 3; cut++)
            {
                proxy.CutAfter(long.MaxValue);
                await using QueueClient queue = await _connector.OpenAsync($"{proxy.Address}/{name}", PeekLock);
                await queue.SendAsync(new QueueMessage { Label = "before" });
                proxy.CutAfter(10_000 + cut);
                QueueException e = await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(new QueueMessage(new MessageBody(new byte[100_000]))).AsTask().WaitAsync(Hang));
                Assert.True(e.OutcomeUnknown);
                Assert.Contains("lost", e.Message, StringComparison.Ordinal);

                proxy.CutAfter(long.MaxValue);
                // The same handle, on a new connection.
                await queue.SendAsync(new QueueMessage { Label = "after" });
                foreach (string label in new[] { "before", "after" })
                {
                    ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
                    Assert.Equal(label, message.Label);
                    await message.AcknowledgeAsync();
                }

                Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
            }
        }
        finally
        {
            await _connector.DeleteAsync($"{Postgres.Address}/{name}");
        }
    }

    private static async Task<List<string>> DrainAsync(QueueConnector connector, string address)
    {
        await using QueueClient queue = await connector.OpenAsync(address, Recoverable);
        var ids = new List<string>();
        while (await queue.ReceiveAsync(TimeSpan.Zero) is { } message)
            ids.Add(message.MessageId!);
        return ids;
    }

    /// <summary>What was sent, received and moved, and how sure that is.</summary>
    private sealed class Ledger
    {
        private readonly ConcurrentDictionary<string, bool> _confirmed = new();
        private readonly ConcurrentDictionary<string, bool> _tried = new();
        private readonly ConcurrentBag<string> _acknowledged = [];
        private readonly ConcurrentDictionary<string, bool> _maybeAcknowledged = new();
        private readonly ConcurrentBag<string> _moved = [];
        private readonly ConcurrentDictionary<string, bool> _maybeMoved = new();
        private int _next;
        private int _unknownCount;
        private int _failureCount;

        internal int ConfirmedCount => _confirmed.Count;

        internal int UnknownCount => _unknownCount;

        internal int FailureCount => _failureCount;

        internal void Note(QueueException e)
        {
            if (e.OutcomeUnknown)
                Interlocked.Increment(ref _unknownCount);
            else
                Interlocked.Increment(ref _failureCount);
        }

        internal async Task SendAsync(QueueClient queue, int sender)
        {
            string id = $"{sender}-{Interlocked.Increment(ref _next)}";
            _tried[id] = true;
            await queue.SendAsync(new QueueMessage { MessageId = id });
            _confirmed[id] = true;
        }

        internal async Task ReceiveAsync(QueueClient queue)
        {
            if (await queue.ReceiveAsync(TimeSpan.FromMilliseconds(200)) is not { } message)
                return;
            try
            {
                await message.AcknowledgeAsync();
                _acknowledged.Add(message.MessageId!);
            }
            catch (QueueException e) when (e.OutcomeUnknown)
            {
                _maybeAcknowledged[message.MessageId!] = true;
                throw;
            }
        }

        internal async Task MoveAsync(QueueClient from, QueueClient to)
        {
            await using QueueTransaction transaction = await from.BeginTransactionAsync();
            if (await from.ReceiveAsync(TimeSpan.FromMilliseconds(200), transaction) is not { } message)
                return;
            await to.SendAsync(new QueueMessage { MessageId = message.MessageId }, transaction);
            try
            {
                await transaction.CommitAsync();
                _moved.Add(message.MessageId!);
            }
            catch (QueueException e) when (e.OutcomeUnknown)
            {
                _maybeMoved[message.MessageId!] = true;
                throw;
            }
        }

        /// <summary>Compares with what is in the two queues at the end.</summary>
        internal void Check(List<string> left, List<string> moved)
        {
            // Each message is in one place, once: acknowledged by one receiver, moved by one transaction, or still there.
            string[] found = [.. left, .. moved, .. _acknowledged];
            Assert.Empty(found.GroupBy(id => id).Where(group => group.Count() > 1).Select(group => group.Key));
            // What was confirmed is in one of them, unless an acknowledgement without an answer has taken it out.
            Assert.Empty(_confirmed.Keys.Except(found).Except(_maybeAcknowledged.Keys));
            Assert.Empty(found.Except(_tried.Keys));
            // A transaction that was committed has happened, and one that failed for certain has not.
            Assert.Empty(_moved.Except(moved));
            Assert.Empty(moved.Except(_moved).Except(_maybeMoved.Keys));
        }
    }
}
