using System;

namespace Formatters.Queues.PostgreSql;

/// <summary>The parts of <c>postgres://[user[:password]@]host[:port]/database/queue</c>, percent-encoding resolved.</summary>
internal sealed record PostgreSqlAddress
{
    private PostgreSqlAddress(QueueAddress address, string database)
    {
        Uri uri = address.Uri;
        int colon = uri.UserInfo.IndexOf(':', StringComparison.Ordinal);
        Text = address.ToString();
        Host = uri.IdnHost;
        Port = uri.Port > 0 ? uri.Port : 5432;
        User = uri.UserInfo.Length == 0 ? null : Uri.UnescapeDataString(colon < 0 ? uri.UserInfo : uri.UserInfo[..colon]);
        Password = colon < 0 ? null : Uri.UnescapeDataString(uri.UserInfo[(colon + 1)..]);
        Database = database;
        QueueName = address.QueueName;
    }

    /// <summary>Gets the address without the password, for messages.</summary>
    internal string Text { get; }

    internal string Host { get; }

    internal int Port { get; }

    internal string? User { get; }

    internal string? Password { get; }

    internal string Database { get; }

    internal string QueueName { get; init; }

    internal static PostgreSqlAddress Parse(QueueAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        return Parse(address, nameCount: 2) ?? throw new FormatException(
            $"'{address}' is not the address of a PostgreSQL queue. The form is postgres://[user[:password]@]host[:port]/database/queue, with %2F "
            + "for a slash inside a name.");
    }

    /// <summary>Parses the address of a database: without a queue.</summary>
    internal static PostgreSqlAddress ParseDatabase(QueueAddress address) =>
        Parse(address, nameCount: 1) ?? throw new FormatException(
            $"'{address}' is not the address of a PostgreSQL database. The form is postgres://[user[:password]@]host[:port]/database.");

    /// <summary>Parses the address of a database, <c>postgres://host/database</c> with or without a trailing slash, or of a queue.</summary>
    /// <returns>The database (with an empty queue name for all queues), and an address in it.</returns>
    internal static (PostgreSqlAddress Address, QueueAddress Place) ParsePlaceOrQueue(QueueAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        if (address.QueueName.Length > 0 && Parse(address, nameCount: 2) is { } queue)
            return (queue, address);
        if (Parse(address, nameCount: 1) is not { } database)
            throw new FormatException(
                $"'{address}' is not the address of a PostgreSQL database or of a queue in one. The form is "
                + "postgres://[user[:password]@]host[:port]/database/ or .../database/queue.");
        QueueAddress place = address.QueueName.Length == 0 ? address : QueueAddress.Parse(address.Uri.AbsoluteUri + "/");
        return (database with { QueueName = "" }, place);
    }

    private static PostgreSqlAddress? Parse(QueueAddress address, int nameCount)
    {
        string path = address.Uri.AbsolutePath;
        // A trailing slash after a database has no meaning.
        string[] names = (nameCount == 1 && path.EndsWith('/') ? path[..^1] : path).Split('/')[1..];
        bool isGood = address.Scheme is "postgres" or "postgresql" && address.Uri.Host.Length > 0 && address.Uri.Query.Length == 0
            && address.Uri.Fragment.Length == 0 && names.Length == nameCount && Array.TrueForAll(names, name => name.Length > 0);
        if (!isGood)
            return null;
        string database = Uri.UnescapeDataString(names[0]);
        // PostgreSQL's text type does not support this character.
        if (database.Contains('\0', StringComparison.Ordinal) || address.QueueName.Contains('\0', StringComparison.Ordinal))
            throw new FormatException($"'{address}' has a name with a zero character.");
        return new PostgreSqlAddress(address, database);
    }
}
