using System;
using System.Buffers;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Buffers;

namespace Formatters;

/// <summary>Streams for codecs that require them: over a body to be read, and into a buffer to be written.</summary>
internal static class BodyStreams
{
    internal static Stream Open(in ReadOnlySequence<byte> bytes) =>
        bytes.IsSingleSegment && MemoryMarshal.TryGetArray(bytes.First, out ArraySegment<byte> segment) && segment.Array is not null
            ? new MemoryStream(segment.Array, segment.Offset, segment.Count, writable: false)
            : new MemoryStream(bytes.ToArray(), writable: false);

    /// <summary>Reads to the end of a stream, but at most the limit and one more byte.</summary>
    internal static void ReadToEnd(Stream source, PooledBufferWriter destination, int maxByteCount)
    {
        while (true)
        {
            ArraySegment<byte> room = Room(destination);
            int count = source.Read(room.Array!, room.Offset, (int)Math.Min(room.Count, 1L + maxByteCount - destination.WrittenCount));
            if (count == 0)
                return;
            destination.Advance(count);
            if (destination.WrittenCount > maxByteCount)
                ThrowHelper.ThrowBodyTooLarge(destination.WrittenCount, maxByteCount);
        }
    }

    /// <inheritdoc cref="ReadToEnd"/>
    internal static async Task ReadToEndAsync(Stream source, PooledBufferWriter destination, int maxByteCount, CancellationToken cancellationToken)
    {
        while (true)
        {
            ArraySegment<byte> room = Room(destination);
            int max = (int)Math.Min(room.Count, 1L + maxByteCount - destination.WrittenCount);
#if NET
            int count = await source.ReadAsync(room.AsMemory(0, max), cancellationToken).ConfigureAwait(false);
#else
            int count = await source.ReadAsync(room.Array!, room.Offset, max, cancellationToken).ConfigureAwait(false);
#endif
            if (count == 0)
                return;
            destination.Advance(count);
            if (destination.WrittenCount > maxByteCount)
                ThrowHelper.ThrowBodyTooLarge(destination.WrittenCount, maxByteCount);
        }
    }

    /// <summary>The number of bytes rented at a time for a body whose length is only claimed.</summary>
    internal const int MaxChunkByteCount = 64 * 1024;

    /// <summary>Reads a number of bytes.</summary>
    /// <exception cref="MessageFormatException">The stream ends before.</exception>
    internal static void ReadExactly(Stream source, PooledBufferWriter destination, int byteCount)
    {
        while (destination.WrittenCount < byteCount)
        {
            int missing = byteCount - destination.WrittenCount;
            ArraySegment<byte> room = Room(destination, Math.Min(missing, MaxChunkByteCount));
            int count = source.Read(room.Array!, room.Offset, Math.Min(room.Count, missing));
            if (count == 0)
                ThrowHelper.ThrowTruncated(destination.WrittenCount, missing);
            destination.Advance(count);
        }
    }

#if NET
    /// <inheritdoc cref="ReadExactly"/>
    internal static async ValueTask ReadExactlyAsync(Stream source, PooledBufferWriter destination, int byteCount,
        CancellationToken cancellationToken)
    {
        while (destination.WrittenCount < byteCount)
        {
            int missing = byteCount - destination.WrittenCount;
            Memory<byte> room = destination.GetMemory(Math.Min(missing, MaxChunkByteCount));
            int count = await source.ReadAsync(room[..Math.Min(room.Length, missing)], cancellationToken).ConfigureAwait(false);
            if (count == 0)
                ThrowHelper.ThrowTruncated(destination.WrittenCount, missing);
            destination.Advance(count);
        }
    }

    /// <summary>Reads one byte.</summary>
    /// <returns><see langword="false"/> at the end of the stream.</returns>
    internal static async ValueTask<bool> TryReadByteAsync(Stream source, PooledBufferWriter destination, CancellationToken cancellationToken)
    {
        int count = await source.ReadAsync(destination.GetMemory(1)[..1], cancellationToken).ConfigureAwait(false);
        destination.Advance(count);
        return count == 1;
    }
#endif

    private static ArraySegment<byte> Room(PooledBufferWriter writer, int minByteCount = 256)
    {
        MemoryMarshal.TryGetArray((ReadOnlyMemory<byte>)writer.GetMemory(minByteCount), out ArraySegment<byte> segment);
        return segment;
    }
}

/// <summary>A write-only stream into a buffer writer, for codecs that support only streams.</summary>
internal sealed class BufferWriterStream(IBufferWriter<byte> destination, int maxByteCount) : Stream
{
    private long _written;

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => _written;

    public override long Position
    {
        get => _written;
        set => throw new NotSupportedException();
    }

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => WriteCore(buffer.AsSpan(offset, count));

    public override void WriteByte(byte value) => WriteCore([value]);

#if NET
    public override void Write(ReadOnlySpan<byte> buffer) => WriteCore(buffer);
#endif

    private void WriteCore(ReadOnlySpan<byte> bytes)
    {
        _written += bytes.Length;
        if (_written > maxByteCount)
            ThrowHelper.ThrowBodyTooLarge(_written, maxByteCount);
        destination.Write(bytes);
    }
}
