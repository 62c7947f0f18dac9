using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Sends that add messages to other queues, such as a journal copy. Acknowledgements are added when the block is encoded.
internal sealed partial class FileQueue
{
    /// <summary>Sends a copy into a journal for a message that goes to no queue, as with a topic without durable subscriptions.</summary>
    internal static ValueTask SendToJournalAsync(QueueFolder folder, QueueMessage message, LocalTransaction? transaction) =>
        SendWithRequestsAsync(folder, [], [MakeAll(folder, [], message)], transaction);

    /// <summary>Creates a message in each of the queues, and a copy for the journal it names, all with the same content.</summary>
    private static FileMessage[] MakeAll(QueueFolder folder, FileQueue[] queues, QueueMessage message)
    {
        var entry = new LogEntry();
        var messages = new List<FileMessage>(queues.Length + 1);
        foreach (FileQueue queue in queues)
        {
            queue._store.ThrowIfDeleted();
            Add(new LogPlace(entry, queue._store));
            queue.NoteSender(messages[^1]);
        }

        if (message.SourceJournalQueue is { } name && folder.FindQueue(name) is FileQueueStore journal)
            Add(new LogPlace(entry, journal, LogPlaceKind.Journal));
        return [.. messages];

        void Add(LogPlace place)
        {
            entry.Add(place);
            FileMessage copy = messages.Count > 0 ? messages[0] : new FileMessage(place, message);
            // A journal copy requests nothing and is not delayed, even if it is the only message.
            if (messages.Count > 0 || place.Kind != LogPlaceKind.Sent)
            {
                RemoteOperation? operation = messages.Count == 0 ? copy.Operation : null;
                copy = copy.In(place);
                copy.Operation = operation;
            }

            copy.ClearSourceJournal();
            messages.Add(copy);
        }
    }

    /// <summary>
    /// Sends messages that request acknowledgements or a journal copy to queues of one folder: to all of them or to none, with the copy.
    /// </summary>
    private static ValueTask SendWithRequestsAsync(QueueFolder folder, FileQueue[] queues, FileMessage[][] messages, LocalTransaction? transaction)
    {
        FileMessage[] all = [.. messages.SelectMany(static one => one)];
        if (all.Length == 0)
            return default;
        long byteCount = messages.Sum(static one => one.Length > 0 ? one[0].BodyByteCount : 0);
        int reserved = 0;
        try
        {
            for (; reserved < queues.Length; reserved++)
                queues[reserved]._store.Reserve(queues[reserved], byteCount, messages.Length);
        }
        catch (QueueException e)
        {
            while (--reserved >= 0)
                queues[reserved]._store.Release(byteCount, messages.Length);
            if (transaction is not null)
                throw;
            return RefuseAsync(folder, all, e);
        }

        foreach (FileMessage copy in all.Where(static message => message.Place.Kind == LogPlaceKind.Journal))
            copy.Queue.CountAgain(copy);
        // If the log rejects an id, it also releases the reserved space.
        if (transaction is null && Array.Exists(all, static message => message.Receiver is not null))
            return folder.CommitAsync(null, all, []);
        try
        {
            if (transaction is null)
                return folder.CommitAsync(null, all, []);
            transaction.Send(all);
            return default;
        }
        catch
        {
            foreach (FileMessage message in all)
                message.Queue.Release(message.BodyByteCount);
            throw;
        }
    }

    private static async ValueTask RefuseAsync(QueueFolder folder, FileMessage[] messages, QueueException refusal)
    {
        await folder.AcknowledgeAsync(messages, AcknowledgmentClass.QueueExceedMaximumSize).ConfigureAwait(false);
        throw refusal;
    }
}
