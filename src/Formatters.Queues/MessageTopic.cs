using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>An open topic: every subscription gets a copy of each message that matches its selector.</summary>
/// <remarks>
/// A subscription is a queue with its own messages, received as from any other. A message without a matching subscription is dropped. All members are
/// thread-safe.
/// </remarks>
public abstract class MessageTopic : IAsyncDisposable
{
    /// <summary>Gets the address of the topic.</summary>
    public abstract QueueAddress Address { get; }

    /// <summary>Gets the capabilities of the topic and its subscriptions.</summary>
    public abstract QueueCapabilities Capabilities { get; }

    /// <summary>
    /// Gets the options with which the topic was opened. The <see cref="QueueOptions.DeliveryMode"/> is the actual one, never null.
    /// </summary>
    public abstract QueueOptions Options { get; }

    /// <summary>Sends a message to all subscriptions whose selectors match it.</summary>
    /// <param name="message">The message. Its body must not change until the send has completed.</param>
    /// <param name="transaction">A transaction of this topic's provider and location, or null. A topic opened as transactional needs one.</param>
    /// <param name="cancellationToken">Cancels the wait; the message may or may not be sent then.</param>
    /// <returns>Completes when the guarantee of the topic's <see cref="DeliveryMode"/> holds for every subscription (within a transaction:
    /// immediately).</returns>
    /// <inheritdoc cref="QueueClient.SendAsync(QueueMessage, QueueTransaction?, CancellationToken)" path="/exception"/>
    public abstract ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default);

    /// <summary>Begins a transaction over this topic, its subscriptions and the queues of the same provider and location.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The transaction; dispose it.</returns>
    /// <exception cref="NotSupportedException">The topic was not opened as transactional, or its provider does not support transactions.</exception>
    /// <exception cref="QueueException">The topic refused, timed out, or the connection was lost.</exception>
    public abstract ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default);

    /// <summary>Subscribes until the handle is closed: the subscription gets messages that are sent meanwhile.</summary>
    /// <param name="selector">Which messages; null means all. See <see cref="MessageSelector"/>.</param>
    /// <param name="options">How messages are received; null means the options with which the topic was opened.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The subscription; dispose it. The messages that it has collected are dropped with it.</returns>
    /// <exception cref="InvalidSelectorException"><paramref name="selector"/> is not valid.</exception>
    /// <exception cref="NotSupportedException">The topic does not support an option.</exception>
    /// <exception cref="QueueException">The topic refused, timed out, or the connection was lost.</exception>
    public abstract ValueTask<QueueClient> SubscribeAsync(string? selector = null, QueueOptions? options = null,
        CancellationToken cancellationToken = default);

    /// <summary>
    /// Subscribes durably: the subscription also collects messages while no handle of it is open, until <see cref="UnsubscribeAsync"/>.
    /// </summary>
    /// <param name="name">The name by which the subscription is opened again. It belongs to the topic, not to the sender or receiver.</param>
    /// <param name="selector">The selector; null for all messages. A different one replaces the last: collected messages that it does not match are
    /// dropped.</param>
    /// <param name="options">How messages are received; null means the options with which the topic was opened.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The subscription; dispose it. Several handles share its messages.</returns>
    /// <exception cref="ArgumentException"><paramref name="name"/> is null or empty.</exception>
    /// <inheritdoc cref="SubscribeAsync" path="/exception"/>
    public abstract ValueTask<QueueClient> SubscribeDurableAsync(string name, string? selector = null, QueueOptions? options = null,
        CancellationToken cancellationToken = default);

    /// <summary>Ends a durable subscription and drops its messages. Open handles of it fail at their next operation.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Whether the subscription existed.</returns>
    /// <exception cref="ArgumentException"><paramref name="name"/> is null or empty.</exception>
    /// <exception cref="QueueException">The topic refused, timed out, or the connection was lost.</exception>
    public abstract ValueTask<bool> UnsubscribeAsync(string name, CancellationToken cancellationToken = default);

    /// <summary>Closes the handle. Durable subscriptions are not changed.</summary>
    /// <returns>Completes when that is done.</returns>
    public abstract ValueTask DisposeAsync();
}
