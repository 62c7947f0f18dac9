using System;
using System.Threading;

namespace Formatters.Queues;

/// <summary>The capabilities and guarantees of a queue; reported with every measurement.</summary>
public sealed record QueueCapabilities
{
    /// <summary>Gets the product name for reports: <c>in-memory</c>, <c>RabbitMQ 3.10.8</c>.</summary>
    public required string Product { get; init; }

    /// <summary>Gets a one-line description of the guarantee for a completed send under the mode in which the queue was opened.</summary>
    public required string Durability { get; init; }

    /// <summary>Gets whether messages sent under the mode in which the queue was opened survive the end of the queue's process.</summary>
    public bool IsRecoverable { get; init; }

    /// <summary>
    /// Gets whether <see cref="IMessageQueue.BeginTransactionAsync"/> works: only for a queue opened as <see cref="DeliveryMode.Transactional"/>.
    /// </summary>
    public bool HasTransactions { get; init; }

    /// <summary>Gets whether a transaction is all or nothing, even across a crash; false for a mere batch (RabbitMQ's tx).</summary>
    public bool IsAtomic { get; init; }

    /// <summary>Gets whether the queue can be in a <c>CoordinatedTransaction</c>, together with queues and rows at another location.</summary>
    public bool HasCoordinatedTransactions { get; init; }

    /// <summary>Gets whether the queue supports <see cref="QueueMessage.Priority"/>.</summary>
    public bool HasPriorities { get; init; }

    /// <summary>Gets whether the queue supports <see cref="QueueMessage.TimeToLive"/>.</summary>
    public bool HasExpiry { get; init; }

    /// <summary>Gets whether the <see cref="QueueOptions.ReceiveMode"/> may be <see cref="ReceiveMode.PeekLock"/>.</summary>
    public bool HasPeekLock { get; init; }

    /// <summary>Gets whether <see cref="QueueOptions.LeaseDuration"/> may be finite.</summary>
    public bool HasLeases { get; init; }

    /// <summary>Gets whether <see cref="QueueOptions.DeadLetterQueue"/> is supported.</summary>
    public bool HasDeadLetters { get; init; }

    /// <summary>
    /// Gets whether <see cref="ReceivedMessage.DeliveryCount"/> is exact, and <see cref="QueueOptions.MaxDeliveryCount"/> is supported.
    /// </summary>
    public bool HasDeliveryCounts { get; init; }

    /// <summary>Gets whether <see cref="QueueOptions.MaxMessageCount"/> and <see cref="QueueOptions.MaxByteCount"/> are supported.</summary>
    public bool HasLimits { get; init; }

    /// <summary>Gets whether <see cref="QueueOptions.JournalQueue"/> is supported.</summary>
    public bool HasJournal { get; init; }

    /// <summary>Gets whether <see cref="QueueOptions.AcknowledgeMode"/> may be other than <see cref="AcknowledgeMode.Individual"/>.</summary>
    public bool HasAcknowledgeModes { get; init; }

    /// <summary>Gets whether <see cref="QueueOptions.Selector"/> is supported.</summary>
    public bool HasSelectors { get; init; }

    /// <summary>Gets whether <see cref="QueueProvider.OpenTopicAsync"/> is supported.</summary>
    public bool HasTopics { get; init; }

    /// <summary>
    /// Gets whether <see cref="MessageQueueExtensions.SendBatchAsync"/>, <see cref="MessageQueueExtensions.ReceiveBatchAsync"/> and <see
    /// cref="MessageQueueExtensions.AcknowledgeBatchAsync"/> cost one flush, statement or round trip for all their messages; otherwise they process
    /// one message after the other.
    /// </summary>
    public bool HasBatches { get; init; }

    /// <summary>
    /// Gets whether <see cref="MessageQueueExtensions.SendBatchAsync"/> sends all its messages or none; otherwise a <see cref="QueueBatchException"/>
    /// says which.
    /// </summary>
    public bool HasAtomicBatches { get; init; }

    /// <summary>Gets whether <see cref="MessageQueueExtensions.PeekAsync"/> works.</summary>
    public bool HasPeek { get; init; }

    /// <summary>
    /// Gets whether <see cref="MessageQueueExtensions.ReceiveByIdAsync"/> and <see cref="MessageQueueExtensions.ReceiveByCorrelationIdAsync"/> work.
    /// </summary>
    public bool HasReceiveById { get; init; }

    /// <summary>
    /// Gets whether messages may have a <see cref="QueueMessage.DueTime"/>, and be returned with a delay (<see
    /// cref="ReceivedMessage.ReturnAsync(TimeSpan, CancellationToken)"/>).
    /// </summary>
    public bool HasDelays { get; init; }

    /// <summary>Gets whether <see cref="QueueOptions.DuplicateWindow"/> is supported.</summary>
    public bool HasDuplicateDetection { get; init; }

    /// <summary>Gets whether a send waits while the queue holds <see cref="QueueOptions.HoldBackByteCount"/>.</summary>
    public bool HasBackPressure { get; init; }

    /// <summary>
    /// Gets whether messages may request acknowledgement messages (<see cref="QueueMessage.AcknowledgeTypes"/>), and be acknowledgement messages
    /// (<see cref="QueueMessage.Acknowledgment"/>).
    /// </summary>
    public bool HasAcknowledgments { get; init; }

    /// <summary>Gets whether messages may have a <see cref="QueueMessage.SourceJournalQueue"/>.</summary>
    public bool HasSourceJournal { get; init; }

    /// <summary>
    /// Gets whether messages may have a <see cref="QueueMessage.SessionId"/>, <see cref="QueueOptions.RequiresSession"/> is supported, and <see
    /// cref="MessageQueueExtensions.AcceptSessionAsync(IMessageQueue, TimeSpan, CancellationToken)"/> works.
    /// </summary>
    public bool HasSessions { get; init; }

    /// <summary>
    /// Gets whether <see cref="ReceivedMessage.DeferAsync"/> and <see cref="MessageQueueExtensions.ReceiveDeferredAsync"/> work.
    /// </summary>
    public bool HasDeferral { get; init; }

    /// <summary>Gets how many connections to the server a handle keeps for itself while it receives.</summary>
    /// <value>1 for PostgreSQL and RabbitMQ; 0 where there is no server, or where all handles share a connection.</value>
    public int ConnectionsPerReceiver { get; init; }

    /// <summary>Gets whether the queue is in the memory of this process, so that another process cannot be the other end.</summary>
    public bool IsInProcess { get; init; }

    /// <summary>Throws if the queue does not support an option; every provider calls this when it opens a queue.</summary>
    /// <param name="options">The options.</param>
    /// <param name="address">The queue's address, for the message.</param>
    /// <exception cref="NotSupportedException">An option needs a capability that is false here; the message names it and the product.</exception>
    /// <exception cref="ArgumentException">The options contradict each other: a delivery limit without a dead-letter queue, or a queue that is its
    /// own dead-letter or journal queue.</exception>
    public void ThrowIfNotSupported(QueueOptions options, QueueAddress address)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(address);
        if (options.ReceiveMode == ReceiveMode.PeekLock && !HasPeekLock)
            throw NotSupported(nameof(ReceiveMode.PeekLock), nameof(HasPeekLock), address,
                $"; open it with {nameof(ReceiveMode)}.{nameof(ReceiveMode.ReceiveAndDelete)}");
        if (options.LeaseDuration != Timeout.InfiniteTimeSpan && !HasLeases)
            throw NotSupported(nameof(QueueOptions.LeaseDuration), nameof(HasLeases), address);
        if (options.MaxDeliveryCount > 0 && !HasDeliveryCounts)
            throw NotSupported(nameof(QueueOptions.MaxDeliveryCount), nameof(HasDeliveryCounts), address);
        if (options.DeadLetterQueue is not null && !HasDeadLetters)
            throw NotSupported(nameof(QueueOptions.DeadLetterQueue), nameof(HasDeadLetters), address);
        if (options.MaxMessageCount is not null && !HasLimits)
            throw NotSupported(nameof(QueueOptions.MaxMessageCount), nameof(HasLimits), address);
        if (options.MaxByteCount is not null && !HasLimits)
            throw NotSupported(nameof(QueueOptions.MaxByteCount), nameof(HasLimits), address);
        if (options.HoldBackByteCount is not null && !HasBackPressure)
            throw NotSupported(nameof(QueueOptions.HoldBackByteCount), nameof(HasBackPressure), address);
        if (options.JournalQueue is not null && !HasJournal)
            throw NotSupported(nameof(QueueOptions.JournalQueue), nameof(HasJournal), address);
        if (options.AcknowledgeMode != AcknowledgeMode.Individual && !HasAcknowledgeModes)
            throw NotSupported(nameof(QueueOptions.AcknowledgeMode), nameof(HasAcknowledgeModes), address);
        if (options.Selector is not null && !HasSelectors)
            throw NotSupported(nameof(QueueOptions.Selector), nameof(HasSelectors), address);
        if (options.DuplicateWindow is not null && !HasDuplicateDetection)
            throw NotSupported(nameof(QueueOptions.DuplicateWindow), nameof(HasDuplicateDetection), address);
        if (options.RequiresSession && !HasSessions)
            throw NotSupported(nameof(QueueOptions.RequiresSession), nameof(HasSessions), address);

        if (options.MaxDeliveryCount > 0 && options.DeadLetterQueue is null)
            throw new ArgumentException(
                $"'{address}': {nameof(QueueOptions.MaxDeliveryCount)} needs a {nameof(QueueOptions.DeadLetterQueue)}; without one, messages would "
                + "be lost.", nameof(options));
        QueueStrings.ThrowIfMalformed(options.DeadLetterQueue, nameof(QueueOptions.DeadLetterQueue));
        QueueStrings.ThrowIfMalformed(options.JournalQueue, nameof(QueueOptions.JournalQueue));
        string name = address.NameInPlace;
        if (options.DeadLetterQueue == name || options.JournalQueue == name)
            throw new ArgumentException($"'{address}' cannot be its own dead-letter or journal queue.", nameof(options));
    }

    /// <summary>Throws if the queue does not support a property of a message; every queue calls this when it sends.</summary>
    /// <param name="message">The message.</param>
    /// <param name="address">The queue's address, for the exception's message.</param>
    /// <exception cref="NotSupportedException">A property needs a capability that is false here; the message names it and the product.</exception>
    /// <exception cref="ArgumentException">The message requests acknowledgements but names no administration queue, the queue is its own
    /// administration or journal queue, or a string has an unpaired surrogate.</exception>
    public void ThrowIfNotSupported(QueueMessage message, QueueAddress address)
    {
        ArgumentNullException.ThrowIfNull(message);
        QueueStrings.ThrowIfMalformed(message);
        if (!HasPriorities && message.Priority != QueueMessage.DefaultPriority)
            throw NotSupported(nameof(QueueMessage.Priority), nameof(HasPriorities), address);
        if (!HasExpiry && message.TimeToLive is not null)
            throw NotSupported(nameof(QueueMessage.TimeToLive), nameof(HasExpiry), address);
        if (!HasDelays && message.DueTime is not null)
            throw NotSupported(nameof(QueueMessage.DueTime), nameof(HasDelays), address);
        if (message.HasExtras)
            ThrowIfAsksForTooMuch(message, address);
    }

    private void ThrowIfAsksForTooMuch(QueueMessage message, QueueAddress address)
    {
        if (!HasAcknowledgments && (message.AdministrationQueue is not null || message.AcknowledgeTypes != AcknowledgeTypes.None))
            throw NotSupported(nameof(QueueMessage.AdministrationQueue), nameof(HasAcknowledgments), address);
        if (!HasAcknowledgments && message.Acknowledgment is not null)
            throw NotSupported(nameof(QueueMessage.Acknowledgment), nameof(HasAcknowledgments), address);
        if (!HasSourceJournal && message.SourceJournalQueue is not null)
            throw NotSupported(nameof(QueueMessage.SourceJournalQueue), nameof(HasSourceJournal), address);
        if (!HasSessions && message.SessionId is not null)
            throw NotSupported(nameof(QueueMessage.SessionId), nameof(HasSessions), address);
        if (message.AcknowledgeTypes != AcknowledgeTypes.None && message.AdministrationQueue is null)
            throw new ArgumentException(
                $"'{address}': a message with {nameof(QueueMessage.AcknowledgeTypes)} needs an {nameof(QueueMessage.AdministrationQueue)} to which "
                + "the acknowledgements go.", nameof(message));
        if (message.AdministrationQueue is { } administration && administration == address.NameInPlace)
            throw new ArgumentException($"'{address}' cannot be the {nameof(QueueMessage.AdministrationQueue)} of its own messages.",
                nameof(message));
        if (message.SourceJournalQueue is { } journal && journal == address.NameInPlace)
            throw new ArgumentException($"'{address}' cannot be the {nameof(QueueMessage.SourceJournalQueue)} of its own messages.", nameof(message));
    }

    /// <summary>Creates the exception for an unsupported operation.</summary>
    internal NotSupportedException NotSupported(string what, string capability, QueueAddress address, string remedy = "") =>
        new($"'{address}': {what} is not supported by {Product} ({nameof(QueueCapabilities)}.{capability} is false){remedy}.");
}
