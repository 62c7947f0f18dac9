namespace Formatters.Queues;

/// <summary>What has several queues in memory, known by their names: a provider, a folder.</summary>
internal interface IQueuePlace
{
    /// <summary>Finds the queue to which something goes that happens to messages of another; null if there is none.</summary>
    MemoryQueueStore? FindQueue(string name);

    /// <summary>The same for what a message names that is sent: made when it is missing, where that takes no time.</summary>
    MemoryQueueStore? OpenQueue(string name);
}
