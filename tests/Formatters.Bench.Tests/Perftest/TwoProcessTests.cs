using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;
using Formatters.Bench.Tests.Support;
using Formatters.Queues;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Bench.Tests.Perftest;

/// <summary>The built tool, in processes of its own, over a real broker.</summary>
public sealed class TwoProcessTests
{
    [BrokerFact]
    public Task ClientAndServer_NoTransactions() => RunPairAsync("NOTX", several: false, "express: RabbitMQ", "recoverable: RabbitMQ");

    [BrokerFact]
    public Task ClientAndServer_Transactions() => RunPairAsync("TX", several: false, "transactional: RabbitMQ");

    [BrokerFact]
    public Task ClientAndServer_SeveralQueues() => RunPairAsync("NOTX", several: true, "Sent as one to 2 queues");

    [BrokerFact]
    public async Task SendAndReceive_EveryMode_OverTheBroker()
    {
        string queue = Broker.NewQueue();
        foreach (string transactionMode in new[] { "NOTX", "TX" })
        {
            using Process tool = Start(["perftest", transactionMode, "SENDANDRECEIVE", queue, "--rounds", "2", "--batch", "50", "--seconds-per-case", "0.1", "--payload", "Int32", "--payload", "order"]);
            (string output, string error) = await EndAsync(tool);
            Assert.True(tool.ExitCode == 0, error);
            Assert.Contains("order BinaryFormatter", output, StringComparison.Ordinal);
        }

        await DeleteAsync(queue);
    }

    [BrokerFact]
    public async Task AClientWithoutAServer_FailsWithinItsTimeout()
    {
        string queue = Broker.NewQueue();
        string answers = Broker.NewQueue();
        using Process client = Start(["perftest", "NOTX", "CLIENT", queue, answers, "--timeout", "1"]);

        (_, string error) = await EndAsync(client);

        Assert.Equal(1, client.ExitCode);
        Assert.Contains("no answer from a SERVER", error, StringComparison.Ordinal);
        Assert.DoesNotContain("guest:guest", error, StringComparison.Ordinal);
        await DeleteAsync(queue, answers);
    }

    private static async Task RunPairAsync(string transactionMode, bool several, params string[] expected)
    {
        string first = Broker.NewQueue();
        string second = Broker.NewQueue();
        string answers = Broker.NewQueue();
        string queues = several ? $"{first},{second}" : first;

        using Process server = Start(["perftest", transactionMode, "SERVER", queues, answers, "--once"]);
        // The first line says that the queues are open and empty.
        Assert.Contains("ready", await server.StandardOutput.ReadLineAsync(), StringComparison.Ordinal);
        using Process client = Start(
            ["perftest", transactionMode, "CLIENT", queues, answers, "--rounds", "2", "--batch", "20", "--seconds-per-case", "0.1", "--payload", "empty", "--payload", "string 500", "--payload", "order"]);
        (string output, string error) = await EndAsync(client);
        (string serverOutput, string serverError) = await EndAsync(server);

        Assert.True(client.ExitCode == 0, error);
        Assert.True(server.ExitCode == 0, serverError);
        Assert.All(expected, text => Assert.Contains(text, output, StringComparison.Ordinal));
        Assert.Contains("order hand-coded", output, StringComparison.Ordinal);
        Assert.Contains("A client has ended", serverOutput, StringComparison.Ordinal);
        await DeleteAsync(first, second, answers);
    }

    private static Process Start(IEnumerable<string> args)
    {
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true };
        start.ArgumentList.Add(Path.Combine(AppContext.BaseDirectory, "formatters-bench.dll"));
        foreach (string arg in args)
            start.ArgumentList.Add(arg);
        return Process.Start(start)!;
    }

    private static async Task<(string Output, string Error)> EndAsync(Process process)
    {
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        return (await output, await error);
    }

    private static async Task DeleteAsync(params string[] queues)
    {
        var connector = new QueueConnector(new RabbitMqQueueProvider());
        foreach (string queue in queues)
            await connector.DeleteAsync(queue);
    }
}
