using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Implemented by an <see cref="IMessageQueue"/> whose messages can belong to sessions.</summary>
/// <remarks>
/// For authors of queues and decorators. Programs call the extension method of <see cref="MessageQueueExtensions"/>, which throws a
/// <see cref="NotSupportedException"/> for a queue without <see cref="QueueCapabilities.HasSessions"/>.
/// </remarks>
public interface ISessionQueue : IMessageQueue
{
    /// <summary>Locks a session, and returns a handle that receives its messages.</summary>
    /// <inheritdoc cref="MessageQueueExtensions.AcceptSessionAsync(IMessageQueue, string?, TimeSpan, CancellationToken)"/>
    ValueTask<IMessageSession?> AcceptSessionAsync(string? sessionId, TimeSpan timeout, CancellationToken cancellationToken = default);
}
