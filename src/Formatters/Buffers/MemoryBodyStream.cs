using System;
using System.IO;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters;

/// <summary>A seekable stream over a growing array, whose position the classic writer and reader can use without a stream call.</summary>
internal sealed class MemoryBodyStream(bool isWritable) : Stream
{
    private byte[] _array = new byte[isWritable ? 1024 : 0];
    private int _position;
    private int _length;
    private StackWindow _stack = StackWindow.Begin();

    public override bool CanRead => true;

    public override bool CanSeek => true;

    public override bool CanWrite => isWritable;

    public override long Length => _length;

    public override long Position
    {
        get => _position;
        set
        {
            if (value < 0 || value > _length)
                throw new ArgumentOutOfRangeException(nameof(value), value, "The position lies outside the body.");
            _position = (int)value;
        }
    }

    internal ReadOnlySpan<byte> WrittenSpan => _array.AsSpan(0, _length);

    internal bool IsAtEnd => _position == _length;

    /// <summary>Returns the next bytes to write, and advances past them. The reference is valid until the next call.</summary>
    internal ref byte Reserve(int byteCount)
    {
        CheckStack();
        int position = _position;
        if (_array.Length - position <= byteCount)
            Grow(byteCount);
        _position = position + byteCount;
        if (_position > _length)
            _length = _position;
        return ref _array[position];
    }

    /// <summary>Returns unused bytes that <see cref="Reserve"/> took at the end of the body.</summary>
    internal void GiveBack(int byteCount)
    {
        _length -= byteCount;
        _position -= byteCount;
    }

    /// <summary>Returns the next bytes to read, and advances past them.</summary>
    internal ref byte Take(int byteCount)
    {
        CheckStack();
        int position = _position;
        if (_length - position < byteCount)
            ThrowHelper.ThrowTruncated(_length, byteCount - (_length - position));
        _position = position + byteCount;
#if NET
        return ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_array), position);
#else
        return ref Unsafe.Add(ref MemoryMarshal.GetReference(_array.AsSpan()), position);
#endif
    }

    internal void Load(ReadOnlySpan<byte> body)
    {
        if (_array.Length < body.Length)
            _array = new byte[Math.Max(1024, body.Length)];
        body.CopyTo(_array);
        _length = body.Length;
        _position = 0;
    }

    internal void Reset(int maxKeptByteCount)
    {
        _position = 0;
        _length = 0;
        if (_array.Length > maxKeptByteCount)
            _array = new byte[1024];
    }

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count)
    {
        int byteCount = Math.Min(count, _length - _position);
        _array.AsSpan(_position, byteCount).CopyTo(buffer.AsSpan(offset, count));
        _position += byteCount;
        return byteCount;
    }

    public override long Seek(long offset, SeekOrigin origin) =>
        Position = origin switch
        {
            SeekOrigin.Begin => offset,
            SeekOrigin.Current => _position + offset,
            _ => _length + offset,
        };

    public override void SetLength(long value)
    {
        if (!isWritable)
            throw new NotSupportedException();
        if (value < 0 || value > _length)
            throw new ArgumentOutOfRangeException(nameof(value), value, "The length of the body can only be reduced.");
        _length = (int)value;
        _position = Math.Min(_position, _length);
    }

    public override void Write(byte[] buffer, int offset, int count) => WriteCore(buffer.AsSpan(offset, count));

#if NET
    public override void Write(ReadOnlySpan<byte> buffer) => WriteCore(buffer);
#endif

    /// <summary>Checks the stack: recursive user code must pass here.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CheckStack()
    {
        if (!_stack.ContainsCaller)
            _stack.MoveToCaller(isWritable ? -1 : _position);
    }

    private void WriteCore(ReadOnlySpan<byte> bytes)
    {
        if (!isWritable)
            throw new NotSupportedException();
        if (bytes.IsEmpty)
            return;
        Reserve(bytes.Length);
        bytes.CopyTo(_array.AsSpan(_position - bytes.Length));
    }

    private void Grow(int byteCount)
    {
        long needed = Math.Max((long)_position + byteCount + 1, 2L * _array.Length);
        if (needed > 0x7FFFFFC7)
            throw new IOException("A body of 2 GiB or more does not fit into one array.");
        Array.Resize(ref _array, (int)needed);
    }
}
