using Formatters.Queues;
using Formatters.Queues.RabbitMQ;

namespace Formatters.Bench;

/// <summary>The kinds of queues that the tool opens.</summary>
internal static class BenchQueues
{
    /// <summary>Makes a connector over all of them.</summary>
    internal static QueueConnector CreateConnector() => new(new MemoryQueueProvider(), new FileQueueProvider(), new RabbitMqQueueProvider());
}
