namespace Formatters.Queues;

/// <summary>Which messages an acknowledgement under <see cref="ReceiveMode.PeekLock"/> covers, and when the queue is told: the modes of JMS.</summary>
/// <remarks>JMS's <c>AUTO_ACKNOWLEDGE</c> is <see cref="ReceiveMode.ReceiveAndDelete"/>: the queue acknowledges each message as it hands it over.</remarks>
public enum AcknowledgeMode
{
    /// <summary>Only the message, at once.</summary>
    Individual = 0,

    /// <summary>The message and all messages that the same handle received before it, at once: <c>CLIENT_ACKNOWLEDGE</c>.</summary>
    Cumulative = 1,

    /// <summary>Only the message, but the queue is told later, together with others: <c>DUPS_OK_ACKNOWLEDGE</c>. After a failure, more messages are delivered
    /// again than were in progress.</summary>
    Lazy = 2,
}
