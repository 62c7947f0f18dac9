using System;

namespace Formatters.Queues.PostgreSql;

/// <summary>Options of a <see cref="PostgreSqlQueueProvider"/>: the connection, and the location of the queues in a database.</summary>
public sealed record PostgreSqlQueueOptions
{
    /// <summary>Gets the default options: the schema <c>formatters_queues</c>, and Npgsql's own settings.</summary>
    public static PostgreSqlQueueOptions Default { get; } = new();

    /// <summary>Gets the schema that holds the tables of the queues; it is created if it does not exist.</summary>
    /// <value>Default <c>formatters_queues</c>. At most 63 bytes of UTF-8, like every name in PostgreSQL.</value>
    public string SchemaName
    {
        get;
        init => field = value is { Length: > 0 } && System.Text.Encoding.UTF8.GetByteCount(value) <= 63
            && !value.Contains('\0', StringComparison.Ordinal)
            ? value
            : throw new ArgumentException("A name of 1 to 63 bytes of UTF-8, without a zero character.", nameof(SchemaName));
    }
        = "formatters_queues";

    /// <summary>Gets Npgsql settings that an address cannot contain: <c>SSL Mode=VerifyFull;Root Certificate=ca.pem</c>.</summary>
    /// <value>Default empty. Host, port, database, user and password come from the address if it contains them.</value>
    public string ConnectionString { get; init; } = "";

    /// <summary>
    /// Gets the number of messages, received by this process from a database, after which its tables are vacuumed in the background.
    /// </summary>
    /// <value>Default 20,000 messages; 0 leaves it to the server's autovacuum, which runs once a minute. Until a vacuum, every receive scans past the
    /// dead rows of received messages. Vacuuming takes at most a tenth of the time, uses a separate connection, and requires that the user owns the
    /// tables.</value>
    /// <exception cref="ArgumentOutOfRangeException">Less than 0.</exception>
    public int VacuumThreshold
    {
        get;
        init => field = value >= 0 ? value : throw new ArgumentOutOfRangeException(nameof(VacuumThreshold), value, "0 or more messages.");
    }
        = 20_000;

    /// <summary>Gets the clock by which receivers measure the leases of their messages. The server measures them by its own clock.</summary>
    /// <value>Default <see cref="TimeProvider.System"/>. Only its monotonic time stamps count: setting the machine's clock ends no lease.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public TimeProvider TimeProvider
    {
        get;
        init => field = value ?? throw new ArgumentNullException(nameof(TimeProvider));
    }
        = TimeProvider.System;

    /// <summary>Returns the options as a string for logs, without the connection string, which may contain a password.</summary>
    /// <returns>The string.</returns>
    public override string ToString() =>
        $"{nameof(PostgreSqlQueueOptions)} {{ {nameof(SchemaName)} = {SchemaName}, {nameof(VacuumThreshold)} = {VacuumThreshold} }}";
}
