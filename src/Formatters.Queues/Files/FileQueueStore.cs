namespace Formatters.Queues;

/// <summary>A queue of a folder: its messages in memory, those that are recoverable also in the log.</summary>
internal sealed class FileQueueStore : MemoryQueueStore
{
    internal FileQueueStore(QueueFolder folder, uint queueId, string name)
        : base(folder.AddressOf(name), name, folder.Clock)
    {
        Folder = folder;
        QueueId = queueId;
    }

    internal QueueFolder Folder { get; }

    /// <summary>The queue's number in the log; never that of another queue of the folder, also not of a deleted one.</summary>
    internal uint QueueId { get; }

    /// <summary>Under the log's gate: whether the log says, or will say with the next block, that the queue is gone.</summary>
    internal bool IsDeletedInLog { get; set; }
}
