using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>An open topic: every subscription gets a copy of each message that is sent to it and that its selector selects.</summary>
/// <remarks>
/// A subscription is a queue with messages of its own, received as from any other. A message that no subscription wants is gone. All members may be called by
/// several threads at once.
/// </remarks>
public abstract class MessageTopic : IAsyncDisposable
{
    /// <summary>Where the topic is.</summary>
    public abstract QueueAddress Address { get; }

    /// <summary>What the topic and its subscriptions can do.</summary>
    public abstract QueueCapabilities Capabilities { get; }

    /// <summary>The options with which the topic was opened, with the <see cref="QueueOptions.DeliveryMode"/> that it has: never null.</summary>
    public abstract QueueOptions Options { get; }

    /// <summary>Sends a message to all subscriptions that want it.</summary>
    /// <param name="message">The message. Its body must not change until the send has completed.</param>
    /// <param name="transaction">A transaction of this topic's provider and place, or null. A topic opened as transactional needs one.</param>
    /// <param name="cancellationToken">Cancels the wait; the message may or may not be sent then.</param>
    /// <returns>Completes when the guarantee of the topic's <see cref="DeliveryMode"/> holds for every subscription (within a transaction: at once).</returns>
    /// <inheritdoc cref="IMessageQueue.SendAsync" path="/exception"/>
    public abstract ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default);

    /// <summary>Begins a transaction, over this topic, its subscriptions and the queues of the same provider and place.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The transaction; dispose it.</returns>
    /// <exception cref="NotSupportedException">The topic was not opened as transactional, or there are no transactions.</exception>
    /// <exception cref="QueueException">The topic refused, timed out, or the connection was lost.</exception>
    public abstract ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default);

    /// <summary>Subscribes for as long as the handle is open: what is sent from now on until it is closed.</summary>
    /// <param name="selector">Which messages; null means all. See <see cref="MessageSelector"/>.</param>
    /// <param name="options">How it is received; null means as the topic was opened.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The subscription; dispose it. What it has collected goes with it.</returns>
    /// <exception cref="InvalidSelectorException"><paramref name="selector"/> is not valid.</exception>
    /// <exception cref="NotSupportedException">The topic does not support an option.</exception>
    /// <exception cref="QueueException">The topic refused, timed out, or the connection was lost.</exception>
    public abstract ValueTask<IMessageQueue> SubscribeAsync(string? selector = null, QueueOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Subscribes durably: the subscription collects also while nobody has it open, until <see cref="UnsubscribeAsync"/>.</summary>
    /// <param name="name">The name of the subscription, by which it is opened again; of its topic, not of the sender or receiver.</param>
    /// <param name="selector">Which messages; null means all. Another one than last time replaces it: what was collected and is not selected by it is
    /// dropped.</param>
    /// <param name="options">How it is received; null means as the topic was opened.</param>
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
