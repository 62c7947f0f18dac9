using System;
using Formatters.Bench;
using Formatters.Bench.CommandLine;
using Formatters.Queues;

using var signals = new InterruptSignals(Console.Error);
QueueConnector connector;
try
{
    connector = BenchQueues.CreateConnector();
}
catch (UsageException e)
{
    Console.Error.WriteLine($"{ToolInfo.Name}: {e.Message}");
    return ExitCodes.Usage;
}

return await new BenchApplication(Console.Out, Console.Error, connector, TimeProvider.System).RunAsync(args, signals.Token);
