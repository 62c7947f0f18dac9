namespace Formatters.Queues;

/// <summary>Defines when a received message leaves its queue.</summary>
public enum ReceiveMode
{
    /// <summary>Removes a message when it is delivered. A receiver that ends before it has processed the message loses it.</summary>
    ReceiveAndDelete = 0,

    /// <summary>
    /// Removes a message when the receiver calls <see cref="ReceivedMessage.AcknowledgeAsync"/>; until then the message is locked, and is redelivered
    /// if the receiver ends. The default of <see cref="QueueOptions"/>.
    /// </summary>
    PeekLock = 1,
}
