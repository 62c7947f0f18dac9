using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Matching;
using Formatters.TradeEngine.Messages;
using Formatters.TradeEngine.Store;
using Formatters.TradeEngine.Store.PostgreSql;
using Formatters.TradeEngine.Store.Sqlite;
using Microsoft.Data.Sqlite;
using Xunit;

namespace Formatters.TradeEngine.Tests;

/// <summary>The protocol of the stores, on each database.</summary>
public sealed class StoreTests : IAsyncLifetime
{
    private const string Sqlite = "SQLite";
    private const string PostgreSql = "PostgreSQL";

    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-store").FullName;
    private readonly string _name = "test_" + Guid.NewGuid().ToString("N")[..12];
    private bool _isPostgreSql;

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        Directory.Delete(_folder, recursive: true);
        if (!_isPostgreSql)
            return;
        await using PostgreSqlTradeStore store = await PostgreSqlTradeStore.OpenAsync(PostgreSqlStoreTests.ConnectionString, 1, _name);
        await store.DropAsync();
    }

    private async Task<ITradeStore> OpenAsync(string product, int databaseCount = 1)
    {
        _isPostgreSql = product == PostgreSql;
        return _isPostgreSql ? await PostgreSqlTradeStore.OpenAsync(PostgreSqlStoreTests.ConnectionString, databaseCount, _name)
            : await SqliteTradeStore.OpenAsync(_folder, databaseCount);
    }

    [Theory]
    [InlineData(Sqlite)]
    [ServerData(ServerFactAttribute.Postgres, PostgreSql)]
    public async Task Messages_AreAppliedOnce_AndOnlyTheirOwnRedeliveryTellsAgain(string product)
    {
        List<StoreEntry> entries = Entries(trades: 20, change: 0.3);
        await using (ITradeStore store = await OpenAsync(product, 2))
            await Task.WhenAll(entries.Chunk(13).Select(chunk => store.ApplyAsync(chunk).AsTask()));

        await using ITradeStore again = await OpenAsync(product);
        StoreEntry[] telling = [.. entries.Where(entry => entry.Emission is not null)];
        StoreEntry[] redelivered = [.. telling.Select(entry => Copy(entry, entry.DeliveryId))];
        StoreEntry[] duplicates = [.. entries.Select(entry => Copy(entry, "D" + entry.DeliveryId))];
        await again.ApplyAsync(redelivered);
        await again.ApplyAsync(duplicates);
        again.Settle(redelivered);
        StoreEntry[] afterwards = [.. telling.Select(entry => Copy(entry, entry.DeliveryId))];
        await again.ApplyAsync([Copy(entries[0], "another delivery")]);
        await again.ApplyAsync(afterwards);

        Assert.Equal(2, again.DatabaseCount);
        Assert.Equal(telling.Select(entry => entry.Emission), redelivered.Select(entry => entry.Emission));
        Assert.All(duplicates, duplicate => Assert.Null(duplicate.Emission));
        Assert.All(duplicates, duplicate => Assert.Contains(duplicate.Outcome, new[] { ApplyOutcome.Duplicate, ApplyOutcome.Superseded }));
        Assert.All(afterwards, entry => Assert.Null(entry.Emission));
        Assert.Equal(20, (await again.CountAsync()).Trades);
    }

    [Theory]
    [InlineData(Sqlite, 1, 2)]
    [InlineData(Sqlite, 2, 8)]
    [InlineData(Sqlite, 3, 6)]
    [ServerData(ServerFactAttribute.Postgres, PostgreSql, 3, 6)]
    public async Task Growth_WithTradesInFlight_ChangesNoTrade(string product, int before, int after)
    {
        List<StoreEntry> entries = Entries(trades: 200, change: 0.3);
        int half = entries.Count / 2;
        long moved;
        await using (ITradeStore store = await OpenAsync(product, before))
        {
            await store.ApplyAsync(entries[..half]);
            moved = await store.GrowAsync(after);
            await store.ApplyAsync(entries[half..]);
            // Not settled: what the first half has led to is told again, from where it is now.
            StoreEntry[] again = [.. entries[..half].Where(entry => entry.Emission is not null).Select(entry => Copy(entry, entry.DeliveryId))];
            await store.ApplyAsync(again);
            Assert.Equal(entries[..half].Where(entry => entry.Emission is not null).Select(entry => entry.Emission), again.Select(entry => entry.Emission));
        }

        await using ITradeStore reopened = await OpenAsync(product);
        StoreCounts counts = await reopened.CountAsync();
        Assert.Equal(after, reopened.DatabaseCount);
        Assert.InRange(moved, 1, 199);
        Assert.Equal(200, counts.Trades);
        Assert.Equal(entries.Count(entry => entry.Emission?.Transition == Transition.Matched) - entries.Count(entry =>
            entry.Emission?.Transition == Transition.Unmatched), counts.Matched);
        StoreEntry[] duplicates = [.. entries.Select(entry => Copy(entry, "D" + entry.DeliveryId))];
        await reopened.ApplyAsync(duplicates);
        Assert.All(duplicates, duplicate => Assert.Contains(duplicate.Outcome, new[] { ApplyOutcome.Duplicate, ApplyOutcome.Superseded }));
    }

    [Theory]
    [InlineData(Sqlite)]
    [ServerData(ServerFactAttribute.Postgres, PostgreSql)]
    public async Task Clearing_RemovesTheTradesOfEarlierDays_AndRefusesTheirMessages(string product)
    {
        List<StoreEntry> old = Entries(trades: 30, change: 0.2);
        List<StoreEntry> recent = Entries(trades: 20, day: new DateOnly(2026, 11, 27));
        StoreEntry late = Copy(old[0], "late");
        await using (ITradeStore store = await OpenAsync(product, 2))
        {
            await store.ApplyAsync(old);
            await store.ApplyAsync(recent);

            Assert.Equal(30, await store.ClearAsync(20261127));

            Assert.Equal(new StoreCounts(20, 20, 0), await store.CountAsync());
        }

        await using ITradeStore reopened = await OpenAsync(product);
        StoreEntry duplicate = Copy(recent[0], "duplicate");
        await reopened.ApplyAsync([late, duplicate]);
        Assert.Equal(ApplyOutcome.Cleared, late.Outcome);
        Assert.Equal(ApplyOutcome.Duplicate, duplicate.Outcome);
        Assert.Equal(new StoreCounts(20, 20, 0), await reopened.CountAsync());
    }

    [Theory]
    [InlineData(Sqlite)]
    [ServerData(ServerFactAttribute.Postgres, PostgreSql)]
    public async Task Expiry_GivesUpTradesThatAreNotMatched_AndSaysWhy(string product)
    {
        List<StoreEntry> entries = Entries(trades: 3);
        StoreEntry missing = entries.First(entry => entry.Slot == 4 && entry.Key == entries[0].Key);
        await using ITradeStore store = await OpenAsync(product);
        await store.ApplyAsync([.. entries.Where(entry => entry != missing)]);

        Assert.Empty(await store.ExpireAsync(DateTimeOffset.UtcNow.AddHours(-1)));
        ExpiredTrade expired = Assert.Single(await store.ExpireAsync(DateTimeOffset.UtcNow.AddHours(1)));
        await store.ApplyAsync([missing]);

        Assert.Equal(missing.Key, expired.Key);
        Assert.Equal("NPR of the manager missing", expired.Why);
        Assert.Equal(ApplyOutcome.Expired, missing.Outcome);
        Assert.Null(missing.Emission);
        Assert.Equal(new StoreCounts(3, 2, 1), await store.CountAsync());
    }

    [Theory]
    [InlineData(Sqlite)]
    [ServerData(ServerFactAttribute.Postgres, PostgreSql)]
    public async Task Statements_OfTheSameVersion_GiveTheSameInAnyOrder(string product)
    {
        List<StoreEntry> entries = Entries(trades: 2);
        StoreEntry[] forward = WithConflict(entries[0].Key);
        StoreEntry[] backward = [.. WithConflict(entries.First(entry => entry.Key != entries[0].Key).Key).Reverse()];
        await using ITradeStore store = await OpenAsync(product);

        await store.ApplyAsync(forward);
        await store.ApplyAsync(backward);

        Assert.Equal(new StoreCounts(2, 0, 0), await store.CountAsync());
        Assert.Equal(ApplyOutcome.ConflictReplaced, forward[^1].Outcome);
        Assert.Equal(Transition.Unmatched, forward[^1].Emission!.Transition);
        Assert.Equal(ApplyOutcome.Conflict, backward.First(entry => entry.Slot == 2 && entry.MessageId != "other").Outcome);

        StoreEntry[] WithConflict(TradeKey key)
        {
            StoreEntry first = entries.First(entry => entry.Key == key && entry.Slot == 2);
            long[] values = [.. first.Statement.Values];
            values[^1]++;
            return
            [
                .. entries.Where(entry => entry.Key == key),
                new() { DeliveryId = "other" + key, MessageId = "other", Key = key, Slot = 2, Statement = first.Statement with { Values = values } },
            ];
        }
    }

    /// <summary>What a power failure leaves of the last writes: none of their bytes, or others.</summary>
    [Fact]
    public async Task WriteAheadLog_CutOffAnywhere_GivesTheMessagesBeforeTheCut()
    {
        List<StoreEntry> entries = Entries(trades: 6, change: 0.5);
        string database = Path.Combine(_folder, "trades-00.db");
        byte[] file;
        byte[] log;
        await using (ITradeStore store = await OpenAsync(Sqlite))
        {
            foreach (StoreEntry[] chunk in entries.Chunk(4))
                await store.ApplyAsync(chunk);
            file = ReadShared(database);
            log = ReadShared(database + "-wal");
        }

        Assert.InRange(log.Length, 10 * 4096, int.MaxValue);
        for (int cut = 0; cut <= log.Length; cut += 3_701)
        {
            File.WriteAllBytes(database, file);
            byte[] damaged = [.. log];
            damaged.AsSpan(cut).Fill(cut % 2 == 0 ? (byte)0 : (byte)0xA5);
            File.WriteAllBytes(database + "-wal", damaged);
            StoreEntry[] repeated = [.. entries.Select(entry => Copy(entry, entry.DeliveryId))];
            await using (ITradeStore store = await OpenAsync(Sqlite))
                await store.ApplyAsync(repeated);
            await using ITradeStore reopened = await OpenAsync(Sqlite);

            // Every emission is told, whether it was in the log or is found now.
            Assert.Equal(entries.Where(entry => entry.Emission is not null).Select(entry => entry.Emission),
                repeated.Where(entry => entry.Emission is not null).Select(entry => entry.Emission));
            Assert.Equal(6, (await reopened.CountAsync()).Trades);
        }

        static byte[] ReadShared(string path)
        {
            using var stream = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
            byte[] bytes = new byte[stream.Length];
            stream.ReadExactly(bytes);
            return bytes;
        }
    }

    /// <summary>Neither the database nor the memory has a part of a transaction that has failed.</summary>
    [Fact]
    public async Task Transaction_ThatFails_ChangesNothing()
    {
        List<StoreEntry> entries = Entries(trades: 2);
        await using (ITradeStore store = await OpenAsync(Sqlite))
            await store.ApplyAsync(entries[..3]);
        using (var connection = new SqliteConnection($"Data Source={Path.Combine(_folder, "trades-00.db")};Pooling=false"))
        {
            connection.Open();
            using SqliteCommand trigger = connection.CreateCommand();
            trigger.CommandText = "CREATE TRIGGER full BEFORE INSERT ON audit WHEN new.message_id = 'last' BEGIN SELECT RAISE(ABORT, 'the disk is full'); END";
            trigger.ExecuteNonQuery();
        }

        StoreEntry last = new() { DeliveryId = "last", MessageId = "last", Key = entries[^1].Key, Slot = entries[^1].Slot, Statement = entries[^1].Statement };
        await using ITradeStore again = await OpenAsync(Sqlite);
        StoreEntry[] failing = [.. entries[..^1].Select(entry => Copy(entry, entry.DeliveryId)), last];
        var error = await Assert.ThrowsAsync<IOException>(async () => await again.ApplyAsync(failing));
        Assert.Contains("the disk is full", error.Message, StringComparison.Ordinal);
        Assert.Equal(0, (await again.CountAsync()).Matched);

        await again.ApplyAsync(entries);

        Assert.Equal(new StoreCounts(2, 2, 0), await again.CountAsync());
        Assert.Equal(2, entries.Count(entry => entry.Emission?.Transition == Transition.Matched));
    }

    /// <summary>New databases are there, and the first one does not know of them yet; or it does, and another one still has the trades that have moved.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Growth_ThatIsInterrupted_LeavesEachTradeOnce(bool isLate)
    {
        string second = Path.Combine(_folder, "trades-01.db");
        await FillAsync();
        byte[] before = File.ReadAllBytes(second);
        if (isLate)
        {
            await using (ITradeStore store = await OpenAsync(Sqlite))
                await store.GrowAsync(4);
            File.WriteAllBytes(second, before);
        }
        else
        {
            File.WriteAllText(Path.Combine(_folder, "trades-02.db"), "half a database");
        }

        await using ITradeStore reopened = await OpenAsync(Sqlite);
        Assert.Equal(isLate ? 4 : 2, reopened.DatabaseCount);
        await reopened.GrowAsync(8);
        Assert.Equal(new StoreCounts(50, 50, 0), await reopened.CountAsync());
    }

    /// <summary>It must not be taken for a new store.</summary>
    [Theory]
    [InlineData("trades-00.db")]
    [InlineData("trades-01.db")]
    public async Task Store_ThatLacksAFile_IsRefused_AndLeftAsItIs(string missing)
    {
        await FillAsync();
        string path = Path.Combine(_folder, missing);
        byte[] bytes = File.ReadAllBytes(path);
        File.Delete(path);

        var error = await Assert.ThrowsAsync<InvalidDataException>(() => OpenAsync(Sqlite));

        Assert.Contains(missing, error.Message, StringComparison.Ordinal);
        Assert.False(File.Exists(path));
        File.WriteAllBytes(path, bytes);
        await using ITradeStore whole = await OpenAsync(Sqlite);
        Assert.Equal(new StoreCounts(50, 50, 0), await whole.CountAsync());
    }

    [Fact]
    public async Task File_ThatIsNotADatabase_IsRefused()
    {
        await FillAsync();
        File.WriteAllText(Path.Combine(_folder, "trades-01.db"), new string('x', 8192));

        var error = await Assert.ThrowsAsync<InvalidDataException>(() => OpenAsync(Sqlite));

        Assert.Contains("trades-01.db", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Folder_OfAnotherHandle_IsRefused()
    {
        await using ITradeStore store = await OpenAsync(Sqlite);

        await Assert.ThrowsAsync<IOException>(() => OpenAsync(Sqlite));
    }

    private async Task FillAsync()
    {
        await using ITradeStore store = await OpenAsync(Sqlite, 2);
        foreach (StoreEntry[] chunk in Entries(trades: 50).Chunk(20))
            await store.ApplyAsync(chunk);
    }

    /// <summary>The entries of a set, as the components make them.</summary>
    internal static List<StoreEntry> Entries(int trades, double change = 0, DateOnly? day = null)
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { Seed = 2, TradeCount = trades, ChangeShare = change,
            BusinessDate = day ?? new DateOnly(2026, 11, 24) });
        var values = new CriterionValues();
        var entries = new List<StoreEntry>();
        foreach (SetMessage message in set.GetMessages())
        {
            MessageHeader header = message.Message.Header;
            message.Message.CollectCriteria(values);
            StatementStatus status = header.Variant switch
            {
                MessageVariant.Cancel => StatementStatus.Cancelled,
                MessageVariant.Reject => StatementStatus.Rejected,
                _ => StatementStatus.Stated,
            };
            entries.Add(new StoreEntry
            {
                DeliveryId = $"delivery {header.CreatedAt:yyyyMMdd}/{entries.Count}",
                MessageId = message.MessageId,
                Key = TradeKey.Of(values),
                Slot = Slots.IndexOf(header.Type, header.Party),
                Statement = status == StatementStatus.Stated ? new Statement(header.Version, status, values.Present, values.ToArray())
                    : new Statement(header.Version, status, default, []),
            });
        }

        return entries;
    }

    internal static StoreEntry Copy(StoreEntry entry, string deliveryId) =>
        new() { DeliveryId = deliveryId, MessageId = entry.MessageId, Key = entry.Key, Slot = entry.Slot, Statement = entry.Statement };
}
