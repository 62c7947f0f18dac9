using System;
using System.Runtime.ExceptionServices;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A message received from a queue.</summary>
/// <remarks>
/// Unless its queue was opened under <see cref="ReceiveMode.ReceiveAndDelete"/>, the message is locked until its receiver settles it: <see
/// cref="AcknowledgeAsync"/> when it is processed, <see cref="ReturnAsync(CancellationToken)"/> for another try, <see cref="DeadLetterAsync"/> if no
/// receiver can process it. A message that is never settled is redelivered when the handle is closed, with <see cref="IsRedelivered"/>. Its body's
/// bytes stay valid as long as the message is referenced.
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

    /// <summary>Gets how often the queue has delivered this message, including this time.</summary>
    /// <value>1 for the first time. A queue without <see cref="QueueFeatures.DeliveryCounts"/> only knows whether it was delivered before, and
    /// then returns 2.</value>
    public int DeliveryCount { get; protected init; } = 1;

    /// <summary>Gets whether the queue has delivered this message before: <see cref="DeliveryCount"/> is more than 1.</summary>
    public bool IsRedelivered => DeliveryCount > 1;

    /// <summary>Gets when the message was sent, by the clock of the sender or of the queue.</summary>
    /// <value>UTC; null where the queue does not report it.</value>
    public DateTimeOffset? SentTime
    {
        get => _sentTicks == 0 ? null : new DateTimeOffset(_sentTicks, TimeSpan.Zero);
        protected init => _sentTicks = value is { } time ? time.UtcTicks : 0;
    }

    /// <summary>Gets the position of the message in its queue, for <see cref="QueueClient.ReceiveDeferredAsync"/>.</summary>
    /// <value>The <see cref="PeekedMessage.Position"/> of the message; null if the queue has no <see cref="QueueFeatures.Deferral"/>.</value>
    public virtual string? Position => null;

    /// <summary>Gets when the message's lock ends: after that it goes back to its queue, and can no longer be acknowledged.</summary>
    /// <value>By this machine's clock; null if the lock ends only with the receiver: see <see cref="QueueOptions.LeaseDuration"/>.</value>
    public virtual DateTimeOffset? LeaseEnd => null;

    /// <summary>Gets why the message is in the dead-letter queue from which it was received.</summary>
    /// <value>One of <see cref="DeadLetterReasons"/>, or the application's own; null for a message that is not a dead letter.</value>
    public string? DeadLetterReason
    {
        get => _deadLetter?.Reason;
        protected init => _deadLetter = (_deadLetter ?? new DeadLetter("", null, null)) with { Reason = value ?? "" };
    }

    /// <summary>Gets the application's description in addition to the reason.</summary>
    /// <value>Null if it gave none, and for a message that is not a dead letter.</value>
    public string? DeadLetterDescription
    {
        get => _deadLetter?.Description;
        protected init => _deadLetter = (_deadLetter ?? new DeadLetter("", null, null)) with { Description = value };
    }

    /// <summary>Gets the name of the queue from which the dead letter came.</summary>
    /// <value>Null for a message that is not a dead letter.</value>
    public string? DeadLetterSource
    {
        get => _deadLetter?.Source;
        protected init => _deadLetter = (_deadLetter ?? new DeadLetter("", null, null)) with { Source = value };
    }

    /// <summary>Gets the three properties of a dead letter, in one object because few messages have them.</summary>
    private protected DeadLetter? DeadLetter
    {
        get => _deadLetter;
        init => _deadLetter = value;
    }

    /// <summary>
    /// Acknowledges that the message is processed, so that it leaves the queue. Has no effect under <see cref="ReceiveMode.ReceiveAndDelete"/> and in
    /// a transaction.
    /// </summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the message is acknowledged.</returns>
    /// <exception cref="QueueException">The message is no longer locked, because its lease has ended, the queue was closed or the connection was
    /// lost: it will be redelivered. If its queue was deleted it will not, as the exception's message then says.</exception>
    public abstract ValueTask AcknowledgeAsync(CancellationToken cancellationToken = default);

    /// <summary>
    /// Returns the message to its queue, to be received again. Has no effect under <see cref="ReceiveMode.ReceiveAndDelete"/> and in a transaction.
    /// </summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the message is returned.</returns>
    /// <inheritdoc cref="AcknowledgeAsync" path="/exception"/>
    public abstract ValueTask ReturnAsync(CancellationToken cancellationToken = default);

    /// <summary>
    /// Returns the message to its queue, to be received again after a delay. Has no effect under <see cref="ReceiveMode.ReceiveAndDelete"/> and in a
    /// transaction.
    /// </summary>
    /// <param name="delay">How long the message cannot be received: zero or more. After that it is back in its position.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the message is returned.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="delay"/> is negative.</exception>
    /// <exception cref="NotSupportedException">The delay is more than zero, and the queue has no <see
    /// cref="QueueFeatures.Delays"/>.</exception>
    /// <inheritdoc cref="AcknowledgeAsync" path="/exception"/>
    public virtual ValueTask ReturnAsync(TimeSpan delay, CancellationToken cancellationToken = default)
    {
        if (delay < TimeSpan.Zero)
            throw new ArgumentOutOfRangeException(nameof(delay), delay, "Zero or more.");
        return delay == TimeSpan.Zero
            ? ReturnAsync(cancellationToken)
            : throw new NotSupportedException(
                $"The queue from which the message was received cannot delay it (it does not have {nameof(QueueFeatures)}.{QueueFeatures.Delays}).");
    }

    /// <summary>
    /// Moves the message to the <see cref="QueueOptions.DeadLetterQueue"/>, to be examined. In a transaction, this happens at the commit.
    /// </summary>
    /// <param name="reason">Why, in a word for programs: one of <see cref="DeadLetterReasons"/> or the application's own.</param>
    /// <param name="description">Why, for people.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the message is in the dead-letter queue.</returns>
    /// <remarks>
    /// Reason and description are cut after 4,096 characters. NUL and unpaired surrogates, which some queues cannot store, become U+FFFD. If the
    /// queue refuses the dead letter nevertheless, because message and description together are too large, it is moved without the description, and
    /// then without reason and source.
    /// </remarks>
    /// <exception cref="ArgumentException"><paramref name="reason"/> is null or empty.</exception>
    /// <exception cref="InvalidOperationException">The queue was opened without a dead-letter queue, or under <see
    /// cref="ReceiveMode.ReceiveAndDelete"/>: the message has left it already.</exception>
    /// <exception cref="NotSupportedException">The queue has no <see cref="QueueFeatures.DeadLetters"/>.</exception>
    /// <inheritdoc cref="AcknowledgeAsync" path="/exception"/>
    public async ValueTask DeadLetterAsync(string reason, string? description = null, CancellationToken cancellationToken = default)
    {
        if (string.IsNullOrEmpty(reason))
            throw new ArgumentException("The reason is null or empty.", nameof(reason));
        reason = DeadLetter.Clean(reason);
        description = description is null ? null : DeadLetter.Clean(description);
        ExceptionDispatchInfo? refusal = null;
        for (int i = 0; i < 3; i++)
        {
            if (i == 1 && description is null)
                continue;
            try
            {
                await MoveToDeadLetterQueueAsync(i < 2 ? reason : null, i < 1 ? description : null, cancellationToken).ConfigureAwait(false);
                return;
            }
            catch (Exception e) when (e is ArgumentException or QueueException { IsUnreachable: false, OutcomeUnknown: false })
            {
                refusal ??= ExceptionDispatchInfo.Capture(e);
            }
        }

        refusal!.Throw();
    }

    /// <summary>Moves the message to the dead-letter queue: <see cref="DeadLetterAsync"/>, which calls it again with less if it is refused.</summary>
    /// <param name="reason">Why, in a word for programs, of at most 4,096 characters; null to add no properties to the message.</param>
    /// <param name="description">Why, for people, of at most 4,096 characters; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the message is in the dead-letter queue.</returns>
    /// <exception cref="QueueException">The queue refused it. The message is still locked, and can be settled in another way.</exception>
    protected internal virtual ValueTask MoveToDeadLetterQueueAsync(string? reason, string? description, CancellationToken cancellationToken) =>
        throw new NotSupportedException("The queue from which the message was received has no dead letters.");

    /// <summary>
    /// Sets the message aside: it stays in its queue, but is received only by its <see cref="Position"/> (<see
    /// cref="QueueClient.ReceiveDeferredAsync"/>). In a transaction, this happens at the commit.
    /// </summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the message is deferred.</returns>
    /// <exception cref="InvalidOperationException">The queue was opened under <see cref="ReceiveMode.ReceiveAndDelete"/>: the message has left it
    /// already.</exception>
    /// <exception cref="NotSupportedException">The queue has no <see cref="QueueFeatures.Deferral"/>.</exception>
    /// <remarks>
    /// Keep the position before you defer the message. A program that has lost it finds deferred messages by a peek: <see
    /// cref="PeekedMessage.IsDeferred"/>.
    /// </remarks>
    /// <inheritdoc cref="AcknowledgeAsync" path="/exception"/>
    public virtual ValueTask DeferAsync(CancellationToken cancellationToken = default) =>
        throw new NotSupportedException(
            $"The queue from which the message was received cannot defer it (it does not have {nameof(QueueFeatures)}.{QueueFeatures.Deferral}).");

    /// <summary>Renews the lease, for a receiver that needs more time. Without effect if <see cref="LeaseEnd"/> is null.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when <see cref="LeaseEnd"/> has its new value.</returns>
    /// <inheritdoc cref="AcknowledgeAsync" path="/exception"/>
    public virtual ValueTask RenewLeaseAsync(CancellationToken cancellationToken = default) => default;
}

/// <summary>The reason, description and source of a dead letter.</summary>
internal sealed record DeadLetter(string Reason, string? Description, string? Source)
{
    // The limit of Service Bus. The same everywhere, so that a dead letter can be forwarded.
    private const int MaxCharCount = 4096;

    /// <summary>Returns text in a form that every queue carries: not too long, without NUL and unpaired surrogates.</summary>
    internal static string Clean(string text)
    {
        if (text.Length > MaxCharCount)
        {
            int charCount = MaxCharCount - 1;
            if (char.IsHighSurrogate(text[charCount - 1]))
                charCount--;
            text = new StringBuilder(text, 0, charCount, MaxCharCount).Append('\u2026').ToString();
        }

        StringBuilder? cleaned = null;
        for (int i = 0; i < text.Length; i++)
        {
            if (i + 1 < text.Length && char.IsSurrogatePair(text[i], text[i + 1]))
                i++;
            else if (text[i] == '\0' || char.IsSurrogate(text[i]))
                (cleaned ??= new StringBuilder(text))[i] = '\uFFFD';
        }

        return cleaned?.ToString() ?? text;
    }
}
