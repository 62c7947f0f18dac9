using System.IO;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Throughput;

/// <summary>Writes the outcome of <c>throughput</c> as CSV: one line for each queue and case.</summary>
internal static class ThroughputCsv
{
    internal static void Write(TextWriter output, ThroughputReport report)
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
            "ratio_to_one_sender",
            "allocated_bytes",
            "disk_flushes_per_second",
            "emulated_flush_ms");
        foreach (QueueThroughput queue in report.Queues)
        {
            foreach (ThroughputCase item in queue.Cases)
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
                    CsvText.FourDigits(item.RatioToDisk),
                    CsvText.FourDigits(item.RatioToOneSender),
                    CsvText.FourDigits(item.AllocatedBytes),
                    queue.Disk is { } disk ? CsvText.Rate(disk.FlushesPerSecond.Median) : null,
                    queue.EmulatedFlushMilliseconds);
            }
        }
    }
}
