namespace System.Messaging;

/// <summary>Defines the algorithms with which MSMQ encrypts bodies. The names and values are those of .NET Framework.</summary>
public enum EncryptionAlgorithm
{
    /// <summary>No encryption.</summary>
    None = 0,

    /// <summary>RC2.</summary>
    Rc2 = 26114,

    /// <summary>RC4.</summary>
    Rc4 = 26625,
}
