using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>
/// Implemented by an <see cref="IMessageQueue"/> that can send, receive and acknowledge several messages with one flush, one statement or one round
/// trip.
/// </summary>
/// <remarks>
/// For authors of queues and decorators. Programs call the extension methods of <see cref="MessageQueueExtensions"/>, which accept every queue: a
/// queue that does not implement this interface, or whose <see cref="QueueCapabilities.HasBatches"/> is false, gets the messages one by one. The
/// extension methods have already checked the arguments: no list is empty, no message in it is null, and <see cref="QueueCapabilities"/> allows every
/// message.
/// </remarks>
public interface IBatchQueue : IMessageQueue
{
    /// <summary>Sends several messages, in their order.</summary>
    /// <inheritdoc cref="MessageQueueExtensions.SendBatchAsync"/>
    ValueTask SendBatchAsync(IReadOnlyList<QueueMessage> messages, QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default);

    /// <summary>Receives several messages: those that are available, once there is at least one.</summary>
    /// <inheritdoc cref="MessageQueueExtensions.ReceiveBatchAsync"/>
    ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveBatchAsync(int maxCount, TimeSpan timeout, QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default);

    /// <summary>Acknowledges several messages.</summary>
    /// <inheritdoc cref="MessageQueueExtensions.AcknowledgeBatchAsync"/>
    ValueTask AcknowledgeBatchAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken = default);

    /// <summary>
    /// Returns prefetched messages that were not delivered to the application. Each goes back to its position, and a queue that counts deliveries
    /// does not count this one.
    /// </summary>
    /// <param name="messages">Messages that this handle has received under <see cref="ReceiveMode.PeekLock"/> and that are not settled.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the messages are returned. Messages that are no longer locked are skipped.</returns>
    /// <exception cref="QueueException">The connection was lost: the messages are delivered again.</exception>
    ValueTask ReturnUnseenAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken = default);
}
