using System;
using System.Globalization;
using System.IO;
using System.Linq;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Engine;

/// <summary>Prints what <c>engine sweep</c> found.</summary>
internal static class SweepText
{
    internal static void Print(TextWriter output, SweepReport report)
    {
        output.WriteLine($"The transaction engine by {report.Kind}, as in 'Benchmarking a Transaction Engine Design' (2005)");
        output.WriteLine();
        TextWrap.Print(output, "  queues      ", report.Queues);
        TextWrap.Print(output, "  store       ", report.Store);
        RunText.PrintRun(output, report.Run);
        output.WriteLine();
        bool hasSimulation = report.Points.Any(point => point.Simulated is not null);
        bool hasRows = report.Points.Any(point => point.InsertRate is not null);
        var table = new TextTable(
            ("case", -20), ("msg/s", 7), (hasSimulation ? "foretold" : "", hasSimulation ? 8 : 0), (hasRows ? "rows/s" : "", hasRows ? 7 : 0), ("disk", 5),
            ("start ms", 8), ("CLS ms", 7), ("R ms", 7), ("us/msg", 6));
        foreach (SweepPoint point in report.Points)
        {
            double all = point.Processors.Run + point.Processors.Nodes + point.Processors.Database + point.Processors.Broker;
            table.Add(
                point.Name + (point.IsRight ? "" : " WRONG"),
                Numbers.Rate(point.MessagesPerSecond),
                point.Simulated is { } simulated ? Numbers.Rate(simulated.MessagesPerSecond) : "",
                point.InsertRate is { } rows ? Numbers.Rate(rows) : "",
                point.DiskQueue.ToString("N1", CultureInfo.InvariantCulture),
                Milliseconds(point.StartSeconds),
                Milliseconds(point.LatencySeconds),
                Milliseconds(point.ResponseSeconds),
                (all * 1e6).ToString("N0", CultureInfo.InvariantCulture));
        }

        table.Print(output);
        TextWrap.Print(output, "  ", "disk: requests at the busiest disk; start: to the first CLS; CLS: after a trade's last message, median; R: by the lengths of the queues"
            + (hasSimulation ? "; foretold: simulated from the first case alone, all on this machine's processors." : "."));
    }

    private static string Milliseconds(double seconds) => (seconds * 1000).ToString("N0", CultureInfo.InvariantCulture);
}
