namespace Formatters.Queues;

/// <summary>A container of queues in memory, by name: a provider or a folder.</summary>
internal interface IQueuePlace
{
    /// <summary>Finds a queue for messages that leave another, such as its dead letters; null if it does not exist.</summary>
    LocalQueueStore? FindQueue(string name);

    /// <summary>Finds a queue that a sent message names, and creates it if this takes no time.</summary>
    LocalQueueStore? OpenQueue(string name);
}
