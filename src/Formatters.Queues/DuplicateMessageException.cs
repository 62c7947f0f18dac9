using System;
using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>
/// The exception that is thrown when a message with the same <see cref="QueueMessage.MessageId"/> was sent within the <see
/// cref="QueueOptions.DuplicateWindow"/>. Nothing was sent.
/// </summary>
/// <remarks>A sender that repeats a send with an unknown outcome can treat this as success: the message was accepted the first time.</remarks>
public sealed class DuplicateMessageException : QueueException
{
    /// <summary>Creates an exception for messages whose ids were sent before.</summary>
    /// <param name="message">What happened, naming the queue's address without its password.</param>
    /// <param name="messageIds">The ids that were sent before.</param>
    /// <exception cref="ArgumentNullException"><paramref name="messageIds"/> is null.</exception>
    public DuplicateMessageException(string message, IReadOnlyList<string> messageIds)
        : base(message) => MessageIds = messageIds ?? throw new ArgumentNullException(nameof(messageIds));

    /// <summary>Gets the ids that were sent before; for a batch or a transaction, those of all its messages.</summary>
    public IReadOnlyList<string> MessageIds { get; }
}
