using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Tools.Commands;

namespace Formatters.Bench.Tests.Support;

/// <summary>The command line of <c>formatters</c>.</summary>
internal static class ToolUnderTest
{
    internal static Task<int> RunAsync(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock, string[] args, CancellationToken cancellationToken) =>
        new OperatorApplication(output, error, connector, clock).RunAsync(args, cancellationToken);
}
