namespace Formatters.TradeEngine.Measurement;

/// <param name="Ways">The ways, side by side.</param>
/// <param name="Engines">The whole engine by format, side by side.</param>
internal sealed record ExtractionReport(RunInfo Run, IReadOnlyList<ExtractionWay> Ways, IReadOnlyList<ExtractionEngine> Engines) : IMeasuredReport
{
    public string Verb => "engine extraction";

    public IReadOnlyList<Series> Series =>
    [
        .. Ways.Select(way => new Series($"extraction/{way.Name}", "us/msg", IsHigherBetter: false, way.Microseconds)),
        .. Engines.Select(engine => new Series($"engine/{engine.Format}/processor", "us/msg", IsHigherBetter: false, engine.ProcessorMicroseconds)),
        .. Engines.Select(engine => Bench.Reports.Series.OfRates($"engine/{engine.Format}/messages", engine.MessagesPerSecond)),
    ];
}

/// <summary>A way to take fields out of bodies.</summary>
/// <param name="AverageBodyByteCount">Of the bodies.</param>
/// <param name="Microseconds">Processor time for a message, round by round.</param>
/// <param name="AllocatedBytes">For a message.</param>
internal sealed record ExtractionWay(string Name, double AverageBodyByteCount, IReadOnlyList<double> Microseconds, double AllocatedBytes);

/// <summary>The whole engine with bodies of a format, over queues in memory and an embedded store.</summary>
/// <param name="ProcessorMicroseconds">Of the whole process for a message, driver and sink included, round by round.</param>
/// <param name="DriverMicroseconds">Of building, writing and signing alone, round by round.</param>
internal sealed record ExtractionEngine(
    string Format, IReadOnlyList<double> ProcessorMicroseconds, IReadOnlyList<double> DriverMicroseconds, IReadOnlyList<double> MessagesPerSecond);
