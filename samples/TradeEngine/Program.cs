using Formatters.TradeEngine.CommandLine;

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

// Without arguments: a run that takes some seconds.
string[] line = args.Length > 0 ? args : ["run", "--quick", "--trades", "1000"];
return await new EngineApplication(Console.Out, Console.Error, connector, TimeProvider.System).RunAsync(line, signals.Token);
