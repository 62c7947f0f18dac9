using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Batches: one block of the log, one flush.
internal sealed partial class FileQueue
{
    protected override ValueTask SendBatchCoreAsync(IReadOnlyList<QueueMessage> messages, QueueTransaction? transaction,
        CancellationToken cancellationToken)
    {
        if (IsExpress)
            return base.SendBatchCoreAsync(messages, transaction, cancellationToken);
        ThrowIfDisposed();
        LocalTransaction? own = Check(transaction);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        return _store.MustWait(Line) || messages.Any(MustPrepare)
            ? SendInTurnAsync([this], messages, own, cancellationToken)
            : SendNowAsync(messages, own);
    }

    private ValueTask SendNowAsync(IReadOnlyList<QueueMessage> messages, LocalTransaction? own)
    {
        if (messages.Any(static message => message.HasRequests))
        {
            FileQueue[] queues = [this];
            return SendWithRequestsAsync(Folder, queues, [.. messages.Select(message => MakeAll(Folder, queues, message))], own);
        }

        _store.ThrowIfDeleted();
        var copies = new FileMessage[messages.Count];
        long byteCount = 0;
        for (int i = 0; i < copies.Length; i++)
        {
            var entry = new LogEntry();
            var place = new LogPlace(entry, _store);
            entry.Add(place);
            copies[i] = new FileMessage(place, messages[i]);
            NoteSender(copies[i]);
            byteCount += copies[i].BodyByteCount;
        }

        _store.Reserve(this, byteCount, copies.Length);
        // A rejected id also releases the reserved space.
        if (own is null && Array.Exists(copies, copy => copy.Receiver is not null))
            return Folder.CommitAsync(null, copies, []);
        try
        {
            if (own is null)
                return Folder.CommitAsync(null, copies, []);
            own.Send(copies);
            return default;
        }
        catch
        {
            _store.Release(byteCount, copies.Length);
            throw;
        }
    }

    protected override async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveBatchCoreAsync(
        int maxCount, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        long deadline = timeout == Timeout.InfiniteTimeSpan ? long.MaxValue : Environment.TickCount64 + (long)Math.Ceiling(timeout.TotalMilliseconds);
        while (true)
        {
            if (await base.ReceiveAsync(Filter, timeout, transaction, cancellationToken).ConfigureAwait(false) is not { } first)
                return [];
            var messages = new List<ReceivedMessage> { first };
            _store.TakeMore(this, Check(transaction), maxCount, messages);
            LoadBodies(messages);
            QueueFolder.Removal[] removals = [.. messages.OfType<FileMessage>().Where(IsFinal).Select(message => RemovalOf(message, null))];
            if (removals.Length > 0)
                await Folder.RemoveAsync(removals).ConfigureAwait(false);
            else if (Options.MaxDeliveryCount > 0)
                messages.OfType<FileMessage>().ToList().ForEach(Folder.WriteDelivered);
            if (messages.Count > 0)
                return messages;
            // Their leases had ended before their bodies were read.
            timeout = deadline == long.MaxValue
                ? Timeout.InfiniteTimeSpan
                : TimeSpan.FromMilliseconds(Math.Max(0, deadline - Environment.TickCount64));
        }
    }

    protected override ValueTask ReturnUnseenCoreAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken)
    {
        ThrowIfNotOwn(messages);
        List<LocalMessage> unlocked = [.. messages.Cast<LocalMessage>().Where(message => _store.TryUnlock(message) == SettleResult.Settled)];
        if (Options.MaxDeliveryCount > 0)
            unlocked.OfType<FileMessage>().ToList().ForEach(Folder.WriteNotDelivered);
        _store.AddBack(unlocked, areUnseen: true);
        return default;
    }

    /// <summary>
    /// Prepares delivered messages. If a body cannot be read, the messages before it are returned and the others go back to the queue; the next
    /// receive meets it again.
    /// </summary>
    private void LoadBodies(List<ReceivedMessage> messages)
    {
        for (int i = 0; i < messages.Count; i++)
        {
            if (messages[i] is not FileMessage message)
                continue;
            try
            {
                if (!TryLoadBody(message))
                    messages.RemoveAt(i--);
            }
            catch (QueueException)
            {
                var rest = new List<LocalMessage>();
                for (int j = i + 1; j < messages.Count; j++)
                {
                    var behind = (LocalMessage)messages[j];
                    if (behind.Transaction is not null)
                        continue;
                    if (Options.ReceiveMode == ReceiveMode.PeekLock && _store.TryUnlock(behind) != SettleResult.Settled)
                        continue;
                    if (Options.ReceiveMode == ReceiveMode.ReceiveAndDelete && !behind.IsStored)
                        _store.CountAgain(behind);
                    rest.Add(behind);
                }

                _store.AddBack(rest, areUnseen: true);
                // A message in a transaction goes back with the rollback.
                if (i == 0 || message.Transaction is not null)
                    throw;
                messages.RemoveRange(i, messages.Count - i);
            }
        }
    }
}
