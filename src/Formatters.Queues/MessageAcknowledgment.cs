using System;

namespace Formatters.Queues;

/// <summary>
/// The content of an acknowledgement message: what happened to the message whose id is its <see cref="QueueMessage.CorrelationId"/>.
/// </summary>
public sealed record MessageAcknowledgment
{
    /// <summary>Gets what happened to the message.</summary>
    public required AcknowledgmentClass Class
    {
        get;
        init => field = QueueChecks.Defined(value, nameof(Class));
    }

    /// <summary>Gets the name of the queue to which it was sent: one of several, if it went to several.</summary>
    public required string QueueName { get; init; }

    /// <summary>Gets the reason of the dead letter, for programs.</summary>
    /// <value>One of <see cref="DeadLetterReasons"/>, or the application's own; null for other classes than <see
    /// cref="AcknowledgmentClass.ReceiveRejected"/> and <see cref="AcknowledgmentClass.ReceiveTimeout"/>.</value>
    public string? Reason { get; init; }

    /// <summary>Gets a description in addition to the reason.</summary>
    /// <value>Null if none was given.</value>
    public string? Description { get; init; }

    /// <summary>Gets whether the message has arrived, or was received.</summary>
    public bool IsPositive => Class is AcknowledgmentClass.ReachQueue or AcknowledgmentClass.Receive;

    /// <summary>Returns the <see cref="AcknowledgeTypes"/> flag that requests an acknowledgement of a class.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The class is not defined.</exception>
    internal static AcknowledgeTypes TypeOf(AcknowledgmentClass acknowledgment) => acknowledgment switch
    {
        AcknowledgmentClass.ReachQueue => AcknowledgeTypes.PositiveArrival,
        AcknowledgmentClass.Receive => AcknowledgeTypes.PositiveReceive,
        AcknowledgmentClass.QueueExceedMaximumSize => AcknowledgeTypes.NotAcknowledgeReachQueue,
        AcknowledgmentClass.QueueDeleted or AcknowledgmentClass.QueuePurged or AcknowledgmentClass.ReceiveTimeout
            or AcknowledgmentClass.ReceiveRejected => AcknowledgeTypes.NegativeReceive,
        _ => throw new ArgumentOutOfRangeException(nameof(acknowledgment), acknowledgment, "Not a class of acknowledgements."),
    };

    /// <summary>Returns the acknowledgement class for the reason of a dead letter.</summary>
    internal static AcknowledgmentClass ClassOf(string reason) =>
        reason == DeadLetterReasons.Expired ? AcknowledgmentClass.ReceiveTimeout : AcknowledgmentClass.ReceiveRejected;
}
