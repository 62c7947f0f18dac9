using Formatters.Bench.Compare;

namespace Formatters.Bench.Matrix;

/// <summary>Writes the outcome of <c>matrix</c> as CSV: one line for each queue, mode, formatter and operation.</summary>
internal static class MatrixCsv
{
    private static readonly CsvTable<(QueueInfo Queue, CompareOperation Operation)> Table = new()
    {
        { "queue", static row => row.Queue.Product },
        { "mode", static row => row.Queue.DeliveryMode },
        { "formatter", static row => row.Operation.Row.Formatter },
        { "body_bytes", static row => row.Operation.Row.BodyBytes },
        { "operation", static row => row.Operation.Name },
        { "median_per_second", static row => CsvText.Rate(row.Operation.Rate.Median) },
        { "rounds", static row => row.Operation.Rate.Count },
        { "ratio_to_binaryformatter", static row => CsvText.FourDigits(row.Operation.Ratio?.Value) },
        { "ratio_low", static row => CsvText.FourDigits(row.Operation.Ratio?.Low) },
        { "ratio_high", static row => CsvText.FourDigits(row.Operation.Ratio?.High) },
        { "allocated_bytes", static row => CsvText.FourDigits(row.Operation.Use?.AllocatedBytes) },
        { "collections_per_1000", static row => CsvText.FourDigits(row.Operation.Use?.CollectionsPerThousand) },
        { "cpu_us", static row => CsvText.FourDigits(row.Operation.Use?.CpuMicroseconds) },
    };

    internal static void Write(TextWriter output, MatrixReport report) =>
        Table.Write(
            output, report.Cells.SelectMany(static cell => cell.Rows.SelectMany(CompareOperation.Of).Select(operation => (cell.Queue, operation))));
}
