using Formatters.Bench.Throughput;

namespace Formatters.Bench.Report;

/// <summary>Draws <c>throughput</c>: rates over time, what waits, latencies; and its ramps.</summary>
internal static class ThroughputCharts
{
    private const int MaxPoints = 120;

    internal static IEnumerable<Chart> Build(ReportPart part)
    {
        ThroughputRow[] sends = Thin(part.Sends ?? []), receives = Thin(part.Receives ?? []);
        if (sends.Length + receives.Length > 2)
        {
            yield return OverTime(
                "messages over time", "Messages a second in each period; more is better.", Series.MessagesPerSecond,
                [("sent", sends, static row => row.Rate), ("received", receives, static row => row.Rate)]);
            yield return OverTime(
                "operations over time", "The median of each period in milliseconds; less is better.", "ms",
                [("send", sends, static row => row.First.Median), ("receive", receives, static row => row.First.Median)]);
            if (receives.Any(static row => row.Backlog > 0))
                yield return OverTime(
                    "backlog", "Messages sent and not yet received, at the end of each period.", "messages",
                    [("backlog", receives, static row => row.Backlog ?? 0)]);
        }

        ThroughputSummary summary = part.Summary!;
        (string Name, Percentiles Value)[] latencies = [.. new (string Name, Percentiles? Value)[]
        {
            ("send", summary.Send), ("gate lock", summary.GateLock), ("receive", summary.Receive), ("completion", summary.Completion),
                ("end to end", summary.EndToEnd),
        }.Where(static item => item.Value is { Max: > 0 }).Select(static item => (item.Name, item.Value!))];
        if (latencies.Length == 0)
            yield break;
        (string Name, Func<Percentiles, double> Of)[] lines = [("median", static value => value.P50), ("p90", static value => value.P90),
            ("p99", static value => value.P99), ("p99.9", static value => value.P999)];
        yield return new Chart(
            "latencies",
            "Milliseconds; less is better."
                + (summary.EndToEnd is null ? "" : " End to end: from the time at which a message was due to its receipt."),
            "ms",
            [.. latencies.Select(static item => item.Name)],
            [.. lines.Select(line => new ChartLine(line.Name, [.. latencies.Select(item => ChartPoint.Of(line.Of(item.Value)))]))]);
    }

    internal static IEnumerable<Chart> BuildRamp(IReadOnlyList<RampStep> steps)
    {
        foreach (IGrouping<string, RampStep> raised in steps.GroupBy(static step => step.Raised))
        {
            RampStep[] all = [.. raised];
            yield return new Chart(
                $"more {raised.Key}",
                "Messages a second; more is better.",
                Series.MessagesPerSecond,
                [.. all.Select(step =>
                    (raised.Key switch { "in-flight" => step.Inflight, "batch" => step.Batch, _ => step.Prefetch })
                        .ToString(CultureInfo.InvariantCulture))],
                [new ChartLine("sent", [.. all.Select(static step => ChartPoint.Of(step.SendRate))]),
                    new ChartLine("received", [.. all.Select(static step => ChartPoint.Of(step.Rounds))])],
                raised.Key) { AxisScale = AxisScale.Steps };
        }
    }

    private static Chart OverTime(string title, string caption, string unit,
        (string Name, ThroughputRow[] Rows, Func<ThroughputRow, double> Of)[] lines)
    {
        // Senders and receivers end their periods at moments of their own.
        double[] moments = [.. lines.SelectMany(static line => line.Rows).Select(static row => Math.Round(row.End, 2)).Distinct().Order()];
        return new Chart(
            title,
            caption,
            unit,
            [.. moments.Select(static moment => moment.ToString("0.##", CultureInfo.InvariantCulture))],
            [.. lines.Where(static line => line.Rows.Length > 0).Select(line => new ChartLine(
                line.Name, [.. moments.Select(moment => line.Rows.FirstOrDefault(row => Math.Round(row.End, 2) == moment) is { } row
                    ? ChartPoint.Of(line.Of(row)) : null)]))],
            "seconds") { AxisScale = AxisScale.Differences };
    }

    /// <summary>Of a long run every n-th row: each stands for itself.</summary>
    private static ThroughputRow[] Thin(IReadOnlyList<ThroughputRow> rows)
    {
        int step = Math.Max(1, (rows.Count + MaxPoints - 1) / MaxPoints);
        return [.. rows.Where((_, i) => i % step == step - 1)];
    }
}
