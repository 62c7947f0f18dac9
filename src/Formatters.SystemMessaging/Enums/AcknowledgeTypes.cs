namespace System.Messaging;

/// <summary>Defines which acknowledgement messages a message requests. The names and values are those of .NET Framework.</summary>
[Flags]
public enum AcknowledgeTypes
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>One when the message has reached its queue.</summary>
    PositiveArrival = 1,

    /// <summary>One when the message was received.</summary>
    PositiveReceive = 2,

    /// <summary>One when the message could not reach its queue.</summary>
    NotAcknowledgeReachQueue = 4,

    /// <summary>One when the message has reached its queue, or could not reach it.</summary>
    FullReachQueue = 5,

    /// <summary>One when the message left its queue without being received.</summary>
    NegativeReceive = 8,

    /// <summary>One when the message could not reach its queue, or was not received.</summary>
    NotAcknowledgeReceive = 0xC,

    /// <summary>One when the message was received, was not received, or could not reach its queue.</summary>
    FullReceive = 0xE,
}
