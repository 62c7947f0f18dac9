using System;
using System.Buffers;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;

namespace Formatters.Queues;

/// <summary>The location in the log of a waiting message that has no object: 40 bytes, stored in a snapshot unchanged.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct ParkedMessage
{
    internal ulong Number;
    internal long Order;
    internal uint Segment;
    internal uint ContentOffset;
    internal int ContentByteCount;
    internal int BodyByteCount;
    internal uint Checksum;
    internal ushort DeliveryCount;
    internal LogPlaceKind Kind;
    internal byte Priority;
}

/// <summary>The rarely used data of a parked message; allocated for a group if any of its messages needs it.</summary>
internal struct ParkedExtras
{
    internal long Deadline;
    internal ulong EntryNumber;

    /// <summary>The dead-letter data, or the message object if it cannot be parked.</summary>
    internal object? Reference;

    /// <summary>The hash of the message id; 0 if it has none.</summary>
    internal uint IdHash;
    internal uint CorrelationHash;

    internal readonly bool IsNeeded(ulong number) =>
        Deadline != QueueClock.Never || EntryNumber != number || Reference is not null || IdHash != 0 || CorrelationHash != 0;

    internal static ParkedExtras None(ulong number) => new() { Deadline = QueueClock.Never, EntryNumber = number };

    internal static uint HashOf(string? text) => text is null ? 0 : Math.Max(1, Crc32C.Of(MemoryMarshal.AsBytes(text.AsSpan())));
}

/// <summary>
/// The parked messages of a queue in a folder, which wait after many others: they are read from the log shortly before they are received.
/// </summary>
internal sealed class FileParkedMessages(FileQueueStore queue) : ParkedMessages
{
    internal const int MaxContentByteCount = 64 * 1024;

    /// <summary>The maximum number of bytes read from the log at once.</summary>
    private const int MaxReadByteCount = 1 << 20;

    private ParkedMessage[] _items = [];
    private ParkedExtras[]? _more;
    private int _count;

    // No message is in an older segment.
    private uint _oldestSegment = uint.MaxValue;

    internal override int Count => _count;

    internal override long FirstOrder => _items[0].Order;

    internal override long LastOrder => _items[_count - 1].Order;

    internal override int FindLowerBound(long order)
    {
        int low = 0;
        int high = _count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (_items[middle].Order < order)
                low = middle + 1;
            else
                high = middle;
        }

        return low;
    }

    internal override bool IsDead(int index, long now, int maxDeliveryCount)
    {
        if (ObjectAt(index) is { } message)
            return (message.Deadline != QueueClock.Never && message.Deadline <= now)
                || (maxDeliveryCount > 0 && message.DeliveryCount > maxDeliveryCount);
        long deadline = MoreAt(index).Deadline;
        return (deadline != QueueClock.Never && deadline <= now) || (maxDeliveryCount > 0 && _items[index].DeliveryCount + 1 > maxDeliveryCount);
    }

    internal override long FindEarliestDeadline()
    {
        long earliest = QueueClock.Never;
        for (int i = 0; i < _count && _more is not null; i++)
            earliest = Math.Min(earliest, ObjectAt(i)?.Deadline ?? _more[i].Deadline);
        return earliest;
    }

    internal override bool MayMatch(int index, MessageFilter filter)
    {
        if (ObjectAt(index) is not null)
            return true;
        if (filter.Number != 0)
            return _items[index].Number == filter.Number;
        ParkedExtras more = MoreAt(index);
        if (filter.CorrelationId is { } correlationId && more.CorrelationHash != ParkedExtras.HashOf(correlationId))
            return false;
        if (filter.MessageId is not { } id)
            return true;
        return more.IdHash != 0 ? more.IdHash == ParkedExtras.HashOf(id) : HasNumber(id, more.EntryNumber);
    }

    internal override LocalMessage?[] Show(int first, MessageFilter? filter)
    {
        var messages = new LocalMessage?[_count - first];
        for (int i = first; i < _count; i++)
            messages[i - first] = ObjectAt(i);
        Read(first, _count, i => ObjectAt(i) is null && (filter is null || MayMatch(i, filter)),
            (i, content) => messages[i - first] = MakeObject(i, content, isShown: true));
        return messages;
    }

    internal override LocalMessage Take(int index)
    {
        LocalMessage? message = ObjectAt(index);
        if (message is null)
            Read(index, index + 1, _ => true, (i, content) => message = MakeObject(i, content, isShown: false));
        Remove(index, 1);
        return message!;
    }

    internal override LocalMessage[] TakeFirst()
    {
        var messages = new LocalMessage[_count];
        int taken = 0;
        try
        {
            Read(
                0,
                _count,
                i => ObjectAt(i) is null,
                (i, content) =>
                {
                    TakeObjects(i);
                    messages[taken++] = MakeObject(i, content, isShown: false);
                });
            TakeObjects(_count);
        }
        catch (QueueException) when (taken > 0)
        {
            // The next receive reports the error.
        }

        Remove(0, taken);
        return messages.AsSpan(0, taken).ToArray();

        void TakeObjects(int end)
        {
            while (taken < end && ObjectAt(taken) is { } message)
                messages[taken++] = message;
        }
    }

    internal override void Insert(int index, LocalMessage message)
    {
        if (message is not FileMessage file || !file.TryPark(out ParkedMessage item, out ParkedExtras more))
        {
            item = new ParkedMessage { Order = message.Order };
            more = ParkedExtras.None(0) with { Reference = message };
        }

        Insert(index, item, more);
    }

    /// <summary>Appends a message that is in the log.</summary>
    internal void Add(in ParkedMessage item, in ParkedExtras more) => Insert(_count, item, more);

    internal override IEnumerable<LocalMessage> EnumerateObjects()
    {
        for (int i = 0; i < _count && _more is not null; i++)
        {
            if (ObjectAt(i) is { } message)
                yield return message;
        }
    }

    internal override void Drop()
    {
        for (int i = 0; i < _count; i++)
        {
            if (ObjectAt(i) is null)
                SegmentOf(i).RemoveParked(_items[i].ContentByteCount);
        }

        _count = 0;
    }

    /// <summary>Converts the messages of a segment to objects, in place.</summary>
    /// <returns>The total size of their contents.</returns>
    internal long Unpark(ulong segment)
    {
        long byteCount = 0;
        if (_oldestSegment > (uint)segment)
            return 0;
        Read(
            0,
            _count,
            i => ObjectAt(i) is null && _items[i].Segment == (uint)segment,
            (i, content) =>
            {
                byteCount += content.Length;
                LocalMessage message = MakeObject(i, content, isShown: false);
                More()[i] = ParkedExtras.None(0) with { Reference = message };
            });
        _oldestSegment = uint.MaxValue;
        for (int i = 0; i < _count; i++)
        {
            if (ObjectAt(i) is null)
                _oldestSegment = Math.Min(_oldestSegment, _items[i].Segment);
        }

        return byteCount;
    }

    /// <summary>Parks all objects again that can be parked.</summary>
    internal void Repark()
    {
        for (int i = 0; i < _count; i++)
        {
            if (ObjectAt(i) is FileMessage message && message.TryPark(out ParkedMessage item, out ParkedExtras more))
            {
                _items[i] = item;
                _more![i] = more;
                _oldestSegment = Math.Min(_oldestSegment, item.Segment);
            }
        }

        if (_more is not null && !HasMore())
            _more = null;
    }

    /// <summary>Returns the parked messages, without those that are objects.</summary>
    /// <param name="more">The rarely used data; null if no message has any.</param>
    internal ReadOnlySpan<ParkedMessage> GetParked(out ParkedExtras[]? more)
    {
        more = _more;
        if (_more is null)
            return _items.AsSpan(0, _count);
        int[] indexes = [.. Enumerable.Range(0, _count).Where(i => ObjectAt(i) is null)];
        more = [.. indexes.Select(i => _more[i])];
        return indexes.Select(i => _items[i]).ToArray();
    }

    /// <summary>Takes over the messages of a snapshot, while this is empty.</summary>
    internal void Set(ParkedMessage[] items, ParkedExtras[]? more)
    {
        (_items, _more, _count) = (items, more, items.Length);
        foreach (ref ParkedMessage item in items.AsSpan())
        {
            // In one queue messages are in the order of their numbers.
            item.Order = (long)item.Number;
            _oldestSegment = Math.Min(_oldestSegment, item.Segment);
        }
    }

    private bool HasMore()
    {
        for (int i = 0; i < _count; i++)
        {
            if (_more![i].IsNeeded(_items[i].Number))
                return true;
        }

        return false;
    }

    private LocalMessage? ObjectAt(int index) => _more?[index].Reference as LocalMessage;

    private ParkedExtras MoreAt(int index) => _more is not null ? _more[index] : ParkedExtras.None(_items[index].Number);

    private LogSegment SegmentOf(int index) => queue.Folder.SegmentOf(_items[index].Segment);

    private bool HasNumber(string id, ulong number)
    {
        string prefix = queue.Folder.IdString;
        return id.Length > prefix.Length + 1 && id[prefix.Length] == '\\' && id.StartsWith(prefix, StringComparison.Ordinal)
            && ulong.TryParse(id.AsSpan(prefix.Length + 1), NumberStyles.None, CultureInfo.InvariantCulture, out ulong other) && other == number;
    }

    /// <summary>Reads contents from the log, adjacent ones together.</summary>
    /// <param name="first">The index of the first.</param>
    /// <param name="end">The index after the last.</param>
    /// <param name="isWanted">Whether to read a given message.</param>
    /// <param name="visit">Gets index and content, which is valid for the call.</param>
    private void Read(int first, int end, Func<int, bool> isWanted, Action<int, ReadOnlyMemory<byte>> visit)
    {
        byte[]? bytes = null;
        long start = 0;
        int count = 0;
        uint segmentNumber = uint.MaxValue;
        try
        {
            for (int i = first; i < end; i++)
            {
                if (!isWanted(i))
                    continue;
                ParkedMessage item = _items[i];
                if (bytes is null || item.Segment != segmentNumber || item.ContentOffset < start
                    || item.ContentOffset + item.ContentByteCount > start + count)
                {
                    long readEnd = item.ContentOffset + (long)item.ContentByteCount;
                    for (int j = i + 1; j < end; j++)
                    {
                        ParkedMessage next = _items[j];
                        if (next.Segment != item.Segment || next.ContentOffset < readEnd
                            || next.ContentOffset + (long)next.ContentByteCount > item.ContentOffset + (long)MaxReadByteCount)
                            break;
                        readEnd = next.ContentOffset + (long)next.ContentByteCount;
                    }

                    (start, segmentNumber) = (item.ContentOffset, item.Segment);
                    int byteCount = (int)(readEnd - start);
                    if (bytes is null || bytes.Length < byteCount)
                    {
                        if (bytes is not null)
                            ArrayPool<byte>.Shared.Return(bytes);
                        bytes = ArrayPool<byte>.Shared.Rent(byteCount);
                    }

                    count = ReadFrom(i, bytes.AsSpan(0, byteCount));
                }

                int offset = (int)(item.ContentOffset - start);
                if (offset + item.ContentByteCount > count || Crc32C.Of(bytes.AsSpan(offset, item.ContentByteCount)) != item.Checksum)
                {
                    throw new QueueException(
                        $"The queue log is damaged: segment '{LogSegment.FileName(item.Segment)}', offset {item.ContentOffset}: message "
                        + $"{MoreAt(i).EntryNumber} has a wrong checksum.");
                }

                visit(i, bytes.AsMemory(offset, item.ContentByteCount));
            }
        }
        finally
        {
            if (bytes is not null)
                ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    private int ReadFrom(int index, Span<byte> bytes)
    {
        try
        {
            return SegmentOf(index).File.Read(bytes, _items[index].ContentOffset);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new QueueException(
                $"Message {MoreAt(index).EntryNumber} cannot be read from segment '{LogSegment.FileName(_items[index].Segment)}': {e.Message}", e);
        }
    }

    private FileMessage MakeObject(int index, ReadOnlyMemory<byte> content, bool isShown)
    {
        ref ParkedMessage item = ref _items[index];
        ParkedExtras more = MoreAt(index);
        var entry = new LogEntry { Number = more.EntryNumber, ContentByteCount = item.ContentByteCount, BodyByteCount = item.BodyByteCount,
            Checksum = item.Checksum };
        var place = new LogPlace(entry, queue, item.Kind, more.Reference as DeadLetter) { Number = item.Number, DeliveryCount = item.DeliveryCount };
        entry.Add(place);
        var message = FileMessage.Unpark(place, content, item.Order, more.Deadline, isShown);
        if (!isShown)
            entry.Unpark(SegmentOf(index), item.ContentOffset);
        return message;
    }

    private void Insert(int index, in ParkedMessage item, in ParkedExtras more)
    {
        if (_count == _items.Length)
        {
            int length = Math.Max(Math.Min(queue.Folder.ParkedTogether, Math.Max(16, _count * 2)), _count + 1);
            Array.Resize(ref _items, length);
            if (_more is not null)
                Array.Resize(ref _more, length);
        }

        if (more.IsNeeded(item.Number))
            More();
        Array.Copy(_items, index, _items, index + 1, _count - index);
        _items[index] = item;
        if (more.Reference is not LocalMessage)
            _oldestSegment = Math.Min(_oldestSegment, item.Segment);
        if (_more is not null)
        {
            Array.Copy(_more, index, _more, index + 1, _count - index);
            _more[index] = more;
        }

        _count++;
    }

    private ParkedExtras[] More()
    {
        if (_more is not null)
            return _more;
        var more = new ParkedExtras[_items.Length];
        for (int i = 0; i < _count; i++)
            more[i] = ParkedExtras.None(_items[i].Number);
        return _more = more;
    }

    private void Remove(int index, int count)
    {
        Array.Copy(_items, index + count, _items, index, _count - index - count);
        if (_more is not null)
        {
            Array.Copy(_more, index + count, _more, index, _count - index - count);
            Array.Clear(_more, _count - count, count);
        }

        _count -= count;
    }
}

/// <summary>The parking of one queue; its capacity is shared by the folder.</summary>
internal sealed class FileParking(QueueFolder folder) : MessageParking
{
    internal FileQueueStore Queue { get; set; } = null!;

    internal override int MaxCount => folder.ParkedTogether;

    internal override bool IsFull => folder.HasManyObjects;

    internal override void CountObjects(int change) => folder.CountObjects(change);

    internal override ParkedMessages Make() => new FileParkedMessages(Queue);
}
