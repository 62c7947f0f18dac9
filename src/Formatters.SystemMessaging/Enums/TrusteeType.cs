namespace System.Messaging;

/// <summary>Defines the kinds of trustees. The names and values are those of .NET Framework.</summary>
public enum TrusteeType
{
    /// <summary>Unknown.</summary>
    Unknown = 0,

    /// <summary>User.</summary>
    User = 1,

    /// <summary>Group.</summary>
    Group = 2,

    /// <summary>Domain.</summary>
    Domain = 3,

    /// <summary>Alias.</summary>
    Alias = 4,

    /// <summary>Computer.</summary>
    Computer = 5,
}
