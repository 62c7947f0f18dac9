using System;

namespace Formatters.Queues;

/// <summary>
/// Defines which acknowledgement messages a message requests. A queue sends them to the message's <see cref="QueueMessage.AdministrationQueue"/>.
/// </summary>
/// <remarks>The names and values are those of MSMQ.</remarks>
[Flags]
public enum AcknowledgeTypes
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>One when the message has reached its queue.</summary>
    PositiveArrival = 1,

    /// <summary>One when the message was consumed: acknowledged, committed, or received under <see cref="ReceiveMode.ReceiveAndDelete"/>.</summary>
    PositiveReceive = 2,

    /// <summary>One when the message could not reach its queue.</summary>
    NotAcknowledgeReachQueue = 4,

    /// <summary>One when the message has reached its queue, or could not reach it.</summary>
    FullReachQueue = PositiveArrival | NotAcknowledgeReachQueue,

    /// <summary>One when the message has left its queue without being received: expired, dead-lettered, purged, or deleted with its queue.</summary>
    NegativeReceive = 8,

    /// <summary>One when the message could not reach its queue, or was not received.</summary>
    NotAcknowledgeReceive = NotAcknowledgeReachQueue | NegativeReceive,

    /// <summary>One when the message was received, was not received, or could not reach its queue.</summary>
    FullReceive = PositiveReceive | NotAcknowledgeReceive,
}
