namespace Formatters.Queues;

/// <summary>The <see cref="ReceivedMessage.DeadLetterReason"/>s that this library gives itself.</summary>
public static class DeadLetterReasons
{
    /// <summary>The <see cref="QueueMessage.TimeToLive"/> was over before anybody received the message.</summary>
    public const string Expired = "expired";

    /// <summary>The message came back after <see cref="QueueOptions.MaxDeliveryCount"/> deliveries.</summary>
    public const string MaxDeliveryCountExceeded = "max-delivery-count-exceeded";

    /// <summary>For receivers: the body is damaged, or not of the format that the receiver reads.</summary>
    public const string UnreadableBody = "unreadable-body";

    /// <summary>A <see cref="QueueForwarder"/> could not forward the message: its target cannot carry it, or refused it
    /// <see cref="ForwarderOptions.MaxAttempts"/> times.</summary>
    public const string NotForwarded = "not-forwarded";
}
