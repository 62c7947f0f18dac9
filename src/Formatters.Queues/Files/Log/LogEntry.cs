using System;
using System.Diagnostics.CodeAnalysis;

namespace Formatters.Queues;

/// <summary>A message in the log: where its content is, and in which queues it still is.</summary>
/// <remarks>The places change under the log's gate; the segment, and the count of places that are on the disk, on the log's writer and under the entry's own
/// lock.</remarks>
internal sealed class LogEntry
{
    private readonly object _gate = new();
    private LogSegment? _segment;
    private long _contentOffset;
    private int _flushedPlaceCount;
    private bool _isCopying;
    private bool _isParked;

    /// <summary>Counts up in the order of the sends, over all queues of the folder: the number of the message's first place.</summary>
    internal ulong Number { get; set; }

    /// <summary>The message's properties and, at their end, its body; as they are in the log.</summary>
    internal int ContentByteCount { get; set; }

    internal int BodyByteCount { get; set; }

    internal uint Checksum { get; set; }

    /// <summary>The queues from which the message has not been removed, in the log or in a block that is being filled.</summary>
    internal LogPlace? FirstPlace { get; private set; }

    internal LogEntry? Previous { get; set; }

    internal LogEntry? Next { get; set; }

    /// <summary>The message as recovery read it, without its body, for those who put it into its queues.</summary>
    internal RecoveredMessage? Recovered { get; set; }

    /// <summary>Where in its segment the content is.</summary>
    internal long ContentOffset
    {
        get
        {
            lock (_gate)
                return _contentOffset;
        }
    }

    internal bool HasSegment
    {
        get
        {
            lock (_gate)
                return _segment is not null;
        }
    }

    internal int PlaceCount
    {
        get
        {
            int count = 0;
            for (LogPlace? place = FirstPlace; place is not null; place = place.Next)
                count++;
            return count;
        }
    }

    /// <summary>Adds a place after the others.</summary>
    internal void Add(LogPlace place)
    {
        place.Next = null;
        if (FirstPlace is null)
        {
            FirstPlace = place;
            return;
        }

        LogPlace last = FirstPlace;
        while (last.Next is { } next)
            last = next;
        last.Next = place;
    }

    /// <summary>Whether the message has not been removed from a place.</summary>
    internal bool Has(LogPlace place)
    {
        for (LogPlace? one = FirstPlace; one is not null; one = one.Next)
        {
            if (one == place)
                return true;
        }

        return false;
    }

    internal void Remove(LogPlace place)
    {
        if (FirstPlace == place)
        {
            FirstPlace = place.Next;
            return;
        }

        for (LogPlace? before = FirstPlace; before is not null; before = before.Next)
        {
            if (before.Next == place)
            {
                before.Next = place.Next;
                return;
            }
        }
    }

    /// <summary>Leaves it to the message's queue to know where the content is. The entry is of no more use but to those who read it already.</summary>
    /// <returns>Whether it can be left: not while it is copied, or where several queues have it.</returns>
    internal bool TryPark([NotNullWhen(true)] out LogSegment? segment, out long contentOffset)
    {
        lock (_gate)
        {
            (segment, contentOffset) = (_segment, _contentOffset);
            if (segment is null || _isCopying || _flushedPlaceCount != 1 || FirstPlace is not { Next: null })
                return false;
            _isParked = true;
            segment.Park(this);
            return true;
        }
    }

    /// <summary>Takes over a message with one place that was parked.</summary>
    internal void Unpark(LogSegment segment, long contentOffset)
    {
        lock (_gate)
        {
            _segment = segment;
            _contentOffset = contentOffset;
            _flushedPlaceCount = 1;
            segment.Unpark(this);
        }
    }

    /// <summary>A copy of it is about to be written, or is: until then it is not parked.</summary>
    /// <returns>Whether it is still here.</returns>
    internal bool TryBeginCopy()
    {
        lock (_gate)
            return _isCopying = !_isParked && _segment is not null;
    }

    internal void EndCopy()
    {
        lock (_gate)
            _isCopying = false;
    }

    /// <summary>Sets where the content is, at first and when the message was copied into a later segment.</summary>
    internal void MoveTo(LogSegment segment, long contentOffset)
    {
        lock (_gate)
        {
            _segment?.Remove(this);
            _segment = segment;
            _contentOffset = contentOffset;
            segment.Add(this);
        }
    }

    /// <summary>So many places more, or fewer, are on the disk. With the last one the entry leaves its segment, which may be deleted when it has none
    /// left.</summary>
    internal void CountPlaces(int change)
    {
        lock (_gate)
        {
            _flushedPlaceCount += change;
            if (_flushedPlaceCount > 0)
                return;
            _segment?.Remove(this);
            _segment = null;
        }
    }

    /// <summary>Reads the message again, without its body, for those who put it into its queues.</summary>
    internal RecoveredMessage ReadRecovered()
    {
        if (!TryReadContent(out byte[]? content))
            throw new InvalidOperationException($"Message {Number} is in no segment.");
        RecoveredMessage message = LogOperations.ReadContent(content);
        message.Body.Bytes = default;
        return message;
    }

    /// <summary>Reads the content from its segment.</summary>
    /// <returns>Whether the message is still in the log.</returns>
    /// <exception cref="QueueException">It cannot be read, or the bytes are not those that were written.</exception>
    internal bool TryReadContent([NotNullWhen(true)] out byte[]? content)
    {
        content = null;
        byte[] bytes = new byte[ContentByteCount];
        // Under the lock, since a segment is closed when its last entry has left it.
        lock (_gate)
        {
            if (_segment is not { } segment)
                return false;
            int read;
            try
            {
                read = segment.File.Read(bytes, _contentOffset);
            }
            catch (ObjectDisposedException) when (_isParked)
            {
                return false;
            }
            catch (Exception e) when (e is System.IO.IOException or UnauthorizedAccessException)
            {
                throw new QueueException($"Message {Number} cannot be read from segment '{LogSegment.FileName(segment.Number)}': {e.Message}", e);
            }

            if (read < bytes.Length || Crc32C.Of(bytes) != Checksum)
                throw new QueueException($"The queue log is damaged: segment '{LogSegment.FileName(segment.Number)}', offset {_contentOffset}: message {Number} has a wrong checksum.");
        }

        content = bytes;
        return true;
    }
}
