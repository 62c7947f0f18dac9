namespace System.Messaging;

/// <summary>Defines what an access control entry does with its rights. The names and values are those of .NET Framework.</summary>
public enum AccessControlEntryType
{
    /// <summary>Adds the rights to those that the trustee has.</summary>
    Allow = 1,

    /// <summary>Replaces the rights of the trustee.</summary>
    Set = 2,

    /// <summary>Denies the rights.</summary>
    Deny = 3,

    /// <summary>Removes all entries of the trustee.</summary>
    Revoke = 4,
}
