namespace System.Messaging;

/// <summary>Defines the standard access rights of Windows. The names and values are those of .NET Framework.</summary>
[Flags]
public enum StandardAccessRights
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Delete.</summary>
    Delete = 0x10000,

    /// <summary>Read.</summary>
    Read = 0x20000,

    /// <summary>Write.</summary>
    Write = 0x20000,

    /// <summary>Execute.</summary>
    Execute = 0x20000,

    /// <summary>Read security.</summary>
    ReadSecurity = 0x20000,

    /// <summary>Write security.</summary>
    WriteSecurity = 0x40000,

    /// <summary>Modify owner.</summary>
    ModifyOwner = 0x80000,

    /// <summary>Required.</summary>
    Required = 0xD0000,

    /// <summary>Synchronize.</summary>
    Synchronize = 0x100000,

    /// <summary>All.</summary>
    All = 0x1F0000,
}
