using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Compare;
using Formatters.Bench.Factors;
using Formatters.Bench.Measurement;
using Formatters.Bench.Report;
using Formatters.Bench.Reports;
using Formatters.Bench.Tests.Report;
using Formatters.Bench.Tests.Support;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Bench.Tests.Factors;

public sealed class FactorsTests : IDisposable
{
    private static readonly string[] Short = ["--rounds", "2", "--seconds", "0.02"];

    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-factors-").FullName;

    [Fact]
    public async Task Memory_judges_every_claim_says_what_it_lacks_and_is_left_empty()
    {
        var tool = new Tool { Clock = TimeProvider.System };
        string csv = Path.Combine(_folder, "factors.csv");

        (ToolResult result, FactorsReport report) = await RunAsync(tool, ["memory:f", .. Short, "--csv", csv]);

        Assert.True(result.LongestLine <= 80, result.Output);
        Assert.Equal(23, report.Claims.Count);
        // Memory keeps nothing: what is about persistence is not applicable, and says why; two rounds decide nothing.
        Assert.All(report.Claims, claim => Assert.Equal(claim.Ratio is null ? Verdict.NotApplicable : Verdict.Undecided, claim.Verdict));
        Assert.All(report.Claims.Where(claim => claim.Ratio is null), claim => Assert.Equal("the queue has no recoverable messages", claim.Reason));
        Assert.Equal(11, report.Claims.Count(claim => claim.Ratio is not null));
        Assert.All(report.Scenarios.Where(row => row.Missing is null), row => Assert.True(row is { Messages: > 0, Rounds.Count: 2 }, row.Name));
        Assert.Equal(1 + report.Claims.Count, (await File.ReadAllLinesAsync(csv)).Length);
        Assert.Equal(0, await tool.CountAsync("memory:f"));
        Assert.Equal(0, await tool.CountAsync("memory:f-second"));
    }

    [Fact]
    public async Task Folder_has_every_scenario()
    {
        await using var files = new FileQueueProvider();

        (ToolResult _, FactorsReport report) = await RunAsync(new Tool(files) { Clock = TimeProvider.System }, [$"file://{_folder}/f", .. Short]);

        AssertComplete(report);
        Assert.Contains("express: ", report.Queue.Durability, StringComparison.Ordinal);
        Assert.Contains("; recoverable: ", report.Queue.Durability, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("reliable", "profile reliable")]
    [InlineData("fast", "profile fast")]
    public async Task A_profile_is_one_scenario_without_claims(string profile, string name)
    {
        await using var files = new FileQueueProvider();

        (ToolResult _, FactorsReport report) = await RunAsync(new Tool(files) { Clock = TimeProvider.System }, [$"file://{_folder}/p", .. Short, "--profile", profile]);

        ScenarioRow row = Assert.Single(report.Scenarios);
        Assert.True(row is { Missing: null, Messages: > 0 } && row.Name == name, row.Name);
        Assert.Empty(report.Claims);
    }

    /// <summary>What an interval says of a range.</summary>
    [Theory]
    [InlineData(1.9, 2.1, 7, 1.8, 2.2, "Holds")]
    [InlineData(1.7, 2.1, 7, 1.8, 2.2, "Undecided")]
    [InlineData(1.9, 2.3, 7, 1.8, 2.2, "Undecided")]
    [InlineData(1.0, 1.7, 7, 1.8, 2.2, "DoesNotHold")]
    [InlineData(2.3, 9.0, 7, 1.8, 2.2, "DoesNotHold")]
    [InlineData(1.1, 9.0, 7, 1.0, null, "Holds")]
    [InlineData(0.96, 1.04, 7, 1.0, null, "Even")]
    [InlineData(1.0, 1.02, 7, 1.0, null, "Even")]
    [InlineData(0.5, 0.9, 7, 1.0, null, "DoesNotHold")]
    [InlineData(0.9, 1.2, 7, 1.0, null, "Undecided")]
    [InlineData(1.9, 2.1, 5, 1.8, 2.2, "Undecided")]
    public void Verdicts_are_those_of_the_interval(double low, double high, int rounds, double from, double? to, string verdict) =>
        Assert.Equal(verdict, Claims.Judge(new RateRatio((low + high) / 2, low, high, rounds), from, to).ToString());

    /// <summary>A producer that waits for each send is compared with one that does so, too.</summary>
    [Fact]
    public void Both_sides_of_a_claim_have_the_same_number_of_sends_in_progress() =>
        Assert.All(Claims.Comparisons, static sides => Assert.Equal(Window(sides.Faster), Window(sides.Slower)));

    private static int Window(string name) => Scenario.All.Single(scenario => scenario.Name == name).Window;

    /// <summary>Known rates give known ratios: 10k messages at the rate of 1k are ten times the bytes.</summary>
    [Fact]
    public void Ratios_are_of_messages_or_of_bytes_as_the_claim_says()
    {
        var rates = new Dictionary<string, double> { ["express, 1k"] = 1_000, ["express, 10k"] = 550, ["express, 100k"] = 100, ["recoverable, 1k"] = 500, ["recoverable, 10k"] = 550 };
        ScenarioRow[] rows = [.. rates.Select(rate => new ScenarioRow(rate.Key, null, 7, [.. Enumerable.Repeat(rate.Value, 7)]))];

        IReadOnlyList<ClaimRow> claims = Claims.Judge(rows);

        Assert.Equal((5.5, Verdict.Holds), Of("10k messages: five"));
        Assert.Equal((1.818181818, Verdict.Holds), Of("100k messages: two"));
        Assert.Equal((2, Verdict.Holds), Of("1k messages: non-persistent"));
        Assert.Equal((2, Verdict.DoesNotHold), Of("Non-persistent messages are about 25 %"));
        Assert.Equal((1, Verdict.DoesNotHold), Of("10k messages: non-persistent"));
        Assert.Equal(Verdict.NotApplicable, claims.Single(claim => claim.Text.StartsWith("100k messages: non", StringComparison.Ordinal)).Verdict);

        (double, Verdict) Of(string start) => claims.Single(claim => claim.Text.StartsWith(start, StringComparison.Ordinal)) is var claim ? (Math.Round(claim.Ratio!.Value, 9), claim.Verdict) : default;
    }

    [Theory]
    [InlineData(Fault.Loses, "came in the place of")]
    [InlineData(Fault.Doubles, "came in the place of")]
    [InlineData(Fault.Alters, "came in the place of")]
    [InlineData(Fault.Breaks, "The connection to the broker was lost.")]
    public async Task A_queue_that_fails_ends_the_run(object fault, string words)
    {
        var tool = new Tool(new FaultyQueueProvider((Fault)fault)) { Clock = TimeProvider.System };

        ToolResult result = await tool.RunAsync("factors", "faulty:q", "--rounds", "1", "--seconds", "0.5");

        Assert.Equal(1, result.ExitCode);
        Assert.Contains(words, result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_queue_that_is_not_empty_is_refused_and_left_as_it_is()
    {
        var tool = new Tool { Clock = TimeProvider.System };
        await using QueueClient queue = await tool.Connector.OpenAsync("memory:full-second", QueueOptions.Fastest);
        await queue.SendAsync(new QueueMessage(new MessageBody(new byte[3])));

        ToolResult refused = await tool.RunAsync(["factors", "memory:full", .. Short]);
        Assert.Equal((2, 1L), (refused.ExitCode, await queue.GetMessageCountAsync()));
        Assert.Contains("--purge", refused.Error, StringComparison.Ordinal);

        ToolResult purged = await tool.RunAsync(["factors", "memory:full", .. Short, "--purge"]);
        Assert.Equal((0, 0L), (purged.ExitCode, await queue.GetMessageCountAsync()));
    }

    /// <summary>A durable subscription of the name that the scenarios use is somebody's, until --purge says otherwise; the runs leave none behind.</summary>
    [Fact]
    public async Task A_subscription_that_is_there_is_refused_and_left_as_it_is()
    {
        var tool = new Tool { Clock = TimeProvider.System };
        await using MessageTopic topic = await tool.Connector.OpenTopicAsync("memory:taken-topic", QueueOptions.Fastest);
        await using (QueueClient subscription = await topic.SubscribeDurableAsync("factors"))
            await topic.SendAsync(new QueueMessage(new MessageBody(new byte[3])));

        ToolResult refused = await tool.RunAsync(["factors", "memory:taken", .. Short]);
        Assert.Equal((2, 1L), (refused.ExitCode, (await tool.Connector.ListAsync("memory:taken-topic.factors")).Single().MessageCount));
        Assert.Contains("'memory:taken-topic' has a durable subscription 'factors' with 1 message.", refused.Error, StringComparison.Ordinal);
        Assert.Contains("--purge", refused.Error, StringComparison.Ordinal);

        ToolResult purged = await tool.RunAsync(["factors", "memory:taken", .. Short, "--purge"]);
        Assert.True(purged.ExitCode == 0, purged.Error);
        Assert.Contains("deleted: 'memory:taken-topic' has a durable subscription", purged.Error, StringComparison.Ordinal);
        Assert.Empty(await tool.Connector.ListAsync("memory:taken-topic.factors"));
    }

    /// <summary>A consumer that is killed leaves what it had not acknowledged, and nothing is lost.</summary>
    [Fact]
    public async Task Kill_counts_what_comes_again_in_each_mode()
    {
        await using var files = new FileQueueProvider();

        (ToolResult result, FactorsReport report) = await RunAsync(new Tool(files) { Clock = TimeProvider.System }, [$"file://{_folder}/k", "--kill", "--kills", "1"]);

        Assert.True(result.LongestLine <= 80, result.Output);
        Assert.Equal(["AUTO", "each", "CLIENT", "DUPS_OK"], report.Kills.Select(row => row.Mode));
        // Whoever acknowledges can be handed it again; whoever lets the queue forget at once may lose the one that was under way.
        Assert.All(report.Kills, row => Assert.InRange(row.Lost.Single(), 0, row.Mode == "AUTO" ? 1 : 0));
        Assert.InRange(report.Kills[2].Redelivered.Single(), 0, KillRun.GroupCount);
        Assert.Equal(5, report.Claims.Count);
        // The consumer works: it is killed before it has done everything.
        Assert.All(report.Kills, row => Assert.InRange(row.Processed.Single(), 1, KillRun.MessageCount - 1));
        Assert.All(report.Claims, claim => Assert.NotEqual(Verdict.Holds, claim.Verdict));
        Assert.All(report.Claims.Skip(1).SkipLast(1), claim => Assert.StartsWith("after 1 kill, 1 of them at work, ", claim.Reason, StringComparison.Ordinal));
        Assert.Contains("its process is killed", result.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("the broker", result.Output, StringComparison.Ordinal);
    }

    /// <summary>By mode, how many came again after each kill, how many had been processed, and how many of those that came were marked.</summary>
    [Theory]
    [InlineData("each", "1 0 1 1 1", "200 220 240 260 280", 4, "Holds", "Undecided")]
    [InlineData("each", "1 1 1 1 1", "200 220 240 260 280", 5, "Holds", "Holds")]
    [InlineData("each", "1 1 1 1 1", "200 220 240 260 280", 4, "Holds", "DoesNotHold")]
    [InlineData("each", "1", "200", 1, "Undecided", "Undecided")]
    // The consumer had finished before one of the kills.
    [InlineData("each", "1 0 1 1 1", "200 600 240 260 280", 4, "Undecided", "Undecided")]
    [InlineData("each", "2", "200", 2, "DoesNotHold", "Undecided")]
    [InlineData("AUTO", "0 0 0 0 0", "200 220 240 260 280", 0, "NotApplicable", "Undecided")]
    [InlineData("AUTO", "0 0 0 0 3", "200 220 240 260 280", 3, "DoesNotHold", "Undecided")]
    [InlineData("CLIENT", "9 4 0 1 2", "200 220 240 260 280", 16, "Holds", "Undecided")]
    [InlineData("CLIENT", "9 4 0 1", "200 220 240 260", 14, "Undecided", "Undecided")]
    [InlineData("CLIENT", "11", "200", 11, "DoesNotHold", "Undecided")]
    [InlineData("DUPS_OK", "90 4 7 1 2", "200 220 240 260 280", 0, "Holds", "DoesNotHold")]
    [InlineData("DUPS_OK", "90", "200", 90, "Undecided", "Undecided")]
    public void Claims_of_kills_hold_after_five_that_hit_a_consumer_at_work(string mode, string redelivered, string processed, int marked, string verdict, string marks)
    {
        int[] came = Numbers(redelivered);

        IReadOnlyList<ClaimRow> claims = KillRun.Judge([new KillRow(mode, came, [.. came.Select(_ => 0)], [marked, .. came.Skip(1).Select(_ => 0)]) { Processed = Numbers(processed) }]);

        int index = Array.IndexOf(["AUTO", "each", "CLIENT", "DUPS_OK"], mode);
        Assert.Equal((verdict, marks), (claims[index].Verdict.ToString(), claims[4].Verdict.ToString()));
        Assert.All(claims.Take(4).Where((_, i) => i != index), claim => Assert.Equal("the queue has no such mode", claim.Reason));

        static int[] Numbers(string text) => [.. text.Split(' ').Select(int.Parse)];
    }

    [Theory]
    [InlineData(Verdict.Holds, 1, "holds")]
    [InlineData(Verdict.Holds, 2, "hold")]
    [InlineData(Verdict.DoesNotHold, 1, "does not hold")]
    [InlineData(Verdict.DoesNotHold, 3, "do not hold")]
    public void Counts_of_verdicts_have_their_plural(object verdict, int count, string words) =>
        Assert.Equal(words, Findings.Describe((Verdict)verdict, count));

    [Theory]
    [InlineData("factors memory:k --kill", "no message could come again")]
    [InlineData("factors memory:k --kill --profile fast", "one of them")]
    [InlineData("factors memory:k --restart true", "--kill")]
    public async Task Kill_is_refused_where_nothing_can_be_killed(string arguments, string words)
    {
        ToolResult result = await new Tool().RunAsync(arguments.Split(' '));

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(words, result.Error, StringComparison.Ordinal);
    }

    [BrokerFact]
    public async Task Kill_of_a_broker_needs_the_command_that_starts_it_again()
    {
        ToolResult result = await new Tool(new RabbitMqQueueProvider()).RunAsync("factors", Broker.NewQueue(), "--kill");

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("--restart COMMAND", result.Error, StringComparison.Ordinal);
    }

    /// <summary>The broker dies while a message is processed, and is started again: what was confirmed is there, and what was not acknowledged comes again. In a long run in each mode, through the command.</summary>
    [BrokerFact]
    public async Task Kill_of_a_broker_counts_what_comes_again()
    {
        string script = Path.Combine(RepositoryFolder.Path, "eng", "rabbitmq");
        string folder = Path.Combine(_folder, "broker");
        string start = $"env -u RABBITMQ_PORT RABBITMQ_OWNER={Environment.ProcessId} {script} start {folder}";
        string address = (await ShellAsync(start)).Split('\n').Single(line => line.Contains($" {Broker.RabbitMq}=", StringComparison.Ordinal)).Split('=', 2)[1];
        try
        {
            if (TestScale.IsLong)
            {
                (ToolResult result, FactorsReport all) = await RunAsync(
                    new Tool(new RabbitMqQueueProvider()) { Clock = TimeProvider.System }, [$"{address}/k", "--kill", "--kills", "1", "--restart", start]);
                Assert.True(result.LongestLine <= 80, result.Output);
                Assert.Equal(["AUTO", "each", "CLIENT", "DUPS_OK"], all.Kills.Select(row => row.Mode));
                Assert.Equal(5, all.Claims.Count);
                Check(all);
                return;
            }

            var run = new KillRun(new Tool(new RabbitMqQueueProvider()).Connector, $"{address}/k", kills: 1, start, purge: false, TimeProvider.System, TextWriter.Null)
            {
                Modes = [AcknowledgeMode.Cumulative],
            };
            FactorsReport report = await run.RunAsync("factors", new NoProgress(), CancellationToken.None);
            Assert.Equal("CLIENT", Assert.Single(report.Kills).Mode);
            Check(report);
        }
        finally
        {
            await ShellAsync($"{script} stop {folder}");
        }

        // What the broker let go of before it died, and whoever lets it forget at once may lose.
        static void Check(FactorsReport report) => Assert.All(
            report.Kills.Where(row => row.Mode != "AUTO"), row => Assert.True(row.Lost.Single() == 0 && row.Redelivered.Single() >= 1, row.ToString()));
    }

    [Fact]
    public void Charts_are_by_delivery_mode()
    {
        Series[] series = [.. new[] { "express, 1k", "express, text", "recoverable, 1k" }.Select(name => Series.OfRates(name, [10, 20, 30]))];

        Chart[] charts = [.. ChartBuilder.Build(new Formatters.Bench.Diff.ResultFile("factors", null, series))];

        Assert.Equal(["express: one producer, one consumer", "recoverable: one producer, one consumer"], charts.Select(chart => chart.Title));
        Assert.Equal(["express, 1k", "express, text"], charts[0].Categories);
        Assert.All(charts[0].Lines[0].Points, point => Assert.Equal(20, point!.Value));
    }

    [PostgresFact]
    public async Task Over_PostgreSQL() => AssertComplete(await OverServerAsync(Broker.NewQueue(Broker.PostgreSql)));

    [BrokerFact]
    public async Task Over_RabbitMQ() => Assert.All((await OverServerAsync(Broker.NewQueue())).Scenarios.Where(row => row.Missing is null), row => Assert.True(row.Messages > 0, row.Name));

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static async Task<FactorsReport> OverServerAsync(string address) =>
        (await RunAsync(new Tool(new RabbitMqQueueProvider(), new PostgreSqlQueueProvider()) { Clock = TimeProvider.System }, [address, .. Short])).Report;

    private static void AssertComplete(FactorsReport report)
    {
        Assert.All(report.Scenarios, row => Assert.True(row is { Missing: null, Messages: > 0, Rounds.Count: 2 }, $"{row.Name}: {row.Missing}"));
        Assert.All(report.Claims, claim => Assert.Equal(Verdict.Undecided, claim.Verdict));
    }

    private static async Task<(ToolResult Result, FactorsReport Report)> RunAsync(Tool tool, string[] arguments)
    {
        string json = Path.GetTempFileName();
        ToolResult result = await tool.RunAsync(["factors", .. arguments, "--json", json]);
        Assert.True(result.ExitCode == 0, result.Error);
        FactorsReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), ReportJson.Default.FactorsReport)!;
        File.Delete(json);
        return (result, report);
    }

    private static async Task<string> ShellAsync(string command)
    {
        using Process shell = Process.Start(new ProcessStartInfo("/bin/sh", ["-c", command]) { RedirectStandardOutput = true })!;
        string output = await shell.StandardOutput.ReadToEndAsync();
        await shell.WaitForExitAsync();
        return shell.ExitCode == 0 ? output : throw new InvalidOperationException($"{command}: {output}");
    }
}
