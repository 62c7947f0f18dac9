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

    /// <summary>The topic of which this is a durable subscription, as the log says; null for a queue that is none.</summary>
    internal string? Topic { get; private set; }

    /// <summary>Which messages of the topic it gets; null means all.</summary>
    internal string? Selector { get; private set; }

    /// <summary>Whether the queue was deleted, or will be with the next block.</summary>
    internal bool IsGone => IsDeleted || IsDeletedInLog;

    /// <summary>The log says that this is a subscription.</summary>
    internal void SetTopic(string topic, string? selector)
    {
        Topic = topic;
        Selector = selector;
    }

    /// <summary>Under the log's gate: whether the log says, or will say with the next block, that the queue is gone.</summary>
    internal bool IsDeletedInLog { get; set; }
}
