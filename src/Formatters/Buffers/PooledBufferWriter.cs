using System;
using System.Buffers;

namespace Formatters.Buffers;

/// <summary>A buffer writer over one rented array: write a body, pass <see cref="WrittenMemory"/> to the transport, clear or dispose.</summary>
/// <remarks>Not thread-safe. Dispose returns the array to the pool: memory obtained from this object must not be used afterwards.</remarks>
public sealed class PooledBufferWriter : IBufferWriter<byte>, IDisposable
{
    private const int DefaultByteCount = 256;
    private const int MaxArrayByteCount = 0x7FFFFFC7;

    private byte[]? _array;
    private int _written;

    /// <summary>Creates an empty writer.</summary>
    /// <param name="initialByteCount">The size to rent at first, in bytes; 0 rents nothing before the first write.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="initialByteCount"/> is negative.</exception>
    public PooledBufferWriter(int initialByteCount = DefaultByteCount)
    {
        if (initialByteCount < 0)
            throw new ArgumentOutOfRangeException(nameof(initialByteCount));
        _array = initialByteCount == 0 ? Array.Empty<byte>() : ArrayPool<byte>.Shared.Rent(initialByteCount);
    }

    /// <summary>Gets the number of bytes written since the last <see cref="Clear"/>.</summary>
    public int WrittenCount => _written;

    /// <summary>Gets the written bytes; valid until the next write, clear or dispose.</summary>
    public ReadOnlySpan<byte> WrittenSpan => Owned.AsSpan(0, _written);

    /// <inheritdoc cref="WrittenSpan"/>
    public ReadOnlyMemory<byte> WrittenMemory => Owned.AsMemory(0, _written);

    /// <inheritdoc cref="WrittenSpan"/>
    public ArraySegment<byte> WrittenSegment => new(Owned, 0, _written);

    /// <summary>Gets the written bytes for changes in place.</summary>
    internal Span<byte> WritableSpan => Owned.AsSpan(0, _written);

    /// <summary>Gets or sets whether the content is secret: arrays are then cleared before they are returned to the pool.</summary>
    internal bool IsSecret { get; set; }

    private byte[] Owned => _array ?? throw new ObjectDisposedException(nameof(PooledBufferWriter));

    /// <inheritdoc/>
    public void Advance(int count)
    {
        if (count < 0 || count > Owned.Length - _written)
            throw new ArgumentOutOfRangeException(nameof(count), "The count is greater than the length of the last span.");
        _written += count;
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _array.AsMemory(_written);
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _array.AsSpan(_written);
    }

    /// <summary>Discards the content and keeps the array for the next body.</summary>
    public void Clear() => _written = 0;

    /// <summary>Removes the last bytes.</summary>
    internal void Rewind(int byteCount) => _written -= byteCount;

    /// <summary>Returns the array to the pool.</summary>
    public void Dispose()
    {
        byte[]? array = _array;
        _array = null;
        if (array is { Length: > 0 })
            ArrayPool<byte>.Shared.Return(array, clearArray: IsSecret);
    }

    private void EnsureRoom(int sizeHint)
    {
        if (sizeHint < 0)
            throw new ArgumentOutOfRangeException(nameof(sizeHint));
        if (Owned.Length - _written < Math.Max(sizeHint, 1))
            Grow(Math.Max(sizeHint, 1));
    }

    private void Grow(int byteCount)
    {
        byte[] old = Owned;
        long needed = (long)_written + byteCount;
        if (needed > MaxArrayByteCount)
            throw new InvalidOperationException("A body of 2 GiB or more does not fit into one array.");
        byte[] array = ArrayPool<byte>.Shared.Rent((int)Math.Min(MaxArrayByteCount, Math.Max(needed, Math.Max(DefaultByteCount, 2L * old.Length))));
        old.AsSpan(0, _written).CopyTo(array);
        _array = array;
        if (old.Length > 0)
            ArrayPool<byte>.Shared.Return(old, clearArray: IsSecret);
    }
}
