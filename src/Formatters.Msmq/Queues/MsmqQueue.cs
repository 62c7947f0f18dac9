using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Msmq;

namespace Formatters.Queues.Msmq;

/// <summary>A handle of a queue of MSMQ.</summary>
internal sealed class MsmqQueue : QueueClient
{
    private readonly MsmqStore _store;
    private readonly MsmqQueueOptions _msmqOptions;
    private readonly MsmqStore? _deadLetters;
    private readonly ConcurrentBag<MessageQueue> _idle = [];
    private readonly HashSet<MsmqMessage> _locked = [];
    private volatile bool _isDisposed;

    internal MsmqQueue(MsmqStore store, QueueAddress address, QueueOptions options, MsmqQueueOptions msmqOptions, QueueCapabilities capabilities,
        MsmqStore? deadLetters)
    {
        _store = store;
        Address = address;
        Options = options;
        _msmqOptions = msmqOptions;
        Capabilities = capabilities;
        _deadLetters = deadLetters;
    }

    public override QueueAddress Address { get; }

    public override QueueCapabilities Capabilities { get; }

    public override QueueOptions Options { get; }

    internal bool HasDeadLetters => _deadLetters is not null;

    /// <summary>Returns the capabilities of a queue opened in a mode.</summary>
    internal static QueueCapabilities CapabilitiesOf(MsmqStore store, DeliveryMode mode)
    {
        bool isMono = MsmqPlatform.IsMono;
        bool isRecoverable = mode != DeliveryMode.Express || store.IsTransactional;
        return new QueueCapabilities
        {
            Product = isMono ? "System.Messaging on Mono" : "MSMQ",
            Durability = isMono
                ? "in the memory of the RabbitMQ broker: lost when it ends"
                : isRecoverable
                ? "on the disk of the sending machine before the send completes, and then on the queue's"
                : "in the memory of the sending machine, and then of the queue's: lost when either service ends",
            IsRecoverable = isRecoverable && !isMono,
            IsAtomic = mode == DeliveryMode.Transactional && !isMono,
            Features = (mode == DeliveryMode.Transactional ? QueueFeatures.Transactions : 0)
                | (isMono ? 0 : QueueFeatures.Expiry)
                | (isMono || store.IsTransactional ? 0 : QueueFeatures.Priorities)
                | (store.IsTransactional ? QueueFeatures.PeekLock | QueueFeatures.DeadLetters : 0),
        };
    }

    protected override ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        MsmqTransaction? own = Check(transaction);
        Capabilities.ThrowIfNotSupported(message, Address);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        try
        {
            _store.ThrowIfDeleted(Address);
            using Message copy = MsmqProperties.ToMessage(message, Options.DeliveryMode != DeliveryMode.Express, Capabilities, _msmqOptions);
            if (own is null)
                Send(copy);
            else
                own.Run(inner => Use(queue => queue.Send(copy, inner)));
            return default;
        }
        catch (Exception e) when (MsmqPlatform.IsOfTheQueue(e) && e is not (ArgumentException or InvalidOperationException))
        {
            return ValueTask.FromException(MsmqPlatform.Failure(Address, "send the message", e, isOutcomeUnknown: MsmqPlatform.IsMono));
        }
        catch (QueueException e)
        {
            return ValueTask.FromException(e);
        }
    }

    protected override ValueTask<ReceivedMessage?> ReceiveCoreAsync(TimeSpan timeout, QueueTransaction? transaction,
        CancellationToken cancellationToken)
    {
        timeout = QueueChecks.Timeout(timeout);
        ThrowIfDisposed();
        MsmqTransaction? own = Check(transaction);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<ReceivedMessage?>(cancellationToken);
        if (!MsmqPlatform.IsMono)
        {
            // An available message is received without waiting.
            try
            {
                if (Receive(TimeSpan.Zero, own, cancellationToken) is { } message)
                    return new ValueTask<ReceivedMessage?>(message);
                if (timeout == TimeSpan.Zero)
                    return default;
            }
            catch (QueueException e)
            {
                return ValueTask.FromException<ReceivedMessage?>(e);
            }
        }

        // On a separate thread, because it blocks: those of the pool are for work.
        return new ValueTask<ReceivedMessage?>(Task.Factory.StartNew<ReceivedMessage?>(
            () => Receive(timeout, own, cancellationToken), CancellationToken.None,
                TaskCreationOptions.LongRunning | TaskCreationOptions.DenyChildAttach, TaskScheduler.Default));
    }

    public override ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.NotInScope(Address);
        return new ValueTask<long>(Task.Run(Purge, cancellationToken));

        long Purge() => Try("remove the messages", () =>
        {
            long count = 0;
            while (!cancellationToken.IsCancellationRequested && ReceiveOnce(TimeSpan.Zero, null) is { } message)
            {
                _store.Forget(message.Id);
                message.Dispose();
                count++;
            }

            return count;
        });
    }

    public override ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return new ValueTask<long>(Task.Run(() => Try<long>("count the messages", MsmqPlatform.IsMono ? CountByReceiving : CountByLooking),
            cancellationToken));
    }

    public override ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        // Messages received in a transaction are not visible.
        return cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled<long?>(cancellationToken) : default;
    }

    public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.CanBegin(Options, Address);
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<QueueTransaction>(cancellationToken)
            : new ValueTask<QueueTransaction>(new MsmqTransaction(Address));
    }

    public override ValueTask DisposeAsync()
    {
        MsmqMessage[] locked;
        lock (_locked)
        {
            if (_isDisposed)
                return default;
            _isDisposed = true;
            locked = [.. _locked];
            _locked.Clear();
        }

        foreach (MsmqMessage message in locked)
            message.LoseLock();
        while (_idle.TryTake(out MessageQueue? queue))
            queue.Dispose();
        return default;
    }

    /// <summary>Sends a received message to the dead-letter queue, in the transaction in which it was received.</summary>
    internal void SendDeadLetter(MsmqMessage message, MsmqDeadLetter deadLetter, MessageQueueTransaction transaction)
    {
        using Message copy = MsmqProperties.ToMessage(message, isRecoverable: true, Capabilities, _msmqOptions, deadLetter);
        using MessageQueue queue = _deadLetters!.Open();
        queue.Send(copy, transaction);
    }

    internal bool IsDisposed => _isDisposed;

    internal void Unlock(MsmqMessage message)
    {
        lock (_locked)
            _locked.Remove(message);
    }

    private void Send(Message message)
    {
        // A transactional queue of MSMQ accepts nothing else; on Mono a transaction is only slower.
        bool isSingle = _store.IsTransactional && !MsmqPlatform.IsMono;
        Use(queue => queue.Send(message, isSingle ? MessageQueueTransactionType.Single : MessageQueueTransactionType.None));
    }

    private MsmqMessage? Receive(TimeSpan timeout, MsmqTransaction? transaction, CancellationToken cancellationToken)
    {
        try
        {
            if (transaction is not null)
                return Wait(timeout, wait => transaction.Receive(
                    inner => ReceiveOnce(wait, inner), message => new MsmqMessage(this, _store, message, transaction)), cancellationToken);
            if (Options.ReceiveMode == ReceiveMode.PeekLock)
                return ReceiveLocked(timeout, cancellationToken);
            return Wait(timeout, wait => ReceiveOnce(wait, null) is { } message ? new MsmqMessage(this, _store, message) : null, cancellationToken);
        }
        catch (Exception e) when (MsmqPlatform.IsOfTheQueue(e) && e is not (OperationCanceledException or InvalidOperationException))
        {
            throw MsmqPlatform.Failure(Address, "receive a message", e);
        }
    }

    /// <summary>Returns a lock is a transaction that has received one message.</summary>
    private MsmqMessage? ReceiveLocked(TimeSpan timeout, CancellationToken cancellationToken)
    {
        var transaction = new MessageQueueTransaction();
        MsmqMessage? received = null;
        try
        {
            transaction.Begin();
            received = Wait(timeout, wait => ReceiveOnce(wait, transaction) is { } message
                ? new MsmqMessage(this, _store, message, transaction)
                : null, cancellationToken);
            if (received is not null)
            {
                lock (_locked)
                {
                    // Closed meanwhile: the message stays in the queue.
                    if (_isDisposed)
                        received = null;
                    else
                        _locked.Add(received);
                }

                ThrowIfDisposed();
            }

            return received;
        }
        finally
        {
            if (received is null)
                MsmqTransaction.Abort(transaction);
        }
    }

    /// <summary>Waits for a message until the timeout, in waits that are short enough to be interrupted.</summary>
    private MsmqMessage? Wait(TimeSpan timeout, Func<TimeSpan, MsmqMessage?> receive, CancellationToken cancellationToken)
    {
        var time = Stopwatch.StartNew();
        while (true)
        {
            ThrowIfDisposed();
            _store.ThrowIfDeleted(Address);
            cancellationToken.ThrowIfCancellationRequested();
            TimeSpan remaining = timeout == Timeout.InfiniteTimeSpan ? TimeSpan.MaxValue : timeout - time.Elapsed;
            TimeSpan wait = remaining < TimeSpan.Zero ? TimeSpan.Zero : remaining < MsmqPlatform.LongestWait ? remaining : MsmqPlatform.LongestWait;
            if (receive(wait) is { } message)
                return message;
            if (timeout != Timeout.InfiniteTimeSpan && time.Elapsed >= timeout)
                return null;
        }
    }

    private Message? ReceiveOnce(TimeSpan wait, MessageQueueTransaction? transaction)
    {
        // On Mono always in a transaction: without one the broker pushes the next message to a subscription that is about to end, from which it
        // returns late, after others.
        var own = transaction is not null
            ? new Transaction(transaction)
            : new Transaction(MsmqPlatform.IsMono ? MessageQueueTransactionType.Single : MessageQueueTransactionType.None);
        Message? message = null;
        Use(queue =>
        {
            try
            {
                message = own.Receive(queue, wait);
            }
            catch (MessageQueueException e) when (Transaction.IsTimeout(e))
            {
                // No message.
            }
        });
        return message;
    }

    private long CountByLooking()
    {
        using MessageQueue queue = _store.Open();
        queue.MessageReadPropertyFilter.ClearAll();
        long count = 0;
        using MessageEnumerator messages = queue.GetMessageEnumerator2();
        while (messages.MoveNext())
            count++;
        return count;
    }

    /// <summary>
    /// Counts by receiving: Mono's enumerator sees only as many messages as the broker delivers at once; a transaction sees all, and returns them.
    /// </summary>
    private long CountByReceiving()
    {
        var transaction = new MessageQueueTransaction();
        try
        {
            transaction.Begin();
            long count = 0;
            while (ReceiveOnce(TimeSpan.Zero, transaction) is { } message)
            {
                message.Dispose();
                count++;
            }

            return count;
        }
        finally
        {
            MsmqTransaction.Abort(transaction);
        }
    }

    private T Try<T>(string what, Func<T> operation)
    {
        _store.ThrowIfDeleted(Address);
        try
        {
            return operation();
        }
        catch (Exception e) when (MsmqPlatform.IsOfTheQueue(e))
        {
            throw MsmqPlatform.Failure(Address, what, e);
        }
    }

    /// <summary>Runs an operation with one of the handle's <c>MessageQueue</c>s, each of which is for one thread at a time.</summary>
    private void Use(Action<MessageQueue> operation)
    {
        if (!_idle.TryTake(out MessageQueue? queue))
        {
            queue = _store.Open();
            MsmqProperties.SetFilter(queue);
        }

        bool isGood = false;
        try
        {
            operation(queue);
            isGood = true;
        }
        finally
        {
            if (isGood && !_isDisposed)
                _idle.Add(queue);
            else
                queue.Dispose();
        }
    }

    private MsmqTransaction? Check(QueueTransaction? transaction)
    {
        MsmqTransaction? own = QueueChecks.Transaction(transaction, transaction as MsmqTransaction, "provider", Options, Address);
        own?.ThrowIfEnded();
        return own;
    }

    private void ThrowIfDisposed()
    {
        if (_isDisposed)
            throw QueueChecks.Closed(Address);
    }
}
