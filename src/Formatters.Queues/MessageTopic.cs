using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>An open topic: every subscription gets a copy of each message that is sent to it and that its selector selects.</summary>
/// <remarks>
/// A subscription is a queue with messages of its own, received as from any other. A message that no subscription selects is dropped. All members may be
/// called by several threads at once.
/// </remarks>
public abstract class MessageTopic : IAsyncDisposable
{
    /// <summary>Where the topic is.</summary>
    public abstract QueueAddress Address { get; }

    /// <summary>What the topic and its subscriptions can do.</summary>
    public abstract QueueCapabilities Capabilities { get; }

    /// <summary>The options with which the topic was opened, with the <see cref="QueueOptions.DeliveryMode"/> that it has: never null.</summary>
    public abstract QueueOptions Options { get; }

    /// <summary>Sends a message to all subscriptions that select it.</summary>
    /// <param name="message">The message. Its body must not change until the send has completed.</param>
    /// <param name="transaction">A transaction of this topic's provider and location, or null. A topic opened as transactional needs one.</param>
    /// <param name="cancellationToken">Cancels the wait; the message may or may not be sent then.</param>
    /// <returns>Completes when the guarantee of the topic's <see cref="DeliveryMode"/> holds for every subscription (within a transaction: at once).</returns>
    /// <inheritdoc cref="IMessageQueue.SendAsync" path="/exception"/>
    public abstract ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default);

    /// <summary>Begins a transaction, over this topic, its subscriptions and the queues of the same provider and location.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The transaction; dispose it.</returns>
    /// <exception cref="NotSupportedException">The topic was not opened as transactional, or its provider does not support transactions.</exception>
    /// <exception cref="QueueException">The topic refused, timed out, or the connection was lost.</exception>
    public abstract ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default);

    /// <summary>Subscribes for as long as the handle is open: the subscription gets what is sent from now on until the handle is closed.</summary>
    /// <param name="selector">Which messages; null means all. See <see cref="MessageSelector"/>.</param>
    /// <param name="options">How messages are received; null means the options with which the topic was opened.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The subscription; dispose it. The messages that it has collected are dropped with it.</returns>
    /// <exception cref="InvalidSelectorException"><paramref name="selector"/> is not valid.</exception>
    /// <exception cref="NotSupportedException">The topic does not support an option.</exception>
    /// <exception cref="QueueException">The topic refused, timed out, or the connection was lost.</exception>
    public abstract ValueTask<IMessageQueue> SubscribeAsync(string? selector = null, QueueOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Subscribes durably: the subscription also collects messages while no handle of it is open, until <see cref="UnsubscribeAsync"/>.</summary>
    /// <param name="name">The name by which the subscription is opened again. It belongs to the topic, not to the sender or receiver.</param>
    /// <param name="selector">Which messages; null means all. A selector other than the last one replaces it: collected messages that the new one does not
    /// select are dropped.</param>
    /// <param name="options">How messages are received; null means the options with which the topic was opened.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The subscription; dispose it. Several handles share its messages.</returns>
    /// <exception cref="ArgumentException"><paramref name="name"/> is null or empty.</exception>
    /// <inheritdoc cref="SubscribeAsync" path="/exception"/>
    public abstract ValueTask<IMessageQueue> SubscribeDurableAsync(string name, string? selector = null, QueueOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Ends a durable subscription and drops what it has collected. Open handles of it fail at their next operation.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Whether there was such a subscription.</returns>
    /// <exception cref="ArgumentException"><paramref name="name"/> is null or empty.</exception>
    /// <exception cref="QueueException">The topic refused, timed out, or the connection was lost.</exception>
    public abstract ValueTask<bool> UnsubscribeAsync(string name, CancellationToken cancellationToken = default);

    /// <summary>Closes the handle. Subscriptions stay as they are.</summary>
    /// <returns>Completes when that is done.</returns>
    public abstract ValueTask DisposeAsync();
}
