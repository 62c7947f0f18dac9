namespace Formatters.Bench.Senders;

/// <summary>Writes the outcome of <c>senders</c> as CSV: one line for each queue and case.</summary>
internal static class SendersCsv
{
    private static readonly CsvTable<(QueueSenders Queue, SendersRow Row)> Table = new()
    {
        { "queue", static row => row.Queue.Product },
        { "mode", static row => row.Row.Mode },
        { "threads", static row => row.Row.Threads },
        { "body_bytes", static row => row.Row.ByteCount },
        { "messages_per_transaction", static row => row.Row.PerTransaction },
        { "opened_for_each", static row => row.Row.OpensEach ? 1 : 0 },
        { "receivers", static row => row.Row.Receivers },
        { "difference", static row => row.Row.Difference },
        { "sent_per_second", static row => CsvText.Rate(row.Row.Sent.Median) },
        { "sent_min", static row => CsvText.Rate(row.Row.Sent.Min) },
        { "sent_max", static row => CsvText.Rate(row.Row.Sent.Max) },
        { "send_cpu", static row => CsvText.FourDigits(row.Row.SendCpu) },
        { "send_others_cpu", static row => CsvText.FourDigits(row.Row.SendOthersCpu) },
        { "send_server_cpu", static row => CsvText.FourDigits(row.Row.SendServerCpu) },
        { "received_per_second", static row => CsvText.Rate(row.Row.Received.Median) },
        { "received_min", static row => CsvText.Rate(row.Row.Received.Min) },
        { "received_max", static row => CsvText.Rate(row.Row.Received.Max) },
        { "receive_cpu", static row => CsvText.FourDigits(row.Row.ReceiveCpu) },
        { "receive_others_cpu", static row => CsvText.FourDigits(row.Row.ReceiveOthersCpu) },
        { "receive_server_cpu", static row => CsvText.FourDigits(row.Row.ReceiveServerCpu) },
        { "writes_per_message", static row => CsvText.FourDigits(row.Row.WriteRounds is { } writes ? Statistics.Of([.. writes]).Median : null) },
        { "rounds", static row => row.Row.Sent.Count },
        { "study_sent_per_second", static row => row.Row.Study?.Sent },
        { "study_received_per_second", static row => row.Row.Study?.Received },
    };

    internal static void Write(TextWriter output, SendersReport report) =>
        Table.Write(output, report.Queues.SelectMany(static queue => queue.Rows.Select(row => (queue, row))));
}
