using System.Text.Json.Serialization;
using Formatters.TradeEngine.Runs;

namespace Formatters.TradeEngine.Measurement;

/// <param name="Queues">The in-bound queue; the others are like it.</param>
/// <param name="Store">Where the trades are.</param>
/// <param name="Format">The format of the bodies.</param>
/// <param name="Signature">How the driver signed.</param>
/// <param name="Result">What was found.</param>
internal sealed record EngineReport(RunInfo Run, [property: JsonPropertyName("queue")] QueueInfo Queues, string Store, string Format,
    string Signature, EngineRunResult Result)
    : IMeasuredReport
{
    public string Verb => "engine";

    /// <summary>How many processes ran the components; null: that of the driver did.</summary>
    public int? NodeProcesses { get; init; }

    /// <summary>How many instances of each of ALC, NPR and SET a process had.</summary>
    public int Instances { get; init; }

    /// <summary>On how many databases the trades are.</summary>
    public int Databases { get; init; }

    /// <summary>How many messages a component took at once.</summary>
    public int BatchSize { get; init; }

    /// <summary>How many messages of a type the router sent on as one, at most; 0: the result is of a version that did not know of it, and sent each
    /// by itself.</summary>
    public int BundleSize { get; init; }

    /// <summary>Rows of trades and of the audit trail; null where the store has no rows.</summary>
    public long? InsertedRows { get; init; }

    public double? InsertRate => InsertedRows / Result.Seconds;

    public IReadOnlyList<Series> Series =>
    [
        Bench.Reports.Series.OfRates("engine/messages", [Result.MessagesPerSecond]),
        new("engine/processor", "us/msg", IsHigherBetter: false, [Result.Analysis.ProcessorSeconds * 1e6]),
        new("engine/latency", "ms", IsHigherBetter: false, [(Result.Latency?.Median ?? 0) * 1000]),
        .. Result.Analysis.Stations.Select(station => new Series($"engine/{station.Name}/service", "us", IsHigherBetter: false,
            [station.ServiceSeconds * 1e6])),
    ];

    /// <summary>The study's figures, measured here.</summary>
    public IReadOnlyList<Figure> Figures => EngineFigures.Of(Result);
}
