using System;

namespace Formatters.Queues;

/// <summary>The time in two forms: the wall clock, which may be set, for recorded times; and monotonic time stamps for durations.</summary>
internal sealed class QueueClock(TimeProvider time)
{
    /// <summary>The time stamp that is never reached.</summary>
    internal const long Never = long.MaxValue;

    internal static QueueClock System { get; } = new(TimeProvider.System);

    internal TimeProvider Time => time;

    /// <summary>Gets the current time stamp.</summary>
    internal long Now => time.GetTimestamp();

    internal DateTimeOffset UtcNow => time.GetUtcNow();

    /// <summary>Returns the time stamp after a duration from now.</summary>
    internal long After(TimeSpan duration)
    {
        double stamps = duration.TotalSeconds * time.TimestampFrequency;
        long now = Now;
        return stamps < long.MaxValue - now - 1d ? now + (long)Math.Ceiling(stamps) : Never;
    }

    /// <summary>Returns the wall clock time of a future time stamp.</summary>
    internal DateTimeOffset UtcOf(long timestamp)
    {
        if (timestamp == Never)
            return DateTimeOffset.MaxValue;
        DateTimeOffset now = UtcNow;
        TimeSpan left = Until(timestamp);
        return left < DateTimeOffset.MaxValue - now ? now + left : DateTimeOffset.MaxValue;
    }

    /// <summary>Returns the duration until a time stamp: zero if it is in the past.</summary>
    internal TimeSpan Until(long timestamp) => TimeSpan.FromSeconds(Math.Max(0, (timestamp - Now) / (double)time.TimestampFrequency));
}
