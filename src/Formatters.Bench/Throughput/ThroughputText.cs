using Formatters.Bench.CommandLine;

namespace Formatters.Bench.Throughput;

/// <summary>Gets the rows of a run as they come.</summary>
internal interface IThroughputRows
{
    void PrintHeaders(bool hasSenders, bool hasReceivers);

    void PrintSend(ThroughputRow row);

    void PrintReceive(ThroughputRow row);
}

/// <summary>Prints none.</summary>
internal sealed class SilentRows : IThroughputRows
{
    public void PrintHeaders(bool hasSenders, bool hasReceivers)
    {
    }

    public void PrintSend(ThroughputRow row)
    {
    }

    public void PrintReceive(ThroughputRow row)
    {
    }
}

/// <summary>Prints the rows as the sample does: S and R, the columns separated by pipes; yellow and cyan on a terminal.</summary>
internal sealed class ThroughputText : IThroughputRows
{
    private const string Yellow = "\u001b[33m";
    private const string Cyan = "\u001b[36m";
    private const string Reset = "\u001b[0m";

    private static readonly string[] SendColumns =
    [
        "pstart", "pend", "sbc", "mifs", "snd.avg", "snd.med", "snd.dev", "snd.min", "snd.max", "gld.avg", "gld.med", "gld.dev", "gld.min", "gld.max",
        "msg/s", "total", "sndop", "errs", "busy", "overall",
    ];

    private static readonly string[] ReceiveColumns =
    [
        "pstart", "pend", "rbc", "mifr", "rcv.avg", "rcv.med", "rcv.dev", "rcv.min", "rcv.max", "cpl.avg", "cpl.med", "cpl.dev", "cpl.min", "cpl.max",
        "msg/s", "total", "rcvop", "errs", "busy", "overall",
        "backlog",
    ];

    private readonly TextWriter _output;
    private readonly bool _hasColors;

    internal ThroughputText(TextWriter output)
    {
        // Colors are control characters, which are not shown: by way of the terminal itself.
        TextWriter terminal = output is VisibleWriter visible ? visible.Inner : output;
        _hasColors = terminal == Console.Out && !Console.IsOutputRedirected && Environment.GetEnvironmentVariable("NO_COLOR") is null or "";
        _output = _hasColors ? terminal : output;
    }

    public void PrintHeaders(bool hasSenders, bool hasReceivers)
    {
        if (hasSenders)
            Print("S", SendColumns, Yellow);
        if (hasReceivers)
            Print("R", ReceiveColumns, Cyan);
    }

    public void PrintSend(ThroughputRow row) => Print("S", Cells(row), Yellow);

    public void PrintReceive(ThroughputRow row) => Print("R", [.. Cells(row), row.Backlog?.ToString(CultureInfo.InvariantCulture) ?? "-"], Cyan);

    /// <summary>The columns of a row, without S or R: numbers with a point, nothing else.</summary>
    internal static string[] Cells(ThroughputRow row) =>
    [
        Seconds(row.Start),
        Seconds(row.End),
        Whole(row.BatchCount),
        Whole(row.Inflight),
        .. Cells(row.First),
        .. Cells(row.Second),
        Seconds(row.Rate),
        Whole(row.Total),
        Whole(row.Operations),
        Whole(row.Errors),
        Whole(row.Busy),
        Whole(row.Overall),
    ];

    /// <summary>Prints the run as a whole.</summary>
    internal static void PrintSummary(TextWriter output, ThroughputReport report)
    {
        ThroughputSummary summary = report.Summary;
        output.WriteLine();
        output.WriteLine($"sent {Numbers.Count(summary.Sent, "message")}, {Numbers.Rate(summary.SendRate)} msg/s; received "
            + $"{Numbers.Count(summary.Received)}, {Numbers.Rate(summary.ReceiveRate)} msg/s");
        string verified = report.Run.IsInterrupted || summary.Sent == 0 || report.Receives.Count == 0 ? "" : "none lost, none doubled; ";
        output.WriteLine($"{verified}{Numbers.Count(summary.Redelivered)} redelivered, {Numbers.Count(summary.Errors, "error")}, "
            + $" {Numbers.Count(summary.Busy)} busy");
        output.WriteLine();
        var table = new TextTable(("ms", -10), ("p50", 0), ("p90", 0), ("p99", 0), ("p99.9", 0), ("max", 0), ("count", 0));
        Add("send", summary.Send);
        Add("gate lock", summary.GateLock);
        Add("receive", summary.Receive);
        Add("completion", summary.Completion);
        Add("end to end", summary.EndToEnd);
        table.Print(output);
        RunText.PrintMeasured(
            output,
            report.Run,
            report.Queue,
            $"{report.Load}, {Numbers.Count(report.ByteCount)} bytes. S: senders, R: receivers, from pstart to pend in seconds. sbc, rbc: messages "
                + $"of a send, a receive; mifs, mifr: how many at once; "
            + "snd, rcv, gld, cpl: milliseconds of a send, a receive, the wait for a free send, a completion (average, median, standard deviation, "
            + "least, most); sndop, rcvop: sends, receives; "
            + "errs, busy: those that failed, that had to wait; total: messages; overall: from the start on; backlog: sent and not received. p50 to "
            + "p99.9: percentiles in milliseconds, count: how many of each. Receives include the wait for messages. "
            + (summary.EndToEnd is null ? ""
                : "End to end is from the time at which a message was due, whether it was sent then or not "
                + "(coordinated omission corrected), to its receipt. ")
            + (summary.Use is { } use
                ? $"This process allocated {Numbers.Count((long)use.AllocatedBytes)} bytes and took "
                + $"{Numbers.Rate(use.CpuMicroseconds)} us of processor time for a message." : ""));

        void Add(string name, Percentiles? item)
        {
            if (item is not null)
                table.Add(name, Milliseconds(item.P50), Milliseconds(item.P90), Milliseconds(item.P99), Milliseconds(item.P999),
                    Milliseconds(item.Max), Numbers.Count(item.Count));
        }
    }

    private static string[] Cells(Durations durations) =>
        [Milliseconds(durations.Average), Milliseconds(durations.Median), Milliseconds(durations.Deviation), Milliseconds(durations.Min),
            Milliseconds(durations.Max)];

    private static string Seconds(double value) => value.ToString("0.00", CultureInfo.InvariantCulture);

    private static string Milliseconds(double value) => value.ToString("0.000", CultureInfo.InvariantCulture);

    private static string Whole(long value) => value.ToString(CultureInfo.InvariantCulture);

    private void Print(string kind, string[] cells, string color)
    {
        string line = kind + "|" + string.Join('|', cells.Select(static cell => cell.PadLeft(10)));
        _output.WriteLine(_hasColors ? color + line + Reset : line);
    }
}
