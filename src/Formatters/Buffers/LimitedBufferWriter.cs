using System;
using System.Buffers;

namespace Formatters;

/// <summary>A buffer writer that passes bytes to another one up to a limit; reusable, for codecs that take a buffer writer and no limit.</summary>
internal sealed class LimitedBufferWriter : IBufferWriter<byte>
{
    private IBufferWriter<byte>? _destination;
    private int _maxByteCount;
    private long _written;

    /// <summary>Starts a body.</summary>
    internal LimitedBufferWriter Start(IBufferWriter<byte> destination, int maxByteCount)
    {
        _destination = destination;
        _maxByteCount = maxByteCount;
        _written = 0;
        return this;
    }

    /// <summary>Gets the number of bytes of the body so far.</summary>
    internal int WrittenCount => (int)_written;

    /// <summary>Releases the destination, so that a cached instance does not keep it alive.</summary>
    internal void Forget() => _destination = null;

    public void Advance(int count)
    {
        _written += count;
        if (_written > _maxByteCount)
            ThrowHelper.ThrowBodyTooLarge(_written, _maxByteCount);
        Destination.Advance(count);
    }

    public Memory<byte> GetMemory(int sizeHint = 0) => Destination.GetMemory(sizeHint);

    public Span<byte> GetSpan(int sizeHint = 0) => Destination.GetSpan(sizeHint);

    private IBufferWriter<byte> Destination => _destination
        ?? throw new InvalidOperationException("The body has been written: the buffer writer is no longer valid.");
}
