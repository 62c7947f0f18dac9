using System.Text;
using Formatters.Benchmarks.Workers;
using Npgsql;
using RabbitMQ.Client;

namespace Formatters.Benchmarks;

/// <summary>Asks the servers that are named for their versions.</summary>
internal static class ServerVersions
{
    /// <summary>Returns the servers with their versions, as <c>PostgreSQL 15.18</c>.</summary>
    internal static async Task<IReadOnlyList<string>> ReadAsync(CancellationToken cancellationToken)
    {
        var versions = new List<string>();
        if (Environment.GetEnvironmentVariable(QueueCase.BrokerVariable) is { Length: > 0 } broker)
        {
            await using IConnection connection =
                await new ConnectionFactory { Uri = new Uri(broker.TrimEnd('/')) }.CreateConnectionAsync(cancellationToken);
            versions.Add("RabbitMQ " + Encoding.UTF8.GetString((byte[])connection.ServerProperties!["version"]!));
        }

        if (Environment.GetEnvironmentVariable(QueueCase.PostgresVariable) is { Length: > 0 } postgres)
        {
            await using var connection = new NpgsqlConnection(WorkersCommand.ConnectionString(new Uri(postgres.TrimEnd('/'))));
            await connection.OpenAsync(cancellationToken);
            versions.Add($"PostgreSQL {connection.PostgreSqlVersion}");
        }

        return versions;
    }
}
