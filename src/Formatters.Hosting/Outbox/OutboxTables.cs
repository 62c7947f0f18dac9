using System;
using System.Collections.Generic;
using System.Data.Common;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.Sockets;
using System.Text.RegularExpressions;

namespace Formatters.Hosting;

/// <summary>The statements over the two tables, and what the errors of the databases mean.</summary>
internal sealed partial class OutboxTables
{
    /// <summary>The columns of the outbox that a message fills.</summary>
    private const string MessageColumns = "queue, message_id, contract, properties, body, body_type, content_type, created_at";

    // "fmto": the first half of an advisory lock's key; the second is the table.
    private const int LockClass = 0x666D746F;

    private const int CleanupBatchSize = 1000;

    // PostgreSQL cuts longer names off.
    private const int MaxNameLength = 63;
    private const string IndexSuffix = "_handled_at";

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

    /// <summary>Gets the statement that makes a connection of PostgreSQL listen for messages.</summary>
    internal string Listen => $"listen \"{Channel}\"";

    /// <summary>Gets the query that wakes the listeners when its transaction commits.</summary>
    internal string Notify => $"select pg_notify('{Channel}', '')";

    internal string SetAside => $"update {_outbox} set error = @error where id = @id";

    /// <summary>Gets the query for the oldest messages that were set aside.</summary>
    internal string SelectSetAside =>
        $"select id, queue, message_id, contract, error from {_outbox} where error is not null order by id limit @count";

    internal string Retry => $"update {_outbox} set error = null where id = @id and error is not null";

    private string Channel => _outboxName[Math.Max(0, _outboxName.Length - MaxNameLength)..];

    /// <summary>Gets the query that fails if a table or column is missing.</summary>
    internal IEnumerable<string> Checks =>
        [$"select id, {MessageColumns}, error from {_outbox} where 1 = 0", $"select queue, message_id, handled_at from {_inbox} where 1 = 0"];

    /// <summary>Gets statements that write to the database and leave no row.</summary>
    internal IEnumerable<string> Probe =>
    [
        $"insert into {_inbox} (queue, message_id, handled_at) values ('', 'probe', 0) on conflict do nothing",
        $"delete from {_inbox} where queue = '' and message_id = 'probe'",
    ];

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
            string index = IndexOf(_inboxName[schemaLength..]);
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

    /// <summary>Gets the name of the index of an inbox, in the inbox's schema.</summary>
    internal static string IndexOf(string inbox) => inbox[..Math.Min(inbox.Length, MaxNameLength - IndexSuffix.Length)] + IndexSuffix;

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

    /// <summary>Creates the exception for an error of one of these statements, or of a commit.</summary>
    /// <param name="error">The error.</param>
    /// <param name="action">What failed: "The message could not be written".</param>
    /// <param name="isOpen">Whether the connection is still open.</param>
    internal OutboxException Error(Exception error, string action, bool isOpen) =>
        Error(error, action, IsOutage(error, isOwn: true, isOpen), CodeOf(error));

    /// <summary>Creates the exception for an id that was not written to the inbox: an outage, unless it comes from the id.</summary>
    internal OutboxException InboxError(Exception error, string action) => Error(error, action, !IsOfData(error), CodeOf(error));

    /// <summary>Creates the exception for an error that the database is at fault for, whatever the statement.</summary>
    internal static OutboxException Outage(Exception error, string action)
    {
        OutboxErrorCode code = error switch
        {
            DbException => CodeOf(error),
            OutboxException outbox => outbox.ErrorCode,
            _ => OutboxErrorCode.DatabaseFailed,
        };
        return new OutboxException(code, $"{action}. ({error.Message})", error) { IsOutage = true };
    }

    /// <summary>Determines whether a database could not be reached or cannot be used for now. Errors of the program are not outages.</summary>
    internal static bool IsUnavailable(Exception error) => error switch
    {
        OutboxException outbox => outbox.ErrorCode
            is OutboxErrorCode.DatabaseFailed or OutboxErrorCode.DiskFull or OutboxErrorCode.ReadOnlyDatabase,
        DbException or TimeoutException or IOException or SocketException or HttpRequestException => true,
        // Some drivers and libraries of tokens wrap the error.
        InvalidOperationException or ArgumentException or NotSupportedException => error.InnerException is { } inner && IsUnavailable(inner),
        NullReferenceException or InvalidCastException => false,
        TypeLoadException or TypeInitializationException or MissingMemberException or BadImageFormatException => false,
        _ => true,
    };

    /// <summary>Determines whether the database is at fault for an error, whatever the statement and its values.</summary>
    /// <param name="error">The error, or one that it has caused.</param>
    /// <param name="isOwn">Whether the statement is one of these, or a commit, and not one of the application.</param>
    /// <param name="isOpen">Whether the connection is still open.</param>
    internal bool IsOutage(Exception error, bool isOwn, bool isOpen)
    {
        for (Exception? cause = error; cause is not null; cause = cause.InnerException)
        {
            if (cause is DbException failed)
                return _dialect == OutboxDialect.PostgreSql ? IsPostgreSqlOutage(failed, isOwn, isOpen) : IsSqliteOutage(failed, isOwn);
        }

        return false;
    }

    private bool IsPostgreSqlOutage(DbException error, bool isOwn, bool isOpen) => error.SqlState switch
    {
        // The connection has failed, or the server has not answered in time.
        null => isOwn || !isOpen,
        // A table or a column is missing.
        "42P01" or "3F000" or "42703" => isOwn || NamesTable(error),
        // A wait for a lock or the time of a statement has ended.
        "55P03" or "57014" => isOwn,
        "25006" => true,
        // Connections, resources, the operator, the system, internal errors.
        var state => state.Length == 5 && (state[..2] is "08" or "53" or "58" or "XX" || state.StartsWith("57P", StringComparison.Ordinal)),
    };

    private bool IsSqliteOutage(DbException error, bool isOwn)
    {
        Match code = SqliteCode().Match(error.Message);
        if (!code.Success)
            return false;
        return (int.Parse(code.Groups[1].ValueSpan, CultureInfo.InvariantCulture) & 0xFF) switch
        {
            // Busy and locked: the transaction of a handler has the lock, so these are of another database.
            5 or 6 => isOwn,
            // Out of memory, read-only, I/O error, corrupt, full, cannot be opened, protocol error, not a database.
            7 or 8 or 10 or 11 or 13 or 14 or 15 or 26 => true,
            _ => CodeOf(error) is OutboxErrorCode.MissingTable or OutboxErrorCode.WrongColumns && NamesTable(error),
        };
    }

    /// <summary>Determines whether the message of an error names one of the two tables.</summary>
    private bool NamesTable(Exception error) => Names(error.Message, _outboxName) || Names(error.Message, _inboxName);

    private static bool Names(string text, string table) =>
        Regex.IsMatch(text, $@"\b{table[(table.IndexOf('.', StringComparison.Ordinal) + 1)..]}\b", RegexOptions.IgnoreCase);

    private OutboxException Error(Exception error, string action, bool isOutage, OutboxErrorCode code)
    {
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

    /// <summary>Matches the messages of Microsoft.Data.Sqlite, which are not translated: "SQLite Error 13: 'database or disk is full'."</summary>
    [GeneratedRegex(@"\ASQLite Error (\d+):")]
    private static partial Regex SqliteCode();

    /// <summary>Quotes a name, which has only letters, digits, underscores and a dot.</summary>
    private static string Quote(string name) => '"' + name.Replace(".", "\".\"", StringComparison.Ordinal) + '"';
}
