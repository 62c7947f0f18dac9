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

    /// <summary>Gets the features of the queue.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value has bits that are not features.</exception>
    public QueueFeatures Features
    {
        get;
        init => field = (uint)value < (uint)QueueFeatures.Deferral * 2
            ? value
            : throw new ArgumentOutOfRangeException(nameof(Features), value, $"Not values of {nameof(QueueFeatures)}.");
    }

    /// <summary>Gets whether messages sent under the mode in which the queue was opened survive the end of the queue's process.</summary>
    public bool IsRecoverable { get; init; }

    /// <summary>Gets whether a transaction is all or nothing, even across a crash; false for a mere batch (RabbitMQ's tx).</summary>
    public bool IsAtomic { get; init; }

    /// <summary>Gets how many connections to the server a handle keeps for itself while it receives.</summary>
    /// <value>1 for PostgreSQL and RabbitMQ; 0 where there is no server, or where all handles share a connection.</value>
    public int ConnectionsPerReceiver { get; init; }

    /// <summary>Gets whether the queue is in the memory of this process, so that another process cannot be the other end.</summary>
    public bool IsInProcess { get; init; }

    /// <summary>Determines whether the queue has features.</summary>
    /// <param name="features">One feature or several.</param>
    /// <returns>Whether it has all of them.</returns>
    public bool Supports(QueueFeatures features) => (Features & features) == features;

    /// <summary>Throws if the queue does not support an option; every provider calls this when it opens a queue.</summary>
    /// <param name="options">The options.</param>
    /// <param name="address">The queue's address, for the message.</param>
    /// <exception cref="NotSupportedException">An option needs a feature that the queue does not have; the message
    /// names it and the product.</exception>
    /// <exception cref="ArgumentException">The options contradict each other: a delivery limit without a dead-letter queue, or a queue that is its
    /// own dead-letter or journal queue.</exception>
    public void ThrowIfNotSupported(QueueOptions options, QueueAddress address)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(address);
        if (options.ReceiveMode == ReceiveMode.PeekLock && !Supports(QueueFeatures.PeekLock))
            throw NotSupported(nameof(ReceiveMode.PeekLock), QueueFeatures.PeekLock, address,
                $"; open it with {nameof(ReceiveMode)}.{nameof(ReceiveMode.ReceiveAndDelete)}");
        if (options.LeaseDuration != Timeout.InfiniteTimeSpan && !Supports(QueueFeatures.Leases))
            throw NotSupported(nameof(QueueOptions.LeaseDuration), QueueFeatures.Leases, address);
        if (options.MaxDeliveryCount > 0 && !Supports(QueueFeatures.DeliveryCounts))
            throw NotSupported(nameof(QueueOptions.MaxDeliveryCount), QueueFeatures.DeliveryCounts, address);
        if (options.DeadLetterQueue is not null && !Supports(QueueFeatures.DeadLetters))
            throw NotSupported(nameof(QueueOptions.DeadLetterQueue), QueueFeatures.DeadLetters, address);
        if (options.MaxMessageCount is not null && !Supports(QueueFeatures.Limits))
            throw NotSupported(nameof(QueueOptions.MaxMessageCount), QueueFeatures.Limits, address);
        if (options.MaxByteCount is not null && !Supports(QueueFeatures.Limits))
            throw NotSupported(nameof(QueueOptions.MaxByteCount), QueueFeatures.Limits, address);
        if (options.HoldBackByteCount is not null && !Supports(QueueFeatures.BackPressure))
            throw NotSupported(nameof(QueueOptions.HoldBackByteCount), QueueFeatures.BackPressure, address);
        if (options.JournalQueue is not null && !Supports(QueueFeatures.Journal))
            throw NotSupported(nameof(QueueOptions.JournalQueue), QueueFeatures.Journal, address);
        if (options.AcknowledgeMode != AcknowledgeMode.Individual && !Supports(QueueFeatures.AcknowledgeModes))
            throw NotSupported(nameof(QueueOptions.AcknowledgeMode), QueueFeatures.AcknowledgeModes, address);
        if (options.Selector is not null && !Supports(QueueFeatures.Selectors))
            throw NotSupported(nameof(QueueOptions.Selector), QueueFeatures.Selectors, address);
        if (options.DuplicateWindow is not null && !Supports(QueueFeatures.DuplicateDetection))
            throw NotSupported(nameof(QueueOptions.DuplicateWindow), QueueFeatures.DuplicateDetection, address);
        if (options.RequiresSession && !Supports(QueueFeatures.Sessions))
            throw NotSupported(nameof(QueueOptions.RequiresSession), QueueFeatures.Sessions, address);

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
    /// <exception cref="NotSupportedException">A property needs a feature that the queue does not have; the message
    /// names it and the product.</exception>
    /// <exception cref="ArgumentException">The message requests acknowledgements but names no administration queue, the queue is its own
    /// administration or journal queue, or a string has an unpaired surrogate.</exception>
    public void ThrowIfNotSupported(QueueMessage message, QueueAddress address)
    {
        ArgumentNullException.ThrowIfNull(message);
        QueueStrings.ThrowIfMalformed(message);
        if (!Supports(QueueFeatures.Priorities) && message.Priority != QueueMessage.DefaultPriority)
            throw NotSupported(nameof(QueueMessage.Priority), QueueFeatures.Priorities, address);
        if (!Supports(QueueFeatures.Expiry) && message.TimeToLive is not null)
            throw NotSupported(nameof(QueueMessage.TimeToLive), QueueFeatures.Expiry, address);
        if (!Supports(QueueFeatures.Delays) && message.DueTime is not null)
            throw NotSupported(nameof(QueueMessage.DueTime), QueueFeatures.Delays, address);
        if (message.HasExtras)
            ThrowIfAsksForTooMuch(message, address);
    }

    private void ThrowIfAsksForTooMuch(QueueMessage message, QueueAddress address)
    {
        if (!Supports(QueueFeatures.Acknowledgments)
            && (message.AdministrationQueue is not null || message.AcknowledgeTypes != AcknowledgeTypes.None))
            throw NotSupported(nameof(QueueMessage.AdministrationQueue), QueueFeatures.Acknowledgments, address);
        if (!Supports(QueueFeatures.Acknowledgments) && message.Acknowledgment is not null)
            throw NotSupported(nameof(QueueMessage.Acknowledgment), QueueFeatures.Acknowledgments, address);
        if (!Supports(QueueFeatures.SourceJournal) && message.SourceJournalQueue is not null)
            throw NotSupported(nameof(QueueMessage.SourceJournalQueue), QueueFeatures.SourceJournal, address);
        if (!Supports(QueueFeatures.Sessions) && message.SessionId is not null)
            throw NotSupported(nameof(QueueMessage.SessionId), QueueFeatures.Sessions, address);
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
    internal NotSupportedException NotSupported(string what, QueueFeatures feature, QueueAddress address, string remedy = "") =>
        new($"'{address}': {what} is not supported by {Product} (it does not have {nameof(QueueFeatures)}.{feature}){remedy}.");
}
