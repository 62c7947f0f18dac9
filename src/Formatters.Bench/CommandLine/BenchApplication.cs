namespace Formatters.Bench.CommandLine;

/// <summary>The command line of <c>formatters-bench</c>.</summary>
internal sealed class BenchApplication(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
{
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
