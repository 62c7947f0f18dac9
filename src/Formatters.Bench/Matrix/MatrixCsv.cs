using System.IO;
using Formatters.Bench.Compare;
using Formatters.Bench.Measurement;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Matrix;

/// <summary>Writes the outcome of <c>matrix</c> as CSV: one line for each queue, mode, formatter and operation.</summary>
internal static class MatrixCsv
{
    internal static void Write(TextWriter output, MatrixReport report)
    {
        CsvText.WriteLine(
            output, "queue", "mode", "formatter", "body_bytes", "operation", "median_per_second", "rounds", "ratio_to_binaryformatter", "ratio_low", "ratio_high", "allocated_bytes", "collections_per_1000", "cpu_us");
        foreach (MatrixCell cell in report.Cells)
        {
            foreach (CompareRow row in cell.Rows)
            {
                WriteRow("send", row.Send, row.SendRatio, row.SendUse);
                WriteRow("receive", row.Receive, row.ReceiveRatio, row.ReceiveUse);

                void WriteRow(string operation, Statistics rate, RateRatio? ratio, ResourceUse? use) => CsvText.WriteLine(
                    output,
                    cell.Queue.Product,
                    cell.Queue.DeliveryMode,
                    row.Formatter,
                    row.BodyBytes,
                    operation,
                    CsvText.Rate(rate.Median),
                    rate.Count,
                    CsvText.FourDigits(ratio?.Value),
                    CsvText.FourDigits(ratio?.Low),
                    CsvText.FourDigits(ratio?.High),
                    CsvText.FourDigits(use?.AllocatedBytes),
                    CsvText.FourDigits(use?.CollectionsPerThousand),
                    CsvText.FourDigits(use?.CpuMicroseconds));
            }
        }
    }
}
