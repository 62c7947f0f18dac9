using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Compare;
using Formatters.Bench.Factors;
using Formatters.Bench.Measurement;
using Formatters.Bench.Perftest;
using Formatters.Bench.Reports;
using Formatters.Bench.Tests.Support;
using Formatters.Bench.Limits;
using Xunit;

namespace Formatters.Bench.Tests.Measurement;

/// <summary>Every verb that measures, over queues whose speed is known: the figures must be that speed.</summary>
public sealed class KnownSpeedTests : IDisposable
{
    private readonly ManualClock _clock = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-known-").FullName;

    [Theory]
    [InlineData("NOTX SENDANDPURGE fake:q", 1_000)]
    [InlineData("TX SENDANDPURGE fake:q", 1_000)]
    // One message of the address is a send to each queue, and so twice the time.
    [InlineData("NOTX SENDANDPURGE fake:q,r", 500)]
    [InlineData("NOTX SENDANDRECEIVE fake:q", 250)]
    [InlineData("TX SENDANDRECEIVE fake:q", 250)]
    // 4 ms and 12 ms: each message takes 8 ms in the mean, and not (250 + 83) / 2 a second.
    [InlineData("NOTX SENDANDRECEIVE fake:q,slow", 125)]
    // 50 sends and 50 receives for 48 messages: start and answer are part of the processing.
    [InlineData("NOTX CLIENT fake:q fake:answers", 48 / (50 * 0.005))]
    public async Task Perftest_says_how_fast_the_queue_is(string arguments, double expected)
    {
        var tool = new Tool(Queues("fake")) { Clock = _clock };
        string json = Path.Combine(_folder, "report.json");

        ToolResult result = await tool.RunAsync(["perftest", .. arguments.Split(' '), "--payload", "string 500", "--batch", "48", "--rounds", "3", "--json", json]);

        Assert.True(result.ExitCode == 0, result.Error);
        PerftestReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), ReportJson.Default.PerftestReport)!;
        PerftestRow[] rows = [.. report.Sections.SelectMany(section => section.Rows)];
        Assert.Equal(arguments.StartsWith("TX", StringComparison.Ordinal) ? 1 : 2, rows.Length);
        Assert.All(rows, row => Assert.Equal((48, 3), (row.BatchCount, row.Rate.Count)));
        Assert.All(rows, row => Near(expected, row.Rate));
        Assert.Contains(Numbers.Rate(expected), result.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Perftest_makes_batches_that_fit_the_time_of_a_case()
    {
        var tool = new Tool(Queues("fake")) { Clock = _clock };
        string json = Path.Combine(_folder, "report.json");

        ToolResult result = await tool.RunAsync(
            "perftest", "NOTX", "SENDANDPURGE", "fake:q", "--mode", "express", "--payload", "string 500", "--rounds", "6", "--seconds-per-case", "2", "--json", json);

        Assert.True(result.ExitCode == 0, result.Error);
        PerftestRow row = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), ReportJson.Default.PerftestReport)!.Sections[0].Rows[0];
        // Six batches in three quarters of two seconds, at a millisecond a message.
        Assert.Equal((250, 6), (row.BatchCount, row.Rate.Count));
        Near(1_000, row.Rate);
    }

    /// <summary>A turn is two batches, one of them three times as fast: its rate is all messages by all the time, neither that of the last batch nor the mean of the two.</summary>
    [Fact]
    public async Task Compare_says_how_fast_the_queue_is_over_all_batches_of_a_turn()
    {
        const int BatchCount = 10;
        var provider = new KnownSpeedProvider(
            "fake", _clock, number => TimeSpan.FromMilliseconds(number / BatchCount % 2 == 0 ? 1 : 3), _ => TimeSpan.FromMilliseconds(1));
        var tool = new Tool(provider);
        var options = new CompareOptions
        {
            Queue = "fake:q",
            Formatters = ["hand-coded", "BinaryFormatter"],
            LineItems = 1,
            Quick = true,
            Plan = new MeterPlan(BatchCount, TimeSpan.Zero, TimeSpan.Zero, MinRounds: 3, MaxRounds: 3, MinTurn: TimeSpan.FromMilliseconds(60)),
        };

        CompareReport report = await new CompareRun(tool.Connector, options, _clock, TextWriter.Null).RunAsync("compare", new NoProgress(), CancellationToken.None);

        Assert.Equal(2, report.Orders.Count);
        Assert.All(report.Orders, row =>
        {
            Assert.Equal((3, 3), (row.SendRounds.Count, row.ReceiveRounds.Count));
            Near(500, row.Send);
            Near(1_000, row.Receive);
            Near(1, row.SendRatio);
            Near(1, row.ReceiveRatio);
        });
    }

    [Theory]
    [InlineData(100, 300)]
    [InlineData(300, 100)]
    public async Task Limits_says_how_fast_the_queue_is_beside_its_disk_on_both_sides(double before, double after)
    {
        var disk = new KnownDisk(before, after);
        var tool = new Tool(new KnownSpeedProvider("file", _clock, _ => TimeSpan.FromMilliseconds(5), _ => TimeSpan.FromMilliseconds(5)));
        var options = new LimitsOptions
        {
            Queues = [$"file://{_folder}/q"],
            Senders = [1, 4],
            Rounds = 3,
            CaseTime = TimeSpan.FromSeconds(0.5),
            RecoveryByteCount = 0,
        };

        LimitsReport report = await new LimitsRun(tool.Connector, options, _clock, TextWriter.Null, (_, _, _) => disk).RunAsync("limits", new NoProgress(), CancellationToken.None);

        QueueLimits queue = Assert.Single(report.Queues);
        Assert.Equal(["express", "recoverable", "recoverable"], queue.Cases.Select(item => item.Mode));
        // The sender and the receiver take turns by this clock: 5 ms each.
        Near(100, queue.Cases[0].MessagesPerSecond);
        Assert.All(queue.Cases.Skip(1), item =>
        {
            Near(200, item.MessagesPerSecond);
            Near(1, item.RatioToDisk);
            Near(1, item.RatioToOneSender);
        });
        Assert.Equal(6, queue.Disk!.FlushesPerSecond.Count);
        Near(200, queue.Disk.FlushesPerSecond);
        Assert.Equal(Enumerable.Repeat(options.CaseTime / 4, 12), disk.Times);
    }

    /// <summary>A send takes 1 ms and a receive 4: what a scenario counts is what came of what was produced, by all of the time until the last had come.</summary>
    [Fact]
    public async Task Factors_says_how_fast_the_queue_is_until_all_is_consumed()
    {
        var tool = new Tool(Queues("fake"));
        var options = new FactorsOptions
        {
            Queue = "fake:q",
            Time = TimeSpan.FromSeconds(3),
            Rounds = 3,
            Scenarios =
            [
                new Scenario("plain"), new Scenario("no body") { ByteCount = 0 }, new Scenario("acknowledged") { Acknowledge = Formatters.Queues.AcknowledgeMode.Individual },
                new Scenario("transactional") { Mode = Formatters.Queues.DeliveryMode.Transactional }, new Scenario("packed") { ByteCount = 100, Packed = 10 },
                new Scenario("two destinations") { HasTwoDestinations = true },
            ],
        };

        FactorsReport report = await new FactorsRun(tool.Connector, options, _clock, TextWriter.Null).RunAsync("factors", new NoProgress(), CancellationToken.None);

        Assert.Equal(options.Scenarios!.Select(scenario => scenario.Name), report.Scenarios.Select(row => row.Name));
        Assert.All(report.Scenarios, row =>
        {
            Assert.Equal((null, 3), (row.Missing, row.Rounds.Count));
            // Of two destinations one is consumed: 2 x 1 + 4 ms for two messages.
            double expected = row.Name switch { "packed" => 2_000, "two destinations" => 2_000 / 6d, _ => 200 };
            Assert.All(row.Rounds, rate => Near(expected, rate));
        });
    }

    [Theory]
    [InlineData("perftest NOTX CLIENT away:q away:r --timeout 0.1", "no answer from a SERVER")]
    [InlineData("perftest NOTX SENDANDRECEIVE deaf:q --payload empty --batch 5 --timeout 0.1", "5 messages were sent to deaf:q, 0 came within 0.1 s")]
    public async Task A_timeout_has_its_exit_code(string commandLine, string words)
    {
        var tool = new Tool(new AwayProvider(), new DeafProvider());

        ToolResult result = await tool.RunAsync(commandLine.Split(' '));

        Assert.Equal(1, result.ExitCode);
        Assert.Contains(words, Assert.Single(result.ErrorLines), StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>Every round, not only their median.</summary>
    private static void Near(double expected, RateRatio? actual)
    {
        Near(expected, actual!.Value);
        Near(expected, actual.Low);
        Near(expected, actual.High);
    }

    private static void Near(double expected, double? actual) => Assert.Equal(expected, actual!.Value, 1e-6 * expected);

    /// <summary>Every measurement, not only their mean.</summary>
    private static void Near(double expected, Statistics actual)
    {
        Near(expected, actual.Mean);
        Near(expected, actual.Median);
        Near(expected, actual.Min);
        Near(expected, actual.Max);
        Assert.Equal(0, actual.StandardDeviation, 1e-6 * expected);
    }

    /// <summary>A millisecond for a send, four for a receive; of the queue slow, twelve.</summary>
    private KnownSpeedProvider Queues(string scheme) => new(
        scheme, _clock, _ => TimeSpan.FromMilliseconds(1), name => TimeSpan.FromMilliseconds(name == "slow" ? 12 : 4));

    /// <summary>Queues of another process, in which no server runs.</summary>
    private sealed class AwayProvider() : WrappingQueueProvider("away")
    {
        protected override Queues.QueueCapabilities Describe(Queues.QueueCapabilities capabilities) => capabilities with { IsInProcess = false };
    }

    /// <summary>Queues that take messages and hand out none.</summary>
    private sealed class DeafProvider() : WrappingQueueProvider("deaf")
    {
        protected override async ValueTask<Queues.ReceivedMessage?> ReceiveAsync(
            Queues.QueueClient queue, TimeSpan timeout, Queues.QueueTransaction? transaction, CancellationToken cancellationToken)
        {
            await Task.Delay(timeout, cancellationToken);
            return null;
        }
    }
}
