namespace System.Messaging;

/// <summary>Defines the priorities of messages. The names and values are those of .NET Framework.</summary>
public enum MessagePriority
{
    /// <summary>Lowest.</summary>
    Lowest = 0,

    /// <summary>Very low.</summary>
    VeryLow = 1,

    /// <summary>Low.</summary>
    Low = 2,

    /// <summary>Normal.</summary>
    Normal = 3,

    /// <summary>Above normal.</summary>
    AboveNormal = 4,

    /// <summary>High.</summary>
    High = 5,

    /// <summary>Very high.</summary>
    VeryHigh = 6,

    /// <summary>Highest.</summary>
    Highest = 7,
}
