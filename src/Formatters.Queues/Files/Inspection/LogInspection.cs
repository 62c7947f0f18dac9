using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using Formatters.Binary;

namespace Formatters.Queues;

/// <summary>Reads the intact parts of a log, and reports the damaged ones. Changes nothing.</summary>
/// <remarks>
/// For an intact log the result is that of <see cref="LogRecovery"/>. In a damaged one every intact block is read: what was written and flushed
/// together is kept or lost together.
/// </remarks>
internal sealed class LogInspection
{
    private readonly LogFolder _folder;
    private readonly IReadOnlyList<InspectedSegment> _segments;
    private readonly HashSet<uint> _deletedQueues = [];
    private readonly List<int> _gaps = [];
    private InspectedSegment? _last;
    private long _lastEnd;
    private ulong _expected;
    private ulong _oldestNeeded;
    private ulong _maxNumber;
    private ulong _firstTableNumber;
    private bool _hasLost;
    private bool _misses;
    private bool _hasSizes;

    private LogInspection(LogFolder folder, IReadOnlyList<InspectedSegment> segments)
    {
        _folder = folder;
        _segments = segments;
    }

    internal List<QueueLogFinding> Findings { get; } = [];

    internal List<QueueLogRange> LostNumbers { get; } = [];

    internal Dictionary<ulong, InspectedMessage> Messages { get; } = [];

    internal Dictionary<ulong, InspectedPlace> Places { get; } = [];

    internal Dictionary<uint, string> QueueNames { get; } = [];

    internal Dictionary<uint, (string Topic, string? Selector)> Subscriptions { get; } = [];

    internal Dictionary<Guid, Guid> Decisions { get; } = [];

    internal Dictionary<(uint Queue, string Id), long> SentIds { get; } = [];

    internal Guid FolderId { get; private set; }

    internal ulong NextMessage { get; private set; } = 1;

    internal uint NextQueueId { get; private set; } = 1;

    /// <summary>Gets the number of the last block that is or may be lost; messages placed before it may have left their queues since.</summary>
    internal ulong LastLostBlock { get; private set; }

    /// <param name="folder">The files, for reading.</param>
    /// <param name="segments">Its segments, by number; more than are part of the log, perhaps.</param>
    /// <param name="end">The lower bound of the log's end from the manifest, read before the segments were opened; null if it has none.</param>
    /// <param name="opening">The findings from opening the files.</param>
    /// <param name="progress">Gets the part that is done, from 0 to 1.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    internal static LogInspection Run(
        LogFolder folder, IReadOnlyList<InspectedSegment> segments, LogEnd? end, IReadOnlyList<QueueLogFinding> opening, IProgress<double>? progress,
            CancellationToken cancellationToken)
    {
        Guid? id = end?.FolderId ?? segments.Where(segment => segment.FolderId is not null).GroupBy(segment => segment.FolderId!.Value)
            .MaxBy(group => group.Count())?.Key;
        // The files of other logs first, because they are not part of this one.
        List<QueueLogFinding> foreign = [];
        List<InspectedSegment> own = [];
        foreach (InspectedSegment segment in segments)
        {
            if (segment.FolderId is { } other && other != id)
                foreign.Add(new QueueLogFinding(segment.Name, 32, QueueLogFindingKind.Foreign, "the segment is of another log"));
            else
                own.Add(segment);
        }

        LogInspection inspection = Read(own);
        // A crash while old segments were deleted may have left any of them: segments before a gap that the log no longer needs are not part of it.
        int first = inspection._gaps.FindLast(index => own[index].Number - 1 < inspection._oldestNeeded);
        if (first > 0)
            inspection = Read(own.GetRange(first, own.Count - first));
        return inspection;

        LogInspection Read(IReadOnlyList<InspectedSegment> some)
        {
            var one = new LogInspection(folder, some) { FolderId = id ?? Guid.Empty };
            one.Findings.AddRange(opening);
            one.Findings.AddRange(foreign);
            one.ReadAll(end, progress, cancellationToken);
            return one;
        }
    }

    private void ReadAll(LogEnd? end, IProgress<double>? progress, CancellationToken cancellationToken)
    {
        long all = Math.Max(1, _segments.Sum(segment => segment.ByteCount));
        long before = 0;
        for (int i = 0; i < _segments.Count; i++)
        {
            InspectedSegment segment = _segments[i];
            if (i > 0 && segment.Number != _segments[i - 1].Number + 1)
            {
                _gaps.Add(i);
                Miss(_segments[i - 1].Number + 1, segment);
            }

            ReadSegment(segment, progress is null ? null : position => progress.Report(Math.Min(1, (double)(before + position) / all)),
                cancellationToken);
            before += segment.ByteCount;
        }

        if (_segments.Count > 0 && _segments[0].Number > _oldestNeeded && _oldestNeeded > 0)
        {
            Findings.Add(new QueueLogFinding(
                LogSegment.FileName(_oldestNeeded), 0, QueueLogFindingKind.Missing,
                    $"the segments {_oldestNeeded} to {_segments[0].Number - 1}, the log's first, are missing"));
            LostNumbers.Insert(0, new QueueLogRange(1, (long)_firstTableNumber - 1));
        }

        ReadEnd(end);
        foreach (InspectedSegment segment in _segments)
        {
            foreach ((long offset, string why) in segment.Unreadable)
                Findings.Add(new QueueLogFinding(segment.Name, offset, QueueLogFindingKind.Unreadable, why));
        }

        if (_misses)
            LostNumbers.Add(new QueueLogRange((long)_maxNumber + 1, null));
        NextMessage = Math.Max(NextMessage, _maxNumber + 1);
        // Numbers lost at the end are not assigned again, because ids are made of them.
        if (_misses)
            NextMessage += 1UL << 32;
    }

    /// <summary>Compares the files with the end of the log in the manifest.</summary>
    private void ReadEnd(LogEnd? end)
    {
        if (end is not { } known)
        {
            if (_hasSizes || _segments.Count == 0)
            {
                if (Findings.TrueForAll(finding => finding.File != LogManifest.FileName))
                    Findings.Add(new QueueLogFinding(LogManifest.FileName, 0, QueueLogFindingKind.Missing,
                        "the file is missing: the end of the log is unknown"));
                _misses = true;
                _hasLost = true;
                LastLostBlock = ulong.MaxValue;
            }
        }
        else if (known.Segment > (_last?.Number ?? 0))
        {
            ulong first = _last is null ? known.Segment : _last.Number + 1;
            MarkLost(LogSegment.FileName(first), 0, QueueLogFindingKind.Missing, "the segment is missing", known.NextBlock);
            return;
        }

        if (_last is null)
            return;
        if (end is not null && end.Value.NextBlock > _expected)
            MarkLost(_last.Name, _lastEnd, QueueLogFindingKind.Cut, "the log ends here, but more was written and flushed", end.Value.NextBlock);
        else if (_last.HasBytesFrom(_lastEnd))
            Findings.Add(new QueueLogFinding(_last.Name, _lastEnd, QueueLogFindingKind.Unfinished,
                "a write that a crash cut short; it was not confirmed"));
    }

    private void Miss(ulong number, InspectedSegment next)
    {
        string which = next.Number - number == 1 ? "the segment is missing" : $"the segments {number} to {next.Number - 1} are missing";
        if (next.FirstBlock is { } first && first > _expected)
        {
            MarkLost(LogSegment.FileName(number), 0, QueueLogFindingKind.Missing, which, first);
            return;
        }

        Findings.Add(new QueueLogFinding(LogSegment.FileName(number), 0, QueueLogFindingKind.Missing, which));
        _misses = true;
        _hasLost = true;
    }

    /// <summary>Records the blocks up to a number as lost.</summary>
    private void MarkLost(string file, long offset, QueueLogFindingKind kind, string what, ulong nextBlock)
    {
        ulong count = nextBlock - _expected;
        Findings.Add(new QueueLogFinding(file, offset, kind,
            $"{what} ({count} {(count == 1 ? "block" : "blocks")} lost)") { LostBlockCount = (long)count });
        _expected = nextBlock;
        LastLostBlock = Math.Max(LastLostBlock, nextBlock - 1);
        _misses = true;
        _hasLost = true;
    }

    private void ReadSegment(InspectedSegment segment, Action<long>? report, CancellationToken cancellationToken)
    {
        if (segment.FirstBlock is { } firstBlock)
        {
            if (_last is null)
                _expected = firstBlock;
            else if (firstBlock > _expected)
                MarkLost(_last.Name, _lastEnd, QueueLogFindingKind.Damaged, "a block is not whole", firstBlock);
            else if (firstBlock < _expected)
                Findings.Add(new QueueLogFinding(segment.Name, 24, QueueLogFindingKind.Damaged,
                    $"the segment begins with block {firstBlock}, but block {_expected} is next"));
        }
        else
        {
            string what = segment.Salt is null
                ? "the header is damaged, and none of its blocks can be told from damage"
                : "the header is damaged; its blocks can be read";
            Findings.Add(new QueueLogFinding(segment.Name, 0, QueueLogFindingKind.Damaged, what));
            _misses |= segment.Salt is null;
            _hasLost |= segment.Salt is null;
        }

        long position = LogSegment.HeaderByteCount;
        long end = position;
        while (position + LogBlock.HeaderByteCount <= segment.ByteCount)
        {
            ReadOnlySpan<byte> block = segment.ReadBlock(position, out ulong number);
            if (block.IsEmpty || number < _expected)
            {
                position += LogBlock.Alignment;
                continue;
            }

            cancellationToken.ThrowIfCancellationRequested();
            if (_expected == 0 && position > end)
            {
                Findings.Add(new QueueLogFinding(segment.Name, end, QueueLogFindingKind.Damaged,
                    "no block here is whole, and their number is unknown"));
                _misses = true;
                _hasLost = true;
            }
            else if (number > _expected && _expected > 0)
            {
                MarkLost(segment.Name, end, QueueLogFindingKind.Damaged, "a block is not whole", number);
            }
            else if (position > end)
            {
                Findings.Add(new QueueLogFinding(segment.Name, end, QueueLogFindingKind.Damaged, "bytes that belong to no block"));
            }

            long byteCount = LogBlock.Align(block.Length);
            try
            {
                ReadOperations(segment, position, number, block);
            }
            catch (Exception e) when (e is MessageFormatException or FormatException)
            {
                Findings.Add(new QueueLogFinding(segment.Name, position, QueueLogFindingKind.Damaged,
                    "a block with a right checksum does not have the layout of this version") { LostBlockCount = 1 });
                LastLostBlock = Math.Max(LastLostBlock, number);
                _misses = true;
                _hasLost = true;
            }

            _expected = number + 1;
            position += byteCount;
            end = position;
            report?.Invoke(position);
        }

        _last = segment;
        _lastEnd = end;
    }

    private void ReadOperations(InspectedSegment segment, long position, ulong block, ReadOnlySpan<byte> bytes)
    {
        var reader = new BinaryBodyReader(bytes[LogBlock.HeaderByteCount..], LogOperations.Limits);
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
                    ReadMessage(ref reader, segment, position, block);
                    break;
                case LogOperation.Removed:
                    if (Places.TryGetValue((ulong)reader.Read7BitEncodedInt64(), out InspectedPlace? removed))
                        Remove(removed);
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
                    MoveMessage(ref reader, block);
                    break;
                case LogOperation.Delivered:
                    ulong number = (ulong)reader.Read7BitEncodedInt64();
                    int deliveryCount = reader.Read7BitEncodedInt();
                    if (Places.TryGetValue(number, out InspectedPlace? delivered))
                    {
                        delivered.DeliveryCount = deliveryCount;
                        delivered.Block = block;
                    }

                    break;
                case LogOperation.Delayed:
                    ulong delayedNumber = (ulong)reader.Read7BitEncodedInt64();
                    long dueTicks = reader.ReadInt64();
                    if (Places.TryGetValue(delayedNumber, out InspectedPlace? delayed))
                    {
                        delayed.DueTicks = dueTicks;
                        delayed.Block = block;
                    }

                    break;
                case LogOperation.SentId:
                    uint idQueue = (uint)reader.Read7BitEncodedInt();
                    long endTicks = reader.ReadInt64();
                    SentIds[(idQueue, reader.ReadString())] = endTicks;
                    break;
                case LogOperation.Subscription:
                    uint subscriptionId = (uint)reader.Read7BitEncodedInt();
                    Subscriptions[subscriptionId] = (reader.ReadString(), reader.ReadNullableString());
                    break;
                case LogOperation.Decided:
                    Guid transactionId = reader.ReadGuid();
                    Decisions[transactionId] = reader.ReadGuid();
                    break;
                case LogOperation.Applied:
                    LogOperations.ReadApplied(ref reader);
                    break;
                case LogOperation.Forgotten:
                    Decisions.Remove(reader.ReadGuid());
                    break;
                case LogOperation.SegmentSize:
                    ulong byteCount = reader.ReadUInt64();
                    _hasSizes = true;
                    if (byteCount != (ulong)segment.ByteCount)
                        Findings.Add(new QueueLogFinding(segment.Name, segment.ByteCount, QueueLogFindingKind.Cut,
                            $"the file ends here, but it was created with {byteCount} bytes"));
                    break;
                default:
                    throw new FormatException($"Unknown operation {operation}.");
            }
        }
    }

    private void ReadTable(ref BinaryBodyReader reader)
    {
        ulong nextMessage = reader.ReadUInt64();
        if (_firstTableNumber == 0)
            _firstTableNumber = nextMessage;
        NextMessage = Math.Max(NextMessage, nextMessage);
        NextQueueId = Math.Max(NextQueueId, reader.ReadUInt32());
        _oldestNeeded = Math.Max(_oldestNeeded, reader.ReadUInt64());
        int count = reader.ReadCount(sizeof(uint) + 1);
        var listed = new HashSet<uint>();
        for (int i = 0; i < count; i++)
        {
            uint id = reader.ReadUInt32();
            AddQueue(id, reader.ReadString());
            listed.Add(id);
        }

        // A listed queue that no longer exists was deleted in a lost part.
        if (_hasLost)
        {
            foreach (uint id in QueueNames.Keys.Where(id => !listed.Contains(id)).ToArray())
                DeleteQueue(id);
        }
    }

    private void AddQueue(uint id, string name)
    {
        NextQueueId = Math.Max(NextQueueId, id + 1);
        QueueNames[id] = name;
        _deletedQueues.Remove(id);
    }

    private void DeleteQueue(uint id)
    {
        QueueNames.Remove(id);
        Subscriptions.Remove(id);
        _deletedQueues.Add(id);
        foreach (InspectedPlace place in Places.Values.Where(place => place.QueueId == id).ToArray())
            Remove(place);
    }

    private void ReadMessage(ref BinaryBodyReader reader, InspectedSegment segment, long position, ulong block)
    {
        ulong number = (ulong)reader.Read7BitEncodedInt64();
        if (Messages.Remove(number, out InspectedMessage? earlier))
        {
            foreach (InspectedPlace place in earlier.Places)
                Places.Remove(place.Number);
        }

        int placeCount = reader.Read7BitEncodedInt();
        if (placeCount < 0 || placeCount > reader.BytesRemaining)
            throw new FormatException("More places than bytes.");
        var places = new List<InspectedPlace>(placeCount);
        for (int i = 0; i < placeCount; i++)
        {
            ulong placeNumber = (ulong)reader.Read7BitEncodedInt64();
            int deliveryCount = reader.Read7BitEncodedInt();
            if (ReadPlace(ref reader, placeNumber, block) is not { } place)
                continue;
            place.DeliveryCount = deliveryCount;
            places.Add(place);
        }

        int contentByteCount = reader.ReadInt32();
        long contentOffset = position + LogBlock.HeaderByteCount + reader.ByteOffset;
        reader.ReadSpan(contentByteCount);
        var message = new InspectedMessage(number, segment, contentOffset, contentByteCount, reader.ReadUInt32());
        NoteNumber(number);
        if (places.Count == 0)
            return;
        foreach (InspectedPlace place in places)
            Add(message, place);
        Messages.Add(number, message);
    }

    private void MoveMessage(ref BinaryBodyReader reader, ulong block)
    {
        ulong from = (ulong)reader.Read7BitEncodedInt64();
        ulong to = (ulong)reader.Read7BitEncodedInt64();
        InspectedPlace? place = ReadPlace(ref reader, to, block);
        NoteNumber(to);
        if (!Places.TryGetValue(from, out InspectedPlace? before))
            return;
        if (place is not null)
            Add(before.Message, place);
        Remove(before);
    }

    /// <returns>The place, or null if its queue is deleted.</returns>
    private InspectedPlace? ReadPlace(ref BinaryBodyReader reader, ulong number, ulong block)
    {
        uint queueId = (uint)reader.Read7BitEncodedInt();
        byte kind = reader.ReadByte();
        if (kind > (byte)LogPlaceKind.DeadLetter)
            throw new FormatException($"Unknown place kind {kind}.");
        DeadLetter? deadLetter = kind == (byte)LogPlaceKind.DeadLetter
            ? new DeadLetter(reader.ReadString(), reader.ReadNullableString(), reader.ReadNullableString())
            : null;
        NoteNumber(number);
        if (!QueueNames.ContainsKey(queueId))
        {
            // The block that names the queue may be lost.
            if (!_hasLost || _deletedQueues.Contains(queueId))
                return null;
            AddQueue(queueId, $"lost-queue-{queueId}");
        }

        return new InspectedPlace(number, queueId, (LogPlaceKind)kind, deadLetter) { Block = block };
    }

    private void Add(InspectedMessage message, InspectedPlace place)
    {
        place.Message = message;
        message.Places.Add(place);
        Places[place.Number] = place;
    }

    private void Remove(InspectedPlace place)
    {
        Places.Remove(place.Number);
        place.Message.Places.Remove(place);
        if (place.Message.Places.Count == 0)
            Messages.Remove(place.Message.Number);
    }

    /// <summary>Notes a number found in the log: numbers between it and the previous one are lost if blocks are.</summary>
    private void NoteNumber(ulong number)
    {
        if (number <= _maxNumber)
            return;
        if (_misses)
        {
            if (number > _maxNumber + 1)
                LostNumbers.Add(new QueueLogRange((long)_maxNumber + 1, (long)number - 1));
            _misses = false;
        }

        _maxNumber = number;
    }
}
