using System.Collections.Generic;
using System.Linq;
using Formatters.Bench.Reports;
using Formatters.TradeEngine.Runs;

namespace Formatters.Bench.Engine;

/// <summary>The outcome of <c>engine</c>.</summary>
/// <param name="Run">How it was obtained.</param>
/// <param name="Queues">The in-bound queue; the others are like it.</param>
/// <param name="Store">Where the trades are.</param>
/// <param name="Format">The format of the bodies.</param>
/// <param name="Signature">How the driver signed.</param>
/// <param name="Result">What was found.</param>
internal sealed record EngineReport(RunInfo Run, QueueInfo Queues, string Store, string Format, string Signature, EngineRunResult Result) : IMeasuredReport
{
    /// <inheritdoc/>
    public string Verb => "engine";

    /// <inheritdoc/>
    public IReadOnlyList<Series> Series =>
    [
        Reports.Series.OfRates("engine/messages", [Result.MessagesPerSecond]),
        new("engine/processor", "us/msg", IsHigherBetter: false, [Result.Analysis.ProcessorSeconds * 1e6]),
        .. Result.Analysis.Stations.Select(station => new Series($"engine/{station.Name}/service", "us", IsHigherBetter: false,
            [station.ServiceSeconds * 1e6])),
    ];
}
