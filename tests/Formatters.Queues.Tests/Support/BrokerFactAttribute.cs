using System;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>A test that needs the broker.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BrokerFactAttribute : FactAttribute
{
    public BrokerFactAttribute() => Skip = Broker.SkipReason;
}

/// <summary>A theory that needs the broker.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BrokerTheoryAttribute : TheoryAttribute
{
    public BrokerTheoryAttribute() => Skip = Broker.SkipReason;
}
