using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Measurement;
using Formatters.Bench.Own;
using Formatters.Bench.Reports;
using Formatters.Queues;

namespace Formatters.Bench.Throughput;

/// <summary>One formatter of <c>throughput --type</c>.</summary>
/// <param name="Formatter">Its name.</param>
/// <param name="BodyBytes">The length of the first sample's body.</param>
/// <param name="SendRounds">Messages sent per second, round by round.</param>
/// <param name="ReceiveRounds">Messages received per second, round by round.</param>
/// <param name="SendP99">The 99th percentile of the durations of sends in milliseconds, the median of the rounds.</param>
/// <param name="EndToEndP99">The same from the time at which messages were due to their receipt; null without a rate.</param>
internal sealed record FormattersRow(
    string Formatter, int BodyBytes, IReadOnlyList<double> SendRounds, IReadOnlyList<double> ReceiveRounds, double SendP99, double? EndToEndP99);

/// <summary>The outcome of <c>throughput --type</c>.</summary>
/// <param name="Run">How it was obtained.</param>
/// <param name="Queue">What was sent to.</param>
/// <param name="Type">The type.</param>
/// <param name="Rows">The formatters that take it and change nothing.</param>
/// <param name="Refused">The others, and why.</param>
internal sealed record FormattersReport(RunInfo Run, QueueInfo Queue, string Type, IReadOnlyList<FormattersRow> Rows, IReadOnlyList<OwnRefusal> Refused) : IMeasuredReport
{
    /// <inheritdoc/>
    public string Verb => "throughput --type";

    /// <inheritdoc/>
    public IReadOnlyList<Series> Series => [.. Rows.SelectMany(row => new[]
    {
        Reports.Series.OfRates($"{Type}/{row.Formatter}/send", row.SendRounds), Reports.Series.OfRates($"{Type}/{row.Formatter}/receive", row.ReceiveRounds),
    })];
}

/// <summary>Sends and receives a type of the user's by every formatter that takes it, all in turn, in several rounds.</summary>
internal sealed class ThroughputFormatters(QueueConnector connector, ThroughputOptions options, OwnChoice choice, TimeProvider clock, TextWriter error, TextWriter output)
{
    private const int Rounds = 6;

    private static readonly TimeSpan Usual = TimeSpan.FromSeconds(3);

    /// <summary>Measures.</summary>
    /// <exception cref="OperationCanceledException">The run was ended before the first round was done.</exception>
    internal async Task<FormattersReport> RunAsync(string commandLine, CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        IReadOnlyList<(string Name, Payload Payload)> formatters = choice.Exact;
        var rounds = formatters.Select(static _ => new List<ThroughputSummary>()).ToArray();
        ThroughputReport? last = null;
        TimeSpan turn = (options.Duration ?? Usual) / Rounds;
        RunText.PrintEstimate(error, turn * ((Rounds + 1) * formatters.Count));
        try
        {
            // The first round is for the JIT.
            for (int round = -1; round < Rounds; round++)
            {
                error.WriteLine(round < 0 ? $"{choice.Type}: warming up ..." : $"round {round + 1} of {Rounds} ...");
                var summaries = new ThroughputSummary[formatters.Count];
                foreach (int i in RoundOrder.Indexes(summaries.Length, round))
                {
                    ThroughputOptions one = options with { Own = formatters[i].Payload, Duration = turn, Frequency = TimeSpan.FromDays(1), Purge = options.Purge && last is null };
                    last = await new ThroughputRun(connector, one, clock, error, new SilentRows()).RunAsync("", cancellationToken);
                    cancellationToken.ThrowIfCancellationRequested();
                    summaries[i] = last.Summary;
                }

                for (int i = 0; round >= 0 && i < summaries.Length; i++)
                    rounds[i].Add(summaries[i]);
            }
        }
        catch (OperationCanceledException) when (rounds[0].Count > 0 && cancellationToken.IsCancellationRequested)
        {
            // The rounds up to now are the outcome.
        }

        FormattersRow[] rows = [.. formatters.Select((formatter, i) => new FormattersRow(
            formatter.Name,
            formatter.Payload.BodyByteCount,
            [.. rounds[i].Select(static summary => summary.SendRate)],
            [.. rounds[i].Select(static summary => summary.ReceiveRate)],
            Statistics.Of([.. rounds[i].Select(static summary => summary.Send?.P99 ?? 0)]).Median,
            rounds[i].TrueForAll(static summary => summary.EndToEnd is not null) ? Statistics.Of([.. rounds[i].Select(static summary => summary.EndToEnd!.P99)]).Median : null))];
        var report = new FormattersReport(recorder.Finish(cancellationToken.IsCancellationRequested), last!.Queue, choice.Type.ToString(), rows, choice.Inexact);
        Print(report);
        return report;
    }

    internal static void WriteCsv(TextWriter output, FormattersReport report)
    {
        CsvText.WriteLine(output, "type", "formatter", "body_bytes", "rounds", "sent_per_second", "received_per_second", "send_p99_ms", "end_to_end_p99_ms");
        foreach (FormattersRow row in report.Rows)
        {
            CsvText.WriteLine(
                output,
                report.Type,
                row.Formatter,
                row.BodyBytes,
                row.SendRounds.Count,
                CsvText.Rate(Statistics.Of([.. row.SendRounds]).Median),
                CsvText.Rate(Statistics.Of([.. row.ReceiveRounds]).Median),
                CsvText.FourDigits(row.SendP99),
                CsvText.FourDigits(row.EndToEndP99));
        }
    }

    private void Print(FormattersReport report)
    {
        FormattersRow first = report.Rows[0];
        output.WriteLine($"{report.Type} over {report.Queue.Product}, {report.Queue.DeliveryMode}; none lost, none doubled");
        output.WriteLine();
        var table = new TextTable(("formatter", -15), ("bytes", 6), ("sent/s", 9), ("received/s", 10), ("ratio", 0), (RatioText.IntervalHeader, 0), ("p99 ms", 8), ("end to end", 10));
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

        output.WriteLine();
        output.WriteLine("Measured");
        RunText.PrintQueue(output, report.Queue);
        RunText.PrintRun(output, report.Run);
        TextWrap.Print(
            output,
            "  method      ",
            $"{first.SendRounds.Count} rounds, all formatters in turn in each; medians. Ratios are of messages received, to the row {first.Formatter} in the same round; "
            + $"{RatioText.IntervalLegend}. p99 ms is the 99th percentile of the time of a send, end to end that of the time from a send to its receive, in milliseconds.");
    }
}
