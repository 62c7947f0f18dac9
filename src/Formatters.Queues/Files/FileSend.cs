using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Sends recoverable messages to queues of one folder: all messages to all queues, or nothing.</summary>
/// <remarks>Each message is stored once, whatever the number of queues; all are in one block of the log, with the journal copies that they request.
/// Acknowledgements are added when the block is encoded.</remarks>
internal static class FileSend
{
    /// <summary>Sends messages, after those that already wait for space in one of the queues.</summary>
    internal static ValueTask SendAsync(ReadOnlySpan<FileQueue> queues, ReadOnlySpan<QueueMessage> messages, QueueTransaction? transaction,
        CancellationToken cancellationToken)
    {
        QueueFolder folder = queues[0].Folder;
        LocalTransaction? own = null;
        bool mustWait = false;
        foreach (FileQueue queue in queues)
        {
            queue.ThrowIfDisposed();
            foreach (QueueMessage message in messages)
                queue.Capabilities.ThrowIfNotSupported(message, queue.Address);
            own = queue.Check(transaction);
            mustWait |= queue.Store.MustWait(queue.Line);
        }

        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        foreach (QueueMessage message in messages)
            mustWait |= message.HasRequests && !folder.HasQueuesOf(message);
        return mustWait ? SendInTurnAsync(queues.ToArray(), Copy(messages), own, cancellationToken) : SendNow(folder, queues, messages, own);
    }

    /// <summary>Sends messages without waiting for space.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="queues">The queues; none for a message of which only a journal gets a copy.</param>
    /// <param name="messages">The messages.</param>
    /// <param name="transaction">The transaction, or null.</param>
    internal static ValueTask SendNow(QueueFolder folder, ReadOnlySpan<FileQueue> queues, ReadOnlySpan<QueueMessage> messages,
        LocalTransaction? transaction)
    {
        FileMessage[] made = Make(folder, queues, messages, out long byteCount);
        if (made.Length == 0)
            return default;
        int reserved = 0;
        try
        {
            for (; reserved < queues.Length; reserved++)
                queues[reserved].Store.Reserve(queues[reserved], byteCount, messages.Length);
        }
        catch (Exception e)
        {
            while (--reserved >= 0)
                queues[reserved].Store.Release(byteCount, messages.Length);
            if (transaction is null && e is QueueException refusal && Array.Exists(made, static message => message.HasRequests))
                return RefuseAsync(folder, made, refusal);
            throw;
        }

        foreach (FileMessage message in made)
        {
            if (message.Place.Kind == LogPlaceKind.Journal)
                message.Queue.CountAgain(message);
        }

        try
        {
            if (transaction is null)
                return folder.SendAsync(made);
            transaction.Send(made);
            return default;
        }
        catch
        {
            foreach (FileMessage message in made)
                message.Queue.Release(message.BodyByteCount);
            throw;
        }
    }

    /// <summary>Sends messages after waiting for their turn in each of the queues.</summary>
    private static async ValueTask SendInTurnAsync(FileQueue[] queues, QueueMessage[] messages, LocalTransaction? transaction,
        CancellationToken cancellationToken)
    {
        QueueFolder folder = queues[0].Folder;
        SendTurn[] turns = Join(folder, queues);
        try
        {
            foreach (SendTurn turn in turns)
            {
                if (await turn.WaitForSpaceAsync(cancellationToken).ConfigureAwait(false) is not { } refusal)
                    continue;
                if (transaction is null && Array.Exists(messages, static message => message.HasRequests))
                {
                    await folder.OpenQueuesOfAsync(messages, cancellationToken).ConfigureAwait(false);
                    await RefuseAsync(folder, Make(folder, queues, messages, out _), refusal).ConfigureAwait(false);
                }

                throw refusal;
            }

            if (!Array.TrueForAll(messages, folder.HasQueuesOf))
                await folder.OpenQueuesOfAsync(messages, cancellationToken).ConfigureAwait(false);
            // Started in turn, but awaited outside it: the log has its own order.
            ValueTask send = SendNow(folder, queues, messages, transaction);
            Leave();
            await send.ConfigureAwait(false);
        }
        finally
        {
            Leave();
        }

        void Leave()
        {
            foreach (SendTurn turn in turns)
                turn.Dispose();
        }
    }

    /// <summary>Joins the send lines of several queues atomically, so that two sends have the same order in all of them.</summary>
    private static SendTurn[] Join(QueueFolder folder, FileQueue[] queues)
    {
        lock (folder)
            return [.. queues.DistinctBy(static queue => queue.Line).Select(static queue => queue.Store.JoinLine(queue.Line, queue))];
    }

    /// <summary>Creates the copies of each message for the queues, and for the journal that it names, with one content.</summary>
    private static FileMessage[] Make(QueueFolder folder, ReadOnlySpan<FileQueue> queues, ReadOnlySpan<QueueMessage> messages, out long byteCount)
    {
        int count = messages.Length * queues.Length;
        foreach (QueueMessage message in messages)
            count += message.SourceJournalQueue is null ? 0 : 1;
        var made = new FileMessage[count];
        (count, byteCount) = (0, 0);
        foreach (QueueMessage message in messages)
        {
            var entry = new LogEntry();
            FileMessage? first = null;
            foreach (FileQueue queue in queues)
            {
                queue.Store.ThrowIfDeleted();
                var place = new LogPlace(entry, queue.Store);
                entry.Add(place);
                FileMessage copy = first is null ? first = MakeFirst(place, message) : first.CopyTo(place);
                queue.NoteSender(copy);
                made[count++] = copy;
            }

            byteCount += first?.BodyByteCount ?? 0;
            if (message.SourceJournalQueue is not { } name || folder.FindQueue(name) is not FileQueueStore journal)
                continue;
            var kept = new LogPlace(entry, journal, LogPlaceKind.Journal);
            entry.Add(kept);
            FileMessage origin = first ?? MakeFirst(kept, message);
            // A journal copy requests nothing and is not delayed, even if it is the only one.
            made[count] = origin.CopyTo(kept);
            if (first is null)
                made[count].Operation = origin.Operation;
            count++;
        }

        // A journal may not exist.
        Array.Resize(ref made, count);
        return made;
    }

    private static FileMessage MakeFirst(LogPlace place, QueueMessage message)
    {
        var first = new FileMessage(place, message);
        first.ClearSourceJournal();
        return first;
    }

    /// <summary>Takes snapshots of messages, which the caller may change while they wait.</summary>
    private static QueueMessage[] Copy(ReadOnlySpan<QueueMessage> messages)
    {
        var copies = new QueueMessage[messages.Length];
        for (int i = 0; i < copies.Length; i++)
            copies[i] = messages[i].Copy();
        return copies;
    }

    private static async ValueTask RefuseAsync(QueueFolder folder, FileMessage[] messages, QueueException refusal)
    {
        await folder.AcknowledgeAsync(messages, AcknowledgmentClass.QueueExceedMaximumSize).ConfigureAwait(false);
        throw refusal;
    }
}
