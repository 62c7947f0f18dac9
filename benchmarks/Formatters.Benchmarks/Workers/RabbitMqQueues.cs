using Formatters.Queues.RabbitMQ;

namespace Formatters.Benchmarks.Workers;

/// <summary>The queues that products leave on the broker.</summary>
internal static class RabbitMqQueues
{
    internal static async Task DeleteAsync(Uri address, params string[] queues)
    {
        foreach (string queue in queues)
            await new RabbitMqQueueProvider().DeleteAsync(QueueAddress.Parse($"{address.ToString().TrimEnd('/')}/{queue}"));
    }
}
