using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Opens the queues of one kind: of the process's memory, of a broker. Registered with <see cref="QueueConnector"/> by its schemes.</summary>
public abstract class QueueProvider
{
    /// <summary>The URI schemes that this provider opens, in lower case, without the colon.</summary>
    public abstract IReadOnlyList<string> Schemes { get; }

    /// <summary>Opens a queue, creating it if it does not exist.</summary>
    /// <param name="address">The address of one queue.</param>
    /// <param name="options">How.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The open queue; dispose it.</returns>
    /// <exception cref="QueueException">The queue cannot be opened: no broker at the address, refused, other settings than the existing queue's.</exception>
    /// <exception cref="FormatException">The address has no queue name, or another form than this provider's.</exception>
    /// <exception cref="NotSupportedException">The options ask for what queues of this kind cannot do; see <see cref="QueueCapabilities"/>.</exception>
    /// <exception cref="ArgumentException">The options contradict each other.</exception>
    public abstract ValueTask<IMessageQueue> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken);

    /// <summary>Opens a topic, creating it if it does not exist.</summary>
    /// <param name="address">The address of one topic; topics have names as queues have, and the two do not get into each other's way.</param>
    /// <param name="options">How it is sent to, and, where a subscription says nothing else, received from.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The open topic; dispose it.</returns>
    /// <exception cref="QueueException">The topic cannot be opened.</exception>
    /// <exception cref="FormatException">The address has no name, or another form than this provider's.</exception>
    /// <exception cref="NotSupportedException">There are no topics of this kind (<see cref="QueueCapabilities.HasTopics"/> is false), or the options ask for
    /// what they cannot do.</exception>
    public virtual ValueTask<MessageTopic> OpenTopicAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken) =>
        throw new NotSupportedException($"'{address}': topics are not supported for the scheme '{address?.Scheme}' ({nameof(QueueCapabilities)}.{nameof(QueueCapabilities.HasTopics)} is false).");

    /// <summary>Deletes a queue and the messages in it.</summary>
    /// <param name="address">The address of one queue.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Whether there was such a queue.</returns>
    /// <exception cref="QueueException">The place of the queue cannot be reached, or refused.</exception>
    /// <exception cref="FormatException">The address has no queue name, or another form than this provider's.</exception>
    /// <exception cref="NotSupportedException">Queues of this kind are not deleted through this library.</exception>
    /// <remarks>For tests and measurements that clean up after them. Open handles of the queue fail with a <see cref="QueueException"/> at their next
    /// operation.</remarks>
    public virtual ValueTask<bool> DeleteAsync(QueueAddress address, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException($"Queues with the scheme '{address?.Scheme}' are not deleted through this library.");

    /// <summary>Lists the queues of a place, and what they hold; nothing is made, received or counted as a delivery.</summary>
    /// <param name="address">
    /// A place: <c>memory:</c>, <c>file:folder/</c>, <c>postgres://host/database/</c>, <c>amqp://host/</c> or <c>amqp://host/virtual-host/</c>; or one queue,
    /// of which alone is told then.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The queues by their names in ordinal order, those of topics' subscriptions included; none if the queue that was named does not exist.</returns>
    /// <exception cref="QueueException">The place cannot be reached, does not exist, or refused.</exception>
    /// <exception cref="FormatException">The address has another form than this provider's.</exception>
    /// <exception cref="NotSupportedException">Queues of this kind cannot be listed, or not without a setting that the message names.</exception>
    public virtual ValueTask<IReadOnlyList<QueueStatus>> ListAsync(QueueAddress address, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException($"Queues with the scheme '{address?.Scheme}' are not listed through this library.");

    /// <summary>Takes open queues of this provider as one for sending, where it can do more than send to one after the other.</summary>
    /// <returns>One queue, which disposes the others; null where there is nothing to gain.</returns>
    internal virtual IMessageQueue? TryCombine(QueueAddress address, QueueOptions options, IReadOnlyList<IMessageQueue> queues) => null;
}
