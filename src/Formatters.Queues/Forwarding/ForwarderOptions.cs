using System;

namespace Formatters.Queues;

/// <summary>How a <see cref="QueueForwarder"/> moves messages.</summary>
/// <remarks>Immutable: derive one with <c>ForwarderOptions.Default with { BatchSize = 100 }</c>.</remarks>
public sealed record ForwarderOptions
{
    /// <summary>The options that hold where none are given.</summary>
    public static ForwarderOptions Default { get; } = new();

    /// <summary>How many messages are moved together: in one transaction, or without waiting for the target between them.</summary>
    /// <value>
    /// Default null: 100 in transactions, which keep the order whatever happens, else 1. With more than 1 and without transactions a message that the target
    /// refuses alone (because it is at a limit) comes after others of its batch.
    /// </value>
    public int? BatchSize
    {
        get;
        init => field = value is null or > 0 ? value : throw new ArgumentOutOfRangeException(nameof(BatchSize), value, "At least 1.");
    }

    /// <summary>
    /// The queue, at the place of the source, that takes messages which cannot be forwarded: those that expired, that the target cannot carry, or that failed
    /// too often.
    /// </summary>
    /// <value>
    /// Default null: the source's name with <c>.dead</c> after it; of a source on RabbitMQ, which keeps the name with the queue, none. Without one such a
    /// message ends the forwarder.
    /// </value>
    public string? DeadLetterQueue
    {
        get;
        init => field = value is not "" ? value : throw new ArgumentException("A name, or null.", nameof(DeadLetterQueue));
    }

    /// <summary>
    /// How often a message is tried on a target that could be opened, before it is set aside as a dead letter (<see cref="DeadLetterReasons.NotForwarded"/>).
    /// </summary>
    /// <value>
    /// Default 0: without limit. A target that is away does not count. What the target can never carry, as a priority where it has none, is set aside at
    /// once; what it refuses may be taken later, when it is no longer full: so give a limit only with a time in which that happens.
    /// </value>
    public int MaxAttempts
    {
        get;
        init => field = value >= 0 ? value : throw new ArgumentOutOfRangeException(nameof(MaxAttempts), value, "Zero or more.");
    }

    /// <summary>How long to wait after the first failure; twice as long after each further one.</summary>
    /// <value>Default 100 milliseconds.</value>
    public TimeSpan MinBackOff
    {
        get;
        init => field = value > TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(MinBackOff), value, "More than zero.");
    }
        = TimeSpan.FromMilliseconds(100);

    /// <summary>How long to wait at most.</summary>
    /// <value>Default 30 seconds.</value>
    public TimeSpan MaxBackOff
    {
        get;
        init => field = value > TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(MaxBackOff), value, "More than zero.");
    }
        = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The target's <see cref="QueueOptions.DuplicateWindow"/>, where it has one: what is sent again after a lost answer is rejected there, and counts as
    /// forwarded.
    /// </summary>
    /// <value>Default null: the target is not asked for it, and a message may be in it twice, under one <see cref="QueueMessage.MessageId"/>.</value>
    public TimeSpan? DuplicateWindow
    {
        get;
        init => field = value is null || value > TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(DuplicateWindow), value, "More than zero, or null.");
    }

    /// <summary>Is told of every failure after which the forwarder waits, and how long it will.</summary>
    /// <value>Default null. It is called by one thread at a time; what it throws ends the forwarder.</value>
    public Action<Exception, TimeSpan>? OnRetry { get; init; }

#if NET
    /// <summary>What it takes to forward from a folder into a database exactly once.</summary>
    /// <value>Default null: messages are moved by a transaction where source and target are queues of one place that has them, else at least once.</value>
    /// <remarks>Not in the build for netstandard2.0, which has no queues in folders.</remarks>
    public CoordinatedForwarding? Coordination { get; init; }
#endif
}
