using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.Msmq;

/// <summary>Opens MSMQ's queues through <c>System.Messaging</c>: <c>DIRECT=OS:machine\private$
/// ame</c>, <c>.\private$
/// ame</c>, <c>machine
/// ame</c>, or <c>msmq://machine/private$/name</c>.</summary>
/// <remarks>
/// <para>A queue of this machine that does not exist is created. It is transactional if it is opened as <see cref="DeliveryMode.Transactional"/> or
/// with <see cref="ReceiveMode.PeekLock"/>, the default, because a lock is a transaction of its own; otherwise it is not. A queue that exists is used
/// as it is; opening it fails if it cannot do what is asked (<see cref="QueueFeatures.PeekLock"/>). Open a queue without transactions with
/// <see cref="ReceiveMode.ReceiveAndDelete"/>, also if you only send. A queue of another machine must exist there. MSMQ does not say whether it is
/// transactional, and drops messages that do not match its kind: open one without transactions with <see
/// cref="ReceiveMode.ReceiveAndDelete"/>.</para>
/// <para>What <see cref="QueueMessage"/> has and MSMQ does not have (content type, headers, a sender's own ids, the exact priority) is sent in
/// <c>Message.Extension</c>; label, body type, priority, time to be received and, where they have MSMQ's forms, correlation id and response queue are
/// the message's own, for receivers without this library. MSMQ has eight priorities: 1 and 2 are the same, and so are 7 and 8; a transactional queue
/// has only one priority. An expired message goes to MSMQ's own dead-letter queue (<see cref="MsmqQueueOptions.UseDeadLetterQueue"/>) and not to <see
/// cref="QueueOptions.DeadLetterQueue"/>. Whether a message is delivered again is known only for messages that this process has given back.</para>
/// <para>Sends, acknowledgements and commits are made on the caller's thread: System.Messaging has no other way. A receive that must wait uses its
/// own thread meanwhile, and notices cancellation within a tenth of a second.</para>
/// <para>On Mono, whose System.Messaging uses RabbitMQ, nothing outlives the broker, priorities and expiry have no effect, transactions are a batch
/// and not atomic, a peek at an empty queue takes a second, and the broker must hand out one message at a time (<c>default_consumer_prefetch</c> 1)
/// for several locks, or several receives in a transaction.</para>
/// </remarks>
/// <example><code>
/// var connector = new QueueConnector(new MsmqQueueProvider());
/// await using QueueClient queue = await connector.OpenAsync(@"DIRECT=OS:.\private$\orders");
/// </code></example>
public sealed class MsmqQueueProvider : QueueProvider
{
    private readonly ConcurrentDictionary<string, MsmqStore> _stores = new(StringComparer.OrdinalIgnoreCase);
    private readonly MsmqQueueOptions _options;

    /// <summary>Creates a provider with <see cref="MsmqQueueOptions.Default"/>.</summary>
    public MsmqQueueProvider()
        : this(MsmqQueueOptions.Default)
    {
    }

    /// <summary>Creates a provider.</summary>
    /// <param name="options">The options for MSMQ.</param>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    public MsmqQueueProvider(MsmqQueueOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
    }

    /// <inheritdoc/>
    public override IReadOnlyList<string> Schemes { get; } = [MsmqAddress.Scheme];

    /// <inheritdoc/>
    public override ValueTask<QueueClient> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
    {
        MsmqAddress own = MsmqAddress.Parse(address);
        ArgumentNullException.ThrowIfNull(options);
        DeliveryMode mode = options.DeliveryMode ?? DeliveryMode.Recoverable;
        options = options with { DeliveryMode = mode };
        return new ValueTask<QueueClient>(Task.Run(Open, cancellationToken));

        QueueClient Open()
        {
            bool needsTransactions = mode == DeliveryMode.Transactional || options.ReceiveMode == ReceiveMode.PeekLock;
            try
            {
                MsmqStore store = OpenStore(own, needsTransactions);
                QueueCapabilities capabilities = MsmqQueue.CapabilitiesOf(store, mode);
                capabilities.ThrowIfNotSupported(options, address);
                if (mode == DeliveryMode.Transactional && !store.IsTransactional)
                    throw new QueueException($"'{address}' exists and is not transactional; MSMQ cannot change that.");
                return new MsmqQueue(store, address, options, _options, capabilities, options.DeadLetterQueue is { } name
                    ? OpenStore(own.Beside(name), store.IsTransactional) : null);
            }
            catch (Exception e) when (MsmqPlatform.IsOfTheQueue(e) && e is not (NotSupportedException or ArgumentException))
            {
                throw MsmqPlatform.Failure(address, "open the queue", e);
            }
        }
    }

    /// <inheritdoc/>
    /// <exception cref="NotSupportedException">The queue is on another machine.</exception>
    public override ValueTask<bool> DeleteAsync(QueueAddress address, CancellationToken cancellationToken = default)
    {
        MsmqAddress own = MsmqAddress.Parse(address);
        if (!own.IsManageable)
            throw new NotSupportedException($"'{address}' is on another machine: MSMQ deletes queues only where they are.");
        return new ValueTask<bool>(Task.Run(Delete, cancellationToken));

        bool Delete()
        {
            try
            {
                bool wasOpened = _stores.TryRemove(own.Path, out MsmqStore store);
                if (wasOpened)
                    store.IsDeleted = true;
                // Mono reports deleted queues as existing, and does not know queues other than its own.
                bool exists = MsmqPlatform.IsMono ? wasOpened : MessageQueue.Exists(own.Path);
                if (exists || MsmqPlatform.IsMono)
                    MessageQueue.Delete(own.Path);
                return exists;
            }
            catch (Exception e) when (MsmqPlatform.IsOfTheQueue(e))
            {
                throw MsmqPlatform.Failure(address, "delete the queue", e);
            }
        }
    }

    private MsmqStore OpenStore(MsmqAddress address, bool needsTransactions)
    {
        while (true)
        {
            MsmqStore store = _stores.GetOrAdd(address.Path, _ => new MsmqStore(address, Make(address, needsTransactions)));
            if (!store.IsDeleted)
                return store;
        }
    }

    /// <summary>Creates the queue if it does not exist and can be created.</summary>
    /// <returns>Whether it is transactional. For another machine's queue this cannot be queried, and the required kind is assumed.</returns>
    private static bool Make(MsmqAddress address, bool needsTransactions)
    {
        if (!address.IsManageable)
            return needsTransactions;
        if (MsmqPlatform.IsMono)
        {
            // There every queue supports transactions.
            MessageQueue.Create(address.Path, transactional: true).Dispose();
            return true;
        }

        if (!MessageQueue.Exists(address.Path))
        {
            try
            {
                MessageQueue.Create(address.Path, needsTransactions).Dispose();
                return needsTransactions;
            }
            catch (MessageQueueException e) when (e.MessageQueueErrorCode == MessageQueueErrorCode.QueueExists)
            {
                // Another process created it first.
            }
        }

        using var queue = new MessageQueue(address.Path);
        return queue.Transactional;
    }
}
