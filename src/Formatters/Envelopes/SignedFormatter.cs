using System;
using Formatters.Buffers;
using Formatters.Envelopes;

namespace Formatters;

/// <summary>
/// Signs the bodies of any formatter: a body that was changed by one bit, or created without the key, is rejected before the inner formatter reads
/// it.
/// </summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// <para>The signature covers every byte of the body, including the id of the key and the tags of the body inside. It does not cover the message: the
/// body can be sent again, to another queue or later, and the signature is still valid. If that matters, put an id, a time or the receiver into the
/// payload.</para>
/// <para>A signature that does not match throws <see cref="MessageFormatErrorCode.NotAuthentic"/> (poison); a key that the ring of the reader does
/// not have throws <see cref="MessageFormatErrorCode.UnknownKey"/>. Writing and reading copy nothing, and with HMAC allocate nothing.</para>
/// </remarks>
/// <example><code>
/// SigningKey key = SigningKey.HmacSha256("2026-11", secret);
/// var formatter = new SignedFormatter&lt;Order&gt;(new HandCodedFormatter&lt;Order&gt;(), key);
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class SignedFormatter<T> : EnvelopeFormatter<T>
{
    /// <summary>Creates a formatter with one key.</summary>
    /// <param name="inner">Writes and reads the body inside.</param>
    /// <param name="key">Signs and verifies.</param>
    /// <param name="limits">The limits on the whole body; null means those of <paramref name="inner"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="inner"/> or <paramref name="key"/> is null.</exception>
    public SignedFormatter(MessageFormatter<T> inner, SigningKey key, FormatterLimits? limits = null)
        : this(inner, new KeyRing<SigningKey>(key ?? throw new ArgumentNullException(nameof(key))), limits)
    {
    }

    /// <summary>Creates a formatter that signs with the current key of a ring and verifies with any.</summary>
    /// <param name="inner">Writes and reads the body inside.</param>
    /// <param name="keys">The keys.</param>
    /// <param name="limits">The limits on the whole body; null means those of <paramref name="inner"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="inner"/> or <paramref name="keys"/> is null.</exception>
    public SignedFormatter(MessageFormatter<T> inner, KeyRing<SigningKey> keys, FormatterLimits? limits = null)
        : base(
            inner ?? throw new ArgumentNullException(nameof(inner)),
            new SignedEnvelope(keys ?? throw new ArgumentNullException(nameof(keys))),
            limits) => Keys = keys;

    /// <summary>Gets the keys.</summary>
    public KeyRing<SigningKey> Keys { get; }
}

/// <summary>Like <see cref="SignedFormatter{T}"/>, around a formatter without a type parameter.</summary>
public sealed class SignedFormatter : EnvelopeFormatter
{
    /// <summary>Creates a formatter that signs with the current key of a ring and verifies with any.</summary>
    /// <param name="inner">Writes and reads the body inside.</param>
    /// <param name="keys">The keys.</param>
    /// <param name="limits">The limits on the whole body; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="inner"/> or <paramref name="keys"/> is null.</exception>
    public SignedFormatter(IMessageFormatter inner, KeyRing<SigningKey> keys, FormatterLimits? limits = null)
        : base(
            inner ?? throw new ArgumentNullException(nameof(inner)),
            new SignedEnvelope(keys ?? throw new ArgumentNullException(nameof(keys))),
            limits) => Keys = keys;

    /// <summary>Gets the keys.</summary>
    public KeyRing<SigningKey> Keys { get; }
}

/// <summary>Header, key id, body, signature over all of that.</summary>
internal sealed class SignedEnvelope(KeyRing<SigningKey> keys) : BodyEnvelope(ContentTypes.Signed, BodyTypes.Signed)
{
    internal override bool ShowsBody => true;

    internal override byte[] CreateHeader(int bodyType, string? contentType) =>
        EnvelopeHeader.Create((byte)keys.Current.Algorithm, bodyType, contentType, keys.Current.KeyIdBytes);

    internal override void EnsureWrites()
    {
        if (keys.Current.WhyNotWriting is string reason)
            throw new InvalidOperationException(reason);
    }

    internal override void End(PooledBufferWriter buffer, int start, int headerByteCount)
    {
        SigningKey key = keys.Current;
        Span<byte> signature = buffer.GetSpan(key.SignatureByteCount).Slice(0, key.SignatureByteCount); // first: it may move the written bytes
        key.Sign(buffer.WrittenSpan.Slice(start), signature);
        buffer.Advance(signature.Length);
    }

    internal override void Open(
        ReadOnlySpan<byte> envelope, scoped in EnvelopeHeader header, scoped ref EnvelopeReader reader, FormatterLimits limits, ref OpenedBody opened)
    {
        int keyOffset = reader.Offset;
        SigningKey key = FindKey(keys, ref reader);
        if (header.Algorithm != (byte)key.Algorithm)
            throw new MessageFormatException(
                MessageFormatErrorCode.NotAuthentic, "The algorithm in the body is not the one of the key that it names.", keyOffset, isPoison: true);
        int bodyByteCount = reader.Rest.Length - key.SignatureByteCount;
        if (bodyByteCount < 0)
            ThrowHelper.ThrowTruncated(envelope.Length, -bodyByteCount);
        int signedByteCount = envelope.Length - key.SignatureByteCount;
        if (!key.Verify(envelope.Slice(0, signedByteCount), envelope.Slice(signedByteCount)))
            throw new MessageFormatException(
                MessageFormatErrorCode.NotAuthentic,
                "The signature does not match the body: the body was changed after it was signed, or was signed with another key of the same id.",
                signedByteCount,
                isPoison: true);
        opened.Bytes = reader.Rest.Slice(0, bodyByteCount);
    }
}
