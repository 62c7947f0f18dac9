using System;
using System.Buffers;
using System.IO;
using System.IO.Compression;
using System.Runtime.InteropServices;
using Formatters.Buffers;
using Formatters.Envelopes;

namespace Formatters;

/// <summary>Compresses whole bodies, and expands them within the limits.</summary>
internal static class Compression
{
    /// <summary>The default window of Brotli's own tools, 4 MiB.</summary>
    private const int BrotliWindow = 22;

    /// <summary>Determines whether an algorithm is supported.</summary>
    internal static bool Has(byte algorithm) => algorithm switch
    {
        (byte)CompressionAlgorithm.Deflate => true,
#if NET
        (byte)CompressionAlgorithm.Brotli => true,
#endif
        _ => false,
    };

    /// <summary>Compresses the end of a segment.</summary>
    /// <returns><see langword="false"/> if the compressed bytes do not fit.</returns>
    internal static bool TryCompress(CompressionOptions options, ArraySegment<byte> written, int bodyOffset, Span<byte> destination,
        out int byteCount)
    {
#if NET
        if (options.Algorithm == CompressionAlgorithm.Brotli)
            return BrotliEncoder.TryCompress(written.AsSpan(bodyOffset), destination, out byteCount, Quality(options.Level), BrotliWindow);
#endif
        byteCount = 0;
        using var compressed = new PooledBufferWriter(destination.Length);
        using (var output = new BufferWriterStream(compressed, int.MaxValue))
        using (var deflate = new DeflateStream(output, options.Level, leaveOpen: true))
            deflate.Write(written.Array!, written.Offset + bodyOffset, written.Count - bodyOffset);
        if (compressed.WrittenCount > destination.Length)
            return false;
        compressed.WrittenSpan.CopyTo(destination);
        byteCount = compressed.WrittenCount;
        return true;
    }

    /// <summary>Expands bytes to exactly the declared number.</summary>
    /// <param name="algorithm">A supported algorithm; see <see cref="Has"/>.</param>
    /// <param name="compressed">All that was compressed, and no more.</param>
    /// <param name="body">Receives the body.</param>
    /// <param name="byteCount">Its length.</param>
    /// <param name="offset">The offset of the compressed bytes, for errors.</param>
    internal static void Expand(byte algorithm, ReadOnlySpan<byte> compressed, byte[] body, int byteCount, int offset)
    {
#if NET
        if (algorithm == (byte)CompressionAlgorithm.Brotli)
        {
            using var decoder = default(BrotliDecoder);
            OperationStatus status = decoder.Decompress(compressed, body.AsSpan(0, byteCount), out int consumed, out int expanded);
            if (status == OperationStatus.NeedMoreData)
                ThrowHelper.ThrowTruncated(offset + compressed.Length, 1);
            if (status == OperationStatus.InvalidData)
                ThrowHelper.ThrowMalformed(offset + consumed, "The bytes are not valid Brotli data.");
            Check(expanded, byteCount, isMore: status == OperationStatus.DestinationTooSmall, offset);
            if (consumed < compressed.Length)
                ThrowHelper.ThrowTrailingBytes(offset + consumed, compressed.Length - consumed);
            return;
        }
#endif
        Inflate(compressed, body, byteCount, offset);
    }

    private static unsafe void Inflate(ReadOnlySpan<byte> compressed, byte[] body, int byteCount, int offset)
    {
        if (compressed.IsEmpty)
            ThrowHelper.ThrowTruncated(offset, 1);
        int expanded = 0;
        bool isMore, isAllRead;
        fixed (byte* p = &MemoryMarshal.GetReference(compressed))
        {
            using var input = new LastByteAloneStream(p, compressed.Length);
            using var inflate = new DeflateStream(input, CompressionMode.Decompress, leaveOpen: true);
            try
            {
                for (int count; expanded < byteCount && (count = inflate.Read(body, expanded, byteCount - expanded)) > 0;)
                    expanded += count;
                isMore = expanded == byteCount && inflate.ReadByte() >= 0;
            }
            catch (InvalidDataException)
            {
                if (input.HasEnded)
                    ThrowHelper.ThrowTruncated(offset + compressed.Length, 1);
                throw new MessageFormatException(MessageFormatErrorCode.Malformed, "The bytes are not valid Deflate data.", offset, isPoison: true);
            }

            isAllRead = input.IsAllRead;
            if (input.HasEnded && !isMore)
                ThrowHelper.ThrowTruncated(offset + compressed.Length, 1);
        }

        Check(expanded, byteCount, isMore, offset);
        if (!isAllRead)
            ThrowHelper.ThrowMalformed(offset, "Bytes remain after the end of the compressed body.");
    }

    private static void Check(int expanded, int byteCount, bool isMore, int offset)
    {
        if (isMore || expanded != byteCount)
            ThrowHelper.ThrowBadLength(offset - 4, "The body does not expand to the length that it declares.");
    }

#if NET
    private static int Quality(CompressionLevel level) => level switch
    {
        CompressionLevel.NoCompression => 0,
        CompressionLevel.Fastest => 1,
        CompressionLevel.SmallestSize => 11,
        _ => 4,
    };
#endif

    /// <summary>
    /// A stream of the compressed bytes that returns the last one separately. A Deflate stream does not report unread input, and consumes what it
    /// gets: if it never requests the last byte, its end is before that; if it requests more, its end is after it.
    /// </summary>
    private sealed unsafe class LastByteAloneStream(byte* bytes, int byteCount) : Stream
    {
        private int _position;

        internal bool IsAllRead => _position == byteCount;

        internal bool HasEnded { get; private set; }

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override int Read(byte[] buffer, int offset, int count)
        {
            int rest = byteCount - _position;
            int readByteCount = Math.Min(count, rest > 1 ? rest - 1 : rest);
            if (readByteCount == 0)
            {
                HasEnded |= count > 0;
                return 0;
            }

            new ReadOnlySpan<byte>(bytes + _position, readByteCount).CopyTo(buffer.AsSpan(offset));
            _position += readByteCount;
            return readByteCount;
        }

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
