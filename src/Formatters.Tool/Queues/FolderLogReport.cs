using System.Collections.Generic;
using System.IO;
using System.Linq;
using Formatters.Queues;

namespace Formatters.Tools.Queues;

/// <summary>The report of <c>queue verify</c> and <c>queue salvage</c> on the log of a folder.</summary>
internal sealed record FolderLogReport(
    string Folder,
    bool IsWhole,
    long MessageCount,
    long UncertainCount,
    IReadOnlyList<QueueLogCount> Queues,
    IReadOnlyList<QueueLogFinding> Findings,
    IReadOnlyList<QueueLogRange> LostNumbers)
{
    /// <summary>Gets how many messages were copied; null if none were to be.</summary>
    public long? SalvagedCount { get; init; }

    internal static FolderLogReport Of(QueueFolderLog log) =>
        new(log.Folder, log.IsWhole, log.MessageCount, log.UncertainCount, log.Queues, log.Findings, log.LostNumbers);

    internal void Print(TextWriter output)
    {
        int damages = Findings.Count(static finding => finding.IsDamage);
        output.WriteLine(damages switch
        {
            0 => "The log is whole.",
            1 => "The log is damaged, in 1 place.",
            _ => $"The log is damaged, in {Numbers.Count(damages)} places.",
        });
        foreach (QueueLogFinding finding in Findings)
            TextWrap.Print(output, "  ", $"{finding.File}, offset {finding.Offset}: {finding.Kind.ToString().ToLowerInvariant()}: {finding.Description}");
        foreach (QueueLogRange range in LostNumbers)
        {
            string last = range.Last is not { } number ? "and later ones" : number == range.First ? "" : $"to {number}";
            TextWrap.Print(output, "  ", $"lost at most: the messages numbered {range.First} {last}".TrimEnd());
        }

        output.WriteLine($"{Numbers.Count(MessageCount, "message")} {(MessageCount == 1 ? "waits" : "wait")} and can be read{Uncertain(UncertainCount)}");
        foreach (QueueLogCount queue in Queues)
            TextWrap.Print(output, $"  {Numbers.Count(queue.MessageCount),9}  ", $"in {queue.Name}{Uncertain(queue.UncertainCount)}");
        if (SalvagedCount is { } count)
            output.WriteLine($"{Numbers.Count(count, "message")} copied");
    }

    private static string Uncertain(long count) => count == 0 ? "" : $"; {Numbers.Count(count)} of them may have been received: the part of the log that would say so is lost";
}
