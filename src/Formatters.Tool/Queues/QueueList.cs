using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Formatters.Queues;

namespace Formatters.Tools.Queues;

/// <summary>The report of <c>queue list</c>.</summary>
/// <param name="At">When, by this machine's clock.</param>
/// <param name="Queues">The queues.</param>
/// <param name="Processes">The other processes that have the folders open.</param>
internal sealed record QueueList(DateTimeOffset At, IReadOnlyList<QueueListEntry> Queues, IReadOnlyList<FolderProcess> Processes)
{
    internal static QueueList Of(DateTimeOffset at, IReadOnlyList<QueueStatus> queues, IEnumerable<FolderProcess> processes) => new(at, [.. queues.Select(static queue => new QueueListEntry(
        queue.Address.ToString(),
        queue.Name,
        queue.MessageCount,
        queue.LockedCount,
        queue.OldestSentTime,
        queue.OldestAge is { } age ? Math.Round(age.TotalSeconds, 3) : null,
        queue.StoppedReason))], [.. processes.Where(static process => process.ProcessId != Environment.ProcessId)]);

    internal void Print(TextWriter output)
    {
        if (Queues.Count == 0)
        {
            output.WriteLine("There are no queues.");
            return;
        }

        var table = new TextTable(("queue", -20), ("waiting", 9), ("locked", 8), ("oldest", 12));
        foreach (QueueListEntry queue in Queues)
            table.Add(queue.Name, CountOf(queue.MessageCount), CountOf(queue.LockedCount), queue.OldestSeconds is { } age ? AgeOf(TimeSpan.FromSeconds(age)) : Numbers.None);
        table.Print(output);
        foreach (FolderProcess process in Processes)
        {
            output.WriteLine($"Open in process {process.ProcessId} on {process.MachineName}" + (process.IsOwner ? ", the owner."
                : $", with {Numbers.Count(process.LockedCount)} locked."));
        }

        foreach (QueueListEntry queue in Queues.Where(static queue => queue.StoppedReason is not null))
            TextWrap.Print(output, $"{queue.Name} has stopped: ", queue.StoppedReason!);
    }

    /// <summary>A span for people: <c>0.4 s</c>, <c>59 s</c>, <c>2:05:09</c>, <c>3 d 2:05:09</c>.</summary>
    internal static string AgeOf(TimeSpan age)
    {
        if (age < TimeSpan.FromSeconds(10))
            return age.TotalSeconds.ToString("0.0", CultureInfo.InvariantCulture) + " s";
        if (age < TimeSpan.FromMinutes(1))
            return age.TotalSeconds.ToString("0", CultureInfo.InvariantCulture) + " s";
        string time = age.ToString(@"h\:mm\:ss", CultureInfo.InvariantCulture);
        return age.Days == 0 ? time : $"{Numbers.Count(age.Days)} d {time}";
    }

    private static string CountOf(long? count) => count is { } number ? Numbers.Count(number) : Numbers.None;
}

/// <summary>A queue, and what it holds.</summary>
/// <param name="Address">Its address, without a password.</param>
/// <param name="Name">Its name.</param>
/// <param name="MessageCount">How many messages wait; null if the queue does not tell.</param>
/// <param name="LockedCount">How many are locked; null if the queue does not tell.</param>
/// <param name="OldestSentTime">When the oldest one that waits was sent.</param>
/// <param name="OldestSeconds">How long ago that was.</param>
/// <param name="StoppedReason">Why it takes nothing more, or null.</param>
internal sealed record QueueListEntry(
    string Address, string Name, long? MessageCount, long? LockedCount, DateTimeOffset? OldestSentTime, double? OldestSeconds, string? StoppedReason);
