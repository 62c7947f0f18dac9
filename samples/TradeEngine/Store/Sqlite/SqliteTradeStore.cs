namespace Formatters.TradeEngine.Store.Sqlite;

/// <summary>Trades in a folder: one SQLite database or several. One process has the folder at a time.</summary>
internal sealed class SqliteTradeStore : ITradeStore
{
    private readonly string _folder;
    private readonly TimeProvider _clock;
    private readonly SemaphoreSlim _growth = new(1);
    private volatile SqliteDatabase[] _databases;

    private SqliteTradeStore(string folder, TimeProvider clock, SqliteDatabase[] databases)
    {
        _folder = folder;
        _clock = clock;
        _databases = databases;
    }

    public string Description => string.Create(
        CultureInfo.InvariantCulture,
        $"SQLite, {_databases.Length} database{(_databases.Length == 1 ? "" : "s")} in a folder, write-ahead log, synchronous = FULL");

    public int DatabaseCount => _databases.Length;

    /// <summary>Deletes a store that no process has open; other files stay in its folder.</summary>
    internal static void Delete(string folder)
    {
        if (Directory.Exists(folder))
            Delete(folder, "trades-");
    }

    /// <param name="databaseCount">How many databases a new store has; an existing one keeps its number.</param>
    /// <exception cref="IOException">Another process has the folder.</exception>
    /// <exception cref="InvalidDataException">The store is damaged, or a file is missing.</exception>
    internal static async Task<SqliteTradeStore> OpenAsync(string folder, int databaseCount = 1, TimeProvider? clock = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(databaseCount, 1);
        clock ??= TimeProvider.System;
        Directory.CreateDirectory(folder);
        if (!File.Exists(PathOf(folder, 0)) && Directory.GetFiles(folder, "trades-*.db").Length > 0)
            throw Missing(folder, 0);
        var opened = new List<SqliteDatabase>();
        try
        {
            // The first one says how many there are: 0 if they are new, or were not all created.
            opened.Add(new SqliteDatabase(PathOf(folder, 0), clock));
            bool isNew = opened[0].DatabaseCount == 0;
            databaseCount = isNew ? databaseCount : opened[0].DatabaseCount;
            for (int i = 1; i < databaseCount; i++)
            {
                if (!isNew && !File.Exists(PathOf(folder, i)))
                    throw Missing(folder, i);
                opened.Add(new SqliteDatabase(PathOf(folder, i), clock));
            }

            // The first one last: then all are there.
            for (int i = databaseCount - 1; i >= 0; i--)
            {
                if (opened[i].DatabaseCount != databaseCount)
                    await opened[i].PruneAsync(i, databaseCount);
            }

            return new SqliteTradeStore(folder, clock, [.. opened]);
        }
        catch
        {
            foreach (SqliteDatabase database in opened)
                await database.DisposeAsync();
            throw;
        }
    }

    public async ValueTask ApplyAsync(IReadOnlyList<StoreEntry> entries, CancellationToken cancellationToken = default)
    {
        Task written;
        await _growth.WaitAsync(cancellationToken);
        try
        {
            SqliteDatabase[] databases = _databases;
            written = Task.WhenAll(entries.GroupBy(entry => entry.Key.DatabaseOf(databases.Length))
                .Select(group => databases[group.Key].ApplyAsync([.. group])));
        }
        finally
        {
            _growth.Release();
        }

        await written.WaitAsync(cancellationToken);
    }

    public void Settle(IReadOnlyList<StoreEntry> entries)
    {
        SqliteDatabase[] databases = _databases;
        foreach (StoreEntry entry in entries.Where(entry => entry.Emission is not null))
            databases[entry.Key.DatabaseOf(databases.Length)].Settle(entry);
    }

    public async ValueTask<IReadOnlyList<ExpiredTrade>> ExpireAsync(DateTimeOffset seenBefore, CancellationToken cancellationToken = default)
    {
        IReadOnlyList<ExpiredTrade>[] expired = await Task.WhenAll(_databases.Select(database => database.ExpireAsync(seenBefore.UtcTicks)));
        return [.. expired.SelectMany(trades => trades)];
    }

    public async ValueTask<long> ClearAsync(int beforeTradeDate, CancellationToken cancellationToken = default) =>
        (await Task.WhenAll(_databases.Select(database => database.ClearAsync(beforeTradeDate)))).Sum();

    /// <summary>
    /// Copies the trades that move, has the first database say how many databases there are, and removes them where they were: whenever it is
    /// interrupted, each trade is in one place.
    /// </summary>
    public async ValueTask<long> GrowAsync(int databaseCount, CancellationToken cancellationToken = default)
    {
        await _growth.WaitAsync(cancellationToken);
        SqliteDatabase[] before = _databases;
        List<SqliteDatabase> databases = [.. before];
        try
        {
            if (databaseCount % before.Length != 0)
                throw new ArgumentException(
                    $"{databaseCount} is not a multiple of the {before.Length} databases that there are.", nameof(databaseCount));
            long moved = 0;
            for (int i = before.Length; i < databaseCount; i++)
            {
                // Left by a growth that was interrupted.
                Delete(_folder, Path.GetFileName(PathOf(_folder, i)));
                databases.Add(new SqliteDatabase(PathOf(_folder, i), _clock));
                // A multiple: what goes into the new one comes from one of the old ones.
                moved += await before[i % before.Length].CopyAsync(databases[i], i, databaseCount);
                await databases[i].PruneAsync(i, databaseCount);
            }

            await before[0].PruneAsync(0, databaseCount);
            _databases = [.. databases];
            for (int i = 1; i < before.Length; i++)
                await before[i].PruneAsync(i, databaseCount);
            return moved;
        }
        finally
        {
            foreach (SqliteDatabase database in databases.Except(_databases))
                await database.DisposeAsync();
            _growth.Release();
        }
    }

    public async ValueTask<StoreCounts> CountAsync(CancellationToken cancellationToken = default)
    {
        StoreCounts[] counts = await Task.WhenAll(_databases.Select(database => database.CountAsync()));
        return new StoreCounts(counts.Sum(count => count.Trades), counts.Sum(count => count.Matched), counts.Sum(count => count.Expired));
    }

    public async ValueTask DisposeAsync()
    {
        foreach (SqliteDatabase database in _databases)
            await database.DisposeAsync();
        _growth.Dispose();
    }

    private static string PathOf(string folder, int database) =>
        Path.Combine(folder, string.Create(CultureInfo.InvariantCulture, $"trades-{database:D2}.db"));

    private static InvalidDataException Missing(string folder, int database) =>
        new($"The trade store lacks the file '{PathOf(folder, database)}'. Restore it from a copy.");

    private static void Delete(string folder, string name)
    {
        foreach (string file in Directory.GetFiles(folder, name + "*"))
            File.Delete(file);
    }
}
