namespace Formatters.Queues;

/// <summary>
/// Defines when a send completes: MSMQ's three kinds of messages. The default is the more reliable of the first two that the queue supports; see <see
/// cref="QueueOptions.DeliveryMode"/>.
/// </summary>
public enum DeliveryMode
{
    /// <summary>The message is in the queue's memory. It is lost when the queue's process or machine ends.</summary>
    Express = 0,

    /// <summary>
    /// The queue has taken responsibility: the message survives the end of the queue's process. <see cref="QueueCapabilities"/> describes what was
    /// flushed.
    /// </summary>
    Recoverable = 1,

    /// <summary>Recoverable, and sent or received only when its <see cref="QueueTransaction"/> commits.</summary>
    Transactional = 2,
}
