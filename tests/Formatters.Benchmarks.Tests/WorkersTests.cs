using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Benchmarks.Workers;
using Xunit;

namespace Formatters.Benchmarks.Tests;

/// <summary>The verb <c>workers</c>, over the servers that are named; with none it says so. Alone: it measures.</summary>
[Collection("brokers")]
public class WorkersTests
{
    private static readonly bool HasRabbitMq = Environment.GetEnvironmentVariable(QueueCase.BrokerVariable) is { Length: > 0 };
    private static readonly bool HasPostgres = Environment.GetEnvironmentVariable(QueueCase.PostgresVariable) is { Length: > 0 };

    /// <summary>A case ends only when its worker has handled every order once.</summary>
    [Fact]
    public async Task EveryProduct_HandlesItsOrders()
    {
        (int exitCode, string output, string error) = await RunAsync("--rounds", "1", "--orders", "20", "--latency", "2");
        if (!HasRabbitMq && !HasPostgres)
        {
            Assert.Equal(2, exitCode);
            Assert.Contains("eng/rabbitmq start", error, StringComparison.Ordinal);
            return;
        }

        Assert.True(exitCode == 0, error);
        string[] products = [.. output.Split('\n').Where(static line => line.StartsWith("| ", StringComparison.Ordinal)).Select(static line => line.Split('|')[1].Trim())];
        string[] expected =
        [
            .. HasRabbitMq ? ["product", "Formatters.Hosting", "MassTransit", "Wolverine"] : Array.Empty<string>(),
            .. HasPostgres ? ["product", "Formatters.Hosting", "Rebus", "Wolverine"] : Array.Empty<string>(),
            "product, broker",
            .. HasRabbitMq ? ["MassTransit, RabbitMQ", "Wolverine, RabbitMQ"] : Array.Empty<string>(),
            .. HasPostgres ? ["Rebus, PostgreSQL", "Wolverine, PostgreSQL"] : Array.Empty<string>(),
        ];
        Assert.Equal(expected, products);
    }

    [Fact]
    public void AnOrderMoreThanWereSent_IsAnError()
    {
        var handled = new HandledOrders();
        handled.Expect(1);
        handled.Add(WorkerOrder.Create(1));
        Assert.Throws<InvalidOperationException>(() => handled.Add(WorkerOrder.Create(1)));
    }

    [Theory]
    [InlineData("--rounds", "0", "from 1 to 1000")]
    [InlineData("--orders", "9", "from 10 to 1000000")]
    [InlineData("--latency", "x", "from 1 to 100000")]
    public async Task Arguments_Wrong_GiveAnErrorAndExitCode2(string option, string value, string expectedError)
    {
        (int exitCode, string output, string error) = await RunAsync(option, value);
        Assert.Equal(2, exitCode);
        Assert.Equal("", output);
        Assert.Contains(expectedError, error, StringComparison.Ordinal);
    }

    private static Task<(int ExitCode, string Output, string Error)> RunAsync(params string[] args) => VerbRun.OfAsync(WorkersCommand.RunAsync, args);
}
