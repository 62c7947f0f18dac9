using System.Collections.Generic;
using System.IO;
using Formatters.Bench.Measurement;
using Formatters.Bench.Reports;
using Formatters.Bench.Rows;

namespace Formatters.Bench.Compare;

/// <summary>Writes the outcome of <c>compare</c> as CSV: one line for each formatter and operation.</summary>
internal static class CompareCsv
{
    internal static void Write(TextWriter output, CompareReport report)
    {
        CsvText.WriteLine(
            output,
            "payload",
            "formatter",
            "body_bytes",
            "operation",
            "median_per_second",
            "mean_per_second",
            "stddev_per_second",
            "min_per_second",
            "max_per_second",
            "spread",
            "rounds",
            "ratio_to_binaryformatter",
            "ratio_low",
            "ratio_high",
            "allocated_bytes",
            "collections_per_1000",
            "cpu_us",
            "formatter_alone_ns",
            "queue",
            "mode");
        WriteRows(output, report, report.Type ?? "order", report.Orders);
        WriteRows(output, report, "Int32", report.Int32s);
    }

    private static void WriteRows(TextWriter output, CompareReport report, string payload, IReadOnlyList<CompareRow> rows)
    {
        // The columns are of BinaryFormatter; a type that it does not take has none.
        bool isLegacy = report.Base == OrderFormatterRows.Legacy;
        foreach (CompareRow row in rows)
        {
            WriteRow("send", row.Send, row.SendRatio, row.SendUse, row.WriteNanoseconds);
            WriteRow("receive", row.Receive, row.ReceiveRatio, row.ReceiveUse, row.ReadNanoseconds);

            void WriteRow(string operation, Statistics rate, RateRatio? ratio, ResourceUse? use, double? nanoseconds) => CsvText.WriteLine(
                output,
                payload,
                row.Formatter,
                row.BodyBytes,
                operation,
                CsvText.Rate(rate.Median),
                CsvText.Rate(rate.Mean),
                CsvText.Rate(rate.StandardDeviation),
                CsvText.Rate(rate.Min),
                CsvText.Rate(rate.Max),
                CsvText.FourDigits(rate.Spread),
                rate.Count,
                CsvText.FourDigits(isLegacy ? ratio?.Value : null),
                CsvText.FourDigits(isLegacy ? ratio?.Low : null),
                CsvText.FourDigits(isLegacy ? ratio?.High : null),
                CsvText.FourDigits(use?.AllocatedBytes),
                CsvText.FourDigits(use?.CollectionsPerThousand),
                CsvText.FourDigits(use?.CpuMicroseconds),
                CsvText.FourDigits(nanoseconds),
                report.Queue.Product,
                report.Queue.DeliveryMode);
        }
    }
}
