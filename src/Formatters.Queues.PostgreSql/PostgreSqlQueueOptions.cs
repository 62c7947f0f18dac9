using System;

namespace Formatters.Queues.PostgreSql;

/// <summary>How a <see cref="PostgreSqlQueueProvider"/> connects, and where in a database its queues are.</summary>
public sealed record PostgreSqlQueueOptions
{
    /// <summary>The schema <c>formatters_queues</c>, and Npgsql's own settings.</summary>
    public static PostgreSqlQueueOptions Default { get; } = new();

    /// <summary>The schema that holds the tables of the queues; it is created when it does not exist.</summary>
    /// <value>Default <c>formatters_queues</c>. At most 63 bytes of UTF-8, like every name in PostgreSQL.</value>
    public string SchemaName
    {
        get;
        init => field = value is { Length: > 0 } && System.Text.Encoding.UTF8.GetByteCount(value) <= 63 && !value.Contains('\0', StringComparison.Ordinal)
            ? value
            : throw new ArgumentException("A name of 1 to 63 bytes of UTF-8, without a zero character.", nameof(SchemaName));
    }
        = "formatters_queues";

    /// <summary>Settings of Npgsql that an address does not have: <c>SSL Mode=VerifyFull;Root Certificate=ca.pem</c>.</summary>
    /// <value>Default empty. Host, port, database, user and password are the address's where it has them.</value>
    public string ConnectionString { get; init; } = "";

    /// <summary>After how many messages that this process has received from a database their tables are vacuumed, in the background.</summary>
    /// <value>
    /// Default 20,000 messages; 0 leaves it to the server's autovacuum, which looks once a minute. A receive passes over the rows that received messages leave behind
    /// until a vacuum removes them. It takes a tenth of the time at most, runs on a connection of its own, and only where the user owns the tables.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">Less than 0.</exception>
    public int VacuumThreshold
    {
        get;
        init => field = value >= 0 ? value : throw new ArgumentOutOfRangeException(nameof(VacuumThreshold), value, "0 or more messages.");
    }
        = 20_000;

    /// <summary>The options for people and logs: without the connection string, which may hold a password.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"{nameof(PostgreSqlQueueOptions)} {{ {nameof(SchemaName)} = {SchemaName}, {nameof(VacuumThreshold)} = {VacuumThreshold} }}";
}
