namespace Formatters.Bench.Compare;

/// <summary>Writes the outcome of <c>compare</c> as CSV: one line for each formatter and operation.</summary>
internal static class CompareCsv
{
    private static readonly CsvTable<(CompareReport Report, string Payload, CompareOperation Operation)> Table = new()
    {
        { "payload", static row => row.Payload },
        { "formatter", static row => row.Operation.Row.Formatter },
        { "body_bytes", static row => row.Operation.Row.BodyBytes },
        { "operation", static row => row.Operation.Name },
        { "median_per_second", static row => CsvText.Rate(row.Operation.Rate.Median) },
        { "mean_per_second", static row => CsvText.Rate(row.Operation.Rate.Mean) },
        { "stddev_per_second", static row => CsvText.Rate(row.Operation.Rate.StandardDeviation) },
        { "min_per_second", static row => CsvText.Rate(row.Operation.Rate.Min) },
        { "max_per_second", static row => CsvText.Rate(row.Operation.Rate.Max) },
        { "spread", static row => CsvText.FourDigits(row.Operation.Rate.Spread) },
        { "rounds", static row => row.Operation.Rate.Count },
        { "ratio_to_binaryformatter", static row => CsvText.FourDigits(RatioOf(row)?.Value) },
        { "ratio_low", static row => CsvText.FourDigits(RatioOf(row)?.Low) },
        { "ratio_high", static row => CsvText.FourDigits(RatioOf(row)?.High) },
        { "allocated_bytes", static row => CsvText.FourDigits(row.Operation.Use?.AllocatedBytes) },
        { "collections_per_1000", static row => CsvText.FourDigits(row.Operation.Use?.CollectionsPerThousand) },
        { "cpu_us", static row => CsvText.FourDigits(row.Operation.Use?.CpuMicroseconds) },
        { "formatter_alone_ns", static row => CsvText.FourDigits(row.Operation.Nanoseconds) },
        { "queue", static row => row.Report.Queue.Product },
        { "mode", static row => row.Report.Queue.DeliveryMode },
    };

    internal static void Write(TextWriter output, CompareReport report) => Table.Write(
        output,
        [
            .. report.Orders.SelectMany(CompareOperation.Of).Select(operation => (report, report.Type ?? "order", operation)),
            .. report.Int32s.SelectMany(CompareOperation.Of).Select(operation => (report, "Int32", operation)),
        ]);

    /// <summary>The columns are of BinaryFormatter; a type that it does not take has none.</summary>
    private static RateRatio? RatioOf((CompareReport Report, string Payload, CompareOperation Operation) row) =>
        row.Report.Base == OrderFormatterRows.Legacy ? row.Operation.Ratio : null;
}

/// <summary>Sending or receiving of a formatter.</summary>
internal sealed record CompareOperation(CompareRow Row, string Name, Statistics Rate, RateRatio? Ratio, ResourceUse? Use, double? Nanoseconds)
{
    /// <summary>Both operations of a formatter.</summary>
    internal static IEnumerable<CompareOperation> Of(CompareRow row) =>
    [
        new(row, "send", row.Send, row.SendRatio, row.SendUse, row.WriteNanoseconds),
        new(row, "receive", row.Receive, row.ReceiveRatio, row.ReceiveUse, row.ReadNanoseconds),
    ];
}
