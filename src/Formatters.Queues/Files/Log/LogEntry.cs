using System;

namespace Formatters.Queues;

/// <summary>A message in the log: where its content is, and in which queues it still is.</summary>
/// <remarks>The queues change under the log's gate, the place on the log's writer and under the entry's own lock.</remarks>
internal sealed class LogEntry
{
    private readonly object _gate = new();
    private LogSegment? _segment;
    private long _contentOffset;

    internal LogEntry(FileQueueStore[] queues) => Queues = queues;

    /// <summary>Counts up in the order of the sends, over all queues of the folder.</summary>
    internal ulong Number { get; set; }

    /// <summary>The message's properties and, at their end, its body; as they are in the log.</summary>
    internal int ContentByteCount { get; set; }

    internal int BodyByteCount { get; set; }

    internal uint Checksum { get; set; }

    /// <summary>The queues from which the message has not been removed, in the log or in a block that is being filled.</summary>
    internal FileQueueStore[] Queues { get; private set; }

    internal LogEntry? Previous { get; set; }

    internal LogEntry? Next { get; set; }

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

    /// <summary>Takes the entry out of its segment, which may be deleted when it has none left.</summary>
    internal void Release()
    {
        lock (_gate)
        {
            _segment?.Remove(this);
            _segment = null;
        }
    }

    /// <summary>The message as recovery read it, without its body, for those who put it into its queues.</summary>
    internal QueueMessage? Recovered { get; set; }

    internal void AddTo(FileQueueStore queue) => Queues = Queues.Length == 0 ? queue.Alone : [.. Queues, queue];

    internal void RemoveFrom(FileQueueStore queue) => Queues = Queues.Length == 1 && Queues[0] == queue ? [] : Array.FindAll(Queues, other => other != queue);

    /// <summary>Reads the content from its segment.</summary>
    /// <exception cref="QueueException">It cannot be read, or the bytes are not those that were written.</exception>
    internal byte[] ReadContent()
    {
        byte[] content = new byte[ContentByteCount];
        // Under the lock, since a segment is closed when its last entry has left it.
        lock (_gate)
        {
            LogSegment segment = _segment ?? throw new InvalidOperationException("The message is no longer in the log.");
            int read;
            try
            {
                read = segment.File.Read(content, _contentOffset);
            }
            catch (Exception e) when (e is System.IO.IOException or UnauthorizedAccessException)
            {
                throw new QueueException($"Message {Number} cannot be read from segment '{LogSegment.FileName(segment.Number)}': {e.Message}", e);
            }

            if (read < content.Length || Crc32C.Of(content) != Checksum)
                throw new QueueException($"The queue log is damaged: segment '{LogSegment.FileName(segment.Number)}', offset {_contentOffset}: message {Number} has a wrong checksum.");
        }

        return content;
    }
}
