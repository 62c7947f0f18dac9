using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Tools.Tests.CommandLine;

/// <summary>Errors name options and verbs of the tool, not types and members of the library.</summary>
public sealed class ToolWordingTests
{
    private static readonly string[] ApiNames =
    [
        .. new[] { typeof(QueueConnector), typeof(RabbitMqOptions), typeof(PostgreSqlQueueOptions) }
            .SelectMany(static type => type.Assembly.GetExportedTypes())
            .Select(static type => type.Name.Split('`')[0])
            .Where(static name => name.Length > 9 && name.Skip(1).Any(char.IsUpper)),
        .. typeof(QueueOptions).GetProperties().Select(static property => property.Name),
    ];

    [Theory]
    [InlineData("queue list amqp://localhost/", "--management")]
    [InlineData("queue list DIRECT=OS:.\\private$\\orders", "formatters-bench.exe")]
    [InlineData("queue peek .\\private$\\orders", "formatters-bench.exe")]
    [InlineData("migrate DIRECT=OS:.\\private$\\orders memory:b --to-format unchanged", "formatters-bench.exe")]
    [InlineData("forward DIRECT=OS:.\\private$\\orders memory:b", "formatters-bench.exe")]
    [InlineData("forward memory:a memory:a", "memory:a")]
    [InlineData("inspect FOLDER", "queue list")]
    [InlineData("inspect FILE --signing-key a=FOLDER", "is a folder")]
    public async Task Command_lines(string line, string expected)
    {
        string folder = Directory.CreateTempSubdirectory("formatters-wording-").FullName;
        string file = Path.Combine(folder, "file");
        await File.WriteAllTextAsync(file, "{}");
        ToolResult result = await new Tool(new RabbitMqQueueProvider(), new PostgreSqlQueueProvider(), new FileQueueProvider()).RunAsync(
            [.. line.Split(' ').Select(word => word.Replace("FOLDER", folder, StringComparison.Ordinal).Replace("FILE", file, StringComparison.Ordinal))]);
        Directory.Delete(folder, recursive: true);
        Assert.Equal(2, result.ExitCode);
        Assert.Contains(expected, result.Error, StringComparison.Ordinal);
        AssertHasNoApiNames(result.Error);
    }

    [BrokerFact]
    public async Task Queue_of_a_broker_that_cannot_be_peeked()
    {
        var tool = new Tool(new RabbitMqQueueProvider());
        string queue = Broker.NewQueue();
        await using (await tool.Connector.OpenAsync(queue))
        {
        }

        ToolResult result = await tool.RunAsync("queue", "peek", queue);
        await tool.Connector.DeleteAsync(queue);
        Assert.Equal(2, result.ExitCode);
        Assert.Contains("--return", result.Error, StringComparison.Ordinal);
        AssertHasNoApiNames(result.Error);
    }

    /// <summary>What queues say of limits, which tool's users have set by other means or not at all.</summary>
    [Fact]
    public async Task Errors_of_queues()
    {
        var connector = new QueueConnector(new MemoryQueueProvider());
        await using QueueClient queue = await connector.OpenAsync("memory:MaxDepth", new QueueOptions { DeliveryMode = DeliveryMode.Express, MaxMessageCount = 1, MaxByteCount = 3 });
        await queue.SendAsync(new QueueMessage());
        string full = ToolWording.Of((await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(new QueueMessage()).AsTask())).Message);
        Assert.Contains("'memory:MaxDepth' is full", full, StringComparison.Ordinal);
        AssertHasNoApiNames(full.Replace("MaxDepth", "", StringComparison.Ordinal));
    }

    /// <summary>Addresses and paths are not sentences.</summary>
    [Theory]
    [InlineData("There is no queue 'memory:MaxMessageCount'.")]
    [InlineData("There is no queue 'file:///tmp/OperationTimeout/DeadLetterQueue'.")]
    [InlineData("There is no file '/a/MaxDepth.json'.")]
    [InlineData("'C:\\MaxDepth\\QueueOptions' is a folder, not a file.")]
    public void Names_of_users_stay(string message) => Assert.Equal(message, ToolWording.Of(message));

    private static void AssertHasNoApiNames(string message) =>
        Assert.All(ApiNames, name => Assert.DoesNotMatch($@"\b{name}\b", message));
}
