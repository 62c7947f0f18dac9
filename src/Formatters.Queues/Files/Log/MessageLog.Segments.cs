using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Segments begin, are copied forward when little in them is left, and go. All of it on the thread that writes.
internal sealed partial class MessageLog
{
    private const int MaxCopyByteCount = 1 << 20;

    private const int RetryMilliseconds = 200;

    private Task<LogFile?>? _prepared;
    private ulong _preparedNumber;
    private long _lastAttempt;
    private string _fullBecause = "";
    private bool _isTrimming;
    private bool _isCopying;
    private volatile bool _isFull;
    private long _byteCount;

    /// <summary>Begins the next segment.</summary>
    /// <param name="blockByteCount">The size of the block that must fit behind its first.</param>
    /// <exception cref="NoRoomException">The file cannot be made; nothing has happened.</exception>
    private LogSegment Roll(int blockByteCount)
    {
        ulong number = _segments.Count > 0 ? _segments[^1].Number + 1 : 1;
        var first = new LogBuffer();
        lock (_gate)
        {
            LogOperations.WriteTable(first, _nextMessage, _segments.Count > 0 ? _segments[0].Number : number, _getTable());
        }

        long needed = LogSegment.HeaderByteCount + LogBlock.Align(first.ByteCount) + LogBlock.Align(blockByteCount);
        long byteCount = Math.Max(needed, _options.SegmentByteCount);
        var segment = LogSegment.Create(
            _folder, TakePrepared(number, needed) ?? CreateFile(number, byteCount), number, _folderId, BitConverter.ToUInt32(RandomNumberGenerator.GetBytes(sizeof(uint))), _nextBlock, first);
        _nextBlock++;
        _segments.Add(segment);
        _current = segment;
        Interlocked.Add(ref _byteCount, segment.ByteCount);
        return segment;
    }

    private LogFile CreateFile(ulong number, long byteCount)
    {
        try
        {
            return _folder.Create(LogSegment.NewFileName(number), byteCount);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new NoRoomException(e);
        }
    }

    private LogFile? TakePrepared(ulong number, long byteCount)
    {
        Task<LogFile?>? task;
        lock (_gate)
        {
            task = _prepared;
            _prepared = null;
        }

        LogFile? file = task?.GetAwaiter().GetResult();
        if (file is null || (_preparedNumber == number && file.ByteCount >= byteCount))
            return file;
        file.Dispose();
        return null;
    }

    /// <summary>After a block: prepares the next segment, copies from the oldest, lets go of those that are empty.</summary>
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
        while (empty < _segments.Count - 1 && _segments[empty].FirstLive is null)
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

    /// <summary>Where there is no room for the next segment, the second half of this one is kept for those who receive.</summary>
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

    /// <summary>Under the gate: makes the next segment's file, if that is not done.</summary>
    private void Prepare()
    {
        bool hasFailed = _prepared is { IsCompleted: true } task && task.Result is null;
        if (_isClosing || (_prepared is not null && !hasFailed) || (hasFailed && Environment.TickCount64 - _lastAttempt < RetryMilliseconds))
            return;
        _preparedNumber = _current.Number + 1;
        _lastAttempt = Environment.TickCount64;
        string name = LogSegment.NewFileName(_preparedNumber);
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
    }

    /// <summary>Under the gate: what a sender is told, for whom it is tried again whether there is room.</summary>
    private QueueException Full()
    {
        Prepare();
        return new QueueException($"The queue folder '{_folder.Name}' has no room for another segment of its log: {_fullBecause} What is in the queues can be received.");
    }

    /// <summary>Under the gate: lets go of the messages of a deleted queue.</summary>
    internal void ReleaseAll(FileQueueStore queue)
    {
        foreach (LogSegment segment in _segments)
        {
            for (LogEntry? entry = segment.FirstLive; entry is not null;)
            {
                LogEntry? next = entry.Next;
                for (LogPlace? place = entry.FirstPlace; place is not null; place = place.Next)
                {
                    if (place.Queue != queue)
                        continue;
                    entry.Remove(place);
                    entry.CountPlaces(-1);
                }

                entry = next;
            }
        }
    }

    private bool IsMostlyEmpty()
    {
        long closed = 0;
        long live = 0;
        foreach (LogSegment segment in _segments)
        {
            live += segment.LiveByteCount;
            if (segment != _current)
                closed += segment.ByteCount;
        }

        return closed > (2 * live) + _options.SegmentByteCount;
    }

    private sealed class NoRoomException(Exception cause) : IOException(cause.Message, cause);

    /// <summary>Deletes the segments before one, when the log says that they may be missing.</summary>
    private sealed class TrimWrite(MessageLog log, ulong oldest) : LogWrite
    {
        internal override void Encode(LogBuffer block) => LogOperations.WriteNumber(block, LogOperation.Trimmed, oldest);

        internal override void Apply(LogSegment segment, long blockPosition)
        {
            while (log._segments[0].Number < oldest)
            {
                LogSegment gone = log._segments[0];
                log._segments.RemoveAt(0);
                Interlocked.Add(ref log._byteCount, -gone.ByteCount);
                gone.Dispose();
                log._folder.Delete(LogSegment.FileName(gone.Number));
            }

            log._folder.Flush();
            log._isTrimming = false;
        }

        internal override void Undo() => log._isTrimming = false;
    }

    /// <summary>Copies messages of the oldest segment into the current one, some at a time, so that senders wait no longer than for a large message.</summary>
    private sealed class CopyWrite(MessageLog log, LogSegment from) : LogWrite
    {
        private readonly List<(LogEntry Entry, int ContentOffset)> _copies = [];

        internal override void Encode(LogBuffer block)
        {
            int start = block.ByteCount;
            for (LogEntry? entry = from.FirstLive; entry is not null && block.ByteCount - start < MaxCopyByteCount; entry = entry.Next)
            {
                if (IsNeeded(entry))
                    _copies.Add((entry, LogOperations.WriteCopy(block, entry, entry.ReadContent())));
            }
        }

        internal override void Apply(LogSegment segment, long blockPosition)
        {
            foreach ((LogEntry entry, int contentOffset) in _copies)
                entry.MoveTo(segment, blockPosition + contentOffset);
            log._isCopying = false;
        }

        internal override void Undo() => log._isCopying = false;

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
