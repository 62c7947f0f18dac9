using System;
using System.Buffers;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Buffers;

namespace Formatters;

/// <content>
/// Several bodies one after the other in a stream or buffer, each with its length in front: a varint, as <c>WriteDelimitedTo</c> of Google.Protobuf
/// and <c>PrefixStyle.Base128</c> of protobuf-net write it.
/// </content>
public abstract partial class MessageFormatter<T>
{
    /// <summary>Writes the length of a body, and the body.</summary>
    /// <param name="destination">Receives the bytes. Nothing is written if the value cannot be written.</param>
    /// <param name="value">The payload.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="MessageFormatException">The value cannot be written.</exception>
    public void WriteDelimited(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        using PooledBufferWriter buffer = WriteBuffer(value, isDelimited: true, out ArraySegment<byte> written);
        destination.Write(written);
    }

    /// <summary>Writes the length of a body, and the body, in one call of the stream.</summary>
    /// <param name="destination">The stream; it is left open, after the body. Nothing is written if the value cannot be written.</param>
    /// <param name="value">The payload.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="MessageFormatException">The value cannot be written.</exception>
    public void WriteDelimited(Stream destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        using PooledBufferWriter buffer = WriteBuffer(value, isDelimited: true, out ArraySegment<byte> written);
        destination.Write(written.Array!, written.Offset, written.Count);
    }

    /// <summary>Writes the length of a body, and the body, in one call of the stream.</summary>
    /// <param name="destination">The stream; it is left open, after the body. Nothing is written if the value cannot be written.</param>
    /// <param name="value">The payload. It is written to memory before this method returns, and may change after that.</param>
    /// <param name="cancellationToken">Cancels the writing to the stream.</param>
    /// <returns>A task that completes when the stream has taken all bytes.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled. A part of the body may have been written.</exception>
    /// <exception cref="MessageFormatException">The value cannot be written.</exception>
    public Task WriteDelimitedAsync(Stream destination, T value, CancellationToken cancellationToken = default) =>
        destination is null ? throw new ArgumentNullException(nameof(destination)) : CopyAsync(destination, value, isDelimited: true,
            cancellationToken);

    /// <summary>Reads the next of several delimited bodies.</summary>
    /// <param name="source">The bytes received so far. Starts after the body when the method returns <see langword="true"/>, and also when the body
    /// is damaged, so that the next can be read; otherwise it is unchanged.</param>
    /// <param name="value">The payload.</param>
    /// <returns><see langword="false"/> if the body, or the length in front of it, is not complete; also if there are no bytes.</returns>
    /// <exception cref="MessageFormatException">The body is damaged; or the length is not one
    /// (<see cref="MessageFormatErrorCode.BadLength"/>) or above <see cref="FormatterLimits.MaxBodyByteCount"/>, and what follows cannot be
    /// told apart. Offsets count from the start of the body.</exception>
    public bool TryReadDelimited(ref ReadOnlySequence<byte> source, [MaybeNullWhen(false)] out T value)
    {
        if (!BodyPrefix.TryRead(source, Limits.MaxBodyByteCount, out int byteCount, out int prefixByteCount)
            || source.Length - prefixByteCount < byteCount)
        {
            value = default;
            return false;
        }

        ReadOnlySequence<byte> body = source.Slice(prefixByteCount, byteCount);
        source = source.Slice(body.End);
        value = Read(body);
        return true;
    }

    /// <summary>Reads the next of several delimited bodies in a stream, and no byte after it.</summary>
    /// <param name="source">The stream; it is left open, after the body, also if the body is damaged. The length is read byte by byte: give many
    /// small bodies a <see cref="BufferedStream"/>.</param>
    /// <param name="value">The payload.</param>
    /// <returns><see langword="false"/> if the stream is at its end.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="source"/> is null.</exception>
    /// <exception cref="MessageFormatException">The body is damaged, or the stream ends within it
    /// (<see cref="MessageFormatErrorCode.Truncated"/>); or the length is not one (<see cref="MessageFormatErrorCode.BadLength"/>) or above
    /// <see cref="FormatterLimits.MaxBodyByteCount"/>, and what follows cannot be told apart.</exception>
    public bool TryReadDelimited(Stream source, [MaybeNullWhen(false)] out T value)
    {
        if (source is null)
            throw new ArgumentNullException(nameof(source));
        if (!BodyPrefix.TryRead(source, Limits.MaxBodyByteCount, out int byteCount))
        {
            value = default;
            return false;
        }

        using var buffer = new PooledBufferWriter(Math.Min(byteCount, BodyStreams.MaxChunkByteCount));
        BodyStreams.ReadExactly(source, buffer, byteCount);
        value = Read(buffer.WrittenSpan);
        return true;
    }

    /// <summary>Reads delimited bodies from a stream, one after the other, up to its end.</summary>
    /// <param name="source">The stream; it is left open. No byte is read after the last body that the caller takes.</param>
    /// <returns>The payloads, each read when it is asked for. Errors are those of
    /// <see cref="TryReadDelimited(Stream, out T)"/>, and end the enumeration.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="source"/> is null.</exception>
    public IEnumerable<T> ReadAllDelimited(Stream source)
    {
        return source is null ? throw new ArgumentNullException(nameof(source)) : ReadAll();

        IEnumerable<T> ReadAll()
        {
            while (TryReadDelimited(source, out T? value))
                yield return value;
        }
    }

#if NET
    /// <summary>Reads delimited bodies from a stream, one after the other, up to its end.</summary>
    /// <param name="source">The stream; it is left open. No byte is read after the last body that the caller takes.</param>
    /// <param name="cancellationToken">Cancels the reading of the stream.</param>
    /// <returns>The payloads, each read when it is asked for. Errors are those of
    /// <see cref="TryReadDelimited(Stream, out T)"/>, and end the enumeration.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="source"/> is null.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled. A part of a body may have been read.</exception>
    public IAsyncEnumerable<T> ReadAllDelimitedAsync(Stream source, CancellationToken cancellationToken = default)
    {
        return source is null ? throw new ArgumentNullException(nameof(source)) : ReadAll(cancellationToken);

        async IAsyncEnumerable<T> ReadAll([EnumeratorCancellation] CancellationToken cancellationToken)
        {
            using var buffer = new PooledBufferWriter();
            while (true)
            {
                var prefix = default(BodyPrefix.State);
                do
                {
                    buffer.Clear();
                    if (!await BodyStreams.TryReadByteAsync(source, buffer, cancellationToken).ConfigureAwait(false))
                    {
                        prefix.ThrowIfBegun();
                        yield break;
                    }
                }
                while (!prefix.Add(buffer.WrittenSpan[0], Limits.MaxBodyByteCount));

                buffer.Clear();
                await BodyStreams.ReadExactlyAsync(source, buffer, prefix.ByteCount, cancellationToken).ConfigureAwait(false);
                yield return Read(buffer.WrittenSpan);
            }
        }
    }
#endif

    /// <summary>Writes a body into a rented buffer, with its length in front if it is delimited.</summary>
    private PooledBufferWriter WriteBuffer(T value, bool isDelimited, out ArraySegment<byte> written)
    {
        int prefix = isDelimited ? BodyPrefix.MaxByteCount : 0;
        var buffer = new PooledBufferWriter(GetSizeHint(value) + prefix);
        try
        {
            // The length is known at the end, and stands right before the body.
            buffer.GetSpan(prefix);
            buffer.Advance(prefix);
            Write(buffer, value);
        }
        catch
        {
            buffer.Dispose();
            throw;
        }

        written = buffer.WrittenSegment;
        int byteCount = written.Count - prefix;
        NoteByteCount(byteCount);
        if (!isDelimited)
            return buffer;
        Span<byte> length = stackalloc byte[BodyPrefix.MaxByteCount];
        length = length.Slice(0, BodyPrefix.Write(length, byteCount));
        int start = prefix - length.Length;
        length.CopyTo(written.AsSpan(start));
        written = new ArraySegment<byte>(written.Array!, written.Offset + start, length.Length + byteCount);
        return buffer;
    }

    private Task CopyAsync(Stream destination, T value, bool isDelimited, CancellationToken cancellationToken)
    {
        // What cannot be written throws here, before there is a task.
        PooledBufferWriter buffer = WriteBuffer(value, isDelimited, out ArraySegment<byte> written);
        return CopyCoreAsync();

        async Task CopyCoreAsync()
        {
            using (buffer)
            {
#if NET
                await destination.WriteAsync(written, cancellationToken).ConfigureAwait(false);
#else
                await destination.WriteAsync(written.Array!, written.Offset, written.Count, cancellationToken).ConfigureAwait(false);
#endif
            }
        }
    }
}
