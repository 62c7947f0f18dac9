namespace System.Messaging;

/// <summary>Defines the states of a transaction. The names and values are those of .NET Framework.</summary>
public enum MessageQueueTransactionStatus
{
    /// <summary>It was rolled back.</summary>
    Aborted = 0,

    /// <summary>It was committed.</summary>
    Committed = 1,

    /// <summary>It has not begun.</summary>
    Initialized = 2,

    /// <summary>It has begun.</summary>
    Pending = 3,
}
