using System;
using System.Linq;

namespace Formatters.Hosting;

/// <summary>The settings of the outbox and inbox: tables of the application's database, in whose transactions messages are sent and
/// handled.</summary>
/// <remarks>Validated when the host starts.</remarks>
public sealed class OutboxOptions
{
    /// <summary>The kind of database.</summary>
    /// <value>Default null: by the type of the connection, which is that of Npgsql or Microsoft.Data.Sqlite.</value>
    public OutboxDialect? Dialect { get; set; }

    /// <summary>The table of the messages to send: letters, digits and underscores, also with a schema before a dot.</summary>
    /// <value>Default <c>formatters_outbox</c>.</value>
    public string OutboxTable { get; set; } = "formatters_outbox";

    /// <summary>The table of the ids of handled messages, named like <see cref="OutboxTable"/>.</summary>
    /// <value>Default <c>formatters_inbox</c>.</value>
    public string InboxTable { get; set; } = "formatters_inbox";

    /// <summary>Gets or sets whether tables that do not exist are created when the host starts. On SQLite, the database is also set to write-ahead
    /// logging.</summary>
    /// <value>Default false: they are created by the application, with <see cref="IOutbox.CreateTablesAsync"/>, by a migration, or with
    /// <see cref="IOutbox.CreateTablesSql"/>.</value>
    public bool CreateTables { get; set; }

    /// <summary>Gets or sets how often the dispatcher looks for committed messages that it was not told of: of other processes, or of a transaction
    /// that the application has committed itself.</summary>
    /// <value>From 10 milliseconds to 1 day. Default 1 second.</value>
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>Gets or sets whether the dispatcher listens on a separate connection for messages of other processes, and of transactions that the
    /// application has committed itself. Only on PostgreSQL.</summary>
    /// <value>Default true. False: such messages are found after <see cref="PollInterval"/>.</value>
    public bool Listen { get; set; } = true;

    /// <summary>Gets or sets how many messages are sent before their rows are deleted together.</summary>
    /// <value>From 1 to 10,000. Default 100.</value>
    public int BatchSize { get; set; } = 100;

    /// <summary>For how long the queue rejects a message that is sent again after a crash, where it supports it:
    /// <see cref="Queues.QueueOptions.DuplicateWindow"/>.</summary>
    /// <value>Default 10 minutes. Null: such a message is in the queue twice, and only an inbox recognizes it.</value>
    public TimeSpan? DuplicateWindow { get; set; } = TimeSpan.FromMinutes(10);

    /// <summary>Gets or sets how long the id of a handled message is kept. A message that is delivered again later than that is handled
    /// again.</summary>
    /// <value>At least 1 minute. Default 7 days.</value>
    public TimeSpan InboxRetention { get; set; } = TimeSpan.FromDays(7);

    /// <summary>The longest wait before the dispatcher tries a queue or database again that has failed. The wait begins with the
    /// <see cref="PollInterval"/>, at most a second, and doubles. A new message shortens it to the first wait.</summary>
    /// <value>At least 10 milliseconds. Default 30 seconds.</value>
    public TimeSpan MaxRetryDelay { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets the wait after the first failure, and the least one.</summary>
    internal TimeSpan MinRetryDelay => new[] { PollInterval, MaxRetryDelay, TimeSpan.FromSeconds(1) }.Min();
}

/// <summary>A kind of database that can have an outbox.</summary>
public enum OutboxDialect
{
    /// <summary>PostgreSQL 12 or later, by Npgsql.</summary>
    PostgreSql,

    /// <summary>SQLite 3.24 or later, by Microsoft.Data.Sqlite.</summary>
    Sqlite,
}
