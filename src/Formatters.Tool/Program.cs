using System;
using Formatters.Queues;
using Formatters.Tools.Commands;
using Formatters.Tools.Queues;

using var signals = new InterruptSignals(Console.Error);
QueueConnector connector;
try
{
    connector = ToolQueues.CreateConnector();
}
catch (UsageException e)
{
    Console.Error.WriteLine($"{ToolInfo.Name}: {e.Message}");
    return ExitCodes.Usage;
}

return await new OperatorApplication(Console.Out, Console.Error, connector, TimeProvider.System).RunAsync(args, signals.Token);
