using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.TradeEngine.Matching;

namespace Formatters.TradeEngine.Store.Embedded;

/// <summary>Trades in a folder: one database or several, each with a log of its own. One process has the folder at a time.</summary>
internal sealed class EmbeddedTradeStore : ITradeStore
{
    internal const string ManifestFile = "databases";

    private readonly string _folder;
    private readonly TimeProvider _clock;
    private readonly FolderLock _lock;
    private readonly ReaderWriterLockSlim _layout = new();
    private EmbeddedDatabase[] _databases;

    private EmbeddedTradeStore(string folder, TimeProvider clock, FolderLock lockFile, EmbeddedDatabase[] databases)
    {
        _folder = folder;
        _clock = clock;
        _lock = lockFile;
        _databases = databases;
    }

    public string Description => string.Create(
        CultureInfo.InvariantCulture, $"embedded, {_databases.Length} database{(_databases.Length == 1 ? "" : "s")} in a folder, each with a log flushed by fdatasync before a message counts");

    public int DatabaseCount => _databases.Length;

    /// <summary>The size of all logs.</summary>
    internal long LogByteCount => _databases.Sum(database => database.LogByteCount);

    /// <summary>Deletes a store that no process has open; other files stay in its folder.</summary>
    /// <param name="folder">Its folder.</param>
    internal static void Delete(string folder)
    {
        string manifest = Path.Combine(folder, ManifestFile);
        if (!File.Exists(manifest))
            return;
        int databaseCount = int.Parse(File.ReadAllText(manifest), CultureInfo.InvariantCulture);
        File.Delete(manifest);
        for (int i = 0; i < databaseCount; i++)
            Directory.Delete(FolderOf(folder, i), recursive: true);
    }

    /// <summary>Opens a store or makes one.</summary>
    /// <param name="folder">Its folder.</param>
    /// <param name="databaseCount">How many databases a new store has; one that is there keeps its number.</param>
    /// <param name="clock">When messages come; null means the system's.</param>
    /// <exception cref="IOException">Another process has the folder.</exception>
    /// <exception cref="InvalidDataException">The store is damaged.</exception>
    internal static EmbeddedTradeStore Open(string folder, int databaseCount = 1, TimeProvider? clock = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(databaseCount, 1);
        Directory.CreateDirectory(folder);
        FolderLock lockFile;
        try
        {
            lockFile = FolderLock.Take(folder);
        }
        catch (QueueException e)
        {
            throw new IOException($"The trade store in '{folder}' is open in another process, or cannot be opened: {e.Message}", e);
        }

        var opened = new List<EmbeddedDatabase>();
        try
        {
            clock ??= TimeProvider.System;
            string manifest = Path.Combine(folder, ManifestFile);
            if (File.Exists(manifest))
                databaseCount = int.Parse(File.ReadAllText(manifest), CultureInfo.InvariantCulture);
            else
                Create(folder, databaseCount);
            for (int i = 0; i < databaseCount; i++)
            {
                if (!Directory.Exists(FolderOf(folder, i)))
                    throw new InvalidDataException($"The trade store lacks the folder '{FolderOf(folder, i)}'. Restore it from a copy.");
            }

            for (int i = 0; i < databaseCount; i++)
            {
                int own = i;
                opened.Add(new EmbeddedDatabase(FolderOf(folder, i), clock, key => key.DatabaseOf(databaseCount) != own));
            }

            return new EmbeddedTradeStore(folder, clock, lockFile, [.. opened]);
        }
        catch
        {
            foreach (EmbeddedDatabase database in opened)
                database.DisposeAsync().AsTask().GetAwaiter().GetResult();
            lockFile.Dispose();
            throw;
        }
    }

    public async ValueTask ApplyAsync(IReadOnlyList<StoreEntry> entries, CancellationToken cancellationToken = default)
    {
        Task written;
        _layout.EnterReadLock();
        try
        {
            EmbeddedDatabase[] databases = _databases;
            written = databases.Length == 1
                ? databases[0].ApplyAsync(entries)
                : Task.WhenAll(entries.GroupBy(entry => entry.Key.DatabaseOf(databases.Length))
                    .Select(group => databases[group.Key].ApplyAsync(group)).ToArray());
        }
        finally
        {
            _layout.ExitReadLock();
        }

        await written.WaitAsync(cancellationToken);
    }

    public void Settle(IReadOnlyList<StoreEntry> entries)
    {
        _layout.EnterReadLock();
        try
        {
            EmbeddedDatabase[] databases = _databases;
            foreach (IGrouping<int, StoreEntry> group in entries.Where(entry => entry.Emission is not null)
                .GroupBy(entry => entry.Key.DatabaseOf(databases.Length)))
                databases[group.Key].Settle(group);
        }
        finally
        {
            _layout.ExitReadLock();
        }
    }

    public async ValueTask<IReadOnlyList<ExpiredTrade>> ExpireAsync(DateTimeOffset seenBefore, CancellationToken cancellationToken = default)
    {
        var expired = new List<ExpiredTrade>();
        foreach (EmbeddedDatabase database in _databases)
        {
            (Task written, List<ExpiredTrade> trades) = database.Expire(seenBefore.UtcTicks);
            await written.WaitAsync(cancellationToken);
            expired.AddRange(trades);
        }

        return expired;
    }

    public ValueTask<long> ClearAsync(int beforeTradeDate, CancellationToken cancellationToken = default) =>
        new(Task.Run(() => _databases.Sum(database => database.Clear(beforeTradeDate)), cancellationToken));

    public ValueTask<long> GrowAsync(int databaseCount, CancellationToken cancellationToken = default) =>
        new(Task.Run(() => Grow(databaseCount), cancellationToken));

    public ValueTask<StoreCounts> CountAsync(CancellationToken cancellationToken = default)
    {
        StoreCounts[] counts = [.. _databases.Select(database => database.Count())];
        return new ValueTask<StoreCounts>(new StoreCounts(counts.Sum(count => count.Trades), counts.Sum(count => count.Matched),
            counts.Sum(count => count.Expired)));
    }

    public async ValueTask DisposeAsync()
    {
        foreach (EmbeddedDatabase database in _databases)
            await database.DisposeAsync();
        _lock.Dispose();
        _layout.Dispose();
    }

    private static string FolderOf(string folder, int database) => Path.Combine(folder, string.Create(CultureInfo.InvariantCulture, $"db-{database:D2}"));

    /// <summary>Makes the folders of an empty store, and then the file that says how many they are.</summary>
    /// <exception cref="InvalidDataException">There is a store that lacks that file.</exception>
    private static void Create(string folder, int databaseCount)
    {
        if (Directory.EnumerateFiles(folder, "*.log", SearchOption.AllDirectories).Any())
        {
            throw new InvalidDataException($"The trade store in '{folder}' lacks its file '{ManifestFile}', which says how many databases it has. "
                + "Restore it from a copy.");
        }

        for (int i = 0; i < databaseCount; i++)
            Directory.CreateDirectory(FolderOf(folder, i));
        DiskFlush.FlushFolder(folder);
        WriteManifest(folder, databaseCount);
    }

    private static void WriteManifest(string folder, int databaseCount)
    {
        string temporary = Path.Combine(folder, ManifestFile + ".new");
        EmbeddedDatabase.WriteDurably(temporary, databaseCount.ToString(CultureInfo.InvariantCulture));
        File.Move(temporary, Path.Combine(folder, ManifestFile), overwrite: true);
        DiskFlush.FlushFolder(folder);
    }

    /// <summary>
    /// Copies the trades that move, says how many databases there are now, and forgets them where they were: whenever it is interrupted, each trade is in one
    /// place.
    /// </summary>
    private long Grow(int databaseCount)
    {
        _layout.EnterWriteLock();
        try
        {
            int before = _databases.Length;
            if (databaseCount % before != 0)
                throw new ArgumentException($"{databaseCount} is not a multiple of the {before} databases that there are.", nameof(databaseCount));
            var databases = new EmbeddedDatabase[databaseCount];
            _databases.CopyTo(databases, 0);
            long moved = 0;
            for (int i = before; i < databaseCount; i++)
            {
                string folder = FolderOf(_folder, i);
                // Left by a growth that did not come to its end.
                if (Directory.Exists(folder))
                    Directory.Delete(folder, recursive: true);
                int target = i;
                databases[i] = new EmbeddedDatabase(folder, _clock, _ => false);
                // A multiple: what goes into the new one comes from one of the old ones.
                (List<TradeState> states, List<KeyValuePair<string, Emission>> unsettled, int firstTradeDate) =
                    _databases[i % before].FindMoving(key => key.DatabaseOf(databaseCount) == target);
                databases[i].TakeIn(states, unsettled, firstTradeDate);
                moved += states.Count;
            }

            DiskFlush.FlushFolder(_folder);
            WriteManifest(_folder, databaseCount);
            for (int i = 0; i < before; i++)
            {
                int own = i;
                databases[i].ForgetMoved(key => key.DatabaseOf(databaseCount) != own);
            }

            _databases = databases;
            return moved;
        }
        finally
        {
            _layout.ExitWriteLock();
        }
    }
}
