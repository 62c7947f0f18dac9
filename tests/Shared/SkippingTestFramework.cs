using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace Formatters.TestSupport;

/// <summary>Ends a test that does not apply here. It counts as skipped, with the reason; a return would count as passed.</summary>
/// <remarks>Not for a server or a program that is missing: CI must fail then (<see cref="TestScale.SkipReason(Func{string})"/>).</remarks>
internal static class Skip
{
    private static readonly ConcurrentDictionary<(string Suite, string Capability), (int Ran, int Skipped)> Needed = new();

    internal static void If(bool condition, string reason)
    {
        if (condition)
            throw new TestSkippedException($"Does not apply: {reason}");
    }

    /// <summary>The same for a capability of what a suite tests; <see cref="WriteTable"/> counts how many tests of the suite had it.</summary>
    internal static void Unless(string suite, string capability, bool has)
    {
        Needed.AddOrUpdate((suite, capability), has ? (1, 0) : (0, 1), (_, count) => has ? (count.Ran + 1, count.Skipped) : (count.Ran, count.Skipped + 1));
        If(!has, $"no {capability}.");
    }

    /// <summary>Writes suite, capability, tests that ran and tests that were skipped to <c>FORMATTERS_TEST_RESULTS</c>, if it is set; build.sh prints them.</summary>
    internal static void WriteTable()
    {
        if (Needed.IsEmpty || Environment.GetEnvironmentVariable("FORMATTERS_TEST_RESULTS") is not { Length: > 0 } folder)
            return;
        Directory.CreateDirectory(folder);
        IEnumerable<string> lines = Needed.Select(item => string.Join("\t", item.Key.Suite, item.Key.Capability, item.Value.Ran, item.Value.Skipped));
        File.WriteAllLines(Path.Combine(folder, $"{typeof(Skip).Assembly.GetName().Name}.capabilities"), lines.OrderBy(line => line, StringComparer.Ordinal));
    }
}

/// <summary>Thrown by <see cref="Skip"/>.</summary>
internal sealed class TestSkippedException(string reason) : Exception(reason);

/// <summary>xunit's framework, with tests that skip themselves while they run: xunit 2 has none.</summary>
internal sealed class SkippingTestFramework(IMessageSink messageSink) : XunitTestFramework(messageSink)
{
    protected override ITestFrameworkExecutor CreateExecutor(AssemblyName assemblyName) => new Executor(assemblyName, SourceInformationProvider, DiagnosticMessageSink);

    private sealed class Executor(AssemblyName assemblyName, ISourceInformationProvider sources, IMessageSink diagnostics) : XunitTestFrameworkExecutor(assemblyName, sources, diagnostics)
    {
        protected override void RunTestCases(IEnumerable<IXunitTestCase> testCases, IMessageSink executionMessageSink, ITestFrameworkExecutionOptions executionOptions) =>
            base.RunTestCases(testCases, new Sink(executionMessageSink), executionOptions);
    }

    private sealed class Sink(IMessageSink inner) : Xunit.LongLivedMarshalByRefObject, IMessageSink
    {
        public bool OnMessage(IMessageSinkMessage message)
        {
            if (message is ITestFailed failed && failed.ExceptionTypes[0] == typeof(TestSkippedException).FullName)
                message = new TestSkipped(failed.Test, failed.Messages[0]);
            else if (message is ITestAssemblyFinished)
                Skip.WriteTable();
            return inner.OnMessage(message);
        }
    }
}
