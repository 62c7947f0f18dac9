using System.IO;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Limits;

/// <summary>Writes the outcome of <c>limits</c> as CSV: one line for each queue and case.</summary>
internal static class LimitsCsv
{
    internal static void Write(TextWriter output, LimitsReport report)
    {
        CsvText.WriteLine(
            output,
            "queue",
            "mode",
            "senders",
            "receivers",
            "body_bytes",
            "median_per_second",
            "min_per_second",
            "max_per_second",
            "spread",
            "rounds",
            "ratio_to_disk",
            "ratio_to_disk_low",
            "ratio_to_disk_high",
            "ratio_to_one_sender",
            "ratio_to_one_sender_low",
            "ratio_to_one_sender_high",
            "allocated_bytes",
            "collections_per_1000",
            "cpu_us",
            "disk_flushes_per_second",
            "emulated_flush_ms");
        foreach (QueueLimits queue in report.Queues)
        {
            foreach (LimitsCase item in queue.Cases)
            {
                CsvText.WriteLine(
                    output,
                    queue.Product,
                    item.Mode,
                    item.Senders,
                    item.Receivers,
                    item.ByteCount,
                    CsvText.Rate(item.MessagesPerSecond.Median),
                    CsvText.Rate(item.MessagesPerSecond.Min),
                    CsvText.Rate(item.MessagesPerSecond.Max),
                    CsvText.FourDigits(item.MessagesPerSecond.Spread),
                    item.MessagesPerSecond.Count,
                    CsvText.FourDigits(item.RatioToDisk?.Value),
                    CsvText.FourDigits(item.RatioToDisk?.Low),
                    CsvText.FourDigits(item.RatioToDisk?.High),
                    CsvText.FourDigits(item.RatioToOneSender?.Value),
                    CsvText.FourDigits(item.RatioToOneSender?.Low),
                    CsvText.FourDigits(item.RatioToOneSender?.High),
                    CsvText.FourDigits(item.AllocatedBytes),
                    CsvText.FourDigits(item.Use?.CollectionsPerThousand),
                    CsvText.FourDigits(item.Use?.CpuMicroseconds),
                    queue.Disk is { } disk ? CsvText.Rate(disk.FlushesPerSecond.Median) : null,
                    queue.EmulatedFlushMilliseconds);
            }
        }
    }
}
