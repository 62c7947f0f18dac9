using System;
using System.Buffers;
using System.Globalization;

namespace Formatters.Queues;

/// <summary>A recoverable message of a queue in a folder.</summary>
internal sealed class FileMessage : MemoryMessage
{
    private bool _isCached;

    internal FileMessage(FileQueueStore store, LogEntry entry, QueueMessage message)
        : base(store, 0, message)
    {
        Entry = entry;
    }

    private FileMessage(FileQueueStore store, LogEntry entry, QueueMessage message, bool hasBody)
        : base(store, 0, message)
    {
        Entry = entry;
        HasBody = hasBody;
    }

    private FileMessage(FileMessage message)
        : base(message)
    {
        Entry = message.Entry;
        HasBody = message.HasBody;
    }

    internal LogEntry Entry { get; }

    internal FileQueueStore Queue => (FileQueueStore)Store;

    internal override bool IsStored => true;

    internal override long BodyByteCount => Entry.BodyByteCount;

    /// <summary>Whether the body's bytes are in memory. If not, they are read from the log before the message is handed out.</summary>
    internal bool HasBody { get; private set; } = true;

    /// <summary>Makes a message that recovery has read; its body is in the log.</summary>
    internal static FileMessage Recover(FileQueueStore store, LogEntry entry) => new(store, entry, entry.Recovered!, hasBody: false);

    /// <summary>Before the message is in its queue: keeps the body in memory if there is room for it.</summary>
    internal void KeepBodyOrLetGo()
    {
        _isCached = Queue.Folder.TryTakeCache(Entry.BodyByteCount);
        if (_isCached)
            return;
        HasBody = false;
        Body.Bytes = default;
    }

    /// <summary>Readies the message to be handed out: reads the body if it is not in memory.</summary>
    internal void LoadBody()
    {
        LeaveCache();
        if (HasBody)
            return;
        byte[] content = Entry.ReadContent();
        Body.Bytes = new ReadOnlySequence<byte>(content, content.Length - Entry.BodyByteCount, Entry.BodyByteCount);
        HasBody = true;
    }

    internal void LeaveCache()
    {
        if (!_isCached)
            return;
        _isCached = false;
        Queue.Folder.LeaveCache(Entry.BodyByteCount);
    }

    internal override MemoryMessage ForRedelivery() => new FileMessage(this);

    private protected override string MakeMessageId() => string.Create(CultureInfo.InvariantCulture, $"{Queue.Folder.Id}\\{Entry.Number}");
}
