using System.IO;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Own;

/// <summary>Writes the outcome of <c>own</c> as CSV: one line for each formatter, also for those that do not take the type.</summary>
internal static class OwnCsv
{
    internal static void Write(TextWriter output, OwnReport report)
    {
        CsvText.WriteLine(
            output, "type", "formatter", "body_bytes", "write_ns", "read_ns", "ratio_to_json", "ratio_low", "ratio_high", "sent_per_second", "received_per_second", "send_allocated_bytes", "receive_allocated_bytes", "queue", "mode", "changes", "refused");
        foreach (OwnRow row in report.Rows)
        {
            CsvText.WriteLine(
                output,
                report.Type,
                row.Formatter,
                row.Rates.BodyBytes,
                CsvText.FourDigits(row.Rates.WriteNanoseconds),
                CsvText.FourDigits(row.Rates.ReadNanoseconds),
                CsvText.FourDigits(row.RatioToJson?.Value),
                CsvText.FourDigits(row.RatioToJson?.Low),
                CsvText.FourDigits(row.RatioToJson?.High),
                CsvText.Rate(row.Rates.Send.Median),
                CsvText.Rate(row.Rates.Receive.Median),
                CsvText.FourDigits(row.Rates.SendUse?.AllocatedBytes),
                CsvText.FourDigits(row.Rates.ReceiveUse?.AllocatedBytes),
                report.Queue.Address,
                report.Queue.DeliveryMode,
                string.Join("; ", row.Changes),
                null);
        }

        foreach (OwnRefusal refusal in report.Refused)
            CsvText.WriteLine(output, report.Type, refusal.Formatter, null, null, null, null, null, null, null, null, null, null, report.Queue.Address, report.Queue.DeliveryMode, null, refusal.Reason);
    }
}
