using System;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Formatters.Queues.ServiceBus;

namespace Formatters.Tools.Queues;

/// <summary>The kinds of queues that the tool opens.</summary>
internal static class ToolQueues
{
    /// <summary>Says of which type the queues of RabbitMQ are that the tool makes: classic or quorum.</summary>
    internal const string RabbitMqVariable = "FORMATTERS_RABBITMQ_QUEUES";

    /// <summary>Makes a connector over all of them.</summary>
    internal static QueueConnector CreateConnector() => CreateConnector(new FileQueueProvider());

    /// <summary>Makes a connector over all of them.</summary>
    /// <param name="files">Opens the queues in folders.</param>
    internal static QueueConnector CreateConnector(FileQueueProvider files) => new(
        new MemoryQueueProvider(), files, new RabbitMqQueueProvider(RabbitMq), new PostgreSqlQueueProvider(), new ServiceBusQueueProvider());

    /// <exception cref="UsageException">The variable has another value.</exception>
    private static RabbitMqOptions RabbitMq => RabbitMqOptions.Default with { QueueType = ParseQueueType(Environment.GetEnvironmentVariable(RabbitMqVariable)) };

    /// <summary>Reads the value of <see cref="RabbitMqVariable"/>.</summary>
    /// <exception cref="UsageException">It is neither.</exception>
    internal static RabbitMqQueueType ParseQueueType(string? value) => value?.ToUpperInvariant() switch
    {
        null or "" or "CLASSIC" => RabbitMqQueueType.Classic,
        "QUORUM" => RabbitMqQueueType.Quorum,
        _ => throw new UsageException($"{RabbitMqVariable} is '{value}', which is not one of classic, quorum."),
    };
}
