using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Binary;

namespace Formatters.Queues;

// The fast path: a snapshot, and the log after it.
internal sealed partial class LogRecovery
{
    /// <summary>
    /// Reads the snapshot, if it belongs to this log, and the log after it. If either has a problem, the whole log is read instead, which reports
    /// problems of the log.
    /// </summary>
    private bool TryReadSnapshot(ulong[] numbers, out int first)
    {
        first = FindFirst(numbers);
        try
        {
            if (ReadSnapshot(numbers[first..]))
                return true;
        }
        catch (Exception e) when (e is QueueException or IOException or UnauthorizedAccessException or MessageFormatException or FormatException)
        {
        }

        foreach (LogSegment segment in _state.Segments)
            segment.Dispose();
        _state = new LogState { Manifest = _state.Manifest };
        _deletedQueues.Clear();
        _oldestNeeded = 0;
        _hasSizes = false;
        return false;
    }

    private bool ReadSnapshot(ulong[] numbers)
    {
        using LogSnapshot.Reader? reader = LogSnapshot.TryOpen(_folder, out SnapshotPlace place, out SnapshotSegment[] known);
        if (reader is null || place.End.Segment < numbers[0] || place.End.Segment > numbers[^1] || known[0].Number > numbers[0])
            return false;
        Dictionary<ulong, SnapshotSegment> byNumber = known.ToDictionary(segment => segment.Number);
        foreach (ulong number in numbers)
        {
            var segment = LogSegment.Open(_folder, number);
            _state.Segments.Add(segment);
            if (segment.FolderId != place.End.FolderId)
                return false;
            if (number > place.End.Segment)
                continue;
            if (!byNumber.TryGetValue(number, out SnapshotSegment same) || same.FirstBlock != segment.FirstBlock || same.Salt != segment.Salt
                || same.ByteCount != segment.ByteCount)
                return false;
            segment.Position = same.Position;
        }

        LogSegment last = SegmentAt(place.End.Segment)!;
        if (!IsBlockThere(last, place))
            return false;
        _state.FolderId = place.End.FolderId;
        _state.NextBlock = place.End.NextBlock;
        // A log with snapshots also has manifests.
        _hasSizes = true;
        // If nothing follows the snapshot, no message is looked up by its number.
        _state.IsInOrder = place.End.Segment == numbers[^1]
            && (ReadBlock(last, new Window(last.File, WindowByteCount), last.Position, out ulong next).IsEmpty || next != place.End.NextBlock);
        if (!TryReadRecords(reader))
            return false;
        ReadBlocks(last);
        foreach (ulong number in numbers.Where(number => number > place.End.Segment))
            ReadSegment(SegmentAt(number)!, isFirst: false);
        RemoveDeleted();
        return numbers[0] <= _oldestNeeded && _state.Index.AreIn(_state.Segments) && _state.Messages.Values.All(entry => entry.HasSegment);
    }

    /// <summary>
    /// Determines whether the log still has the block after which the snapshot was written. A log that has diverged since, as a restored copy may,
    /// has a different one.
    /// </summary>
    private static bool IsBlockThere(LogSegment segment, SnapshotPlace place)
    {
        if (place.LastBlock < LogSegment.HeaderByteCount || place.LastBlock % LogBlock.Alignment != 0)
            return false;
        ReadOnlySpan<byte> block = ReadBlock(segment, new Window(segment.File, WindowByteCount), place.LastBlock, out ulong number);
        return !block.IsEmpty && number == place.End.NextBlock - 1 && LogBlock.ChecksumOf(block) == place.LastChecksum
            && place.LastBlock + LogBlock.Align(block.Length) == place.Position;
    }

    private LogSegment? SegmentAt(ulong number) =>
        number >= _state.Segments[0].Number && number <= _state.Segments[^1].Number
        ? _state.Segments[(int)(number - _state.Segments[0].Number)]
        : null;

    /// <returns>Whether the snapshot is whole.</returns>
    private bool TryReadRecords(LogSnapshot.Reader frames)
    {
        while (frames.TryReadFrame(out ReadOnlyMemory<byte> payload))
        {
            if (payload.IsEmpty)
                return true;
            var reader = new BinaryBodyReader(payload.Span, LogOperations.Limits);
            while (reader.BytesRemaining > 0)
            {
                byte record = reader.ReadByte();
                switch (record)
                {
                    case (byte)LogOperation.Table:
                        ReadTable(ref reader);
                        break;
                    case (byte)LogOperation.Subscription:
                        ReadSubscription(ref reader);
                        break;
                    case (byte)LogOperation.Decided:
                        Guid transactionId = reader.ReadGuid();
                        _state.Decisions.Add(transactionId, reader.ReadGuid());
                        break;
                    case (byte)LogOperation.Applied:
                        _state.Applied.Add(LogOperations.ReadApplied(ref reader));
                        break;
                    case (byte)SnapshotRecord.SentId:
                        ulong segment = reader.ReadUInt64();
                        if (reader.ReadByte() != (byte)LogOperation.SentId)
                            return false;
                        KeepId(SegmentAt(segment), (uint)reader.Read7BitEncodedInt(), reader.ReadInt64(), reader.ReadString());
                        break;
                    case (byte)SnapshotRecord.Message:
                        ReadSnapshotMessage(ref reader);
                        break;
                    case (byte)SnapshotRecord.Parked:
                        ReadParked(ref reader);
                        break;
                    default:
                        return false;
                }
            }
        }

        return false;
    }

    private void ReadSnapshotMessage(ref BinaryBodyReader reader)
    {
        var entry = new LogEntry { Number = reader.ReadUInt64() };
        LogSegment? segment = SegmentAt(reader.ReadUInt64());
        long offset = reader.ReadInt64();
        entry.ContentByteCount = reader.ReadInt32();
        entry.BodyByteCount = reader.ReadInt32();
        entry.Checksum = reader.ReadUInt32();
        int placeCount = reader.ReadInt32();
        for (int i = 0; i < placeCount; i++)
        {
            ulong number = reader.ReadUInt64();
            int deliveryCount = reader.ReadInt32();
            long dueTicks = CheckTicks(reader.ReadInt64());
            AddPlace(ref reader, entry, number, deliveryCount);
            if (_state.Places.TryGetValue(number, out LogPlace? place))
                place.DueTicks = dueTicks;
        }

        if (entry.FirstPlace is null || !IsIn(segment, offset, entry.ContentByteCount, entry.BodyByteCount))
            throw new FormatException("A message is in no queue, or not in its segment.");
        if (segment is not null)
            entry.MoveTo(segment, offset);
        _state.Messages.Add(entry.Number, entry);
    }

    private void ReadParked(ref BinaryBodyReader reader)
    {
        uint queueId = reader.ReadUInt32();
        byte priority = reader.ReadByte();
        bool hasMore = reader.ReadBoolean();
        int count = reader.ReadInt32();
        int itemByteCount = Unsafe.SizeOf<ParkedMessage>();
        if (!_state.Queues.TryGetValue(queueId, out FileQueueStore? queue) || priority > 9 || count < 1
            || count > reader.BytesRemaining / itemByteCount)
            throw new FormatException("Messages are in no queue.");
        var items = new ParkedMessage[count];
        reader.ReadSpan(count * itemByteCount).CopyTo(MemoryMarshal.AsBytes(items.AsSpan()));
        var more = new IndexedExtras[hasMore ? count : 0];
        ulong before = 0;
        for (int i = 0; i < count; i++)
        {
            ref ParkedMessage item = ref items[i];
            LogSegment? segment = SegmentOf(item.Segment);
            if (item.Priority != priority || item.Kind > LogPlaceKind.DeadLetter || item.Number <= before
                || !IsIn(segment, item.ContentOffset, item.ContentByteCount, item.BodyByteCount) || (segment is null && _state.IsInOrder))
                throw new FormatException("A message is not in its place.");
            before = item.Number;
            if (_state.IsInOrder)
                segment!.AddParked(item.ContentByteCount);
            if (hasMore)
                more[i] = ReadMore(ref reader, segment, item);
        }

        NoteNumber(before);
        if (_state.IsInOrder)
        {
            queue.Add(priority, items, hasMore ? Array.ConvertAll(more, one => MoreOf(queue, one)) : null);
            return;
        }

        for (int i = 0; i < count; i++)
        {
            ref ParkedMessage item = ref items[i];
            var message = new IndexedMessage
            {
                QueueId = queueId,
                Segment = item.Segment,
                ContentOffset = item.ContentOffset,
                ContentByteCount = item.ContentByteCount,
                BodyByteCount = item.BodyByteCount,
                Checksum = item.Checksum,
                DeliveryCount = item.DeliveryCount,
                Priority = priority,
                Kind = item.Kind,
            };
            _state.Index.Set(item.Number, message, hasMore ? more[i] : new IndexedExtras { EntryNumber = item.Number });
        }
    }

    private static ParkedExtras MoreOf(FileQueueStore queue, in IndexedExtras more) => new()
    {
        Deadline = queue.DeadlineOf(more),
        EntryNumber = more.EntryNumber,
        Reference = more.DeadLetter,
        IdHash = more.IdHash,
        CorrelationHash = more.CorrelationHash,
    };

    private static IndexedExtras ReadMore(ref BinaryBodyReader reader, LogSegment? segment, in ParkedMessage item)
    {
        var more = new IndexedExtras { EntryNumber = reader.ReadUInt64() };
        bool expires = reader.ReadBoolean();
        more.IdHash = reader.ReadUInt32();
        more.CorrelationHash = reader.ReadUInt32();
        string? reason = reader.ReadNullableString();
        string? description = reader.ReadNullableString();
        string? source = reader.ReadNullableString();
        if ((reason is null) != (item.Kind != LogPlaceKind.DeadLetter))
            throw new FormatException("A dead letter has no reason.");
        if (reason is not null)
            more.DeadLetter = new DeadLetter(reason, description, source);
        if (expires && segment is not null)
            ReadExpiry(segment, item, ref more);
        return more;
    }

    /// <param name="number">The lower half of a segment's number.</param>
    private LogSegment? SegmentOf(uint number)
    {
        uint index = number - (uint)_state.Segments[0].Number;
        return index < _state.Segments.Count ? _state.Segments[(int)index] : null;
    }

    /// <summary>Reads the send or due time and the time to live of a message again.</summary>
    private static void ReadExpiry(LogSegment segment, in ParkedMessage message, ref IndexedExtras more)
    {
        byte[] content = new byte[message.ContentByteCount];
        if (segment.File.Read(content, message.ContentOffset) < content.Length || Crc32C.Of(content) != message.Checksum)
            throw new FormatException("A message cannot be read.");
        ContentSummary summary = LogOperations.ReadSummary(content);
        more.TimeToLiveTicks = summary.TimeToLiveTicks;
        more.UsefulFromTicks = Math.Max(summary.SentTicks, summary.DueTicks);
    }

    /// <summary>Determines whether a content can be at its recorded location; segments that no longer exist are checked at the end.</summary>
    private static bool IsIn(LogSegment? segment, long offset, int contentByteCount, int bodyByteCount) =>
        bodyByteCount >= 0 && bodyByteCount <= contentByteCount
        && (segment is null || (offset >= LogSegment.HeaderByteCount && offset + contentByteCount <= segment.Position));
}
