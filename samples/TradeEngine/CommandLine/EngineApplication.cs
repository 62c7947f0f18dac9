using Formatters.Bench;

namespace Formatters.TradeEngine.CommandLine;

/// <summary>The command line of the sample.</summary>
internal sealed class EngineApplication(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
{
    internal Task<int> RunAsync(string[] args, CancellationToken cancellationToken = default)
    {
        var definition = new ToolDefinition(ToolInfo.Name, ToolInfo.Version, "A transaction engine that matches trades over queues.")
        {
            CreateCommands = (results, errors) =>
            [
                RunCommand.Create(results, errors, connector, clock),
                SweepCommand.Create(results, errors, connector, clock),
                SimulateCommand.Create(results, clock),
                ExtractionCommand.Create(results, errors, clock),
                DriverCommand.Create(results, errors, connector, clock),
                NodeCommand.Create(results, connector),
            ],
            GetExamples = HelpTexts.After,
            GetOutcome = OutcomeOf,
        };
        return new ToolApplication(definition, output, error).RunAsync(args, cancellationToken);
    }

    /// <summary>Says what an interrupted verb leaves behind.</summary>
    private static string OutcomeOf(string verb) => verb switch
    {
        "run" or "sweep" => "its queues are purged, and its trades are deleted",
        "node" => "what was on its way is in its queue",
        _ => "what was sent is purged",
    };
}
