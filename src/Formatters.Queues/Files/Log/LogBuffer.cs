using System;
using System.Buffers;

namespace Formatters.Queues;

/// <summary>The block that is being filled: space for its header, then operations. It grows, and can be truncated to an earlier length.</summary>
internal sealed class LogBuffer : IBufferWriter<byte>
{
    private const int KeptByteCount = 1 << 20;

    private byte[] _bytes = new byte[4096];

    internal int ByteCount { get; private set; } = LogBlock.HeaderByteCount;

    internal bool IsEmpty => ByteCount == LogBlock.HeaderByteCount;

    /// <summary>Gets the block without padding.</summary>
    internal Span<byte> Block => _bytes.AsSpan(0, ByteCount);

    /// <summary>Gets the block with zero padding.</summary>
    internal ReadOnlySpan<byte> PaddedBlock
    {
        get
        {
            int padded = (int)LogBlock.Align(ByteCount);
            EnsureRoom(padded - ByteCount);
            _bytes.AsSpan(ByteCount, padded - ByteCount).Clear();
            return _bytes.AsSpan(0, padded);
        }
    }

    public void Advance(int count) => ByteCount += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        EnsureRoom(Math.Max(sizeHint, 1));
        return _bytes.AsMemory(ByteCount);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        EnsureRoom(Math.Max(sizeHint, 1));
        return _bytes.AsSpan(ByteCount);
    }

    internal void CutBack(int byteCount) => ByteCount = byteCount;

    internal void Clear()
    {
        ByteCount = LogBlock.HeaderByteCount;
        if (_bytes.Length > KeptByteCount)
            _bytes = new byte[KeptByteCount];
    }

    private void EnsureRoom(int byteCount)
    {
        long needed = (long)ByteCount + byteCount;
        if (needed <= _bytes.Length)
            return;
        if (needed > Array.MaxLength - LogBlock.Alignment)
            throw new QueueException($"The sends and receives that take effect together have more than {Array.MaxLength} bytes.");
        Array.Resize(ref _bytes, (int)Math.Min(Math.Max(needed + LogBlock.Alignment, _bytes.Length * 2L), Array.MaxLength));
    }
}
