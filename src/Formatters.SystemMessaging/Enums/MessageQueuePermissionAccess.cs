namespace System.Messaging;

/// <summary>Defines the access levels of code access security. The names and values are those of .NET Framework.</summary>
[Flags]
public enum MessageQueuePermissionAccess
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Browse.</summary>
    Browse = 2,

    /// <summary>Send.</summary>
    Send = 6,

    /// <summary>Peek.</summary>
    Peek = 0xA,

    /// <summary>Receive.</summary>
    Receive = 0x1A,

    /// <summary>Administer.</summary>
    Administer = 0x3E,
}
