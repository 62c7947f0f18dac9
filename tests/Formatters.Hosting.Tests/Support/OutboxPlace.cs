using System;
using System.Collections.Generic;
using System.Data.Common;
using System.Globalization;
using System.IO;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Microsoft.Data.Sqlite;
using Npgsql;

namespace Formatters.Hosting.Tests;

/// <summary>A database and a folder of queues for one test: a file of SQLite, or a schema of PostgreSQL.</summary>
internal sealed class OutboxPlace : IAsyncDisposable
{
    private OutboxPlace(string kind, string connectionString)
    {
        Kind = kind;
        ConnectionString = connectionString;
        Folder = Directory.CreateTempSubdirectory("formatters-outbox-").FullName;
        if (kind == "SQLite")
            ConnectionString = $"Data Source={Folder}/shop.db;Default Timeout=10";
    }

    internal string Kind { get; }

    internal string Folder { get; }

    internal string ConnectionString { get; }

    internal string[] Configuration => [$"orders:Address=file:{Folder}/queues/orders", $"invoices:Address=file:{Folder}/queues/invoices"];

    internal static async Task<OutboxPlace> CreateAsync(string kind)
    {
        OutboxPlace place;
        if (kind == "SQLite")
        {
            place = new OutboxPlace(kind, "");
        }
        else
        {
            var uri = new Uri(Environment.GetEnvironmentVariable("FORMATTERS_POSTGRES")!);
            string[] user = uri.UserInfo.Split(':');
            var builder = new NpgsqlConnectionStringBuilder
            {
                Host = uri.Host, Port = uri.Port, Username = user[0], Password = user[1], Database = uri.AbsolutePath[1..], SearchPath = "outbox_" + Guid.NewGuid().ToString("N"),
            };
            place = new OutboxPlace(kind, builder.ConnectionString);
            await place.ExecuteAsync($"create schema {builder.SearchPath}");
        }

        await place.ExecuteAsync("create table shipped (id bigint not null)");
        return place;
    }

    internal DbConnection Connect() => Kind == "SQLite" ? new SqliteConnection(ConnectionString) : new NpgsqlConnection(ConnectionString);

    internal async Task<int> ExecuteAsync(string statement)
    {
        await using DbConnection connection = Connect();
        await connection.OpenAsync();
        await using DbCommand command = connection.CreateCommand();
        command.CommandText = statement;
        return await command.ExecuteNonQueryAsync();
    }

    internal async Task<List<string>> QueryAsync(string query)
    {
        await using DbConnection connection = Connect();
        await connection.OpenAsync();
        await using DbCommand command = connection.CreateCommand();
        command.CommandText = query;
        var rows = new List<string>();
        await using DbDataReader reader = await command.ExecuteReaderAsync();
        while (await reader.ReadAsync())
            rows.Add(Convert.ToString(reader.GetValue(0), CultureInfo.InvariantCulture)!);
        return rows;
    }

    /// <summary>Waits until a query has a result.</summary>
    internal async Task WaitForAsync(string query, string expected)
    {
        while (string.Join(',', await QueryAsync(query)) != expected)
            await Task.Delay(10);
    }

    /// <summary>Adds an outbox to the queues, whose dispatcher looks often.</summary>
    internal QueuesBuilder AddTo(QueuesBuilder queues, Action<OutboxOptions>? configure = null) => queues
        .AddSender<OrderPlaced>("orders")
        .AddSender<OrderStatus>("invoices")
        .AddOutbox(_ => Connect(), options =>
        {
            options.CreateTables = true;
            options.PollInterval = TimeSpan.FromMilliseconds(20);
            configure?.Invoke(options);
        });

    public async ValueTask DisposeAsync()
    {
        if (Kind == "SQLite")
        {
            SqliteConnection.ClearAllPools();
        }
        else
        {
            await ExecuteAsync($"drop schema {new NpgsqlConnectionStringBuilder(ConnectionString).SearchPath} cascade");
            await using var connection = new NpgsqlConnection(ConnectionString);
            NpgsqlConnection.ClearPool(connection);
        }

        Directory.Delete(Folder, recursive: true);
    }
}

/// <summary>A theory over the databases of an outbox; PostgreSQL is skipped where it is absent.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class OutboxDataAttribute : Xunit.Sdk.DataAttribute
{
    public override IEnumerable<object[]> GetData(System.Reflection.MethodInfo testMethod)
    {
        yield return ["SQLite"];
        if (TestScale.SkipReason("FORMATTERS_POSTGRES", "absent") is null)
            yield return ["PostgreSQL"];
    }
}
