using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>
/// The append-only log of a folder: callers add writes concurrently, and one thread at a time writes and flushes what was added since the last flush.
/// </summary>
/// <remarks>After the first error of a write or flush the log accepts no more writes: only a new opening can determine what is on the disk.</remarks>
internal sealed partial class MessageLog : IAsyncDisposable
{
    /// <summary>The number of pending bytes beyond which senders that do not await their sends block until the writer has taken them.</summary>
    private const int MaxFillingByteCount = 16 << 20;

    private readonly LogFolder _folder;
    private readonly FileQueueOptions _options;
    private readonly Func<LogTable> _getTable;
    private readonly QueueClock _clock;
    private readonly object _gate = new();
    private readonly List<LogSegment> _segments;
    private readonly Guid _folderId;
    private readonly bool _hasThreads;
    private LogBuffer _filling = new();
    private LogBuffer _writing = new();
    private List<LogWrite> _waiting = [];
    private List<LogWrite> _written = [];
    private LogSegment[] _segmentTable;
    private LogSegment _current;
    private long _writeTicks;
    private ulong _nextBlock;
    private ulong _nextMessage;
    private LogManifest? _manifest;
    private long _byteCountBehindSnapshot;
    private long _lastBlock;
    private uint _lastChecksum;
    private bool _isIdle;
    private bool _isClosing;
    private readonly Action<Func<QueueException>> _onStopped;
    private ulong? _snapshotSegment;
    private QueueException? _failure;

    /// <param name="folder">The files.</param>
    /// <param name="options">The sizes and delays.</param>
    /// <param name="state">The result of recovery.</param>
    /// <param name="getTable">Returns the state for the first block of a segment; called under the log's gate. It contains only what is already on
    /// the disk, because that block precedes those that are being filled.</param>
    /// <param name="onStopped">Called once, on the writer's thread, when the log has failed, with what creates the exception for an operation that
    /// was not begun.</param>
    /// <param name="hasThreads">Whether the log writes on its own threads; otherwise the caller uses <see cref="WritePending"/>.</param>
    internal MessageLog(LogFolder folder, FileQueueOptions options, LogState state, Func<LogTable> getTable,
        Action<Func<QueueException>> onStopped, bool hasThreads)
    {
        _folder = folder;
        _options = options;
        _getTable = getTable;
        _onStopped = onStopped;
        _clock = new QueueClock(options.TimeProvider);
        _segments = state.Segments;
        _segmentTable = [.. _segments];
        _folderId = state.FolderId;
        _nextBlock = state.NextBlock;
        _nextMessage = state.NextMessage;
        _manifest = state.Manifest;
        _byteCountBehindSnapshot = state.ReplayedByteCount;
        _byteCount = _segments.Sum(segment => segment.ByteCount);
        _current = _segments.Count > 0 ? _segments[^1] : Roll(0);
        // The segment in which the snapshot ends, or a later one.
        _snapshotSegment = folder.GetFileNames().Contains(LogSnapshot.FileName) ? _current.Number : null;
        _hasThreads = hasThreads;
        if (hasThreads)
        {
            Prepare();
            StartThreads();
        }
    }

    internal Guid FolderId => _folderId;

    /// <summary>Gets the end of the log; used on the writer's thread.</summary>
    private LogEnd End => new(_folderId, _current.Number, _nextBlock);

    /// <summary>Gets the lock that guards the blocks being filled, the numbers, and the queues in the table.</summary>
    internal object Gate => _gate;

    /// <summary>Gets the total size of all segments.</summary>
    internal long ByteCount => Interlocked.Read(ref _byteCount);

    /// <summary>Returns a segment that has messages.</summary>
    /// <param name="number">The lower half of its number.</param>
    internal LogSegment SegmentOf(uint number)
    {
        LogSegment[] segments = Volatile.Read(ref _segmentTable);
        return segments[(int)(number - (uint)segments[0].Number)];
    }

    /// <summary>Gets why the log accepts no more writes, or null.</summary>
    internal string? StoppedReason
    {
        get
        {
            lock (_gate)
                return _failure?.Message;
        }
    }

    /// <summary>Takes the number of the next message; called under the log's gate.</summary>
    internal ulong TakeMessageNumber() => _nextMessage++;

    /// <summary>Adds operations. They are applied, and the returned task completes, when they are on the disk.</summary>
    /// <exception cref="QueueException">The log has failed or is closed.</exception>
    internal ValueTask WriteAsync(LogWrite write)
    {
        // The writer may complete the write, and its caller reuse it, as soon as the gate is open.
        ValueTask task = write.Start(continuesOnPool: _hasThreads && !write.IsServed);
        bool writesHere;
        lock (_gate)
        {
            while (_filling.ByteCount > MaxFillingByteCount && _hasThreads && _failure is null)
                Monitor.Wait(_gate);
            if (_failure is not null)
                throw Failed(_failure, isBegun: false);
            if (_isClosing)
                throw new QueueException($"The queue folder '{_folder.Name}' is closed.");
            if (_isFull && write.AddsMessages)
                throw Full();
            writesHere = _isIdle && _options.WritesOnCallingThread && !write.IsServed;
            Enqueue(write, writesHere);
        }

        if (writesHere)
            WriteOnCallingThread();
        return task;
    }

    /// <summary>Adds operations without waiting for them. A stopped log ignores them.</summary>
    internal void Write(LogWrite write)
    {
        lock (_gate)
        {
            if (_failure is null && !_isClosing)
                Enqueue(write);
        }
    }

    /// <summary>Writes and flushes the pending operations once, and completes them.</summary>
    /// <returns>Whether there was anything.</returns>
    internal bool WritePending()
    {
        if (!TakePending())
            return false;
        CompleteFirst(WriteTaken(), _written.Count);
        _written.Clear();
        return true;
    }

    /// <summary>Takes the pending operations; new ones go into another block.</summary>
    private bool TakePending()
    {
        lock (_gate)
        {
            if (_waiting.Count == 0)
                return false;
            (_filling, _writing) = (_writing, _filling);
            (_waiting, _written) = (_written, _waiting);
            if (_writing.ByteCount > MaxFillingByteCount)
                Monitor.PulseAll(_gate);
            return true;
        }
    }

    /// <returns>The error, or null.</returns>
    private QueueException? WriteTaken()
    {
        QueueException? error = _failure is null ? TryWriteBlock() : Failed(_failure, isBegun: true);
        _writing.Clear();
        return error;
    }

    /// <summary>Completes the first of the written operations. The answers to other processes go together.</summary>
    private void CompleteFirst(QueueException? error, int count)
    {
        FrameConnection.BeginBatch();
        for (int i = 0; i < count; i++)
        {
            if (error is null)
                _written[i].Complete();
            else
                _written[i].Fail(error);
        }

        FrameConnection.EndBatch();
    }

    /// <summary>Writes the pending operations and a mark of normal closing, and closes the files.</summary>
    public async ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            if (_isClosing)
                return;
            if (_failure is null)
                Enqueue(new ClosedWrite(this));
            _isClosing = true;
            Monitor.PulseAll(_gate);
            if (!_hasWriter)
                _roleIsFree.Release();
        }

        if (_hasThreads)
            await _hasEnded.Task.ConfigureAwait(false);
        while (WritePending())
        {
        }

        if (_prepared is not null)
            (await _prepared.ConfigureAwait(false))?.Dispose();

        WriteSnapshot();
        foreach (LogSegment segment in _segments)
            segment.Dispose();
        _manifest?.Dispose();
        _folder.Dispose();
    }

    /// <summary>Writes a snapshot when the log is closed normally, if the next opening would otherwise read much of the log.</summary>
    private void WriteSnapshot()
    {
        if (_failure is not null || _manifest is null || !BitConverter.IsLittleEndian || _byteCountBehindSnapshot < _options.SnapshotByteCount)
            return;
        try
        {
            LogSnapshot.Write(_folder, new SnapshotPlace(End, _current.Position, _lastBlock, _lastChecksum), _segments, _getTable(), _nextMessage);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or QueueException or FolderLostException)
        {
            // The next opening reads the log instead, and deletes the temporary file.
        }
    }

    private void Enqueue(LogWrite write, bool writesHere = false)
    {
        int before = _filling.ByteCount;
        try
        {
            write.Encode(_filling);
        }
        catch
        {
            _filling.CutBack(before);
            throw;
        }

        _waiting.Add(write);
        if (writesHere)
            (_isIdle, _isCallerWriting) = (false, true);
        else if (_isIdle)
            Monitor.PulseAll(_gate);
        else
            WatchRole();
    }

    /// <returns>The error, or null.</returns>
    private QueueException? TryWriteBlock()
    {
        try
        {
            // After losing the folder, nothing may be written into what may belong to another process.
            _folder.ThrowIfLost(_current.Name, _current.File);
            long end = _current.Position + LogBlock.Align(_writing.ByteCount);
            if (end > _current.ByteCount)
                Roll(_writing.ByteCount);
            else if (end > _current.ByteCount / 2)
                KeepForReceivers();
        }
        catch (NoRoomException e)
        {
            // No part of the block is written, and all earlier blocks are safe, so a full disk does not stop the log.
            lock (_gate)
            {
                foreach (LogWrite write in _written)
                    write.Undo();
            }

            return new QueueException($"The queue folder '{_folder.Name}' has no space for another segment of its log: {e.Message}",
                e.InnerException!);
        }
        catch (Exception e)
        {
            return Stop(e);
        }

        try
        {
            WriteBlock();
            return null;
        }
        catch (Exception e)
        {
            return Stop(e);
        }
    }

    private QueueException Stop(Exception error)
    {
        QueueException failure = error as QueueException ?? new QueueException(error.Message, error);
        lock (_gate)
        {
            _failure = failure;
            Monitor.PulseAll(_gate);
        }

        _onStopped(() => Failed(failure, isBegun: false));
        return Failed(failure, isBegun: true);
    }

    private void WriteBlock()
    {
        LogBlock.Seal(_writing.Block, _nextBlock, _current.Salt);
        ReadOnlySpan<byte> block = _writing.PaddedBlock;
        long position = _current.Position;
        long start = Stopwatch.GetTimestamp();
        _current.File.Write(block, position);
        _current.File.Flush();
        DiskFlush.Delay(_options.EmulatedFlushDelay);
        _writeTicks = Stopwatch.GetTimestamp() - start;
        // The folder cannot have been opened elsewhere before this: any later opening reads the block.
        _folder.ThrowIfLost(_current.Name, _current.File);
        _current.Position += block.Length;
        _byteCountBehindSnapshot += block.Length;
        (_lastBlock, _lastChecksum) = (position, LogBlock.ChecksumOf(block));
        _nextBlock++;
        _manifest?.Note(End);
        foreach (LogWrite write in _written)
            write.Apply(_current, position);
        Maintain();
    }

    /// <summary>Checks that the folder still belongs to this process, as every write does. Called on the writer's thread.</summary>
    private void CheckFolder()
    {
        if (_failure is not null)
            return;
        try
        {
            _folder.ThrowIfLost(_current.Name, _current.File);
        }
        catch (Exception e)
        {
            Stop(e);
        }
    }

    private QueueException Failed(QueueException cause, bool isBegun) =>
        new(
            cause.InnerException is FolderLostException
                ? $"The queue folder '{_folder.Name}' accepts nothing more: {cause.Message}. Operations that were in progress may be lost, and "
                    + "another process may have the folder. Close it, put back what was moved, and open it again."
                : $"The queue folder '{_folder.Name}' accepts nothing more since a write or flush of its log failed: {cause.Message} Open it again "
                    + "to see what is on the disk.",
            cause)
        {
            OutcomeUnknown = isBegun,
            IsUnreachable = true,
            Code = QueueErrorCode.FolderStopped,
        };

    private sealed class ClosedWrite(MessageLog log) : LogWrite
    {
        internal override void Encode(LogBuffer block) => LogOperations.WriteClosedAs(block, Guid.NewGuid());

        internal override void Apply(LogSegment segment, long blockPosition) => log._manifest?.Keep(log.End);
    }
}
