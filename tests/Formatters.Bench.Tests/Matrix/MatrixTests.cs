using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Matrix;
using Formatters.Bench.Reports;
using Formatters.Bench.Rows;
using Formatters.Bench.Tests.Support;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Bench.Tests.Matrix;

public sealed class MatrixTests : IDisposable
{
    private static readonly string[] Short = ["--items", "1", "--seconds-per-case", "0.1"];

    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-matrix-").FullName;

    [Fact]
    public async Task EveryFormatter_OverMemoryAndAFolder_InEveryMode()
    {
        await using var files = new FileQueueProvider();
        var tool = new Tool(files);
        string json = Path.Combine(_folder, "matrix.json");
        string csv = Path.Combine(_folder, "matrix.csv");

        ToolResult result = await tool.RunAsync(["matrix", "memory:q", $"file://{_folder}/q", .. Short, "--json", json, "--csv", csv]);

        Assert.True(result.ExitCode == 0, result.Error);
        Assert.True(result.LongestLine <= 80, result.Output);
        MatrixReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), ReportJson.Default.MatrixReport)!;
        Assert.Equal(
            [
                "in-memory express True", "in-memory recoverable False", "in-memory transactional True", "embedded express True", "embedded recoverable True", "embedded transactional True",
            ],
            report.Cells.Select(cell => $"{cell.Queue.Product} {cell.Queue.DeliveryMode} {cell.IsOffered}"));
        foreach (MatrixCell cell in report.Cells.Where(cell => cell.IsOffered))
        {
            Assert.Equal(OrderFormatterRows.Create().Select(row => row.Name), cell.Rows.Select(row => row.Formatter));
            Assert.All(cell.Rows, row => Assert.InRange(row.SendRounds.Count, 6, 100));
            Assert.True(cell.Messages >= cell.BatchCount * cell.Rows.Sum(row => row.SendRounds.Count), $"{cell.Messages}");
        }

        Assert.Equal(5 * OrderFormatterRows.Create().Count * 2, report.Series.Count);
        Assert.Equal(report.Series.Count, report.Series.Select(series => series.Name).Distinct().Count());
        Assert.Equal(1 + (5 * OrderFormatterRows.Create().Count * 2), (await File.ReadAllLinesAsync(csv)).Length);
        Assert.Contains("recoverable: not offered by in-memory", result.Output, StringComparison.Ordinal);
        Assert.Contains("none lost, doubled or changed", result.Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
        Assert.Equal(0, await tool.CountAsync("memory:q"));
    }

    [Theory]
    [InlineData((int)Fault.Loses)]
    [InlineData((int)Fault.Alters)]
    public async Task AQueueThatLosesOrAltersMessages_Fails(int fault)
    {
        ToolResult result = await new Tool(new FaultyQueueProvider((Fault)fault)).RunAsync(["matrix", "faulty:q", .. Short, "--mode", "express"]);

        Assert.Equal(1, result.ExitCode);
    }

    [Fact]
    public async Task AQueueThatDoublesAMessage_Fails()
    {
        ToolResult result = await new Tool(new DoublingProvider()).RunAsync(["matrix", "doubling:q", .. Short, "--mode", "express"]);

        Assert.Equal(1, result.ExitCode);
        Assert.Contains("20 messages were sent to doubling:q, 21 are in it", result.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("matrix memory:a,b")]
    [InlineData("matrix memory:a --mode fast")]
    [InlineData("matrix memory:a --formatter nope")]
    [InlineData("matrix nonsense")]
    public async Task WhatDoesNotExist_IsAUsageError(string commandLine) => Assert.Equal(2, (await new Tool().RunAsync(commandLine.Split(' '))).ExitCode);

    [BrokerFact]
    public Task EveryFormatter_OverRabbitMq_InEveryMode() => OverServerAsync(new RabbitMqQueueProvider(), Broker.NewQueue());

    [PostgresFact]
    public Task EveryFormatter_OverPostgreSql_InEveryMode() => OverServerAsync(new PostgreSqlQueueProvider(), Broker.NewQueue(Broker.PostgreSql));

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private async Task OverServerAsync(QueueProvider provider, string queue)
    {
        var tool = new Tool(provider);
        string json = Path.Combine(_folder, "matrix.json");
        try
        {
            ToolResult result = await tool.RunAsync(["matrix", queue, .. Short, "--json", json]);

            Assert.True(result.ExitCode == 0, result.Error);
            MatrixReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), ReportJson.Default.MatrixReport)!;
            Assert.Equal(["express", "recoverable", "transactional"], report.Cells.Select(cell => cell.Queue.DeliveryMode));
            Assert.All(report.Cells, cell => Assert.Equal(OrderFormatterRows.Create().Select(row => row.Name), cell.Rows.Select(row => row.Formatter)));
            Assert.All(report.Cells, cell => Assert.True(cell.Queue.Settings.Count >= 2, "The server says nothing of itself."));
            Assert.Equal(0, await tool.CountAsync(queue));
        }
        finally
        {
            await tool.Connector.DeleteAsync(queue);
        }
    }

    private sealed class DoublingProvider() : WrappingQueueProvider("doubling")
    {
        private int _sends;

        protected override async ValueTask SendAsync(QueueClient queue, QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken)
        {
            await base.SendAsync(queue, message, transaction, cancellationToken);
            if (++_sends == 100)
                await base.SendAsync(queue, message, transaction, cancellationToken);
        }
    }
}
