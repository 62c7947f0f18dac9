using System;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Queues.RabbitMQ;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Buses.Tests;

/// <summary>The RabbitMQ broker of the tests.</summary>
internal static class Broker
{
    private const string Variable = "FORMATTERS_RABBITMQ";

    internal static string? SkipReason => TestScale.SkipReason(Variable, $"No broker: {Variable} is not set. Start one: eval \"$(eng/rabbitmq start)\"");

    internal static Uri Address => new(
        (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } address ? address : throw new InvalidOperationException($"{Variable} is not set.")).TrimEnd('/') + "/");

    internal static ValueTask<QueueClient> OpenAsync(string queue) =>
        new RabbitMqQueueProvider(new RabbitMqOptions { DeadLetters = RabbitMqDeadLetters.ByReceiver }).OpenAsync(QueueAddress.Parse(Address + queue), QueueOptions.Default, default);

    internal static async Task DeleteAsync(string queue) => await new RabbitMqQueueProvider().DeleteAsync(QueueAddress.Parse(Address + queue), default);
}

/// <summary>A test against the broker, skipped if there is none.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BrokerFactAttribute : FactAttribute
{
    public BrokerFactAttribute() => Skip = Broker.SkipReason;
}
