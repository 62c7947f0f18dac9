using System;
using System.Collections.Generic;
using System.Data.Common;
using System.Globalization;
using System.Linq;

namespace Formatters.Hosting;

/// <summary>The statements over the two tables, and what the errors of the databases mean.</summary>
internal sealed class OutboxTables
{
    /// <summary>The columns of the outbox that a message fills.</summary>
    private const string MessageColumns = "queue, message_id, contract, properties, body, body_type, content_type, created_at";

    // "fmto": the first half of an advisory lock's key; the second is the table.
    private const int LockClass = 0x666D746F;

    private const int CleanupBatchSize = 1000;

    private readonly OutboxDialect _dialect;
    private readonly string _outboxName;
    private readonly string _inboxName;
    private readonly string _outbox;
    private readonly string _inbox;

    internal OutboxTables(OutboxDialect dialect, OutboxOptions options)
    {
        _dialect = dialect;
        _outboxName = options.OutboxTable;
        _inboxName = options.InboxTable;
        _outbox = Quote(_outboxName);
        _inbox = Quote(_inboxName);
        Insert = $"insert into {_outbox} ({MessageColumns}) "
            + "values (@queue, @message_id, @contract, @properties, @body, @body_type, @content_type, @created_at)";
        InsertHandled = $"insert into {_inbox} (queue, message_id, handled_at) values (@queue, @message_id, @handled_at) on conflict do nothing";
    }

    internal OutboxDialect Dialect => _dialect;

    internal string Insert { get; }

    /// <summary>Gets the statement that inserts no row if the message was handled before.</summary>
    internal string InsertHandled { get; }

    internal string SetAside => $"update {_outbox} set error = @error where id = @id";

    /// <summary>Gets the query that fails if a table or column is missing.</summary>
    internal IEnumerable<string> Checks =>
        [$"select id, {MessageColumns}, error from {_outbox} where 1 = 0", $"select queue, message_id, handled_at from {_inbox} where 1 = 0"];

    /// <summary>Gets the query that locks the outbox until the end of the transaction, if no other process has.</summary>
    internal string TryLock => $"select pg_try_advisory_xact_lock({LockClass}, '{_outbox}'::regclass::oid::int)";

    /// <summary>Gets the statement that deletes some of the inbox's expired rows, and how many at most.</summary>
    internal (string Text, int MaxCount) DeleteHandled
    {
        get
        {
            string rows = $"from {_inbox} where handled_at < @limit limit {CleanupBatchSize}";
            return (_dialect == OutboxDialect.PostgreSql
                ? $"delete from {_inbox} where ctid = any(array(select ctid {rows}))"
                : $"delete from {_inbox} where rowid in (select rowid {rows})", CleanupBatchSize);
        }
    }

    internal IReadOnlyList<string> Create
    {
        get
        {
            bool isPostgreSql = _dialect == OutboxDialect.PostgreSql;
            string id = isPostgreSql ? "bigint generated always as identity primary key" : "integer primary key autoincrement";
            string bytes = isPostgreSql ? "bytea" : "blob";
            int schemaLength = _inboxName.IndexOf('.', StringComparison.Ordinal) + 1;
            string index = _inboxName[schemaLength..] + "_handled_at";
            // In SQLite, the name of an index has the schema; in PostgreSQL, it is in that of its table.
            string schema = isPostgreSql ? "" : _inboxName[..schemaLength];
            return
            [
                $"create table if not exists {_outbox} (id {id}, queue text not null, message_id text not null, contract text not null, "
                    + $"properties text not null, body {bytes} not null, body_type integer not null, content_type text, "
                    + "created_at bigint not null, error text)",
                $"create table if not exists {_inbox} (queue text not null, message_id text not null, handled_at bigint not null, "
                    + "primary key (queue, message_id))",
                $"create index if not exists {Quote(schema + index)} on {(isPostgreSql ? _inbox : Quote(_inboxName[schema.Length..]))} (handled_at)",
            ];
        }
    }

    /// <summary>Gets the query for the oldest messages, except those for some queues.</summary>
    internal string Select(int maxCount, int excludedQueueCount)
    {
        IEnumerable<string> excluded =
            Enumerable.Range(0, excludedQueueCount).Select(static i => "@queue" + i.ToString(CultureInfo.InvariantCulture));
        string except = excludedQueueCount == 0 ? "" : $" and queue not in ({string.Join(", ", excluded)})";
        return $"select id, {MessageColumns} from {_outbox} where error is null{except} order by id limit {maxCount}";
    }

    internal string Delete(IEnumerable<long> ids) => $"delete from {_outbox} where id in ({string.Join(",", ids)})";

    /// <summary>Finds the dialect of a connection by its type.</summary>
    internal static OutboxDialect? FindDialect(DbConnection connection)
    {
        for (Type? type = connection.GetType(); type is not null; type = type.BaseType)
        {
            switch (type.FullName)
            {
                case "Npgsql.NpgsqlConnection":
                    return OutboxDialect.PostgreSql;
                case "Microsoft.Data.Sqlite.SqliteConnection":
                    return OutboxDialect.Sqlite;
            }
        }

        return null;
    }

    /// <summary>Creates the exception for an error of the database.</summary>
    /// <param name="error">The error.</param>
    /// <param name="action">What failed: "The message could not be written".</param>
    /// <param name="isOutage">Whether it is an outage, if it does not come from what was written.</param>
    internal OutboxException Error(Exception error, string action, bool isOutage = false)
    {
        isOutage = isOutage && !IsOfData(error);
        OutboxErrorCode code = CodeOf(error);
        string hint = code switch
        {
            OutboxErrorCode.MissingTable =>
                $"the table '{_outboxName}' or '{_inboxName}' or its schema does not exist. Create it, or set "
                    + $"{nameof(OutboxOptions)}.{nameof(OutboxOptions.CreateTables)}.",
            OutboxErrorCode.WrongColumns =>
                $"the table '{_outboxName}' or '{_inboxName}' has other columns than those of {nameof(IOutbox)}.{nameof(IOutbox.CreateTablesSql)}.",
            OutboxErrorCode.EndedTransaction => "the transaction was committed or rolled back before, or one of its statements has failed.",
            OutboxErrorCode.ReadOnlyDatabase => "the database is read-only.",
            OutboxErrorCode.DiskFull => "the disk of the database is full.",
            OutboxErrorCode.UnknownDatabase => $"it is not a database of {nameof(OutboxOptions)}.{nameof(OutboxOptions.Dialect)} {_dialect}.",
            _ => "the database failed.",
        };
        return new OutboxException(code, $"{action}: {hint} ({error.Message})", error) { IsOutage = isOutage };
    }

    /// <summary>Creates the exception for an error of a database that could not be opened.</summary>
    internal static OutboxException Error(Exception error) =>
        new(CodeOf(error), $"No transaction could be begun in the database of the outbox. ({error.Message})", error)
        {
            IsOutage = true,
        };

    /// <summary>Determines whether a value cannot be written: a data exception, a constraint, a limit.</summary>
    private static bool IsOfData(Exception error) => error is DbException { SqlState: { Length: 5 } state }
        ? state[..2] is "22" or "23" or "54"
        : Has(error.Message, "constraint failed") || Has(error.Message, "too big");

    private static OutboxErrorCode CodeOf(Exception error) => error switch
    {
        DbException { SqlState: { Length: 5 } state } => state switch
        {
            "42P01" or "3F000" => OutboxErrorCode.MissingTable,
            "42703" or "42804" => OutboxErrorCode.WrongColumns,
            "25P02" => OutboxErrorCode.EndedTransaction,
            "25006" => OutboxErrorCode.ReadOnlyDatabase,
            "53100" => OutboxErrorCode.DiskFull,
            "42601" => OutboxErrorCode.UnknownDatabase,
            _ => OutboxErrorCode.DatabaseFailed,
        },
        // SQLite's own messages, which are not translated: "SQLite Error 13: 'database or disk is full'."
        DbException => error.Message switch
        {
            var text when Has(text, "no such table") || Has(text, "unknown database") => OutboxErrorCode.MissingTable,
            var text when Has(text, "no such column") || Has(text, "has no column named") => OutboxErrorCode.WrongColumns,
            var text when Has(text, "readonly database") => OutboxErrorCode.ReadOnlyDatabase,
            var text when Has(text, "disk is full") => OutboxErrorCode.DiskFull,
            var text when Has(text, "syntax error") || Has(text, "no such function") || Has(text, "unrecognized token") =>
                OutboxErrorCode.UnknownDatabase,
            _ => OutboxErrorCode.DatabaseFailed,
        },
        InvalidOperationException or ObjectDisposedException => OutboxErrorCode.EndedTransaction,
        _ => OutboxErrorCode.DatabaseFailed,
    };

    private static bool Has(string text, string part) => text.Contains(part, StringComparison.OrdinalIgnoreCase);

    /// <summary>Quotes a name, which has only letters, digits, underscores and a dot.</summary>
    private static string Quote(string name) => '"' + name.Replace(".", "\".\"", StringComparison.Ordinal) + '"';
}
