namespace Formatters.Queues.Msmq;

/// <summary>Options of <see cref="MsmqQueueProvider"/> in addition to <see cref="QueueOptions"/>.</summary>
public sealed record MsmqQueueOptions
{
    /// <summary>Gets the default options.</summary>
    public static MsmqQueueOptions Default { get; } = new();

    /// <summary>
    /// Gets whether MSMQ keeps a message that expired or cannot be delivered in its own dead-letter queue, on the machine where that happened.
    /// </summary>
    /// <value>Default false: such a message is dropped. <see cref="QueueOptions.DeadLetterQueue"/> is another queue, for messages that receivers
    /// reject.</value>
    public bool UseDeadLetterQueue { get; init; }

    /// <summary>Gets whether MSMQ keeps a copy of each message that left the sender's machine in that machine's journal.</summary>
    /// <value>Default false.</value>
    public bool UseJournalQueue { get; init; }
}
