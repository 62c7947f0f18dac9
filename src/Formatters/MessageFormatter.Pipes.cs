#if NET
using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters;

/// <content>Bodies in pipes (System.IO.Pipelines): one, or several delimited ones. Not in the build for netstandard2.0.</content>
public abstract partial class MessageFormatter<T>
{
    /// <summary>Writes a value to a pipe and flushes it.</summary>
    /// <param name="destination">The pipe; it is not completed. Nothing is written if the value cannot be written.</param>
    /// <param name="value">The payload. It is written to memory before this method returns, and may change after that.</param>
    /// <param name="cancellationToken">Cancels the flush; the body is then in the pipe.</param>
    /// <returns>Whether the pipe's reader has completed, or the flush was canceled, as <see cref="PipeWriter.FlushAsync"/> returns it.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    /// <exception cref="MessageFormatException">The value cannot be written.</exception>
    /// <remarks>The pipe delays the task while its reader is behind by more than <see cref="PipeOptions.PauseWriterThreshold"/>.</remarks>
    public ValueTask<FlushResult> WriteAsync(PipeWriter destination, T value, CancellationToken cancellationToken = default) =>
        FlushAsync(destination, value, isDelimited: false, cancellationToken);

    /// <summary>Writes the length of a body, and the body, to a pipe and flushes it.</summary>
    /// <inheritdoc cref="WriteAsync(PipeWriter, T, CancellationToken)"/>
    public ValueTask<FlushResult> WriteDelimitedAsync(PipeWriter destination, T value, CancellationToken cancellationToken = default) =>
        FlushAsync(destination, value, isDelimited: true, cancellationToken);

    /// <summary>Reads a value from a pipe, from its first unread byte to its end.</summary>
    /// <param name="source">The pipe; it is not completed. After an error in the body it is at its end.</param>
    /// <param name="cancellationToken">Cancels waiting for the pipe; what has been received stays in it.</param>
    /// <returns>The payload.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="source"/> is null.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled, or <see cref="PipeReader.CancelPendingRead"/> called.</exception>
    /// <exception cref="MessageFormatException">The body is damaged, or longer than <see cref="FormatterLimits.MaxBodyByteCount"/>; that is found as
    /// soon as the pipe holds more.</exception>
    public Task<T> ReadAsync(PipeReader source, CancellationToken cancellationToken = default)
    {
        return source is null ? throw new ArgumentNullException(nameof(source)) : ReadCoreAsync();

        async Task<T> ReadCoreAsync()
        {
            while (true)
            {
                ReadResult result = await ReadPipeAsync(source, cancellationToken).ConfigureAwait(false);
                ReadOnlySequence<byte> buffer = result.Buffer;
                if (!result.IsCompleted && buffer.Length <= Limits.MaxBodyByteCount)
                {
                    source.AdvanceTo(buffer.Start, buffer.End);
                    continue;
                }

                try
                {
                    CheckBodyByteCount(buffer.Length);
                    return Read(buffer);
                }
                finally
                {
                    source.AdvanceTo(buffer.End);
                }
            }
        }
    }

    /// <summary>Reads delimited bodies from a pipe, one after the other, up to its end.</summary>
    /// <param name="source">The pipe; it is not completed, and not to be used by others before the enumeration ends. Bytes after the last body that
    /// the caller takes stay in it.</param>
    /// <param name="cancellationToken">Cancels waiting for the pipe; what has been received stays in it.</param>
    /// <returns>The payloads, each read when it is asked for. A damaged body ends the enumeration with its error and is removed from the pipe:
    /// another enumeration begins with the next. Other errors: <see cref="MessageFormatErrorCode.Truncated"/> if the pipe ends within a body,
    /// <see cref="MessageFormatErrorCode.BadLength"/>, and <see cref="MessageFormatErrorCode.LimitExceeded"/> for a length above
    /// <see cref="FormatterLimits.MaxBodyByteCount"/>, before the body is awaited.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="source"/> is null.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled, or <see cref="PipeReader.CancelPendingRead"/> called.</exception>
    public IAsyncEnumerable<T> ReadAllDelimitedAsync(PipeReader source, CancellationToken cancellationToken = default)
    {
        return source is null ? throw new ArgumentNullException(nameof(source)) : ReadAll(cancellationToken);

        async IAsyncEnumerable<T> ReadAll([EnumeratorCancellation] CancellationToken cancellationToken)
        {
            while (true)
            {
                ReadResult result = await ReadPipeAsync(source, cancellationToken).ConfigureAwait(false);
                ReadOnlySequence<byte> rest = result.Buffer;
                bool needsMore = false;
                try
                {
                    while (TryReadDelimited(ref rest, out T? value))
                        yield return value;
                    if (result.IsCompleted && !rest.IsEmpty)
                        ThrowTruncated(rest);
                    needsMore = true;
                }
                finally
                {
                    // Also where the caller takes no more, and after an error.
                    source.AdvanceTo(rest.Start, needsMore ? rest.End : rest.Start);
                }

                if (result.IsCompleted)
                    yield break;
            }
        }
    }

    private void ThrowTruncated(in ReadOnlySequence<byte> rest)
    {
        if (!BodyPrefix.TryRead(rest, Limits.MaxBodyByteCount, out int byteCount, out int prefixByteCount))
            ThrowHelper.ThrowTruncated(rest.Length, 1);
        ThrowHelper.ThrowTruncated(rest.Length - prefixByteCount, byteCount - (rest.Length - prefixByteCount));
    }

    private static async ValueTask<ReadResult> ReadPipeAsync(PipeReader source, CancellationToken cancellationToken)
    {
        ReadResult result = await source.ReadAsync(cancellationToken).ConfigureAwait(false);
        if (!result.IsCanceled)
            return result;
        source.AdvanceTo(result.Buffer.Start);
        throw new OperationCanceledException("The pending read of the pipe was canceled.");
    }

    private ValueTask<FlushResult> FlushAsync(PipeWriter destination, T value, bool isDelimited, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(destination);
        using (WriteBuffer(value, isDelimited, out ArraySegment<byte> written))
            destination.Write(written);
        return destination.FlushAsync(cancellationToken);
    }
}
#endif
