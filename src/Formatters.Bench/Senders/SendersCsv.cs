using System.IO;
using Formatters.Bench.Measurement;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Senders;

/// <summary>Writes the outcome of <c>senders</c> as CSV: one line for each queue and case.</summary>
internal static class SendersCsv
{
    internal static void Write(TextWriter output, SendersReport report)
    {
        CsvText.WriteLine(
            output,
            "queue",
            "mode",
            "threads",
            "body_bytes",
            "messages_per_transaction",
            "opened_for_each",
            "receivers",
            "difference",
            "sent_per_second",
            "sent_min",
            "sent_max",
            "send_cpu",
            "send_others_cpu",
            "send_server_cpu",
            "received_per_second",
            "received_min",
            "received_max",
            "receive_cpu",
            "receive_others_cpu",
            "receive_server_cpu",
            "writes_per_message",
            "rounds",
            "study_sent_per_second",
            "study_received_per_second");
        foreach (QueueSenders queue in report.Queues)
        {
            foreach (SendersRow row in queue.Rows)
            {
                CsvText.WriteLine(
                    output,
                    queue.Product,
                    row.Mode,
                    row.Threads,
                    row.ByteCount,
                    row.PerTransaction,
                    row.OpensEach ? 1 : 0,
                    row.Receivers,
                    row.Difference,
                    CsvText.Rate(row.Sent.Median),
                    CsvText.Rate(row.Sent.Min),
                    CsvText.Rate(row.Sent.Max),
                    CsvText.FourDigits(row.SendCpu),
                    CsvText.FourDigits(row.SendOthersCpu),
                    CsvText.FourDigits(row.SendServerCpu),
                    CsvText.Rate(row.Received.Median),
                    CsvText.Rate(row.Received.Min),
                    CsvText.Rate(row.Received.Max),
                    CsvText.FourDigits(row.ReceiveCpu),
                    CsvText.FourDigits(row.ReceiveOthersCpu),
                    CsvText.FourDigits(row.ReceiveServerCpu),
                    CsvText.FourDigits(row.WriteRounds is { } writes ? Statistics.Of([.. writes]).Median : null),
                    row.Sent.Count,
                    row.Study?.Sent,
                    row.Study?.Received);
            }
        }
    }
}
