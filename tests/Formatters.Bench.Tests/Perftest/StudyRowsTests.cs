using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using Formatters.Bench.Compare;
using Formatters.Bench.Perftest;
using Formatters.Bench.Reports;
using Formatters.Bench.Tests.Support;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Bench.Tests.Perftest;

/// <summary>The study's figures beside the rows, and the rows that it has besides: strings in UTF-16, many queues, the network, another language.</summary>
public sealed class StudyRowsTests : IDisposable
{
    private static readonly string[] Tiny = ["--rounds", "7", "--batch", "20", "--seconds-per-case", "0.1"];

    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-perftest-").FullName;

    [Fact]
    public void Appendix_A_has_its_ten_tables()
    {
        Assert.Equal([12, 10, 12, 14, 14, 14, 18, 15, 12, 10], AppendixA.All.GroupBy(figure => figure.Table).OrderBy(table => table.Key).Select(table => table.Count()));
        Assert.All(AppendixA.All, figure => Assert.True(figure is { Rate: > 0, StandardDeviation: >= 0 }, $"{figure}"));
        Assert.Equal(AppendixA.All.Count, AppendixA.All.Select(figure => (figure.Table, figure.Message, figure.Mode, figure.IsRemote, figure.Column)).Distinct().Count());
    }

    [Theory]
    [InlineData("SendAndPurge", DeliveryMode.Express, false, "empty", false, 49_311, 761.23)]
    [InlineData("SendAndPurge", DeliveryMode.Express, true, "empty", true, 24_864, 93.04)]
    [InlineData("SendAndReceive", DeliveryMode.Transactional, false, "empty", false, 2_006, 11.16)]
    [InlineData("Client", DeliveryMode.Recoverable, true, "empty", false, 1_645, 12.62)]
    [InlineData("SendAndPurge", DeliveryMode.Express, false, "string 2,000,000 legacy", false, 14.17, 0.41)]
    [InlineData("SendAndReceive", DeliveryMode.Express, false, "string 500 ActiveX", false, 20_237, 72.03)]
    [InlineData("Client", DeliveryMode.Express, true, "string 10,000", false, 1_045, 13.75)]
    [InlineData("SendAndReceive", DeliveryMode.Express, false, "order hand-coded", false, 10_441, 16.65)]
    [InlineData("SendAndPurge", DeliveryMode.Transactional, true, "order persist stream", false, 1_114, 295.88)]
    [InlineData("SendAndReceive", DeliveryMode.Recoverable, true, "order XML", false, 284, 0.71)]
    [InlineData("SendAndPurge", DeliveryMode.Recoverable, false, "order BinaryFormatter", false, 910, 26.65)]
    public void A_row_has_its_figure(string operation, DeliveryMode mode, bool isRemote, string payload, bool isUnmanaged, double rate, double deviation)
    {
        StudyFigure figure = AppendixA.Find(Enum.Parse<PerftestOperation>(operation), mode, isRemote, payload, isUnmanaged)!;

        Assert.Equal((rate, deviation), (figure.Rate, figure.StandardDeviation));
    }

    [Theory]
    [InlineData(DeliveryMode.Recoverable, "string 500")]
    [InlineData(DeliveryMode.Express, "order JSON")]
    [InlineData(DeliveryMode.Express, "Int32 ActiveX")]
    public void What_the_study_has_not_measured_has_none(DeliveryMode mode, string payload) => Assert.Null(AppendixA.Find(PerftestOperation.SendAndPurge, mode, false, payload));

    [Fact]
    public async Task Strings_in_UTF_8_are_compared_with_UTF_16_and_the_study()
    {
        string csv = Path.Combine(_folder, "report.csv");

        (ToolResult result, PerftestReport report) = await RunAsync(new Tool(), ["NOTX", "SENDANDRECEIVE", "memory:q", "--mode", "express", "--payload", "string 500", "--payload", "string 500 ActiveX", .. Tiny, "--csv", csv]);

        Assert.Equal([502, 1_000], report.Sections[0].Rows.Select(row => row.BodyBytes));
        Finding finding = Assert.Single(report.Findings);
        Assert.Equal("UTF-8 beats UTF-16, string 500, express", finding.Text);
        Assert.Equal(24_137d / 20_237, finding.StudyRatio);
        Assert.NotNull(finding.Ratio);
        Assert.Contains("UTF-8 beats UTF-16", result.Output, StringComparison.Ordinal);
        string[] lines = await File.ReadAllLinesAsync(csv);
        Assert.EndsWith(",24137,65.85,.NET,5", lines[1], StringComparison.Ordinal);
        Assert.EndsWith(",20237,72.03,COM,5", lines[2], StringComparison.Ordinal);
    }

    [Fact]
    public async Task One_send_to_many_queues_is_compared_with_many_sends()
    {
        var tool = new Tool();

        (ToolResult result, PerftestReport report) = await RunAsync(tool, ["NOTX", "SENDANDPURGE", "memory:q", "--mode", "express", "--fan-out", "2,5", "--payload", "order XML", .. Tiny]);

        Assert.Equal(["1 send to 2", "2 sends", "1 send to 5", "5 sends"], report.Sections[0].Rows.Select(row => row.Route));
        Assert.Equal(["1 send beats 2, order XML, express", "1 send beats 5, order XML, express"], report.Findings.Select(finding => finding.Text));
        Assert.True(result.LongestLine <= 80, result.Output);
        for (int i = 1; i <= 5; i++)
            Assert.Equal(0, await tool.CountAsync($"memory:q-{i}"));
    }

    [Theory]
    [InlineData("NOTX SENDANDRECEIVE memory:q --fan-out 2", "SENDANDPURGE")]
    [InlineData("NOTX SENDANDPURGE memory:q --fan-out 1", "from 2")]
    [InlineData("NOTX SENDANDPURGE memory:q --remote", "only queues of RabbitMQ")]
    [InlineData("NOTX SENDANDPURGE memory:q --delay 5", "--remote")]
    [InlineData("NOTX CLIENT memory:q memory:a --native program", "SENDANDPURGE")]
    public async Task What_cannot_be_measured_is_refused(string arguments, string words)
    {
        ToolResult result = await new Tool().RunAsync(["perftest", .. arguments.Split(' ')]);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(words, result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_program_in_C_that_has_no_server_is_left_out_with_the_reason()
    {
        (ToolResult result, PerftestReport report) = await RunAsync(
            new Tool(), ["NOTX", "SENDANDPURGE", "memory:q", "--mode", "express", "--payload", "empty", "--native", "perftest-c", .. Tiny]);

        Assert.StartsWith("C: it is over librabbitmq and libpq", Assert.Single(report.NotMeasured), StringComparison.Ordinal);
        Assert.Contains("not measured: C:", result.Output, StringComparison.Ordinal);
    }

    [BrokerFact]
    public Task Over_RabbitMQ() => OverServerAsync(Broker.NewQueue());

    [PostgresFact]
    public Task Over_PostgreSQL() => OverServerAsync(Broker.NewQueue(Broker.PostgreSql));

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>As if the server were elsewhere, and by the program in C where that can be built.</summary>
    private async Task OverServerAsync(string queue)
    {
        string program = Path.Combine(_folder, "perftest-c");
        bool hasC = false;
        if (OperatingSystem.IsLinux())
        {
            using Process build = Process.Start(new ProcessStartInfo(Path.Combine(RepositoryFolder.Path, "src/Formatters.Bench/Native/build"), [program]))!;
            await build.WaitForExitAsync();
            // 3: there are no headers here.
            Assert.True(build.ExitCode is 0 or 3, $"{build.ExitCode}");
            hasC = build.ExitCode == 0;
        }

        var tool = new Tool(new RabbitMqQueueProvider(), new PostgreSqlQueueProvider());
        foreach ((string mode, string operation) in new[] { ("NOTX", "SENDANDRECEIVE"), ("TX", "SENDANDPURGE") })
        {
            (_, PerftestReport report) = await RunAsync(
                tool,
                [mode, operation, queue, "--payload", "string 500", "--payload", "order hand-coded", "--remote", "--delay", "0", "--bandwidth", "1000", "--rounds", "1", "--batch", "5", "--seconds-per-case", "0.1",
                    .. hasC ? ["--native", program] : Array.Empty<string>()]);

            Assert.All(report.Sections, section => Assert.Equal(
                hasC ? ["local", "remote", "C"] : ["local", "remote"], section.Rows.Where(row => row.Payload == "order hand-coded").Select(row => row.Route)));
            Assert.True(report.LinkRoundTripMilliseconds > 0);
        }

        await tool.Connector.DeleteAsync(queue);
    }

    private static async Task<(ToolResult Result, PerftestReport Report)> RunAsync(Tool tool, string[] arguments)
    {
        string json = Path.GetTempFileName();
        ToolResult result = await tool.RunAsync(["perftest", .. arguments, "--json", json]);
        Assert.True(result.ExitCode == 0, result.Error);
        PerftestReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), ReportJson.Default.PerftestReport)!;
        File.Delete(json);
        return (result, report);
    }
}
