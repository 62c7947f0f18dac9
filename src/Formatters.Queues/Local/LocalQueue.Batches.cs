using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Batches, peeking, and receiving by id.
internal partial class LocalQueue
{
    protected override ValueTask SendBatchCoreAsync(IReadOnlyList<QueueMessage> messages, QueueTransaction? transaction,
        CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        LocalTransaction? own = Check(transaction);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        return _store.MustWait(Line) || messages.Any(MustPrepare) ? SendInTurnAsync(messages, own, cancellationToken) : SendNow(messages, own);
    }

    private ValueTask SendNow(IReadOnlyList<QueueMessage> messages, LocalTransaction? own)
    {
        LocalMessage[] copies = [.. messages.Select(_store.Copy)];
        foreach (LocalMessage copy in copies)
            NoteSender(copy);
        if (messages.Any(static message => message.HasRequests))
        {
            SendWithRequests(copies, own);
            return default;
        }

        if (own is null)
        {
            _store.Send(this, copies);
            return default;
        }

        long byteCount = copies.Sum(copy => copy.BodyByteCount);
        _store.Reserve(this, byteCount, copies.Length);
        try
        {
            own.Send(copies);
        }
        catch
        {
            _store.Release(byteCount, copies.Length);
            throw;
        }

        return default;
    }

    protected override async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveBatchCoreAsync(
        int maxCount, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        ReceivedMessage? first = await ReceiveCoreAsync(timeout, transaction, cancellationToken).ConfigureAwait(false);
        if (first is null)
            return [];
        var messages = new List<ReceivedMessage> { first };
        _store.TakeMore(this, Check(transaction), maxCount, messages);
        return messages;
    }

    protected override async ValueTask AcknowledgeBatchCoreAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken)
    {
        ThrowIfNotOwn(messages);
        QueueChecks.NotInScope(Address);
        cancellationToken.ThrowIfCancellationRequested();
        List<QueueBatchFailure>? failures = null;
        var unlocked = new List<LocalMessage>(messages.Count);
        for (int i = 0; i < messages.Count; i++)
        {
            if (_store.TryUnlock((LocalMessage)messages[i], unlocked) == SettleResult.LockLost)
                (failures ??= []).Add(new QueueBatchFailure(i, LocalMessage.LockIsLost()));
        }

        await FinishAsync(unlocked).ConfigureAwait(false);
        QueueBatches.ThrowIfAny(failures, messages.Count, Address, "acknowledged");
    }

    protected override ValueTask ReturnUnseenCoreAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken)
    {
        ThrowIfNotOwn(messages);
        _store.AddBack([.. messages.Cast<LocalMessage>().Where(message => _store.TryUnlock(message) == SettleResult.Settled)], areUnseen: true);
        return default;
    }

    protected override ValueTask<IReadOnlyList<PeekedMessage>> PeekCoreAsync(PeekOptions options, CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<IReadOnlyList<PeekedMessage>>(cancellationToken);
        var peeked = new List<PeekedMessage>();
        foreach ((LocalMessage message, bool isLocked) in _store.Peek(options))
        {
            if (message.ToPeeked(isLocked) is { } shown)
                peeked.Add(shown);
        }

        return new ValueTask<IReadOnlyList<PeekedMessage>>(peeked);
    }

    protected override ValueTask<ReceivedMessage?> ReceiveByIdCoreAsync(
        string messageId, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        ReceiveAsync(new MessageFilter(Selector, messageId: messageId), timeout, transaction, cancellationToken);

    protected override ValueTask<ReceivedMessage?> ReceiveByCorrelationIdCoreAsync(
        string correlationId, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        ReceiveAsync(new MessageFilter(Selector, correlationId: correlationId), timeout, transaction, cancellationToken);

    private protected void ThrowIfNotOwn(IReadOnlyList<ReceivedMessage> messages)
    {
        for (int i = 0; i < messages.Count; i++)
        {
            if (messages[i] is not LocalMessage message || message.Receiver != this)
                throw new ArgumentException($"Message {i} was not received by this handle of '{Address}'.", nameof(messages));
        }
    }
}
