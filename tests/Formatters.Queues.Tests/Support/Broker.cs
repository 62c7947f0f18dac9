using System;
using Formatters.TestSupport;

namespace Formatters.Queues.Tests;

/// <summary>The broker the tests run against: the one that <c>eng/rabbitmq start</c> prints.</summary>
internal static class Broker
{
    internal const string Variable = "FORMATTERS_RABBITMQ";

    internal const string Hint = $"No broker: {Variable} is not set. Start one: eval \"$(eng/rabbitmq start)\"";

    /// <summary>Why tests that need a broker are skipped, or null. In continuous integration they are not skipped but fail.</summary>
    internal static string? SkipReason => TestScale.SkipReason(Variable, Hint);

    /// <summary>The broker's address without a queue: <c>amqp://guest:guest@127.0.0.1:5672</c>.</summary>
    internal static string Address =>
        Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } address ? address.TrimEnd('/') : throw new InvalidOperationException(Hint);
}
