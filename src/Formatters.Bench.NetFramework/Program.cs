using System;
using System.Globalization;
using System.IO;
using System.Threading.Tasks;
using Formatters.Bench.CommandLine;
using Formatters.Queues;
using Formatters.Queues.Msmq;

namespace Formatters.Bench;

/// <summary>The tool on .NET Framework: <c>perftest</c> over MSMQ.</summary>
internal static class Program
{
    private static async Task<int> Main(string[] args)
    {
        CultureInfo.DefaultThreadCurrentCulture = CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        TextWriter output = Console.Out;
        // Mono over RabbitMQ says something there for every operation.
        Console.SetOut(TextWriter.Null);
        int exitCode = await new BenchApplication(output, Console.Error, new QueueConnector(new MemoryQueueProvider(), new MsmqQueueProvider()),
            TimeProvider.System).RunAsync(args);
        await output.FlushAsync();
        // Mono's connection to the broker has a thread that would not let the process end.
        Environment.Exit(exitCode);
        return exitCode;
    }
}
