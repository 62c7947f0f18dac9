using System;
using System.Buffers;
using Formatters.Buffers;
using Formatters.Envelopes;

namespace Formatters;

/// <summary>The transformation of an envelope, which does not know the format of the body: it signs, encrypts or compresses its bytes.</summary>
/// <remarks>Works in place, in the buffer of the body. Thread-safe; immutable except for cached objects.</remarks>
internal abstract class BodyEnvelope(string contentType, int bodyType)
{
    /// <summary>Gets the MIME name of the envelope.</summary>
    internal string ContentType { get; } = contentType;

    /// <summary>Gets the body type of the envelope.</summary>
    internal int BodyType { get; } = bodyType;

    /// <summary>Gets whether the envelope contains the inner body unchanged.</summary>
    internal virtual bool ShowsBody => false;

    /// <summary>Gets the approximate number of bytes that it adds to a body.</summary>
    internal virtual int AddedByteCount => 160;

    /// <summary>Creates the part of the header that is the same for every body with these tags, starting with the version.</summary>
    internal abstract byte[] CreateHeader(int bodyType, string? contentType);

    /// <summary>Throws if bodies cannot be written, before anything is written.</summary>
    internal virtual void EnsureWrites()
    {
    }

    /// <summary>Writes the part between the header and the body.</summary>
    internal virtual void Begin(PooledBufferWriter buffer)
    {
    }

    /// <summary>Transforms the body: signs, encrypts or compresses it.</summary>
    /// <param name="buffer">The header, the output of <see cref="Begin"/>, and the body.</param>
    /// <param name="start">The start of the header.</param>
    /// <param name="headerByteCount">The length of the header.</param>
    internal abstract void End(PooledBufferWriter buffer, int start, int headerByteCount);

    /// <summary>Extracts the body from an envelope.</summary>
    /// <param name="envelope">The whole of it.</param>
    /// <param name="header">Its header, read.</param>
    /// <param name="reader">Stands after the header.</param>
    /// <param name="limits">The limits for the inner body.</param>
    /// <param name="opened">Receives the body.</param>
    internal abstract void Open(
        ReadOnlySpan<byte> envelope, scoped in EnvelopeHeader header, scoped ref EnvelopeReader reader, FormatterLimits limits,
            ref OpenedBody opened);

    /// <summary>Finds the key of a body.</summary>
    private protected TKey FindKey<TKey>(KeyRing<TKey> keys, scoped ref EnvelopeReader reader)
        where TKey : BodyKey
    {
        int start = reader.Offset;
        ReadOnlySpan<byte> keyId = reader.ReadShort();
        return keys.Find(keyId)
            ?? throw new MessageFormatException(
                MessageFormatErrorCode.UnknownKey,
                BodyKey.TextOf(keyId) is { } text
                    ? $"The body names the key '{text}'; the key ring of the reader has {keys.IdText}."
                    : $"The body names no key; it is not {EnvelopeHeader.KindOf(BodyType)}.",
                start);
    }
}

/// <summary>The body extracted from an envelope.</summary>
internal ref struct OpenedBody
{
    /// <summary>The bytes, which are in the envelope or in <see cref="Rented"/>.</summary>
    internal ReadOnlySpan<byte> Bytes;

    /// <summary>Gets or sets the pooled array; null if none was needed.</summary>
    internal byte[]? Rented { get; set; }

    /// <summary>Gets or sets whether the array must be cleared before it is returned to the pool.</summary>
    internal bool IsSecret { get; set; }

    internal readonly void Dispose()
    {
        if (Rented is not null)
            ArrayPool<byte>.Shared.Return(Rented, clearArray: IsSecret);
    }
}
