using System;
using System.Buffers;
using System.Threading;
using Formatters.Buffers;

namespace Formatters.Envelopes;

/// <summary>A formatter around another one that transforms the bytes of the inner body: it signs, encrypts or compresses them.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// <para>Envelopes can be put around any formatter, and around each other in any order. Each body identifies the formatter of the inner body (its
/// content type and body type), so that the bytes of one format are never read as another: <see cref="MessageFormatErrorCode.UnknownFormat"/>.</para>
/// <para>Offsets in errors of the inner formatter count from the start of the inner body. Wire format: docs/wire/envelopes.md.</para>
/// </remarks>
public abstract class EnvelopeFormatter<T> : MessageFormatter<T>, IFormatterTags
{
    private const int MaxSpareByteCount = 128 * 1024;

    private readonly BodyEnvelope _envelope;
    private readonly byte[] _header;
    private PooledBufferWriter? _spare;

    private protected EnvelopeFormatter(MessageFormatter<T> inner, BodyEnvelope envelope, FormatterLimits? limits)
        : base(limits ?? inner.Limits, envelope.ContentType, envelope.BodyType)
    {
        Inner = inner;
        _envelope = envelope;
        _header = envelope.CreateHeader(inner.BodyType, inner.ContentType);
    }

    /// <summary>Gets the formatter of the body inside.</summary>
    public MessageFormatter<T> Inner { get; }

    IFormatterTags IFormatterTags.Inner => Inner;

    bool IFormatterTags.ShowsInner => _envelope.ShowsBody;

    /// <inheritdoc/>
    /// <remarks>The inner formatter's, and the addition of the envelope.</remarks>
    public override int GetSizeHint(T value) => (int)Math.Min(int.MaxValue, (long)Inner.GetSizeHint(value) + _envelope.AddedByteCount);

    /// <inheritdoc/>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        _envelope.EnsureWrites();
        if (destination is PooledBufferWriter buffer)
        {
            WriteInto(buffer, value);
            return;
        }

        PooledBufferWriter scratch = Interlocked.Exchange(ref _spare, null) ?? new PooledBufferWriter(0);
        WriteInto(scratch, value); // after an exception, it is left to the garbage collector
        destination.Write(scratch.WrittenSpan);
        if (scratch.WrittenCount > MaxSpareByteCount)
        {
            scratch.Dispose();
            return;
        }

        scratch.Clear();
        _spare = scratch;
    }

    /// <inheritdoc/>
    public override T Read(ReadOnlySpan<byte> body)
    {
        OpenedBody opened = default;
        try
        {
            return Open(body, ref opened, out MessageBody? other) ? Inner.Read(opened.Bytes) : Inner.Read(other!);
        }
        finally
        {
            opened.Dispose();
        }
    }

    /// <inheritdoc/>
    /// <remarks>As the formatter inside does.</remarks>
    public override void Read(ReadOnlySpan<byte> body, ref T value)
    {
        OpenedBody opened = default;
        try
        {
            if (Open(body, ref opened, out MessageBody? other))
                Inner.Read(opened.Bytes, ref value);
            else
                value = Inner.Read(other!);
        }
        finally
        {
            opened.Dispose();
        }
    }

    /// <inheritdoc/>
    /// <remarks>Uses the tags of the body and those of the inner body.</remarks>
    public override bool CanRead(MessageBody body) =>
        base.CanRead(body) && EnvelopeContent.Fits(body, Limits, _envelope, Inner, Inner.BodyType, Inner.ContentType);

    private void WriteInto(PooledBufferWriter buffer, T value)
    {
        int start = buffer.WrittenCount;
        buffer.Write(_header);
        _envelope.Begin(buffer);
        Inner.Write(buffer, value);
        _envelope.End(buffer, start, _header.Length);
        int byteCount = buffer.WrittenCount - start;
        CheckBodyByteCount(byteCount);
        NoteByteCount(byteCount);
    }

    /// <summary>Extracts the inner body.</summary>
    /// <returns><see langword="true"/> if it has the tags of the inner formatter, which then reads its bytes; otherwise the body is one that it also
    /// reads.</returns>
    private bool Open(ReadOnlySpan<byte> body, ref OpenedBody opened, out MessageBody? other)
    {
        CheckBodyByteCount(body.Length);
        var reader = new EnvelopeReader(body);
        EnvelopeHeader header = EnvelopeHeader.Read(ref reader, _envelope.BodyType);
        _envelope.Open(body, header, ref reader, Limits, ref opened);
        if (header.HasTags(Inner.BodyType, Inner.ContentType))
        {
            other = null;
            return true;
        }

        other = new MessageBody(opened.Bytes.ToArray(), header.BodyType, header.GetContentType());
        EnvelopeContent.EnsureReads(Inner, other);
        return false;
    }
}

/// <summary>A formatter around a formatter without a type parameter: a <see cref="FormatterRegistry"/>, an <see cref="ActiveXFormatter"/>, another
/// envelope.</summary>
/// <remarks>
/// Like <see cref="EnvelopeFormatter{T}"/>; each body has the tags with which the inner formatter wrote it, and is read according to them. The inner
/// body is copied once more.
/// </remarks>
public abstract class EnvelopeFormatter : IMessageFormatter, IFormatterTags
{
    private readonly BodyEnvelope _envelope;

    private protected EnvelopeFormatter(IMessageFormatter inner, BodyEnvelope envelope, FormatterLimits? limits)
    {
        Inner = inner;
        _envelope = envelope;
        Limits = limits ?? FormatterLimits.Default;
    }

    /// <summary>Gets the formatter of the body inside.</summary>
    public IMessageFormatter Inner { get; }

    /// <summary>Gets the limits on the whole body, and on its transformation before the inner formatter reads it.</summary>
    public FormatterLimits Limits { get; }

    string? IFormatterTags.ContentType => _envelope.ContentType;

    int? IFormatterTags.BodyType => _envelope.BodyType;

    Type? IFormatterTags.PayloadType => (Inner as IFormatterTags)?.PayloadType;

    string? IFormatterTags.PayloadMark => null;

    IFormatterTags? IFormatterTags.Inner => Inner as IFormatterTags;

    bool IFormatterTags.ShowsInner => _envelope.ShowsBody;

    /// <inheritdoc/>
    /// <remarks>Uses the tags of the body and those of the inner body.</remarks>
    public bool CanRead(MessageBody body)
    {
        if (body is null)
            throw new ArgumentNullException(nameof(body));
        bool hasTag = body.ContentType is null || body.HasContentType(ContentTypes.OctetStream)
            ? body.BodyType == _envelope.BodyType
            : body.HasContentType(_envelope.ContentType);
        return hasTag && EnvelopeContent.Fits(body, Limits, _envelope, Inner, (Inner as IFormatterTags)?.BodyType,
            (Inner as IFormatterTags)?.ContentType);
    }

    /// <inheritdoc/>
    public object? Read(MessageBody body)
    {
        if (body is null)
            throw new ArgumentNullException(nameof(body));
        ReadOnlySpan<byte> bytes = body.GetSpan(Limits);
        OpenedBody opened = default;
        try
        {
            var reader = new EnvelopeReader(bytes);
            EnvelopeHeader header = EnvelopeHeader.Read(ref reader, _envelope.BodyType);
            _envelope.Open(bytes, header, ref reader, Limits, ref opened);
            var inner = new MessageBody(opened.Bytes.ToArray(), header.BodyType, header.GetContentType());
            EnvelopeContent.EnsureReads(Inner, inner);
            return Inner.Read(inner);
        }
        finally
        {
            opened.Dispose();
        }
    }

    /// <inheritdoc/>
    public void Write(MessageBody body, object? value)
    {
        if (body is null)
            throw new ArgumentNullException(nameof(body));
        _envelope.EnsureWrites();
        var inner = new MessageBody();
        Inner.Write(inner, value);
        byte[] header = _envelope.CreateHeader(inner.BodyType, inner.ContentType);
        using var buffer = new PooledBufferWriter((int)Math.Min(int.MaxValue, inner.ByteCount + _envelope.AddedByteCount));
        buffer.Write(header);
        _envelope.Begin(buffer);
        foreach (ReadOnlyMemory<byte> segment in inner.Bytes)
            buffer.Write(segment.Span);
        _envelope.End(buffer, 0, header.Length);
        if (buffer.WrittenCount > Limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(buffer.WrittenCount, Limits.MaxBodyByteCount);
        body.Bytes = new ReadOnlySequence<byte>(buffer.WrittenSpan.ToArray());
        body.BodyType = _envelope.BodyType;
        body.ContentType = _envelope.ContentType;
    }

    /// <summary>Returns this instance, which is immutable.</summary>
    /// <returns>This instance.</returns>
    public object Clone() => this;
}

/// <summary>Checks whether the body in an envelope is one for the inner formatter.</summary>
internal static class EnvelopeContent
{
    /// <summary>Determines this before the envelope is opened, by the tags, and by the bytes if they are visible.</summary>
    internal static bool Fits(
        MessageBody body, FormatterLimits limits, BodyEnvelope envelope, IMessageFormatter inner, int? innerBodyType, string? innerContentType)
    {
        if (body.ByteCount > limits.MaxBodyByteCount)
            return true; // reading it reports the error
        ReadOnlySpan<byte> bytes = body.GetSpan(limits);
        var reader = new EnvelopeReader(bytes);
        EnvelopeHeader header;
        try
        {
            header = EnvelopeHeader.Read(ref reader, envelope.BodyType);
        }
        catch (MessageFormatException)
        {
            return true; // as above
        }

        bool hasTags = innerBodyType is int bodyType && header.HasTags(bodyType, innerContentType);
        if (!envelope.ShowsBody)
            return hasTags || inner.CanRead(new MessageBody(default(ReadOnlyMemory<byte>), header.BodyType, header.GetContentType()));
        if (hasTags && inner is IFormatterTags { PayloadMark: null, Inner: null })
            return true;
        OpenedBody opened = default;
        try
        {
            envelope.Open(bytes, header, ref reader, limits, ref opened);
            return inner.CanRead(new MessageBody(opened.Bytes.ToArray(), header.BodyType, header.GetContentType()));
        }
        catch (MessageFormatException)
        {
            return true;
        }
        finally
        {
            opened.Dispose();
        }
    }

    /// <summary>Throws for a body that the inner formatter does not read.</summary>
    internal static void EnsureReads(IMessageFormatter inner, MessageBody body)
    {
        if (!inner.CanRead(body))
            throw new MessageFormatException(
                MessageFormatErrorCode.UnknownFormat,
                "The body inside is in a format that the formatter inside does not read (the header has its content type and body type).");
    }
}
