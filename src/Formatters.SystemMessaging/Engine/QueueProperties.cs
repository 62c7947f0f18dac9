namespace System.Messaging;

/// <summary>The properties of a queue that MSMQ keeps with it.</summary>
internal sealed record QueueProperties
{
    /// <summary>Gets the path with which the queue was created, without its machine.</summary>
    public string Path { get; init; } = "";

    public Guid Id { get; init; } = Guid.NewGuid();

    /// <summary>Gets whether the queue is transactional; null for a queue that was not created here, which accepts both.</summary>
    public bool? Transactional { get; init; }

    public bool Authenticate { get; init; }

    public short BasePriority { get; init; }

    public Guid Category { get; init; }

    public DateTime CreateTime { get; init; }

    public EncryptionRequired EncryptionRequired { get; init; } = EncryptionRequired.Optional;

    public string Label { get; init; } = "";

    public DateTime LastModifyTime { get; init; }

    /// <summary>Gets the quota of the journal, in KB.</summary>
    public long MaximumJournalSize { get; init; } = uint.MaxValue;

    /// <summary>Gets the quota of the queue, in KB.</summary>
    public long MaximumQueueSize { get; init; } = uint.MaxValue;

    public string MulticastAddress { get; init; } = "";

    public bool UseJournalQueue { get; init; }

    /// <summary>Gets whether the queue may have messages that go to a dead-letter queue when they expire.</summary>
    public bool HasDeadLetters { get; init; }
}
