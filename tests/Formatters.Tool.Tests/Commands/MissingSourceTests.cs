using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Npgsql;
using Xunit;

namespace Formatters.Tools.Tests.Commands;

/// <summary>Verbs that read, with a queue that does not exist: an error, and nothing is created.</summary>
public sealed class MissingSourceTests : IDisposable
{
    /// <summary>Q is the queue that is not there.</summary>
    private static readonly string[] Lines =
    [
        "migrate Q memory:to --to-format unchanged",
        "migrate Q memory:to --to-format unchanged --dry-run",
        "migrate Q memory:to --to-format json --type System.Int32 --limit 1",
        "forward Q memory:to",
        "forward Q memory:to --until-empty",
        "inspect --queue Q",
        "inspect --queue Q --return",
        "queue peek Q",
        "queue purge Q",
        "queue requeue Q",
        "queue requeue Q --to memory:to",
        "queue list Q",
    ];

    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-missing-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task In_memory()
    {
        var tool = new Tool();
        await CheckAsync(tool, "memory:nothing");
        Assert.Empty(await tool.Connector.ListAsync("memory:"));
    }

    [Theory]
    [InlineData("missing/folder")]
    [InlineData("empty")]
    [InlineData("other")]
    public async Task In_a_folder(string name)
    {
        await using var files = new FileQueueProvider();
        var tool = new Tool(files);
        string path = Path.Combine(_folder, name);
        if (name == "empty")
            Directory.CreateDirectory(path);
        if (name == "other")
        {
            await using QueueClient there = await tool.Connector.OpenAsync($"file://{path}/there");
            // After a second write, the log has its next segment: closing it right after the first may come before that.
            await there.SendAsync(new QueueMessage());
        }

        string[] before = [.. Directory.EnumerateFileSystemEntries(_folder, "*", SearchOption.AllDirectories).Order()];
        await CheckAsync(tool, $"file://{path}/nothing");
        Assert.Equal(before, Directory.EnumerateFileSystemEntries(_folder, "*", SearchOption.AllDirectories).Order());
        if (name == "other")
            Assert.Equal(["there"], (await tool.Connector.ListAsync($"file://{path}/")).Select(static queue => queue.Name));
    }

    /// <summary>Also the tables of queues are not made in a database that has none.</summary>
    [PostgresFact]
    public async Task In_a_database()
    {
        await using TestDatabase database = await TestDatabase.CreateAsync();
        var tool = new Tool(new PostgreSqlQueueProvider());
        await CheckAsync(tool, database.Address + "/nothing", exceptList: true);
        Assert.Equal(0, (await tool.RunAsync("queue", "list", database.Address + "/")).ExitCode);
        var uri = new Uri(database.Address);
        string[] user = uri.UserInfo.Split(':');
        var settings = new NpgsqlConnectionStringBuilder
        {
            Host = uri.Host, Port = uri.Port, Username = user[0], Password = user[1], Database = uri.AbsolutePath.Trim('/'), Pooling = false,
        };
        await using var connection = new NpgsqlConnection(settings.ConnectionString);
        await connection.OpenAsync();
        await using NpgsqlCommand count = new("SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')", connection);
        Assert.Equal(0L, await count.ExecuteScalarAsync());
    }

    [BrokerFact]
    public async Task On_a_broker()
    {
        var tool = new Tool(new RabbitMqQueueProvider());
        string queue = Broker.NewQueue();
        await CheckAsync(tool, queue);
        Assert.Empty(await tool.Connector.ListAsync(queue));
        Assert.Empty(await tool.Connector.ListAsync(queue + ".dead"));
    }

    private static async Task CheckAsync(Tool tool, string queue, bool exceptList = false)
    {
        foreach (string line in Lines)
        {
            if (exceptList && line.StartsWith("queue list", StringComparison.Ordinal))
                continue;
            string[] arguments = [.. line.Split(' ').Select(word => word == "Q" ? queue : word)];
            ToolResult result = await tool.RunAsync(arguments).WaitAsync(TimeSpan.FromMinutes(2));
            Assert.True(result.ExitCode is 1 or 2, $"{line}: {result.ExitCode} {result.Output}");
            Assert.Equal("", result.Output);
            Assert.Single(result.ErrorLines);
        }

        Assert.DoesNotContain(await tool.Connector.ListAsync("memory:"), static status => status.Name == "to");
    }
}
