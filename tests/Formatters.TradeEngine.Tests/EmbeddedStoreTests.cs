using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Matching;
using Formatters.TradeEngine.Messages;
using Formatters.TradeEngine.Store;
using Formatters.TradeEngine.Store.Embedded;
using Xunit;

namespace Formatters.TradeEngine.Tests;

public sealed class EmbeddedStoreTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-store").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Messages_AreAppliedOnce_AndOnlyTheirOwnRedeliveryTellsAgain()
    {
        List<StoreEntry> entries = Entries(trades: 1);
        await using (ITradeStore store = EmbeddedTradeStore.Open(_folder))
            await store.ApplyAsync(entries);
        StoreEntry last = entries[^1];

        await using ITradeStore again = EmbeddedTradeStore.Open(_folder);
        StoreEntry redelivery = Copy(last, last.DeliveryId);
        StoreEntry duplicate = Copy(last, "another delivery");
        await again.ApplyAsync([redelivery, duplicate]);
        again.Settle([redelivery]);
        StoreEntry afterwards = Copy(last, last.DeliveryId);
        await again.ApplyAsync([afterwards]);

        Assert.Equal(Transition.Matched, last.Emission!.Transition);
        Assert.Equal(last.Emission, redelivery.Emission);
        Assert.Null(duplicate.Emission);
        Assert.Equal(ApplyOutcome.Duplicate, duplicate.Outcome);
        Assert.Null(afterwards.Emission);
        Assert.Equal(new StoreCounts(1, 1, 0), await again.CountAsync());
    }

    [Fact]
    public async Task Log_CutOffAnywhere_GivesTheMessagesBeforeTheCut()
    {
        List<StoreEntry> entries = Entries(trades: 6, change: 0.5);
        await using (ITradeStore store = EmbeddedTradeStore.Open(_folder))
        {
            foreach (StoreEntry[] chunk in entries.Chunk(4))
                await store.ApplyAsync(chunk);
        }

        string log = Path.Combine(_folder, "db-00", "000000", "000000.log");
        byte[] whole = File.ReadAllBytes(log);
        int end = whole.AsSpan().LastIndexOfAnyExcept((byte)0) + 1;
        for (int cut = 0; cut <= end; cut += 37)
        {
            byte[] bytes = [.. whole];
            // What a power failure leaves of the last block: zeros, or other bytes.
            bytes.AsSpan(cut).Fill(cut % 2 == 0 ? (byte)0 : (byte)0xA5);
            File.WriteAllBytes(log, bytes);
            foreach (string other in Directory.GetFiles(Path.GetDirectoryName(log)!).Where(file => file != log))
                File.Delete(other);
            // It was not closed, but killed.
            File.Delete(Path.Combine(_folder, "db-00", "end"));
            StoreEntry[] repeated = [.. entries.Select(entry => Copy(entry, entry.DeliveryId))];
            await using (ITradeStore store = EmbeddedTradeStore.Open(_folder))
                await store.ApplyAsync(repeated);
            await using ITradeStore reopened = EmbeddedTradeStore.Open(_folder);

            // Every emission is told, whether it was in the log or is found now.
            Assert.Equal(entries.Where(entry => entry.Emission is not null).Select(entry => entry.Emission),
                repeated.Where(entry => entry.Emission is not null).Select(entry => entry.Emission));
            Assert.Equal(6, (await reopened.CountAsync()).Trades);
        }
    }

    [Fact]
    public async Task Log_WithADamagedBlockInTheMiddle_IsRefused()
    {
        await using (ITradeStore store = EmbeddedTradeStore.Open(_folder))
            await store.ApplyAsync(Entries(trades: 4));
        await using (ITradeStore store = EmbeddedTradeStore.Open(_folder))
            await store.ApplyAsync(Entries(trades: 8));
        string log = Path.Combine(_folder, "db-00", "000000", "000000.log");
        byte[] bytes = File.ReadAllBytes(log);
        bytes[100] ^= 1;
        File.WriteAllBytes(log, bytes);

        var error = Assert.Throws<InvalidDataException>(() => EmbeddedTradeStore.Open(_folder));

        Assert.Contains("000001.log", error.Message, StringComparison.Ordinal);
    }

    /// <summary>In its length, its checksum, its number, its records.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    [InlineData(9)]
    [InlineData(100)]
    public async Task Log_WithADamagedBlockBeforeWholeOnes_IsRefused(int offset)
    {
        await using (ITradeStore store = EmbeddedTradeStore.Open(_folder))
        {
            foreach (StoreEntry[] chunk in Entries(trades: 6).Chunk(4))
                await store.ApplyAsync(chunk);
        }

        string log = Path.Combine(_folder, "db-00", "000000", "000000.log");
        byte[] bytes = File.ReadAllBytes(log);
        bytes[offset] ^= 1;
        File.WriteAllBytes(log, bytes);

        var error = Assert.Throws<InvalidDataException>(() => EmbeddedTradeStore.Open(_folder));

        Assert.Contains("000000.log'", error.Message, StringComparison.Ordinal);
        Assert.Equal(bytes, File.ReadAllBytes(log));
    }

    [Theory]
    [InlineData(1, 2)]
    [InlineData(2, 8)]
    [InlineData(3, 6)]
    public async Task Growth_WithTradesInFlight_ChangesNoTrade(int before, int after)
    {
        List<StoreEntry> entries = Entries(trades: 200, change: 0.3);
        int half = entries.Count / 2;
        long moved;
        await using (ITradeStore store = EmbeddedTradeStore.Open(_folder, before))
        {
            await store.ApplyAsync(entries[..half]);
            moved = await store.GrowAsync(after);
            await store.ApplyAsync(entries[half..]);
            // Not settled: what the first half has led to is told again, from where it is now.
            StoreEntry[] again = [.. entries[..half].Where(entry => entry.Emission is not null).Select(entry => Copy(entry, entry.DeliveryId))];
            await store.ApplyAsync(again);
            Assert.Equal(entries[..half].Where(entry => entry.Emission is not null).Select(entry => entry.Emission), again.Select(entry => entry.Emission));
        }

        await using ITradeStore reopened = EmbeddedTradeStore.Open(_folder);
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

    [Fact]
    public async Task Growth_ThatIsInterruptedBeforeItsEnd_IsForgotten()
    {
        List<StoreEntry> entries = Entries(trades: 50);
        await using (ITradeStore store = EmbeddedTradeStore.Open(_folder, 2))
            await store.ApplyAsync(entries);
        // New databases are there, the number of databases is not yet written.
        Directory.CreateDirectory(Path.Combine(_folder, "db-02", "000000"));
        File.WriteAllText(Path.Combine(_folder, "db-02", "000000", "000000.log"), "half a database");

        await using ITradeStore reopened = EmbeddedTradeStore.Open(_folder);
        Assert.Equal(2, reopened.DatabaseCount);
        await reopened.GrowAsync(4);
        Assert.Equal(new StoreCounts(50, 50, 0), await reopened.CountAsync());
    }

    [Fact]
    public async Task Clearing_RemovesTheTradesOfEarlierDays_AndRefusesTheirMessages()
    {
        List<StoreEntry> old = Entries(trades: 30, change: 0.2);
        List<StoreEntry> recent = Entries(trades: 20, day: new DateOnly(2026, 11, 27));
        StoreEntry late = Copy(old[0], "late");
        await using (ITradeStore store = EmbeddedTradeStore.Open(_folder, 2))
        {
            await store.ApplyAsync(old);
            await store.ApplyAsync(recent);
            long before = ((EmbeddedTradeStore)store).LogByteCount;

            Assert.Equal(30, await store.ClearAsync(20261127));

            Assert.Equal(new StoreCounts(20, 20, 0), await store.CountAsync());
            Assert.InRange(((EmbeddedTradeStore)store).LogByteCount, 1, before / 2);
        }

        await using ITradeStore reopened = EmbeddedTradeStore.Open(_folder);
        StoreEntry duplicate = Copy(recent[0], "duplicate");
        await reopened.ApplyAsync([late, duplicate]);
        Assert.Equal(ApplyOutcome.Cleared, late.Outcome);
        Assert.Equal(ApplyOutcome.Duplicate, duplicate.Outcome);
        Assert.Equal(new StoreCounts(20, 20, 0), await reopened.CountAsync());
    }

    [Fact]
    public async Task Expiry_GivesUpTradesThatAreNotMatched_AndSaysWhy()
    {
        List<StoreEntry> entries = Entries(trades: 3);
        StoreEntry missing = entries.First(entry => entry.Slot == 4 && entry.Key == entries[0].Key);
        await using ITradeStore store = EmbeddedTradeStore.Open(_folder);
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

    [Fact]
    public async Task Statements_OfTheSameVersion_GiveTheSameInAnyOrder()
    {
        List<StoreEntry> entries = Entries(trades: 1);
        StoreEntry first = entries.First(entry => entry.Slot == 2);
        long[] values = [.. first.Statement.Values];
        values[^1]++;
        StoreEntry other = new()
        {
            DeliveryId = "other", MessageId = "other", Key = first.Key, Slot = first.Slot, Statement = first.Statement with { Values = values },
        };
        List<StoreEntry> forward = [.. entries, other];
        List<StoreEntry> backward = [.. forward.AsEnumerable().Reverse().Select(entry => Copy(entry, entry.DeliveryId))];
        await using ITradeStore one = EmbeddedTradeStore.Open(Path.Combine(_folder, "one"));
        await using ITradeStore two = EmbeddedTradeStore.Open(Path.Combine(_folder, "two"));

        await one.ApplyAsync(forward);
        await two.ApplyAsync(backward);

        Assert.Equal(await one.CountAsync(), await two.CountAsync());
        Assert.Equal(ApplyOutcome.ConflictReplaced, other.Outcome);
        Assert.Equal(Transition.Unmatched, other.Emission!.Transition);
        Assert.Equal(ApplyOutcome.Conflict, backward.First(entry => entry.MessageId == first.MessageId).Outcome);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Log_OfAClosedStore_CutAtABlock_IsRefused(int blockCount)
    {
        await FillAsync();
        string log = Path.Combine(_folder, "db-00", "000000", "000000.log");
        byte[] bytes = File.ReadAllBytes(log);
        int cut = 0;
        for (int i = 0; i < blockCount; i++)
            cut += StoreLog.HeaderByteCount + BitConverter.ToInt32(bytes, cut);
        Assert.Contains(bytes[cut..], value => value != 0);
        bytes.AsSpan(cut).Clear();
        File.WriteAllBytes(log, bytes);

        var error = Assert.Throws<InvalidDataException>(() => EmbeddedTradeStore.Open(_folder));

        Assert.Contains("blocks are missing", error.Message, StringComparison.Ordinal);
        Assert.Throws<InvalidDataException>(() => EmbeddedTradeStore.Open(_folder));
        Assert.Equal(bytes, File.ReadAllBytes(log));
    }

    /// <summary>Each was taken for a new store, or for one of other trades, whose files were then deleted.</summary>
    [Theory]
    [InlineData("db-01", 2)]
    [InlineData("db-01/000000", 2)]
    [InlineData("db-00/000000/000000.log", 2)]
    [InlineData(EmbeddedTradeStore.ManifestFile, 1)]
    [InlineData(EmbeddedTradeStore.ManifestFile, 2)]
    [InlineData(EmbeddedTradeStore.ManifestFile, 4)]
    public async Task Store_ThatLacksAPart_IsRefused_AndLeftAsItIs(string missing, int databaseCount)
    {
        await FillAsync();
        string path = Path.Combine(_folder, missing);
        string away = _folder + "-away";
        Directory.Move(path, away);
        string[] before = [.. Directory.GetFiles(_folder, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal)];

        Assert.Throws<InvalidDataException>(() => EmbeddedTradeStore.Open(_folder, databaseCount));

        Assert.Equal(before, Directory.GetFiles(_folder, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal));
        Directory.Move(away, path);
        await using ITradeStore whole = EmbeddedTradeStore.Open(_folder);
        Assert.Equal(new StoreCounts(50, 50, 0), await whole.CountAsync());
    }

    /// <summary>The generation of the log after a compaction.</summary>
    [Fact]
    public async Task Store_ThatLacksTheNameOfItsLog_IsRefused_AndLeftAsItIs()
    {
        await FillAsync();
        string database = Path.Combine(_folder, "db-01");
        Directory.Move(Path.Combine(database, "000000"), Path.Combine(database, "000001"));

        Assert.Throws<InvalidDataException>(() => EmbeddedTradeStore.Open(_folder));

        Assert.True(File.Exists(Path.Combine(database, "000001", "000000.log")));
    }

    [Fact]
    public async Task Folder_WhoseLockWasDeleted_IsRefused()
    {
        await using ITradeStore store = EmbeddedTradeStore.Open(_folder);
        File.Delete(Path.Combine(_folder, "lock"));

        Assert.Throws<IOException>(() => EmbeddedTradeStore.Open(_folder));
    }

    private async Task FillAsync()
    {
        await using ITradeStore store = EmbeddedTradeStore.Open(_folder, 2);
        foreach (StoreEntry[] chunk in Entries(trades: 50).Chunk(20))
            await store.ApplyAsync(chunk);
    }

    [Fact]
    public async Task Folder_OfAnotherHandle_IsRefused()
    {
        await using ITradeStore store = EmbeddedTradeStore.Open(_folder);

        Assert.Throws<IOException>(() => EmbeddedTradeStore.Open(_folder));
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
