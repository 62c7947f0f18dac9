namespace System.Messaging;

/// <summary>Defines which message a peek with a cursor returns. The names and values are those of .NET Framework.</summary>
public enum PeekAction
{
    /// <summary>The message at the cursor.</summary>
    Current = unchecked((int)0x80000000),

    /// <summary>The message after the cursor, which moves there.</summary>
    Next = unchecked((int)0x80000001),
}
