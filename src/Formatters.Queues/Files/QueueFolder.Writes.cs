using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Queues;

// What the folder writes into its log, and what becomes of it in memory.
internal sealed partial class QueueFolder
{
    private sealed class QueueAddedWrite(QueueFolder folder, string name) : LogWrite
    {
        internal FileQueueStore? Queue { get; private set; }

        internal override void Encode(LogBuffer block)
        {
            Queue = new FileQueueStore(folder, folder._nextQueueId, name);
            LogOperations.WriteQueueAdded(block, Queue.QueueId, name);
            folder._nextQueueId++;
        }

        internal override void Apply(LogSegment segment, long blockPosition)
        {
            lock (folder._log.Gate)
                folder._queues = new(folder._queues, folder._queues.Comparer) { [name] = Queue! };
        }
    }

    private sealed class QueueDeletedWrite(QueueFolder folder, FileQueueStore queue) : LogWrite
    {
        internal override void Encode(LogBuffer block)
        {
            LogOperations.WriteQueueDeleted(block, queue.QueueId);
            queue.IsDeletedInLog = true;
        }

        internal override void Apply(LogSegment segment, long blockPosition)
        {
            lock (folder._log.Gate)
            {
                var queues = new Dictionary<string, FileQueueStore>(folder._queues, folder._queues.Comparer);
                queues.Remove(queue.Name);
                folder._queues = queues;
                folder._log.ReleaseAll(queue);
            }

            foreach (FileMessage message in queue.TakeAll().OfType<FileMessage>())
                message.LeaveCache();
            queue.Delete();
        }
    }

    private sealed class SendWrite(QueueFolder folder, FileMessage message) : LogWrite
    {
        private int _contentOffset;

        internal override bool AddsMessages => true;

        internal override void Encode(LogBuffer block) => _contentOffset = folder.EncodeMessage(block, message);

        internal override void Apply(LogSegment segment, long blockPosition)
        {
            ApplyMessage(message, segment, blockPosition + _contentOffset);
            if (!message.Queue.IsDeleted)
                message.Queue.TryAdd(message, isCounted: true);
        }
    }

    private sealed class RemoveWrite(FileMessage[] messages) : LogWrite
    {
        internal override void Encode(LogBuffer block) => EncodeRemovals(block, messages);

        internal override void Apply(LogSegment segment, long blockPosition) => ApplyRemovals(messages);

        internal override void Undo() => UndoRemovals(messages);
    }

    private sealed class CommitWrite(QueueFolder folder, FileMessage[] sent, FileMessage[] received) : LogWrite
    {
        private readonly int[] _contentOffsets = new int[sent.Length];

        internal override bool AddsMessages => sent.Length > 0;

        internal override void Encode(LogBuffer block)
        {
            for (int i = 0; i < sent.Length; i++)
                _contentOffsets[i] = folder.EncodeMessage(block, sent[i]);
            EncodeRemovals(block, received);
        }

        internal override void Apply(LogSegment segment, long blockPosition)
        {
            for (int i = 0; i < sent.Length; i++)
                ApplyMessage(sent[i], segment, blockPosition + _contentOffsets[i]);
            ApplyRemovals(received);
            MemoryQueueStore.AddAll(sent, mayBeDeleted: true);
        }

        internal override void Undo() => UndoRemovals(received);
    }

    private int EncodeMessage(LogBuffer block, FileMessage message)
    {
        if (message.Queue.IsDeletedInLog)
            throw message.Queue.DeletedException();
        message.Entry.Number = _log.TakeMessageNumber();
        return LogOperations.WriteMessage(block, message.Entry, message);
    }

    private static void ApplyMessage(FileMessage message, LogSegment segment, long contentOffset)
    {
        message.Entry.MoveTo(segment, contentOffset);
        message.KeepBodyOrLetGo();
    }

    private static void EncodeRemovals(LogBuffer block, FileMessage[] messages)
    {
        foreach (FileMessage message in messages)
            LogOperations.WriteRemoved(block, message.Entry, message.Queue);
        foreach (FileMessage message in messages)
            message.Entry.RemoveFrom(message.Queue);
    }

    private static void ApplyRemovals(FileMessage[] messages)
    {
        foreach (FileMessage message in messages)
        {
            if (message.Entry.Queues.Length == 0)
                message.Entry.Release();
        }
    }

    /// <summary>The messages are still there, in the log and for the next receiver.</summary>
    private static void UndoRemovals(FileMessage[] messages)
    {
        foreach (FileMessage message in messages)
            message.Entry.AddTo(message.Queue);
        foreach (IGrouping<FileQueueStore, FileMessage> group in messages.GroupBy(message => message.Queue))
            group.Key.AddBack([.. group]);
    }
}
