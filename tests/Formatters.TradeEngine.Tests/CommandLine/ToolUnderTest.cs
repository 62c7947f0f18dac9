using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.TradeEngine.CommandLine;

namespace Formatters.Bench.Tests.Support;

/// <summary>The command line of the sample.</summary>
internal static class ToolUnderTest
{
    internal static Task<int> RunAsync(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock, string[] args, CancellationToken cancellationToken) =>
        new EngineApplication(output, error, connector, clock).RunAsync(args, cancellationToken);
}
