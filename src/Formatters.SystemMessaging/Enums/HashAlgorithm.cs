namespace System.Messaging;

/// <summary>Defines the hash algorithms of MSMQ signatures. The names and values are those of .NET Framework.</summary>
public enum HashAlgorithm
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Md2.</summary>
    Md2 = 32769,

    /// <summary>Md4.</summary>
    Md4 = 32770,

    /// <summary>Md5.</summary>
    Md5 = 32771,

    /// <summary>Sha.</summary>
    Sha = 32772,

    /// <summary>Mac.</summary>
    Mac = 32773,

    /// <summary>Sha256.</summary>
    Sha256 = 32780,

    /// <summary>Sha384.</summary>
    Sha384 = 32781,

    /// <summary>Sha512.</summary>
    Sha512 = 32782,
}
