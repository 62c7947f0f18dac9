using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Sessions, and deferred messages.
public abstract partial class QueueClient
{
    /// <summary>Gets the session of this handle.</summary>
    /// <value>The <see cref="QueueMessage.SessionId"/> of its messages; null unless <see cref="AcceptSessionAsync(string?, TimeSpan,
    /// CancellationToken)"/> has returned it.</value>
    /// <remarks>
    /// The lock of a session is renewed while its handle is open. If it is lost nevertheless, because the connection or the process was interrupted
    /// for longer than the lock lasts, every operation fails with a <see cref="QueueException"/>: its messages are delivered again to the next handle
    /// that accepts the session. Dispose this one, and accept it again.
    /// </remarks>
    public virtual string? SessionId => null;

    /// <summary>Gets when the lock of the session ends, unless it is renewed before; null without a session.</summary>
    public virtual DateTimeOffset? SessionLockEnd => null;

    /// <summary>Locks the next session that has messages and is not locked, waiting for one if there is none.</summary>
    /// <param name="timeout">How long to wait: zero checks once, <see cref="Timeout.InfiniteTimeSpan"/> waits indefinitely.</param>
    /// <param name="cancellationToken">Cancels the wait; no session stays locked then.</param>
    /// <inheritdoc cref="AcceptSessionAsync(string?, TimeSpan, CancellationToken)" path="/returns"/>
    /// <inheritdoc cref="AcceptSessionAsync(string?, TimeSpan, CancellationToken)" path="/exception"/>
    public ValueTask<QueueClient?> AcceptSessionAsync(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        AcceptSessionAsync(null, timeout, cancellationToken);

    /// <summary>Locks a session, and returns a handle that receives its messages.</summary>
    /// <param name="sessionId">The session, which need not have messages; null for the next one that has messages and is not locked.</param>
    /// <param name="timeout">How long to wait while the session is locked by another handle, or no session is free: zero checks once, <see
    /// cref="Timeout.InfiniteTimeSpan"/> waits indefinitely.</param>
    /// <param name="cancellationToken">Cancels the wait; no session stays locked then.</param>
    /// <returns>A handle that receives, peeks at, counts and purges the messages of the session, and sends to the queue. No other handle receives
    /// them until it is disposed. Null after the timeout.</returns>
    /// <exception cref="NotSupportedException">The queue does not have <see cref="QueueFeatures.Sessions"/>, or is transactional.</exception>
    /// <exception cref="InvalidOperationException">The queue was opened without <see cref="QueueOptions.RequiresSession"/>.</exception>
    /// <exception cref="QueueException">The queue refused, timed out, or the connection was lost.</exception>
    /// <exception cref="ArgumentException">The id is empty, or longer than the queue allows.</exception>
    /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
    public ValueTask<QueueClient?> AcceptSessionAsync(string? sessionId, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        if (sessionId is "")
            throw new ArgumentException("The id of a session, or null.", nameof(sessionId));
        QueueStrings.ThrowIfMalformed(sessionId, nameof(sessionId));
        ThrowIfNotSupported(QueueFeatures.Sessions, nameof(AcceptSessionAsync));
        return _destination is null
            ? AcceptSessionCoreAsync(sessionId, timeout, cancellationToken)
            : ObserveAsync(AcceptSessionCoreAsync(sessionId, timeout, cancellationToken), _destination);

        static async ValueTask<QueueClient?> ObserveAsync(ValueTask<QueueClient?> accept, QueueDestination destination) =>
            (await accept.ConfigureAwait(false))?.Observe(destination);
    }

    /// <summary>Implements <see cref="AcceptSessionAsync(string?, TimeSpan, CancellationToken)"/>; the id is not empty.</summary>
    /// <inheritdoc cref="AcceptSessionAsync(string?, TimeSpan, CancellationToken)"/>
    protected virtual ValueTask<QueueClient?> AcceptSessionCoreAsync(string? sessionId, TimeSpan timeout, CancellationToken cancellationToken) =>
        throw NotOverridden(nameof(AcceptSessionCoreAsync));

    /// <summary>Reads the state that was stored with the session, by this handle or an earlier one.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The bytes; null if there are none.</returns>
    /// <exception cref="InvalidOperationException">The handle has no session.</exception>
    /// <exception cref="QueueException">The lock is lost, the queue refused, timed out, or the connection was lost.</exception>
    /// <exception cref="ObjectDisposedException">The session is closed.</exception>
    public virtual ValueTask<ReadOnlyMemory<byte>?> GetSessionStateAsync(CancellationToken cancellationToken = default) => throw NoSession();

    /// <summary>Stores a state with the session, in place of an earlier one. It stays when the session has no messages.</summary>
    /// <param name="state">The bytes; null removes the state.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the state is stored.</returns>
    /// <exception cref="InvalidOperationException">The handle has no session.</exception>
    /// <exception cref="QueueException">The state is too large, the lock is lost, the queue refused, timed out, or the connection was
    /// lost.</exception>
    /// <exception cref="ObjectDisposedException">The session is closed.</exception>
    public virtual ValueTask SetSessionStateAsync(ReadOnlyMemory<byte>? state, CancellationToken cancellationToken = default) => throw NoSession();

    /// <summary>Receives a message that was deferred: <see cref="ReceivedMessage.DeferAsync"/>.</summary>
    /// <param name="position">The <see cref="ReceivedMessage.Position"/> of the message, or its <see cref="PeekedMessage.Position"/>.</param>
    /// <param name="transaction">As for <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.</param>
    /// <param name="cancellationToken">As for <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.</param>
    /// <returns>The message, to be settled as after <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>. If it is returned, or
    /// its lock ends, it is deferred again.</returns>
    /// <exception cref="NotSupportedException">The queue does not have <see cref="QueueFeatures.Deferral"/>.</exception>
    /// <exception cref="QueueException">No deferred message has this position, or another receiver has locked it; the queue refused, timed out, or
    /// the connection was lost.</exception>
    /// <exception cref="ArgumentException"><paramref name="position"/> is not a position of this kind of queue, or <paramref name="transaction"/> is
    /// not of this queue's provider.</exception>
    /// <exception cref="InvalidOperationException">The queue is transactional and no transaction was given, or vice versa.</exception>
    /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
    public ValueTask<ReceivedMessage> ReceiveDeferredAsync(
        string position, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(position);
        ThrowIfNotSupported(QueueFeatures.Deferral, nameof(ReceiveDeferredAsync));
        return IsObserved
            ? ObserveReceiveAsync((queue: this, position, transaction, cancellationToken), static async on =>
                await on.queue.ReceiveDeferredCoreAsync(on.position, on.transaction, on.cancellationToken).ConfigureAwait(false),
                "receive_deferred")!
            : ReceiveDeferredCoreAsync(position, transaction, cancellationToken);
    }

    /// <summary>Implements <see cref="ReceiveDeferredAsync"/>.</summary>
    /// <inheritdoc cref="ReceiveDeferredAsync"/>
    protected virtual ValueTask<ReceivedMessage> ReceiveDeferredCoreAsync(
        string position, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        throw NotOverridden(nameof(ReceiveDeferredCoreAsync));

    private InvalidOperationException NoSession() =>
        new($"'{Address}': this handle has no session; {nameof(AcceptSessionAsync)} returns one that has.");
}
