using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Compare;
using Formatters.Bench.Measurement;
using Formatters.Bench.Reports;
using Formatters.Bench.Rows;
using Formatters.Bench.Tests.Support;
using Formatters.Queues;
using Xunit;

namespace Formatters.Bench.Tests.Compare;

public class CompareRunTests
{
    private static readonly MeterPlan Tiny = new(5, TimeSpan.Zero, TimeSpan.Zero, MinRounds: 3, MaxRounds: 3, MinTurn: TimeSpan.Zero);

    [Fact]
    public async Task Run_AllFormatters_MeasuresEveryRowAndLeavesTheQueueEmpty()
    {
        var tool = new Tool();

        CompareReport report = await RunAsync(tool, new CompareOptions { Plan = Tiny, Quick = true, Study = true });

        Assert.Equal(OrderFormatterRows.Create().Select(row => row.Name), report.Orders.Select(row => row.Formatter));
        Assert.Equal(["ActiveX", "binary", "XML", "BinaryFormatter"], report.Int32s.Select(row => row.Formatter));
        Assert.All(report.Orders.Concat(report.Int32s), row =>
        {
            Assert.Equal((3, 3), (row.Send.Count, row.Receive.Count));
            Assert.True(row.Send.Min > 0 && row.Receive.Min > 0 && row.WriteNanoseconds > 0 && row.ReadNanoseconds > 0);
        });
        CompareRow legacy = report.Orders.Single(row => row.Formatter == report.Base);
        Assert.Equal((1, 1), (legacy.SendRatio!.Value, legacy.ReceiveRatio!.Value));
        Assert.DoesNotContain(report.Findings, finding => finding.Verdict == Verdict.NotMeasured);
        Assert.Equal(("memory:compare", "in-memory", "express"), (report.Queue.Address, report.Queue.Product, report.Queue.DeliveryMode));
        Assert.Equal(0, await tool.CountAsync("memory:compare"));
    }

    [Fact]
    public async Task Run_WithoutTheStudy_ComparesWithMessagePackCSharp()
    {
        CompareReport report = await RunAsync(new Tool(), new CompareOptions { Plan = Tiny, Quick = true, LineItems = 1 });

        Assert.Equal("MessagePack-CSharp", report.Base);
        Assert.Equal(
            OrderFormatterRows.Create().Select(static row => row.Name).Except(["bridge", "persist stream"]), report.Orders.Select(static row => row.Formatter));
        Assert.All(report.Orders, row => Assert.NotNull(row.SendRatio));
        Assert.Empty(report.Int32s);
        Assert.Empty(report.Findings);
        var output = new StringWriter();
        CompareText.Print(output, report);
        Assert.DoesNotContain("2004", output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Answer_NamesTheFastestTheOneForTypesThatChangeTheSmallestAndThePeers()
    {
        CompareReport report = Report(
            Row("generated", 100, 4_000_000, false), Row("versioned", 120, 2_000_000, true), Row("compact", 60, 1_000_000, true),
            Row("MessagePack", 110, 1_500_000, true), Row("MessagePack-CSharp", 110, 500_000, true), Row("BinaryFormatter", 10, 9_000_000, true));

        IReadOnlyList<(string Label, string Text)> answer = CompareAnswer.Of(report);

        Assert.Equal(["fastest", "types change", "smallest", "beside others", "trust"], answer.Select(static line => line.Label));
        Assert.Equal("generated: 4,000,000 sent/s, 4,000,000 received/s.", answer[0].Text);
        Assert.Equal("versioned: members can be added and removed; 0.50x as fast as the fastest.", answer[1].Text);
        Assert.Equal("compact: 60 bytes, where the fastest has 100; 0.25x as fast as the fastest.", answer[2].Text);
        Assert.Equal("MessagePack 3.00x as fast as MessagePack-CSharp.", answer[3].Text);
        Assert.Equal("7 rounds, noise up to 0 %: a smaller difference is none.", answer[4].Text);
        var output = new StringWriter();
        CompareText.Print(output, report);
        Assert.Equal("  fastest       generated: 4,000,000 sent/s, 4,000,000 received/s.", output.ToString().Split(Environment.NewLine)[2]);
    }

    [Fact]
    public void Answer_DoesNotPreferWhatTheRoundsDoNotDecide()
    {
        CompareReport report = Report(Row("generated", 100, 1_010_000, false), Row("versioned", 100, 1_000_000, true));
        Assert.EndsWith("Not slower beyond doubt: versioned.", CompareAnswer.Of(report)[0].Text, StringComparison.Ordinal);
        Assert.Equal("no such format was measured.", CompareAnswer.Of(Report(Row("generated", 100, 1_000_000, false)))[1].Text);
        Assert.StartsWith("MemoryPack (not ours)", CompareAnswer.Of(Report(Row("MemoryPack", 100, 1_000_000, false)))[0].Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_ShowsFiguresWhileItMeasures()
    {
        var progress = new NoProgress();
        var options = new CompareOptions { Plan = Tiny, Quick = true, LineItems = 1, Formatters = ["generated", "MessagePack-CSharp"] };
        await new CompareRun(new Tool().Connector, options, TimeProvider.System, TextWriter.Null).RunAsync("", progress, CancellationToken.None);
        Assert.StartsWith("round 1, sent/s and received/s: ", progress.Lines[0], StringComparison.Ordinal);
        Assert.Contains("MessagePack-CSharp", progress.Lines[0], StringComparison.Ordinal);
    }

    private static CompareRow Row(string name, int byteCount, double rate, bool? canChange)
    {
        double[] rounds = [.. Enumerable.Repeat(rate, 7)];
        RateRatio one = RateRatio.Paired(rounds, rounds)!;
        return new CompareRow(name, byteCount, Statistics.Of(rounds), Statistics.Of(rounds), one, one, null, null, rounds, rounds, CanChange: canChange);
    }

    private static CompareReport Report(params CompareRow[] rows) => new()
    {
        Run = new RunRecorder("compare", new Now()).Finish(false),
        Queue = new QueueInfo("memory:q", "in-memory", "express", "none"),
        LineItems = 1,
        BatchCount = 1,
        Orders = rows,
        Int32s = [],
        Findings = [],
    };

    [Fact]
    public async Task Run_Transactional_IsMeasuredToo()
    {
        CompareReport report = await RunAsync(
            new Tool(), new CompareOptions { Plan = Tiny, Quick = true, Mode = DeliveryMode.Transactional, Formatters = ["hand-coded"], LineItems = 1 });

        Assert.Equal("transactional", report.Queue.DeliveryMode);
        Assert.Null(Assert.Single(report.Orders).SendRatio);
        Assert.Empty(report.Int32s);
    }

    [Fact]
    public async Task Print_AWholeReport_FitsEightyColumnsAndHasNoEscapes()
    {
        CompareReport report = await RunAsync(new Tool(), new CompareOptions { Plan = Tiny, Quick = true, Study = true });
        var output = new StringWriter();

        CompareText.Print(output, report);

        string text = output.ToString();
        Assert.All(text.Split(Environment.NewLine), line => Assert.True(line.Length < 80, line));
        Assert.DoesNotContain('\u001b', text);
        Assert.Contains("7.74x", text, StringComparison.Ordinal);
        Assert.Contains("memory only: nothing survives the process", text, StringComparison.Ordinal);
        Assert.Contains("2026-11-20 09:30 +00:00", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Json_ParsesBackToTheReport()
    {
        CompareReport report = await RunAsync(new Tool(), new CompareOptions { Plan = Tiny, Quick = true, Study = true, LineItems = 2 });

        string json = JsonSerializer.Serialize(report, ReportJson.Default.CompareReport);
        CompareReport back = JsonSerializer.Deserialize(json, ReportJson.Default.CompareReport)!;

        Assert.Equal(json, JsonSerializer.Serialize(back, ReportJson.Default.CompareReport));
        using JsonDocument document = JsonDocument.Parse(json);
        Assert.Equal("hand-coded", document.RootElement.GetProperty("orders")[0].GetProperty("formatter").GetString());
        Assert.Equal(3, document.RootElement.GetProperty("orders")[0].GetProperty("sendRounds").GetArrayLength());
        Assert.Equal("in-memory", document.RootElement.GetProperty("queue").GetProperty("product").GetString());
    }

    [Fact]
    public async Task Csv_HasALineForEveryFormatterAndOperation()
    {
        CompareReport report = await RunAsync(new Tool(), new CompareOptions { Plan = Tiny, Quick = true, Study = true, LineItems = 2 });
        var output = new StringWriter();

        CompareCsv.Write(output, report);

        string[][] lines = [.. output.ToString().Split("\r\n", StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(','))];
        Assert.Equal(1 + (2 * (OrderFormatterRows.Create().Count + 4)), lines.Length);
        Assert.All(lines, line => Assert.Equal(lines[0].Length, line.Length));
        int median = Array.IndexOf(lines[0], "median_per_second");
        Assert.Equal(CsvText.Rate(report.Orders[0].Send.Median), double.Parse(lines[1][median], System.Globalization.CultureInfo.InvariantCulture));
    }

    [Theory]
    [InlineData((int)Fault.Alters)]
    [InlineData((int)Fault.Loses)]
    public async Task Run_AQueueThatAltersOrLosesMessages_FailsVerification(int fault)
    {
        var tool = new Tool(new FaultyQueueProvider((Fault)fault));
        var run = new RoundTripMeter(tool.Connector, "faulty:q", QueueOptions.Fastest, TimeSpan.FromMilliseconds(50), TimeProvider.System);
        Payload[] payloads = [Payloads.CreateInt32(Formatters.Bench.Rows.Int32FormatterRow.CreateAll()[0])];

        await Assert.ThrowsAsync<VerificationException>(
            () => run.MeasureAsync(payloads, Tiny with { BatchCount = 150 }, new Progress<double>(), CancellationToken.None));

        Assert.Equal(0, await tool.CountAsync("faulty:q"));
    }

    /// <summary>The first batch is compared as a whole, before anything is measured; of each later one the last message is.</summary>
    [Theory]
    [InlineData(2)]
    [InlineData(10)]
    public async Task Run_AQueueThatChangesOneContent_FailsVerification(int number)
    {
        var tool = new Tool(new ChangedContentProvider(number));
        var run = new RoundTripMeter(tool.Connector, "changed:q", QueueOptions.Fastest, TimeSpan.FromSeconds(5), TimeProvider.System);
        Payload payload = Payloads.Classic(1).Single(payload => payload.Name == Payloads.StringName(500)).Create();

        await Assert.ThrowsAsync<VerificationException>(() => run.MeasureAsync([payload], Tiny, new Progress<double>(), CancellationToken.None));

        Assert.Equal(0, await tool.CountAsync("changed:q"));
    }

    [Fact]
    public async Task Run_Cancelled_PurgesTheQueueAndGivesTheRoundsUpToThen()
    {
        var tool = new Tool();
        using var cancellation = new CancellationTokenSource();
        var options = new CompareOptions { Plan = Tiny with { MinRounds = int.MaxValue }, LineItems = 1, Formatters = ["hand-coded", "BinaryFormatter"] };
        // The start and the end of the warm-up are reported, too.
        var progress = new CancellingProgress(cancellation, after: 5);

        CompareReport report = await new CompareRun(tool.Connector, options, TimeProvider.System, TextWriter.Null).RunAsync("", progress, cancellation.Token);

        Assert.True(report.Run.IsInterrupted);
        Assert.All(report.Orders, row => Assert.Equal((3, 3, 3), (row.SendRounds.Count, row.ReceiveRounds.Count, row.SendRatio!.Rounds)));
        Assert.Equal(
            ["order/hand-coded/send", "order/hand-coded/receive", "order/BinaryFormatter/send", "order/BinaryFormatter/receive"], report.Series.Select(series => series.Name));
        Assert.All(report.Series, series => Assert.Equal(3, series.Rounds.Count));
        Assert.Equal(0, await tool.CountAsync("memory:compare"));
    }

    [Fact]
    public async Task Run_CancelledBeforeTheFirstRoundIsDone_HasNothingToShow()
    {
        var tool = new Tool();
        using var cancellation = new CancellationTokenSource();
        var options = new CompareOptions { Plan = Tiny with { WarmUp = TimeSpan.FromHours(1) }, LineItems = 1 };

        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => new CompareRun(tool.Connector, options, TimeProvider.System, TextWriter.Null).RunAsync("", new CancellingProgress(cancellation, after: 1), cancellation.Token));

        Assert.Equal(0, await tool.CountAsync("memory:compare"));
    }

    private static Task<CompareReport> RunAsync(Tool tool, CompareOptions options) =>
        new CompareRun(tool.Connector, options, new Now(), TextWriter.Null).RunAsync("compare", new NoProgress(), CancellationToken.None);

    private sealed class Now : TimeProvider
    {
        public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

        public override DateTimeOffset GetUtcNow() => Tool.Now;
    }

    private sealed class CancellingProgress(CancellationTokenSource cancellation, int after) : IRunProgress, IProgress<double>
    {
        private int _reports;

        public IProgress<double> Stage(string name) => this;

        public void Show(string line)
        {
        }

        public void Report(double value)
        {
            if (++_reports == after)
                cancellation.Cancel();
        }
    }
}
