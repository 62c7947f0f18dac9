namespace Formatters.Queues;

/// <summary>What an acknowledgement message says about the message that asked for it. The values are those of MSMQ's <c>MQMSG_CLASS_ACK_*</c> and
/// <c>MQMSG_CLASS_NACK_*</c>.</summary>
public enum AcknowledgmentClass
{
    /// <summary>It has reached its queue. Asked for by <see cref="AcknowledgeTypes.PositiveArrival"/>.</summary>
    ReachQueue = 0x0002,

    /// <summary>It was received for good. Asked for by <see cref="AcknowledgeTypes.PositiveReceive"/>.</summary>
    Receive = 0x4000,

    /// <summary>Its queue was at a limit, and the send was refused. Asked for by <see cref="AcknowledgeTypes.NotAcknowledgeReachQueue"/>.</summary>
    QueueExceedMaximumSize = 0x8003,

    /// <summary>Its queue was deleted, and the message with it. Asked for by <see cref="AcknowledgeTypes.NegativeReceive"/>, like the classes that
    /// follow.</summary>
    QueueDeleted = 0xC000,

    /// <summary>Its queue was purged, or its subscription got another selector.</summary>
    QueuePurged = 0xC001,

    /// <summary>Its <see cref="QueueMessage.TimeToLive"/> ended before it was received.</summary>
    ReceiveTimeout = 0xC002,

    /// <summary>It came back too often, or its receiver made it a dead letter: <see cref="MessageAcknowledgment.Reason"/> is the reason of the dead
    /// letter.</summary>
    ReceiveRejected = 0xC004,
}
