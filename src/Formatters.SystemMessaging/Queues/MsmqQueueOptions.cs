namespace Formatters.Queues.Msmq;

/// <summary>What <see cref="MsmqQueueProvider"/> asks of MSMQ, in addition to what <see cref="QueueOptions"/> ask of every queue.</summary>
public sealed record MsmqQueueOptions
{
    /// <summary>The defaults.</summary>
    public static MsmqQueueOptions Default { get; } = new();

    /// <summary>Whether MSMQ keeps a message that expired or cannot be delivered in its own dead-letter queue, on the machine where that happened.</summary>
    /// <value>Default false: such a message is dropped. <see cref="QueueOptions.DeadLetterQueue"/> is another queue, for messages that receivers give
    /// up.</value>
    public bool UseDeadLetterQueue { get; init; }

    /// <summary>Whether MSMQ keeps a copy of each message that left the sender's machine in that machine's journal.</summary>
    /// <value>Default false.</value>
    public bool UseJournalQueue { get; init; }
}
