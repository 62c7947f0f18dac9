namespace System.Messaging;

/// <summary>Defines the transaction of a single operation. The names and values are those of .NET Framework.</summary>
public enum MessageQueueTransactionType
{
    /// <summary>No transaction.</summary>
    None = 0,

    /// <summary>The ambient transaction (<c>System.Transactions.Transaction.Current</c>), if there is one.</summary>
    Automatic = 1,

    /// <summary>A transaction of this operation alone.</summary>
    Single = 3,
}
