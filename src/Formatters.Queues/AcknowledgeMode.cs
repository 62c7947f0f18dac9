namespace Formatters.Queues;

/// <summary>
/// Defines which messages an acknowledgement covers under <see cref="ReceiveMode.PeekLock"/>, and when it is sent to the queue: the modes of JMS.
/// </summary>
/// <remarks>
/// JMS's <c>AUTO_ACKNOWLEDGE</c> is <see cref="ReceiveMode.ReceiveAndDelete"/>: the queue acknowledges each message as it hands it over.
/// </remarks>
public enum AcknowledgeMode
{
    /// <summary>Only the message, immediately.</summary>
    Individual = 0,

    /// <summary>The message and all messages that the same handle received before it, immediately: <c>CLIENT_ACKNOWLEDGE</c>.</summary>
    Cumulative = 1,

    /// <summary>
    /// Only the message, but the acknowledgement is sent later, together with others: <c>DUPS_OK_ACKNOWLEDGE</c>. After a failure, more messages are
    /// redelivered than were in progress.
    /// </summary>
    Lazy = 2,
}
