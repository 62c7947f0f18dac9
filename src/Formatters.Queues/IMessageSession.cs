using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A session of a queue that is locked for this handle: no other handle receives its messages until it is disposed.</summary>
/// <remarks>
/// <para>Receives, peeks, counts and purges are those of the session's messages; sends are those of its queue. Disposing it, or the handle of the
/// queue, returns its messages and unlocks it.</para>
/// <para>The lock is renewed while the handle is open. If it is lost nevertheless, because the connection or the process was interrupted for longer
/// than the lock lasts, every operation fails with a <see cref="QueueException"/>: its messages are delivered again to the next handle that accepts
/// the session. Dispose this one, and accept it again.</para>
/// </remarks>
public interface IMessageSession : IMessageQueue
{
    /// <summary>Gets the <see cref="QueueMessage.SessionId"/> of the messages.</summary>
    string SessionId { get; }

    /// <summary>Gets when the lock ends, unless it is renewed before.</summary>
    DateTimeOffset LockEnd { get; }

    /// <summary>Reads the state that was stored with the session, by this handle or an earlier one.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The bytes; null if there are none.</returns>
    /// <exception cref="QueueException">The lock is lost, the queue refused, timed out, or the connection was lost.</exception>
    /// <exception cref="ObjectDisposedException">The session is closed.</exception>
    ValueTask<ReadOnlyMemory<byte>?> GetStateAsync(CancellationToken cancellationToken = default);

    /// <summary>Stores a state with the session, in place of an earlier one. It stays when the session has no messages.</summary>
    /// <param name="state">The bytes; null removes the state.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when the state is stored.</returns>
    /// <exception cref="QueueException">The state is too large, the lock is lost, the queue refused, timed out, or the connection was
    /// lost.</exception>
    /// <exception cref="ObjectDisposedException">The session is closed.</exception>
    ValueTask SetStateAsync(ReadOnlyMemory<byte>? state, CancellationToken cancellationToken = default);
}
