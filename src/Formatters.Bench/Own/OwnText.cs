namespace Formatters.Bench.Own;

/// <summary>Prints the outcome of <c>own</c>, within 80 columns.</summary>
internal static class OwnText
{
    internal static void Print(TextWriter output, OwnReport report)
    {
        string samples = $"{Numbers.Count(report.SampleCount)} sample{(report.SampleCount == 1 ? "" : "s")}";
        TextWrap.Print(output, "",
            $"{report.Type}, {samples} over {report.Queue.Product}, {report.Queue.DeliveryMode}: the formatters that support it");
        foreach (IGrouping<bool, OwnRow> group in report.Rows.GroupBy(static row => row.Changes.Count > 0))
        {
            output.WriteLine();
            output.WriteLine(group.Key ? "A round trip loses or changes something" : "Nothing is lost or changed");
            PrintRows(output, group);
            foreach (OwnRow row in group)
            {
                foreach (string change in row.Changes)
                    TextWrap.Print(output, $"  {row.Formatter,-14}  ", change);
            }
        }

        if (report.Rows[0].Changes.Count == 0)
            PrintOverQueue(output, report);
        if (report.Refused.Count > 0)
        {
            output.WriteLine();
            PrintRefused(output, "Formatters that do not support it", report.Refused);
        }

        output.WriteLine();
        TextWrap.Print(
            output, "Recommended: ",
            report.Advice?.Formatter
            ?? (report.Run.IsInterrupted ? "the run was interrupted before there was a recommendation"
                : "none: every formatter that is recommended for new bodies loses or changes something"));
        foreach (string reason in report.Advice?.Reasons ?? [])
            TextWrap.Print(output, "  - ", reason);
        RunText.PrintMeasured(
            output,
            report.Run,
            report.Queue,
            "Each sample is written, read and compared member by member with what it was. Then interleaved rounds of all formatters over the queue, "
            + "and of writing and reading alone (ns); medians. "
            + $"Ratios are to the row {report.Base}, of writing and reading alone, in the same round; "
            + $"{RatioText.IntervalLegend(report.Rows[0].Ratio?.Rounds)}. "
            + "bytes is the size of a body; sending and receiving are the bytes allocated for a message.");
    }

    /// <summary>Prints the formatters that are left out, each with its reason.</summary>
    internal static void PrintRefused(TextWriter output, string title, IReadOnlyList<OwnRefusal> refused)
    {
        output.WriteLine(title);
        foreach (OwnRefusal refusal in refused)
            TextWrap.Print(output, $"  {refusal.Formatter,-14}  ", refusal.Reason);
    }

    private static void PrintRows(TextWriter output, IGrouping<bool, OwnRow> rows)
    {
        var table = new TextTable(("formatter", -14), ("bytes", 7), ("write ns", 9), ("read ns", 9), ("ratio", 7), (RatioText.IntervalHeader, 11));
        foreach (OwnRow row in rows)
        {
            table.Add(
                row.Formatter,
                Numbers.Count(row.Rates.BodyBytes),
                row.Rates.WriteNanoseconds is { } write ? Numbers.Count((long)write) : Numbers.None,
                row.Rates.ReadNanoseconds is { } read ? Numbers.Count((long)read) : Numbers.None,
                RatioText.Value(row.Ratio),
                RatioText.Interval(row.Ratio));
        }

        table.Print(output);
    }

    private static void PrintOverQueue(TextWriter output, OwnReport report)
    {
        output.WriteLine();
        output.WriteLine("Over the queue, and bytes allocated for each message");
        var table = new TextTable(("formatter", -14), ("sent/s", 11), ("received/s", 11), ("sending", 9), ("receiving", 9));
        foreach (OwnRow row in report.Rows.Where(static row => row.Changes.Count == 0))
        {
            table.Add(
                row.Formatter,
                Numbers.Rate(row.Rates.Send.Median),
                Numbers.Rate(row.Rates.Receive.Median),
                Numbers.Count((long)(row.Rates.SendUse?.AllocatedBytes ?? 0)),
                Numbers.Count((long)(row.Rates.ReceiveUse?.AllocatedBytes ?? 0)));
        }

        table.Print(output);
    }
}
