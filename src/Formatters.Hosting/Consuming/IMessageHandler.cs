using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Hosting;

/// <summary>Handles the messages of one type. For each attempt, an instance is created in a separate scope.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
public interface IMessageHandler<in T>
{
    /// <summary>Handles a message. When the task has completed, the message is acknowledged; if it fails, the message is tried again.</summary>
    /// <param name="message">The payload.</param>
    /// <param name="context">The headers, ids and delivery of the message.</param>
    /// <param name="cancellationToken">
    /// Cancelled when the handler has run for <see cref="HostedQueueOptions.HandlerTimeout"/>, when the message's lease is lost, and when the host's
    /// shutdown
    /// timeout has elapsed; not at the beginning of the shutdown.
    /// </param>
    /// <returns>Completes when the message is handled.</returns>
    /// <exception cref="MessageRejectedException">No retry can help: the message becomes a dead letter immediately.</exception>
    Task HandleAsync(T message, MessageContext context, CancellationToken cancellationToken);
}
