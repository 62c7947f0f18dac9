namespace Formatters.Bench.Own;

/// <summary>Writes the outcome of <c>own</c> as CSV: one line for each formatter, also for those that do not take the type.</summary>
internal static class OwnCsv
{
    private static readonly CsvTable<(OwnReport Report, OwnRow? Row, OwnRefusal? Refusal)> Table = new()
    {
        { "type", static row => row.Report.Type },
        { "formatter", static row => row.Row?.Formatter ?? row.Refusal!.Formatter },
        { "body_bytes", static row => row.Row?.Rates.BodyBytes },
        { "write_ns", static row => CsvText.FourDigits(row.Row?.Rates.WriteNanoseconds) },
        { "read_ns", static row => CsvText.FourDigits(row.Row?.Rates.ReadNanoseconds) },
        { "ratio", static row => CsvText.FourDigits(row.Row?.Ratio?.Value) },
        { "ratio_to", static row => row.Report.Base },
        { "ratio_low", static row => CsvText.FourDigits(row.Row?.Ratio?.Low) },
        { "ratio_high", static row => CsvText.FourDigits(row.Row?.Ratio?.High) },
        { "sent_per_second", static row => CsvText.Rate(row.Row?.Rates.Send.Median) },
        { "received_per_second", static row => CsvText.Rate(row.Row?.Rates.Receive.Median) },
        { "send_allocated_bytes", static row => CsvText.FourDigits(row.Row?.Rates.SendUse?.AllocatedBytes) },
        { "receive_allocated_bytes", static row => CsvText.FourDigits(row.Row?.Rates.ReceiveUse?.AllocatedBytes) },
        { "queue", static row => row.Report.Queue.Address },
        { "mode", static row => row.Report.Queue.DeliveryMode },
        { "changes", static row => row.Row is null ? null : string.Join("; ", row.Row.Changes) },
        { "refused", static row => row.Refusal?.Reason },
    };

    internal static void Write(TextWriter output, OwnReport report) => Table.Write(
        output,
        [
            .. report.Rows.Select(row => (report, (OwnRow?)row, (OwnRefusal?)null)),
            .. report.Refused.Select(refusal => (report, (OwnRow?)null, (OwnRefusal?)refusal)),
        ]);
}
