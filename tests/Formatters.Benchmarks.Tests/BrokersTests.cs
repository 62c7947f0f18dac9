using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Benchmarks.Brokers;
using Formatters.Benchmarks.Tables;
using Xunit;

namespace Formatters.Benchmarks.Tests;

/// <summary>The verb <c>brokers</c>, over the servers that are named; with none it says so. Alone: beside other tests its connections' heartbeats would be late.</summary>
[Collection("brokers")]
[CollectionDefinition("brokers", DisableParallelization = true)]
public class BrokersTests
{
    private static readonly bool HasRabbitMq = Environment.GetEnvironmentVariable(QueueCase.BrokerVariable) is { Length: > 0 };
    private static readonly bool HasPostgres = Environment.GetEnvironmentVariable(QueueCase.PostgresVariable) is { Length: > 0 };

    [Fact]
    public async Task Every_case_has_a_figure_of_its_peer_and_of_the_queue()
    {
        (int exitCode, string output, string error) = await RunAsync("--rounds", "1", "--seconds", "0.1");

        if (!HasRabbitMq && !HasPostgres)
        {
            Assert.Equal(2, exitCode);
            Assert.Contains("eng/rabbitmq start", error, StringComparison.Ordinal);
            return;
        }

        Assert.True(exitCode == 0, error);
        (string Name, string Peer, string[] Figures)[] rows = output.Split('\n')
            .SkipWhile(static line => !line.StartsWith("messages a second", StringComparison.Ordinal)).Skip(1)
            .TakeWhile(static line => line.TrimEnd().Length > 0)
            .Select(static line => (line[..61].Trim(), line[61..93].Trim(), line[93..].Split(' ', StringSplitOptions.RemoveEmptyEntries)))
            .ToArray();
        // Two of a folder, and ten of System.Messaging in memory and in a folder, which need no server.
        Assert.Equal(12 + (HasRabbitMq ? 12 : 0) + (HasPostgres ? 18 : 0), rows.Length);
        Assert.All(rows, static row => Assert.All(row.Figures, static cell => Assert.True(double.Parse(cell, CultureInfo.InvariantCulture) > 0)));
        if (HasRabbitMq && HasPostgres)
            Assert.All(QueueTables.BrokerRows, expected => Assert.Single(rows, row => (row.Name, row.Peer) == (expected.Case, expected.Peer)));
        Assert.Equal(HasPostgres, rows.Any(static row => row.Peer == "pgbench"));
    }

    [Theory]
    [InlineData("--rounds", "0", "from 1 to 1000")]
    [InlineData("--seconds", "x", "from 0.1 to 600")]
    public async Task Arguments_Wrong_GiveAnErrorAndExitCode2(string option, string value, string expectedError)
    {
        (int exitCode, string output, string error) = await RunAsync(option, value);

        Assert.Equal(2, exitCode);
        Assert.Equal("", output);
        Assert.Contains(expectedError, error, StringComparison.Ordinal);
    }

    private static Task<(int ExitCode, string Output, string Error)> RunAsync(params string[] args) => VerbRun.OfAsync(BrokersCommand.RunAsync, args);
}
