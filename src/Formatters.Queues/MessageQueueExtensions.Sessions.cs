using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Sessions, and deferred messages.
public static partial class MessageQueueExtensions
{
    /// <summary>Locks the next session that has messages and is not locked, waiting for one if there is none.</summary>
    /// <param name="queue">The queue, opened with <see cref="QueueOptions.RequiresSession"/>.</param>
    /// <param name="timeout">How long to wait: zero checks once, <see cref="Timeout.InfiniteTimeSpan"/> waits indefinitely.</param>
    /// <param name="cancellationToken">Cancels the wait; no session stays locked then.</param>
    /// <inheritdoc cref="AcceptSessionAsync(IMessageQueue, string?, TimeSpan, CancellationToken)" path="/returns"/>
    /// <inheritdoc cref="AcceptSessionAsync(IMessageQueue, string?, TimeSpan, CancellationToken)" path="/exception"/>
    public static ValueTask<IMessageSession?> AcceptSessionAsync(this IMessageQueue queue, TimeSpan timeout,
        CancellationToken cancellationToken = default) => queue.AcceptSessionAsync(null, timeout, cancellationToken);

    /// <summary>Locks a session, and returns a handle that receives its messages.</summary>
    /// <param name="queue">The queue, opened with <see cref="QueueOptions.RequiresSession"/>.</param>
    /// <param name="sessionId">The session, which need not have messages; null for the next one that has messages and is not locked.</param>
    /// <param name="timeout">How long to wait while the session is locked by another handle, or no session is free: zero checks once, <see
    /// cref="Timeout.InfiniteTimeSpan"/> waits indefinitely.</param>
    /// <param name="cancellationToken">Cancels the wait; no session stays locked then.</param>
    /// <returns>The session, to be disposed; null after the timeout.</returns>
    /// <exception cref="NotSupportedException"><see cref="QueueCapabilities.HasSessions"/> is false, or the queue is transactional.</exception>
    /// <exception cref="InvalidOperationException">The queue was opened without <see cref="QueueOptions.RequiresSession"/>.</exception>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="queue"/> is null.</exception>
    /// <exception cref="ArgumentException">The id is empty, or longer than the queue allows.</exception>
    /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
    public static ValueTask<IMessageSession?> AcceptSessionAsync(this IMessageQueue queue, string? sessionId, TimeSpan timeout,
        CancellationToken cancellationToken = default)
    {
        ThrowIfNull(queue);
        if (sessionId is "")
            throw new ArgumentException("The id of a session, or null.", nameof(sessionId));
        QueueStrings.ThrowIfMalformed(sessionId, nameof(sessionId));
        return As<ISessionQueue>(queue, queue.Capabilities.HasSessions, nameof(AcceptSessionAsync), nameof(QueueCapabilities.HasSessions))
            .AcceptSessionAsync(sessionId, timeout, cancellationToken);
    }

    /// <summary>Receives a message that was deferred: <see cref="ReceivedMessage.DeferAsync"/>.</summary>
    /// <param name="queue">The queue; for a message of a session, that session.</param>
    /// <param name="position">The <see cref="ReceivedMessage.Position"/> of the message, or its <see cref="PeekedMessage.Position"/>.</param>
    /// <param name="transaction">As for <see cref="IMessageQueue.ReceiveAsync"/>.</param>
    /// <param name="cancellationToken">As for <see cref="IMessageQueue.ReceiveAsync"/>.</param>
    /// <returns>The message, to be settled as after <see cref="IMessageQueue.ReceiveAsync"/>. If it is returned, or its lock ends, it is deferred
    /// again.</returns>
    /// <exception cref="NotSupportedException"><see cref="QueueCapabilities.HasDeferral"/> is false.</exception>
    /// <exception cref="QueueException">No deferred message has this position, or another receiver has locked it; the queue refused, timed out, or
    /// the connection was lost.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="queue"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="position"/> is not a position of this kind of queue, or <paramref name="transaction"/> is
    /// not of this queue's provider.</exception>
    /// <exception cref="InvalidOperationException">The queue is transactional and no transaction was given, or vice versa.</exception>
    /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
    public static ValueTask<ReceivedMessage> ReceiveDeferredAsync(this IMessageQueue queue, string position, QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default)
    {
        ThrowIfNull(queue);
        ArgumentException.ThrowIfNullOrEmpty(position);
        return As<IDeferringQueue>(queue, queue.Capabilities.HasDeferral, nameof(ReceiveDeferredAsync), nameof(QueueCapabilities.HasDeferral))
            .ReceiveDeferredAsync(position, transaction, cancellationToken);
    }
}
