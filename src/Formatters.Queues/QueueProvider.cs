using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Opens queues of one kind, for example in the process's memory or on a broker. Registered with <see cref="QueueConnector"/> by its
/// schemes.</summary>
public abstract class QueueProvider
{
    /// <summary>Gets the URI schemes that this provider opens, in lower case, without the colon.</summary>
    public abstract IReadOnlyList<string> Schemes { get; }

    /// <summary>Opens a queue, creating it if it does not exist.</summary>
    /// <param name="address">The address of one queue.</param>
    /// <param name="options">How.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The open queue; dispose it.</returns>
    /// <exception cref="QueueException">The queue cannot be opened: there is no broker at the address, access was denied, or the existing queue has
    /// other settings.</exception>
    /// <exception cref="FormatException">The address has no queue name, or another form than this provider's.</exception>
    /// <exception cref="NotSupportedException">Queues of this kind do not support the options; see <see cref="QueueCapabilities"/>.</exception>
    /// <exception cref="ArgumentException">The options contradict each other.</exception>
    public abstract ValueTask<QueueClient> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken);

    /// <summary>Opens a topic, creating it if it does not exist.</summary>
    /// <param name="address">The address of one topic; topics have names like queues, and a topic and a queue may have the same name.</param>
    /// <param name="options">The options for sending, and for receiving unless a subscription has its own.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The open topic; dispose it.</returns>
    /// <exception cref="QueueException">The topic cannot be opened.</exception>
    /// <exception cref="FormatException">The address has no name, or another form than this provider's.</exception>
    /// <exception cref="NotSupportedException">This kind of queue does not support topics (<see cref="QueueFeatures.Topics"/>), or
    /// its topics do not support the options.</exception>
    public virtual ValueTask<MessageTopic> OpenTopicAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken) =>
        throw new NotSupportedException(
            $"'{address}': topics are not supported for the scheme '{address?.Scheme}' "
            + $"(they do not have {nameof(QueueFeatures)}.{QueueFeatures.Topics}).");

    /// <summary>Deletes a queue and the messages in it.</summary>
    /// <param name="address">The address of one queue.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Whether the queue existed.</returns>
    /// <exception cref="QueueException">The location of the queue cannot be reached, or refused.</exception>
    /// <exception cref="FormatException">The address has no queue name, or another form than this provider's.</exception>
    /// <exception cref="NotSupportedException">Queues of this kind are not deleted through this library.</exception>
    /// <remarks>
    /// For tests and measurements that clean up after themselves. Open handles of the queue fail with a <see cref="QueueException"/> at their next
    /// operation.
    /// </remarks>
    public virtual ValueTask<bool> DeleteAsync(QueueAddress address, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException($"Queues with the scheme '{address?.Scheme}' are not deleted through this library.");

    /// <summary>Lists the queues of a location with their status. Nothing is created, received or counted as a delivery.</summary>
    /// <param name="address"> A location: <c>memory:</c>, <c>file:folder/</c>, <c>postgres://host/database/</c>, <c>amqp://host/</c>,
    /// <c>amqp://host/virtual-host/</c> or <c>sb://namespace/</c>; or one queue, which is then listed alone. </param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The queues in ordinal order of their names, including those of topics' subscriptions; empty if the named queue does not
    /// exist.</returns>
    /// <exception cref="QueueException">The location cannot be reached, does not exist, or refused.</exception>
    /// <exception cref="FormatException">The address has another form than this provider's.</exception>
    /// <exception cref="NotSupportedException">Queues of this kind cannot be listed, or not without a setting that the message names.</exception>
    public virtual ValueTask<IReadOnlyList<QueueStatus>> ListAsync(QueueAddress address, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException($"Queues with the scheme '{address?.Scheme}' are not listed through this library.");

    /// <summary>Combines open queues of this provider for sending, if this is better than sending to one after the other.</summary>
    /// <returns>A queue that disposes the others; null if there is no advantage.</returns>
    internal virtual QueueClient? TryCombine(QueueAddress address, QueueOptions options, IReadOnlyList<QueueClient> queues) => null;
}
