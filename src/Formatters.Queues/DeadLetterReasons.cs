namespace Formatters.Queues;

/// <summary>The values of <see cref="ReceivedMessage.DeadLetterReason"/> that this library uses.</summary>
public static class DeadLetterReasons
{
    /// <summary>The <see cref="QueueMessage.TimeToLive"/> ended before the message was received.</summary>
    public const string Expired = "expired";

    /// <summary>The message came back after <see cref="QueueOptions.MaxDeliveryCount"/> deliveries.</summary>
    public const string MaxDeliveryCountExceeded = "max-delivery-count-exceeded";

    /// <summary>For receivers: the body is damaged, or is not in the format that the receiver reads.</summary>
    public const string UnreadableBody = "unreadable-body";

    /// <summary>
    /// The message has properties that the queue cannot read, written by a program other than this library. The dead letter has the readable ones,
    /// and its description lists the others.
    /// </summary>
    public const string UnreadableProperties = "unreadable-properties";

    /// <summary>
    /// A <see cref="QueueForwarder"/> could not forward the message: its target cannot carry it, or rejected it <see
    /// cref="ForwarderOptions.MaxAttempts"/> times.
    /// </summary>
    public const string NotForwarded = "not-forwarded";

    /// <summary>For consumers: the handler failed in each attempt. The description is the last exception.</summary>
    public const string HandlerFailed = "handler-failed";

    /// <summary>For consumers: the handler or a middleware rejected the message (<c>MessageRejectedException</c>).</summary>
    public const string Rejected = "rejected";

    /// <summary>
    /// For consumers: no consumer of the queue handles the contract that the message names, or it names none and several could.
    /// </summary>
    public const string UnknownContract = "unknown-contract";
}
