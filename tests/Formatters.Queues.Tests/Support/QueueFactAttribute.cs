using System;
using System.Linq;
using Xunit;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace Formatters.Queues.Tests;

/// <summary>A test of a conformance suite: it needs the broker if the class that inherits it is marked <see cref="NeedsBrokerAttribute"/>.</summary>
[AttributeUsage(AttributeTargets.Method)]
[XunitTestCaseDiscoverer("Formatters.Queues.Tests." + nameof(QueueFactDiscoverer), "Formatters.Queues.Tests")]
public sealed class QueueFactAttribute : FactAttribute;

/// <summary>Marks a class whose <see cref="QueueFactAttribute"/> tests need the broker.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class NeedsBrokerAttribute : Attribute;

/// <summary>Makes the test cases of <see cref="QueueFactAttribute"/>.</summary>
public sealed class QueueFactDiscoverer(IMessageSink diagnosticMessageSink) : FactDiscoverer(diagnosticMessageSink)
{
    protected override IXunitTestCase CreateTestCase(ITestFrameworkDiscoveryOptions discoveryOptions, ITestMethod testMethod, IAttributeInfo factAttribute) =>
        new QueueTestCase(DiagnosticMessageSink, discoveryOptions.MethodDisplayOrDefault(), discoveryOptions.MethodDisplayOptionsOrDefault(), testMethod);
}

/// <summary>A test that is skipped where the broker is needed and absent; see <see cref="Broker.SkipReason"/>.</summary>
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
        TestMethod.TestClass.Class.GetCustomAttributes(typeof(NeedsBrokerAttribute)).Any() ? Broker.SkipReason : base.GetSkipReason(factAttribute);
}
