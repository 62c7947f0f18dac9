using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Queues;

/// <summary>The status of a queue at some moment, as far as its kind reports it: see <see cref="QueueConnector.ListAsync"/>.</summary>
public sealed record QueueStatus
{
    /// <summary>Gets the address of the queue, with which it can be opened.</summary>
    public required QueueAddress Address { get; init; }

    /// <summary>Gets the queue's name, including any slashes.</summary>
    public required string Name { get; init; }

    /// <summary>Gets the number of waiting messages: neither locked by a receiver nor expired.</summary>
    /// <value>Null if the queue does not report it, and if <see cref="StoppedReason"/> is set and the number is unknown.</value>
    public long? MessageCount { get; init; }

    /// <summary>Gets the number of messages that are locked or prefetched by receivers, or part of a transaction in progress.</summary>
    /// <value>Null if the queue does not report it (RabbitMQ without its management interface).</value>
    public long? LockedCount { get; init; }

    /// <summary>Gets when the oldest waiting message was sent, by the clock of the queue.</summary>
    /// <value>UTC; null if none waits, and where the queue does not report it (RabbitMQ). In memory and in a folder, only the messages that come
    /// next in their priority are considered: in a dead-letter or journal queue, the one that came first.</value>
    public DateTimeOffset? OldestSentTime { get; init; }

    /// <summary>Gets the age of the oldest waiting message, by the clock of the queue.</summary>
    /// <value>Zero or more; null if <see cref="OldestSentTime"/> is null.</value>
    public TimeSpan? OldestAge { get; init; }

    /// <summary>Gets why the queue accepts no more operations until it is opened again: the log of its folder has stopped.</summary>
    /// <value>Null if it has not.</value>
    public string? StoppedReason { get; init; }
}

/// <summary>Creates the lists that <see cref="QueueConnector.ListAsync"/> returns, sorted by name.</summary>
internal static class QueueStatuses
{
    /// <summary>Returns the non-null statuses, sorted by name.</summary>
    internal static IReadOnlyList<QueueStatus> Of(IEnumerable<QueueStatus?> statuses) =>
        [.. statuses.OfType<QueueStatus>().OrderBy(static status => status.Name, StringComparer.Ordinal)];
}
