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
        CancellationToken cancellationToken) =>
        IsExpress
            ? base.SendBatchCoreAsync(messages, transaction, cancellationToken)
            : FileSend.SendAsync([this], messages as QueueMessage[] ?? [.. messages], transaction, cancellationToken);

    protected override async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveBatchCoreAsync(
        int maxCount, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        long deadline = timeout == Timeout.InfiniteTimeSpan ? long.MaxValue : Environment.TickCount64 + (long)Math.Ceiling(timeout.TotalMilliseconds);
        while (true)
        {
            if (await base.ReceiveAsync(Filter, timeout, transaction, cancellationToken).ConfigureAwait(false) is not { } first)
                return [];
            var messages = new List<ReceivedMessage> { first };
            Store.TakeMore(this, Check(transaction), maxCount, messages);
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
        List<LocalMessage> unlocked = [.. messages.Cast<LocalMessage>().Where(message => Store.TryUnlock(message) == SettleResult.Settled)];
        if (Options.MaxDeliveryCount > 0)
            unlocked.OfType<FileMessage>().ToList().ForEach(Folder.WriteNotDelivered);
        Store.AddBack(unlocked, areUnseen: true);
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
                    var later = (LocalMessage)messages[j];
                    if (later.Transaction is not null)
                        continue;
                    if (Options.ReceiveMode == ReceiveMode.PeekLock && Store.TryUnlock(later) != SettleResult.Settled)
                        continue;
                    if (Options.ReceiveMode == ReceiveMode.ReceiveAndDelete && !later.IsStored)
                        Store.CountAgain(later);
                    rest.Add(later);
                }

                Store.AddBack(rest, areUnseen: true);
                // A message in a transaction goes back with the rollback.
                if (i == 0 || message.Transaction is not null)
                    throw;
                messages.RemoveRange(i, messages.Count - i);
            }
        }
    }
}
