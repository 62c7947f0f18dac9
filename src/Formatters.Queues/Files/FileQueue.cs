using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A handle of a queue in a folder.</summary>
internal sealed class FileQueue : MemoryQueue
{
    private readonly FileQueueStore _store;

    internal FileQueue(FileQueueStore store, QueueAddress address, QueueOptions options)
        : base(store.Folder, store, address, options, CapabilitiesOf(store.Folder, options.DeliveryMode), null, null)
    {
        _store = store;
    }

    /// <summary>What queues in a folder can do.</summary>
    internal static QueueCapabilities CapabilitiesOf(QueueFolder folder, DeliveryMode mode)
    {
        bool isRecoverable = mode != DeliveryMode.Express;
        return new QueueCapabilities
        {
            Product = "embedded",
            Durability = (isRecoverable
                ? "in the log on disk, flushed by fdatasync before the send completes; senders share flushes"
                : "memory only: nothing survives the process") + folder.DelayText,
            IsRecoverable = isRecoverable,
            HasTransactions = mode == DeliveryMode.Transactional,
            IsAtomic = mode == DeliveryMode.Transactional,
            IsInProcess = true,
        };
    }

    public override ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        if (Options.DeliveryMode == DeliveryMode.Express)
            return base.SendAsync(message, transaction, cancellationToken);
        ArgumentNullException.ThrowIfNull(message);
        ThrowIfDisposed();
        Capabilities.ThrowIfNotSupported(message, Address);
        MemoryTransaction? own = Check(transaction);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        if (own is not null)
        {
            _store.ThrowIfDeleted();
            own.Send(this, new FileMessage(_store, new LogEntry(_store.Alone), message));
            return default;
        }

        return _store.Folder.SendAsync(_store, message);
    }

    public override ValueTask<ReceivedMessage?> ReceiveAsync(
        TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        ValueTask<ReceivedMessage?> receive = base.ReceiveAsync(timeout, transaction, cancellationToken);
        if (!receive.IsCompletedSuccessfully)
            return AwaitAsync(receive, transaction);
        ReceivedMessage? message = receive.Result;
        return message is FileMessage stored ? HandOutAsync(stored, transaction) : new ValueTask<ReceivedMessage?>(message);
    }

    public override async ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        cancellationToken.ThrowIfCancellationRequested();
        List<MemoryMessage> messages = _store.TakeAll();
        await _store.Folder.RemoveAsync(messages).ConfigureAwait(false);
        return messages.Count;
    }

    internal override ValueTask FinishAsync(MemoryMessage message, DeadLetter? deadLetter) =>
        message is FileMessage stored ? _store.Folder.RemoveAsync(stored) : base.FinishAsync(message, deadLetter);

    private protected override MemoryTransaction BeginTransaction() => new FileTransaction(_store.Folder);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ReceivedMessage?> AwaitAsync(ValueTask<ReceivedMessage?> receive, QueueTransaction? transaction)
    {
        ReceivedMessage? message = await receive.ConfigureAwait(false);
        return message is FileMessage stored ? await HandOutAsync(stored, transaction).ConfigureAwait(false) : message;
    }

    private async ValueTask<ReceivedMessage?> HandOutAsync(FileMessage message, QueueTransaction? transaction)
    {
        bool isFinal = transaction is null && Options.ReceiveMode == ReceiveMode.ReceiveAndDelete;
        try
        {
            message.LoadBody();
        }
        catch (QueueException)
        {
            // Nobody has received it. In a transaction the rollback gives it back.
            if (isFinal)
                _store.AddBack([message]);
            else if (transaction is null)
                await message.ReturnAsync(CancellationToken.None).ConfigureAwait(false);
            throw;
        }

        if (isFinal)
            await _store.Folder.RemoveAsync(message).ConfigureAwait(false);
        return message;
    }
}
