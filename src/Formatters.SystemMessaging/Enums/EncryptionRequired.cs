namespace System.Messaging;

/// <summary>Defines whether a queue accepts messages that are not encrypted. The names and values are those of .NET Framework.</summary>
public enum EncryptionRequired
{
    /// <summary>Only messages that are not encrypted.</summary>
    None = 0,

    /// <summary>All messages.</summary>
    Optional = 1,

    /// <summary>Only encrypted messages.</summary>
    Body = 2,
}
