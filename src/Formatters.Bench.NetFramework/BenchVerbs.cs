using System;
using System.CommandLine;
using System.IO;
using Formatters.Queues;

namespace Formatters.Bench.CommandLine;

/// <summary>The verbs of the tool for .NET Framework.</summary>
internal static class BenchVerbs
{
    internal const string Description = "Measures message formatters over MSMQ's queues, and in memory: the classic test.";

    internal static Command[] Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock) =>
        [PerftestCommand.Create(output, error, connector, clock)];

    /// <summary>Describes the state that an interrupted verb leaves.</summary>
    internal static string OutcomeOf(string verb) => "what was sent is purged";
}
