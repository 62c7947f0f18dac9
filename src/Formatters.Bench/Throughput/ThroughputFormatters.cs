using Formatters.Bench.Own;

namespace Formatters.Bench.Throughput;

/// <summary>One formatter of <c>throughput --type</c>.</summary>
/// <param name="BodyBytes">The length of the first sample's body.</param>
/// <param name="SendRounds">Messages sent per second, round by round.</param>
/// <param name="ReceiveRounds">Messages received per second, round by round.</param>
/// <param name="SendP99">The 99th percentile of the durations of sends in milliseconds, the median of the rounds.</param>
/// <param name="EndToEndP99">The same from the time at which messages were due to their receipt; null without a rate.</param>
internal sealed record FormattersRow(
    string Formatter, int BodyBytes, IReadOnlyList<double> SendRounds, IReadOnlyList<double> ReceiveRounds, double SendP99, double? EndToEndP99);

/// <param name="Queue">What was sent to.</param>
/// <param name="Rows">The formatters that take it and change nothing.</param>
/// <param name="Refused">The others, and why.</param>
internal sealed record FormattersReport(RunInfo Run, QueueInfo Queue, string Type, IReadOnlyList<FormattersRow> Rows,
    IReadOnlyList<OwnRefusal> Refused) : IMeasuredReport
{
    public string Verb => "throughput --type";

    public IReadOnlyList<Series> Series => [.. Rows.SelectMany(row => new[]
    {
        Reports.Series.OfRates($"{Type}/{row.Formatter}/send", row.SendRounds),
        Reports.Series.OfRates($"{Type}/{row.Formatter}/receive", row.ReceiveRounds),
    })];
}

/// <summary>Sends and receives a type of the user's by every formatter that takes it, all in turn, in several rounds.</summary>
internal sealed class ThroughputFormatters(QueueConnector connector, ThroughputOptions options, OwnChoice choice, TimeProvider clock,
    TextWriter error, TextWriter output)
{
    private const int RoundCount = 6;

    private static readonly CsvTable<(string Type, FormattersRow Row)> Csv = new()
    {
        { "type", static row => row.Type },
        { "formatter", static row => row.Row.Formatter },
        { "body_bytes", static row => row.Row.BodyBytes },
        { "rounds", static row => row.Row.SendRounds.Count },
        { "sent_per_second", static row => CsvText.Rate(Statistics.Of([.. row.Row.SendRounds]).Median) },
        { "received_per_second", static row => CsvText.Rate(Statistics.Of([.. row.Row.ReceiveRounds]).Median) },
        { "send_p99_ms", static row => CsvText.FourDigits(row.Row.SendP99) },
        { "end_to_end_p99_ms", static row => CsvText.FourDigits(row.Row.EndToEndP99) },
    };

    private static readonly TimeSpan Usual = TimeSpan.FromSeconds(3);

    internal async Task<FormattersReport> RunAsync(string commandLine, CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        IReadOnlyList<(string Name, Payload Payload)> formatters = choice.Exact;
        List<(string Name, Payload Payload, List<ThroughputSummary> Rounds)> cases = [.. formatters
            .Select(static item => (item.Name, item.Payload, new List<ThroughputSummary>()))];
        ThroughputReport? last = null;
        TimeSpan turn = (options.Duration ?? Usual) / RoundCount;
        int count = (RoundCount + 1) * formatters.Count;
        var estimate = new RunEstimate(error, clock);
        estimate.Print(turn * count);
        IProgress<double> progress = estimate.Correct(null);
        int measured = 0;
        // The first round is for the JIT.
        error.WriteLine($"{choice.Type}: warming up ...");
        foreach ((_, Payload payload, _) in cases)
            await MeasureAsync(payload);
        int rounds = await Rounds.RunAsync(
            cases,
            round =>
            {
                if (round < RoundCount)
                    error.WriteLine($"round {round + 1} of {RoundCount} ...");
                return round < RoundCount;
            },
            async item => item.Rounds.Add(await MeasureAsync(item.Payload)),
            cancellationToken);
        foreach ((_, _, List<ThroughputSummary> summaries) in cases)
            summaries.RemoveRange(rounds, summaries.Count - rounds);

        FormattersRow[] rows = [.. cases.Select(static item => new FormattersRow(
            item.Name,
            item.Payload.BodyByteCount,
            [.. item.Rounds.Select(static summary => summary.SendRate)],
            [.. item.Rounds.Select(static summary => summary.ReceiveRate)],
            Statistics.Of([.. item.Rounds.Select(static summary => summary.Send?.P99 ?? 0)]).Median,
            item.Rounds.TrueForAll(static summary => summary.EndToEnd is not null)
                ? Statistics.Of([.. item.Rounds.Select(static summary => summary.EndToEnd!.P99)]).Median
                : null))];
        var report = new FormattersReport(recorder.Finish(cancellationToken.IsCancellationRequested), last!.Queue, choice.Type.ToString(), rows,
            choice.Inexact);
        Print(report);
        return report;

        async Task<ThroughputSummary> MeasureAsync(Payload payload)
        {
            ThroughputOptions one = options
                with { Own = payload, Duration = turn, Frequency = TimeSpan.FromDays(1), Purge = options.Purge && last is null };
            last = await new ThroughputRun(connector, one, clock, error, new SilentRows()).RunAsync("", cancellationToken);
            cancellationToken.ThrowIfCancellationRequested();
            progress.Report((double)++measured / count);
            return last.Summary;
        }
    }

    internal static void WriteCsv(TextWriter output, FormattersReport report) => Csv.Write(output, report.Rows.Select(row => (report.Type, row)));

    private void Print(FormattersReport report)
    {
        FormattersRow first = report.Rows[0];
        output.WriteLine($"{report.Type} over {report.Queue.Product}, {report.Queue.DeliveryMode}; none lost, none doubled");
        output.WriteLine();
        var table = new TextTable(("formatter", -15), ("bytes", 6), ("sent/s", 9), ("received/s", 10), ("ratio", 0), (RatioText.IntervalHeader, 0),
            ("p99 ms", 8), ("end to end", 10));
        foreach (FormattersRow row in report.Rows)
        {
            RateRatio? ratio = RateRatio.Paired(row.ReceiveRounds, first.ReceiveRounds);
            table.Add(
                row.Formatter,
                Numbers.Count(row.BodyBytes),
                Numbers.Rate(Statistics.Of([.. row.SendRounds]).Median),
                Numbers.Rate(Statistics.Of([.. row.ReceiveRounds]).Median),
                RatioText.Value(ratio),
                RatioText.Interval(ratio),
                Numbers.Rate(row.SendP99),
                row.EndToEndP99 is { } latency ? Numbers.Rate(latency) : Numbers.None);
        }

        table.Print(output);
        if (report.Refused.Count > 0)
        {
            output.WriteLine();
            OwnText.PrintRefused(output, "Not compared: formatters that do not support it, or lose or change something", report.Refused);
        }

        RunText.PrintMeasured(
            output,
            report.Run,
            report.Queue,
            $"{Numbers.Count(first.SendRounds.Count, "round")}, all formatters in turn in each; medians. Ratios are of messages received, to the "
                + $"row {first.Formatter} in the same round; "
            + $"{RatioText.IntervalLegend(first.SendRounds.Count)}. p99 ms is the 99th percentile of the time of a send, end to end "
            + "that of the time from "
            + $"a send to its receive, in milliseconds.");
    }
}
