using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>An open queue in this process, in a folder, or on a broker.</summary>
/// <remarks>Thread-safe. Messages of one sender keep their order.</remarks>
public interface IMessageQueue : IAsyncDisposable
{
    /// <summary>Gets the address of the queue.</summary>
    QueueAddress Address { get; }

    /// <summary>Gets the capabilities and guarantees of the queue.</summary>
    QueueCapabilities Capabilities { get; }

    /// <summary>
    /// Gets the options with which the queue was opened. The <see cref="QueueOptions.DeliveryMode"/> is the actual one, never null.
    /// </summary>
    QueueOptions Options { get; }

    /// <summary>Sends a message.</summary>
    /// <param name="message">The message. Its body must not change until the task has completed: after that, also if it was cancelled or failed, the
    /// queue no longer reads the body, and the caller may reuse the buffer.</param>
    /// <param name="transaction">A transaction of this queue's provider, or null. A queue opened as transactional needs one.</param>
    /// <param name="cancellationToken">Cancels the wait; the message may or may not be sent then.</param>
    /// <returns>Completes when the guarantee of the queue's <see cref="DeliveryMode"/> holds (within a transaction: immediately).</returns>
    /// <exception cref="QueueException">The queue rejected the message (it is at a limit), timed out, or the connection was lost.</exception>
    /// <exception cref="NotSupportedException">The message has a property that the queue does not support; see <see
    /// cref="Capabilities"/>.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="transaction"/> is not of this queue's provider.</exception>
    /// <exception cref="InvalidOperationException">The queue is transactional and no transaction was given, or vice versa.</exception>
    /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
    ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default);

    /// <summary>Receives the next message, waiting for one if there is none.</summary>
    /// <param name="timeout">How long to wait: zero checks once, <see cref="Timeout.InfiniteTimeSpan"/> waits indefinitely.</param>
    /// <param name="transaction">A transaction of this queue's provider, or null. A queue opened as transactional needs one.</param>
    /// <param name="cancellationToken">Cancels the wait; no message is lost then.</param>
    /// <returns>The message, or null after the timeout. Call its <see cref="ReceivedMessage.AcknowledgeAsync"/> when it is processed: until then it
    /// is locked, and an unacknowledged message is redelivered when this handle is closed. This does not apply under <see
    /// cref="ReceiveMode.ReceiveAndDelete"/>, nor in a transaction, whose commit acknowledges.</returns>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    ValueTask<ReceivedMessage?> ReceiveAsync(TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default);

    /// <summary>Removes all messages that are in the queue and not locked by a receiver. They are not moved to another queue.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>How many were removed.</returns>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default);

    /// <summary>Counts the messages that are in the queue and not locked by a receiver.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The number at some moment during the call.</returns>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default);

    /// <summary>
    /// Counts the messages that are locked by receivers or part of a transaction in progress: those that <see cref="GetMessageCountAsync"/> does not
    /// count, and that may return.
    /// </summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The number at some moment during the call, over all handles; null if the queue does not report it (RabbitMQ, MSMQ).</returns>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default);

    /// <summary>Begins a transaction over this queue and others of the same provider and location (broker connection, folder, process).</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The transaction; dispose it.</returns>
    /// <exception cref="NotSupportedException"><see cref="QueueCapabilities.HasTransactions"/> is false.</exception>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default);
}
