using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>Is called for what happens to messages: the test harness.</summary>
internal abstract class QueueObserver
{
    internal abstract void OnSent(string queueName, object payload, QueueMessage message);

    internal abstract void OnHandled(string queueName, object payload);

    internal abstract void OnDeadLettered(string queueName, QueueMessage message, string reason, string? description);
}
