using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;

namespace Formatters.Bench;

/// <summary>The kinds of queues that the tool opens.</summary>
internal static class BenchQueues
{
    /// <summary>Makes a connector over all of them.</summary>
    internal static QueueConnector CreateConnector() => CreateConnector(new FileQueueProvider());

    /// <summary>Makes a connector over all of them.</summary>
    /// <param name="files">Opens the queues in folders.</param>
    internal static QueueConnector CreateConnector(FileQueueProvider files) => new(new MemoryQueueProvider(), files, new RabbitMqQueueProvider(), new PostgreSqlQueueProvider());
}
