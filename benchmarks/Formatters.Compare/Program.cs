using Formatters.Bench;
using Formatters.Bench.CommandLine;

using var signals = new InterruptSignals(Console.Error);
var connector = new QueueConnector(new MemoryQueueProvider(), new FileQueueProvider());
var definition = new ToolDefinition(ToolInfo.Name, ToolInfo.Version, "Compares message formatters over queues in memory and in folders.")
{
    CreateCommands = (output, error) =>
    [
        CompareCommand.Create(output, error, connector, TimeProvider.System),
        OwnCommand.Create(output, error, connector, TimeProvider.System),
    ],
    GetExamples = static verb => verb.Length > 0 ? HelpTexts.After(verb)
        : "The other commands, and queues of RabbitMQ and PostgreSQL, are in the whole tool:\ndotnet run -c Release --project src/Formatters.Bench",
    GetOutcome = static _ => "what was sent is purged",
    GetExitCode = static e => e is VerificationException ? ExitCodes.Failure : null,
};
return await new ToolApplication(definition, Console.Out, Console.Error).RunAsync(args, signals.Token);
