using Formatters.Bench;
using Formatters.Bench.CommandLine;

using var signals = new InterruptSignals(Console.Error);
QueueConnector connector;
try
{
    connector = ToolQueues.CreateConnector();
}
catch (UsageException e)
{
    Console.Error.WriteLine($"{Formatters.Bench.ToolInfo.Name}: {e.Message}");
    return ExitCodes.Usage;
}

return await new BenchApplication(Console.Out, Console.Error, connector, TimeProvider.System).RunAsync(args, signals.Token);
