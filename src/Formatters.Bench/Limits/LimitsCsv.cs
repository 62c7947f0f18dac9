namespace Formatters.Bench.Limits;

/// <summary>Writes the outcome of <c>limits</c> as CSV: one line for each queue and case.</summary>
internal static class LimitsCsv
{
    private static readonly CsvTable<(QueueLimits Queue, LimitsCase Case)> Table = new()
    {
        { "queue", static row => row.Queue.Product },
        { "mode", static row => row.Case.Mode },
        { "senders", static row => row.Case.Senders },
        { "receivers", static row => row.Case.Receivers },
        { "body_bytes", static row => row.Case.ByteCount },
        { "median_per_second", static row => CsvText.Rate(row.Case.MessagesPerSecond.Median) },
        { "min_per_second", static row => CsvText.Rate(row.Case.MessagesPerSecond.Min) },
        { "max_per_second", static row => CsvText.Rate(row.Case.MessagesPerSecond.Max) },
        { "spread", static row => CsvText.FourDigits(row.Case.MessagesPerSecond.Spread) },
        { "rounds", static row => row.Case.MessagesPerSecond.Count },
        { "ratio_to_disk", static row => CsvText.FourDigits(row.Case.RatioToDisk?.Value) },
        { "ratio_to_disk_low", static row => CsvText.FourDigits(row.Case.RatioToDisk?.Low) },
        { "ratio_to_disk_high", static row => CsvText.FourDigits(row.Case.RatioToDisk?.High) },
        { "ratio_to_one_sender", static row => CsvText.FourDigits(row.Case.RatioToOneSender?.Value) },
        { "ratio_to_one_sender_low", static row => CsvText.FourDigits(row.Case.RatioToOneSender?.Low) },
        { "ratio_to_one_sender_high", static row => CsvText.FourDigits(row.Case.RatioToOneSender?.High) },
        { "allocated_bytes", static row => CsvText.FourDigits(row.Case.AllocatedBytes) },
        { "collections_per_1000", static row => CsvText.FourDigits(row.Case.Use?.CollectionsPerThousand) },
        { "cpu_us", static row => CsvText.FourDigits(row.Case.Use?.CpuMicroseconds) },
        { "disk_flushes_per_second", static row => row.Queue.Disk is { } disk ? CsvText.Rate(disk.FlushesPerSecond.Median) : null },
        { "emulated_flush_ms", static row => row.Queue.EmulatedFlushMilliseconds },
    };

    internal static void Write(TextWriter output, LimitsReport report) =>
        Table.Write(output, report.Queues.SelectMany(static queue => queue.Cases.Select(item => (queue, item))));
}
