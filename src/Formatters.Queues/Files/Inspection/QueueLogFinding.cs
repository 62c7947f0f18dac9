namespace Formatters.Queues;

/// <summary>Defines the kinds of problems in a log.</summary>
public enum QueueLogFindingKind
{
    /// <summary>Bytes differ from those that were written.</summary>
    Damaged = 0,

    /// <summary>A file is missing.</summary>
    Missing = 1,

    /// <summary>A file or the log ends too early.</summary>
    Cut = 2,

    /// <summary>The disk or the system does not allow a file to be read.</summary>
    Unreadable = 3,

    /// <summary>A file of another log.</summary>
    Foreign = 4,

    /// <summary>A write that a crash cut short. This is not damage: the write was never confirmed, and the folder opens without it.</summary>
    Unfinished = 5,
}

/// <summary>A problem that <see cref="QueueFolderLog"/> has found in a log, and where.</summary>
/// <param name="File">The file's name in the folder.</param>
/// <param name="Offset">The position in the file, in bytes.</param>
/// <param name="Kind">The kind of damage.</param>
/// <param name="Description">A description in English.</param>
public sealed record QueueLogFinding(string File, long Offset, QueueLogFindingKind Kind, string Description)
{
    /// <summary>
    /// Gets the number of blocks that are lost because of it; 0 also if the number is unknown. A block contains the sends, receives and transactions
    /// of one flush.
    /// </summary>
    public long LostBlockCount { get; init; }

    /// <summary>Gets whether a folder with this problem is rejected.</summary>
    public bool IsDamage => Kind != QueueLogFindingKind.Unfinished;
}

/// <summary>The messages of one queue in the readable part of a log.</summary>
/// <param name="Name">The queue's name.</param>
/// <param name="MessageCount">How many messages wait in it.</param>
/// <param name="UncertainCount">How many of them may have left it: a lost part of the log may have recorded it.</param>
public sealed record QueueLogCount(string Name, long MessageCount, long UncertainCount);

/// <summary>A range of message numbers that may be lost. Some of the messages may have been received, or never sent.</summary>
/// <param name="First">The first.</param>
/// <param name="Last">The last number; null if it is unknown.</param>
public readonly record struct QueueLogRange(long First, long? Last);
