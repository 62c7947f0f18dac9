using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Peeking, and receiving by id.
public static partial class MessageQueueExtensions
{
    /// <summary>
    /// Returns messages without removing them, in the order in which they would be received, including locked ones. A dead-letter queue is opened and
    /// peeked at like any other.
    /// </summary>
    /// <param name="queue">The queue.</param>
    /// <param name="options">Which messages; null means <see cref="PeekOptions.Default"/>.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The messages; fewer than <see cref="PeekOptions.MaxCount"/> when there are no more. A peek is not a delivery: nothing is counted,
    /// locked or changed. Expired messages are not returned.</returns>
    /// <exception cref="NotSupportedException"><see cref="QueueCapabilities.HasPeek"/> is false.</exception>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="queue"/> is null.</exception>
    /// <exception cref="ArgumentException"><see cref="PeekOptions.After"/> is not a position of this kind of queue.</exception>
    /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
    public static ValueTask<IReadOnlyList<PeekedMessage>> PeekAsync(this IMessageQueue queue, PeekOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ThrowIfNull(queue);
        return As<IBrowsableQueue>(queue, queue.Capabilities.HasPeek, nameof(PeekAsync), nameof(QueueCapabilities.HasPeek))
            .PeekAsync(options ?? PeekOptions.Default, cancellationToken);
    }

    /// <summary>Returns all messages without removing them, one peek after the other.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="options">Which messages, and how many in each peek; null means <see cref="PeekOptions.Default"/>.</param>
    /// <param name="cancellationToken">Ends the loop with an <see cref="OperationCanceledException"/>.</param>
    /// <returns>The messages. A message that enters or leaves the queue during the loop may or may not be among them.</returns>
    /// <inheritdoc cref="PeekAsync" path="/exception"/>
    public static IAsyncEnumerable<PeekedMessage> PeekAllAsync(this IMessageQueue queue, PeekOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ThrowIfNull(queue);
        As<IBrowsableQueue>(queue, queue.Capabilities.HasPeek, nameof(PeekAsync), nameof(QueueCapabilities.HasPeek));
        return PeekAllCoreAsync(queue, options ?? PeekOptions.Default, cancellationToken);
    }

    /// <summary>Receives the first message with a given id, waiting for it if there is none. Other messages stay in the queue.</summary>
    /// <param name="queue">The queue; its <see cref="QueueOptions.Selector"/> must also select the message.</param>
    /// <param name="messageId">The <see cref="QueueMessage.MessageId"/>.</param>
    /// <param name="timeout">As for <see cref="IMessageQueue.ReceiveAsync"/>.</param>
    /// <param name="transaction">As for <see cref="IMessageQueue.ReceiveAsync"/>.</param>
    /// <param name="cancellationToken">As for <see cref="IMessageQueue.ReceiveAsync"/>.</param>
    /// <returns>The message, or null after the timeout; to be settled as after <see cref="IMessageQueue.ReceiveAsync"/>.</returns>
    /// <exception cref="NotSupportedException"><see cref="QueueCapabilities.HasReceiveById"/> is false.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="queue"/> is null.</exception>
    /// <exception cref="ArgumentException">The id is null or empty, or <paramref name="transaction"/> is not of this queue's provider.</exception>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    /// <exception cref="InvalidOperationException">The queue is transactional and no transaction was given, or vice versa.</exception>
    /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
    public static ValueTask<ReceivedMessage?> ReceiveByIdAsync(
        this IMessageQueue queue, string messageId, TimeSpan timeout, QueueTransaction? transaction = null,
            CancellationToken cancellationToken = default)
    {
        ThrowIfNull(queue);
        ArgumentException.ThrowIfNullOrEmpty(messageId);
        QueueStrings.ThrowIfMalformed(messageId, nameof(messageId));
        return As<IBrowsableQueue>(queue, queue.Capabilities.HasReceiveById, nameof(ReceiveByIdAsync), nameof(QueueCapabilities.HasReceiveById))
            .ReceiveByIdAsync(messageId, timeout, transaction, cancellationToken);
    }

    /// <summary>
    /// Receives the first message with a given correlation id, waiting for it if there is none: the answer to a message. Other messages stay in the
    /// queue.
    /// </summary>
    /// <param name="queue">The queue; its <see cref="QueueOptions.Selector"/> must also select the message.</param>
    /// <param name="correlationId">The <see cref="QueueMessage.CorrelationId"/>.</param>
    /// <param name="timeout">As for <see cref="IMessageQueue.ReceiveAsync"/>.</param>
    /// <param name="transaction">As for <see cref="IMessageQueue.ReceiveAsync"/>.</param>
    /// <param name="cancellationToken">As for <see cref="IMessageQueue.ReceiveAsync"/>.</param>
    /// <inheritdoc cref="ReceiveByIdAsync" path="/returns"/>
    /// <inheritdoc cref="ReceiveByIdAsync" path="/exception"/>
    public static ValueTask<ReceivedMessage?> ReceiveByCorrelationIdAsync(
        this IMessageQueue queue, string correlationId, TimeSpan timeout, QueueTransaction? transaction = null,
            CancellationToken cancellationToken = default)
    {
        ThrowIfNull(queue);
        ArgumentException.ThrowIfNullOrEmpty(correlationId);
        QueueStrings.ThrowIfMalformed(correlationId, nameof(correlationId));
        return As<IBrowsableQueue>(
            queue, queue.Capabilities.HasReceiveById, nameof(ReceiveByCorrelationIdAsync), nameof(QueueCapabilities.HasReceiveById))
            .ReceiveByCorrelationIdAsync(correlationId, timeout, transaction, cancellationToken);
    }

    private static async IAsyncEnumerable<PeekedMessage> PeekAllCoreAsync(IMessageQueue queue, PeekOptions options, [EnumeratorCancellation]
    CancellationToken cancellationToken)
    {
        while (true)
        {
            IReadOnlyList<PeekedMessage> messages = await queue.PeekAsync(options, cancellationToken).ConfigureAwait(false);
            foreach (PeekedMessage message in messages)
                yield return message;
            if (messages.Count < options.MaxCount)
                yield break;
            options = options with { After = messages[^1].Position };
        }
    }

    /// <summary>Casts a queue to the interface of an operation.</summary>
    private static TQueue As<TQueue>(IMessageQueue queue, bool isCapable, string what, string capability)
        where TQueue : class, IMessageQueue
    {
        if (!isCapable)
            throw queue.Capabilities.NotSupported(what, capability, queue.Address);
        return queue as TQueue
            ?? throw new NotSupportedException(
                $"'{queue.Address}': {what} is not supported by {queue.GetType()}, although the queue that it wraps may support it: it does not "
                + $"implement {typeof(TQueue).Name}.");
    }
}
