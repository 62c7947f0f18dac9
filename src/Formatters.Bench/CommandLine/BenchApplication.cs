using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Measurement;
using Formatters.Queues;

namespace Formatters.Bench.CommandLine;

/// <summary>The command line of <c>formatters-bench</c>.</summary>
/// <param name="output">Receives results.</param>
/// <param name="error">Receives progress and errors.</param>
/// <param name="connector">Opens queues.</param>
/// <param name="clock">Dates the reports.</param>
internal sealed class BenchApplication(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
{
    /// <summary>Runs a command line.</summary>
    /// <param name="args">The arguments.</param>
    /// <param name="cancellationToken">Ends the run, as Ctrl-C does.</param>
    /// <returns>The exit code.</returns>
    internal Task<int> RunAsync(string[] args, CancellationToken cancellationToken = default)
    {
        var definition = new ToolDefinition(ToolInfo.Name, ToolInfo.Version, BenchVerbs.Description)
        {
            CreateCommands = (results, errors) => BenchVerbs.Create(results, errors, connector, clock),
            GetExamples = HelpTexts.After,
            GetOutcome = BenchVerbs.OutcomeOf,
            GetExitCode = static e => e is VerificationException ? ExitCodes.Failure : null,
        };
        return new ToolApplication(definition, output, error).RunAsync(args, cancellationToken);
    }
}
