using System;
using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>The content of a log: its segments, queues and messages.</summary>
internal sealed class LogState
{
    internal List<LogSegment> Segments { get; } = [];

    /// <summary>Gets or sets the manifest; null in a new log, and in one from before manifests.</summary>
    internal LogManifest? Manifest { get; set; }

    internal Guid FolderId { get; set; } = Guid.NewGuid();

    internal ulong NextBlock { get; set; } = 1;

    internal ulong NextMessage { get; set; } = 1;

    internal uint NextQueueId { get; set; } = 1;

    internal Dictionary<uint, FileQueueStore> Queues { get; } = [];

    /// <summary>Gets the transactions that a resource manager may still have prepared, with its id.</summary>
    internal Dictionary<Guid, Guid> Decisions { get; } = [];

    /// <summary>Gets the operations of other processes that are done.</summary>
    internal AppliedOperations Applied { get; } = new();

    /// <summary>Gets the messages by number.</summary>
    internal Dictionary<ulong, LogEntry> Messages { get; } = [];

    /// <summary>Gets the places by number.</summary>
    internal Dictionary<ulong, LogPlace> Places { get; } = [];

    /// <summary>Gets or sets the number of bytes read from the log, after the snapshot if there was one.</summary>
    internal long ReplayedByteCount { get; set; }

    /// <summary>
    /// Gets or sets whether the messages without objects are already in their queues: in the order of their numbers, as required for the others.
    /// </summary>
    internal bool IsInOrder { get; set; }

    /// <summary>Gets the messages without objects, by place number: each is in one queue.</summary>
    internal LogIndex Index { get; } = new();
}

/// <summary>The state that the first block of a segment repeats, because the segments before it may be deleted.</summary>
internal sealed record LogTable(uint NextQueueId, IReadOnlyCollection<FileQueueStore> Queues, Decision[] Decisions,
    RemoteOperation[] Applied)
{
    /// <summary>Returns the required ids that the log has in or before a segment.</summary>
    internal List<LoggedId> GetIds(ulong lastSegment)
    {
        var ids = new List<LoggedId>();
        foreach (FileQueueStore queue in Queues)
        {
            if (queue.IsDeletedInLog)
                continue;
            foreach ((string id, long end) in queue.GetIds(lastSegment))
                ids.Add(new LoggedId(queue, id, end));
        }

        return ids;
    }
}

/// <summary>The id of a message that was sent to a queue, and the time stamp until which it is rejected as a duplicate.</summary>
internal sealed record LoggedId(FileQueueStore Queue, string Id, long End)
{
    internal long EndTicks => Queue.Clock.UtcOf(End).UtcTicks;

    /// <summary>Notes on the writer's thread that the block with the id is on the disk.</summary>
    internal void NoteWritten(LogSegment segment)
    {
        Queue.SetIdSegment(Id, segment.Number);
        segment.AddId(Id, End);
    }
}
