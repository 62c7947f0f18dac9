using System.Net.Sockets;
using System.Text;
using Npgsql;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace Formatters.Bench.Servers;

/// <content>The brokers.</content>
internal static partial class ServerSettings
{
    private static readonly string[] PostgreSqlNames =
    [
        "server_version", "fsync", "synchronous_commit", "full_page_writes", "wal_sync_method", "wal_level", "commit_delay", "shared_buffers",
        "max_wal_size", "max_connections",
    ];

    private static readonly string[] RabbitMqNames = ["product", "version", "platform", "cluster_name"];

    internal static partial bool IsUnreachable(Exception e) =>
        e is NpgsqlException or BrokerUnreachableException or OperationInterruptedException or ArgumentException or IOException or SocketException
            or OperationCanceledException or FormatException;

    private static async partial Task<IReadOnlyDictionary<string, string>> AskServerAsync(
        QueueAddress address, CancellationToken cancellationToken) =>
        address.Scheme switch
        {
            "postgres" or "postgresql" => await ReadPostgreSqlAsync(address, cancellationToken),
            "amqp" or "amqps" => await ReadRabbitMqAsync(address, cancellationToken),
            _ => new Dictionary<string, string>(),
        };

    private static async Task<IReadOnlyDictionary<string, string>> ReadPostgreSqlAsync(QueueAddress address, CancellationToken cancellationToken)
    {
        string[] user = address.Uri.UserInfo.Split(':', 2);
        var settings = new NpgsqlConnectionStringBuilder
        {
            Host = address.Uri.Host,
            Port = address.Uri.IsDefaultPort || address.Uri.Port < 0 ? 5432 : address.Uri.Port,
            Username = Uri.UnescapeDataString(user[0]),
            Password = user.Length > 1 ? Uri.UnescapeDataString(user[1]) : null,
            Database = Uri.UnescapeDataString(address.Uri.AbsolutePath.Trim('/').Split('/')[0]),
            Pooling = false,
        };
        await using var connection = new NpgsqlConnection(settings.ConnectionString);
        await connection.OpenAsync(cancellationToken);
        await using var command = new NpgsqlCommand(
            "SELECT name, current_setting(name) FROM pg_settings WHERE name = ANY($1) "
            + $"UNION ALL SELECT '{DeadRows}', sum(n_dead_tup)::text FROM pg_stat_user_tables WHERE relname IN ('recoverable_message', "
            + $"'express_message') HAVING sum(n_dead_tup) > 0",
            connection);
        command.Parameters.Add(new NpgsqlParameter { Value = PostgreSqlNames });
        var found = new Dictionary<string, string>();
        await using NpgsqlDataReader reader = await command.ExecuteReaderAsync(cancellationToken);
        while (await reader.ReadAsync(cancellationToken))
            found[reader.GetString(0)] = reader.GetString(1);
        return PostgreSqlNames.Append(DeadRows).Where(found.ContainsKey).ToDictionary(name => name, name => found[name]);
    }

    private static async Task<IReadOnlyDictionary<string, string>> ReadRabbitMqAsync(QueueAddress address, CancellationToken cancellationToken)
    {
        // The server and virtual host alone: the last part of the path is the queue's.
        string[] path = address.Uri.AbsolutePath.Trim('/').Split('/');
        var factory = new ConnectionFactory { HostName = address.Uri.Host, Port = address.Uri.Port,
            VirtualHost = path.Length > 1 ? Uri.UnescapeDataString(path[0]) : "/" };
        if (address.Scheme == "amqps")
            factory.Ssl = new SslOption(address.Uri.Host) { Enabled = true };
        if (address.Uri.UserInfo.Split(':', 2) is [{ Length: > 0 } user, var password])
            (factory.UserName, factory.Password) = (Uri.UnescapeDataString(user), Uri.UnescapeDataString(password));
        await using IConnection connection = await factory.CreateConnectionAsync(cancellationToken);
        var settings = new Dictionary<string, string>();
        foreach (string name in RabbitMqNames)
        {
            if (connection.ServerProperties?.TryGetValue(name, out object? value) == true && value is byte[] text)
                settings[name] = Encoding.UTF8.GetString(text);
        }

        settings["frame_max"] = connection.FrameMax.ToString(CultureInfo.InvariantCulture);
        return settings;
    }
}
