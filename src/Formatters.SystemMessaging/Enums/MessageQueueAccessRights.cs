namespace System.Messaging;

/// <summary>Defines access rights to queues. The names and values are those of .NET Framework.</summary>
[Flags]
public enum MessageQueueAccessRights
{
    /// <summary>Delete message.</summary>
    DeleteMessage = 1,

    /// <summary>Peek message.</summary>
    PeekMessage = 2,

    /// <summary>Receive message.</summary>
    ReceiveMessage = 3,

    /// <summary>Write message.</summary>
    WriteMessage = 4,

    /// <summary>Delete journal message.</summary>
    DeleteJournalMessage = 8,

    /// <summary>Receive journal message.</summary>
    ReceiveJournalMessage = 0xA,

    /// <summary>Set queue properties.</summary>
    SetQueueProperties = 0x10,

    /// <summary>Get queue properties.</summary>
    GetQueueProperties = 0x20,

    /// <summary>Delete queue.</summary>
    DeleteQueue = 0x10000,

    /// <summary>Get queue permissions.</summary>
    GetQueuePermissions = 0x20000,

    /// <summary>Generic write.</summary>
    GenericWrite = 0x20024,

    /// <summary>Generic read.</summary>
    GenericRead = 0x2002B,

    /// <summary>Change queue permissions.</summary>
    ChangeQueuePermissions = 0x40000,

    /// <summary>Take queue ownership.</summary>
    TakeQueueOwnership = 0x80000,

    /// <summary>Full control.</summary>
    FullControl = 0xF003F,
}
