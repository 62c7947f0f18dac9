using System;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Bench.Tests.Support;

/// <summary>The servers the tests run against: those that <c>eng/rabbitmq start</c> and <c>eng/postgres start</c> print.</summary>
internal static class Broker
{
    internal const string RabbitMq = "FORMATTERS_RABBITMQ";
    internal const string PostgreSql = "FORMATTERS_POSTGRES";

    /// <summary>Why tests that need a server are skipped, or null. In continuous integration they are not skipped but fail.</summary>
    internal static string? SkipReason(string variable) => TestScale.SkipReason(variable, Hint(variable));

    /// <summary>The address of a new queue.</summary>
    internal static string NewQueue(string variable = RabbitMq) => Environment.GetEnvironmentVariable(variable) is { Length: > 0 } address
        ? $"{address.TrimEnd('/')}/bench-test-{Guid.NewGuid():N}"
        : throw new InvalidOperationException(Hint(variable));

    private static string Hint(string variable) => $"No server: {variable} is not set. Start one: eval \"$(eng/{(variable == RabbitMq ? "rabbitmq" : "postgres")} start)\"";
}

/// <summary>A test that needs RabbitMQ.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BrokerFactAttribute : FactAttribute
{
    public BrokerFactAttribute() => Skip = Broker.SkipReason(Broker.RabbitMq);
}

/// <summary>A test that needs PostgreSQL.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PostgresFactAttribute : FactAttribute
{
    public PostgresFactAttribute() => Skip = Broker.SkipReason(Broker.PostgreSql);
}
