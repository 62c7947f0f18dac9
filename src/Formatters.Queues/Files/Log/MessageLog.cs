using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>The append-only log of a folder: many hand in, and one thread at a time writes and flushes what they have handed in since the last flush.</summary>
/// <remarks>
/// After the first error of a write or flush the log takes nothing more: what the disk has then is known only to a new opening.
/// </remarks>
internal sealed partial class MessageLog : IAsyncDisposable
{
    /// <summary>Beyond this a sender that does not wait for its sends is held up until the writer has taken what is there.</summary>
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
    private QueueException? _failure;

    /// <param name="folder">The files.</param>
    /// <param name="options">The sizes and delays.</param>
    /// <param name="state">What recovery found.</param>
    /// <param name="getTable">Gives what the first block of a segment tells; called under the log's gate. Only what is on the disk already: that block comes
    /// before those that are being filled.</param>
    /// <param name="hasThreads">Whether the log writes by itself; else <see cref="WritePending"/> is called for it.</param>
    internal MessageLog(LogFolder folder, FileQueueOptions options, LogState state, Func<LogTable> getTable, bool hasThreads)
    {
        _folder = folder;
        _options = options;
        _getTable = getTable;
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
        _hasThreads = hasThreads;
        if (hasThreads)
        {
            Prepare();
            StartThreads();
        }
    }

    internal Guid FolderId => _folderId;

    /// <summary>On the thread that writes: how far the log reaches.</summary>
    private LogEnd End => new(_folderId, _current.Number, _nextBlock);

    /// <summary>Guards the blocks that are being filled, the numbers, and the queues in the table.</summary>
    internal object Gate => _gate;

    /// <summary>The size of all segments.</summary>
    internal long ByteCount => Interlocked.Read(ref _byteCount);

    /// <summary>A segment that has messages.</summary>
    /// <param name="number">The lower half of its number.</param>
    internal LogSegment SegmentOf(uint number)
    {
        LogSegment[] segments = Volatile.Read(ref _segmentTable);
        return segments[(int)(number - (uint)segments[0].Number)];
    }

    /// <summary>Why the log takes nothing more, or null.</summary>
    internal string? StoppedReason
    {
        get
        {
            lock (_gate)
                return _failure?.Message;
        }
    }

    /// <summary>Under the log's gate: the number of the next message.</summary>
    internal ulong TakeMessageNumber() => _nextMessage++;

    /// <summary>Hands operations in. They take effect, and the returned task completes, when they are on the disk.</summary>
    /// <exception cref="QueueException">The log has failed or is closed.</exception>
    internal ValueTask WriteAsync(LogWrite write)
    {
        // The writer may complete the write, and its caller use it anew, as soon as the gate is open.
        ValueTask task = write.Start(goesOnElsewhere: _hasThreads);
        lock (_gate)
        {
            while (_filling.ByteCount > MaxFillingByteCount && _hasThreads && _failure is null)
                Monitor.Wait(_gate);
            if (_failure is not null)
                throw Failed(_failure);
            if (_isClosing)
                throw new QueueException($"The queue folder '{_folder.Name}' is closed.");
            if (_isFull && write.AddsMessages)
                throw Full();
            Enqueue(write);
        }

        return task;
    }

    /// <summary>Hands operations in for which nobody waits. A log that takes nothing more does not take them either.</summary>
    internal void Write(LogWrite write)
    {
        lock (_gate)
        {
            if (_failure is null && !_isClosing)
                Enqueue(write);
        }
    }

    /// <summary>Writes and flushes what has been handed in, once, and answers.</summary>
    /// <returns>Whether there was anything.</returns>
    internal bool WritePending()
    {
        if (!TakePending())
            return false;
        Answer(WriteTaken(), _written.Count);
        _written.Clear();
        return true;
    }

    /// <summary>Takes over what has been handed in; new operations go into another block.</summary>
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

    /// <returns>What went wrong, or null.</returns>
    private QueueException? WriteTaken()
    {
        QueueException? error = _failure is null ? TryWriteBlock() : Failed(_failure);
        _writing.Clear();
        return error;
    }

    /// <summary>Answers the first of those whose operations were written.</summary>
    private void Answer(QueueException? error, int count)
    {
        for (int i = 0; i < count; i++)
        {
            if (error is null)
                _written[i].Complete();
            else
                _written[i].Fail(error);
        }
    }

    /// <summary>Writes what is pending and a mark that the log was closed in order, and closes the files.</summary>
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

    /// <summary>When the log is closed in order: writes what its next opening would find, if that would read much of it.</summary>
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
            // The next opening reads the log instead. What is there under the temporary name it deletes.
        }
    }

    private void Enqueue(LogWrite write)
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
        if (_isIdle)
            Monitor.PulseAll(_gate);
        else
            WatchRole();
    }

    /// <returns>What went wrong, or null.</returns>
    private QueueException? TryWriteBlock()
    {
        try
        {
            // Who has lost the folder must not write into what may be another's.
            _folder.ThrowIfLost(_current.Name, _current.File);
            long end = _current.Position + LogBlock.Align(_writing.ByteCount);
            if (end > _current.ByteCount)
                Roll(_writing.ByteCount);
            else if (end > _current.ByteCount / 2)
                KeepForReceivers();
        }
        catch (NoRoomException e)
        {
            // Nothing of the block is written, and nothing before it is in doubt: a full disk is no end.
            lock (_gate)
            {
                foreach (LogWrite write in _written)
                    write.Undo();
            }

            return new QueueException($"The queue folder '{_folder.Name}' has no space for another segment of its log: {e.Message}", e.InnerException!);
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

        return Failed(failure);
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
        // Nobody can have opened the folder before this: whoever opens it now reads the block.
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

    private QueueException Failed(QueueException cause) =>
        new(
            cause.InnerException is FolderLostException
                ? $"The queue folder '{_folder.Name}' accepts nothing more: {cause.Message}. Operations that were in progress may be lost, and another process may have the folder. Close it, put back what was moved, and open it again."
                : $"The queue folder '{_folder.Name}' accepts nothing more since a write or flush of its log failed: {cause.Message} Open it again to see what is on the disk.",
            cause)
        {
            OutcomeUnknown = true,
        };

    private sealed class ClosedWrite(MessageLog log) : LogWrite
    {
        internal override void Encode(LogBuffer block) => LogOperations.WriteClosedAs(block, Guid.NewGuid());

        internal override void Apply(LogSegment segment, long blockPosition) => log._manifest?.Keep(log.End);
    }
}
