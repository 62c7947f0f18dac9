using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Queues;

/// <summary>What a queue holds at some moment, as far as its kind reports it: see <see cref="QueueConnector.ListAsync"/>.</summary>
public sealed record QueueStatus
{
    /// <summary>The address of the queue, with which it can be opened.</summary>
    public required QueueAddress Address { get; init; }

    /// <summary>The queue's name, including any slashes.</summary>
    public required string Name { get; init; }

    /// <summary>How many messages wait: neither locked by a receiver nor expired.</summary>
    /// <value>Null where the queue does not report it, and where <see cref="StoppedReason"/> is given and nothing is known.</value>
    public long? MessageCount { get; init; }

    /// <summary>How many messages receivers have locked or prefetched, or are part of a transaction in progress.</summary>
    /// <value>Null where the queue does not report it (RabbitMQ without its management interface).</value>
    public long? LockedCount { get; init; }

    /// <summary>When the oldest message that waits was sent, by the clock of the queue.</summary>
    /// <value>
    /// UTC; null if none waits, and where the queue does not report it (RabbitMQ). In memory and in a folder, only the messages that come next in their
    /// priority are considered: in a dead-letter or journal queue, the one that came first.
    /// </value>
    public DateTimeOffset? OldestSentTime { get; init; }

    /// <summary>How long ago that was, by the clock of the queue.</summary>
    /// <value>Zero or more; null where <see cref="OldestSentTime"/> is null.</value>
    public TimeSpan? OldestAge { get; init; }

    /// <summary>Why the queue accepts nothing more until it is opened again: the log of its folder has stopped.</summary>
    /// <value>Null if it has not.</value>
    public string? StoppedReason { get; init; }
}

/// <summary>Lists of queues.</summary>
internal static class QueueStatuses
{
    /// <summary>Those that exist, by name.</summary>
    internal static IReadOnlyList<QueueStatus> Of(IEnumerable<QueueStatus?> statuses) =>
        [.. statuses.OfType<QueueStatus>().OrderBy(static status => status.Name, StringComparer.Ordinal)];
}
