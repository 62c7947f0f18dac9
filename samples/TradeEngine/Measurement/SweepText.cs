using Formatters.Bench.Compare;

namespace Formatters.TradeEngine.Measurement;

/// <summary>Prints what <c>sweep</c> found.</summary>
internal static class SweepText
{
    private sealed record Column(string Header, string Legend, string Format, Func<SweepPoint, double?> Of);

    private static readonly Column Rate = new("msg/s", "in-bound messages a second", "N0", point => point.MessagesPerSecond);

    private static readonly Column Latency = new(
        "CLS ms", "from the time at which a trade's last message was due to its CLS, median of a run", "N1", point => point.LatencySeconds * 1000);

    private static readonly Column Start = new("start ms", "from the first message to the first CLS", "N0", point => point.StartSeconds * 1000);

    private static readonly Column Response =
        new("R ms", "time of a message in the network, by the lengths of the queues", "N1", point => point.ResponseSeconds * 1000);

    private static readonly Column Foretold = new(
        "foretold", "messages a second, simulated from the first case alone, all on this machine's processors", "N0", point =>
            point.Simulated?.MessagesPerSecond);

    private static readonly Column Rows = new("rows/s", "rows inserted a second", "N0", point => point.InsertRate);

    private static readonly Column Disk = new("disk", "requests at the busiest disk", "N1", point => point.DiskQueue);

    private static readonly Column Processor = new("us/msg", "processor time of a message, that of the servers included", "N0", point =>
        1e6 * (point.Processors.Run + point.Processors.Nodes + point.Processors.Database + point.Processors.Broker));

    internal static void Print(TextWriter output, SweepReport report)
    {
        output.WriteLine($"The transaction engine by {report.Kind}, as in 'Benchmarking a Transaction Engine Design' (2005)");
        output.WriteLine();
        TextWrap.Print(output, "  queues      ", report.Queues);
        TextWrap.Print(output, "  store       ", report.Store);
        if (report.Limit is { } limit)
            TextWrap.Print(output, "  full load   ",
                $"{Numbers.Rate(limit)} messages a second, which the engine reaches when more are due than it can process");
        RunText.PrintRun(output, report.Run);
        output.WriteLine();
        Column[] columns = report.Kind switch
        {
            "nodes" => [Rate, Foretold, Rows, Disk, Latency, Processor],
            "load" => [Rate, Latency, Response, Processor],
            "inbound" => [Start, Rate, Processor],
            _ => [Rate, Latency, Processor],
        };
        columns = [.. columns.Where(column => report.Points.Any(point => column.Of(point) is not null))];
        var table = new TextTable([("case", -20), .. columns.Select(column => (column.Header, 0))]);
        foreach (IGrouping<string, SweepPoint> rounds in report.Cases)
            table.Add([rounds.Key + (rounds.All(point => point.IsRight) ? "" : " WRONG"), .. columns.Select(column => Cell(rounds, column))]);
        table.Print(output);
        TextWrap.Print(output, "  ", $"Medians of {Numbers.Count(report.Points.Max(point => point.Round) + 1, "round")} (low-high: their interval). "
            + string.Join("; ", columns.Select(column => $"{column.Header}: {column.Legend}")) + ".");
        if (report.Findings.Count > 0)
            PrintFindings(output, report.Findings);
    }

    private static void PrintFindings(TextWriter output, IReadOnlyList<Finding> findings)
    {
        output.WriteLine();
        var table = new TextTable(("the study's claim", -1), ("ratio", 0), (RatioText.IntervalHeader, 0), ("verdict", -1));
        foreach (Finding finding in findings)
        {
            double[] bounds = RatioText.FindingBounds;
            table.Add(finding.Text, RatioText.Value(finding.Ratio, bounds), RatioText.Interval(finding.Ratio, bounds),
                Findings.Describe(finding.Verdict));
        }

        table.Print(output);
        TextWrap.Print(output, "  ",
            "ratio: of the two cases within a round, median of the rounds, above 1 if the claim is right; "
            + $"{RatioText.IntervalLegend(findings.Min(static finding => finding.Ratio?.Rounds))}. "
            + Findings.Legend(findings, "claim"));
    }

    private static string Cell(IEnumerable<SweepPoint> rounds, Column column)
    {
        if (SweepReport.Summarize(rounds, column.Of) is not { } median)
            return Numbers.None;
        return median.High > median.Low ? $"{Text(median.Value)} ({Text(median.Low)}-{Text(median.High)})" : Text(median.Value);

        string Text(double value) => value.ToString(column.Format, CultureInfo.InvariantCulture);
    }
}
