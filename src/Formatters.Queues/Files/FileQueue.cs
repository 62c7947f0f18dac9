using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A handle of a queue in a folder.</summary>
internal sealed partial class FileQueue : LocalQueue
{
    /// <summary>The number of messages that a purge converts to objects at once.</summary>
    private const int MaxPurgeCount = 10_000;

    /// <summary>The name for reports.</summary>
    internal const string Product = "embedded";

    private readonly FileQueueStore _store;

    /// <param name="store">The messages.</param>
    /// <param name="address">The address.</param>
    /// <param name="options">How the queue is opened, the delivery mode included.</param>
    /// <param name="deadLetters">The queue that takes dead letters, or null.</param>
    /// <param name="journal">The queue for copies of consumed messages, or null.</param>
    internal FileQueue(FileQueueStore store, QueueAddress address, QueueOptions options, FileQueueStore? deadLetters = null,
        FileQueueStore? journal = null)
        : base(store.Folder, store, address, options, CapabilitiesOf(store.Folder.DelayNote, options.DeliveryMode!.Value), deadLetters, journal)
    {
        _store = store;
    }

    internal QueueFolder Folder => _store.Folder;

    /// <summary>Gets or sets whether it is another process's handle.</summary>
    internal bool IsServed { get; set; }

    private bool IsExpress => Options.DeliveryMode == DeliveryMode.Express;

    /// <summary>Returns the capabilities of queues in a folder.</summary>
    internal static QueueCapabilities CapabilitiesOf(string delayNote, DeliveryMode mode) =>
        mode == DeliveryMode.Express
            ? CapabilitiesOf(mode) with { Product = Product, IsInProcess = false }
            : CapabilitiesOf(mode) with
            {
                Product = Product,
                IsInProcess = false,
                Durability = "in the log on disk, flushed by fdatasync before the send completes; senders share flushes" + delayNote,
                IsRecoverable = true,
                Features = CapabilitiesOf(mode).Features | (mode == DeliveryMode.Transactional ? QueueFeatures.CoordinatedTransactions : 0),
            };

    protected override ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        IsExpress ? base.SendCoreAsync(message, transaction, cancellationToken) : SendAsync([this], message, transaction, cancellationToken);

    /// <summary>Sends a message to recoverable queues of one folder, with its body stored once: to all of them or to none.</summary>
    internal static ValueTask SendAsync(
        ReadOnlySpan<FileQueue> queues, QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        LocalTransaction? own = null;
        foreach (FileQueue queue in queues)
        {
            queue.ThrowIfDisposed();
            queue.Capabilities.ThrowIfNotSupported(message, queue.Address);
            own = queue.Check(transaction);
        }

        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        foreach (FileQueue queue in queues)
        {
            if (queue._store.MustWait(queue.Line) || queue.MustPrepare(message))
                return SendInTurnAsync(queues.ToArray(), [message], own, cancellationToken);
        }

        return SendNowAsync(queues, message, own);
    }

    /// <summary>Sends after waiting for its turn in each of the queues; the messages are snapshots taken now.</summary>
    private static async ValueTask SendInTurnAsync(FileQueue[] queues, IReadOnlyList<QueueMessage> messages, LocalTransaction? transaction,
        CancellationToken cancellationToken)
    {
        QueueMessage[] copies = [.. messages.Select(static message => message.Copy())];
        QueueFolder folder = queues[0].Folder;
        SendTurn[] turns = Join(folder, queues);
        try
        {
            foreach (SendTurn turn in turns)
            {
                if (await turn.WaitForSpaceAsync(cancellationToken).ConfigureAwait(false) is not { } refusal)
                    continue;
                if (transaction is null && Array.Exists(copies, static message => message.HasRequests))
                {
                    await folder.OpenQueuesOfAsync(copies, cancellationToken).ConfigureAwait(false);
                    await folder.AcknowledgeAsync(copies.SelectMany(message => MakeAll(folder, queues, message)),
                        AcknowledgmentClass.QueueExceedMaximumSize).ConfigureAwait(false);
                }

                throw refusal;
            }

            if (!Array.TrueForAll(copies, folder.HasQueuesOf))
                await folder.OpenQueuesOfAsync(copies, cancellationToken).ConfigureAwait(false);
            // Started in turn, but awaited outside it: the log has its own order.
            ValueTask send = copies.Length == 1 ? SendNowAsync(queues, copies[0], transaction) : queues[0].SendNowAsync(copies, transaction);
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
            return [.. queues.GroupBy(static queue => queue.Line).Select(static same => same.First())
                .Select(static queue => queue._store.JoinLine(queue.Line, queue))];
    }

    private protected override bool MustPrepare(QueueMessage message) => message.HasRequests && !Folder.HasQueuesOf(message);

    private protected override ValueTask PrepareAsync(QueueMessage[] messages, CancellationToken cancellationToken) =>
        Folder.OpenQueuesOfAsync(messages, cancellationToken);

    private static ValueTask SendNowAsync(ReadOnlySpan<FileQueue> queues, QueueMessage message, LocalTransaction? own)
    {
        if (message.HasRequests)
        {
            QueueFolder shared = queues[0].Folder;
            FileQueue[] all = queues.ToArray();
            return SendWithRequestsAsync(shared, all, [MakeAll(shared, all, message)], own);
        }

        var entry = new LogEntry();
        FileMessage? first = null;
        FileMessage[]? messages = queues.Length > 1 ? new FileMessage[queues.Length] : null;
        for (int i = 0; i < queues.Length; i++)
        {
            queues[i]._store.ThrowIfDeleted();
            var place = new LogPlace(entry, queues[i]._store);
            entry.Add(place);
            FileMessage copy = first is null ? first = new FileMessage(place, message) : first.In(place);
            queues[i].NoteSender(copy);
            if (messages is not null)
                messages[i] = copy;
        }

        int reserved = 0;
        try
        {
            for (; reserved < queues.Length; reserved++)
                queues[reserved]._store.Reserve(queues[reserved], first!.BodyByteCount);
            QueueFolder folder = queues[0].Folder;
            if (own is not null)
            {
                own.Send(messages ?? [first!]);
                return default;
            }

            if (first!.Receiver is null)
                return messages is null ? folder.SendAsync(first) : folder.CommitAsync(null, messages, []);
        }
        catch
        {
            while (--reserved >= 0)
                queues[reserved]._store.Release(first!.BodyByteCount);
            throw;
        }

        // A rejected id also releases the reserved space.
        return messages is null ? queues[0].Folder.SendAsync(first) : queues[0].Folder.CommitAsync(null, messages, []);
    }

    private protected override ValueTask<ReceivedMessage?> ReceiveAsync(
        MessageFilter? filter, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        long deadline = timeout == Timeout.InfiniteTimeSpan ? long.MaxValue : Environment.TickCount64 + (long)Math.Ceiling(timeout.TotalMilliseconds);
        ValueTask<ReceivedMessage?> receive = base.ReceiveAsync(filter, timeout, transaction, cancellationToken);
        if (!receive.IsCompletedSuccessfully)
            return HandOutAsync(receive, filter, deadline, transaction, cancellationToken);
        // Express messages were never in the log.
        ReceivedMessage? message = receive.Result;
        return message is FileMessage
            ? HandOutAsync(new ValueTask<ReceivedMessage?>(message), filter, deadline, transaction, cancellationToken)
            : new ValueTask<ReceivedMessage?>(message);
    }

    public override async ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default)
    {
        QueueChecks.NotInScope(Address);
        ThrowIfDisposed();
        cancellationToken.ThrowIfCancellationRequested();
        long left = _store.CountMessages(this);
        // Parked messages are not all converted at once. Without them, one block is all or nothing.
        bool isInParts = left > MaxPurgeCount && _store.HasParked;
        long purged = 0;
        List<LocalMessage> messages;
        do
        {
            messages = _store.TakeAll(isInParts ? MaxPurgeCount : int.MaxValue);
            LocalQueueStore.Acknowledge(messages.Where(static message => !message.IsStored), AcknowledgmentClass.QueuePurged);
            await Folder.RemoveAsync([.. messages.OfType<FileMessage>().Select(QueueFolder.Removal.OfPurged)]).ConfigureAwait(false);
            purged += messages.Count;
        }
        while (isInParts && messages.Count > 0 && purged < left);

        return purged;
    }

    internal override ValueTask FinishAsync(LocalMessage message, DeadLetter? deadLetter)
    {
        if (message is not FileMessage stored)
            return base.FinishAsync(message, deadLetter);
        return deadLetter is null && IsLazy(message) ? RemoveLazily([RemovalOf(stored, null)]) : Folder.RemoveAsync([RemovalOf(stored, deadLetter)]);
    }

    internal override ValueTask FinishAsync(List<LocalMessage> messages)
    {
        var removals = new List<QueueFolder.Removal>(messages.Count);
        bool isLazy = false;
        foreach (LocalMessage message in messages)
        {
            if (message is FileMessage stored)
            {
                removals.Add(RemovalOf(stored, null));
                isLazy = IsLazy(message);
            }
            else
            {
                Finish(message, null);
            }
        }

        if (removals.Count == 0)
            return default;
        return isLazy ? RemoveLazily([.. removals]) : Folder.RemoveAsync([.. removals]);
    }

    /// <summary>Determines whether the removal of a message is not flushed before the call completes.</summary>
    private bool IsLazy(LocalMessage message) =>
        message.Transaction is null && Options is { AcknowledgeMode: AcknowledgeMode.Lazy, ReceiveMode: ReceiveMode.PeekLock };

    private ValueTask RemoveLazily(QueueFolder.Removal[] removals)
    {
        Folder.Remove(removals);
        return default;
    }

    internal override ValueTask ReturnAsync(LocalMessage message, TimeSpan delay) =>
        message is FileMessage stored ? Folder.DelayAsync(stored, delay) : base.ReturnAsync(message, delay);

    internal override void RemoveDead(DeadMessage dead)
    {
        if (dead.Message is FileMessage stored)
            Folder.RemoveDead(RemovalOf(stored, dead.DeadLetter));
        else
            base.RemoveDead(dead);
    }

    /// <summary>Creates the log record of a message that leaves the queue: its removal or its new place.</summary>
    internal QueueFolder.Removal RemovalOf(FileMessage message, DeadLetter? deadLetter) =>
        new(message, (FileQueueStore?)(deadLetter is null ? Journal : DeadLetters), deadLetter);

    private protected override LocalTransaction BeginTransaction() => new FileTransaction(Folder);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ReceivedMessage?> HandOutAsync(
        ValueTask<ReceivedMessage?> receive, MessageFilter? filter, long deadline, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        ReceivedMessage? received = await receive.ConfigureAwait(false);
        while (received is FileMessage lost && !TryLoadBody(lost))
        {
            TimeSpan remaining = deadline == long.MaxValue
                ? Timeout.InfiniteTimeSpan
                : TimeSpan.FromMilliseconds(Math.Max(0, deadline - Environment.TickCount64));
            received = await base.ReceiveAsync(filter, remaining, transaction, cancellationToken).ConfigureAwait(false);
        }

        if (received is not FileMessage message)
            return received;
        if (IsFinal(message))
            await FinishAsync(message, null).ConfigureAwait(false);
        else if (Options.MaxDeliveryCount > 0)
            Folder.WriteDelivered(message);
        return message;
    }

    /// <summary>Prepares a message that was delivered to this handle.</summary>
    /// <returns>False if its lease ended meanwhile and it was settled elsewhere; it then counts as not received here.</returns>
    private bool TryLoadBody(FileMessage message)
    {
        try
        {
            if (message.TryLoadBody())
                return true;
        }
        catch (QueueException)
        {
            // The message was not received. In a transaction the rollback returns it.
            if (IsFinal(message) || (message.Transaction is null && _store.TryUnlock(message) == SettleResult.Settled))
                _store.AddBack([message]);
            throw;
        }

        if (_store.HasLostLock(message))
            return false;
        // The message is gone: with its transaction, which ended meanwhile, or with its queue.
        message.Transaction?.ThrowIfEnded();
        throw _store.DeletedException();
    }

    private bool IsFinal(FileMessage message) => message.Transaction is null && Options.ReceiveMode == ReceiveMode.ReceiveAndDelete;
}
