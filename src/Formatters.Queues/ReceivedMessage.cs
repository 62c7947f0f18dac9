using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A message that came out of a queue.</summary>
/// <remarks>
/// Unless its queue was opened under <see cref="ReceiveMode.ReceiveAndDelete"/>, the message is locked until its receiver settles it:
/// <see cref="AcknowledgeAsync"/> when it is processed, <see cref="ReturnAsync(CancellationToken)"/> for another try, <see cref="DeadLetterAsync"/> when no
/// receiver can process it. One that is never settled is delivered again when the handle is closed, with <see cref="IsRedelivered"/>. Its body's bytes stay
/// valid for as long as the message is referenced.
/// </remarks>
public abstract class ReceivedMessage : QueueMessage
{
    private DeadLetter? _deadLetter;
    private long _sentTicks;

    /// <summary>Creates a received message around a body.</summary>
    /// <param name="body">The body.</param>
    protected ReceivedMessage(MessageBody body)
        : base(body)
    {
    }

    /// <summary>How often the queue has handed this message out, this time included.</summary>
    /// <value>
    /// 1 for the first time. A queue without <see cref="QueueCapabilities.HasDeliveryCounts"/> knows only whether it was handed out before, and says 2 then.
    /// </value>
    public int DeliveryCount { get; protected init; } = 1;

    /// <summary>Whether the queue has handed this message out before: <see cref="DeliveryCount"/> is more than 1.</summary>
    public bool IsRedelivered => DeliveryCount > 1;

    /// <summary>When the message was sent, by the clock of the sender or of the queue.</summary>
    /// <value>UTC; null where the queue does not report it.</value>
    public DateTimeOffset? SentTime
    {
        get => _sentTicks == 0 ? null : new DateTimeOffset(_sentTicks, TimeSpan.Zero);
        protected init => _sentTicks = value is { } time ? time.UtcTicks : 0;
    }

    /// <summary>Until when the message is locked for its receiver: after that it goes back to its queue, and can no longer be acknowledged.</summary>
    /// <value>By this machine's clock; null if the lock ends only with the receiver: see <see cref="QueueOptions.LeaseDuration"/>.</value>
    public virtual DateTimeOffset? LeaseEnd => null;

    /// <summary>Why the message is in the dead-letter queue from which it was received.</summary>
    /// <value>One of <see cref="DeadLetterReasons"/>, or what the application gave; null for a message that is not a dead letter.</value>
    public string? DeadLetterReason
    {
        get => _deadLetter?.Reason;
        protected init => _deadLetter = (_deadLetter ?? new DeadLetter("", null, null)) with { Reason = value ?? "" };
    }

    /// <summary>The application's description in addition to the reason, for people.</summary>
    /// <value>Null if it gave none, and for a message that is not a dead letter.</value>
    public string? DeadLetterDescription
    {
        get => _deadLetter?.Description;
        protected init => _deadLetter = (_deadLetter ?? new DeadLetter("", null, null)) with { Description = value };
    }

    /// <summary>The name of the queue from which the dead letter came.</summary>
    /// <value>Null for a message that is not a dead letter.</value>
    public string? DeadLetterSource
    {
        get => _deadLetter?.Source;
        protected init => _deadLetter = (_deadLetter ?? new DeadLetter("", null, null)) with { Source = value };
    }

    /// <summary>The three properties of a dead letter, in one object since few messages are any.</summary>
    private protected DeadLetter? DeadLetter
    {
        get => _deadLetter;
        init => _deadLetter = value;
    }

    /// <summary>Tells the queue that the message is processed, so that it leaves the queue. Without effect under <see cref="ReceiveMode.ReceiveAndDelete"/>
    /// and in a transaction.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the queue has been told.</returns>
    /// <exception cref="QueueException">The lock is gone, because its lease has ended, the queue was closed or the connection was lost: the message will be
    /// delivered again. If its queue was deleted it will not, and the message says so.</exception>
    public abstract ValueTask AcknowledgeAsync(CancellationToken cancellationToken = default);

    /// <summary>Gives the message back to its queue, to be received again. Without effect under <see cref="ReceiveMode.ReceiveAndDelete"/> and in a
    /// transaction.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the queue has been told.</returns>
    /// <inheritdoc cref="AcknowledgeAsync" path="/exception"/>
    public abstract ValueTask ReturnAsync(CancellationToken cancellationToken = default);

    /// <summary>Gives the message back to its queue, to be received again after a delay and not before: for another try later. Without effect under
    /// <see cref="ReceiveMode.ReceiveAndDelete"/> and in a transaction.</summary>
    /// <param name="delay">How long the message cannot be received: zero or more. After that it is back in its place.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the queue has been told.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="delay"/> is negative.</exception>
    /// <exception cref="NotSupportedException">The delay is more than zero, and the queue has no <see cref="QueueCapabilities.HasDelays"/>.</exception>
    /// <inheritdoc cref="AcknowledgeAsync" path="/exception"/>
    public virtual ValueTask ReturnAsync(TimeSpan delay, CancellationToken cancellationToken = default)
    {
        if (delay < TimeSpan.Zero)
            throw new ArgumentOutOfRangeException(nameof(delay), delay, "Zero or more.");
        return delay == TimeSpan.Zero
            ? ReturnAsync(cancellationToken)
            : throw new NotSupportedException($"The queue from which the message was received cannot delay it ({nameof(QueueCapabilities)}.{nameof(QueueCapabilities.HasDelays)} is false).");
    }

    /// <summary>Takes the message out of its queue and puts it into the <see cref="QueueOptions.DeadLetterQueue"/>, to be examined. In a transaction, this
    /// happens at the commit.</summary>
    /// <param name="reason">Why, in a word for programs: one of <see cref="DeadLetterReasons"/> or the application's own.</param>
    /// <param name="description">Why, for people.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the message is in the dead-letter queue.</returns>
    /// <exception cref="ArgumentException"><paramref name="reason"/> is null or empty.</exception>
    /// <exception cref="InvalidOperationException">The queue was opened without a dead-letter queue, or under <see cref="ReceiveMode.ReceiveAndDelete"/>: the
    /// message has left it already.</exception>
    /// <exception cref="NotSupportedException">The queue has no <see cref="QueueCapabilities.HasDeadLetters"/>.</exception>
    /// <inheritdoc cref="AcknowledgeAsync" path="/exception"/>
    public virtual ValueTask DeadLetterAsync(string reason, string? description = null, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException("The queue from which the message was received has no dead letters.");

    /// <summary>Renews the lease, for a receiver that needs more time. Without effect if <see cref="LeaseEnd"/> is null.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when <see cref="LeaseEnd"/> has its new value.</returns>
    /// <inheritdoc cref="AcknowledgeAsync" path="/exception"/>
    public virtual ValueTask RenewLeaseAsync(CancellationToken cancellationToken = default) => default;
}

/// <summary>What a dead letter says of itself.</summary>
internal sealed record DeadLetter(string Reason, string? Description, string? Source);
