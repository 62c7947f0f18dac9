using System;
using System.Diagnostics.CodeAnalysis;

namespace Formatters.Queues;

/// <summary>A message in the log: the location of its content, and the queues that still have it.</summary>
/// <remarks>
/// The places change under the log's gate; the segment, and the count of places that are on the disk, on the log's writer and under the entry's own
/// lock.
/// </remarks>
internal sealed class LogEntry
{
    private readonly object _gate = new();
    private LogSegment? _segment;
    private long _contentOffset;
    private int _flushedPlaceCount;
    private bool _isCopying;
    private bool _isParked;

    /// <summary>
    /// Gets or sets the number of the message's first place; numbers ascend in the order of the sends, over all queues of the folder.
    /// </summary>
    internal ulong Number { get; set; }

    /// <summary>Gets or sets the size of the content in the log: the message's properties followed by its body.</summary>
    internal int ContentByteCount { get; set; }

    internal int BodyByteCount { get; set; }

    internal uint Checksum { get; set; }

    /// <summary>Gets or sets the position of the content in the block that is being filled, until that is in a segment.</summary>
    internal int BlockOffset { get; set; }

    /// <summary>Gets the first of the queues from which the message has not been removed, in the log or in a block that is being filled.</summary>
    internal LogPlace? FirstPlace { get; private set; }

    internal LogEntry? Previous { get; set; }

    internal LogEntry? Next { get; set; }

    /// <summary>Gets or sets the message as recovery read it, without its body, until it is added to its queues.</summary>
    internal RecoveredMessage? Recovered { get; set; }

    /// <summary>Gets the position of the content in its segment.</summary>
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

    /// <summary>Appends a place.</summary>
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

    /// <summary>Determines whether the message has not been removed from a place.</summary>
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

    /// <summary>Leaves the location of the content to the message's queue. The entry is then used only by callers that already read it.</summary>
    /// <returns>False while the message is being copied, or if several queues have it.</returns>
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

    /// <summary>Takes over a parked message with one place.</summary>
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

    /// <summary>Marks the message as being copied, which prevents parking until the copy is written.</summary>
    /// <returns>False if the message is no longer here.</returns>
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

    /// <summary>Sets the location of the content, initially and when the message was copied into a later segment.</summary>
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

    /// <summary>
    /// Changes the number of places on the disk. When the last one is removed, the entry leaves its segment, which may be deleted when it is empty.
    /// </summary>
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

    /// <summary>Reads the message again, without its body, to add it to its queues.</summary>
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
    /// <exception cref="QueueException">It cannot be read, or its checksum does not match.</exception>
    internal bool TryReadContent([NotNullWhen(true)] out byte[]? content)
    {
        content = null;
        byte[] bytes = new byte[ContentByteCount];
        // Under the lock, because a segment is closed when its last entry has left it.
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
                throw new QueueException(
                    $"The queue log is damaged: segment '{LogSegment.FileName(segment.Number)}', offset {_contentOffset}: message {Number} has a "
                    + "wrong checksum.");
        }

        content = bytes;
        return true;
    }
}
