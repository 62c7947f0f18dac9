using System;

namespace Formatters.Queues.RabbitMQ;

/// <summary>What the queues of a provider are at the broker.</summary>
public sealed record RabbitMqOptions
{
    /// <summary>Classic queues without priorities.</summary>
    public static RabbitMqOptions Default { get; } = new();

    /// <summary>The type of queues that are made; one that exists is opened as it is.</summary>
    /// <value>Default <see cref="RabbitMqQueueType.Classic"/>.</value>
    public RabbitMqQueueType QueueType { get; init; }

    /// <summary>Whether classic queues are made with the ten priorities of messages (<c>x-max-priority</c>); each costs the broker memory and work.</summary>
    /// <value>Default false. Quorum queues of RabbitMQ 3 have no priorities.</value>
    public bool HasPriorities { get; init; }

    /// <summary>How long an operation that finds the connection lost tries to connect again before it fails.</summary>
    /// <value>Default 30 seconds; zero: it fails at once, and so do all later ones.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public TimeSpan ReconnectTimeout
    {
        get;
        init => field = value >= TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(ReconnectTimeout), value, "Zero or more.");
    }
        = TimeSpan.FromSeconds(30);
}

/// <summary>The types of RabbitMQ's queues.</summary>
public enum RabbitMqQueueType
{
    /// <summary>On one node. A confirmed message is in its log files, perhaps not yet on the disk.</summary>
    Classic = 0,

    /// <summary>Replicated over the nodes of a cluster: a confirmed message is on the disks of most of them. Deliveries are counted.</summary>
    Quorum = 1,
}
