using System;

namespace Formatters.Queues;

/// <summary>What queues of every kind check before an operation. Each package of queues compiles this file, since it is not public.</summary>
internal static class QueueChecks
{
    /// <summary>What queues can do that this library keeps itself, in memory, in a folder or in a database. Where they are, and what that alone makes possible, each
    /// of them adds.</summary>
    internal static QueueCapabilities AllCapabilities(DeliveryMode mode, string product, string durability) => new()
    {
        Product = product,
        Durability = durability,
        HasTransactions = mode == DeliveryMode.Transactional,
        IsAtomic = mode == DeliveryMode.Transactional,
        HasPriorities = true,
        HasExpiry = true,
        HasPeekLock = true,
        HasLeases = true,
        HasDeadLetters = true,
        HasDeliveryCounts = true,
        HasLimits = true,
        HasJournal = true,
        HasAcknowledgeModes = true,
        HasSelectors = true,
        HasTopics = true,
        HasBatches = true,
        HasAtomicBatches = true,
        HasPeek = true,
        HasReceiveById = true,
        HasDelays = true,
        HasDuplicateDetection = true,
        HasAcknowledgments = true,
        HasSourceJournal = true,
    };

    /// <summary>The transaction of a send or receive as one of the queue's own kind; null if there is none and none is needed.</summary>
    /// <param name="transaction">What the caller passed.</param>
    /// <param name="own">The same as a transaction that this queue can take part in; null if it cannot.</param>
    /// <param name="scope">What the transaction has to have in common with the queue: "provider".</param>
    /// <param name="options">The options of the handle.</param>
    /// <param name="address">The address of the handle.</param>
    internal static TTransaction? Transaction<TTransaction>(QueueTransaction? transaction, TTransaction? own, string scope, QueueOptions options, QueueAddress address)
        where TTransaction : QueueTransaction
    {
        bool isTransactional = options.DeliveryMode == DeliveryMode.Transactional;
        if (transaction is null)
            NotInScope(address);
        if (transaction is null)
            return isTransactional ? throw new InvalidOperationException($"'{address}' was opened as transactional: send and receive in a transaction.") : null;
        if (own is null)
            throw new ArgumentException($"The transaction is of another {scope} than '{address}'.", nameof(transaction));
        return isTransactional ? own : throw new InvalidOperationException(NeedsTransactional(options, address));
    }

    /// <summary>Checks that an operation is not meant to be part of an ambient transaction: no queue can be in one, and the operation would not end
    /// with it.</summary>
    internal static void NotInScope(object address)
    {
        if (System.Transactions.Transaction.Current is not null)
        {
            throw new InvalidOperationException(
                $"'{address}' cannot be part of the ambient transaction (System.Transactions.TransactionScope): what is sent, received or settled there would stay when the scope is rolled back. Use a "
                + "transaction of the queue (DeliveryMode.Transactional, BeginTransactionAsync), or, for an operation that is to be independent of the scope, "
                + "new TransactionScope(TransactionScopeOption.Suppress, TransactionScopeAsyncFlowOption.Enabled) around it.");
        }
    }

    /// <summary>Checks that a transaction can begin.</summary>
    internal static void CanBegin(QueueOptions options, QueueAddress address)
    {
        if (options.DeliveryMode != DeliveryMode.Transactional)
            throw new NotSupportedException(NeedsTransactional(options, address));
    }

    /// <summary>Checks how long a receive is to wait, before anything waits.</summary>
    /// <returns>The timeout; <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> for one that is longer than timers have, such as
    /// <see cref="TimeSpan.MaxValue"/> and MSMQ's <c>InfiniteTimeout</c>.</returns>
    internal static TimeSpan Timeout(TimeSpan timeout)
    {
        if (timeout < TimeSpan.Zero && timeout != System.Threading.Timeout.InfiniteTimeSpan)
            throw new ArgumentOutOfRangeException(nameof(timeout), timeout, "Zero, more than zero, or Timeout.InfiniteTimeSpan.");
        return timeout > QueueTimes.LongestReceive ? System.Threading.Timeout.InfiniteTimeSpan : timeout;
    }

    /// <summary>Checks what a dead letter is to say of itself.</summary>
    internal static void DeadLetter(string reason, string? description)
    {
        ArgumentException.ThrowIfNullOrEmpty(reason);
        QueueTexts.ThrowIfMalformed(reason, nameof(reason));
        QueueTexts.ThrowIfMalformed(description, nameof(description));
    }

    /// <summary>The error of an operation on a closed queue.</summary>
    internal static ObjectDisposedException Closed(QueueAddress address) => new(nameof(IMessageQueue), $"'{address}' is closed.");

    private static string NeedsTransactional(QueueOptions options, QueueAddress address) =>
        $"'{address}' was opened as {options.DeliveryMode}; transactions need DeliveryMode.Transactional.";
}
