using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Reads the frames of a connection, on dedicated threads.</summary>
/// <remarks>
/// A thread of the pool would be woken by another thread that waits for all sockets, which costs as much as half a flush. The reader therefore waits
/// in the socket, and runs the callers that get an answer itself: their next requests leave together. Callers may do anything there, even block: then
/// the thread pool runs the others, and a second thread takes over the role of the reader.
/// </remarks>
[SuppressMessage("Design", "CA1001", Justification = "The end of the connection ends the timer; the semaphore has no handle.")]
internal sealed class FrameReader
{
    /// <summary>The time after which another thread reads if the reader has not returned from a caller's continuation.</summary>
    private const int WatchMilliseconds = 1;

    private readonly FrameConnection _connection;
    private readonly Func<uint, byte[], IThreadPoolWorkItem?> _onFrame;
    private readonly Dictionary<uint, Partial> _partial = [];
    private readonly Lock _gate = new();
    private readonly SemaphoreSlim _roleIsFree = new(0);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Timer? _watch;
    private readonly Queue<IThreadPoolWorkItem> _callers = new();
    private byte[] _buffer = new byte[16 << 10];
    private int _count;
    private bool _hasReader;
    private bool _hasStandby;
    private bool _isWatching;

    private FrameReader(FrameConnection connection, Func<uint, byte[], IThreadPoolWorkItem?> onFrame, bool runsCallers)
    {
        _connection = connection;
        _onFrame = onFrame;
        if (runsCallers)
            _watch = new Timer(static reader => ((FrameReader)reader!).OnWatch(), this, Timeout.Infinite, Timeout.Infinite);
    }

    /// <summary>Reads frames until the connection ends.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="onFrame">Takes each frame, in order, and its bytes, which are its own. Returns who can go on with it, or null. The next frame is
    /// read when it has returned; an exception ends the connection.</param>
    /// <param name="runsCallers">Whether it returns callers, for whom a second thread is needed.</param>
    /// <returns>A task that completes when the connection has ended.</returns>
    internal static Task ReadAsync(FrameConnection connection, Func<uint, byte[], IThreadPoolWorkItem?> onFrame, bool runsCallers)
    {
        var reader = new FrameReader(connection, onFrame, runsCallers);
        for (int i = 0; i < (runsCallers ? 2 : 1); i++)
            new Thread(reader.Run) { IsBackground = true, Name = "Formatters queue folder" }.Start();
        return reader._ended.Task;
    }

    private void Run()
    {
        while (BecomeReader())
        {
            while (TryRead() && RunCallers())
            {
            }
        }
    }

    /// <summary>Waits until no thread is the reader.</summary>
    /// <returns>False if the connection has ended.</returns>
    private bool BecomeReader()
    {
        while (true)
        {
            lock (_gate)
            {
                if (_ended.Task.IsCompleted)
                    return false;
                if (!_hasReader)
                    return _hasReader = true;
                _hasStandby = true;
            }

            _roleIsFree.Wait();
            lock (_gate)
                _hasStandby = false;
        }
    }

    /// <summary>Runs the callers that can go on, on this thread, if the other can be the reader meanwhile.</summary>
    /// <returns>Whether this thread is still, or again, the reader.</returns>
    private bool RunCallers()
    {
        lock (_gate)
        {
            if (_callers.Count == 0)
                return true;
            if (!_hasStandby)
            {
                QueueCallers();
                return true;
            }

            _hasReader = false;
            // What they request goes together, unless one of them blocks: the watch comes after this, and sends it.
            _connection.Hold();
            if (!_isWatching)
            {
                _isWatching = true;
                _watch!.Change(WatchMilliseconds, Timeout.Infinite);
            }
        }

        while (TryTakeCaller() is { } caller)
            caller.Execute();
        _connection.Release();
        lock (_gate)
        {
            if (_hasReader || _ended.Task.IsCompleted)
                return false;
            return _hasReader = true;
        }
    }

    private IThreadPoolWorkItem? TryTakeCaller()
    {
        lock (_gate)
            return _callers.TryDequeue(out IThreadPoolWorkItem? caller) ? caller : null;
    }

    /// <summary>Lets the thread pool run the callers; called under the gate.</summary>
    private void QueueCallers()
    {
        while (_callers.TryDequeue(out IThreadPoolWorkItem? caller))
            ThreadPool.UnsafeQueueUserWorkItem(caller, preferLocal: false);
    }

    private void OnWatch()
    {
        lock (_gate)
        {
            _isWatching = false;
            if (!_hasReader)
            {
                QueueCallers();
                if (_hasStandby)
                    _roleIsFree.Release();
            }
        }

        // Even if there is a reader: it may be the other thread, which an earlier watch has woken.
        _connection.Release();
    }

    /// <summary>Waits for bytes, and takes the frames that have arrived.</summary>
    /// <returns>False if the connection has ended.</returns>
    private bool TryRead()
    {
        try
        {
            int read = _connection.Receive(_buffer.AsSpan(_count));
            if (read > 0)
            {
                _count += read;
                TakeFrames();
                return true;
            }
        }
        catch (Exception)
        {
            // The other process is gone, or has sent what is not a frame of this version.
        }

        _connection.Dispose();
        lock (_gate)
        {
            QueueCallers();
            _ended.TrySetResult();
        }

        _roleIsFree.Release();
        _watch?.Dispose();
        return false;
    }

    private void TakeFrames()
    {
        int start = 0;
        int needed;
        _connection.Hold();
        try
        {
            while ((needed = FrameByteCount(_buffer.AsSpan(start, _count - start))) <= _count - start)
            {
                if (TakeFrame(_buffer.AsSpan(start, needed), out uint id) is { } payload && _onFrame(id, payload) is { } caller)
                {
                    lock (_gate)
                        _callers.Enqueue(caller);
                }

                start += needed;
                _connection.WaitUntilDrained();
            }
        }
        finally
        {
            _connection.Release();
        }

        _count -= start;
        if (needed > _buffer.Length)
        {
            byte[] larger = new byte[needed];
            _buffer.AsSpan(start, _count).CopyTo(larger);
            _buffer = larger;
        }
        else if (start > 0)
        {
            _buffer.AsSpan(start, _count).CopyTo(_buffer);
        }
    }

    private static int FrameByteCount(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < FrameConnection.HeaderByteCount)
            return FrameConnection.HeaderByteCount;
        uint byteCount = BinaryPrimitives.ReadUInt32LittleEndian(bytes) & ~FrameConnection.More;
        return byteCount <= FrameConnection.PartByteCount
            ? FrameConnection.HeaderByteCount + (int)byteCount
            : throw new FormatException("A frame is too large.");
    }

    /// <summary>Returns the bytes of a frame; null for a part that is not the last.</summary>
    private byte[]? TakeFrame(ReadOnlySpan<byte> frame, out uint id)
    {
        bool hasMore = (BinaryPrimitives.ReadUInt32LittleEndian(frame) & FrameConnection.More) != 0;
        id = BinaryPrimitives.ReadUInt32LittleEndian(frame[4..]);
        ReadOnlySpan<byte> bytes = frame[FrameConnection.HeaderByteCount..];
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

    /// <summary>The parts of a frame that have arrived. It grows with them, not with what was announced.</summary>
    private sealed class Partial
    {
        private readonly List<(byte[] Bytes, int Count)> _parts = [];
        private int _count;

        internal void Add(ReadOnlySpan<byte> part)
        {
            if (part.Length > Array.MaxLength - _count)
                throw new FormatException("A frame is too large.");
            byte[] bytes = ArrayPool<byte>.Shared.Rent(part.Length);
            part.CopyTo(bytes);
            _parts.Add((bytes, part.Length));
            _count += part.Length;
        }

        internal byte[] ToArray()
        {
            byte[] all = GC.AllocateUninitializedArray<byte>(_count);
            Span<byte> rest = all;
            foreach ((byte[] bytes, int count) in _parts)
            {
                bytes.AsSpan(0, count).CopyTo(rest);
                rest = rest[count..];
                ArrayPool<byte>.Shared.Return(bytes);
            }

            return all;
        }
    }
}
