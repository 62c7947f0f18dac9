using System;

namespace Formatters.Queues;

/// <summary>Options for the queues of a folder.</summary>
public sealed record FileQueueOptions
{
    /// <summary>Gets the default options.</summary>
    public static FileQueueOptions Default { get; } = new();

    /// <summary>
    /// Gets the size of a segment of the log, in bytes. A segment is allocated whole; a larger message gets a segment of its own size.
    /// </summary>
    /// <value>Default 16 MiB, at least 64 KiB.</value>
    public int SegmentByteCount
    {
        get;
        init => field = value >= 1 << 16 ? value : throw new ArgumentOutOfRangeException(nameof(SegmentByteCount), value, "At least 65,536.");
    }
        = 16 << 20;

    /// <summary>
    /// Gets the maximum size of the cached bodies of recoverable messages, in bytes, for all queues of the folder; further bodies are read from the
    /// log when they are received.
    /// </summary>
    /// <value>Default 64 MiB.</value>
    public long CachedByteCount
    {
        get;
        init => field = value >= 0 ? value : throw new ArgumentOutOfRangeException(nameof(CachedByteCount), value, "Zero or more.");
    }
        = 64L << 20;

    /// <summary>
    /// Gets the number of waiting messages with their properties in memory, for all queues of the folder. For further messages, only their position
    /// in the log is in memory (some tens of bytes each), and they are read from the log shortly before they are received.
    /// </summary>
    /// <value>Default 100,000, at least 0. Express, delayed, large (64 KiB) and returned messages, those that request acknowledgements, and those
    /// sent to several queues at once are always in memory.</value>
    public int CachedMessageCount
    {
        get;
        init => field = value >= 0 ? value : throw new ArgumentOutOfRangeException(nameof(CachedMessageCount), value, "Zero or more.");
    }
        = 100_000;

    /// <summary>Gets which processes of the machine may have the folder open at the same time.</summary>
    /// <value>Default <see cref="FolderSharing.User"/>: the process that opens it first owns the log and serves the others; when it ends, one of
    /// them takes over.</value>
    public FolderSharing Sharing
    {
        get;
        init => field = QueueChecks.Defined(value, nameof(Sharing));
    }

    /// <summary>
    /// Gets whether the thread that sends, acknowledges or commits writes and flushes the log itself if no other thread is writing: for programs
    /// that block on the returned tasks. They save the change to the log's own thread and back; the task is complete when the method returns.
    /// </summary>
    /// <value>Default <see langword="false"/>: the log's own thread writes, and the method returns before the flush.</value>
    public bool WritesOnCallingThread { get; init; }

    /// <summary>Gets the number of messages of one queue and priority that are parked and read again together; for tests.</summary>
    internal int ParkedTogether { get; init; } = 512;

    /// <summary>Gets the log size for which closing the folder writes a snapshot; for tests.</summary>
    internal long SnapshotByteCount { get; init; } = 32L << 20;

    /// <summary>Gets the clock for expirations and leases; the timeouts of receives use the system's.</summary>
    /// <value>Default <see cref="TimeProvider.System"/>. The remaining time to live or lease does not change when the machine's clock is set, unless
    /// the folder is closed and opened again in between.</value>
    public TimeProvider TimeProvider
    {
        get;
        init => field = value ?? throw new ArgumentNullException(nameof(TimeProvider));
    }
        = TimeProvider.System;

    /// <summary>Gets an extra delay after each flush, to emulate a slower disk. For measurements, which must report it.</summary>
    /// <value>Default zero.</value>
    public TimeSpan EmulatedFlushDelay
    {
        get;
        init => field = value >= TimeSpan.Zero && value <= TimeSpan.FromSeconds(10)
            ? value
            : throw new ArgumentOutOfRangeException(nameof(EmulatedFlushDelay), value, "From zero to 10 seconds.");
    }
}
