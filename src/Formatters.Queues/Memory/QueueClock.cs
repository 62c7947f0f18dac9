using System;

namespace Formatters.Queues;

/// <summary>The time, twice: by the clock on the wall, which people set, for what is written down; and as time stamps that only count up, for how long
/// something lasts.</summary>
internal sealed class QueueClock(TimeProvider time)
{
    /// <summary>The time stamp of what never comes.</summary>
    internal const long Never = long.MaxValue;

    internal static QueueClock System { get; } = new(TimeProvider.System);

    internal TimeProvider Time => time;

    /// <summary>The time stamp of now.</summary>
    internal long Now => time.GetTimestamp();

    internal DateTimeOffset UtcNow => time.GetUtcNow();

    /// <summary>The time stamp after a time from now on.</summary>
    internal long After(TimeSpan duration)
    {
        double stamps = duration.TotalSeconds * time.TimestampFrequency;
        long now = Now;
        return stamps < long.MaxValue - now - 1d ? now + (long)Math.Ceiling(stamps) : Never;
    }

    /// <summary>The time by the clock on the wall of a time stamp that is to come.</summary>
    internal DateTimeOffset UtcOf(long timestamp)
    {
        if (timestamp == Never)
            return DateTimeOffset.MaxValue;
        DateTimeOffset now = UtcNow;
        TimeSpan left = Until(timestamp);
        return left < DateTimeOffset.MaxValue - now ? now + left : DateTimeOffset.MaxValue;
    }

    /// <summary>How long it is until a time stamp: zero if it was before now.</summary>
    internal TimeSpan Until(long timestamp) => TimeSpan.FromSeconds(Math.Max(0, (timestamp - Now) / (double)time.TimestampFrequency));
}
