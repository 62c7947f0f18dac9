using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Implemented by an <see cref="IMessageQueue"/> that can peek at messages without removing them, and receive one by its id.</summary>
/// <remarks>
/// For authors of queues and decorators. Programs call the extension methods of <see cref="MessageQueueExtensions"/>, which throw a
/// <see cref="NotSupportedException"/> for what the queue does not support. They have already checked the arguments, and
/// <see cref="QueueCapabilities.HasPeek"/> and <see cref="QueueCapabilities.HasReceiveById"/>.
/// </remarks>
public interface IBrowsableQueue : IMessageQueue
{
    /// <summary>Returns messages without removing them.</summary>
    /// <inheritdoc cref="MessageQueueExtensions.PeekAsync"/>
    ValueTask<IReadOnlyList<PeekedMessage>> PeekAsync(PeekOptions options, CancellationToken cancellationToken = default);

    /// <summary>Receives the first message with a given id.</summary>
    /// <inheritdoc cref="MessageQueueExtensions.ReceiveByIdAsync"/>
    ValueTask<ReceivedMessage?> ReceiveByIdAsync(string messageId, TimeSpan timeout, QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default);

    /// <summary>Receives the first message with a given correlation id.</summary>
    /// <inheritdoc cref="MessageQueueExtensions.ReceiveByCorrelationIdAsync"/>
    ValueTask<ReceivedMessage?> ReceiveByCorrelationIdAsync(string correlationId, TimeSpan timeout, QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default);
}
