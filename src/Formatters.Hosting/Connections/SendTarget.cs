using System;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>An open queue or topic that messages are sent to.</summary>
internal sealed class SendTarget : IAsyncDisposable
{
    private readonly QueueClient? _queue;
    private readonly MessageTopic? _topic;

    internal SendTarget(QueueClient queue) => _queue = queue;

    internal SendTarget(MessageTopic topic) => _topic = topic;

    internal QueueAddress Address => _queue?.Address ?? _topic!.Address;

    internal QueueCapabilities Capabilities => _queue?.Capabilities ?? _topic!.Capabilities;

    /// <summary>Gets the queue; null for a topic.</summary>
    internal QueueClient? Queue => _queue;

    internal ValueTask SendAsync(QueueMessage message, CancellationToken cancellationToken) =>
        _queue?.SendAsync(message, null, cancellationToken) ?? _topic!.SendAsync(message, null, cancellationToken);

    public ValueTask DisposeAsync() => _queue?.DisposeAsync() ?? _topic!.DisposeAsync();
}
