using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>What an <see cref="IMessageQueue"/> also implements that sends, receives and acknowledges several messages with one flush, one statement or one
/// round trip.</summary>
/// <remarks>
/// For those who write queues and decorators. Programs call the extension methods of <see cref="MessageQueueExtensions"/>, which take every queue: one that
/// does not implement this, or whose <see cref="QueueCapabilities.HasBatches"/> is false, gets the messages one by one. The extension methods have checked
/// the arguments: no list is empty, no message in it is null, every message is one that <see cref="QueueCapabilities"/> allows.
/// </remarks>
public interface IBatchQueue : IMessageQueue
{
    /// <summary>Sends several messages, in their order.</summary>
    /// <inheritdoc cref="MessageQueueExtensions.SendBatchAsync"/>
    ValueTask SendBatchAsync(IReadOnlyList<QueueMessage> messages, QueueTransaction? transaction = null, CancellationToken cancellationToken = default);

    /// <summary>Receives several messages: those that are there, once at least one is.</summary>
    /// <inheritdoc cref="MessageQueueExtensions.ReceiveBatchAsync"/>
    ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveBatchAsync(int maxCount, TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default);

    /// <summary>Acknowledges several messages.</summary>
    /// <inheritdoc cref="MessageQueueExtensions.AcknowledgeBatchAsync"/>
    ValueTask AcknowledgeBatchAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken = default);

    /// <summary>Gives back messages that were received ahead and that nobody has seen: each at its place, and, where the queue counts deliveries, not counted
    /// as one.</summary>
    /// <param name="messages">Messages that this handle has received under <see cref="ReceiveMode.PeekLock"/> and that are not settled.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the queue has been told. A message whose lock is gone is left out.</returns>
    /// <exception cref="QueueException">The connection was lost: the messages are delivered again.</exception>
    ValueTask ReturnUnseenAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken = default);
}
