using System.CommandLine;

namespace Formatters.Bench.CommandLine;

/// <summary>The verbs of the tool.</summary>
internal static class BenchVerbs
{
    internal const string Description = "Measures message formatters over queues, in memory or on a broker.";

    internal static Command[] Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock) =>
    [
        CompareCommand.Create(output, error, connector, clock),
        OwnCommand.Create(output, error, connector, clock),
        MatrixCommand.Create(output, error, connector, clock),
        PerftestCommand.Create(output, error, connector, clock),
        ThroughputCommand.Create(output, error, connector, clock),
        FactorsCommand.Create(output, error, connector, clock),
        FactorsCommand.CreateConsumer(connector),
        LimitsCommand.Create(output, error, connector, clock),
        SendersCommand.Create(output, error, connector, clock),
        SendersCommand.CreateProcess(connector, clock),
        DoctorCommand.Create(output, error, connector, clock),
        DiffCommand.Create(output),
        ReportCommand.Create(output),
    ];

    /// <summary>Says what an interrupted verb leaves behind.</summary>
    internal static string OutcomeOf(string verb) => verb switch
    {
        // Senders alone leave what they sent, and receivers alone have sent nothing.
        "throughput" => "what was sent to be received is purged",
        ReportCommand.Name or DoctorCommand.Name => "nothing was measured",
        _ => "what was sent is purged",
    };
}
