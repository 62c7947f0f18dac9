// AES-GCM is not part of netstandard2.0.
#if NET
using Formatters.Buffers;

using Formatters.Envelopes;

using System;
using System.Buffers;

namespace Formatters;

/// <summary>
/// Encrypts the bodies of any formatter with AES-GCM: without the key, they cannot be read, and any change to them is detected. Not supported on
/// netstandard2.0.
/// </summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// <para>The inner body is hidden; its length, its tags and the id of the key are visible. All of it is authenticated: a changed body throws <see
/// cref="MessageFormatErrorCode.NotAuthentic"/> (poison), and a key that the ring does not have throws <see
/// cref="MessageFormatErrorCode.UnknownKey"/>.</para>
/// <para>Bodies are encrypted in place and decrypted into a rented array. Arrays that held the plain body are cleared before they go back to the
/// shared pool; arrays rented by the inner formatter are not. Two bodies of the same payload have different nonces, so they differ. Do not compress
/// and then encrypt data of which an attacker may choose a part: the length reveals something about the rest.</para>
/// </remarks>
/// <example><code>
/// EncryptionKey key = EncryptionKey.AesGcm("2026-11", secret);
/// var formatter = new EncryptedFormatter&lt;Order&gt;(new HandCodedFormatter&lt;Order&gt;(), key);
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class EncryptedFormatter<T> : EnvelopeFormatter<T>
{
    /// <summary>Creates a formatter with one key.</summary>
    /// <param name="inner">Writes and reads the body inside.</param>
    /// <param name="key">Encrypts and decrypts.</param>
    /// <param name="limits">The limits on the whole body; null means those of <paramref name="inner"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="inner"/> or <paramref name="key"/> is null.</exception>
    public EncryptedFormatter(MessageFormatter<T> inner, EncryptionKey key, FormatterLimits? limits = null)
        : this(inner, new KeyRing<EncryptionKey>(key ?? throw new ArgumentNullException(nameof(key))), limits)
    {
    }

    /// <summary>Creates a formatter that encrypts with the current key of a ring and decrypts with any.</summary>
    /// <param name="inner">Writes and reads the body inside.</param>
    /// <param name="keys">The keys.</param>
    /// <param name="limits">The limits on the whole body; null means those of <paramref name="inner"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="inner"/> or <paramref name="keys"/> is null.</exception>
    public EncryptedFormatter(MessageFormatter<T> inner, KeyRing<EncryptionKey> keys, FormatterLimits? limits = null)
        : base(
            inner ?? throw new ArgumentNullException(nameof(inner)),
            new EncryptedEnvelope(keys ?? throw new ArgumentNullException(nameof(keys))),
            limits) => Keys = keys;

    /// <summary>Gets the keys.</summary>
    public KeyRing<EncryptionKey> Keys { get; }
}

/// <summary>Like <see cref="EncryptedFormatter{T}"/>, around a formatter without a type parameter.</summary>
public sealed class EncryptedFormatter : EnvelopeFormatter
{
    /// <summary>Creates a formatter that encrypts with the current key of a ring and decrypts with any.</summary>
    /// <param name="inner">Writes and reads the body inside.</param>
    /// <param name="keys">The keys.</param>
    /// <param name="limits">The limits on the whole body; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="inner"/> or <paramref name="keys"/> is null.</exception>
    public EncryptedFormatter(IMessageFormatter inner, KeyRing<EncryptionKey> keys, FormatterLimits? limits = null)
        : base(
            inner ?? throw new ArgumentNullException(nameof(inner)),
            new EncryptedEnvelope(keys ?? throw new ArgumentNullException(nameof(keys))),
            limits) => Keys = keys;

    /// <summary>Gets the keys.</summary>
    public KeyRing<EncryptionKey> Keys { get; }
}

/// <summary>Header, key id, salt, nonce, encrypted body, tag.</summary>
internal sealed class EncryptedEnvelope(KeyRing<EncryptionKey> keys) : BodyEnvelope(ContentTypes.Encrypted, BodyTypes.Encrypted)
{
    internal const byte AesGcmAlgorithm = 1;

    private const int NewByteCount = EncryptionKey.SaltByteCount + EncryptionKey.NonceByteCount;

    internal override byte[] CreateHeader(int bodyType, string? contentType) =>
        EnvelopeHeader.Create(AesGcmAlgorithm, bodyType, contentType, keys.Current.KeyIdBytes);

    internal override void Begin(PooledBufferWriter buffer)
    {
        buffer.GetSpan(NewByteCount);
        buffer.Advance(NewByteCount);
        buffer.IsSecret = true;
    }

    internal override void End(PooledBufferWriter buffer, int start, int headerByteCount)
    {
        Span<byte> tag = buffer.GetSpan(EncryptionKey.TagByteCount).Slice(0, EncryptionKey.TagByteCount); // first: it may move the written bytes
        Span<byte> written = buffer.WritableSpan.Slice(start);
        int bodyOffset = headerByteCount + NewByteCount;
        keys.Current.Encrypt(
            written.Slice(headerByteCount, EncryptionKey.SaltByteCount),
            written.Slice(headerByteCount + EncryptionKey.SaltByteCount, EncryptionKey.NonceByteCount),
            written.Slice(0, bodyOffset),
            written.Slice(bodyOffset),
            tag);
        buffer.Advance(tag.Length);
        buffer.IsSecret = false;
    }

    internal override void Open(
        ReadOnlySpan<byte> envelope, scoped in EnvelopeHeader header, scoped ref EnvelopeReader reader, FormatterLimits limits, ref OpenedBody opened)
    {
        if (header.Algorithm != AesGcmAlgorithm)
            throw new MessageFormatException(MessageFormatErrorCode.UnknownFormat,
                "The body is encrypted with an algorithm that this library does not support, or is not encrypted.", 1);
        EncryptionKey key = FindKey(keys, ref reader);
        ReadOnlySpan<byte> salt = reader.Read(EncryptionKey.SaltByteCount), nonce = reader.Read(EncryptionKey.NonceByteCount);
        int bodyOffset = reader.Offset, byteCount = reader.Rest.Length - EncryptionKey.TagByteCount;
        if (byteCount < 0)
            ThrowHelper.ThrowTruncated(envelope.Length, -byteCount);
        opened.Rented = ArrayPool<byte>.Shared.Rent(byteCount);
        opened.IsSecret = true;
        Span<byte> body = opened.Rented.AsSpan(0, byteCount);
        if (!key.TryDecrypt(salt, nonce, envelope.Slice(0, bodyOffset), envelope.Slice(bodyOffset, byteCount),
            envelope.Slice(bodyOffset + byteCount), body))
            throw new MessageFormatException(
                MessageFormatErrorCode.NotAuthentic,
                "The body does not match the key: the body was changed after it was encrypted, or was encrypted with another key of the same id.",
                bodyOffset + byteCount,
                isPoison: true);
        opened.Bytes = body;
    }
}
#endif
