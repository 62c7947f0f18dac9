using System.Globalization;
using System.IO;
using System.Linq;
using Formatters.Bench.Compare;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Senders;

/// <summary>Prints the outcome of <c>senders</c> for people, within 80 columns.</summary>
internal static class SendersText
{
    internal static void Print(TextWriter output, SendersReport report)
    {
        foreach (QueueSenders queue in report.Queues)
        {
            Print(output, queue);
            output.WriteLine();
        }

        output.WriteLine("Measured");
        RunText.PrintRun(output, report.Run);
        TextWrap.Print(
            output,
            "  method      ",
            string.Create(
                CultureInfo.InvariantCulture,
                $"{report.Queues[0].Rows[0].Sent.Count} rounds of all cases in turn, at most {report.CaseSeconds:0.##} s each way, after a warm-up; medians. N senders at once, each waiting for its send, then as many "
                + $"receivers; every message is counted and checked. cpu is the part of one processor that this process used, rest that of all others on the machine, a broker among them. Ratios are taken within a round."));
    }

    private static void Print(TextWriter output, QueueSenders queue)
    {
        output.WriteLine($"{queue.Product}, {queue.Address}");
        foreach (IGrouping<string, SendersRow> mode in queue.Rows.GroupBy(row => row.Mode))
        {
            output.WriteLine();
            TextWrap.Print(output, $"{mode.Key}: ", queue.Durability[mode.Key]);
            var table = new TextTable(("bytes", 0), ("n", 0), ("sent/s", 0), ("1998", 0), ("cpu", 0), ("rest", 0), ("received/s", 0), ("1998", 0), ("cpu", 0), ("rest", 0));
            foreach (SendersRow row in mode.Where(row => row.PerTransaction == 1 && !row.OpensEach).OrderBy(row => row.Threads).ThenBy(row => row.ByteCount))
            {
                table.Add(
                    Numbers.Count(row.ByteCount),
                    Numbers.Count(row.Threads),
                    Numbers.Rate(row.Sent.Median),
                    StudySent(row),
                    Numbers.Percent(row.SendCpu),
                    row.SendOthersCpu is { } sendOthers ? Numbers.Percent(sendOthers) : Numbers.None,
                    Numbers.Rate(row.Received.Median),
                    row.Study is { } study ? Numbers.Count((long)study.Received) : Numbers.None,
                    Numbers.Percent(row.ReceiveCpu),
                    row.ReceiveOthersCpu is { } receiveOthers ? Numbers.Percent(receiveOthers) : Numbers.None);
            }

            table.Print(output);
            foreach (SendersRow row in mode.Where(row => row.PerTransaction > 1 || row.OpensEach))
            {
                string what = row.OpensEach ? "the queue opened for each message sent" : $"{Numbers.Count(row.PerTransaction)} messages in a transaction";
                TextWrap.Print(output, "  ", $"{Numbers.Count(row.ByteCount)} bytes, {what}: {Numbers.Rate(row.Sent.Median)} sent a second, {Numbers.Rate(row.Received.Median)} received.");
            }
        }

        output.WriteLine();
        foreach ((string mode, string reason) in queue.NotOffered)
            TextWrap.Print(output, $"{mode}: ", $"not measured, {reason}.");
        if (queue.Settings.Count > 0)
            TextWrap.Print(output, "settings: ", string.Join(", ", queue.Settings.Select(static setting => $"{setting.Key} {setting.Value}")));
        output.WriteLine();
        output.WriteLine("What the study says (MSMQ 1.0, Windows NT 4.0, one processor of 200 MHz)");
        output.WriteLine();
        var findings = new TextTable(("finding", -1), ("1998", 0), ("here", 0), ("±", 0), ("verdict", -1));
        foreach (Finding finding in queue.Findings)
            findings.Add(finding.Text, Numbers.Ratio(finding.StudyRatio), Numbers.Ratio(finding.Ratio?.Value), Numbers.Noise(finding.Ratio), CompareText.Describe(finding.Verdict));
        findings.Print(output);
    }

    /// <summary>Of table 1, 3 or 5; of table 7, another machine with one conventional disk, in brackets.</summary>
    private static string StudySent(SendersRow row)
    {
        if (row.Study is { } study)
            return Numbers.Count((long)study.Sent);
        return row is { Mode: "recoverable", ByteCount: Study.UsualByteCount } && Study.Curve.TryGetValue(row.Threads, out (double OneDisk, double ThreeDisks) curve)
            ? $"({Numbers.Count((long)curve.OneDisk)})"
            : Numbers.None;
    }
}
