using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Segments are created, copied forward when little in them is live, and deleted, all on the writer's thread.
internal sealed partial class MessageLog
{
    private const int MaxCopyByteCount = 1 << 20;

    private const int RetryMilliseconds = 200;

    private Task<LogFile?>? _prepared;
    private long _lastAttempt;
    private string _fullBecause = "";
    private bool _isRolling;
    private bool _isTrimming;
    private bool _isCopying;
    private volatile bool _isFull;
    private long _byteCount;

    /// <summary>Starts the next segment.</summary>
    /// <param name="blockByteCount">The size of the block that must fit after its first.</param>
    /// <exception cref="NoRoomException">The file cannot be made; nothing has happened.</exception>
    private LogSegment Roll(int blockByteCount)
    {
        ulong number = _segments.Count > 0 ? _segments[^1].Number + 1 : 1;
        var first = new LogBuffer();
        Task<LogFile?>? prepared;
        _manifest ??= CreateManifest(number - 1);
        lock (_gate)
        {
            // Until the segment exists, no other file of its name is created.
            _isRolling = true;
            prepared = _prepared;
            _prepared = null;
            LogOperations.WriteTable(first, _nextMessage, _segments.Count > 0 ? _segments[0].Number : number, _getTable());
        }

        try
        {
            long needed = LogSegment.HeaderByteCount + LogBlock.Align(first.ByteCount + 1 + sizeof(ulong)) + LogBlock.Align(blockByteCount);
            LogFile file = TakeOrCreate(prepared, LogSegment.NewFileName(number), needed);
            LogOperations.WriteNumber(first, LogOperation.SegmentSize, (ulong)file.ByteCount);
            var segment = LogSegment.Create(_folder, file, number, _folderId, BitConverter.ToUInt32(RandomNumberGenerator.GetBytes(sizeof(uint))),
                _nextBlock, first);
            _nextBlock++;
            _segments.Add(segment);
            _segmentTable = [.. _segments];
            _current = segment;
            Interlocked.Add(ref _byteCount, segment.ByteCount);
            // Before anything in it is acknowledged, and after it durably exists.
            _manifest.Keep(End);
            return segment;
        }
        finally
        {
            lock (_gate)
                _isRolling = false;
        }
    }

    /// <summary>Creates the manifest of a new log before its first segment, or that of a log from before manifests with the next one.</summary>
    /// <exception cref="NoRoomException">The file cannot be made; nothing has happened.</exception>
    private LogManifest CreateManifest(ulong lastSegment)
    {
        LogFile file;
        try
        {
            file = _folder.Create(LogSegment.NewNameOf(LogManifest.FileName), LogManifest.ByteCount);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new NoRoomException(e);
        }

        return LogManifest.Create(_folder, file, new LogEnd(_folderId, lastSegment, _nextBlock));
    }

    private LogFile TakeOrCreate(Task<LogFile?>? prepared, string name, long byteCount)
    {
        LogFile? file = prepared?.GetAwaiter().GetResult();
        if (file is not null && file.ByteCount >= byteCount)
            return file;
        try
        {
            if (file is not null)
            {
                file.Dispose();
                _folder.Delete(name);
            }

            return _folder.Create(name, Math.Max(byteCount, _options.SegmentByteCount));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new NoRoomException(e);
        }
    }

    /// <summary>Maintains the segments after a block: prepares the next one, copies from the oldest, deletes empty ones.</summary>
    private void Maintain()
    {
        if (_hasThreads && (_prepared is null || _isFull))
        {
            lock (_gate)
                Prepare();
        }

        if (_segments.Count < 2)
            return;
        int empty = 0;
        while (empty < _segments.Count - 1 && _segments[empty].LiveCount == 0 && _segments[empty].IdsEnd <= _clock.Now)
            empty++;
        if (empty > 0 && !_isTrimming)
        {
            _isTrimming = true;
            Write(new TrimWrite(this, _segments[empty].Number));
        }
        else if (empty == 0 && !_isCopying && IsMostlyEmpty())
        {
            _isCopying = true;
            Write(new CopyWrite(this, _segments[0]));
        }
    }

    /// <summary>Reserves the second half of this segment for receives if there is no disk space for the next.</summary>
    /// <exception cref="NoRoomException">The block adds messages.</exception>
    private void KeepForReceivers()
    {
        Task<LogFile?>? next;
        lock (_gate)
            next = _prepared;
        if (next is null or { IsCompletedSuccessfully: true, Result: not null } || !_written.Exists(static write => write.AddsMessages))
            return;
        if (next.GetAwaiter().GetResult() is null)
            throw new NoRoomException(new IOException(_fullBecause));
    }

    /// <summary>Creates the next segment's file, if this is not done; called under the gate.</summary>
    private void Prepare()
    {
        bool hasFailed = _prepared is { IsCompleted: true } task && task.Result is null;
        if (_isClosing || _isRolling || (_prepared is not null && !hasFailed)
            || (hasFailed && Environment.TickCount64 - _lastAttempt < RetryMilliseconds))
            return;
        _lastAttempt = Environment.TickCount64;
        string name = LogSegment.NewFileName(_current.Number + 1);
        _prepared = Task.Run(() => TryCreate(name));
    }

    private LogFile? TryCreate(string name)
    {
        try
        {
            LogFile file = _folder.Create(name, _options.SegmentByteCount);
            _isFull = false;
            return file;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _fullBecause = e.Message;
            _isFull = true;
            return null;
        }
        catch (FolderLostException)
        {
            // The next block stops the log.
            return null;
        }
    }

    /// <summary>Returns the error for senders, after checking again for disk space; called under the gate.</summary>
    private QueueException Full()
    {
        Prepare();
        return new QueueException(
            $"The queue folder '{_folder.Name}' has no space for another segment of its log: {_fullBecause} The messages in the queues can still be "
            + "received.");
    }

    /// <summary>Releases the messages of a deleted queue; called under the gate.</summary>
    internal void ReleaseAll(FileQueueStore queue)
    {
        foreach (LogSegment segment in _segments)
        {
            foreach (LogEntry entry in segment.GetLive())
            {
                for (LogPlace? place = entry.FirstPlace; place is not null; place = place.Next)
                {
                    if (place.Queue != queue)
                        continue;
                    entry.Remove(place);
                    entry.CountPlaces(-1);
                }
            }
        }
    }

    private bool IsMostlyEmpty()
    {
        long closed = 0;
        long live = 0;
        foreach (LogSegment segment in _segments)
        {
            live += segment.LiveByteCount + (segment.IdsEnd > _clock.Now ? segment.IdByteCount : 0);
            if (segment != _current)
                closed += segment.ByteCount;
        }

        return closed > (2 * live) + _options.SegmentByteCount;
    }

    private sealed class NoRoomException(Exception cause) : IOException(cause.Message, cause);

    /// <summary>Deletes the segments before a given one, after the log records that they may be missing.</summary>
    private sealed class TrimWrite(MessageLog log, ulong oldest) : LogWrite
    {
        internal override void Encode(LogBuffer block) => LogOperations.WriteNumber(block, LogOperation.Trimmed, oldest);

        internal override void Apply(LogSegment segment, long blockPosition)
        {
            while (log._segments[0].Number < oldest)
            {
                LogSegment gone = log._segments[0];
                log._segments.RemoveAt(0);
                log._segmentTable = [.. log._segments];
                Interlocked.Add(ref log._byteCount, -gone.ByteCount);
                gone.Dispose();
                log._folder.Delete(LogSegment.FileName(gone.Number));
            }

            if (log._snapshotSegment < oldest)
            {
                // The next opening reads none of the segments that it describes.
                log._folder.Delete(LogSnapshot.FileName);
                log._snapshotSegment = null;
            }

            log._folder.Flush();
            log._isTrimming = false;
        }

        internal override void Undo() => log._isTrimming = false;
    }

    /// <summary>
    /// Copies messages of the oldest segment into the current one, a few at a time, so that senders wait no longer than for a large message.
    /// </summary>
    private sealed class CopyWrite(MessageLog log, LogSegment from) : LogWrite
    {
        private readonly List<(LogEntry Entry, int ContentOffset)> _copies = [];
        private readonly List<(FileQueueStore Queue, List<FileParkedMessages> Places)> _unparked = [];
        private List<LoggedId>? _ids;

        internal override void Encode(LogBuffer block)
        {
            int start = block.ByteCount;
            if (from.HasParked)
                Unpark();
            foreach (LogEntry entry in from.GetLive(MaxCopyByteCount))
            {
                if (block.ByteCount - start >= MaxCopyByteCount)
                    break;
                if (!IsNeeded(entry) || !entry.TryBeginCopy())
                    continue;
                if (entry.TryReadContent(out byte[]? content))
                    _copies.Add((entry, LogOperations.WriteCopy(block, entry, content)));
                else
                    entry.EndCopy();
            }

            // The ids follow when no message is left here.
            if (from.LiveCount > 0 || from.IdsEnd == 0)
                return;
            _ids = log._getTable().GetIds(from.Number);
            foreach (LoggedId id in _ids)
                LogOperations.WriteSentId(block, id.Queue, id.EndTicks, id.Id);
        }

        internal override void Apply(LogSegment segment, long blockPosition)
        {
            foreach ((LogEntry entry, int contentOffset) in _copies)
                entry.MoveTo(segment, blockPosition + contentOffset);
            End();
            if (_ids is null)
                return;
            foreach (LoggedId id in _ids)
                id.NoteWritten(segment);
            from.LoseIds();
        }

        internal override void Undo() => End();

        private void End()
        {
            foreach ((LogEntry entry, _) in _copies)
                entry.EndCopy();
            foreach ((FileQueueStore queue, List<FileParkedMessages> places) in _unparked)
                queue.Repark(places);
            log._isCopying = false;
        }

        private void Unpark()
        {
            long left = MaxCopyByteCount;
            foreach (FileQueueStore queue in log._getTable().Queues)
            {
                if (left <= 0)
                    break;
                var places = new List<FileParkedMessages>();
                left -= queue.Unpark(from.Number, left, places);
                if (places.Count > 0)
                    _unparked.Add((queue, places));
            }
        }

        private static bool IsNeeded(LogEntry entry)
        {
            for (LogPlace? place = entry.FirstPlace; place is not null; place = place.Next)
            {
                if (!place.Queue.IsDeletedInLog)
                    return true;
            }

            return false;
        }
    }
}
