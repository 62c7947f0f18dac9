namespace Formatters.Queues;

/// <summary>
/// Defines what an acknowledgement message reports about the original message. The values are those of MSMQ's <c>MQMSG_CLASS_ACK_*</c> and
/// <c>MQMSG_CLASS_NACK_*</c>.
/// </summary>
public enum AcknowledgmentClass
{
    /// <summary>It has reached its queue. Requested by <see cref="AcknowledgeTypes.PositiveArrival"/>.</summary>
    ReachQueue = 0x0002,

    /// <summary>It was consumed. Requested by <see cref="AcknowledgeTypes.PositiveReceive"/>.</summary>
    Receive = 0x4000,

    /// <summary>Its queue was at a limit, and the send was rejected. Requested by <see cref="AcknowledgeTypes.NotAcknowledgeReachQueue"/>.</summary>
    QueueExceedMaximumSize = 0x8003,

    /// <summary>
    /// Its queue was deleted, and the message with it. Requested by <see cref="AcknowledgeTypes.NegativeReceive"/>, like the following classes.
    /// </summary>
    QueueDeleted = 0xC000,

    /// <summary>Its queue was purged, or the selector of its subscription was changed.</summary>
    QueuePurged = 0xC001,

    /// <summary>Its <see cref="QueueMessage.TimeToLive"/> ended before it was received.</summary>
    ReceiveTimeout = 0xC002,

    /// <summary>
    /// It exceeded the delivery limit, or its receiver dead-lettered it: <see cref="MessageAcknowledgment.Reason"/> is the reason of the dead letter.
    /// </summary>
    ReceiveRejected = 0xC004,
}
