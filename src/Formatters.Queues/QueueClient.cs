using System;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>An open queue in this process, in a folder, or on a broker. <see cref="QueueConnector"/> opens it.</summary>
/// <remarks>
/// <para>Thread-safe. Messages of one sender keep their order.</para>
/// <para>An operation that a kind of queue does not support throws a <see cref="NotSupportedException"/> that names the missing one of the
/// <see cref="QueueFeatures"/>. Authors of queues and decorators override the methods whose names end in <c>Core</c>. No argument is null, no list is
/// empty, and the queue has the feature; they check the timeout, the transaction and whether the handle is closed.</para>
/// </remarks>
public abstract partial class QueueClient : IAsyncDisposable
{
    /// <summary>Gets the address of the queue.</summary>
    public abstract QueueAddress Address { get; }

    /// <summary>Gets the capabilities and guarantees of the queue.</summary>
    public abstract QueueCapabilities Capabilities { get; }

    /// <summary>
    /// Gets the options with which the queue was opened. The <see cref="QueueOptions.DeliveryMode"/> is the actual one, never null.
    /// </summary>
    public abstract QueueOptions Options { get; }

    /// <summary>Sends a message, and waits until the queue guarantees it.</summary>
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
    [OverloadResolutionPriority(2)]
    public ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(message);
        return IsObserved
            ? ObservedSend.RunAsync(_destination!, message, (queue: this, transaction, cancellationToken),
                static (copy, on) => on.queue.SendCoreAsync(copy, on.transaction, on.cancellationToken))
            : SendCoreAsync(message, transaction, cancellationToken);
    }

    /// <summary>Sends a message. Checks it with <see cref="QueueCapabilities.ThrowIfNotSupported(QueueMessage, QueueAddress)"/>.</summary>
    /// <inheritdoc cref="SendAsync(QueueMessage, QueueTransaction?, CancellationToken)"/>
    protected abstract ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken);

    /// <summary>Receives the next message, waiting for one if there is none.</summary>
    /// <param name="timeout">How long to wait: zero checks once, <see cref="Timeout.InfiniteTimeSpan"/> waits indefinitely.</param>
    /// <param name="transaction">A transaction of this queue's provider, or null. A queue opened as transactional needs one.</param>
    /// <param name="cancellationToken">Cancels the wait; no message is lost then.</param>
    /// <returns>The message, or null after the timeout. Call its <see cref="ReceivedMessage.AcknowledgeAsync"/> when it is processed: until then it
    /// is locked, and an unacknowledged message is redelivered when this handle is closed. This does not apply under <see
    /// cref="ReceiveMode.ReceiveAndDelete"/>, nor in a transaction, whose commit acknowledges.</returns>
    /// <inheritdoc cref="SendAsync(QueueMessage, QueueTransaction?, CancellationToken)" path="/exception"/>
    public ValueTask<ReceivedMessage?> ReceiveAsync(
        TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default) =>
        IsObserved
            ? ObserveReceiveAsync((queue: this, timeout, transaction, cancellationToken),
                static on => on.queue.ReceiveCoreAsync(on.timeout, on.transaction, on.cancellationToken))
            : ReceiveCoreAsync(timeout, transaction, cancellationToken);

    /// <summary>Implements <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.</summary>
    /// <inheritdoc cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>
    protected abstract ValueTask<ReceivedMessage?> ReceiveCoreAsync(
        TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken);

    /// <summary>Removes all messages that are in the queue and not locked by a receiver. They are not moved to another queue.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>How many were removed.</returns>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    public abstract ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default);

    /// <summary>Counts the messages that are in the queue and not locked by a receiver.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The number at some moment during the call.</returns>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    public abstract ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default);

    /// <summary>
    /// Counts the messages that are locked by receivers or part of a transaction in progress: those that <see cref="GetMessageCountAsync"/> does not
    /// count, and that may return.
    /// </summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The number at some moment during the call, over all handles; null if the queue does not report it (RabbitMQ, MSMQ).</returns>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    public abstract ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default);

    /// <summary>Begins a transaction over this queue and others of the same provider and location (broker connection, folder, process).</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The transaction; dispose it.</returns>
    /// <exception cref="NotSupportedException">The queue does not have <see cref="QueueFeatures.Transactions"/>.</exception>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    public abstract ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default);

    /// <summary>Closes the handle. The messages that it has locked are delivered again.</summary>
    /// <returns>Completes when that is done.</returns>
    public abstract ValueTask DisposeAsync();
}
