namespace System.Messaging;

/// <summary>Defines the types of messages. The names and values are those of .NET Framework.</summary>
public enum MessageType
{
    /// <summary>An acknowledgement.</summary>
    Acknowledgment = 1,

    /// <summary>A message of an application.</summary>
    Normal = 2,

    /// <summary>A report of MSMQ's tracing.</summary>
    Report = 3,
}
