using Formatters.TradeEngine.Monitoring;
using Formatters.TradeEngine.Runs;

namespace Formatters.TradeEngine.Measurement;

/// <summary>Prints what <c>run</c> found.</summary>
internal static class EngineText
{
    internal static void Print(TextWriter output, EngineReport report)
    {
        EngineRunResult result = report.Result;
        NetworkAnalysis analysis = result.Analysis;
        output.WriteLine("A transaction engine as in 'Benchmarking a Transaction Engine Design' (2005)");
        output.WriteLine();
        RunText.PrintQueue(output, report.Queues);
        TextWrap.Print(output, "  store       ", report.Store);
        TextWrap.Print(output, "  messages    ",
            Invariant($"{report.Format}, {result.AverageBodyByteCount:N0} bytes with the driver's signature by {report.Signature}"));
        RunText.PrintRun(output, report.Run);
        output.WriteLine();
        output.WriteLine(
            Invariant($"{result.Trades:N0} trades, {result.Sent:N0} messages in {result.Seconds:N1} s: ",
            $"{result.MessagesPerSecond:N0} messages a second"));
        output.WriteLine(Invariant($"  (the study: {EngineStudy.MessagesPerSecond:N0} with 8 nodes and 4 database servers)"));
        output.WriteLine(
            Invariant($"  {result.MessagesPerHour:N0} an hour, {result.MessagesPerDay:N0} in a day of eight hours (the study: ",
            $"{EngineStudy.MessagesPerHour:N0}, {EngineStudy.MessagesPerDay:N0})"));
        if (result.WarmTrades > 0)
            output.WriteLine(Invariant($"  {result.WarmTrades:N0} trades before them to warm up, which are checked below and not measured"));
        PrintVerdicts(output, result);
        if (result.Transfer is { } guarantee)
            output.WriteLine($"  transferred {(guarantee == ForwardingGuarantee.ExactlyOnce ? "exactly" : "at least")} once from "
                + $"the driver's queues to the in-bound queues");
        if (result.Latency is { } latency)
            output.WriteLine(
                Invariant($"  CLS after a trade's last message was due: median {Seconds(latency.Median)}, 95 % {Seconds(latency.P95)}; the first ",
                $"after {Seconds(result.StartSeconds ?? 0)}"));
        output.WriteLine(
            Invariant($"  {analysis.ProcessorSeconds * 1e6:N1} us of processor and {result.AllocatedBytes:N0} bytes allocated a message; ",
            $"{(double)result.PeakMemoryBytes / (1 << 20):N0} MiB at most"));
        PrintProcessors(output, report);
        output.WriteLine();
        PrintStations(output, report, analysis);
        output.WriteLine();
        PrintBounds(output, result);
    }

    private static void PrintProcessors(TextWriter output, EngineReport report)
    {
        ProcessorShares shares = report.Result.Processors;
        if (report.NodeProcesses is { } nodes)
            output.WriteLine(
                Invariant($"  us of processor a message: {nodes:N0} component process{(nodes == 1 ? "" : "es")} ",
                $"{shares.Nodes * 1e6:N0}, driver and sink {shares.Run * 1e6:N0}"));
        if (shares.Database > 0 || shares.Broker > 0)
            output.WriteLine(
                Invariant($"  us of processor a message of the servers: PostgreSQL {shares.Database * 1e6:N0}, broker {shares.Broker * 1e6:N0}"));
        if (report.InsertRate is { } rows)
            output.WriteLine(Invariant($"  {rows:N0} rows inserted a second; {report.Result.DiskQueue:N1} requests at the busiest disk"));
        IReadOnlyList<(double Stored, double Rate)> curve = EngineFigures.FindDegradation(report.Result.Samples);
        if (curve.Count > 3)
        {
            TextWrap.Print(output, "  by volume   ", string.Join(", ", curve.Select(point => Invariant($"{point.Stored:N0}: {point.Rate:N0}/s"))));
        }
    }

    private static void PrintVerdicts(TextWriter output, EngineRunResult result)
    {
        output.WriteLine(
            $"  {Mark(result.Clearings == result.ExpectedClearings && result.WrongClearings == 0)} "
            + $"{Numbers.Count(result.Clearings, "trade")} {(result.Clearings == 1 ? "has" : "have")} exactly one CLS that holds, "
            + $"of {Numbers.Count(result.ExpectedClearings)} that should");
        output.WriteLine(
            $"  {Mark(result.RepeatedClearings == 0)} {Numbers.Count(result.RepeatedClearings)} CLS came twice; "
            + $"{Numbers.Count(result.CancelledClearings)} {Were(result.CancelledClearings)} taken back; "
            + $"{Numbers.Count(result.Kills, "component")} {Were(result.Kills)} killed on the way");
        foreach (string reason in result.RetryReasons)
            TextWrap.Print(output, Invariant($"  note  {Numbers.Count(result.Retries, "time")} begun again: "), reason);
        output.WriteLine(
            Invariant($"  {Mark(result.WrongExceptions == 0)} {Numbers.Count(result.Exceptions.Values.Sum(), "message")} in the exception queue, of ",
            $"{Numbers.Count(result.ExpectedExceptions, "bad one")}, {result.WrongExceptions:N0} with a wrong reason"));
        foreach ((string reason, int count) in result.Exceptions.OrderBy(entry => entry.Key, StringComparer.Ordinal))
            output.WriteLine(Invariant($"       {count,6:N0}  {reason}"));

        static string Were(long count) => count == 1 ? "was" : "were";
    }

    private static void PrintStations(TextWriter output, EngineReport report, NetworkAnalysis analysis)
    {
        output.WriteLine("Buzen and Denning's quantities (X a second, S and R in ms, N messages)");
        var table = new TextTable(("station", -8), ("C", 9), ("X", 8), ("U", 5), ("S", 7), ("N", 8), ("R", 8), ("measured", 8), ("Little", 6));
        foreach (StationAnalysis station in analysis.Stations)
        {
            table.Add(
                station.Name,
                Numbers.Count(station.Completions),
                station.Throughput.ToString("N0", CultureInfo.InvariantCulture),
                Numbers.Percent(station.Utilization),
                Milliseconds(station.ServiceSeconds),
                station.MeanLength.ToString("N1", CultureInfo.InvariantCulture),
                Milliseconds(station.ResponseSeconds),
                report.NodeProcesses is null ? Milliseconds(station.MeasuredResponseSeconds) : Numbers.None,
                report.NodeProcesses is null ? Signed(station.LittleError, 1) : Numbers.None);
        }

        table.Print(output);
        if (report.BundleSize > 1)
        {
            TextWrap.Print(output, "  lengths     ", Invariant(
                $"of noe, alc, npr and set: what was sent to them and is not completed, as router and components note it; their queues have bundles ",
                    $"of up to {report.BundleSize:N0} messages. --bundle 1: as the queues tell"));
        }
    }

    private static void PrintBounds(TextWriter output, EngineRunResult result)
    {
        NetworkAnalysis analysis = result.Analysis;
        TextWrap.Print(
            output,
            "  bottleneck  ",
            Invariant($"{analysis.Bottleneck}: at most {analysis.ThroughputBound:N0} messages a second; used ",
                $"{analysis.Throughput / analysis.ThroughputBound:0 %} of it"));
        TextWrap.Print(output, "  processors  ", Invariant($"{analysis.ProcessorCount}, {analysis.ProcessorUtilization:0 %} used by this process"));
        TextWrap.Print(
            output,
            "  response    ",
            Invariant($"{Milliseconds(analysis.ResponseSeconds)} ms in the network, {Milliseconds(analysis.LeastResponseSeconds)} ms at least; ",
                $"saturated from {analysis.SaturationLength:N1} messages in the network on"));
        if (result.OperatingRegion.Count > 0)
        {
            TextWrap.Print(
                output,
                "  region      ",
                "response of the components by load: " + string.Join(
                    ", ",
                    result.OperatingRegion.Select(point =>
                        Invariant($"{point.LoadShare:0 %} {Milliseconds(point.LeastSeconds)} to {Milliseconds(point.MostSeconds)} ms"))));
        }
    }

    /// <summary>A difference in percent, with its sign: <c>+4.3 %</c>; what rounds to zero has none.</summary>
    internal static string Signed(double share, int decimals)
    {
        double percent = Math.Round(100 * share, decimals);
        string zeros = decimals == 0 ? "0" : "0." + new string('0', decimals);
        return percent == 0 ? zeros + " %" : percent.ToString($"+{zeros} '%';-{zeros} '%'", CultureInfo.InvariantCulture);
    }

    private static string Mark(bool isRight) => isRight ? "ok   " : "WRONG";

    private static string Milliseconds(double seconds) => (seconds * 1000).ToString(seconds < 0.1 ? "N3" : "N0", CultureInfo.InvariantCulture);

    private static string Seconds(double seconds) => seconds.ToString("0.000", CultureInfo.InvariantCulture) + " s";

    private static string Invariant(params FormattableString[] texts) => string.Concat(texts.Select(FormattableString.Invariant));
}
