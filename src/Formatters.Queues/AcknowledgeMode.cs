namespace Formatters.Queues;

/// <summary>What an acknowledgement under <see cref="ReceiveMode.PeekLock"/> is of, and when the queue hears of it: the modes of JMS.</summary>
/// <remarks>JMS's <c>AUTO_ACKNOWLEDGE</c> is <see cref="ReceiveMode.ReceiveAndDelete"/>: the queue acknowledges each message as it hands it over.</remarks>
public enum AcknowledgeMode
{
    /// <summary>Of the message alone, at once.</summary>
    Individual = 0,

    /// <summary>Of the message and of all that the same handle received before it, at once: <c>CLIENT_ACKNOWLEDGE</c>.</summary>
    Cumulative = 1,

    /// <summary>Of the message alone, but told to the queue later, together with others: <c>DUPS_OK_ACKNOWLEDGE</c>. After a failure more messages are
    /// delivered again than were in progress.</summary>
    Lazy = 2,
}
