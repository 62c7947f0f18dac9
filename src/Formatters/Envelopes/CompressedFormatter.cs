using System;
using System.Buffers;
using System.Buffers.Binary;
using Formatters.Buffers;
using Formatters.Envelopes;

namespace Formatters;

/// <summary>Compresses the bodies of any formatter with Brotli or Deflate, from a minimum length on.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// Bodies of every algorithm are read, whatever the options say, except <see cref="CompressionAlgorithm.Brotli"/> in the build for netstandard2.0
/// (<see cref="MessageFormatErrorCode.UnknownFormat"/>). The length to which a body may expand is limited
/// (<see cref="CompressionOptions.MaxExpansionFactor"/>), before anything is allocated for it.
/// </remarks>
/// <example><code>
/// var formatter = new CompressedFormatter&lt;Order&gt;(new XmlFormatter&lt;Order&gt;());
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class CompressedFormatter<T> : EnvelopeFormatter<T>
{
    /// <summary>Creates a formatter.</summary>
    /// <param name="inner">Writes and reads the body inside.</param>
    /// <param name="options">The options; null means <see cref="CompressionOptions.Default"/>.</param>
    /// <param name="limits">The limits on the whole body, and on the expanded one; null means those of <paramref name="inner"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="inner"/> is null.</exception>
    public CompressedFormatter(MessageFormatter<T> inner, CompressionOptions? options = null, FormatterLimits? limits = null)
        : base(inner ?? throw new ArgumentNullException(nameof(inner)), new CompressedEnvelope(options ?? CompressionOptions.Default), limits) =>
        Options = options ?? CompressionOptions.Default;

    /// <summary>Gets the options.</summary>
    public CompressionOptions Options { get; }
}

/// <summary>Like <see cref="CompressedFormatter{T}"/>, around a formatter without a type parameter.</summary>
public sealed class CompressedFormatter : EnvelopeFormatter
{
    /// <summary>Creates a formatter.</summary>
    /// <param name="inner">Writes and reads the body inside.</param>
    /// <param name="options">The options; null means <see cref="CompressionOptions.Default"/>.</param>
    /// <param name="limits">The limits on the whole body, and on the expanded one; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="inner"/> is null.</exception>
    public CompressedFormatter(IMessageFormatter inner, CompressionOptions? options = null, FormatterLimits? limits = null)
        : base(inner ?? throw new ArgumentNullException(nameof(inner)), new CompressedEnvelope(options ?? CompressionOptions.Default), limits) =>
        Options = options ?? CompressionOptions.Default;

    /// <summary>Gets the options.</summary>
    public CompressionOptions Options { get; }
}

/// <summary>Header, length of the inner body, the body, compressed or unchanged.</summary>
internal sealed class CompressedEnvelope(CompressionOptions options) : BodyEnvelope(ContentTypes.Compressed, BodyTypes.Compressed)
{
    private const int AlgorithmOffset = 1;
    private const int LengthByteCount = 4;

    internal override byte[] CreateHeader(int bodyType, string? contentType) =>
        EnvelopeHeader.Create((byte)CompressionAlgorithm.None, bodyType, contentType);

    internal override void Begin(PooledBufferWriter buffer)
    {
        buffer.GetSpan(LengthByteCount);
        buffer.Advance(LengthByteCount);
    }

    internal override void End(PooledBufferWriter buffer, int start, int headerByteCount)
    {
        int bodyOffset = start + headerByteCount + LengthByteCount, byteCount = buffer.WrittenCount - bodyOffset;
        BinaryPrimitives.WriteInt32LittleEndian(buffer.WritableSpan.Slice(bodyOffset - LengthByteCount), byteCount);
        if (options.Algorithm == CompressionAlgorithm.None || byteCount < options.MinByteCount || byteCount < 2)
            return;

        // A body that would not get shorter does not fit, and is not compressed.
        byte[] rented = ArrayPool<byte>.Shared.Rent(byteCount - 1);
        if (Compression.TryCompress(options, buffer.WrittenSegment, bodyOffset, rented.AsSpan(0, byteCount - 1), out int compressedByteCount)
            && byteCount <= options.GetMaxExpandedByteCount(compressedByteCount))
        {
            rented.AsSpan(0, compressedByteCount).CopyTo(buffer.WritableSpan.Slice(bodyOffset));
            buffer.Rewind(byteCount - compressedByteCount);
            buffer.WritableSpan[start + AlgorithmOffset] = (byte)options.Algorithm;
        }

        ArrayPool<byte>.Shared.Return(rented);
    }

    internal override void Open(
        ReadOnlySpan<byte> envelope, scoped in EnvelopeHeader header, scoped ref EnvelopeReader reader, FormatterLimits limits, ref OpenedBody opened)
    {
        int lengthOffset = reader.Offset;
        int byteCount = BinaryPrimitives.ReadInt32LittleEndian(reader.Read(LengthByteCount));
        if (byteCount < 0)
            ThrowHelper.ThrowBadLength(lengthOffset, "The length of the expanded body is negative.");
        ReadOnlySpan<byte> compressed = reader.Rest;
        if (header.Algorithm == (byte)CompressionAlgorithm.None)
        {
            if (compressed.Length < byteCount)
                ThrowHelper.ThrowTruncated(envelope.Length, byteCount - compressed.Length);
            if (compressed.Length > byteCount)
                ThrowHelper.ThrowTrailingBytes(reader.Offset + byteCount, compressed.Length - byteCount);
            opened.Bytes = compressed;
            return;
        }

        if (!Compression.Has(header.Algorithm))
            throw new MessageFormatException(
                MessageFormatErrorCode.UnknownFormat,
                header.Algorithm == (byte)CompressionAlgorithm.Brotli
                    ? "The body is compressed with Brotli, which the build for netstandard2.0 does not support."
                    : "The body is compressed with an algorithm that this library does not support, or is not compressed.",
                AlgorithmOffset);
        if (byteCount > limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(byteCount, limits.MaxBodyByteCount);
        if (byteCount > options.GetMaxExpandedByteCount(compressed.Length))
            throw new MessageFormatException(
                MessageFormatErrorCode.LimitExceeded,
                $"The body expands to {byteCount} bytes; the limit is "
                    + $"{options.MaxExpansionFactor} times the compressed bytes, and 64 KiB (CompressionOptions.MaxExpansionFactor).",
                lengthOffset);
        opened.Rented = ArrayPool<byte>.Shared.Rent(byteCount);
        Span<byte> body = opened.Rented.AsSpan(0, byteCount);
        Compression.Expand(header.Algorithm, compressed, opened.Rented, byteCount, reader.Offset);
        opened.Bytes = body;
    }
}
