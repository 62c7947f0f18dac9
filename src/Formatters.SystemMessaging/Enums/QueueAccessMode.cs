namespace System.Messaging;

/// <summary>Defines the operations for which a queue is opened. The names and values are those of .NET Framework.</summary>
public enum QueueAccessMode
{
    /// <summary>Peeking and receiving.</summary>
    Receive = 1,

    /// <summary>Sending.</summary>
    Send = 2,

    /// <summary>All.</summary>
    SendAndReceive = 3,

    /// <summary>Peeking.</summary>
    Peek = 32,

    /// <summary>Peeking and receiving, also of the queue itself.</summary>
    ReceiveAndAdmin = 129,

    /// <summary>Peeking, also at the queue itself.</summary>
    PeekAndAdmin = 160,
}
