namespace System.Messaging;

/// <summary>Defines which message a lookup id selects. The names and values are those of .NET Framework.</summary>
public enum MessageLookupAction
{
    /// <summary>The message with the lookup id.</summary>
    Current = 0,

    /// <summary>The message after that one.</summary>
    Next = 1,

    /// <summary>The message before that one.</summary>
    Previous = 2,

    /// <summary>The first message of the queue.</summary>
    First = 4,

    /// <summary>The last message of the queue.</summary>
    Last = 8,
}
