using System;
using System.Buffers;

namespace Formatters;

/// <summary>What an envelope does to the bytes of a body, without knowing what they mean: signs, encrypts or compresses them.</summary>
/// <remarks>Works in place, in the buffer that the body is written to. Immutable except what it keeps for the next message; used by several threads.</remarks>
internal abstract class BodyEnvelope(string contentType, int bodyType)
{
    /// <summary>The MIME name of the envelope.</summary>
    internal string ContentType { get; } = contentType;

    /// <summary>The body type of the envelope.</summary>
    internal int BodyType { get; } = bodyType;

    /// <summary>Whether the bytes of the body inside are in the envelope as they are.</summary>
    internal virtual bool ShowsBody => false;

    /// <summary>About how many bytes it adds to a body.</summary>
    internal virtual int AddedByteCount => 160;

    /// <summary>The bytes from the version on to the last that is the same for every body with these tags.</summary>
    internal abstract byte[] CreateHeader(int bodyType, string? contentType);

    /// <summary>Refuses what cannot be written, before anything is.</summary>
    internal virtual void EnsureWrites()
    {
    }

    /// <summary>Writes what stands between the header and the body.</summary>
    internal virtual void Begin(PooledBufferWriter buffer)
    {
    }

    /// <summary>Does to the body what the envelope is for.</summary>
    /// <param name="buffer">Header, what <see cref="Begin"/> wrote, and the body.</param>
    /// <param name="start">Where the header begins.</param>
    /// <param name="headerByteCount">The length of the header.</param>
    internal abstract void End(PooledBufferWriter buffer, int start, int headerByteCount);

    /// <summary>Takes the body out of an envelope.</summary>
    /// <param name="envelope">The whole of it.</param>
    /// <param name="header">Its header, read.</param>
    /// <param name="reader">Stands after the header.</param>
    /// <param name="limits">What the body may ask for.</param>
    /// <param name="opened">Receives the body.</param>
    internal abstract void Open(
        ReadOnlySpan<byte> envelope, scoped in EnvelopeHeader header, scoped ref EnvelopeReader reader, FormatterLimits limits, ref OpenedBody opened);

    /// <summary>Finds the key that a body was made with.</summary>
    private protected TKey FindKey<TKey>(KeyRing<TKey> keys, scoped ref EnvelopeReader reader)
        where TKey : BodyKey
    {
        int start = reader.Offset;
        return keys.Find(reader.ReadShort())
            ?? throw new MessageFormatException(
                MessageFormatErrorCode.UnknownKey, $"The key ring of the reader has no key with the id that the body names; or the body is not {EnvelopeHeader.KindOf(BodyType)}.", start);
    }
}

/// <summary>The body from an envelope.</summary>
internal ref struct OpenedBody
{
    /// <summary>The bytes; they lie in the envelope, or in <see cref="Rented"/>.</summary>
    internal ReadOnlySpan<byte> Bytes;

    /// <summary>An array of the pool; null if none was needed.</summary>
    internal byte[]? Rented { get; set; }

    /// <summary>Whether the array is cleared before others get it.</summary>
    internal bool IsSecret { get; set; }

    internal readonly void Dispose()
    {
        if (Rented is not null)
            ArrayPool<byte>.Shared.Return(Rented, clearArray: IsSecret);
    }
}
