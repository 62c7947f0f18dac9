using System;

namespace Formatters.Queues;

/// <summary>How the queues of a folder are kept.</summary>
public sealed record FileQueueOptions
{
    /// <summary>The defaults.</summary>
    public static FileQueueOptions Default { get; } = new();

    /// <summary>The size of a segment of the log, in bytes. A segment is allocated whole; a larger message gets a segment of its own size.</summary>
    /// <value>Default 16 MiB, at least 64 KiB.</value>
    public int SegmentByteCount
    {
        get;
        init => field = value >= 1 << 16 ? value : throw new ArgumentOutOfRangeException(nameof(SegmentByteCount), value, "At least 65,536.");
    }
        = 16 << 20;

    /// <summary>How many bytes of the bodies of recoverable messages stay in memory, for all queues of the folder; further bodies are read from the log when
    /// they are received.</summary>
    /// <value>Default 64 MiB.</value>
    public long CachedByteCount
    {
        get;
        init => field = value >= 0 ? value : throw new ArgumentOutOfRangeException(nameof(CachedByteCount), value, "Zero or more.");
    }
        = 64L << 20;

    /// <summary>
    /// How many waiting messages have their properties in memory, for all queues of the folder. For further messages, only their position in the log is in
    /// memory (some tens of bytes each), and they are read from the log when they are about to be received.
    /// </summary>
    /// <value>
    /// Default 100,000, at least 0. Express messages, messages for a later time, large ones (64 KiB), those that ask for acknowledgements, those that came
    /// back to their queue, and those sent to several queues at once are always in memory.
    /// </value>
    public int CachedMessageCount
    {
        get;
        init => field = value >= 0 ? value : throw new ArgumentOutOfRangeException(nameof(CachedMessageCount), value, "Zero or more.");
    }
        = 100_000;

    /// <summary>How many messages of one queue and priority are taken out of memory, and read again, together; for tests.</summary>
    internal int ParkedTogether { get; init; } = 512;

    /// <summary>A folder that is closed gets a snapshot if its next opening would read so much of the log without it; for tests.</summary>
    internal long SnapshotByteCount { get; init; } = 32L << 20;

    /// <summary>The clock by which messages expire and leases end; the timeouts of receives go by the system's.</summary>
    /// <value>Default <see cref="TimeProvider.System"/>. The remaining time to live or lease does not change when the machine's clock is set, unless the
    /// folder is closed and opened again in between.</value>
    public TimeProvider TimeProvider
    {
        get;
        init => field = value ?? throw new ArgumentNullException(nameof(TimeProvider));
    }
        = TimeProvider.System;

    /// <summary>Waits this long after each flush, as a slower disk would. For measurements, which must print it.</summary>
    /// <value>Default zero.</value>
    public TimeSpan EmulatedFlushDelay
    {
        get;
        init => field = value >= TimeSpan.Zero && value <= TimeSpan.FromSeconds(10)
            ? value
            : throw new ArgumentOutOfRangeException(nameof(EmulatedFlushDelay), value, "From zero to 10 seconds.");
    }
}
