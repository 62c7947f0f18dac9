using System;
using System.Buffers;
using System.Diagnostics;
using System.IO;

namespace Formatters;

/// <summary>The body of a message: its bytes, and the content type and body type that identify their format.</summary>
/// <remarks>A message of a queue has one; an adapter fills one from the properties of its transport.</remarks>
[DebuggerDisplay("{ByteCount} bytes, {ContentType}, body type {BodyType}")]
public sealed class MessageBody
{
    /// <summary>Creates an empty body: no bytes, body type 0, no content type.</summary>
    public MessageBody()
    {
    }

    /// <summary>Creates a body over bytes, which are not copied.</summary>
    /// <param name="bytes">The bytes; they must not change while the body is in use.</param>
    /// <param name="bodyType">The body type number, 0 if the transport has none.</param>
    /// <param name="contentType">The MIME name, null if the transport has none.</param>
    public MessageBody(ReadOnlyMemory<byte> bytes, int bodyType = 0, string? contentType = null)
        : this(new ReadOnlySequence<byte>(bytes), bodyType, contentType)
    {
    }

    /// <inheritdoc cref="MessageBody(ReadOnlyMemory{byte}, int, string?)"/>
    public MessageBody(ReadOnlySequence<byte> bytes, int bodyType = 0, string? contentType = null)
    {
        Bytes = bytes;
        BodyType = bodyType;
        ContentType = contentType;
    }

    /// <summary>Gets or sets the bytes.</summary>
    /// <value>Default: none.</value>
    public ReadOnlySequence<byte> Bytes { get; set; }

    /// <summary>Gets or sets the number of the format, as <c>System.Messaging.Message.BodyType</c>; see <see cref="BodyTypes"/>.</summary>
    /// <value>Default 0.</value>
    public int BodyType { get; set; }

    /// <summary>Gets or sets the MIME name of the format, parameters allowed (<c>text/xml; charset=utf-8</c>).</summary>
    /// <value>Default null: unknown; then the body type decides.</value>
    public string? ContentType { get; set; }

    /// <summary>Gets the number of bytes.</summary>
    public long ByteCount => Bytes.Length;

    /// <summary>Copies the bytes.</summary>
    /// <returns>A new array of <see cref="ByteCount"/> bytes.</returns>
    public byte[] ToArray() => Bytes.ToArray();

    /// <summary>Opens the bytes as a stream.</summary>
    /// <returns>A read-only stream at position 0; over the bytes themselves if they are in one array, otherwise over a copy.</returns>
    public Stream OpenRead() => BodyStreams.Open(Bytes);

    /// <summary>Determines whether the body has a content type, ignoring case and parameters.</summary>
    /// <param name="mediaType">A MIME name without parameters.</param>
    /// <returns><see langword="false"/> also if there is no content type.</returns>
    public bool HasContentType(string mediaType)
    {
        if (mediaType is null)
            throw new ArgumentNullException(nameof(mediaType));
        if (ContentType is null)
            return false;
        int semicolon = ContentType.IndexOf(';');
        ReadOnlySpan<char> own = (semicolon < 0 ? ContentType.AsSpan() : ContentType.AsSpan(0, semicolon)).Trim();
        return own.Equals(mediaType.AsSpan(), StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Returns the bytes as one span: a copy if there are several segments.</summary>
    /// <exception cref="MessageFormatException">There are more bytes than the limits allow.</exception>
    internal ReadOnlySpan<byte> GetSpan(FormatterLimits limits)
    {
        if (ByteCount > limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(ByteCount, limits.MaxBodyByteCount);
        return Bytes.IsSingleSegment ? Bytes.First.Span : Bytes.ToArray();
    }
}
