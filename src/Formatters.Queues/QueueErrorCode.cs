namespace Formatters.Queues;

/// <summary>The kinds of a <see cref="QueueException"/> for which programs have an answer.</summary>
public enum QueueErrorCode
{
    /// <summary>Another error: the message of the exception describes it.</summary>
    None = 0,

    /// <summary>Another process, or another provider of this one, owns the folder.</summary>
    InUse = 1,

    /// <summary>The queue is at a limit. It may take the message later.</summary>
    Full = 2,

    /// <summary>The message is larger than the queue takes. Sending it again does not help.</summary>
    TooLarge = 3,

    /// <summary>The files are of another version of the library.</summary>
    UnknownVersion = 4,

    /// <summary>The queue was deleted while it was open. Opening it again creates it.</summary>
    QueueDeleted = 5,

    /// <summary>
    /// The folder of the queue stopped: it was moved, its lock was deleted, or its disk failed. Opening the queue again opens the folder again.
    /// </summary>
    FolderStopped = 6,

    /// <summary>
    /// The server holds its senders up, because its memory or disk is low, or because they are too many. It may take the message later; whether it
    /// has taken it already, <see cref="QueueException.OutcomeUnknown"/> says.
    /// </summary>
    Busy = 7,
}
