using System.IO;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Perftest;

/// <summary>Writes the outcome of <c>perftest</c> as CSV: one line for each case.</summary>
internal static class PerftestCsv
{
    internal static void Write(TextWriter output, PerftestReport report)
    {
        CsvText.WriteLine(
            output,
            "operation",
            "mode",
            "payload",
            "route",
            "body_bytes",
            "batch",
            "rounds",
            "mean_per_second",
            "stddev_per_second",
            "median_per_second",
            "min_per_second",
            "max_per_second",
            "ratio_to_binaryformatter",
            "ratio_low",
            "ratio_high",
            "allocated_bytes",
            "collections_per_1000",
            "cpu_us",
            "queues",
            "queue",
            "note",
            "study_per_second",
            "study_stddev",
            "study_column",
            "study_table");
        foreach (PerftestSection section in report.Sections)
        {
            if (!section.IsOffered)
            {
                CsvText.WriteLine(
                    output, report.Operation, section.Queue.DeliveryMode, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, report.QueueCount, section.Queue.Product, "not offered", null, null, null, null);
            }

            foreach (PerftestRow row in section.Rows)
            {
                CsvText.WriteLine(
                    output,
                    report.Operation,
                    section.Queue.DeliveryMode,
                    row.Payload,
                    row.Route,
                    row.BodyBytes,
                    row.BatchCount,
                    row.Rate.Count,
                    CsvText.Rate(row.Rate.Mean),
                    CsvText.Rate(row.Rate.StandardDeviation),
                    CsvText.Rate(row.Rate.Median),
                    CsvText.Rate(row.Rate.Min),
                    CsvText.Rate(row.Rate.Max),
                    CsvText.FourDigits(row.Ratio?.Value),
                    CsvText.FourDigits(row.Ratio?.Low),
                    CsvText.FourDigits(row.Ratio?.High),
                    CsvText.FourDigits(row.Use?.AllocatedBytes),
                    CsvText.FourDigits(row.Use?.CollectionsPerThousand),
                    CsvText.FourDigits(row.Use?.CpuMicroseconds),
                    report.QueueCount,
                    section.Queue.Product,
                    null,
                    row.Study?.Rate,
                    row.Study?.StandardDeviation,
                    row.Study?.Column,
                    row.Study?.Table);
            }
        }
    }
}
