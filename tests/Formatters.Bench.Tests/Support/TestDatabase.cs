using System;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Bench.Tests.Support;

/// <summary>A new database, for what uses tables of fixed names. Dropped when disposed.</summary>
internal sealed class TestDatabase : IAsyncDisposable
{
    private readonly string _name;
    private readonly string _administration;

    private TestDatabase(string name, string administration, string address) => (_name, _administration, Address) = (name, administration, address);

    /// <summary>As the tool takes it: <c>postgres://user:password@host:port/database</c>.</summary>
    internal string Address { get; }

    internal static async Task<TestDatabase> CreateAsync()
    {
        var uri = new Uri(Environment.GetEnvironmentVariable(Broker.PostgreSql)!);
        string[] user = uri.UserInfo.Split(':');
        string connection = new NpgsqlConnectionStringBuilder
        {
            Host = uri.Host,
            Port = uri.Port,
            Username = user[0],
            Password = user[1],
            Database = uri.AbsolutePath.Trim('/'),
            Pooling = false,
        }.ConnectionString;
        string name = $"bench-test-{Guid.NewGuid():N}";
        var database = new TestDatabase(name, connection, new UriBuilder(uri) { Path = name }.Uri.AbsoluteUri);
        await database.ExecuteAsync($"CREATE DATABASE \"{name}\"");
        return database;
    }

    public async ValueTask DisposeAsync() => await ExecuteAsync($"DROP DATABASE \"{_name}\" WITH (FORCE)");

    private async Task ExecuteAsync(string text)
    {
        await using var connection = new NpgsqlConnection(_administration);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(text, connection);
        await command.ExecuteNonQueryAsync();
    }
}
