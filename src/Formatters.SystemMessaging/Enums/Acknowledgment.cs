namespace System.Messaging;

/// <summary>Defines what an acknowledgement message reports. The names and values are those of .NET Framework.</summary>
public enum Acknowledgment
{
    /// <summary>The message is not an acknowledgement.</summary>
    None = 0,

    /// <summary>The message has reached its queue.</summary>
    ReachQueue = 2,

    /// <summary>The message was received.</summary>
    Receive = 16384,

    /// <summary>The queue does not exist.</summary>
    BadDestinationQueue = 32768,

    /// <summary>The message was removed before it reached its queue.</summary>
    Purged = 32769,

    /// <summary>The message did not reach its queue in time.</summary>
    ReachQueueTimeout = 32770,

    /// <summary>The queue is at its quota.</summary>
    QueueExceedMaximumSize = 32771,

    /// <summary>The sender may not write to the queue.</summary>
    AccessDenied = 32772,

    /// <summary>The message passed through too many machines.</summary>
    HopCountExceeded = 32773,

    /// <summary>The signature is not valid.</summary>
    BadSignature = 32774,

    /// <summary>The body could not be decrypted.</summary>
    BadEncryption = 32775,

    /// <summary>The body could not be encrypted.</summary>
    CouldNotEncrypt = 32776,

    /// <summary>The message was sent in a transaction, and the queue is not transactional.</summary>
    NotTransactionalQueue = 32777,

    /// <summary>The queue is transactional, and the message was not sent in a transaction.</summary>
    NotTransactionalMessage = 32778,

    /// <summary>The queue was deleted, and the message with it.</summary>
    QueueDeleted = 49152,

    /// <summary>The queue was purged.</summary>
    QueuePurged = 49153,

    /// <summary>The message was not received in time.</summary>
    ReceiveTimeout = 49154,
}
