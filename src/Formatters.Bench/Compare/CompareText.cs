using Formatters.Bench.Own;

namespace Formatters.Bench.Compare;

/// <summary>Prints the outcome of <c>compare</c> for people, within 80 columns.</summary>
internal static class CompareText
{
    internal const double NoisyAbove = 0.2;

    internal static void Print(TextWriter output, CompareReport report)
    {
        output.WriteLine(report.Type is null
            ? $"Orders with {Numbers.Count(report.LineItems)} line items over {report.Queue.Product}, {report.Queue.DeliveryMode}"
            : $"{report.Type} over {report.Queue.Product}, {report.Queue.DeliveryMode}");
        output.WriteLine();
        foreach ((string label, string text) in CompareAnswer.Of(report))
            TextWrap.Print(output, $"  {label,-14}", text);
        output.WriteLine();
        PrintRates(output, report.Orders);
        if (report.Int32s.Count > 0)
        {
            output.WriteLine();
            output.WriteLine("An Int32 over the same queue");
            output.WriteLine();
            PrintRates(output, report.Int32s);
        }

        output.WriteLine();
        output.WriteLine("What this process needed for a message over the queue");
        output.WriteLine();
        PrintUse(output, report);
        if (report.Orders[0].WriteNanoseconds is not null)
        {
            output.WriteLine();
            output.WriteLine("The formatters alone, without the queue");
            output.WriteLine();
            PrintTimes(output, report);
        }

        if (report.Findings.Count > 0)
        {
            output.WriteLine();
            PrintStudy(output, report.Findings);
        }

        if (report.Type is not null)
        {
            output.WriteLine();
            OwnText.PrintRefused(output, "Not compared: formatters that do not support it, or lose or change something", report.Refused);
        }

        RunText.PrintMeasured(
            output,
            report.Run,
            report.Queue,
            $"{Numbers.Count(report.Orders[0].Send.Count)} interleaved rounds; batches of "
                + $"{Numbers.Count(report.BatchCount)} messages sent, counted in the queue, "
            + $"received, read and checked; medians. Ratios are to the row {report.Base} in the same round, the median over the rounds; "
            + $"{RatioText.IntervalLegend(report.Orders[0].Send.Count)}. bytes is the size of a body, ns nanoseconds. "
            + "Alloc is bytes allocated for a message, GC/1k collections for 1,000 messages, CPU us this "
            + "process's time for a message in microseconds.");
    }

    /// <summary>Prints a line for each formatter.</summary>
    internal static void PrintRates(TextWriter output, IReadOnlyList<CompareRow> rows)
    {
        var table = new TextTable(("formatter", -15), ("bytes", 0), ("sent/s", 0), ("ratio", 0), (RatioText.IntervalHeader, 0), ("received/s", 0),
            ("ratio", 0), (RatioText.IntervalHeader, 0));
        foreach (CompareRow row in rows)
        {
            table.Add(
                row.Formatter,
                Numbers.Count(row.BodyBytes),
                Numbers.Rate(row.Send.Median),
                RatioText.Value(row.SendRatio),
                RatioText.Interval(row.SendRatio),
                Numbers.Rate(row.Receive.Median),
                RatioText.Value(row.ReceiveRatio),
                RatioText.Interval(row.ReceiveRatio));
        }

        table.Print(output);
    }

    private static void PrintUse(TextWriter output, CompareReport report)
    {
        var table = new TextTable(("sent, then received", -21), ("alloc", 0), ("GC/1k", 0), ("CPU us", 0), ("alloc", 0), ("GC/1k", 0), ("CPU us", 0));
        Add(report.Type is null ? "order " : "", report.Orders);
        Add("Int32 ", report.Int32s);
        table.Print(output);

        void Add(string head, IReadOnlyList<CompareRow> rows)
        {
            foreach (CompareRow row in rows)
                table.Add([head + row.Formatter, .. Cells(row.SendUse), .. Cells(row.ReceiveUse)]);
        }

        static string[] Cells(ResourceUse? use) => use is null
            ? [Numbers.None, Numbers.None, Numbers.None]
            : [Numbers.Count((long)use.AllocatedBytes), Numbers.Rate(use.CollectionsPerThousand), Numbers.Rate(use.CpuMicroseconds)];
    }

    private static void PrintTimes(TextWriter output, CompareReport report)
    {
        var table = new TextTable(("formatter", -21), ("write ns", 0), ("ratio", 0), ("read ns", 0), ("ratio", 0));
        Add(report.Type is null ? "order " : "", report.Orders);
        Add("Int32 ", report.Int32s);
        table.Print(output);

        void Add(string head, IReadOnlyList<CompareRow> rows)
        {
            CompareRow? legacy = rows.FirstOrDefault(row => row.Formatter == report.Base);
            foreach (CompareRow row in rows)
            {
                table.Add(
                    head + row.Formatter,
                    Numbers.Nanoseconds(row.WriteNanoseconds ?? 0),
                    Numbers.Ratio(legacy?.WriteNanoseconds / row.WriteNanoseconds),
                    Numbers.Nanoseconds(row.ReadNanoseconds ?? 0),
                    Numbers.Ratio(legacy?.ReadNanoseconds / row.ReadNanoseconds));
            }
        }
    }

    private static void PrintStudy(TextWriter output, IReadOnlyList<Finding> findings)
    {
        output.WriteLine("The findings of the study System.Messaging Performance (2004), and here");
        output.WriteLine();
        FindingsTable.Print(output, "2004", findings);
        output.WriteLine();
        TextWrap.Print(
            output,
            "  ",
            $"2004, express and local, msg/s sent and received: hand-coded {Numbers.Rate(Study.HandCodedSend)} and "
                + $"{Numbers.Rate(Study.HandCodedReceive)}, "
            + $"binary {Numbers.Rate(Study.BinarySend)} and {Numbers.Rate(Study.BinaryReceive)}, XML "
            + $"{Numbers.Rate(Study.XmlSend)} and {Numbers.Rate(Study.XmlReceive)}. "
            + $"The two of ActiveX are for an Int32, against BinaryFormatter and XML. "
            + $"{RatioText.IntervalLegend(findings.Min(static finding => finding.Ratio?.Rounds))}. {Findings.Legend(findings)}");
    }
}
