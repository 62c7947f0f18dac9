using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Formatters.Binary;

namespace Formatters.Queues;

/// <summary>Reads a log from its first segment to its last, truncates an interrupted write at its end, and rejects damage.</summary>
internal sealed partial class LogRecovery
{
    private const int WindowByteCount = 1 << 20;

    private readonly LogFolder _folder;
    private readonly Func<uint, string, FileQueueStore> _makeQueue;
    private readonly int _maxObjectCount;
    private LogState _state = new();
    private byte[] _block = new byte[64 * 1024];
    // Their messages are removed at the end, in one pass.
    private readonly HashSet<uint> _deletedQueues = [];
    private ulong _oldestNeeded;
    private bool _hasSizes;

    private LogRecovery(LogFolder folder, Func<uint, string, FileQueueStore> makeQueue, int maxObjectCount)
    {
        _folder = folder;
        _makeQueue = makeQueue;
        _maxObjectCount = maxObjectCount;
    }

    /// <summary>Reads the log of a folder.</summary>
    /// <param name="folder">The folder; an empty one is a new log.</param>
    /// <param name="makeQueue">Makes a queue by id and name.</param>
    /// <param name="maxObjectCount">The number of messages that become objects; further ones go into the index.</param>
    /// <exception cref="QueueException">The log is damaged.</exception>
    internal static LogState Run(LogFolder folder, Func<uint, string, FileQueueStore> makeQueue, int maxObjectCount)
    {
        var recovery = new LogRecovery(folder, makeQueue, maxObjectCount);
        try
        {
            recovery.Read();
            return recovery._state;
        }
        catch (Exception e)
        {
            foreach (LogSegment segment in recovery._state.Segments)
                segment.Dispose();
            recovery._state.Manifest?.Dispose();
            if (e is IOException or UnauthorizedAccessException or FolderLostException)
                throw new QueueException($"The queue log in '{folder.Name}' cannot be read: {e.Message}", e);
            throw;
        }
    }

    private void Read()
    {
        IReadOnlyList<string> names = _folder.GetFileNames();
        ulong[] numbers = [.. names.Select(LogSegment.NumberOf).OfType<ulong>().Order()];
        if (names.Contains(LogManifest.FileName))
            _state.Manifest = LogManifest.Open(_folder);
        int first = 0;
        bool hasSnapshot = names.Contains(LogSnapshot.FileName);
        bool isBySnapshot = hasSnapshot && numbers.Length > 0 && TryReadSnapshot(numbers, out first);
        if (numbers.Length > 0 && !isBySnapshot)
            first = ReadSegments(numbers);
        CheckEnd();
        // The log is intact: from here on the folder is changed. Deletions first, to free space.
        foreach (string name in names.Where(LogSegment.IsNewFileName))
            _folder.Delete(name);
        if (hasSnapshot && !isBySnapshot)
            _folder.Delete(LogSnapshot.FileName);
        for (int i = 0; i < first; i++)
            _folder.Delete(LogSegment.FileName(numbers[i]));
        if (numbers.Length > 0)
            CutTornTail(_state.Segments[^1]);
    }

    /// <returns>The index of the first segment of the log.</returns>
    private int ReadSegments(ulong[] numbers)
    {
        // A crash while old segments were deleted may have left any of them. Segments before a gap must not be needed; otherwise one is missing.
        int first = FindFirst(numbers);
        for (int i = first; i < numbers.Length; i++)
        {
            var segment = LogSegment.Open(_folder, numbers[i]);
            _state.Segments.Add(segment);
            ReadSegment(segment, isFirst: i == first);
        }

        RemoveDeleted();
        if (numbers[first] > _oldestNeeded)
            throw LogDamage.At(_folder, LogSegment.FileName(numbers[first] - 1), 0, "the segment is missing");
        return first;
    }

    private static int FindFirst(ulong[] numbers)
    {
        int first = numbers.Length - 1;
        while (first > 0 && numbers[first - 1] == numbers[first] - 1)
            first--;
        return first;
    }

    /// <summary>Compares the log with its end in the manifest.</summary>
    private void CheckEnd()
    {
        if (_state.Manifest is not { } manifest)
        {
            if (_hasSizes)
                throw LogDamage.Of(_folder, $"its file '{LogManifest.FileName}' is missing: without it, the end of the log is unknown");
            return;
        }

        LogEnd end = manifest.End;
        LogSegment? last = _state.Segments.Count > 0 ? _state.Segments[^1] : null;
        if (last is null)
            _state.FolderId = end.FolderId;
        else if (_state.FolderId != end.FolderId)
            throw LogDamage.Of(_folder, $"its file '{LogManifest.FileName}' is another log's");
        if (end.Segment > (last?.Number ?? 0))
            throw LogDamage.At(_folder, LogSegment.FileName(last is null ? end.Segment : last.Number + 1), 0, "the segment is missing");
        if (last is not null && _state.NextBlock < end.NextBlock)
            throw Damage(last, last.Position, $"the log ends here, but more was written and flushed ({end.NextBlock - _state.NextBlock} blocks)");
    }

    private void ReadSegment(LogSegment segment, bool isFirst)
    {
        if (isFirst)
        {
            _state.FolderId = segment.FolderId;
            _state.NextBlock = segment.FirstBlock;
        }
        else if (segment.FolderId != _state.FolderId || segment.FirstBlock != _state.NextBlock)
        {
            if (segment.FolderId == _state.FolderId && segment.FirstBlock > _state.NextBlock
                && _state.Segments.Find(previous => previous.Number == segment.Number - 1) is { } damaged)
                throw Damage(damaged, damaged.Position, "a block is not whole");
            throw Damage(segment, 0, "it does not continue the segment before it");
        }

        ReadBlocks(segment);
    }

    private void ReadBlocks(LogSegment segment)
    {
        var window = new Window(segment.File, WindowByteCount);
        while (true)
        {
            long position = segment.Position;
            ReadOnlySpan<byte> block = ReadBlock(segment, window, position, out ulong number);
            if (block.IsEmpty || number != _state.NextBlock)
                break;
            try
            {
                ReadOperations(segment, position, block);
            }
            catch (Exception e) when (e is MessageFormatException or FormatException)
            {
                throw LogDamage.At(_folder, LogSegment.FileName(segment.Number), position,
                    "a block with a right checksum does not have the layout of this version", e);
            }

            _state.NextBlock++;
            segment.Position += LogBlock.Align(block.Length);
            _state.ReplayedByteCount += block.Length;
        }

        if (segment.Position == LogSegment.HeaderByteCount)
            throw Damage(segment, segment.Position, "the first block is not whole");
        // If a segment has a successor, an incomplete block leaves a gap before that one's first block. In the last segment it is truncated, unless
        // the manifest has a later block.
    }

    /// <summary>Reads the block at a position; empty if there is no complete one.</summary>
    private static ReadOnlySpan<byte> ReadBlock(LogSegment segment, Window window, long position, out ulong number)
    {
        ReadOnlySpan<byte> header = window.Get(position, LogBlock.HeaderByteCount);
        number = 0;
        if (header.Length < LogBlock.HeaderByteCount || !LogBlock.TryReadHeader(header, out uint checksum, out int payloadByteCount, out number))
            return default;
        long byteCount = LogBlock.HeaderByteCount + (long)payloadByteCount;
        if (position + byteCount > segment.ByteCount)
            return default;
        ReadOnlySpan<byte> block = window.Get(position, (int)byteCount);
        if (block.Length < byteCount || !LogBlock.IsWhole(block, checksum, segment.Salt))
            return default;
        return block;
    }

    private void ReadOperations(LogSegment segment, long position, ReadOnlySpan<byte> block)
    {
        // Copied, because a message is read as memory.
        if (_block.Length < block.Length)
            _block = new byte[Math.Max(block.Length, _block.Length * 2L > Array.MaxLength ? block.Length : _block.Length * 2)];
        block.CopyTo(_block);
        var reader = new BinaryBodyReader(_block.AsSpan(LogBlock.HeaderByteCount, block.Length - LogBlock.HeaderByteCount), LogOperations.Limits);
        while (reader.BytesRemaining > 0)
        {
            byte operation = reader.ReadByte();
            switch ((LogOperation)operation)
            {
                case LogOperation.Table:
                    ReadTable(ref reader);
                    break;
                case LogOperation.QueueAdded:
                    AddQueue(reader.ReadUInt32(), reader.ReadString());
                    break;
                case LogOperation.QueueDeleted:
                    DeleteQueue(reader.ReadUInt32());
                    break;
                case LogOperation.Message:
                    ReadMessage(ref reader, segment, position);
                    break;
                case LogOperation.Removed:
                    ulong removedNumber = (ulong)reader.Read7BitEncodedInt64();
                    if (_state.Places.TryGetValue(removedNumber, out LogPlace? removed))
                        Remove(removed);
                    else
                        _state.Index.Remove(removedNumber);
                    break;
                case LogOperation.Trimmed:
                    _oldestNeeded = reader.ReadUInt64();
                    break;
                case LogOperation.Closed:
                    break;
                case LogOperation.ClosedAs:
                    reader.ReadGuid();
                    break;
                case LogOperation.Moved:
                    MoveMessage(ref reader);
                    break;
                case LogOperation.Delivered:
                    ulong number = (ulong)reader.Read7BitEncodedInt64();
                    int deliveryCount = reader.Read7BitEncodedInt();
                    if (FindPlace(number) is { } delivered)
                        delivered.DeliveryCount = deliveryCount;
                    break;
                case LogOperation.Delayed:
                    ulong delayedNumber = (ulong)reader.Read7BitEncodedInt64();
                    long dueTicks = reader.ReadInt64();
                    if (FindPlace(delayedNumber) is { } delayed)
                        delayed.DueTicks = CheckTicks(dueTicks);
                    break;
                case LogOperation.SentId:
                    KeepId(segment, (uint)reader.Read7BitEncodedInt(), reader.ReadInt64(), reader.ReadString());
                    break;
                case LogOperation.Subscription:
                    ReadSubscription(ref reader);
                    break;
                case LogOperation.Decided:
                    Guid transactionId = reader.ReadGuid();
                    _state.Decisions[transactionId] = reader.ReadGuid();
                    break;
                case LogOperation.Forgotten:
                    _state.Decisions.Remove(reader.ReadGuid());
                    break;
                case LogOperation.Applied:
                    _state.Applied.Add(LogOperations.ReadApplied(ref reader));
                    break;
                case LogOperation.SegmentSize:
                    CheckSize(segment, reader.ReadUInt64());
                    break;
                default:
                    throw new FormatException($"Unknown operation {operation}.");
            }
        }
    }

    private static long CheckTicks(long ticks) =>
        ticks >= 0 && ticks <= DateTime.MaxValue.Ticks ? ticks : throw new FormatException($"{ticks} ticks are not a time.");

    private void KeepId(LogSegment? segment, uint queueId, long endTicks, string id)
    {
        CheckTicks(endTicks);
        if (!_state.Queues.TryGetValue(queueId, out FileQueueStore? queue))
            return;
        TimeSpan left = new DateTimeOffset(endTicks, TimeSpan.Zero) - queue.Clock.UtcNow;
        // If its segment no longer exists, a later one repeats it.
        if (left <= TimeSpan.Zero || segment is null)
            return;
        queue.KeepId(id, left, segment.Number);
        segment.AddId(id, queue.Clock.After(left));
    }

    private void ReadSubscription(ref BinaryBodyReader reader)
    {
        uint queueId = (uint)reader.Read7BitEncodedInt();
        string topic = reader.ReadString();
        string? selector = reader.ReadNullableString();
        if (_state.Queues.TryGetValue(queueId, out FileQueueStore? subscription))
            subscription.SetTopic(topic, selector);
    }

    private void ReadTable(ref BinaryBodyReader reader)
    {
        _state.NextMessage = Math.Max(_state.NextMessage, reader.ReadUInt64());
        _state.NextQueueId = Math.Max(_state.NextQueueId, reader.ReadUInt32());
        _oldestNeeded = Math.Max(_oldestNeeded, reader.ReadUInt64());
        int count = reader.ReadCount(sizeof(uint) + 1);
        for (int i = 0; i < count; i++)
            AddQueue(reader.ReadUInt32(), reader.ReadString());
    }

    private void CheckSize(LogSegment segment, ulong byteCount)
    {
        _hasSizes = true;
        if (byteCount != (ulong)segment.ByteCount)
            throw Damage(segment, segment.ByteCount, $"the file ends here, but it was created with {byteCount} bytes");
    }

    private void AddQueue(uint id, string name)
    {
        _state.NextQueueId = Math.Max(_state.NextQueueId, id + 1);
        if (!_state.Queues.ContainsKey(id))
            _state.Queues.Add(id, _makeQueue(id, name));
    }

    private void DeleteQueue(uint id)
    {
        if (_state.Queues.Remove(id))
            _deletedQueues.Add(id);
    }

    /// <summary>Removes the messages of deleted queues.</summary>
    private void RemoveDeleted()
    {
        if (_deletedQueues.Count == 0)
            return;
        foreach (LogPlace place in _state.Places.Values.Where(place => _deletedQueues.Contains(place.Queue.QueueId)).ToArray())
            Remove(place);
        _state.Index.RemoveQueues(_deletedQueues);
        _deletedQueues.Clear();
    }

    private void ReadMessage(ref BinaryBodyReader reader, LogSegment segment, long position)
    {
        var entry = new LogEntry { Number = (ulong)reader.Read7BitEncodedInt64() };
        if (_state.Messages.Remove(entry.Number, out LogEntry? earlier))
        {
            earlier.CountPlaces(-earlier.PlaceCount);
            for (LogPlace? place = earlier.FirstPlace; place is not null; place = place.Next)
                _state.Places.Remove(place.Number);
        }

        int placeCount = reader.Read7BitEncodedInt();
        if (placeCount < 0 || placeCount > reader.BytesRemaining)
            throw new FormatException("More places than bytes.");
        if (placeCount == 1 && _state.Messages.Count >= _maxObjectCount)
        {
            IndexMessage(ref reader, entry, segment, position);
            return;
        }

        for (int i = 0; i < placeCount; i++)
        {
            ulong number = (ulong)reader.Read7BitEncodedInt64();
            int deliveryCount = reader.Read7BitEncodedInt();
            AddPlace(ref reader, entry, number, deliveryCount);
        }

        int contentByteCount = reader.ReadInt32();
        int contentOffset = LogBlock.HeaderByteCount + reader.ByteOffset;
        reader.ReadSpan(contentByteCount);
        entry.ContentByteCount = contentByteCount;
        entry.Checksum = reader.ReadUInt32();
        if (entry.FirstPlace is null)
            return;
        entry.Recovered = LogOperations.ReadContent(_block.AsMemory(contentOffset, contentByteCount));
        entry.BodyByteCount = (int)entry.Recovered.Body.ByteCount;
        entry.Recovered.Body.Bytes = default;
        entry.MoveTo(segment, position + contentOffset);
        _state.Messages.Add(entry.Number, entry);
    }

    /// <summary>Reads the rest of a message that is in one queue into the index.</summary>
    private void IndexMessage(ref BinaryBodyReader reader, LogEntry entry, LogSegment segment, long position)
    {
        ulong number = (ulong)reader.Read7BitEncodedInt64();
        int deliveryCount = reader.Read7BitEncodedInt();
        NoteNumber(number);
        (FileQueueStore? queue, LogPlaceKind kind, DeadLetter? deadLetter) = LogOperations.ReadPlace(ref reader, _state.Queues);
        int contentByteCount = reader.ReadInt32();
        int contentOffset = LogBlock.HeaderByteCount + reader.ByteOffset;
        reader.ReadSpan(contentByteCount);
        uint checksum = reader.ReadUInt32();
        _state.Index.Remove(number);
        if (queue is null)
            return;
        ContentSummary summary = LogOperations.ReadSummary(_block.AsMemory(contentOffset, contentByteCount));
        if (deliveryCount >= ushort.MaxValue || contentByteCount > FileParkedMessages.MaxContentByteCount
            || summary.DueTicks > queue.Clock.UtcNow.UtcTicks
            || (summary.HasRequests && kind == LogPlaceKind.Sent))
        {
            entry.ContentByteCount = contentByteCount;
            entry.Checksum = checksum;
            entry.BodyByteCount = summary.BodyByteCount;
            AddObject(entry, new LogPlace(entry, queue, kind, deadLetter) { Number = number, DeliveryCount = deliveryCount });
            entry.MoveTo(segment, position + contentOffset);
            return;
        }

        var message = new IndexedMessage
        {
            QueueId = queue.QueueId,
            Segment = (uint)segment.Number,
            ContentOffset = (uint)(position + contentOffset),
            ContentByteCount = contentByteCount,
            BodyByteCount = summary.BodyByteCount,
            Checksum = checksum,
            DeliveryCount = (ushort)deliveryCount,
            Priority = summary.Priority,
            Kind = kind,
        };
        var more = new IndexedExtras { EntryNumber = entry.Number, DeadLetter = deadLetter, IdHash = summary.IdHash,
            CorrelationHash = summary.CorrelationHash };
        if (kind == LogPlaceKind.Sent && summary.TimeToLiveTicks != 0)
        {
            more.TimeToLiveTicks = summary.TimeToLiveTicks;
            more.UsefulFromTicks = Math.Max(summary.SentTicks, summary.DueTicks);
        }

        _state.Index.Set(number, message, more);
    }

    /// <summary>Finds a place; an indexed message becomes an object.</summary>
    private LogPlace? FindPlace(ulong number)
    {
        if (_state.Places.TryGetValue(number, out LogPlace? place))
            return place;
        if (!_state.Index.TryGet(number, out IndexedMessage message, out IndexedExtras more) || _deletedQueues.Contains(message.QueueId))
            return null;
        LogSegment segment = SegmentOf(message.Segment) ?? throw new FormatException($"Message {number} is in no segment.");
        _state.Index.Remove(number);
        var entry = new LogEntry { Number = more.EntryNumber, ContentByteCount = message.ContentByteCount, BodyByteCount = message.BodyByteCount,
            Checksum = message.Checksum };
        place = new LogPlace(entry, _state.Queues[message.QueueId], message.Kind, more.DeadLetter) { Number = number,
            DeliveryCount = message.DeliveryCount };
        AddObject(entry, place);
        entry.MoveTo(segment, message.ContentOffset);
        return place;
    }

    private void AddObject(LogEntry entry, LogPlace place)
    {
        entry.Add(place);
        entry.CountPlaces(1);
        _state.Places[place.Number] = place;
        _state.Messages[entry.Number] = entry;
    }

    private void NoteNumber(ulong number) => _state.NextMessage = Math.Max(_state.NextMessage, number + 1);

    private void MoveMessage(ref BinaryBodyReader reader)
    {
        ulong from = (ulong)reader.Read7BitEncodedInt64();
        ulong to = (ulong)reader.Read7BitEncodedInt64();
        if (_state.Places.TryGetValue(from, out LogPlace? place) && !_deletedQueues.Contains(place.Queue.QueueId))
        {
            AddPlace(ref reader, place.Entry, to, deliveryCount: 0);
            Remove(place);
        }
        else if (_state.Index.TryGet(from, out IndexedMessage message, out IndexedExtras more) && !_deletedQueues.Contains(message.QueueId))
        {
            NoteNumber(to);
            (FileQueueStore? queue, message.Kind, more.DeadLetter) = LogOperations.ReadPlace(ref reader, _state.Queues);
            _state.Index.Remove(from);
            if (queue is null)
                return;
            (message.QueueId, message.DeliveryCount, more.TimeToLiveTicks) = (queue.QueueId, 0, 0);
            _state.Index.Set(to, message, more);
        }
        else
        {
            // The message was in a segment that no longer exists, or its queue is deleted.
            LogOperations.ReadPlace(ref reader, _state.Queues);
        }
    }

    private void AddPlace(ref BinaryBodyReader reader, LogEntry entry, ulong number, int deliveryCount)
    {
        NoteNumber(number);
        _state.Index.Remove(number);
        (FileQueueStore? queue, LogPlaceKind kind, DeadLetter? deadLetter) = LogOperations.ReadPlace(ref reader, _state.Queues);
        if (queue is null)
            return;
        var place = new LogPlace(entry, queue, kind, deadLetter) { Number = number, DeliveryCount = deliveryCount };
        entry.Add(place);
        entry.CountPlaces(1);
        _state.Places[number] = place;
    }

    private void Remove(LogPlace place)
    {
        LogEntry entry = place.Entry;
        _state.Places.Remove(place.Number);
        entry.Remove(place);
        entry.CountPlaces(-1);
        if (entry.FirstPlace is null)
            _state.Messages.Remove(entry.Number);
    }

    /// <summary>Clears the end of the last segment if it is not zero: the remainder of an interrupted write.</summary>
    private void CutTornTail(LogSegment segment)
    {
        var window = new Window(segment.File, WindowByteCount);
        long end = segment.Position;
        for (long position = segment.Position; position < segment.ByteCount;)
        {
            ReadOnlySpan<byte> bytes = window.Get(position, (int)Math.Min(WindowByteCount, segment.ByteCount - position));
            if (bytes.IsEmpty)
                break;
            int last = bytes.LastIndexOfAnyExcept((byte)0);
            if (last >= 0)
                end = position + last + 1;
            position += bytes.Length;
        }

        if (end == segment.Position)
            return;
        if (FindLaterBlock(segment, window, end) is { } later)
            throw Damage(segment, segment.Position, $"the block is not whole, and there is a whole one after it at {later}");
        SaveTornTail(segment, end);
        byte[] zeros = new byte[(int)Math.Min(WindowByteCount, end - segment.Position)];
        for (long position = segment.Position; position < end; position += zeros.Length)
            segment.File.Write(zeros.AsSpan(0, (int)Math.Min(zeros.Length, end - position)), position);
        segment.File.Flush();
    }

    private long? FindLaterBlock(LogSegment segment, Window window, long end)
    {
        Span<byte> magic = stackalloc byte[sizeof(uint)];
        BinaryPrimitives.WriteUInt32LittleEndian(magic, LogBlock.Magic);
        for (long position = segment.Position; position < end;)
        {
            ReadOnlySpan<byte> bytes = window.Get(position, (int)Math.Min(WindowByteCount, segment.ByteCount - position));
            int found = bytes.IndexOf(magic);
            if (found < 0)
            {
                if (bytes.Length <= sizeof(uint))
                    break;
                position += bytes.Length - sizeof(uint) + 1;
                continue;
            }

            position += found;
            if (position % LogBlock.Alignment == 0 && !ReadBlock(segment, window, position, out ulong number).IsEmpty && number >= _state.NextBlock)
                return position;
            position++;
        }

        return null;
    }

    /// <summary>Saves what is cleared to a file, if there is space: it was never confirmed as sent, but may be of interest.</summary>
    private void SaveTornTail(LogSegment segment, long end)
    {
        string name = LogSegment.FileName(segment.Number) + $".torn-{segment.Position}";
        byte[] bytes = new byte[(int)Math.Min(end - segment.Position, int.MaxValue / 2)];
        segment.File.Read(bytes, segment.Position);
        try
        {
            using LogFile copy = _folder.Create(name, 0);
            copy.Write(bytes, 0);
            copy.Flush();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Messages must be receivable: a full disk does not keep the log closed because of data that was never acknowledged.
            if (_folder.GetFileNames().Contains(name))
                _folder.Delete(name);
        }
    }

    private QueueException Damage(LogSegment segment, long offset, string what) =>
        LogDamage.At(_folder, LogSegment.FileName(segment.Number), offset, what);

    /// <summary>A window over a file that moves forward with the reader.</summary>
    private sealed class Window(LogFile file, int minByteCount)
    {
        private byte[] _bytes = new byte[minByteCount];
        private long _start;
        private int _count;

        /// <summary>Returns the bytes at a position, fewer at the end of the file. Valid until the next call.</summary>
        internal ReadOnlySpan<byte> Get(long position, int byteCount)
        {
            if (position < _start || position + byteCount > _start + _count)
            {
                if (_bytes.Length < byteCount)
                    _bytes = new byte[byteCount];
                _start = position;
                _count = file.Read(_bytes, position);
            }

            int offset = (int)(position - _start);
            return offset >= _count ? default : _bytes.AsSpan(offset, Math.Min(byteCount, _count - offset));
        }
    }
}
