using System;
using System.Collections.Generic;
using System.Threading;

namespace Formatters.Queues;

/// <summary>The features in which kinds of queues differ. An operation, option or property of a message that needs a missing feature throws a
/// <see cref="NotSupportedException"/> that names it.</summary>
[Flags]
public enum QueueFeatures
{
    /// <summary>None of the features.</summary>
    None = 0,

    /// <summary>
    /// <see cref="QueueClient.BeginTransactionAsync"/> works: only for a queue opened as <see cref="DeliveryMode.Transactional"/>.
    /// </summary>
    Transactions = 1 << 0,

    /// <summary>The queue can be in a <c>CoordinatedTransaction</c>, together with queues and rows at another location.</summary>
    CoordinatedTransactions = 1 << 1,

    /// <summary>The queue supports <see cref="QueueMessage.Priority"/>.</summary>
    Priorities = 1 << 2,

    /// <summary>The queue supports <see cref="QueueMessage.TimeToLive"/>.</summary>
    Expiry = 1 << 3,

    /// <summary>The <see cref="QueueOptions.ReceiveMode"/> may be <see cref="ReceiveMode.PeekLock"/>.</summary>
    PeekLock = 1 << 4,

    /// <summary><see cref="QueueOptions.LeaseDuration"/> may be finite.</summary>
    Leases = 1 << 5,

    /// <summary><see cref="QueueOptions.DeadLetterQueue"/> is supported.</summary>
    DeadLetters = 1 << 6,

    /// <summary>
    /// <see cref="ReceivedMessage.DeliveryCount"/> is exact, and <see cref="QueueOptions.MaxDeliveryCount"/> is supported.
    /// </summary>
    DeliveryCounts = 1 << 7,

    /// <summary><see cref="QueueOptions.MaxMessageCount"/> and <see cref="QueueOptions.MaxByteCount"/> are supported.</summary>
    Limits = 1 << 8,

    /// <summary><see cref="QueueOptions.JournalQueue"/> is supported.</summary>
    Journal = 1 << 9,

    /// <summary><see cref="QueueOptions.AcknowledgeMode"/> may be other than <see cref="AcknowledgeMode.Individual"/>.</summary>
    AcknowledgeModes = 1 << 10,

    /// <summary><see cref="QueueOptions.Selector"/> is supported.</summary>
    Selectors = 1 << 11,

    /// <summary><see cref="QueueProvider.OpenTopicAsync"/> is supported.</summary>
    Topics = 1 << 12,

    /// <summary>
    /// <see cref="QueueClient.SendBatchAsync(IReadOnlyList{QueueMessage}, QueueTransaction?, CancellationToken)"/>, <see
    /// cref="QueueClient.ReceiveBatchAsync(int, TimeSpan, QueueTransaction?, CancellationToken)"/> and <see
    /// cref="QueueClient.AcknowledgeBatchAsync(IReadOnlyList{ReceivedMessage}, CancellationToken)"/> cost one flush, statement or round trip for all
    /// their messages; otherwise they process one message after the other.
    /// </summary>
    Batches = 1 << 13,

    /// <summary>
    /// <see cref="QueueClient.SendBatchAsync(IReadOnlyList{QueueMessage}, QueueTransaction?, CancellationToken)"/> sends all its messages or none;
    /// otherwise a <see cref="QueueBatchException"/> says which were not sent.
    /// </summary>
    AtomicBatches = 1 << 14,

    /// <summary><see cref="QueueClient.PeekAsync"/> works.</summary>
    Peek = 1 << 15,

    /// <summary>
    /// <see cref="QueueClient.ReceiveByIdAsync"/> and <see cref="QueueClient.ReceiveByCorrelationIdAsync"/> work.
    /// </summary>
    ReceiveById = 1 << 16,

    /// <summary>
    /// Messages may have a <see cref="QueueMessage.DueTime"/>, and be returned with a delay (<see
    /// cref="ReceivedMessage.ReturnAsync(TimeSpan, CancellationToken)"/>).
    /// </summary>
    Delays = 1 << 17,

    /// <summary><see cref="QueueOptions.DuplicateWindow"/> is supported.</summary>
    DuplicateDetection = 1 << 18,

    /// <summary>A send waits while the queue holds <see cref="QueueOptions.HoldBackByteCount"/>.</summary>
    BackPressure = 1 << 19,

    /// <summary>
    /// Messages may request acknowledgement messages (<see cref="QueueMessage.AcknowledgeTypes"/>), and be acknowledgement messages
    /// (<see cref="QueueMessage.Acknowledgment"/>).
    /// </summary>
    Acknowledgments = 1 << 20,

    /// <summary>Messages may have a <see cref="QueueMessage.SourceJournalQueue"/>.</summary>
    SourceJournal = 1 << 21,

    /// <summary>
    /// Messages may have a <see cref="QueueMessage.SessionId"/>, <see cref="QueueOptions.RequiresSession"/> is supported, and <see
    /// cref="QueueClient.AcceptSessionAsync(TimeSpan, CancellationToken)"/> works.
    /// </summary>
    Sessions = 1 << 22,

    /// <summary>
    /// <see cref="ReceivedMessage.DeferAsync"/> and <see cref="QueueClient.ReceiveDeferredAsync"/> work.
    /// </summary>
    Deferral = 1 << 23,
}
