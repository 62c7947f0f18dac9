using System;
using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>What a log holds: its segments, queues and messages.</summary>
internal sealed class LogState
{
    internal List<LogSegment> Segments { get; } = [];

    internal Guid FolderId { get; set; } = Guid.NewGuid();

    internal ulong NextBlock { get; set; } = 1;

    internal ulong NextMessage { get; set; } = 1;

    internal uint NextQueueId { get; set; } = 1;

    internal Dictionary<uint, FileQueueStore> Queues { get; } = [];

    /// <summary>The messages, by their numbers.</summary>
    internal Dictionary<ulong, LogEntry> Messages { get; } = [];

    /// <summary>Where they are, by the places' numbers.</summary>
    internal Dictionary<ulong, LogPlace> Places { get; } = [];
}
