using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Implemented by an <see cref="IMessageQueue"/> whose messages can be deferred, and received by their position.</summary>
/// <remarks>
/// For authors of queues and decorators. Programs call the extension method of <see cref="MessageQueueExtensions"/>, which throws a
/// <see cref="System.NotSupportedException"/> for a queue without <see cref="QueueCapabilities.HasDeferral"/>.
/// </remarks>
public interface IDeferringQueue : IMessageQueue
{
    /// <summary>Receives a deferred message.</summary>
    /// <inheritdoc cref="MessageQueueExtensions.ReceiveDeferredAsync"/>
    ValueTask<ReceivedMessage> ReceiveDeferredAsync(string position, QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default);
}
