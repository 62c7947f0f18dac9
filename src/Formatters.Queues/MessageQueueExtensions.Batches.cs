using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Batches.
public static partial class MessageQueueExtensions
{
    /// <summary>
    /// Sends several messages, in their order. With <see cref="QueueCapabilities.HasBatches"/>, they cost one flush, statement or round trip;
    /// otherwise they are sent one after the other.
    /// </summary>
    /// <param name="queue">The queue.</param>
    /// <param name="messages">The messages; an empty list is not an error. Their bodies must not change until the send has completed.</param>
    /// <param name="transaction">As for <see cref="IMessageQueue.SendAsync"/>.</param>
    /// <param name="cancellationToken">Cancels the wait; each message may or may not be sent then.</param>
    /// <returns>Completes when the guarantee of the queue's <see cref="DeliveryMode"/> holds for all of them (within a transaction:
    /// immediately).</returns>
    /// <exception cref="QueueBatchException">Some were not sent: <see cref="QueueBatchException.Failures"/> lists them. Never with <see
    /// cref="QueueCapabilities.HasAtomicBatches"/>.</exception>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost; nothing was sent, unless
    /// <see cref="QueueException.OutcomeUnknown"/>.</exception>
    /// <exception cref="NotSupportedException">A message has a property that the queue does not support; nothing was sent.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="queue"/> or <paramref name="messages"/> is null.</exception>
    /// <exception cref="ArgumentException">A message is null, or <paramref name="transaction"/> is not of this queue's provider.</exception>
    /// <exception cref="InvalidOperationException">The queue is transactional and no transaction was given, or vice versa.</exception>
    /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
    [OverloadResolutionPriority(1)]
    public static ValueTask SendBatchAsync(
        this IMessageQueue queue, IReadOnlyList<QueueMessage> messages, QueueTransaction? transaction = null,
            CancellationToken cancellationToken = default)
    {
        ThrowIfNull(queue, messages);
        for (int i = 0; i < messages.Count; i++)
        {
            if (messages[i] is null)
                throw new ArgumentException($"Message {i} is null.", nameof(messages));
            queue.Capabilities.ThrowIfNotSupported(messages[i], queue.Address);
        }

        if (messages.Count == 0)
            return default;
        return queue is IBatchQueue batches
            ? batches.SendBatchAsync(messages, transaction, cancellationToken)
            : QueueBatches.SendEachAsync(queue, messages, transaction, cancellationToken);
    }

    /// <summary>Receives several messages: those that are available, up to a count, once there is at least one.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="maxCount">The maximum number of messages: 1 or more.</param>
    /// <param name="timeout">How long to wait for the first, as for <see cref="IMessageQueue.ReceiveAsync"/>. There is no wait after that.</param>
    /// <param name="transaction">As for <see cref="IMessageQueue.SendAsync"/>.</param>
    /// <param name="cancellationToken">Cancels the wait; no message is lost then.</param>
    /// <returns>The messages in the order of the queue; an empty list after the timeout. Settle each individually or with <see
    /// cref="AcknowledgeBatchAsync"/>, as after <see cref="IMessageQueue.ReceiveAsync"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="queue"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxCount"/> is less than 1, or <paramref name="timeout"/> is
    /// negative.</exception>
    /// <exception cref="ArgumentException"><paramref name="transaction"/> is not of this queue's provider.</exception>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost. The messages that the batch has taken are delivered
    /// again.</exception>
    /// <exception cref="InvalidOperationException">The queue is transactional and no transaction was given, or vice versa.</exception>
    /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
    public static ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveBatchAsync(
        this IMessageQueue queue, int maxCount, TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        ThrowIfNull(queue);
        if (maxCount < 1)
            throw new ArgumentOutOfRangeException(nameof(maxCount), maxCount, "At least 1.");
        return queue is IBatchQueue batches
            ? batches.ReceiveBatchAsync(maxCount, timeout, transaction, cancellationToken)
            : QueueBatches.ReceiveEachAsync(queue, maxCount, timeout, transaction, cancellationToken);
    }

    /// <summary>Acknowledges several messages. Without effect under <see cref="ReceiveMode.ReceiveAndDelete"/> and in a transaction.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="messages">Messages that this handle has received, in any order; an empty list is not an error.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when all of them are acknowledged.</returns>
    /// <exception cref="QueueBatchException">Some messages are no longer locked, as with <see cref="ReceivedMessage.AcknowledgeAsync"/>; the others
    /// are acknowledged.</exception>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="queue"/> or <paramref name="messages"/> is null.</exception>
    /// <exception cref="ArgumentException">A message is null, or another handle has received it.</exception>
    public static ValueTask AcknowledgeBatchAsync(this IMessageQueue queue, IReadOnlyList<ReceivedMessage> messages,
        CancellationToken cancellationToken = default)
    {
        ThrowIfNull(queue, messages);
        for (int i = 0; i < messages.Count; i++)
        {
            if (messages[i] is null)
                throw new ArgumentException($"Message {i} is null.", nameof(messages));
        }

        if (messages.Count == 0)
            return default;
        return queue is IBatchQueue batches
            ? batches.AcknowledgeBatchAsync(messages, cancellationToken)
            : QueueBatches.AcknowledgeEachAsync(queue, messages, cancellationToken);
    }

    /// <summary>Receives messages as long as the loop runs, several at a time. A cancellation ends the loop, without an exception.</summary>
    /// <param name="queue">A queue that is not transactional.</param>
    /// <param name="maxInHand">The maximum number of messages that are received but not yet processed by the loop, including the current one. They
    /// are locked meanwhile, and their leases run. Under <see cref="ReceiveMode.ReceiveAndDelete"/> it is always 1: only the current message is
    /// removed from the queue.</param>
    /// <param name="cancellationToken">Ends the loop.</param>
    /// <returns>An endless sequence of messages. Settle each as after <see cref="IMessageQueue.ReceiveAsync"/>. When the loop ends, by cancellation,
    /// <see langword="break"/> or an exception, messages that were not returned go back to their position in the queue; queues that count deliveries
    /// do not count it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="queue"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxInHand"/> is less than 1.</exception>
    /// <exception cref="InvalidOperationException">The queue is transactional.</exception>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
    public static IAsyncEnumerable<ReceivedMessage> ReceiveAllAsync(this IMessageQueue queue, int maxInHand = 100,
        CancellationToken cancellationToken = default)
    {
        ThrowIfNull(queue);
        if (maxInHand < 1)
            throw new ArgumentOutOfRangeException(nameof(maxInHand), maxInHand, "At least 1.");
        if (queue.Options.DeliveryMode == DeliveryMode.Transactional)
            throw new InvalidOperationException(
                $"'{queue.Address}' was opened as transactional: receive in a transaction, with {nameof(ReceiveBatchAsync)}.");
        return ReceiveAllCoreAsync(queue, queue.Options.ReceiveMode == ReceiveMode.ReceiveAndDelete ? 1 : maxInHand, cancellationToken);
    }

    private static async IAsyncEnumerable<ReceivedMessage> ReceiveAllCoreAsync(IMessageQueue queue, int maxInHand, [EnumeratorCancellation]
    CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
        {
            IReadOnlyList<ReceivedMessage> batch;
            try
            {
                batch = await queue.ReceiveBatchAsync(maxInHand, Timeout.InfiniteTimeSpan, null, cancellationToken).ConfigureAwait(false);
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
                    await ReturnUnseenAsync(queue, [.. EnumerateFrom(batch, next)]).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Returns prefetched messages; has no effect if the queue is closed or lost, which redelivers them anyway.</summary>
    private static async ValueTask ReturnUnseenAsync(IMessageQueue queue, IReadOnlyList<ReceivedMessage> messages)
    {
        try
        {
            if (queue is IBatchQueue batches)
                await batches.ReturnUnseenAsync(messages).ConfigureAwait(false);
            else
                await QueueBatches.ReturnEachAsync(messages).ConfigureAwait(false);
        }
        catch (Exception e) when (e is QueueException or ObjectDisposedException)
        {
        }
    }

    private static IEnumerable<ReceivedMessage> EnumerateFrom(IReadOnlyList<ReceivedMessage> messages, int start)
    {
        for (int i = start; i < messages.Count; i++)
            yield return messages[i];
    }

    private static void ThrowIfNull(IMessageQueue queue)
    {
        if (queue is null)
            throw new ArgumentNullException(nameof(queue));
    }

    private static void ThrowIfNull(IMessageQueue queue, object messages)
    {
        ThrowIfNull(queue);
        if (messages is null)
            throw new ArgumentNullException(nameof(messages));
    }
}
