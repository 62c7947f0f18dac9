using System;

namespace Formatters.Queues;

/// <summary>The longest durations that queues distinguish from "forever". Compiled into each package of queues, because it is not public.</summary>
internal static class QueueTimes
{
    /// <summary>
    /// The longest time to live, lease, delay and window: about 1,000 years. Adding it to the current time stays within the range of <see
    /// cref="DateTime"/> and every queue.
    /// </summary>
    internal static readonly TimeSpan Longest = TimeSpan.FromDays(365_000);

    /// <summary>The longest timeout for an answer, and the longest pause between two attempts: about 24 days, the maximum of every timer.</summary>
    internal static readonly TimeSpan LongestWait = TimeSpan.FromMilliseconds(int.MaxValue);

    /// <summary>The longest time that a receive waits; the timers of receives have up to 49.7 days.</summary>
    internal static readonly TimeSpan LongestReceive = TimeSpan.FromDays(49);

    /// <summary>Limits a duration to the longest one.</summary>
    internal static TimeSpan AtMost(this TimeSpan duration, TimeSpan longest) => duration > longest ? longest : duration;
}
