namespace Formatters.Bench.Throughput;

/// <summary>Writes the rows of <c>throughput</c> as CSV: the columns are those of the S rows, under names that fit both.</summary>
internal static class ThroughputCsv
{
    internal static void Write(TextWriter output, ThroughputReport report)
    {
        CsvText.WriteLine(
            output,
            "kind",
            "pstart",
            "pend",
            "batch",
            "inflight",
            "avg_ms",
            "med_ms",
            "dev_ms",
            "min_ms",
            "max_ms",
            "second_avg_ms",
            "second_med_ms",
            "second_dev_ms",
            "second_min_ms",
            "second_max_ms",
            "msg_per_second",
            "total",
            "operations",
            "errors",
            "busy",
            "overall",
            "backlog");
        Write("S", report.Sends);
        Write("R", report.Receives);

        void Write(string kind, IReadOnlyList<ThroughputRow> rows)
        {
            foreach (ThroughputRow row in rows)
                CsvText.WriteLine(output, [kind, .. ThroughputText.Cells(row), row.Backlog]);
        }
    }
}
