using System;

namespace Formatters.Queues;

/// <summary>Options of a <see cref="QueueForwarder"/>: how many messages it moves together, and how it handles failures.</summary>
/// <remarks>Immutable: derive one with <c>ForwarderOptions.Default with { BatchSize = 100 }</c>.</remarks>
public sealed record ForwarderOptions
{
    /// <summary>Gets the default options.</summary>
    public static ForwarderOptions Default { get; } = new();

    /// <summary>Gets the number of messages that are moved together: in one transaction, or without waiting for the target between them.</summary>
    /// <value>Default null: 100 in transactions, which always keep the order, otherwise 1. With more than 1 and without transactions, a message that
    /// the target alone rejects (because it is at a limit) arrives after other messages of its batch.</value>
    public int? BatchSize
    {
        get;
        init => field = value is null or > 0 ? value : throw new ArgumentOutOfRangeException(nameof(BatchSize), value, "At least 1.");
    }

    /// <summary>
    /// Gets the queue, in the location of the source, for messages that cannot be forwarded: those that expired, that the target cannot carry, or
    /// that failed too often.
    /// </summary>
    /// <value>Default null: the source's name with <c>.dead</c> appended; for a source on RabbitMQ, which stores the name with the queue, none.
    /// Without such a queue, a message that cannot be forwarded ends the forwarder.</value>
    public string? DeadLetterQueue
    {
        get;
        init => field = value is not "" ? value : throw new ArgumentException("A name, or null.", nameof(DeadLetterQueue));
    }

    /// <summary>
    /// Gets the number of attempts to send a message to a working target, after which it is dead-lettered (<see
    /// cref="DeadLetterReasons.NotForwarded"/>).
    /// </summary>
    /// <value>Default 0: without limit. Attempts while the target cannot be reached, or whose connection or answer was lost, do not count. A message
    /// that the target can never carry, for example because it does not support its priority, is dead-lettered immediately. A message that the target
    /// rejects may be accepted later, when the target is no longer full: if you set a limit, allow enough time for that.</value>
    public int MaxAttempts
    {
        get;
        init => field = value >= 0 ? value : throw new ArgumentOutOfRangeException(nameof(MaxAttempts), value, "Zero or more.");
    }

    /// <summary>Gets how long to wait after the first failure. The wait doubles after each further failure.</summary>
    /// <value>Default 100 milliseconds. A time of more than 24 days is taken as about 24 days, the most that timers have.</value>
    public TimeSpan MinBackOff
    {
        get;
        init => field = value > TimeSpan.Zero
            ? value.AtMost(QueueTimes.LongestWait)
            : throw new ArgumentOutOfRangeException(nameof(MinBackOff), value, "More than zero.");
    }
        = TimeSpan.FromMilliseconds(100);

    /// <summary>Gets the maximum time to wait.</summary>
    /// <value>Default 30 seconds, at most about 24 days, as for <see cref="MinBackOff"/>.</value>
    public TimeSpan MaxBackOff
    {
        get;
        init => field = value > TimeSpan.Zero
            ? value.AtMost(QueueTimes.LongestWait)
            : throw new ArgumentOutOfRangeException(nameof(MaxBackOff), value, "More than zero.");
    }
        = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Gets the target's <see cref="QueueOptions.DuplicateWindow"/>, if it supports one: a message sent again after a lost answer is rejected there,
    /// and counts as forwarded.
    /// </summary>
    /// <value>Default null: the target does not detect duplicates, and may contain a message twice, with one <see
    /// cref="QueueMessage.MessageId"/>.</value>
    public TimeSpan? DuplicateWindow
    {
        get;
        init => field = value is null || value > TimeSpan.Zero
            ? value?.AtMost(QueueTimes.Longest)
            : throw new ArgumentOutOfRangeException(nameof(DuplicateWindow), value, "More than zero, or null.");
    }

    /// <summary>Gets the callback for every failure after which the forwarder waits, with the time that it will wait.</summary>
    /// <value>Default null. It is called by one thread at a time; an exception that it throws ends the forwarder.</value>
    public Action<Exception, TimeSpan>? OnRetry { get; init; }

#if NET
    /// <summary>Gets the resources for forwarding from a folder into a database exactly once.</summary>
    /// <value>Default null: messages are moved in a transaction if source and target are queues of one location that supports transactions, and
    /// otherwise at least once.</value>
    /// <remarks>Not in the build for netstandard2.0, which has no queues in folders.</remarks>
    public CoordinatedForwarding? Coordination { get; init; }
#endif
}
