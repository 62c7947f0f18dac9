using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Peeking, and receiving by id.
public abstract partial class QueueClient
{
    /// <summary>
    /// Returns messages without removing them, in the order in which they would be received, including locked ones. A dead-letter queue is opened and
    /// peeked at like any other.
    /// </summary>
    /// <param name="options">Which messages; null means <see cref="PeekOptions.Default"/>.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The messages; fewer than <see cref="PeekOptions.MaxCount"/> when there are no more. A peek is not a delivery: nothing is counted,
    /// locked or changed. Expired messages are not returned.</returns>
    /// <exception cref="NotSupportedException">The queue does not have <see cref="QueueFeatures.Peek"/>.</exception>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    /// <exception cref="ArgumentException"><see cref="PeekOptions.After"/> is not a position of this kind of queue.</exception>
    /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
    public ValueTask<IReadOnlyList<PeekedMessage>> PeekAsync(PeekOptions? options = null, CancellationToken cancellationToken = default)
    {
        ThrowIfNotSupported(QueueFeatures.Peek, nameof(PeekAsync));
        return PeekCoreAsync(options ?? PeekOptions.Default, cancellationToken);
    }

    /// <summary>Implements <see cref="PeekAsync"/>; the options are not null.</summary>
    /// <inheritdoc cref="PeekAsync"/>
    protected virtual ValueTask<IReadOnlyList<PeekedMessage>> PeekCoreAsync(PeekOptions options, CancellationToken cancellationToken) =>
        throw NotOverridden(nameof(PeekCoreAsync));

    /// <summary>Returns all messages without removing them, one peek after the other.</summary>
    /// <param name="options">Which messages, and how many in each peek; null means <see cref="PeekOptions.Default"/>.</param>
    /// <param name="cancellationToken">Ends the loop with an <see cref="OperationCanceledException"/>.</param>
    /// <returns>The messages. A message that enters or leaves the queue during the loop may or may not be among them.</returns>
    /// <inheritdoc cref="PeekAsync" path="/exception"/>
    public IAsyncEnumerable<PeekedMessage> PeekAllAsync(PeekOptions? options = null, CancellationToken cancellationToken = default)
    {
        ThrowIfNotSupported(QueueFeatures.Peek, nameof(PeekAllAsync));
        return PeekAllCoreAsync(options ?? PeekOptions.Default, cancellationToken);
    }

    /// <summary>Receives the first message with a given id, waiting for it if there is none. Other messages stay in the queue.</summary>
    /// <param name="messageId">The <see cref="QueueMessage.MessageId"/>.</param>
    /// <param name="timeout">As for <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.</param>
    /// <param name="transaction">As for <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.</param>
    /// <param name="cancellationToken">As for <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.</param>
    /// <returns>The message, or null after the timeout; to be settled as after <see cref="ReceiveAsync(TimeSpan, QueueTransaction?,
    /// CancellationToken)"/>.</returns>
    /// <exception cref="NotSupportedException">The queue does not have <see cref="QueueFeatures.ReceiveById"/>.</exception>
    /// <exception cref="ArgumentException">The id is null or empty, or <paramref name="transaction"/> is not of this queue's provider.</exception>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    /// <exception cref="InvalidOperationException">The queue is transactional and no transaction was given, or vice versa.</exception>
    /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
    public ValueTask<ReceivedMessage?> ReceiveByIdAsync(
        string messageId, TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(messageId);
        QueueStrings.ThrowIfMalformed(messageId, nameof(messageId));
        ThrowIfNotSupported(QueueFeatures.ReceiveById, nameof(ReceiveByIdAsync));
        return IsObserved
            ? ObserveReceiveAsync((queue: this, messageId, timeout, transaction, cancellationToken),
                static on => on.queue.ReceiveByIdCoreAsync(on.messageId, on.timeout, on.transaction, on.cancellationToken))
            : ReceiveByIdCoreAsync(messageId, timeout, transaction, cancellationToken);
    }

    /// <summary>Receives the first message with a given id.</summary>
    /// <inheritdoc cref="ReceiveByIdAsync"/>
    protected virtual ValueTask<ReceivedMessage?> ReceiveByIdCoreAsync(
        string messageId, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        throw NotOverridden(nameof(ReceiveByIdCoreAsync));

    /// <summary>
    /// Receives the first message with a given correlation id, waiting for it if there is none: the answer to a message. Other messages stay in the
    /// queue.
    /// </summary>
    /// <param name="correlationId">The <see cref="QueueMessage.CorrelationId"/>.</param>
    /// <param name="timeout">As for <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.</param>
    /// <param name="transaction">As for <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.</param>
    /// <param name="cancellationToken">As for <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.</param>
    /// <inheritdoc cref="ReceiveByIdAsync" path="/returns"/>
    /// <inheritdoc cref="ReceiveByIdAsync" path="/exception"/>
    public ValueTask<ReceivedMessage?> ReceiveByCorrelationIdAsync(
        string correlationId, TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(correlationId);
        QueueStrings.ThrowIfMalformed(correlationId, nameof(correlationId));
        ThrowIfNotSupported(QueueFeatures.ReceiveById, nameof(ReceiveByCorrelationIdAsync));
        return IsObserved
            ? ObserveReceiveAsync((queue: this, correlationId, timeout, transaction, cancellationToken),
                static on => on.queue.ReceiveByCorrelationIdCoreAsync(on.correlationId, on.timeout, on.transaction, on.cancellationToken))
            : ReceiveByCorrelationIdCoreAsync(correlationId, timeout, transaction, cancellationToken);
    }

    /// <summary>Receives the first message with a given correlation id.</summary>
    /// <inheritdoc cref="ReceiveByCorrelationIdAsync"/>
    protected virtual ValueTask<ReceivedMessage?> ReceiveByCorrelationIdCoreAsync(
        string correlationId, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        throw NotOverridden(nameof(ReceiveByCorrelationIdCoreAsync));

    private async IAsyncEnumerable<PeekedMessage> PeekAllCoreAsync(
        PeekOptions options, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        while (true)
        {
            IReadOnlyList<PeekedMessage> messages = await PeekAsync(options, cancellationToken).ConfigureAwait(false);
            foreach (PeekedMessage message in messages)
                yield return message;
            if (messages.Count < options.MaxCount)
                yield break;
            options = options with { After = messages[^1].Position };
        }
    }

    private void ThrowIfNotSupported(QueueFeatures feature, string operation)
    {
        if (!Capabilities.Supports(feature))
            throw Capabilities.NotSupported(operation, feature, Address);
    }

    private NotSupportedException NotOverridden(string method) =>
        new($"'{Address}': {GetType()} does not override {method}, although its capabilities have the feature.");
}
