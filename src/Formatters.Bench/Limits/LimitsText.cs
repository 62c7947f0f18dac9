namespace Formatters.Bench.Limits;

/// <summary>Prints the outcome of <c>limits</c> for people, within 80 columns.</summary>
internal static class LimitsText
{
    internal static void Print(TextWriter output, LimitsReport report)
    {
        foreach (QueueLimits queue in report.Queues)
        {
            if (queue != report.Queues[0])
                output.WriteLine();
            Print(output, queue);
        }

        RunText.PrintMeasured(
            output,
            report.Run,
            null,
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Numbers.Count(report.Queues[0].Cases[0].MessagesPerSecond.Count, "round")} of all cases in turn, {report.CaseSeconds:0.##} s "
                    + $"each, after a warm-up; medians. Each sender{(report.Processes ? " is a process, and" : "")} waits for its send before the "
                + $"next; 1+1 is a sender, and a receiver at the same time. Ratios are taken within a round: to the disk's flushes before and after, "
                + $"and to one sender; {RatioText.IntervalLegend(report.Queues[0].Cases[0].MessagesPerSecond.Count)}. bytes is the size of a "
                + $"body, alloc what this process "
                + $"allocates for a message, in bytes."));
    }

    private static void Print(TextWriter output, QueueLimits queue)
    {
        output.WriteLine($"{queue.Product}, {queue.Address}");
        output.WriteLine();
        if (queue.Disk is { } disk)
        {
            string emulated = queue.EmulatedFlushMilliseconds is { } delay
                ? string.Create(CultureInfo.InvariantCulture, $", emulated disk: {delay:0.###} ms added to each flush")
                : "";
            TextWrap.Print(
                output,
                "",
                $"Disk: {Numbers.Rate(disk.FlushesPerSecond.Median)} appends of {Numbers.Count(disk.ByteCount)} bytes a second to a "
                    + $"preallocated file, each flushed (fdatasync), "
                + $"{Numbers.Rate(disk.FlushesPerSecond.Min)} to {Numbers.Rate(disk.FlushesPerSecond.Max)}{emulated}.");
            output.WriteLine();
        }

        var table = new TextTable(("mode", -1), ("senders", 0), ("bytes", 0), ("msg/s", 0), ("to disk", 0), (RatioText.IntervalHeader, 0),
            ("to one", 0), (RatioText.IntervalHeader, 0), ("alloc", 0));
        foreach (LimitsCase item in queue.Cases)
        {
            table.Add(
                item.Mode,
                item.Receivers == 0 ? Numbers.Count(item.Senders) : $"{item.Senders}+{item.Receivers}",
                Numbers.Count(item.ByteCount),
                Numbers.Rate(item.MessagesPerSecond.Median),
                RatioText.Value(item.RatioToDisk),
                RatioText.Interval(item.RatioToDisk),
                RatioText.Value(item.RatioToOneSender),
                RatioText.Interval(item.RatioToOneSender),
                Numbers.Count((long)item.AllocatedBytes));
        }

        table.Print(output);
        if (queue.Settings.Count > 0)
            TextWrap.Print(output, "  settings: ", string.Join(", ", queue.Settings.Select(static setting => $"{setting.Key} {setting.Value}")));
        foreach (IGrouping<string, LimitsCase> mode in queue.Cases.GroupBy(item => item.Mode))
            TextWrap.Print(output, $"  {mode.Key}: ", mode.First().Durability);
        if (queue.Recovery is { } recovery)
        {
            output.WriteLine();
            TextWrap.Print(
                output,
                "",
                $"Opening: a log of {Numbers.Count(recovery.LogByteCount >> 20)} MiB with "
                + $"{Numbers.Count(recovery.MessageCount, "message")} is read at "
                + $"{Numbers.Count((long)(recovery.BytesPerSecond.Median / 1e6))} MB/s ({Numbers.Count((long)(recovery.BytesPerSecond.Min / 1e6))} "
                + $"to {Numbers.Count((long)(recovery.BytesPerSecond.Max / 1e6))}).");
        }
    }
}
