namespace Formatters.Bench.Perftest;

/// <summary>Writes the outcome of <c>perftest</c> as CSV: one line for each case.</summary>
internal static class PerftestCsv
{
    private static readonly CsvTable<(PerftestReport Report, PerftestSection Section, PerftestRow? Row)> Table = new()
    {
        { "operation", static row => row.Report.Operation },
        { "mode", static row => row.Section.Queue.DeliveryMode },
        { "payload", static row => row.Row?.Payload },
        { "route", static row => row.Row?.Route },
        { "body_bytes", static row => row.Row?.BodyBytes },
        { "batch", static row => row.Row?.BatchCount },
        { "rounds", static row => row.Row?.Rate.Count },
        { "mean_per_second", static row => CsvText.Rate(row.Row?.Rate.Mean) },
        { "stddev_per_second", static row => CsvText.Rate(row.Row?.Rate.StandardDeviation) },
        { "median_per_second", static row => CsvText.Rate(row.Row?.Rate.Median) },
        { "min_per_second", static row => CsvText.Rate(row.Row?.Rate.Min) },
        { "max_per_second", static row => CsvText.Rate(row.Row?.Rate.Max) },
        { "ratio_to_binaryformatter", static row => CsvText.FourDigits(row.Row?.Ratio?.Value) },
        { "ratio_low", static row => CsvText.FourDigits(row.Row?.Ratio?.Low) },
        { "ratio_high", static row => CsvText.FourDigits(row.Row?.Ratio?.High) },
        { "allocated_bytes", static row => CsvText.FourDigits(row.Row?.Use?.AllocatedBytes) },
        { "collections_per_1000", static row => CsvText.FourDigits(row.Row?.Use?.CollectionsPerThousand) },
        { "cpu_us", static row => CsvText.FourDigits(row.Row?.Use?.CpuMicroseconds) },
        { "queues", static row => row.Report.QueueCount },
        { "queue", static row => row.Section.Queue.Product },
        { "note", static row => row.Section.IsOffered ? null : "not offered" },
        { "study_per_second", static row => row.Row?.Study?.Rate },
        { "study_stddev", static row => row.Row?.Study?.StandardDeviation },
        { "study_column", static row => row.Row?.Study?.Column },
        { "study_table", static row => row.Row?.Study?.Table },
    };

    internal static void Write(TextWriter output, PerftestReport report) => Table.Write(
        output,
        report.Sections.SelectMany(section => section.IsOffered ? section.Rows.Select(row => (report, section, (PerftestRow?)row))
            : [(report, section, null)]));
}
