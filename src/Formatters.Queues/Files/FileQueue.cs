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

    /// <param name="store">The messages.</param>
    /// <param name="address">The address.</param>
    /// <param name="options">How the queue is opened, the delivery mode included.</param>
    /// <param name="deadLetters">The queue that takes dead letters, or null.</param>
    /// <param name="journal">The queue for copies of consumed messages, or null.</param>
    internal FileQueue(FileQueueStore store, QueueAddress address, QueueOptions options, FileQueueStore? deadLetters = null,
        FileQueueStore? journal = null)
        : base(store.Folder, store, address, options, CapabilitiesOf(store.Folder.DelayNote, options.DeliveryMode!.Value), deadLetters, journal)
    {
        Store = store;
    }

    internal FileQueueStore Store { get; }

    internal QueueFolder Folder => Store.Folder;

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
        IsExpress
            ? base.SendCoreAsync(message, transaction, cancellationToken)
            : FileSend.SendAsync([this], [message], transaction, cancellationToken);

    // For express messages, which take the way of memory.
    private protected override bool MustPrepare(QueueMessage message) => message.HasRequests && !Folder.HasQueuesOf(message);

    private protected override ValueTask PrepareAsync(QueueMessage[] messages, CancellationToken cancellationToken) =>
        Folder.OpenQueuesOfAsync(messages, cancellationToken);

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
        long left = Store.CountMessages(this);
        // Parked messages are not all converted at once. Without them, one block is all or nothing.
        bool isInParts = left > MaxPurgeCount && Store.HasParked;
        long purged = 0;
        List<LocalMessage> messages;
        do
        {
            messages = Store.TakeAll(isInParts ? MaxPurgeCount : int.MaxValue);
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
            if (IsFinal(message) || (message.Transaction is null && Store.TryUnlock(message) == SettleResult.Settled))
                Store.AddBack([message]);
            throw;
        }

        if (Store.HasLostLock(message))
            return false;
        // The message is gone: with its transaction, which ended meanwhile, or with its queue.
        message.Transaction?.ThrowIfEnded();
        throw Store.DeletedException();
    }

    private bool IsFinal(FileMessage message) => message.Transaction is null && Options.ReceiveMode == ReceiveMode.ReceiveAndDelete;
}
