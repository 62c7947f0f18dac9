using Formatters.Queues.PostgreSql;
using Npgsql;

namespace Formatters.TradeEngine.Store.PostgreSql;

/// <summary>Trades in PostgreSQL: one schema for each database, any number of processes over them.</summary>
/// <remarks>
/// A batch is a transaction. It locks the rows of its trades in the order of their keys, applies its messages to them, and writes them back. Growth
/// takes a lock that batches share.
/// </remarks>
internal sealed class PostgreSqlTradeStore : ITradeStore
{
    private readonly NpgsqlDataSource _source;
    private readonly string _name;
    private readonly QueueClient? _clearings;
    private readonly Func<Emission, QueueMessage>? _makeClearing;
    private readonly List<string> _settled = [];
    private Layout _layout;
    private string _version = "";

    private PostgreSqlTradeStore(
        NpgsqlDataSource source, string name, Layout layout, QueueClient? clearings, Func<Emission, QueueMessage>? makeClearing)
    {
        _source = source;
        _name = name;
        _layout = layout;
        _clearings = clearings;
        _makeClearing = makeClearing;
    }

    public string Description => string.Create(
        CultureInfo.InvariantCulture,
        $"PostgreSQL {_version}, {_layout.DatabaseCount} database{(_layout.DatabaseCount == 1 ? "" : "s")} "
            + $"(schemas of one server), synchronous_commit on")
        + (_clearings is null ? "" : "; CLS in the transaction of the store");

    public int DatabaseCount => _layout.DatabaseCount;
    private long LockNumber => 0x7A4DE000 + _name.Length;

    /// <param name="connectionString">For Npgsql.</param>
    /// <param name="databaseCount">How many databases a new store has; one that is there keeps its number.</param>
    /// <param name="name">The first part of the names of its schemas: lower-case letters, digits and underscores.</param>
    /// <param name="clearings">
    /// A transactional PostgreSQL queue of the same database into which the store itself sends each CLS, with the trade; null if the components do.
    /// </param>
    /// <param name="makeClearing">Makes the CLS.</param>
    internal static async ValueTask<PostgreSqlTradeStore> OpenAsync(
        string connectionString,
        int databaseCount = 1,
        string name = "engine",
        QueueClient? clearings = null,
        Func<Emission, QueueMessage>? makeClearing = null,
        CancellationToken cancellationToken = default)
    {
        if (name.Length is 0 or > 40 || name.Any(c => !char.IsAsciiLetterLower(c) && !char.IsAsciiDigit(c) && c != '_'))
            throw new ArgumentException("Lower-case letters, digits and underscores, up to 40.", nameof(name));
        NpgsqlDataSource source = NpgsqlDataSource.Create(Patient(connectionString));
        var store = new PostgreSqlTradeStore(source, name, new Layout(databaseCount, 0), clearings, makeClearing);
        try
        {
            await using NpgsqlConnection connection = await source.OpenConnectionAsync(cancellationToken);
            await using NpgsqlTransaction transaction = await connection.BeginTransactionAsync(cancellationToken);
            store._version = connection.PostgreSqlVersion.ToString();
            await ExecuteAsync(connection, $"SELECT pg_advisory_xact_lock({store.LockNumber})", cancellationToken);
            await ExecuteAsync(connection, $"CREATE SCHEMA IF NOT EXISTS {name}_meta", cancellationToken);
            await ExecuteAsync(
                connection, $"CREATE TABLE IF NOT EXISTS {name}_meta.layout (databases int NOT NULL, first_trade_date int NOT NULL)",
                cancellationToken);
            await ExecuteAsync(
                connection,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"INSERT INTO {name}_meta.layout SELECT {databaseCount}, 0 WHERE NOT EXISTS (SELECT FROM {name}_meta.layout)"),
                cancellationToken);
            store._layout = await store.ReadLayoutAsync(connection, cancellationToken);
            for (int i = 0; i < store._layout.DatabaseCount; i++)
                await store.CreateDatabaseAsync(connection, i, cancellationToken);
            await transaction.CommitAsync(cancellationToken);
            return store;
        }
        catch
        {
            await source.DisposeAsync();
            throw;
        }
    }

    public async ValueTask ApplyAsync(IReadOnlyList<StoreEntry> entries, CancellationToken cancellationToken = default)
    {
        IReadOnlyList<StoreEntry> left = entries;
        while (left.Count > 0)
        {
            Layout layout = _layout;
            (StoreEntry[] Entries, bool IsApplied)[] groups = await Task.WhenAll(
                left.GroupBy(entry => entry.Key.DatabaseOf(layout.DatabaseCount))
                    .Select(group => ApplyAsync(layout, group.Key, [.. group], cancellationToken)));
            // The databases have become more meanwhile: once again, with the new number.
            left = [.. groups.Where(group => !group.IsApplied).SelectMany(group => group.Entries)];
        }
    }

    public void Settle(IReadOnlyList<StoreEntry> entries)
    {
        if (_clearings is not null)
            return;
        lock (_settled)
            _settled.AddRange(entries.Where(entry => entry.Emission is not null).Select(entry => entry.DeliveryId));
    }

    public async ValueTask<IReadOnlyList<ExpiredTrade>> ExpireAsync(DateTimeOffset seenBefore, CancellationToken cancellationToken = default)
    {
        var expired = new List<ExpiredTrade>();
        await using NpgsqlConnection connection = await _source.OpenConnectionAsync(cancellationToken);
        for (int i = 0; i < _layout.DatabaseCount; i++)
        {
            await using NpgsqlTransaction transaction = await connection.BeginTransactionAsync(cancellationToken);
            var states = new List<TradeState>();
            await using (NpgsqlCommand select = connection.CreateCommand())
            {
                select.CommandText =
                    $"SELECT state FROM {SchemaOf(i)}.trade WHERE NOT is_matched AND NOT is_expired AND state IS NOT NULL AND first_seen < $1 "
                    + "ORDER BY reference, broker, trade_date FOR UPDATE";
                select.Parameters.Add(new NpgsqlParameter<long> { TypedValue = seenBefore.UtcTicks });
                await using NpgsqlDataReader reader = await select.ExecuteReaderAsync(cancellationToken);
                while (await reader.ReadAsync(cancellationToken))
                    states.Add(StoreFormats.Read<TradeState>(reader.GetFieldValue<byte[]>(0)));
            }

            foreach (TradeState state in states)
            {
                expired.Add(new ExpiredTrade(state.Key, state.Explain()));
                state.IsExpired = true;
            }

            await using NpgsqlBatch batch = connection.CreateBatch();
            AddUpdate(batch, SchemaOf(i), states);
            await batch.ExecuteNonQueryAsync(cancellationToken);
            await transaction.CommitAsync(cancellationToken);
        }

        return expired;
    }

    public async ValueTask<long> ClearAsync(int beforeTradeDate, CancellationToken cancellationToken = default)
    {
        await using NpgsqlConnection connection = await _source.OpenConnectionAsync(cancellationToken);
        await using NpgsqlTransaction transaction = await connection.BeginTransactionAsync(cancellationToken);
        await ExecuteAsync(connection, $"SELECT pg_advisory_xact_lock({LockNumber})", cancellationToken);
        await ExecuteAsync(
            connection,
            string.Create(CultureInfo.InvariantCulture,
                $"UPDATE {_name}_meta.layout SET first_trade_date = greatest(first_trade_date, {beforeTradeDate})"),
            cancellationToken);
        long cleared = 0;
        Layout layout = await ReadLayoutAsync(connection, cancellationToken);
        for (int i = 0; i < layout.DatabaseCount; i++)
        {
            cleared += await ExecuteAsync(
                connection, string.Create(CultureInfo.InvariantCulture, $"DELETE FROM {SchemaOf(i)}.trade WHERE trade_date < {beforeTradeDate}"),
                    cancellationToken);
        }

        await transaction.CommitAsync(cancellationToken);
        _layout = layout;
        return cleared;
    }

    public async ValueTask<long> GrowAsync(int databaseCount, CancellationToken cancellationToken = default)
    {
        await using NpgsqlConnection connection = await _source.OpenConnectionAsync(cancellationToken);
        await using NpgsqlTransaction transaction = await connection.BeginTransactionAsync(cancellationToken);
        // Waits for the batches under way, and lets new ones wait.
        await ExecuteAsync(connection, $"SELECT pg_advisory_xact_lock({LockNumber})", cancellationToken);
        Layout layout = await ReadLayoutAsync(connection, cancellationToken);
        if (databaseCount % layout.DatabaseCount != 0)
            throw new ArgumentException(
                $"{databaseCount} is not a multiple of the {layout.DatabaseCount} databases that there are.", nameof(databaseCount));
        long moved = 0;
        for (int i = layout.DatabaseCount; i < databaseCount; i++)
        {
            await CreateDatabaseAsync(connection, i, cancellationToken);
            string source = SchemaOf(i % layout.DatabaseCount);
            TradeKey[] moving = await FindKeysAsync(connection, source, key => key.DatabaseOf(databaseCount) == i, cancellationToken);
            await using NpgsqlCommand move = connection.CreateCommand();
            move.CommandText = $"WITH moved AS (DELETE FROM {source}.trade t USING unnest($1, $2, $3) AS k (broker, trade_date, reference) "
                + "WHERE t.reference = k.reference AND t.broker = k.broker AND t.trade_date = k.trade_date RETURNING t.*) "
                + $"INSERT INTO {SchemaOf(i)}.trade SELECT * FROM moved";
            AddKeys(move.Parameters, moving);
            moved += await move.ExecuteNonQueryAsync(cancellationToken);
            await MoveUnsettledAsync(connection, source, SchemaOf(i), key => key.DatabaseOf(databaseCount) == i, cancellationToken);
        }

        await ExecuteAsync(connection, string.Create(CultureInfo.InvariantCulture, $"UPDATE {_name}_meta.layout SET databases = {databaseCount}"),
            cancellationToken);
        await transaction.CommitAsync(cancellationToken);
        _layout = layout with { DatabaseCount = databaseCount };
        return moved;
    }

    public async ValueTask<StoreCounts> CountAsync(CancellationToken cancellationToken = default)
    {
        var counts = new StoreCounts(0, 0, 0);
        await using NpgsqlConnection connection = await _source.OpenConnectionAsync(cancellationToken);
        for (int i = 0; i < _layout.DatabaseCount; i++)
        {
            await using NpgsqlCommand command = connection.CreateCommand();
            command.CommandText = $"SELECT count(*), count(*) FILTER (WHERE is_matched), count(*) FILTER (WHERE is_expired) FROM {SchemaOf(i)}.trade";
            await using NpgsqlDataReader reader = await command.ExecuteReaderAsync(cancellationToken);
            await reader.ReadAsync(cancellationToken);
            counts = new StoreCounts(counts.Trades + reader.GetInt64(0), counts.Matched + reader.GetInt64(1), counts.Expired + reader.GetInt64(2));
        }

        return counts;
    }

    /// <summary>Counts the rows of trades and of the audit trail: each was inserted once.</summary>
    internal async ValueTask<long> CountRowsAsync(CancellationToken cancellationToken = default)
    {
        long count = 0;
        await using NpgsqlConnection connection = await _source.OpenConnectionAsync(cancellationToken);
        for (int i = 0; i < _layout.DatabaseCount; i++)
        {
            await using NpgsqlCommand command = connection.CreateCommand();
            command.CommandText = $"SELECT (SELECT count(*) FROM {SchemaOf(i)}.trade) + (SELECT count(*) FROM {SchemaOf(i)}.audit)";
            count += (long)(await command.ExecuteScalarAsync(cancellationToken))!;
        }

        return count;
    }

    /// <summary>How many bytes the server has ever written into its write-ahead log: for this store, and for whatever else there is.</summary>
    internal async ValueTask<long> CountLogBytesAsync(CancellationToken cancellationToken = default)
    {
        await using NpgsqlConnection connection = await _source.OpenConnectionAsync(cancellationToken);
        await using NpgsqlCommand command = connection.CreateCommand();
        command.CommandText = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint";
        return (long)(await command.ExecuteScalarAsync(cancellationToken))!;
    }

    /// <summary>Removes the store with all that is in it.</summary>
    internal async Task DropAsync()
    {
        await using NpgsqlConnection connection = await _source.OpenConnectionAsync();
        for (int i = 0; i < _layout.DatabaseCount; i++)
            await ExecuteAsync(connection, $"DROP SCHEMA IF EXISTS {SchemaOf(i)} CASCADE", default);
        await ExecuteAsync(connection, $"DROP SCHEMA IF EXISTS {_name}_meta CASCADE", default);
    }

    public ValueTask DisposeAsync() => _source.DisposeAsync();

    /// <summary>
    /// Without Npgsql's limit of 30 s for a command. Batches that have trades in common wait for each other, and a commit waits for the disk: on a
    /// busy machine the sum of both can be more, and nothing has failed then. A server that is gone is noticed by the connection.
    /// </summary>
    private static string Patient(string connectionString) => new NpgsqlConnectionStringBuilder(connectionString)
    {
        CommandTimeout = 0,
        Timeout = 60,
        TcpKeepAlive = true,
        TcpKeepAliveTime = 30,
        TcpKeepAliveInterval = 10,
    }.ConnectionString;

    private static void AddKeys(NpgsqlParameterCollection parameters, IReadOnlyList<TradeKey> keys)
    {
        parameters.Add(new NpgsqlParameter<long[]> { TypedValue = [.. keys.Select(key => key.Broker)] });
        parameters.Add(new NpgsqlParameter<int[]> { TypedValue = [.. keys.Select(key => key.TradeDate)] });
        parameters.Add(new NpgsqlParameter<long[]> { TypedValue = [.. keys.Select(key => key.Reference)] });
    }

    private static void AddUpdate(NpgsqlBatch batch, string schema, IReadOnlyList<TradeState> states)
    {
        var update = new NpgsqlBatchCommand(
            $"UPDATE {schema}.trade t SET state = k.state, is_matched = k.is_matched, is_expired = k.is_expired "
            + "FROM unnest($1, $2, $3, $4, $5, $6) AS k (broker, trade_date, reference, state, is_matched, is_expired) "
            + "WHERE t.reference = k.reference AND t.broker = k.broker AND t.trade_date = k.trade_date");
        AddKeys(update.Parameters, [.. states.Select(state => state.Key)]);
        update.Parameters.Add(new NpgsqlParameter<byte[][]> { TypedValue = [.. states.Select(StoreFormats.Write)] });
        update.Parameters.Add(new NpgsqlParameter<bool[]> { TypedValue = [.. states.Select(state => state.IsMatched)] });
        update.Parameters.Add(new NpgsqlParameter<bool[]> { TypedValue = [.. states.Select(state => state.IsExpired)] });
        batch.BatchCommands.Add(update);
    }

    private string SchemaOf(int database) => string.Create(CultureInfo.InvariantCulture, $"{_name}_{database:D2}");

    private static async Task<int> ExecuteAsync(NpgsqlConnection connection, string text, CancellationToken cancellationToken)
    {
        await using NpgsqlCommand command = connection.CreateCommand();
        command.CommandText = text;
        return await command.ExecuteNonQueryAsync(cancellationToken);
    }

    private async Task CreateDatabaseAsync(NpgsqlConnection connection, int database, CancellationToken cancellationToken)
    {
        string schema = SchemaOf(database);
        await ExecuteAsync(
            connection,
            $"""
            CREATE SCHEMA IF NOT EXISTS {schema};
            CREATE TABLE IF NOT EXISTS {schema}.trade (
                broker bigint NOT NULL, trade_date int NOT NULL, reference bigint NOT NULL, first_seen bigint NOT NULL,
                is_matched bool NOT NULL DEFAULT false, is_expired bool NOT NULL DEFAULT false, state bytea,
                PRIMARY KEY (reference, broker, trade_date)) WITH (fillfactor = 50);
            CREATE TABLE IF NOT EXISTS {schema}.audit (
                message_id text NOT NULL, reference bigint NOT NULL, slot smallint NOT NULL, version int NOT NULL, received bigint NOT NULL,
                body bytea);
            CREATE TABLE IF NOT EXISTS {schema}.unsettled (delivery_id text PRIMARY KEY, emission bytea NOT NULL);
            """,
            cancellationToken);
    }

    private async Task<Layout> ReadLayoutAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        await using NpgsqlCommand command = connection.CreateCommand();
        command.CommandText = $"SELECT databases, first_trade_date FROM {_name}_meta.layout";
        await using NpgsqlDataReader reader = await command.ExecuteReaderAsync(cancellationToken);
        await reader.ReadAsync(cancellationToken);
        return new Layout(reader.GetInt32(0), reader.GetInt32(1));
    }

    private static async Task<TradeKey[]> FindKeysAsync(NpgsqlConnection connection, string schema, Func<TradeKey, bool> isMeant,
        CancellationToken cancellationToken)
    {
        var keys = new List<TradeKey>();
        await using NpgsqlCommand command = connection.CreateCommand();
        command.CommandText = $"SELECT broker, trade_date, reference FROM {schema}.trade";
        await using NpgsqlDataReader reader = await command.ExecuteReaderAsync(cancellationToken);
        while (await reader.ReadAsync(cancellationToken))
        {
            var key = new TradeKey(reader.GetInt64(0), reader.GetInt32(1), reader.GetInt64(2));
            if (isMeant(key))
                keys.Add(key);
        }

        return [.. keys];
    }

    /// <summary>Moves the unsettled emissions with their trade, so that a redelivery finds them.</summary>
    private static async Task MoveUnsettledAsync(
        NpgsqlConnection connection, string source, string target, Func<TradeKey, bool> isMoving, CancellationToken cancellationToken)
    {
        var ids = new List<string>();
        await using (NpgsqlCommand select = connection.CreateCommand())
        {
            select.CommandText = $"SELECT delivery_id, emission FROM {source}.unsettled";
            await using NpgsqlDataReader reader = await select.ExecuteReaderAsync(cancellationToken);
            while (await reader.ReadAsync(cancellationToken))
            {
                if (isMoving(StoreFormats.Read<Emission>(reader.GetFieldValue<byte[]>(1)).Terms.Key))
                    ids.Add(reader.GetString(0));
            }
        }

        await using NpgsqlCommand move = connection.CreateCommand();
        move.CommandText = $"WITH moved AS (DELETE FROM {source}.unsettled WHERE delivery_id = ANY ($1) RETURNING *) INSERT "
            + $"INTO {target}.unsettled SELECT * FROM moved";
        move.Parameters.Add(new NpgsqlParameter<string[]> { TypedValue = [.. ids] });
        await move.ExecuteNonQueryAsync(cancellationToken);
    }

    /// <summary>Applies the messages of one database.</summary>
    private async Task<(StoreEntry[] Entries, bool IsApplied)> ApplyAsync(Layout layout, int database, StoreEntry[] entries,
        CancellationToken cancellationToken)
    {
        string schema = SchemaOf(database);
        long now = DateTime.UtcNow.Ticks;
        // Every batch locks in this order: none waits for one that waits for it.
        TradeKey[] keys = [.. entries.Select(entry => entry.Key).Distinct().OrderBy(key => key.Reference).ThenBy(key => key.Broker)
            .ThenBy(key => key.TradeDate)];
        await using NpgsqlConnection connection = await _source.OpenConnectionAsync(cancellationToken);
        await using NpgsqlTransaction transaction = await connection.BeginTransactionAsync(cancellationToken);
        var states = new Dictionary<TradeKey, TradeState?>();
        var unsettled = new Dictionary<string, Emission>(StringComparer.Ordinal);
        Layout current = await LockAsync(connection, schema, keys, entries, now, states, unsettled, cancellationToken);
        if (current.DatabaseCount != layout.DatabaseCount)
        {
            _layout = current;
            return (entries, false);
        }

        var changed = new HashSet<TradeState>();
        foreach (StoreEntry entry in entries)
            Apply(entry, current, now, states, unsettled, changed);
        await WriteAsync(connection, schema, entries, now, changed, cancellationToken);
        Emission[] emissions = [.. entries.Where(entry => entry.IsTold).Select(entry => entry.Emission!)];
        if (emissions.Length > 0)
        {
            await using QueueTransaction messages = _clearings!.UseTransaction(transaction);
            await _clearings!.SendBatchAsync([.. emissions.Select(_makeClearing!)], messages, cancellationToken);
            await messages.CommitAsync(CancellationToken.None);
        }
        else
        {
            await transaction.CommitAsync(CancellationToken.None);
        }

        return (entries, true);
    }

    /// <summary>Makes rows of trades that are new, locks all, and reads them.</summary>
    private async Task<Layout> LockAsync(
        NpgsqlConnection connection,
        string schema,
        TradeKey[] keys,
        StoreEntry[] entries,
        long now,
        Dictionary<TradeKey, TradeState?> states,
        Dictionary<string, Emission> unsettled,
        CancellationToken cancellationToken)
    {
        await using NpgsqlBatch batch = connection.CreateBatch();
        batch.BatchCommands.Add(new NpgsqlBatchCommand($"SELECT pg_advisory_xact_lock_shared({LockNumber})"));
        batch.BatchCommands.Add(new NpgsqlBatchCommand($"SELECT databases, first_trade_date FROM {_name}_meta.layout"));
        var insert = new NpgsqlBatchCommand(
            $"INSERT INTO {schema}.trade (broker, trade_date, reference, first_seen) SELECT k.broker, k.trade_date, k.reference, $4 "
            + $"FROM unnest($1, $2, $3) AS k (broker, trade_date, reference), {_name}_meta.layout l WHERE k.trade_date >= l.first_trade_date "
            + "ORDER BY k.reference, k.broker, k.trade_date ON CONFLICT DO NOTHING");
        AddKeys(insert.Parameters, keys);
        insert.Parameters.Add(new NpgsqlParameter<long> { TypedValue = now });
        batch.BatchCommands.Add(insert);
        var select = new NpgsqlBatchCommand(
            $"SELECT t.broker, t.trade_date, t.reference, t.state FROM {schema}.trade t JOIN unnest($1, $2, $3) AS k (broker, trade_date, reference) "
            + "ON t.reference = k.reference AND t.broker = k.broker AND t.trade_date = k.trade_date ORDER BY "
            + "t.reference, t.broker, t.trade_date FOR UPDATE OF t");
        AddKeys(select.Parameters, keys);
        batch.BatchCommands.Add(select);
        if (_clearings is null)
        {
            var find = new NpgsqlBatchCommand($"SELECT delivery_id, emission FROM {schema}.unsettled WHERE delivery_id = ANY ($1)");
            find.Parameters.Add(new NpgsqlParameter<string[]> { TypedValue = [.. entries.Select(entry => entry.DeliveryId)] });
            batch.BatchCommands.Add(find);
        }

        await using NpgsqlDataReader reader = await batch.ExecuteReaderAsync(cancellationToken);
        await reader.NextResultAsync(cancellationToken);
        await reader.ReadAsync(cancellationToken);
        var layout = new Layout(reader.GetInt32(0), reader.GetInt32(1));
        await reader.NextResultAsync(cancellationToken);
        while (await reader.ReadAsync(cancellationToken))
        {
            var key = new TradeKey(reader.GetInt64(0), reader.GetInt32(1), reader.GetInt64(2));
            states[key] = await reader.IsDBNullAsync(3, cancellationToken)
                ? null
                : StoreFormats.Read<TradeState>(await reader.GetFieldValueAsync<byte[]>(3, cancellationToken));
        }

        if (await reader.NextResultAsync(cancellationToken))
        {
            while (await reader.ReadAsync(cancellationToken))
                unsettled[reader.GetString(0)] = StoreFormats.Read<Emission>(await reader.GetFieldValueAsync<byte[]>(1, cancellationToken));
        }

        return layout;
    }

    private void Apply(
        StoreEntry entry,
        Layout layout,
        long now,
        Dictionary<TradeKey, TradeState?> states,
        Dictionary<string, Emission> unsettled,
        HashSet<TradeState> changed)
    {
        entry.Emission = null;
        entry.IsTold = false;
        if (unsettled.TryGetValue(entry.DeliveryId, out Emission? emission))
        {
            entry.Outcome = ApplyOutcome.Applied;
            entry.Emission = emission;
            return;
        }

        if (entry.Key.TradeDate < layout.FirstTradeDate)
        {
            entry.Outcome = ApplyOutcome.Cleared;
            return;
        }

        TradeState state = states[entry.Key] ??= new TradeState(entry.Key, now);
        entry.Outcome = state.Apply(entry.Slot, entry.Statement, out Transition transition);
        if (entry.Outcome is ApplyOutcome.Applied or ApplyOutcome.ConflictReplaced)
            changed.Add(state);
        if (transition == Transition.None)
            return;
        entry.Emission = new Emission(transition, state.MatchCount, TradeTermsCodes.Of(state));
        entry.IsTold = _clearings is not null;
    }

    private async Task WriteAsync(
        NpgsqlConnection connection, string schema, StoreEntry[] entries, long now, HashSet<TradeState> changed, CancellationToken cancellationToken)
    {
        await using NpgsqlBatch batch = connection.CreateBatch();
        if (changed.Count > 0)
        {
            AddUpdate(batch, schema, [.. changed]);
            StoreEntry[] applied = [.. entries.Where(entry => entry.Outcome is ApplyOutcome.Applied or ApplyOutcome.ConflictReplaced)];
            var audit = new NpgsqlBatchCommand(
                $"INSERT INTO {schema}.audit (message_id, reference, slot, version, received, body) SELECT *, "
                    + $"$5::bigint, NULL FROM unnest($1, $2, $3, $4) "
                + $"UNION ALL SELECT * FROM unnest($6, $7, $8, $9, $10, $11)");
            AddAudit([.. applied.Where(entry => entry.AuditBody.IsEmpty)], withBodies: false);
            AddAudit([.. applied.Where(entry => !entry.AuditBody.IsEmpty)], withBodies: true);
            batch.BatchCommands.Add(audit);

            void AddAudit(StoreEntry[] group, bool withBodies)
            {
                audit.Parameters.Add(new NpgsqlParameter<string[]> { TypedValue = [.. group.Select(entry => entry.MessageId)] });
                audit.Parameters.Add(new NpgsqlParameter<long[]> { TypedValue = [.. group.Select(entry => entry.Key.Reference)] });
                audit.Parameters.Add(new NpgsqlParameter<short[]> { TypedValue = [.. group.Select(entry => (short)entry.Slot)] });
                audit.Parameters.Add(new NpgsqlParameter<int[]> { TypedValue = [.. group.Select(entry => entry.Statement.Version)] });
                if (!withBodies)
                {
                    audit.Parameters.Add(new NpgsqlParameter<long> { TypedValue = now });
                    return;
                }

                audit.Parameters.Add(new NpgsqlParameter<long[]> { TypedValue = [.. group.Select(_ => now)] });
                audit.Parameters.Add(new NpgsqlParameter<byte[][]> { TypedValue = [.. group.Select(entry => entry.AuditBody.ToArray())] });
            }
        }

        AddSettling(batch, schema, entries);
        if (batch.BatchCommands.Count > 0)
            await batch.ExecuteNonQueryAsync(cancellationToken);
    }

    private void AddSettling(NpgsqlBatch batch, string schema, StoreEntry[] entries)
    {
        if (_clearings is not null)
            return;
        StoreEntry[] telling = [.. entries.Where(entry => entry.Emission is not null)];
        if (telling.Length > 0)
        {
            var insert = new NpgsqlBatchCommand($"INSERT INTO {schema}.unsettled SELECT * FROM unnest($1, $2) ON CONFLICT DO NOTHING");
            insert.Parameters.Add(new NpgsqlParameter<string[]> { TypedValue = [.. telling.Select(entry => entry.DeliveryId)] });
            insert.Parameters.Add(new NpgsqlParameter<byte[][]> { TypedValue = [.. telling.Select(entry => StoreFormats.Write(entry.Emission!))] });
            batch.BatchCommands.Add(insert);
        }

        string[] settled;
        lock (_settled)
        {
            settled = [.. _settled];
            _settled.Clear();
        }

        if (settled.Length == 0)
            return;
        // Of whichever database: an id is in one only.
        for (int i = 0; i < _layout.DatabaseCount; i++)
        {
            var delete = new NpgsqlBatchCommand($"DELETE FROM {SchemaOf(i)}.unsettled WHERE delivery_id = ANY ($1)");
            delete.Parameters.Add(new NpgsqlParameter<string[]> { TypedValue = settled });
            batch.BatchCommands.Add(delete);
        }
    }

    /// <summary>How the trades are distributed.</summary>
    /// <param name="DatabaseCount">Over how many databases.</param>
    /// <param name="FirstTradeDate">Earlier days have been cleared.</param>
    private sealed record Layout(int DatabaseCount, int FirstTradeDate);
}
