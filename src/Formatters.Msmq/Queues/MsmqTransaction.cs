using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.Msmq;

/// <summary>An internal transaction of MSMQ: of this machine's queue manager, without a coordinator.</summary>
internal sealed class MsmqTransaction(QueueAddress address) : QueueTransaction
{
    private readonly object _gate = new();
    private readonly List<MsmqMessage> _received = [];
    private MessageQueueTransaction? _inner;
    private bool _hasEnded;

    public override ValueTask CommitAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        lock (_gate)
        {
            ThrowIfEnded();
            _hasEnded = true;
            try
            {
                _inner?.Commit();
                foreach (MsmqMessage message in _received)
                    message.ForgetReturns();
                return default;
            }
            catch (Exception e) when (MsmqPlatform.IsOfTheQueue(e))
            {
                return ValueTask.FromException(MsmqPlatform.Failure(address, "commit the transaction", e, isOutcomeUnknown: true));
            }
            finally
            {
                _inner?.Dispose();
            }
        }
    }

    public override ValueTask RollbackAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        lock (_gate)
        {
            ThrowIfEnded();
            Rollback();
        }

        return default;
    }

    public override ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            if (!_hasEnded)
                Rollback();
        }

        return default;
    }

    /// <summary>
    /// Returns the messages that a transaction has received, and discards its sends. The queue also rolls back a transaction that is lost.
    /// </summary>
    internal static void Abort(MessageQueueTransaction transaction)
    {
        try
        {
            if (transaction.Status == MessageQueueTransactionStatus.Pending)
                transaction.Abort();
        }
        catch (Exception e) when (MsmqPlatform.IsOfTheQueue(e))
        {
            // As above.
        }

        try
        {
            // Mono returns the messages only now, and fails if the connection is lost.
            transaction.Dispose();
        }
        catch (Exception e) when (MsmqPlatform.IsOfTheQueue(e))
        {
            // As above.
        }
    }

    /// <summary>Runs an operation in the transaction, which begins with the first operation.</summary>
    internal void Run(Action<MessageQueueTransaction> operation)
    {
        lock (_gate)
        {
            ThrowIfEnded();
            if (_inner is null)
            {
                _inner = new MessageQueueTransaction();
                _inner.Begin();
            }

            operation(_inner);
        }
    }

    internal MsmqMessage? Receive(Func<MessageQueueTransaction, Message?> receive, Func<Message, MsmqMessage> make)
    {
        MsmqMessage? received = null;
        Run(inner =>
        {
            if (receive(inner) is not { } message)
                return;
            received = make(message);
            _received.Add(received);
        });
        return received;
    }

    internal void ThrowIfEnded()
    {
        if (_hasEnded)
            throw new InvalidOperationException("The transaction is already committed or rolled back.");
    }

    private void Rollback()
    {
        _hasEnded = true;
        foreach (MsmqMessage message in _received)
            message.AddReturn();
        if (_inner is not null)
            Abort(_inner);
    }
}
