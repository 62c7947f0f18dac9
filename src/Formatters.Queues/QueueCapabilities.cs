using System;
using System.Threading;

namespace Formatters.Queues;

/// <summary>What a queue can do and what its promises are worth; printed beside every measurement.</summary>
public sealed record QueueCapabilities
{
    /// <summary>The queue's own name for a report: <c>in-memory</c>, <c>RabbitMQ 3.10.8</c>.</summary>
    public required string Product { get; init; }

    /// <summary>What is true of a message whose send has completed under the mode in which the queue was opened, in one line.</summary>
    public required string Durability { get; init; }

    /// <summary>Whether messages sent under the mode in which the queue was opened survive the end of the queue's process.</summary>
    public bool IsRecoverable { get; init; }

    /// <summary>Whether <see cref="IMessageQueue.BeginTransactionAsync"/> works: only for a queue opened as <see cref="DeliveryMode.Transactional"/>.</summary>
    public bool HasTransactions { get; init; }

    /// <summary>Whether a transaction is all or nothing, even across a crash; false for a mere batch (RabbitMQ's tx).</summary>
    public bool IsAtomic { get; init; }

    /// <summary>Whether the queue can be in a <c>CoordinatedTransaction</c>, together with queues and rows at another location.</summary>
    public bool HasCoordinatedTransactions { get; init; }

    /// <summary>Whether the queue supports <see cref="QueueMessage.Priority"/>.</summary>
    public bool HasPriorities { get; init; }

    /// <summary>Whether the queue supports <see cref="QueueMessage.TimeToLive"/>.</summary>
    public bool HasExpiry { get; init; }

    /// <summary>Whether the <see cref="QueueOptions.ReceiveMode"/> may be <see cref="ReceiveMode.PeekLock"/>.</summary>
    public bool HasPeekLock { get; init; }

    /// <summary>Whether <see cref="QueueOptions.LeaseDuration"/> may be finite.</summary>
    public bool HasLeases { get; init; }

    /// <summary>Whether there may be a <see cref="QueueOptions.DeadLetterQueue"/>.</summary>
    public bool HasDeadLetters { get; init; }

    /// <summary>Whether <see cref="ReceivedMessage.DeliveryCount"/> is exact, and there may be a <see cref="QueueOptions.MaxDeliveryCount"/>.</summary>
    public bool HasDeliveryCounts { get; init; }

    /// <summary>Whether there may be a <see cref="QueueOptions.MaxMessageCount"/> and <see cref="QueueOptions.MaxByteCount"/>.</summary>
    public bool HasLimits { get; init; }

    /// <summary>Whether there may be a <see cref="QueueOptions.JournalQueue"/>.</summary>
    public bool HasJournal { get; init; }

    /// <summary>Whether the <see cref="QueueOptions.AcknowledgeMode"/> may be other than <see cref="AcknowledgeMode.Individual"/>.</summary>
    public bool HasAcknowledgeModes { get; init; }

    /// <summary>Whether there may be a <see cref="QueueOptions.Selector"/>.</summary>
    public bool HasSelectors { get; init; }

    /// <summary>Whether <see cref="QueueProvider.OpenTopicAsync"/> of this kind of queue works.</summary>
    public bool HasTopics { get; init; }

    /// <summary>
    /// Whether <see cref="MessageQueueExtensions.SendBatchAsync"/>, <see cref="MessageQueueExtensions.ReceiveBatchAsync"/> and
    /// <see cref="MessageQueueExtensions.AcknowledgeBatchAsync"/> cost one flush, statement or round trip for all their messages; otherwise they process one
    /// message after the other.
    /// </summary>
    public bool HasBatches { get; init; }

    /// <summary>Whether <see cref="MessageQueueExtensions.SendBatchAsync"/> sends all its messages or none; otherwise a <see cref="QueueBatchException"/>
    /// says which.</summary>
    public bool HasAtomicBatches { get; init; }

    /// <summary>Whether <see cref="MessageQueueExtensions.PeekAsync"/> works.</summary>
    public bool HasPeek { get; init; }

    /// <summary>Whether <see cref="MessageQueueExtensions.ReceiveByIdAsync"/> and <see cref="MessageQueueExtensions.ReceiveByCorrelationIdAsync"/>
    /// work.</summary>
    public bool HasReceiveById { get; init; }

    /// <summary>Whether messages may have a <see cref="QueueMessage.DueTime"/>, and go back with a delay
    /// (<see cref="ReceivedMessage.ReturnAsync(TimeSpan, CancellationToken)"/>).</summary>
    public bool HasDelays { get; init; }

    /// <summary>Whether there may be a <see cref="QueueOptions.DuplicateWindow"/>.</summary>
    public bool HasDuplicateDetection { get; init; }

    /// <summary>Whether a send waits while the queue holds <see cref="QueueOptions.HoldBackByteCount"/>.</summary>
    public bool HasBackPressure { get; init; }

    /// <summary>Whether messages may ask for acknowledgement messages (<see cref="QueueMessage.AcknowledgeTypes"/>), and be acknowledgement messages
    /// (<see cref="QueueMessage.Acknowledgment"/>).</summary>
    public bool HasAcknowledgments { get; init; }

    /// <summary>Whether messages may have a <see cref="QueueMessage.SourceJournalQueue"/>.</summary>
    public bool HasSourceJournal { get; init; }

    /// <summary>Whether the queue lives in this process, so that another process cannot be the other end.</summary>
    public bool IsInProcess { get; init; }

    /// <summary>Throws if the queue does not support an option; every provider calls this when it opens a queue.</summary>
    /// <param name="options">The options.</param>
    /// <param name="address">The queue's address, for the message.</param>
    /// <exception cref="NotSupportedException">An option needs a capability that is false here; the message names it and the product.</exception>
    /// <exception cref="ArgumentException">The options contradict each other: a limit of deliveries without a dead-letter queue, or a queue that is its own
    /// dead-letter or journal queue.</exception>
    public void ThrowIfNotSupported(QueueOptions options, QueueAddress address)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(address);
        if (options.ReceiveMode == ReceiveMode.PeekLock && !HasPeekLock)
            throw NotSupported(nameof(ReceiveMode.PeekLock), nameof(HasPeekLock), address, $"; open it with {nameof(ReceiveMode)}.{nameof(ReceiveMode.ReceiveAndDelete)}");
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

        if (options.MaxDeliveryCount > 0 && options.DeadLetterQueue is null)
            throw new ArgumentException($"'{address}': {nameof(QueueOptions.MaxDeliveryCount)} needs a {nameof(QueueOptions.DeadLetterQueue)}; without one, messages would be lost.", nameof(options));
        QueueTexts.ThrowIfMalformed(options.DeadLetterQueue, nameof(QueueOptions.DeadLetterQueue));
        QueueTexts.ThrowIfMalformed(options.JournalQueue, nameof(QueueOptions.JournalQueue));
        string name = address.NameInPlace;
        if (options.DeadLetterQueue == name || options.JournalQueue == name)
            throw new ArgumentException($"'{address}' cannot be its own dead-letter or journal queue.", nameof(options));
    }

    /// <summary>Throws if the queue does not support a property of a message; every queue calls this when it sends.</summary>
    /// <param name="message">The message.</param>
    /// <param name="address">The queue's address, for the exception's message.</param>
    /// <exception cref="NotSupportedException">A property needs a capability that is false here; the message names it and the product.</exception>
    /// <exception cref="ArgumentException">The message asks for acknowledgements but names no administration queue, the queue itself is to be its
    /// administration or journal queue, or a string has half of a surrogate pair.</exception>
    public void ThrowIfNotSupported(QueueMessage message, QueueAddress address)
    {
        ArgumentNullException.ThrowIfNull(message);
        QueueTexts.ThrowIfMalformed(message);
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
        if (message.AcknowledgeTypes != AcknowledgeTypes.None && message.AdministrationQueue is null)
            throw new ArgumentException($"'{address}': a message with {nameof(QueueMessage.AcknowledgeTypes)} needs an {nameof(QueueMessage.AdministrationQueue)} to which the acknowledgements go.", nameof(message));
        if (message.AdministrationQueue is { } administration && administration == address.NameInPlace)
            throw new ArgumentException($"'{address}' cannot be the {nameof(QueueMessage.AdministrationQueue)} of its own messages.", nameof(message));
        if (message.SourceJournalQueue is { } journal && journal == address.NameInPlace)
            throw new ArgumentException($"'{address}' cannot be the {nameof(QueueMessage.SourceJournalQueue)} of its own messages.", nameof(message));
    }

    /// <summary>For operations that are asked for by a call.</summary>
    internal NotSupportedException NotSupported(string what, string capability, QueueAddress address, string remedy = "") =>
        new($"'{address}': {what} is not supported by {Product} ({nameof(QueueCapabilities)}.{capability} is false){remedy}.");
}
