using Formatters.TradeEngine.Monitoring;
using Formatters.TradeEngine.Store;
using Formatters.TradeEngine.Store.PostgreSql;
using Formatters.TradeEngine.Store.Sqlite;
using Npgsql;

namespace Formatters.TradeEngine.Measurement;

/// <summary>Opens the store that an address names, and the queue of the CLS that belongs to it.</summary>
internal static class EngineStores
{
    private const int PostgreSqlPort = 5432;
    private const int AmqpPort = 5672;

    internal static bool IsPostgreSql(string place) => place.StartsWith("postgres:", StringComparison.OrdinalIgnoreCase)
        || place.StartsWith("postgresql:", StringComparison.OrdinalIgnoreCase);

    /// <summary>The queue of the CLS, if the store sends them itself.</summary>
    internal static string? ClearingsOf(string place) => IsPostgreSql(place) ? place.TrimEnd('/') + "/engine-cls" : null;

    /// <param name="place">A folder, or an address of PostgreSQL.</param>
    /// <param name="databaseCount">How many databases a new store has.</param>
    /// <param name="formats">The format of the CLS.</param>
    /// <param name="clearings">Their queue, of PostgreSQL only.</param>
    /// <param name="purges">Whether what is in a store of PostgreSQL is deleted first.</param>
    internal static async Task<ITradeStore> OpenAsync(
        string place, int databaseCount, MessageFormats formats, QueueClient? clearings, bool purges, CancellationToken cancellationToken)
    {
        if (!IsPostgreSql(place))
            return await SqliteTradeStore.OpenAsync(place, databaseCount);
        bool mayDrop = purges;
        while (true)
        {
            PostgreSqlTradeStore store = await PostgreSqlTradeStore.OpenAsync(
                ConnectionStringOf(place), databaseCount, "engine", clearings, emission =>
                    ClearingMessages.Make(formats, emission), cancellationToken);
            if (!mayDrop)
                return store;
            // An empty one, too: it may have another number of databases.
            mayDrop = false;
            await store.DropAsync();
            await store.DisposeAsync();
        }
    }

    /// <summary>Deletes the trades of a run that was interrupted, from a store that had none before it. Never throws.</summary>
    /// <param name="place">As for <see cref="OpenAsync"/>; the store is closed.</param>
    /// <param name="isNew">Whether the run has created the folder.</param>
    internal static async Task DeleteTradesAsync(string place, bool isNew)
    {
        try
        {
            if (!IsPostgreSql(place))
            {
                if (isNew)
                    Directory.Delete(place, recursive: true);
                else
                    SqliteTradeStore.Delete(place);
                return;
            }

            await using PostgreSqlTradeStore store = await PostgreSqlTradeStore.OpenAsync(ConnectionStringOf(place), 1, "engine", null,
                static _ => throw new InvalidOperationException(), default);
            await store.DropAsync();
        }
        catch (Exception e) when (e is NpgsqlException or IOException or UnauthorizedAccessException or QueueException)
        {
            // The next run says that there are trades.
        }
    }

    /// <summary>The processes of the database server, if it is on this machine.</summary>
    internal static ServerProcesses? FindDatabase(string place) => IsPostgreSql(place) ? Find(place, PostgreSqlPort) : null;

    /// <summary>The processes of the broker, if it is on this machine.</summary>
    internal static ServerProcesses? FindBroker(string prefix) =>
        prefix.StartsWith("amqp:", StringComparison.OrdinalIgnoreCase) ? Find(prefix, AmqpPort) : null;

    private static ServerProcesses? Find(string address, int port)
    {
        Uri uri = new(address);
        return ServerProcesses.Find(uri.Host, uri.Port > 0 ? uri.Port : port);
    }

    /// <summary>Converts postgres://user:password@host:port/database to Npgsql's connection string.</summary>
    private static string ConnectionStringOf(string address)
    {
        Uri uri = QueueAddress.Parse(address).Uri;
        string[] user = uri.UserInfo.Split(':', 2);
        var builder = new NpgsqlConnectionStringBuilder { Host = uri.Host, Database = Uri.UnescapeDataString(uri.AbsolutePath.Trim('/')) };
        if (uri.Port > 0)
            builder.Port = uri.Port;
        if (user[0].Length > 0)
            builder.Username = Uri.UnescapeDataString(user[0]);
        if (user.Length > 1)
            builder.Password = Uri.UnescapeDataString(user[1]);
        return builder.ConnectionString;
    }
}
