using System;
using System.IO.Compression;

namespace Formatters.Envelopes;

/// <summary>Options of a <see cref="CompressedFormatter{T}"/>: how it compresses, and how far a body may expand.</summary>
/// <remarks>
/// Immutable: create others with <c>CompressionOptions.Default with { MinByteCount = 4096 }</c>. For reading only <see cref="MaxExpansionFactor"/>
/// matters.
/// </remarks>
public sealed record CompressionOptions
{
    /// <summary>Gets the default options.</summary>
    public static CompressionOptions Default { get; } = new();

    /// <summary>Gets the algorithm of bodies that are written. Bodies of every algorithm are read.</summary>
    /// <value>Default <see cref="CompressionAlgorithm.Brotli"/>; in the build for netstandard2.0 <see cref="CompressionAlgorithm.Deflate"/>.</value>
    /// <exception cref="PlatformNotSupportedException">Brotli, in the build for netstandard2.0.</exception>
    public CompressionAlgorithm Algorithm
    {
        get;
        init
        {
            if (value is not (CompressionAlgorithm.None or CompressionAlgorithm.Deflate or CompressionAlgorithm.Brotli))
                throw new ArgumentOutOfRangeException(nameof(Algorithm), value, "Unknown algorithm.");
#if !NET
            if (value == CompressionAlgorithm.Brotli)
                throw new PlatformNotSupportedException("The build for netstandard2.0 has no Brotli: use Deflate, or .NET 8 and later.");
#endif
            field = value;
        }
    }
#if NET
    = CompressionAlgorithm.Brotli;
#else
    = CompressionAlgorithm.Deflate;
#endif

    /// <summary>
    /// Gets the compression level: Brotli's quality is 1 for <c>Fastest</c>, 4 for <c>Optimal</c>, 11 for <c>SmallestSize</c>, which is some hundred
    /// times slower.
    /// </summary>
    /// <value>Default <c>Fastest</c>.</value>
    public CompressionLevel Level
    {
        get;
        init => field = ThrowHelper.Defined(value, nameof(Level));
    } = CompressionLevel.Fastest;

    /// <summary>Gets the minimum length, in bytes, of a body that is compressed; shorter bodies are not compressed.</summary>
    /// <value>Default 1,024.</value>
    public int MinByteCount
    {
        get;
        init => field = value >= 0 ? value : throw new ArgumentOutOfRangeException(nameof(MinByteCount), value, "The length must be 0 or greater.");
    } = 1024;

    /// <summary>
    /// Gets the maximum number of bytes to which each byte of a compressed body may expand, in addition to 64 KiB; never more than <see
    /// cref="FormatterLimits.MaxBodyByteCount"/>. A body that would expand further is rejected on reading, and is not compressed on writing.
    /// </summary>
    /// <value>Default 64.</value>
    public int MaxExpansionFactor
    {
        get;
        init => field = value > 0 ? value : throw new ArgumentOutOfRangeException(nameof(MaxExpansionFactor), value, "The limit must be at least 1.");
    } = 64;

    /// <summary>Returns the maximum expanded size for a compressed size.</summary>
    internal long GetMaxExpandedByteCount(int compressedByteCount) => (64 * 1024) + ((long)MaxExpansionFactor * compressedByteCount);
}
