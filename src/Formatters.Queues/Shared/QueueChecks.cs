using System;

namespace Formatters.Queues;

/// <summary>The checks of queues of every kind before an operation. Compiled into each package of queues, because it is not public.</summary>
internal static class QueueChecks
{
    /// <summary>
    /// Returns the capabilities that this library implements itself, in memory, in a folder or in a database. Each queue adds its own.
    /// </summary>
    internal static QueueCapabilities AllCapabilities(DeliveryMode mode, string product, string durability) => new()
    {
        Product = product,
        Durability = durability,
        IsAtomic = mode == DeliveryMode.Transactional,
        Features = (mode == DeliveryMode.Transactional ? QueueFeatures.Transactions : 0)
            | QueueFeatures.Priorities | QueueFeatures.Expiry | QueueFeatures.PeekLock | QueueFeatures.Leases | QueueFeatures.DeadLetters
            | QueueFeatures.DeliveryCounts | QueueFeatures.Limits | QueueFeatures.Journal | QueueFeatures.AcknowledgeModes | QueueFeatures.Selectors
            | QueueFeatures.Topics | QueueFeatures.Batches | QueueFeatures.AtomicBatches | QueueFeatures.Peek | QueueFeatures.ReceiveById
            | QueueFeatures.Delays | QueueFeatures.DuplicateDetection | QueueFeatures.Acknowledgments | QueueFeatures.SourceJournal,
    };

    /// <summary>Validates and casts the transaction of a send or receive; null if there is none and none is required.</summary>
    /// <param name="transaction">The caller's transaction.</param>
    /// <param name="own">The same as a transaction that this queue can take part in; null if it cannot.</param>
    /// <param name="scope">What the transaction and the queue must have in common, such as "provider".</param>
    /// <param name="options">The options of the handle.</param>
    /// <param name="address">The address of the handle.</param>
    internal static TTransaction? Transaction<TTransaction>(QueueTransaction? transaction, TTransaction? own, string scope, QueueOptions options,
        QueueAddress address)
        where TTransaction : QueueTransaction
    {
        bool isTransactional = options.DeliveryMode == DeliveryMode.Transactional;
        if (transaction is null)
            NotInScope(address);
        if (transaction is null)
            return isTransactional ? throw new InvalidOperationException(
                $"'{address}' was opened as transactional: send and receive in a transaction.") : null;
        if (own is null)
            throw new ArgumentException($"The transaction is of another {scope} than '{address}'.", nameof(transaction));
        return isTransactional ? own : throw new InvalidOperationException(NeedsTransactional(options, address));
    }

    /// <summary>Throws within an ambient transaction, in which queues cannot enlist: the operation would not be rolled back with it.</summary>
    internal static void NotInScope(object address)
    {
        if (System.Transactions.Transaction.Current is not null)
        {
            throw new InvalidOperationException(
                $"'{address}' cannot be part of the ambient transaction (System.Transactions.TransactionScope): what is sent, received or settled "
                + "there would stay when the scope is rolled back. Use a "
                + "transaction of the queue (DeliveryMode.Transactional, BeginTransactionAsync), or, for an operation that is to be independent of "
                + "the scope, "
                + "new TransactionScope(TransactionScopeOption.Suppress, TransactionScopeAsyncFlowOption.Enabled) around it.");
        }
    }

    /// <summary>Checks that a transaction can begin.</summary>
    internal static void CanBegin(QueueOptions options, QueueAddress address)
    {
        if (options.DeliveryMode != DeliveryMode.Transactional)
            throw new NotSupportedException(NeedsTransactional(options, address));
    }

    /// <summary>Checks the timeout of a receive, before anything waits.</summary>
    /// <returns>The timeout; <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> for one that exceeds the range of timers, such as <see
    /// cref="TimeSpan.MaxValue"/> and MSMQ's <c>InfiniteTimeout</c>.</returns>
    internal static TimeSpan Timeout(TimeSpan timeout)
    {
        if (timeout < TimeSpan.Zero && timeout != System.Threading.Timeout.InfiniteTimeSpan)
            throw new ArgumentOutOfRangeException(nameof(timeout), timeout, "Zero, more than zero, or Timeout.InfiniteTimeSpan.");
        return timeout > QueueTimes.LongestReceive ? System.Threading.Timeout.InfiniteTimeSpan : timeout;
    }

    /// <summary>Checks the value of an option or an argument.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="ArgumentOutOfRangeException">It is not a value of its type.</exception>
    internal static T Defined<T>(T value, string name)
        where T : struct, Enum =>
        Enum.IsDefined(typeof(T), value) ? value : throw new ArgumentOutOfRangeException(name, value, $"Not a value of {typeof(T).Name}.");

    /// <summary>Creates the exception for an operation on a closed queue.</summary>
    internal static ObjectDisposedException Closed(QueueAddress address) => new(nameof(QueueClient), $"'{address}' is closed.");

    private static string NeedsTransactional(QueueOptions options, QueueAddress address) =>
        $"'{address}' was opened as {options.DeliveryMode}; transactions need DeliveryMode.Transactional.";
}
