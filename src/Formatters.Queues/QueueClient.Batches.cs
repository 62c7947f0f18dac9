using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Batches.
public abstract partial class QueueClient
{
    /// <summary>
    /// Sends several messages, in their order. With <see cref="QueueFeatures.Batches"/>, they cost one flush, statement or round trip;
    /// otherwise they are sent one after the other.
    /// </summary>
    /// <param name="messages">The messages; an empty list is not an error. Their bodies must not change until the send has completed.</param>
    /// <param name="transaction">As for <see cref="SendAsync(QueueMessage, QueueTransaction?, CancellationToken)"/>.</param>
    /// <param name="cancellationToken">Cancels the wait; each message may or may not be sent then.</param>
    /// <returns>Completes when the guarantee of the queue's <see cref="DeliveryMode"/> holds for all of them (within a transaction:
    /// immediately).</returns>
    /// <exception cref="QueueBatchException">Some were not sent: <see cref="QueueBatchException.Failures"/> lists them. Never with <see
    /// cref="QueueFeatures.AtomicBatches"/>.</exception>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost; nothing was sent, unless
    /// <see cref="QueueException.OutcomeUnknown"/>.</exception>
    /// <exception cref="NotSupportedException">A message has a property that the queue does not support; nothing was sent.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="messages"/> is null.</exception>
    /// <exception cref="ArgumentException">A message is null, or <paramref name="transaction"/> is not of this queue's provider.</exception>
    /// <exception cref="InvalidOperationException">The queue is transactional and no transaction was given, or vice versa.</exception>
    /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
    [OverloadResolutionPriority(1)]
    public ValueTask SendBatchAsync(
        IReadOnlyList<QueueMessage> messages, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(messages);
        for (int i = 0; i < messages.Count; i++)
        {
            if (messages[i] is null)
                throw new ArgumentException($"Message {i} is null.", nameof(messages));
            Capabilities.ThrowIfNotSupported(messages[i], Address);
        }

        return messages.Count == 0 ? default
            : IsObserved ? ObserveSendAsync(messages, transaction, cancellationToken)
            : SendBatchCoreAsync(messages, transaction, cancellationToken);
    }

    /// <summary>Sends several messages, in their order: at least one. By default one after the other: a decorator that forwards the capabilities of a
    /// queue with <see cref="QueueFeatures.AtomicBatches"/> must override it.</summary>
    /// <inheritdoc cref="SendBatchAsync(IReadOnlyList{QueueMessage}, QueueTransaction?, CancellationToken)"/>
    protected virtual ValueTask SendBatchCoreAsync(
        IReadOnlyList<QueueMessage> messages, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        QueueBatches.SendEachAsync(this, messages, transaction, cancellationToken);

    /// <summary>Receives several messages: those that are available, up to a count, once there is at least one.</summary>
    /// <param name="maxCount">The maximum number of messages: 1 or more.</param>
    /// <param name="timeout">How long to wait for the first, as for <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.
    /// There is no wait after that.</param>
    /// <param name="transaction">As for <see cref="SendAsync(QueueMessage, QueueTransaction?, CancellationToken)"/>.</param>
    /// <param name="cancellationToken">Cancels the wait; no message is lost then.</param>
    /// <returns>The messages in the order of the queue; an empty list after the timeout. Settle each individually or with <see
    /// cref="AcknowledgeBatchAsync"/>, as after <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxCount"/> is less than 1, or <paramref name="timeout"/> is
    /// negative.</exception>
    /// <exception cref="ArgumentException"><paramref name="transaction"/> is not of this queue's provider.</exception>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost. The messages that the batch has taken are delivered
    /// again.</exception>
    /// <exception cref="InvalidOperationException">The queue is transactional and no transaction was given, or vice versa.</exception>
    /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
    public ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveBatchAsync(
        int maxCount, TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        if (maxCount < 1)
            throw new ArgumentOutOfRangeException(nameof(maxCount), maxCount, "At least 1.");
        return IsObserved
            ? ObserveReceiveAsync(maxCount, timeout, transaction, cancellationToken)
            : ReceiveBatchCoreAsync(maxCount, timeout, transaction, cancellationToken);
    }

    /// <summary>Receives several messages: those that are available, once there is at least one. By default one after the other.</summary>
    /// <inheritdoc cref="ReceiveBatchAsync(int, TimeSpan, QueueTransaction?, CancellationToken)"/>
    protected virtual ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveBatchCoreAsync(
        int maxCount, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        QueueBatches.ReceiveEachAsync(this, maxCount, timeout, transaction, cancellationToken);

    /// <summary>Acknowledges several messages. Without effect under <see cref="ReceiveMode.ReceiveAndDelete"/> and in a transaction.</summary>
    /// <param name="messages">Messages that this handle has received, in any order; an empty list is not an error.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when all of them are acknowledged.</returns>
    /// <exception cref="QueueBatchException">Some messages are no longer locked, as with <see cref="ReceivedMessage.AcknowledgeAsync"/>; the others
    /// are acknowledged.</exception>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="messages"/> is null.</exception>
    /// <exception cref="ArgumentException">A message is null, or another handle has received it.</exception>
    public ValueTask AcknowledgeBatchAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken = default)
    {
        ThrowIfAnyIsNull(messages);
        return messages.Count == 0 ? default
            : IsObserved ? ObserveAcknowledgeAsync(messages, cancellationToken)
            : AcknowledgeBatchCoreAsync(Unobserved(messages), cancellationToken);
    }

    /// <summary>Acknowledges several messages: at least one. By default one after the other.</summary>
    /// <inheritdoc cref="AcknowledgeBatchAsync(IReadOnlyList{ReceivedMessage}, CancellationToken)"/>
    protected virtual ValueTask AcknowledgeBatchCoreAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken) =>
        QueueBatches.AcknowledgeEachAsync(this, messages, cancellationToken);

    /// <summary>
    /// Returns prefetched messages that were not delivered to the application. Each goes back to its position, and a queue that counts deliveries
    /// does not count this one.
    /// </summary>
    /// <param name="messages">Messages that this handle has received under <see cref="ReceiveMode.PeekLock"/> and that are not settled.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the messages are returned. Messages that are no longer locked are skipped.</returns>
    /// <exception cref="QueueException">The connection was lost: the messages are delivered again.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="messages"/> is null.</exception>
    /// <exception cref="ArgumentException">A message is null, or another handle has received it.</exception>
    public ValueTask ReturnUnseenAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken = default)
    {
        ThrowIfAnyIsNull(messages);
        return messages.Count == 0 ? default : ReturnUnseenCoreAsync(Unobserved(messages), cancellationToken);
    }

    /// <summary>Returns prefetched messages: at least one. By default one after the other, from the last to the first; each may count as a
    /// delivery.</summary>
    /// <inheritdoc cref="ReturnUnseenAsync"/>
    protected virtual ValueTask ReturnUnseenCoreAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken) =>
        QueueBatches.ReturnEachAsync(messages);

    /// <summary>Receives messages as long as the loop runs, several at a time. A cancellation ends the loop, without an exception.</summary>
    /// <param name="maxInHand">The maximum number of messages that are received but not yet processed by the loop, including the current one. They
    /// are locked meanwhile, and their leases run. Under <see cref="ReceiveMode.ReceiveAndDelete"/> it is always 1: only the current message is
    /// removed from the queue.</param>
    /// <param name="cancellationToken">Ends the loop.</param>
    /// <returns>An endless sequence of messages. Settle each as after <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.
    /// When the loop ends, by cancellation, <see langword="break"/> or an exception, messages that were not returned go back to their position in the
    /// queue; queues that count deliveries do not count it.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxInHand"/> is less than 1.</exception>
    /// <exception cref="InvalidOperationException">The queue is transactional.</exception>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
    public IAsyncEnumerable<ReceivedMessage> ReceiveAllAsync(int maxInHand = 100, CancellationToken cancellationToken = default)
    {
        if (maxInHand < 1)
            throw new ArgumentOutOfRangeException(nameof(maxInHand), maxInHand, "At least 1.");
        if (Options.DeliveryMode == DeliveryMode.Transactional)
            throw new InvalidOperationException(
                $"'{Address}' was opened as transactional: receive in a transaction, with {nameof(ReceiveBatchAsync)}.");
        return ReceiveAllCoreAsync(Options.ReceiveMode == ReceiveMode.ReceiveAndDelete ? 1 : maxInHand, cancellationToken);
    }

    private async IAsyncEnumerable<ReceivedMessage> ReceiveAllCoreAsync(
        int maxInHand, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
        {
            IReadOnlyList<ReceivedMessage> batch;
            try
            {
                batch = await ReceiveBatchAsync(maxInHand, Timeout.InfiniteTimeSpan, null, cancellationToken).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
            {
                yield break;
            }

            int next = 0;
            try
            {
                // The first is returned even if a cancellation came too late to keep it in the queue, because it may have been deleted there.
                while (next < batch.Count && (next == 0 || !cancellationToken.IsCancellationRequested))
                    yield return batch[next++];
            }
            finally
            {
                if (next < batch.Count)
                    await TryReturnUnseenAsync([.. batch.Skip(next)]).ConfigureAwait(false);
            }
        }
    }

    private static void ThrowIfAnyIsNull(IReadOnlyList<ReceivedMessage> messages)
    {
        ArgumentNullException.ThrowIfNull(messages);
        for (int i = 0; i < messages.Count; i++)
        {
            if (messages[i] is null)
                throw new ArgumentException($"Message {i} is null.", nameof(messages));
        }
    }

    /// <summary>Returns prefetched messages; has no effect if the queue is closed or lost, which redelivers them anyway.</summary>
    private async ValueTask TryReturnUnseenAsync(IReadOnlyList<ReceivedMessage> messages)
    {
        try
        {
            await ReturnUnseenAsync(messages).ConfigureAwait(false);
        }
        catch (Exception e) when (e is QueueException or ObjectDisposedException)
        {
        }
    }
}
