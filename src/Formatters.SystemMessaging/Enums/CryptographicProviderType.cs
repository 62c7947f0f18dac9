namespace System.Messaging;

/// <summary>Defines the types of cryptographic providers of Windows. The names and values are those of .NET Framework.</summary>
public enum CryptographicProviderType
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Rsa full.</summary>
    RsaFull = 1,

    /// <summary>Rsq sig.</summary>
    RsqSig = 2,

    /// <summary>Dss.</summary>
    Dss = 3,

    /// <summary>Fortezza.</summary>
    Fortezza = 4,

    /// <summary>Microsoft exchange.</summary>
    MicrosoftExchange = 5,

    /// <summary>Ssl.</summary>
    Ssl = 6,

    /// <summary>Stt mer.</summary>
    SttMer = 7,

    /// <summary>Stt acq.</summary>
    SttAcq = 8,

    /// <summary>Stt brnd.</summary>
    SttBrnd = 9,

    /// <summary>Stt root.</summary>
    SttRoot = 10,

    /// <summary>Stt iss.</summary>
    SttIss = 11,
}
