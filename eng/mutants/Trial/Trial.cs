using System;
using System.Collections.Generic;
using System.Threading;
using Xunit.Abstractions;

namespace Formatters.Mutants;

/// <summary>Receives the messages of xunit.</summary>
internal sealed class Trial(bool stopsAtFailure) : IMessageSink, IDisposable
{
    private int _passed;
    private int _lacking;
    private int _failed;

    public ManualResetEventSlim Discovered { get; } = new();

    /// <summary>Gets what is set at the end, or at the first failure: the process then ends, with the tests that run.</summary>
    public ManualResetEventSlim Finished { get; } = new();

    public List<ITestCase> Cases { get; } = [];

    public string Result => _failed > 0 ? "fails" : _lacking > 0 ? "skipped" : _passed > 0 ? "passes" : "nothing";

    /// <inheritdoc/>
    public bool OnMessage(IMessageSinkMessage message)
    {
        switch (message)
        {
            case ITestCaseDiscoveryMessage found:
                Cases.Add(found.TestCase);
                break;
            case IDiscoveryCompleteMessage:
                Discovered.Set();
                break;
            case ITestPassed:
                Interlocked.Increment(ref _passed);
                break;
            // A test that does not apply counts neither way (tests/Shared/SkippingTestFramework.cs).
            case ITestSkipped skipped when !skipped.Reason.StartsWith("Does not apply: ", StringComparison.Ordinal):
                Interlocked.Increment(ref _lacking);
                break;
            case ITestFailed failed:
                Fail(failed.TestMethod.TestClass.Class.Name + "." + failed.TestMethod.Method.Name, failed);
                break;
            case ITestAssemblyFinished:
                Finished.Set();
                break;
            case IFailureInformation failure when message is not ITestFailed:
                Fail("an error outside of tests", failure);
                break;
        }

        if (stopsAtFailure && _failed > 0)
            Finished.Set();
        return true;
    }

    public void Dispose()
    {
        Discovered.Dispose();
        Finished.Dispose();
    }

    private void Fail(string name, IFailureInformation failure)
    {
        Interlocked.Increment(ref _failed);
        Console.WriteLine($"failed {name}");
        Console.WriteLine($"  {string.Join("\n  ", failure.Messages)}");
    }
}
