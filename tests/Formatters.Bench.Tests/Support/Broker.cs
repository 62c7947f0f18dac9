using System;
using Xunit;

namespace Formatters.Bench.Tests.Support;

/// <summary>The broker the tests run against: the one that <c>eng/rabbitmq start</c> prints.</summary>
internal static class Broker
{
    private const string Variable = "FORMATTERS_RABBITMQ";

    private const string Hint = $"No broker: {Variable} is not set. Start one: eval \"$(eng/rabbitmq start)\"";

    /// <summary>Why tests that need a broker are skipped, or null. In continuous integration they are not skipped but fail.</summary>
    internal static string? SkipReason => Environment.GetEnvironmentVariable(Variable) is null or "" && Environment.GetEnvironmentVariable("CI") != "true" ? Hint : null;

    /// <summary>The address of a new queue.</summary>
    internal static string NewQueue() => Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } address
        ? $"{address.TrimEnd('/')}/bench-test-{Guid.NewGuid():N}"
        : throw new InvalidOperationException(Hint);
}

/// <summary>A test that needs the broker.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BrokerFactAttribute : FactAttribute
{
    public BrokerFactAttribute() => Skip = Broker.SkipReason;
}
