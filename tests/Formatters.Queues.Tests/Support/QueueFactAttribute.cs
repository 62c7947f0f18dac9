using System;
using System.Linq;
using Xunit;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace Formatters.Queues.Tests;

/// <summary>A test of a conformance suite: it needs a server if the class that inherits it is marked <see cref="NeedsBrokerAttribute"/> or <see cref="NeedsPostgresAttribute"/>.</summary>
[AttributeUsage(AttributeTargets.Method)]
[XunitTestCaseDiscoverer("Formatters.Queues.Tests." + nameof(QueueFactDiscoverer), "Formatters.Queues.Tests")]
public sealed class QueueFactAttribute : FactAttribute;

/// <summary>Marks a class whose <see cref="QueueFactAttribute"/> tests need the broker.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class NeedsBrokerAttribute : Attribute;

/// <summary>Marks a class whose <see cref="QueueFactAttribute"/> tests need PostgreSQL.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class NeedsPostgresAttribute : Attribute;

/// <summary>Marks a class whose <see cref="QueueFactAttribute"/> tests need the peer of Service Bus.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class NeedsServiceBusAttribute : Attribute;

/// <summary>Makes the test cases of <see cref="QueueFactAttribute"/>.</summary>
public sealed class QueueFactDiscoverer(IMessageSink diagnosticMessageSink) : FactDiscoverer(diagnosticMessageSink)
{
    protected override IXunitTestCase CreateTestCase(ITestFrameworkDiscoveryOptions discoveryOptions, ITestMethod testMethod, IAttributeInfo factAttribute) =>
        new QueueTestCase(DiagnosticMessageSink, discoveryOptions.MethodDisplayOrDefault(), discoveryOptions.MethodDisplayOptionsOrDefault(), testMethod);
}

/// <summary>A test that is skipped where a server is needed and absent; see <see cref="Broker.SkipReason"/> and <see cref="Postgres.SkipReason"/>.</summary>
public sealed class QueueTestCase : XunitTestCase
{
    [Obsolete("For the runner's deserialization.", error: true)]
    public QueueTestCase()
    {
    }

    internal QueueTestCase(
        IMessageSink diagnosticMessageSink, TestMethodDisplay display, TestMethodDisplayOptions displayOptions, ITestMethod testMethod)
        : base(diagnosticMessageSink, display, displayOptions, testMethod)
    {
    }

    protected override string? GetSkipReason(IAttributeInfo factAttribute) =>
        Needs(typeof(NeedsBrokerAttribute)) ? Broker.SkipReason
        : Needs(typeof(NeedsPostgresAttribute)) ? Postgres.SkipReason
        : Needs(typeof(NeedsServiceBusAttribute)) ? ServiceBusPeer.SkipReason
        : base.GetSkipReason(factAttribute);

    private bool Needs(Type attribute) => TestMethod.TestClass.Class.GetCustomAttributes(attribute).Any();
}
