using System;
using System.CommandLine;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Tools.Migrate;

namespace Formatters.Tools.Commands;

/// <summary>The command line of <c>formatters</c>, which operates queues and reads bodies.</summary>
/// <param name="output">Receives results.</param>
/// <param name="error">Receives progress and errors.</param>
/// <param name="connector">Opens queues.</param>
/// <param name="clock">The current time, for ages of messages.</param>
internal sealed class OperatorApplication(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
{
    private const string Description = "Operates queues (in folders, PostgreSQL, RabbitMQ), and shows, converts and migrates message bodies.";

    /// <summary>Runs a command line.</summary>
    /// <param name="args">The arguments.</param>
    /// <param name="cancellationToken">Ends the run, as Ctrl-C does.</param>
    /// <returns>The exit code.</returns>
    internal Task<int> RunAsync(string[] args, CancellationToken cancellationToken = default)
    {
        var definition = new ToolDefinition(ToolInfo.Name, ToolInfo.Version, Description)
        {
            CreateCommands = CreateCommands,
            GetExamples = HelpTexts.After,
            GetOutcome = GetOutcome,
            GetExitCode = static e => e is RefusedMessageException refused ? refused.IsOfNewBody ? ExitCodes.Refused : ExitCodes.Failure : null,
        };
        return new ToolApplication(definition, output, error).RunAsync(args, cancellationToken);
    }

    private Command[] CreateCommands(TextWriter results, TextWriter errors) =>
    [
        QueueCommand.Create(results, errors, connector, clock),
        InspectCommand.Create(results, errors, connector),
        MigrateCommand.Create(results, errors, connector),
        ForwardCommand.Create(results, errors, connector),
        ConvertCommand.Create(results, errors),
        TypesCommand.Create(results, errors, connector),
    ];

    /// <summary>Says what an interrupted command leaves behind.</summary>
    private static string GetOutcome(string command) => command switch
    {
        MigrateCommand.Name => "what was not moved is in its queue",
        ConvertCommand.Name => "what was converted is whole; repeat the run for the rest",
        ForwardCommand.Name => "what was not forwarded is in its queue",
        QueueCommand.Name + " " + QueueCommand.Requeue => "what was not sent back is in the dead-letter queue",
        QueueCommand.Name + " " + QueueCommand.Purge => "what was not deleted is in its queue",
        QueueCommand.Name + " " + QueueFileCommands.Send => "what was not sent is in its file",
        QueueCommand.Name + " " + QueueFileCommands.Receive => "what was not written is in its queue",
        QueueCommand.Name + " " + QueueCommand.Salvage => "the folder is as it was, and the new one is empty",
        _ => "nothing was changed",
    };
}
