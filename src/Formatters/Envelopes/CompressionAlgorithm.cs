namespace Formatters.Envelopes;

/// <summary>Defines how a body is compressed; the number is in the body.</summary>
public enum CompressionAlgorithm
{
    /// <summary>Not compressed: short bodies, and bodies that do not get shorter.</summary>
    None = 0,

    /// <summary>Deflate (RFC 1951), without a header around it.</summary>
    Deflate = 1,

    /// <summary>Brotli (RFC 7932). Not supported on netstandard2.0.</summary>
    Brotli = 2,
}
