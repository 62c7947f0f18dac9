namespace System.Messaging;

/// <summary>Defines the generic access rights of Windows. The names and values are those of .NET Framework.</summary>
[Flags]
public enum GenericAccessRights
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>All.</summary>
    All = 0x10000000,

    /// <summary>Execute.</summary>
    Execute = 0x20000000,

    /// <summary>Write.</summary>
    Write = 0x40000000,

    /// <summary>Read.</summary>
    Read = unchecked((int)0x80000000),
}
