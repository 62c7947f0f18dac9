using System.Collections.Concurrent;
using Microsoft.Data.Sqlite;

namespace Formatters.TradeEngine.Store.Sqlite;

/// <summary>A file of trades. One thread does all of its work: what was handed in since the last commit is one transaction.</summary>
internal sealed class SqliteDatabase : IAsyncDisposable
{
    /// <summary>Trades in memory; beyond this they are read again.</summary>
    private const int MaxCachedTrades = 50_000;

    private const string Schema =
        """
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        PRAGMA wal_autocheckpoint = 4000;
        PRAGMA cache_size = -65536;
        CREATE TABLE IF NOT EXISTS trade (
            trade_date INTEGER NOT NULL, reference INTEGER NOT NULL, broker INTEGER NOT NULL, first_seen INTEGER NOT NULL,
            is_matched INTEGER NOT NULL, is_expired INTEGER NOT NULL, state BLOB NOT NULL,
            PRIMARY KEY (trade_date, reference, broker)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS audit (
            message_id TEXT NOT NULL, reference INTEGER NOT NULL, slot INTEGER NOT NULL, version INTEGER NOT NULL, received INTEGER NOT NULL,
            body BLOB);
        CREATE TABLE IF NOT EXISTS unsettled (delivery_id TEXT PRIMARY KEY, emission BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS cleared (before_trade_date INTEGER NOT NULL);
        """;

    private readonly string _path;
    private readonly TimeProvider _clock;
    private readonly BlockingCollection<Work> _work = [];
    private readonly ConcurrentQueue<string> _settled = new();
    private readonly Dictionary<TradeKey, TradeState> _trades = [];
    private readonly HashSet<TradeState> _changed = [];
    private readonly Dictionary<string, Emission> _unsettled = new(StringComparer.Ordinal);
    private readonly SqliteConnection _connection;
    private readonly SqliteCommand _find;
    private readonly SqliteCommand _write;
    private readonly SqliteCommand _audit;
    private readonly SqliteCommand _tell;
    private readonly SqliteCommand _settle;
    private readonly Thread _thread;
    private int _firstTradeDate;

    /// <summary>Opens a database or creates an empty one.</summary>
    /// <param name="path">Its file.</param>
    /// <exception cref="IOException">Another process has the file, or it cannot be opened.</exception>
    /// <exception cref="InvalidDataException">The file is not a database, or is damaged.</exception>
    internal SqliteDatabase(string path, TimeProvider clock)
    {
        _path = path;
        _clock = clock;
        // The timeout: how long another process that has the file is waited for, in seconds.
        _connection =
            new SqliteConnection(new SqliteConnectionStringBuilder { DataSource = path, Pooling = false, DefaultTimeout = 1 }.ConnectionString);
        _find = Prepare("SELECT state FROM trade WHERE trade_date = $1 AND reference = $2 AND broker = $3", 3);
        _write = Prepare("INSERT OR REPLACE INTO trade VALUES ($1, $2, $3, $4, $5, $6, $7)", 7);
        _audit = Prepare("INSERT INTO audit VALUES ($1, $2, $3, $4, $5, $6)", 6);
        _tell = Prepare("INSERT INTO unsettled VALUES ($1, $2)", 2);
        _settle = Prepare("DELETE FROM unsettled WHERE delivery_id = $1", 1);
        try
        {
            _connection.Open();
            _connection.CreateFunction(
                "database_of", (long broker, int tradeDate, long reference, int count) =>
                    new TradeKey(broker, tradeDate, reference).DatabaseOf(count), isDeterministic: true);
            Execute(Schema);
            Load();
        }
        catch (SqliteException e)
        {
            _connection.Dispose();
            throw e.SqliteErrorCode is SQLitePCL.raw.SQLITE_CORRUPT or SQLitePCL.raw.SQLITE_NOTADB
                ? new InvalidDataException($"The trade store's file '{path}' is damaged: {e.Message} Restore it from a copy.", e)
                : new IOException($"The trade store's file '{path}' is open in another process, or cannot be opened: {e.Message}", e);
        }

        _thread = new Thread(Run) { IsBackground = true, Name = "trade store " + Path.GetFileName(path) };
        _thread.Start();
    }

    /// <summary>For how many databases this one was last pruned; 0 if it is new.</summary>
    internal int DatabaseCount { get; private set; }

    /// <returns>Completes when they are durable.</returns>
    internal Task ApplyAsync(StoreEntry[] entries) => DoAsync(() =>
    {
        long now = _clock.GetUtcNow().UtcTicks;
        foreach (StoreEntry entry in entries)
            Apply(entry, now);
    });

    /// <summary>Forgets what has been told, in the next transaction.</summary>
    internal void Settle(StoreEntry entry) => _settled.Enqueue(entry.DeliveryId);

    internal async Task<IReadOnlyList<ExpiredTrade>> ExpireAsync(long seenBefore)
    {
        var expired = new List<ExpiredTrade>();
        await DoAsync(() =>
        {
            foreach (TradeState state in Query<TradeState>(
                "SELECT state FROM trade WHERE NOT is_matched AND NOT is_expired AND first_seen < $1 ORDER BY first_seen", seenBefore))
            {
                expired.Add(new ExpiredTrade(state.Key, state.Explain()));
                state.IsExpired = true;
                Change(state);
            }
        });
        return expired;
    }

    /// <summary>Removes the trades of earlier days.</summary>
    internal async Task<long> ClearAsync(int beforeTradeDate)
    {
        long cleared = 0;
        await DoAsync(() =>
        {
            SetFirstTradeDate(beforeTradeDate);
            cleared = Remove("trade_date < $1", key => key.TradeDate < beforeTradeDate, beforeTradeDate);
        });
        return cleared;
    }

    /// <summary>Copies the trades that belong into another database from now on, and what about them is not settled.</summary>
    internal async Task<int> CopyAsync(SqliteDatabase target, int number, int databaseCount)
    {
        List<TradeState> states = [];
        KeyValuePair<string, Emission>[] unsettled = [];
        await DoAsync(() =>
        {
            states =
                [.. Query<TradeState>("SELECT state FROM trade WHERE database_of(broker, trade_date, reference, $1) = $2", databaseCount, number)];
            unsettled = [.. _unsettled.Where(entry => entry.Value.Terms.Key.DatabaseOf(databaseCount) == number)];
        });
        await target.DoAsync(() =>
        {
            target.SetFirstTradeDate(_firstTradeDate);
            foreach (TradeState state in states)
                target.Change(state);
            foreach ((string deliveryId, Emission emission) in unsettled)
                target.Tell(deliveryId, emission);
            target.WriteChanges();
        });
        return states.Count;
    }

    /// <summary>Removes the trades that belong into other databases, and notes how many databases there are.</summary>
    internal Task PruneAsync(int number, int databaseCount) => DoAsync(() =>
    {
        Remove("database_of(broker, trade_date, reference, $1) <> $2", key => key.DatabaseOf(databaseCount) != number, databaseCount, number);
        Execute($"PRAGMA user_version = {databaseCount}");
        DatabaseCount = databaseCount;
    });

    internal async Task<StoreCounts> CountAsync()
    {
        StoreCounts counts = null!;
        await DoAsync(() =>
        {
            WriteChanges();
            counts = new StoreCounts(Number("SELECT count(*) FROM trade"), Number("SELECT count(*) FROM trade WHERE is_matched"),
                Number("SELECT count(*) FROM trade WHERE is_expired"));
        });
        return counts;
    }

    public async ValueTask DisposeAsync()
    {
        if (_work.IsAddingCompleted)
            return;
        // What is only settled.
        await DoAsync(static () => { });
        _work.CompleteAdding();
        _thread.Join();
        _work.Dispose();
        await _connection.DisposeAsync();
    }

    private Task DoAsync(Action action)
    {
        var work = new Work(action);
        _work.Add(work);
        return work.Task;
    }

    private void Run()
    {
        var batch = new List<Work>();
        foreach (Work first in _work.GetConsumingEnumerable())
        {
            try
            {
                Execute("BEGIN IMMEDIATE");
                while (_settled.TryDequeue(out string? deliveryId))
                    Settle(deliveryId);
                for (Work? next = first; next is not null; _work.TryTake(out next))
                {
                    batch.Add(next);
                    next.Run();
                }

                WriteChanges();
                Execute("COMMIT");
                foreach (Work work in batch)
                    work.SetResult();
            }
            catch (Exception e)
            {
                Fail(batch, e);
            }

            batch.Clear();
        }
    }

    /// <summary>Undoes a transaction.</summary>
    private void Fail(List<Work> batch, Exception e)
    {
        Exception failure = e is SqliteException ? new IOException($"The trade store's file '{_path}' failed: {e.Message}", e) : e;
        try
        {
            // After some errors SQLite has done so itself.
            if (SQLitePCL.raw.sqlite3_get_autocommit(_connection.Handle) == 0)
                Execute("ROLLBACK");
            Load();
        }
        catch (SqliteException)
        {
            // The next transaction fails, too.
        }

        foreach (Work work in batch)
            work.SetException(failure);
    }

    /// <summary>Reads what is in memory.</summary>
    private void Load()
    {
        _trades.Clear();
        _changed.Clear();
        _unsettled.Clear();
        DatabaseCount = (int)Number("PRAGMA user_version");
        _firstTradeDate = (int)Number("SELECT coalesce(max(before_trade_date), 0) FROM cleared");
        using SqliteCommand command = Prepare("SELECT delivery_id, emission FROM unsettled", 0);
        using SqliteDataReader reader = command.ExecuteReader();
        while (reader.Read())
            _unsettled.Add(reader.GetString(0), StoreFormats.Read<Emission>(reader.GetFieldValue<byte[]>(1)));
    }

    private void Apply(StoreEntry entry, long now)
    {
        if (_unsettled.TryGetValue(entry.DeliveryId, out Emission? emission))
        {
            // The queue delivers it again since what it led to was not sent.
            entry.Outcome = ApplyOutcome.Applied;
            entry.Emission = emission;
            return;
        }

        if (entry.Key.TradeDate < _firstTradeDate)
        {
            entry.Outcome = ApplyOutcome.Cleared;
            return;
        }

        TradeState state = Find(entry.Key) ?? new TradeState(entry.Key, now);
        entry.Outcome = state.Apply(entry.Slot, entry.Statement, out Transition transition);
        if (entry.Outcome is not (ApplyOutcome.Applied or ApplyOutcome.ConflictReplaced))
            return;
        Change(state);
        Execute(_audit, entry.MessageId, entry.Key.Reference, entry.Slot, entry.Statement.Version, now,
            entry.AuditBody.IsEmpty ? DBNull.Value : entry.AuditBody.ToArray());
        if (transition == Transition.None)
            return;
        entry.Emission = new Emission(transition, state.MatchCount, TradeTermsCodes.Of(state));
        Tell(entry.DeliveryId, entry.Emission);
    }

    private TradeState? Find(in TradeKey key)
    {
        if (_trades.TryGetValue(key, out TradeState? state))
            return state;
        Bind(_find, key.TradeDate, key.Reference, key.Broker);
        using SqliteDataReader reader = _find.ExecuteReader();
        return reader.Read() ? StoreFormats.Read<TradeState>(reader.GetFieldValue<byte[]>(0)) : null;
    }

    /// <summary>Has a trade written at the end of the transaction.</summary>
    private void Change(TradeState state)
    {
        _trades[state.Key] = state;
        _changed.Add(state);
    }

    private void WriteChanges()
    {
        foreach (TradeState state in _changed)
        {
            Execute(
                _write, state.Key.TradeDate, state.Key.Reference, state.Key.Broker, state.FirstSeen, state.IsMatched, state.IsExpired,
                StoreFormats.Write(state));
            if (state.IsMatched)
                _trades.Remove(state.Key);
        }

        _changed.Clear();
        if (_trades.Count > MaxCachedTrades)
            _trades.Clear();
    }

    private void Tell(string deliveryId, Emission emission)
    {
        _unsettled.Add(deliveryId, emission);
        Execute(_tell, deliveryId, StoreFormats.Write(emission));
    }

    private void Settle(string deliveryId)
    {
        if (_unsettled.Remove(deliveryId))
            Execute(_settle, deliveryId);
    }

    private void SetFirstTradeDate(int tradeDate)
    {
        _firstTradeDate = Math.Max(_firstTradeDate, tradeDate);
        Execute($"DELETE FROM cleared; INSERT INTO cleared VALUES ({_firstTradeDate})");
    }

    /// <summary>Removes trades, and what about them is not settled.</summary>
    private long Remove(string condition, Func<TradeKey, bool> isRemoved, params ReadOnlySpan<object> values)
    {
        WriteChanges();
        _trades.Clear();
        foreach (string deliveryId in _unsettled.Where(entry => isRemoved(entry.Value.Terms.Key)).Select(entry => entry.Key).ToArray())
            Settle(deliveryId);
        using SqliteCommand command = Prepare("DELETE FROM trade WHERE " + condition, values.Length);
        return Execute(command, values);
    }

    /// <summary>Reads the trades of a query.</summary>
    private List<T> Query<T>(string text, params ReadOnlySpan<object> values)
    {
        WriteChanges();
        using SqliteCommand command = Prepare(text, values.Length);
        Bind(command, values);
        using SqliteDataReader reader = command.ExecuteReader();
        var rows = new List<T>();
        while (reader.Read())
            rows.Add(StoreFormats.Read<T>(reader.GetFieldValue<byte[]>(0)));
        return rows;
    }

    private long Number(string text)
    {
        using SqliteCommand command = Prepare(text, 0);
        return (long)command.ExecuteScalar()!;
    }

    private void Execute(FormattableString text) => Execute(FormattableString.Invariant(text));

    private void Execute(string text)
    {
        using SqliteCommand command = Prepare(text, 0);
        command.ExecuteNonQuery();
    }

    private static int Execute(SqliteCommand command, params ReadOnlySpan<object> values)
    {
        Bind(command, values);
        return command.ExecuteNonQuery();
    }

    private static void Bind(SqliteCommand command, params ReadOnlySpan<object> values)
    {
        for (int i = 0; i < values.Length; i++)
            command.Parameters[i].Value = values[i];
    }

    /// <summary>Makes a command, which keeps its prepared statement.</summary>
    private SqliteCommand Prepare(string text, int parameterCount)
    {
        SqliteCommand command = _connection.CreateCommand();
        command.CommandText = text;
        for (int i = 1; i <= parameterCount; i++)
            command.Parameters.Add(new SqliteParameter { ParameterName = string.Create(System.Globalization.CultureInfo.InvariantCulture, $"${i}") });
        return command;
    }

    /// <summary>Work of a transaction; completes when it is durable.</summary>
    private sealed class Work(Action run) : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        internal Action Run => run;
    }
}
