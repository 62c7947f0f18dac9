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
}

/// <summary>What the first block of a segment tells, since the segments before it may be deleted.</summary>
internal sealed record LogTable(uint NextQueueId, IReadOnlyCollection<FileQueueStore> Queues, Decision[] Decisions);
