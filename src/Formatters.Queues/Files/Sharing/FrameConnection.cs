using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A connection between two processes of a folder: it carries frames with an id each, of any size, in both directions.</summary>
/// <remarks>
/// A frame is the byte count of a part (UInt32, whose highest bit says that more parts follow), the id (UInt32), and the bytes. Large frames go in
/// parts, between which others pass.
/// </remarks>
internal sealed class FrameConnection : IDisposable
{
    private const int HeaderByteCount = 8;
    private const int PartByteCount = 64 << 10;
    private const uint More = 1u << 31;

    private readonly Socket _socket;
    private readonly Lock _gate = new();
    private readonly List<Large> _large = [];
    private readonly Dictionary<uint, Partial> _partial = [];
    private byte[] _filling = new byte[4 << 10];
    private byte[] _writing = new byte[4 << 10];
    private int _filled;
    private long _pendingByteCount;
    private bool _isWriting;
    private bool _isClosed;
    private TaskCompletionSource? _drained;

    internal FrameConnection(Socket socket) => _socket = socket;

    /// <summary>Gets when the last bytes arrived, in milliseconds of <see cref="Environment.TickCount64"/>.</summary>
    internal long LastReceived { get; private set; } = Environment.TickCount64;

    /// <summary>Gets whether the connection has ended.</summary>
    internal bool IsClosed
    {
        get
        {
            lock (_gate)
                return _isClosed;
        }
    }

    /// <summary>Adds a frame to be sent. Does not wait; a closed connection ignores it.</summary>
    /// <param name="id">The request's id.</param>
    /// <param name="payload">The bytes, which must not change any more.</param>
    /// <param name="order">Frames with the same order that are not 0 arrive in the order of the calls, also if one is large.</param>
    /// <param name="isOneOfMany">Whether other frames may follow at once: they are then sent together, from the thread pool.</param>
    internal void Write(uint id, ReadOnlyMemory<byte> payload, long order = 0, bool isOneOfMany = false)
    {
        lock (_gate)
        {
            if (_isClosed)
                return;
            _pendingByteCount += payload.Length;
            if (payload.Length > PartByteCount || (order != 0 && _large.Exists(large => large.Order == order)))
                _large.Add(new Large(id, payload, order));
            else
                Append(id, payload.Span, hasMore: false);
            if (_isWriting)
                return;
            _isWriting = true;
        }

        if (isOneOfMany)
            ThreadPool.UnsafeQueueUserWorkItem(static connection => _ = connection.SendAsync(), this, preferLocal: false);
        else
            _ = SendAsync();
    }

    /// <summary>Waits until the other side has taken so much that no more than a number of bytes is pending.</summary>
    internal ValueTask DrainAsync(long maxByteCount)
    {
        lock (_gate)
        {
            if (_isClosed || _pendingByteCount <= maxByteCount)
                return default;
            _drained ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return new ValueTask(AwaitAsync(_drained.Task, maxByteCount));
        }

        async Task AwaitAsync(Task drained, long max)
        {
            await drained.ConfigureAwait(false);
            await DrainAsync(max).ConfigureAwait(false);
        }
    }

    /// <summary>Reads frames until the connection ends.</summary>
    /// <param name="onFrame">Takes each frame, in order, and its bytes, which are its own. The next is read when it has completed; an exception ends
    /// the connection.</param>
    internal async Task ReadAsync(Func<uint, byte[], ValueTask> onFrame)
    {
        byte[] buffer = new byte[16 << 10];
        int count = 0;
        try
        {
            while (true)
            {
                int read = await _socket.ReceiveAsync(buffer.AsMemory(count), SocketFlags.None).ConfigureAwait(false);
                if (read == 0)
                    break;
                LastReceived = Environment.TickCount64;
                count += read;
                int start = 0;
                int needed;
                while ((needed = FrameByteCount(buffer.AsSpan(start, count - start))) <= count - start)
                {
                    if (TakeFrame(buffer.AsSpan(start, needed), out uint id) is { } payload)
                        await onFrame(id, payload).ConfigureAwait(false);
                    start += needed;
                }

                count -= start;
                if (needed > buffer.Length)
                {
                    byte[] larger = new byte[needed];
                    buffer.AsSpan(start, count).CopyTo(larger);
                    buffer = larger;
                }
                else if (start > 0)
                {
                    buffer.AsSpan(start, count).CopyTo(buffer);
                }
            }
        }
        catch (Exception)
        {
            // The other process is gone, or has sent what is not a frame of this version.
        }
        finally
        {
            Dispose();
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isClosed = true;
            _drained?.TrySetResult();
        }

        _socket.Dispose();
    }

    /// <summary>Sends what is pending, and then ends the connection.</summary>
    internal async ValueTask CloseAsync()
    {
        // Not for ever: the other process may be stopped.
        for (int i = 0; i < 100; i++)
        {
            lock (_gate)
            {
                if (_isClosed || !_isWriting)
                    break;
            }

            await Task.Delay(10).ConfigureAwait(false);
        }

        Dispose();
    }

    private static int FrameByteCount(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < HeaderByteCount)
            return HeaderByteCount;
        uint byteCount = BinaryPrimitives.ReadUInt32LittleEndian(bytes) & ~More;
        return byteCount <= PartByteCount ? HeaderByteCount + (int)byteCount : throw new FormatException("A frame is too large.");
    }

    /// <summary>Returns the bytes of a frame; null for a part that is not the last.</summary>
    private byte[]? TakeFrame(ReadOnlySpan<byte> frame, out uint id)
    {
        bool hasMore = (BinaryPrimitives.ReadUInt32LittleEndian(frame) & More) != 0;
        id = BinaryPrimitives.ReadUInt32LittleEndian(frame[4..]);
        ReadOnlySpan<byte> bytes = frame[HeaderByteCount..];
        if (!_partial.TryGetValue(id, out Partial? partial))
        {
            if (!hasMore)
                return bytes.ToArray();
            _partial.Add(id, partial = new Partial());
        }

        partial.Add(bytes);
        if (hasMore)
            return null;
        _partial.Remove(id);
        return partial.ToArray();
    }

    private void Append(uint id, ReadOnlySpan<byte> payload, bool hasMore)
    {
        int byteCount = _filled + HeaderByteCount + payload.Length;
        if (byteCount > _filling.Length)
            Array.Resize(ref _filling, Math.Max(byteCount, 2 * _filling.Length));
        Span<byte> frame = _filling.AsSpan(_filled);
        BinaryPrimitives.WriteUInt32LittleEndian(frame, (uint)payload.Length | (hasMore ? More : 0));
        BinaryPrimitives.WriteUInt32LittleEndian(frame[4..], id);
        payload.CopyTo(frame[HeaderByteCount..]);
        _filled = byteCount;
    }

    private async Task SendAsync()
    {
        try
        {
            while (true)
            {
                int byteCount;
                lock (_gate)
                {
                    AppendParts();
                    if (_filled == 0 || _isClosed)
                    {
                        _isWriting = false;
                        return;
                    }

                    (_filling, _writing) = (_writing, _filling);
                    byteCount = _filled;
                    _filled = 0;
                }

                for (int sent = 0; sent < byteCount;)
                    sent += await _socket.SendAsync(_writing.AsMemory(sent, byteCount - sent), SocketFlags.None).ConfigureAwait(false);
                lock (_gate)
                {
                    if (_filled == 0 && _large.Count == 0)
                        _pendingByteCount = 0;
                    else
                        _pendingByteCount = Math.Max(0, _pendingByteCount - byteCount);
                    _drained?.TrySetResult();
                    _drained = null;
                }
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            Dispose();
        }
    }

    /// <summary>Appends the next part of each large frame; of those with the same order, only of the first.</summary>
    private void AppendParts()
    {
        for (int i = 0; i < _large.Count; i++)
        {
            Large large = _large[i];
            if (large.Order != 0 && _large.FindIndex(other => other.Order == large.Order) < i)
                continue;
            int byteCount = Math.Min(PartByteCount, large.Payload.Length - large.Sent);
            bool hasMore = large.Sent + byteCount < large.Payload.Length;
            Append(large.Id, large.Payload.Span.Slice(large.Sent, byteCount), hasMore);
            large.Sent += byteCount;
            if (!hasMore)
                _large.RemoveAt(i--);
        }
    }

    private sealed class Large(uint id, ReadOnlyMemory<byte> payload, long order)
    {
        internal uint Id => id;

        internal ReadOnlyMemory<byte> Payload => payload;

        internal long Order => order;

        internal int Sent { get; set; }
    }

    /// <summary>The parts of a frame that have arrived. It grows with them, not with what was announced.</summary>
    private sealed class Partial
    {
        private byte[] _bytes = [];
        private int _count;

        internal void Add(ReadOnlySpan<byte> part)
        {
            if (part.Length > Array.MaxLength - _count)
                throw new FormatException("A frame is too large.");
            if (_count + part.Length > _bytes.Length)
                Array.Resize(ref _bytes, (int)Math.Min(Array.MaxLength, Math.Max(_count + part.Length, 2L * _bytes.Length)));
            part.CopyTo(_bytes.AsSpan(_count));
            _count += part.Length;
        }

        internal byte[] ToArray() => _bytes.Length == _count ? _bytes : _bytes.AsSpan(0, _count).ToArray();
    }
}
