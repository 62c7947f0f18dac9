using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>What an <see cref="IMessageQueue"/> also implements that shows messages without taking them, and receives one by its id.</summary>
/// <remarks>
/// For those who write queues and decorators. Programs call the extension methods of <see cref="MessageQueueExtensions"/>, which refuse with a
/// <see cref="NotSupportedException"/> what the queue lacks. They have checked the arguments, and <see cref="QueueCapabilities.HasPeek"/> and
/// <see cref="QueueCapabilities.HasReceiveById"/>.
/// </remarks>
public interface IBrowsableQueue : IMessageQueue
{
    /// <summary>Shows messages without taking them.</summary>
    /// <inheritdoc cref="MessageQueueExtensions.PeekAsync"/>
    ValueTask<IReadOnlyList<PeekedMessage>> PeekAsync(PeekOptions options, CancellationToken cancellationToken = default);

    /// <summary>Receives the first message that has an id.</summary>
    /// <inheritdoc cref="MessageQueueExtensions.ReceiveByIdAsync"/>
    ValueTask<ReceivedMessage?> ReceiveByIdAsync(string messageId, TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default);

    /// <summary>Receives the first message that has a correlation id.</summary>
    /// <inheritdoc cref="MessageQueueExtensions.ReceiveByCorrelationIdAsync"/>
    ValueTask<ReceivedMessage?> ReceiveByCorrelationIdAsync(string correlationId, TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default);
}
