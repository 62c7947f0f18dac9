using System;
using System.Collections.Generic;
using Formatters.Queues;

namespace Formatters.Benchmarks;

/// <summary>A queue, opened in one delivery mode.</summary>
/// <param name="Name">The name in tables.</param>
/// <param name="Address">Where it is.</param>
/// <param name="DeliveryMode">How it is opened.</param>
internal sealed record QueueCase(string Name, string Address, DeliveryMode DeliveryMode)
{
    /// <summary>The variable that names a broker, as <c>amqp://guest:guest@127.0.0.1:5672</c>.</summary>
    public const string BrokerVariable = "FORMATTERS_RABBITMQ";

    /// <summary>The queues that can be had here.</summary>
    public static IReadOnlyList<QueueCase> All { get; } = Create(Environment.GetEnvironmentVariable(BrokerVariable));

    /// <summary>Lists the queues.</summary>
    /// <param name="broker">The address of a broker, or null.</param>
    public static IReadOnlyList<QueueCase> Create(string? broker)
    {
        List<QueueCase> cases =
        [
            new("memory, express", "memory:benchmarks-express", DeliveryMode.Express),
            new("memory, transactional", "memory:benchmarks-transactional", DeliveryMode.Transactional),
        ];
        if (!string.IsNullOrEmpty(broker))
        {
            string root = broker.TrimEnd('/');
            cases.Add(new("RabbitMQ, express", $"{root}/formatters-benchmarks-express", DeliveryMode.Express));
            cases.Add(new("RabbitMQ, recoverable", $"{root}/formatters-benchmarks-recoverable", DeliveryMode.Recoverable));
            cases.Add(new("RabbitMQ, transactional", $"{root}/formatters-benchmarks-transactional", DeliveryMode.Transactional));
        }

        return cases;
    }
}
