using System;
using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>What a log holds: its segments, queues and messages.</summary>
internal sealed class LogState
{
    internal List<LogSegment> Segments { get; } = [];

    /// <summary>Null in a new log, and in one of before there were manifests.</summary>
    internal LogManifest? Manifest { get; set; }

    internal Guid FolderId { get; set; } = Guid.NewGuid();

    internal ulong NextBlock { get; set; } = 1;

    internal ulong NextMessage { get; set; } = 1;

    internal uint NextQueueId { get; set; } = 1;

    internal Dictionary<uint, FileQueueStore> Queues { get; } = [];

    /// <summary>The transactions that a resource manager may still have prepared, with its id.</summary>
    internal Dictionary<Guid, Guid> Decisions { get; } = [];

    /// <summary>The messages, by their numbers.</summary>
    internal Dictionary<ulong, LogEntry> Messages { get; } = [];

    /// <summary>Where they are, by the places' numbers.</summary>
    internal Dictionary<ulong, LogPlace> Places { get; } = [];

    /// <summary>What was read of the log, after the snapshot if there was one.</summary>
    internal long ReplayedByteCount { get; set; }

    /// <summary>Whether the messages that are not objects are in their queues already: in the order of their numbers, as the others have to come in.</summary>
    internal bool IsInOrder { get; set; }

    /// <summary>The messages that are not objects, by the places' numbers: in one queue each.</summary>
    internal LogIndex Index { get; } = new();
}

/// <summary>What the first block of a segment tells, since the segments before it may be deleted.</summary>
internal sealed record LogTable(uint NextQueueId, IReadOnlyCollection<FileQueueStore> Queues, Decision[] Decisions)
{
    /// <summary>The ids that are needed and that the log has in a segment or before it.</summary>
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

/// <summary>An id of a message that was sent to a queue, and the time stamp until which another with it is rejected.</summary>
internal sealed record LoggedId(FileQueueStore Queue, string Id, long End)
{
    internal long EndTicks => Queue.Clock.UtcOf(End).UtcTicks;

    /// <summary>On the log's writer: the block with it is on the disk.</summary>
    internal void NoteWritten(LogSegment segment)
    {
        Queue.SetIdSegment(Id, segment.Number);
        segment.AddId(Id, End);
    }
}
