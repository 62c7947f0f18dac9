using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Threading;
using Formatters.Buffers;
using Formatters.Envelopes;

namespace Formatters;

/// <summary>
/// A formatter of several payloads in one body, each written by an inner formatter: one message, one signature, one flush for all of them.
/// </summary>
/// <typeparam name="T">The type of a payload.</typeparam>
/// <remarks>
/// Each payload follows its length, so an invalid payload does not affect the others: <see cref="ReadEach(ReadOnlySpan{byte})"/> returns a value or
/// an error for each. A formatter around a batch (<see cref="SignedFormatter{T}"/> of a list) runs once for all payloads; a formatter inside it runs
/// once for each.
/// </remarks>
/// <example><code>
/// var formatter = new BatchFormatter&lt;Order&gt;(new HandCodedFormatter&lt;Order&gt;());
/// byte[] body = formatter.Write(orders);
/// foreach (BatchItem&lt;Order&gt; item in formatter.ReadEach(body))
/// {
///     if (item.IsGood)
///         Process(item.Value!);
/// }
/// </code></example>
public sealed class BatchFormatter<T> : MessageFormatter<IReadOnlyList<T>>, IFormatterTags
{
    internal const int LengthByteCount = 4;

    private const int MaxSpareByteCount = 128 * 1024;

    /// <summary>The approximate size of an exception in memory.</summary>
    private const int ErrorByteCount = 1024;

    private readonly byte[] _header;
    private PooledBufferWriter? _spare;

    /// <summary>Creates a formatter.</summary>
    /// <param name="inner">Writes and reads each payload.</param>
    /// <param name="limits">The limits on the whole body; null means those of <paramref name="inner"/>, which apply to each payload.</param>
    /// <exception cref="ArgumentNullException"><paramref name="inner"/> is null.</exception>
    public BatchFormatter(MessageFormatter<T> inner, FormatterLimits? limits = null)
        : base(limits ?? (inner ?? throw new ArgumentNullException(nameof(inner))).Limits, ContentTypes.Batch, BodyTypes.Batch)
    {
        Inner = inner;
        _header = EnvelopeHeader.Create(0, inner.BodyType, inner.ContentType);
    }

    /// <summary>Gets the formatter of the payloads.</summary>
    public MessageFormatter<T> Inner { get; }

    IFormatterTags IFormatterTags.Inner => Inner;

    bool IFormatterTags.ShowsInner => false;

    /// <inheritdoc/>
    public override void Write(IBufferWriter<byte> destination, IReadOnlyList<T> value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        if (value is null)
            throw new ArgumentNullException(nameof(value));
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
    /// <exception cref="MessageFormatException">The body, or any payload in it, is invalid or beyond a limit; the member path begins with the index
    /// of the payload. <see cref="ReadEach(ReadOnlySpan{byte})"/> reads the others.</exception>
    public override IReadOnlyList<T> Read(ReadOnlySpan<byte> body)
    {
        var reader = new EnvelopeReader(body);
        MessageBody? other = Begin(body, ref reader, out int count);
        var values = new T[count];
        for (int i = 0; i < count; i++)
            values[i] = ReadPayload(ReadPayloadBytes(body, ref reader), other, i);
        EnsureEnd(ref reader);
        return values;
    }

    /// <summary>Reads the payloads of a body separately: a value for each valid payload, and an error for each invalid one.</summary>
    /// <param name="body">The body, all of it.</param>
    /// <returns>An item for each payload, in order.</returns>
    /// <exception cref="MessageFormatException">The lengths of the payloads are invalid, so their boundaries are unknown; or the errors would take
    /// more memory than the limits allow (<see cref="FormatterLimits.MaxAllocationFactor"/>, 1 KiB each).</exception>
    public BatchItem<T>[] ReadEach(ReadOnlySpan<byte> body)
    {
        var reader = new EnvelopeReader(body);
        MessageBody? other = Begin(body, ref reader, out int count);
        EnsureWhole(body, reader, count);
        var items = new BatchItem<T>[count];
        long errorByteCount = 0, maxErrorByteCount = (64 * 1024) + ((long)Limits.MaxAllocationFactor * body.Length);
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> payload = ReadPayloadBytes(body, ref reader);
            try
            {
                items[i] = new BatchItem<T>(ReadPayload(payload, other, i), null);
            }
            catch (MessageFormatException e)
            {
                items[i] = new BatchItem<T>(default, e);
                errorByteCount += ErrorByteCount;
                if (errorByteCount > maxErrorByteCount)
                    ThrowHelper.ThrowAllocationExceeded(reader.Offset, errorByteCount, Limits.MaxAllocationFactor);
            }
        }

        return items;
    }

    /// <inheritdoc cref="ReadEach(ReadOnlySpan{byte})"/>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null.</exception>
    public BatchItem<T>[] ReadEach(MessageBody body) => ReadEach((body ?? throw new ArgumentNullException(nameof(body))).GetSpan(Limits));

    /// <inheritdoc/>
    /// <remarks>Uses the tags of the body and those of the payloads in it.</remarks>
    public override bool CanRead(MessageBody body)
    {
        if (!base.CanRead(body))
            return false;
        if (body.ByteCount > Limits.MaxBodyByteCount)
            return true; // reading it reports the error
        var reader = new EnvelopeReader(body.GetSpan(Limits));
        try
        {
            EnvelopeHeader header = EnvelopeHeader.Read(ref reader, BodyTypes.Batch);
            return header.HasTags(Inner.BodyType, Inner.ContentType)
                || Inner.CanRead(new MessageBody(default(ReadOnlyMemory<byte>), header.BodyType, header.GetContentType()));
        }
        catch (MessageFormatException)
        {
            return true;
        }
    }

    private void WriteInto(PooledBufferWriter buffer, IReadOnlyList<T> values)
    {
        int start = buffer.WrittenCount, count = values.Count;
        if (count > Limits.MaxElementCount)
            ThrowHelper.ThrowTooManyElements(-1, count, Limits.MaxElementCount);
        buffer.Write(_header);
        BinaryPrimitives.WriteInt32LittleEndian(buffer.GetSpan(LengthByteCount), count);
        buffer.Advance(LengthByteCount);
        for (int i = 0; i < count; i++)
        {
            int lengthOffset = buffer.WrittenCount;
            buffer.GetSpan(LengthByteCount);
            buffer.Advance(LengthByteCount);
            try
            {
                Inner.Write(buffer, values[i]);
            }
            catch (MessageFormatException e) when (e.PrependPath(PathOf(i)))
            {
                throw;
            }

            BinaryPrimitives.WriteInt32LittleEndian(buffer.WritableSpan.Slice(lengthOffset), buffer.WrittenCount - lengthOffset - LengthByteCount);
            CheckBodyByteCount((long)buffer.WrittenCount - start);
        }

        NoteByteCount(buffer.WrittenCount - start);
    }

    /// <summary>Reads up to the first payload.</summary>
    /// <returns>Null if the payloads have the tags of the formatter inside, else a body with theirs, without bytes.</returns>
    private MessageBody? Begin(ReadOnlySpan<byte> body, scoped ref EnvelopeReader reader, out int count)
    {
        CheckBodyByteCount(body.Length);
        EnvelopeHeader header = EnvelopeHeader.Read(ref reader, BodyTypes.Batch);
        if (header.Algorithm != 0)
            throw new MessageFormatException(MessageFormatErrorCode.UnknownFormat,
                "The batch is of a kind that this library does not read, or the body is not a batch.", 1);
        int countOffset = reader.Offset;
        count = BinaryPrimitives.ReadInt32LittleEndian(reader.Read(LengthByteCount));
        if (count < 0)
            ThrowHelper.ThrowBadLength(countOffset, "The number of payloads is negative.");
        if ((long)count * LengthByteCount > reader.Rest.Length)
            ThrowHelper.ThrowTruncated(body.Length, ((long)count * LengthByteCount) - reader.Rest.Length);
        if (count > Limits.MaxElementCount)
            ThrowHelper.ThrowTooManyElements(countOffset, count, Limits.MaxElementCount);
        bool hasTags = header.HasTags(Inner.BodyType, Inner.ContentType);
        return hasTags ? null : new MessageBody(default(ReadOnlyMemory<byte>), header.BodyType, header.GetContentType());
    }

    private T ReadPayload(ReadOnlySpan<byte> payload, MessageBody? other, int index)
    {
        try
        {
            if (other is null)
                return Inner.Read(payload);
            var body = new MessageBody(payload.ToArray(), other.BodyType, other.ContentType);
            EnvelopeContent.EnsureReads(Inner, body);
            return Inner.Read(body);
        }
        catch (MessageFormatException e) when (e.PrependPath(PathOf(index)))
        {
            throw;
        }
    }

    private static string PathOf(int index) => "[" + index.ToString(System.Globalization.CultureInfo.InvariantCulture) + "]";

    /// <summary>Checks all lengths first: if one is invalid, the payloads before it cannot be trusted.</summary>
    private static void EnsureWhole(ReadOnlySpan<byte> body, EnvelopeReader reader, int count)
    {
        for (int i = 0; i < count; i++)
            ReadPayloadBytes(body, ref reader);
        EnsureEnd(ref reader);
    }

    private static ReadOnlySpan<byte> ReadPayloadBytes(ReadOnlySpan<byte> body, scoped ref EnvelopeReader reader)
    {
        int lengthOffset = reader.Offset;
        int byteCount = BinaryPrimitives.ReadInt32LittleEndian(reader.Read(LengthByteCount));
        if (byteCount < 0)
            ThrowHelper.ThrowBadLength(lengthOffset, "The length of a payload is negative.");
        if (byteCount > reader.Rest.Length)
            ThrowHelper.ThrowTruncated(body.Length, byteCount - reader.Rest.Length);
        return reader.Read(byteCount);
    }

    private static void EnsureEnd(scoped ref EnvelopeReader reader)
    {
        if (!reader.Rest.IsEmpty)
            ThrowHelper.ThrowTrailingBytes(reader.Offset, reader.Rest.Length);
    }
}
