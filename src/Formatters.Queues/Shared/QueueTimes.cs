using System;

namespace Formatters.Queues;

/// <summary>The longest durations that queues tell from "forever". Each package of queues compiles this file, since it is not public.</summary>
internal static class QueueTimes
{
    /// <summary>The longest life, lease, delay and window: about 1,000 years. Any time so long from now is one that <see cref="DateTime"/> and every
    /// queue have.</summary>
    internal static readonly TimeSpan Longest = TimeSpan.FromDays(365_000);

    /// <summary>The longest time that a queue or broker may take for an answer, and between two attempts: about 24 days, the most that every timer
    /// has.</summary>
    internal static readonly TimeSpan LongestWait = TimeSpan.FromMilliseconds(int.MaxValue);

    /// <summary>The longest time that a receive waits; the timers of receives have up to 49.7 days.</summary>
    internal static readonly TimeSpan LongestReceive = TimeSpan.FromDays(49);

    /// <summary>A duration that is longer than the longest one as the longest one.</summary>
    internal static TimeSpan AtMost(this TimeSpan duration, TimeSpan longest) => duration > longest ? longest : duration;
}
