using System;

namespace Formatters.Queues;

/// <summary>The content of an acknowledgement message: what happened to the message whose id is its <see cref="QueueMessage.CorrelationId"/>.</summary>
public sealed record MessageAcknowledgment
{
    /// <summary>What happened to the message.</summary>
    public required AcknowledgmentClass Class { get; init; }

    /// <summary>The name of the queue to which it was sent: one of several, if it went to several.</summary>
    public required string QueueName { get; init; }

    /// <summary>Why it is a dead letter, in a word for programs.</summary>
    /// <value>One of <see cref="DeadLetterReasons"/>, or what the application gave; null for other classes than
    /// <see cref="AcknowledgmentClass.ReceiveRejected"/> and <see cref="AcknowledgmentClass.ReceiveTimeout"/>.</value>
    public string? Reason { get; init; }

    /// <summary>A description in addition to the reason, for people.</summary>
    /// <value>Null if none was given.</value>
    public string? Description { get; init; }

    /// <summary>Whether the message has arrived, or was received.</summary>
    public bool IsPositive => Class is AcknowledgmentClass.ReachQueue or AcknowledgmentClass.Receive;

    /// <summary>Which of <see cref="AcknowledgeTypes"/> asks for an acknowledgement of a class.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such class.</exception>
    internal static AcknowledgeTypes TypeOf(AcknowledgmentClass acknowledgment) => acknowledgment switch
    {
        AcknowledgmentClass.ReachQueue => AcknowledgeTypes.PositiveArrival,
        AcknowledgmentClass.Receive => AcknowledgeTypes.PositiveReceive,
        AcknowledgmentClass.QueueExceedMaximumSize => AcknowledgeTypes.NotAcknowledgeReachQueue,
        AcknowledgmentClass.QueueDeleted or AcknowledgmentClass.QueuePurged or AcknowledgmentClass.ReceiveTimeout or AcknowledgmentClass.ReceiveRejected => AcknowledgeTypes.NegativeReceive,
        _ => throw new ArgumentOutOfRangeException(nameof(acknowledgment), acknowledgment, "Not a class of acknowledgements."),
    };

    /// <summary>What a dead letter's reason is to those who wait for an acknowledgement.</summary>
    internal static AcknowledgmentClass ClassOf(string reason) => reason == DeadLetterReasons.Expired ? AcknowledgmentClass.ReceiveTimeout : AcknowledgmentClass.ReceiveRejected;
}
