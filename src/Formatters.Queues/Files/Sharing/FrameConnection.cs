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
    internal const int HeaderByteCount = 8;
    internal const int PartByteCount = 64 << 10;
    internal const uint More = 1u << 31;

    [ThreadStatic]
    private static List<FrameConnection>? _batches;

    [ThreadStatic]
    private static List<FrameConnection>? _batch;

    private readonly Socket _socket;
    private readonly Lock _gate = new();
    private readonly List<Large> _large = [];
    private byte[] _filling = new byte[4 << 10];
    private byte[] _writing = new byte[4 << 10];
    private int _filled;
    private readonly long _maxPendingByteCount;
    private long _pendingByteCount;
    private bool _isHeld;
    private bool _isWriting;
    private bool _isClosed;
    private TaskCompletionSource? _drained;

    /// <param name="socket">The socket.</param>
    /// <param name="maxPendingByteCount">How many bytes may be pending before no more frames are read.</param>
    internal FrameConnection(Socket socket, long maxPendingByteCount)
    {
        _socket = socket;
        _socket.Blocking = false;
        _maxPendingByteCount = maxPendingByteCount;
    }

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
    /// <param name="isOneOfMany">Whether other frames may follow immediately: they are then sent together, from the thread pool.</param>
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
            if (_isWriting || _isHeld)
                return;
            if (_batch is { } batch)
            {
                _isHeld = true;
                batch.Add(this);
                return;
            }

            _isWriting = true;
        }

        if (isOneOfMany)
            ThreadPool.UnsafeQueueUserWorkItem(static connection => _ = connection.SendAsync(), this, preferLocal: false);
        else
            _ = SendAsync();
    }

    /// <summary>Waits until the other side has taken so much that no more than the allowed number of bytes is pending.</summary>
    internal void WaitUntilDrained()
    {
        while (true)
        {
            Task drained;
            lock (_gate)
            {
                if (_isClosed || _pendingByteCount <= _maxPendingByteCount)
                    return;
                _drained ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                drained = _drained.Task;
            }

            Release();
            drained.Wait();
        }
    }

    /// <summary>Keeps what this thread adds to any connection, until <see cref="EndBatch"/>.</summary>
    internal static void BeginBatch() => _batch = _batches ??= [];

    internal static void EndBatch()
    {
        _batch = null;
        foreach (FrameConnection connection in _batches!)
            connection.Release();
        _batches.Clear();
    }

    /// <summary>Keeps the frames that are added from now on, to send them together.</summary>
    internal void Hold()
    {
        lock (_gate)
            _isHeld = true;
    }

    /// <summary>Sends the frames that were kept.</summary>
    internal void Release()
    {
        lock (_gate)
        {
            _isHeld = false;
            if (_isClosed || _isWriting || (_filled == 0 && _large.Count == 0))
                return;
            _isWriting = true;
        }

        _ = SendAsync();
    }

    /// <summary>Waits for bytes.</summary>
    /// <returns>How many; 0 if the connection has ended.</returns>
    internal int Receive(Span<byte> buffer)
    {
        while (true)
        {
            int count = _socket.Receive(buffer, SocketFlags.None, out SocketError error);
            if (error == SocketError.Success)
            {
                LastReceived = Environment.TickCount64;
                return count;
            }

            if (error != SocketError.WouldBlock)
                return 0;
            _socket.Poll(-1, SelectMode.SelectRead);
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isClosed = true;
            _drained?.TrySetResult();
        }

        try
        {
            // Wakes the reader.
            _socket.Shutdown(SocketShutdown.Both);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The connection has ended already.
        }

        _socket.Dispose();
    }

    /// <summary>Sends what is pending, and then ends the connection.</summary>
    internal async ValueTask CloseAsync()
    {
        // Not for ever: the other process may be stopped.
        for (int i = 0; i < 100; i++)
        {
            Release();
            lock (_gate)
            {
                if (_isClosed || !_isWriting)
                    break;
            }

            await Task.Delay(10).ConfigureAwait(false);
        }

        Dispose();
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
}
