namespace Formatters.Envelopes;

/// <summary>Defines how a body is signed; the number is in the body.</summary>
public enum SignatureAlgorithm
{
    /// <summary>HMAC with SHA-256 (RFC 2104): 32 bytes, with a secret shared by sender and receiver.</summary>
    HmacSha256 = 1,

    /// <summary>
    /// ECDSA over the curve P-256 with SHA-256 (FIPS 186-5): 64 bytes, r and s, big-endian. Only the sender can sign, and anyone with the public key
    /// can verify.
    /// </summary>
    EcdsaP256 = 2,
}
