using Formatters.Bench.Compare;

namespace Formatters.Bench.Senders;

/// <summary>Prints the outcome of <c>senders</c> for people, within 80 columns.</summary>
internal static class SendersText
{
    internal static void Print(TextWriter output, SendersReport report)
    {
        foreach (QueueSenders queue in report.Queues)
        {
            if (queue != report.Queues[0])
                output.WriteLine();
            Print(output, queue);
        }

        int rounds = report.Queues.SelectMany(static queue => queue.Rows).Select(static row => row.Sent.Count).FirstOrDefault();
        string who = report.Processes ? "this process and its senders" : "this process";
        string cpu = $"every message is counted and checked. cpu is the part of one processor that {who} used, server that of the queue's server "
            + "on this machine";
        RunText.PrintMeasured(
            output,
            report.Run,
            null,
            // Headers, memory and the network are measured without rounds.
            rounds == 0 ? $"Each part once; {cpu}." : string.Create(
                CultureInfo.InvariantCulture,
                $"{Numbers.Count(rounds, "round")} of all cases in turn, at most {report.CaseSeconds:0.##} s each way, after a warm-up; medians. "
                    + $"N senders at once ({(report.Processes ? "processes" : "threads")}), each waiting for its send, then as many "
                + $"receivers; {cpu}, rest that of all other processes. Ratios are taken within a round. "
                + $"bytes is the size of a body; n is how many senders and then receivers, 3:1 three and one; 1998 is the study's rate, in "
                + $"parentheses that of its table 7, from another machine with one disk."));
    }

    private static void Print(TextWriter output, QueueSenders queue)
    {
        output.WriteLine($"{queue.Product}, {queue.Address}");
        foreach (IGrouping<string, SendersRow> mode in queue.Rows.GroupBy(row => row.Mode))
        {
            output.WriteLine();
            TextWrap.Print(output, $"{mode.Key}: ", queue.Durability[mode.Key]);
            // Where the server is known, its use tells more than that of all others.
            bool hasServer = mode.Any(static row => row.SendServerCpu is not null);
            string others = hasServer ? "server" : "rest";
            SendersRow[] plain = [.. mode.Where(static row => row.Difference.Length == 0).OrderBy(row => row.Threads).ThenBy(row => row.Receivers)
                .ThenBy(row => row.ByteCount)];
            var table = new TextTable(("bytes", 0), ("n", 0), ("sent/s", 0), ("1998", 0), ("cpu", 0), (others, 0), ("received/s", 0), ("1998", 0),
                ("cpu", 0), (others, 0));
            foreach (SendersRow row in plain)
            {
                table.Add(
                    Numbers.Count(row.ByteCount),
                    row.Receivers == row.Threads ? Numbers.Count(row.Threads) : $"{Numbers.Count(row.Threads)}:{Numbers.Count(row.Receivers)}",
                    Numbers.Rate(row.Sent.Median),
                    StudySent(row),
                    Numbers.Percent(row.SendCpu),
                    Percent(hasServer ? row.SendServerCpu : row.SendOthersCpu),
                    Numbers.Rate(row.Received.Median),
                    row.Study is { } study ? Numbers.Count((long)study.Received) : Numbers.None,
                    Numbers.Percent(row.ReceiveCpu),
                    Percent(hasServer ? row.ReceiveServerCpu : row.ReceiveOthersCpu));
            }

            if (plain.Length > 0)
                table.Print(output);
            foreach (SendersRow row in mode.Where(static row => row.Difference.Length > 0))
                TextWrap.Print(output, "  ",
                    $"{Numbers.Count(row.ByteCount)} bytes, {row.Difference}: {Numbers.Rate(row.Sent.Median)} sent a second, "
                    + $"{Numbers.Rate(row.Received.Median)} received{Writes(row)}.");
        }

        PrintHeaders(output, queue);
        PrintMemory(output, queue);
        PrintNetwork(output, queue);
        output.WriteLine();
        foreach ((string mode, string reason) in queue.NotOffered)
            TextWrap.Print(output, $"{mode}: ", $"not measured, {reason}.");
        foreach ((string part, string reason) in queue.PartsNotMeasured)
            TextWrap.Print(output, $"{part}: ", $"not measured, {reason}.");
        if (queue.Settings.Count > 0)
            TextWrap.Print(output, "settings: ", string.Join(", ", queue.Settings.Select(static setting => $"{setting.Key} {setting.Value}")));
        if (queue.Findings.All(static finding => finding.Verdict == Verdict.NotMeasured))
            return;
        output.WriteLine();
        output.WriteLine("What the study says (MSMQ 1.0, Windows NT 4.0, one processor of 200 MHz)");
        output.WriteLine();
        FindingsTable.Print(output, "1998", queue.Findings);
        TextWrap.Print(output, "  ",
            "1998 and here are ratios of rates, of writes of the writes saved; "
            + $"{RatioText.IntervalLegend(queue.Findings.Min(static finding => finding.Ratio?.Rounds))}. {Findings.Legend(queue.Findings)}");
    }

    private static string Writes(SendersRow row) =>
        row.WriteRounds is { } writes ? $", {Numbers.Rate(Statistics.Of([.. writes]).Median)} writes a message" : "";

    private static string Percent(double? part) => part is { } known ? Numbers.Percent(known) : Numbers.None;

    private static void PrintHeaders(TextWriter output, QueueSenders queue)
    {
        if (queue.Headers.Count == 0)
            return;
        output.WriteLine();
        TextWrap.Print(
            output, "", string.Create(CultureInfo.InvariantCulture,
                $"Bytes a message beside its body (1998: {Study.MinHeaderByteCount} at least, {Study.HeaderByteCount} as a rule)"));
        var table = new TextTable(("mode", -1), ("counted", -1), ("sending", 0), ("answers", 0), ("receiving", 0), ("requests", 0));
        foreach (HeaderRow row in queue.Headers)
            table.Add(row.Mode, row.Where, Bytes(row.Sent), Bytes(row.Answered), Bytes(row.Received), Bytes(row.Asked));
        table.Print(output);
        TextWrap.Print(
            output, "  ",
            "Bytes a message, its body left out: sending to the queue, answers of the server meanwhile, receiving, requests of the receiver. "
            + "counted: on the network, or what is written to the log.");
    }

    private static void PrintMemory(TextWriter output, QueueSenders queue)
    {
        if (queue.Memory.Count == 0)
            return;
        output.WriteLine();
        output.WriteLine("Memory of waiting messages, express; and how fast more are taken");
        var table = new TextTable(("bytes", 0), ("waiting", 0), ("memory each", 0), ("1998", 0), ("first tenth/s", 0), ("last tenth/s", 0));
        foreach (MemoryRow row in queue.Memory)
        {
            table.Add(
                Numbers.Count(row.ByteCount), Numbers.Count(row.Messages), Bytes(row.BytesPerMessage),
                Numbers.Count(row.ByteCount + Study.HeaderByteCount), Numbers.Rate(row.Steps[0]), Numbers.Rate(row.Steps[^1]));
        }

        table.Print(output);
        TextWrap.Print(
            output, "  ",
            "bytes is the size of a body, waiting how many messages there were in the end, memory each its bytes for each, 1998 the study's; first "
            + "and last tenth: messages taken a second meanwhile.");
        if (queue.MemoryFormula is { } formula)
        {
            TextWrap.Print(output, "  ", string.Create(
                CultureInfo.InvariantCulture,
                $"messages x ({formula.PerBodyByte:0.00} x size {(formula.PerMessage < 0 ? "-" : "+")} {Math.Abs(formula.PerMessage):N0}) bytes; the "
                    + $"study: messages x (size + {Study.HeaderByteCount})"));
        }
    }

    private static void PrintNetwork(TextWriter output, QueueSenders queue)
    {
        if (queue.Network.Count == 0)
            return;
        output.WriteLine();
        TextWrap.Print(output, "",
            $"Accumulated, then forwarded {NetworkMeter.BatchSize} at once over {Network.LinkSpeed.FastEthernet} (tables 8 and 9; 1998 in "
            + $"parentheses). cpu is a part of one processor, network of the link.");
        var table =
            new TextTable(("mode", -1), ("bytes", 0), ("messages", 0), ("forwarded/s", 0), ("sender's cpu", 0), ("server's", 0), ("network", 0));
        foreach (NetworkRow row in queue.Network)
        {
            table.Add(
                row.Mode,
                Numbers.Count(row.ByteCount),
                Numbers.Count(row.Messages),
                $"{Numbers.Rate(row.Rate)} ({(row.Study is { } study ? Numbers.Rate(study.Rate) : Numbers.None)})",
                Beside(row.SendCpu, row.Study?.SendCpuPercent),
                Beside(row.ServerCpu, row.Study?.ReceiveCpuPercent),
                Beside(row.NetworkUse, row.Study?.NetworkPercent));
        }

        table.Print(output);

        static string Beside(double? here, double? study) => string.Create(CultureInfo.InvariantCulture, $"{Percent(here)} ({study:0})");
    }

    private static string Bytes(double count) => count.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>Of table 1, 3 or 5; of table 7, another machine with one conventional disk, in brackets.</summary>
    private static string StudySent(SendersRow row)
    {
        if (row.Study is { } study)
            return Numbers.Count((long)study.Sent);
        return row is { Mode: "recoverable", Difference: "", ByteCount: Study.UsualByteCount } && row.Receivers == row.Threads
            && Study.Curve.TryGetValue(row.Threads, out (double OneDisk, double ThreeDisks) curve)
            ? $"({Numbers.Count((long)curve.OneDisk)})"
            : Numbers.None;
    }
}
