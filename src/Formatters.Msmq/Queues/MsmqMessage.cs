using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.Msmq;

/// <summary>A message received from MSMQ: removed, in a transaction, or under a lock, which is a transaction of its own.</summary>
internal sealed class MsmqMessage : ReceivedMessage
{
    private const int Locked = 0;
    private const int Settled = 1;
    private const int LockLost = 2;

    private readonly MsmqQueue _queue;
    private readonly MsmqStore _store;
    private readonly string _id;
    private readonly MessageQueueTransaction? _lock;
    private readonly MsmqTransaction? _transaction;
    private int _state = Settled;

    /// <summary>Creates a message that was removed from its queue.</summary>
    internal MsmqMessage(MsmqQueue queue, MsmqStore store, Message message)
        : this(queue, store, message, MsmqExtension.TryRead(message.Extension))
    {
        store.Forget(_id);
    }

    /// <summary>Creates a message that was received under a lock.</summary>
    internal MsmqMessage(MsmqQueue queue, MsmqStore store, Message message, MessageQueueTransaction ownLock)
        : this(queue, store, message, MsmqExtension.TryRead(message.Extension))
    {
        _lock = ownLock;
        _state = Locked;
    }

    /// <summary>Creates a message that was received in a transaction.</summary>
    internal MsmqMessage(MsmqQueue queue, MsmqStore store, Message message, MsmqTransaction transaction)
        : this(queue, store, message, MsmqExtension.TryRead(message.Extension)) =>
        _transaction = transaction;

    private MsmqMessage(MsmqQueue queue, MsmqStore store, Message message, MsmqExtension? extension)
        : base(MsmqProperties.BodyOf(message, extension))
    {
        _queue = queue;
        _store = store;
        _id = message.Id;
        MessageId = extension?.MessageId ?? _id;
        Label = MsmqProperties.LabelOf(message, extension);
        CorrelationId = MsmqProperties.CorrelationIdOf(message, extension);
        ResponseQueue = MsmqProperties.ResponseQueueOf(message, extension);
        Priority = MsmqProperties.PriorityOf(message, extension);
        SentTime = MsmqProperties.SentTimeOf(message);
        DeliveryCount = store.WasReturned(_id) ? 2 : 1;
        TimeToLive = extension?.TimeToLive;
        foreach (KeyValuePair<string, object> header in extension?.Headers ?? new Dictionary<string, object>())
            Headers.Add(header);
        if (extension?.DeadLetter is { } deadLetter)
        {
            DeadLetterReason = deadLetter.Reason;
            DeadLetterDescription = deadLetter.Description;
            DeadLetterSource = deadLetter.Source;
        }

        message.Dispose();
    }

    public override ValueTask AcknowledgeAsync(CancellationToken cancellationToken = default) => SettleAsync(Commit, cancellationToken);

    public override ValueTask ReturnAsync(CancellationToken cancellationToken = default) => SettleAsync(GiveBack, cancellationToken);

    protected override ValueTask MoveToDeadLetterQueueAsync(string? reason, string? description, CancellationToken cancellationToken)
    {
        if (!_queue.HasDeadLetters)
            throw new InvalidOperationException($"'{_queue.Address}' was opened without a {nameof(QueueOptions.DeadLetterQueue)}.");
        if (_transaction is null && _lock is null)
            throw new InvalidOperationException(
                $"'{_queue.Address}' was opened as {nameof(ReceiveMode.ReceiveAndDelete)}: the message has left it already.");
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        var deadLetter = new MsmqDeadLetter(reason ?? "", description, _queue.Address.QueueName);
        if (_transaction is null)
            return SettleAsync(Commit, cancellationToken, own => _queue.SendDeadLetter(this, deadLetter, own));
        try
        {
            _transaction.Run(inner => _queue.SendDeadLetter(this, deadLetter, inner));
            return default;
        }
        catch (Exception e) when (MsmqPlatform.IsOfTheQueue(e) && e is not InvalidOperationException)
        {
            return ValueTask.FromException(MsmqPlatform.Failure(_queue.Address, "send the dead letter", e));
        }
    }

    /// <summary>Returns the message to its queue when the handle is closed.</summary>
    internal void LoseLock()
    {
        if (Interlocked.CompareExchange(ref _state, LockLost, Locked) == Locked)
            GiveBack(_lock!);
    }

    internal void AddReturn() => _store.AddReturned(_id);

    internal void ForgetReturns() => _store.Forget(_id);

    /// <summary>Settles the message.</summary>
    /// <param name="settle">Ends the transaction of the lock.</param>
    /// <param name="cancellationToken">Cancels it before it starts.</param>
    /// <param name="send">What is sent in the transaction before; null for nothing. If MSMQ refuses it, the message stays locked: <see
    /// cref="ReceivedMessage.DeadLetterAsync"/> sends less.</param>
    private ValueTask SettleAsync(
        Action<MessageQueueTransaction> settle, CancellationToken cancellationToken, Action<MessageQueueTransaction>? send = null)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        if (Volatile.Read(ref _state) == Locked)
            QueueChecks.NotInScope(_queue.Address);
        switch (Interlocked.CompareExchange(ref _state, Settled, Locked))
        {
            case Settled:
                return default;
            case LockLost:
                return ValueTask.FromException(new QueueException(
                    "The lock is gone, because the queue was closed: the message is back in its queue and will be delivered again."));
        }

        try
        {
            send?.Invoke(_lock!);
        }
        catch (Exception e) when (MsmqPlatform.IsOfTheQueue(e))
        {
            Volatile.Write(ref _state, Locked);
            // Closing the handle meanwhile has passed it over.
            if (_queue.IsDisposed)
                LoseLock();
            return ValueTask.FromException(MsmqPlatform.Failure(_queue.Address, "send the dead letter", e));
        }

        _queue.Unlock(this);
        try
        {
            settle(_lock!);
            return default;
        }
        catch (Exception e) when (MsmqPlatform.IsOfTheQueue(e))
        {
            // After any error the message goes back, unless the commit has succeeded.
            Volatile.Write(ref _state, LockLost);
            GiveBack(_lock!);
            return ValueTask.FromException(MsmqPlatform.Failure(
                _queue.Address, "settle the message, which will be delivered again", e, isOutcomeUnknown: true));
        }
    }

    private void Commit(MessageQueueTransaction own)
    {
        own.Commit();
        own.Dispose();
        _store.Forget(_id);
    }

    private void GiveBack(MessageQueueTransaction own)
    {
        AddReturn();
        MsmqTransaction.Abort(own);
    }
}
