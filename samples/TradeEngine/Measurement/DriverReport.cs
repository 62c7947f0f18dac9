namespace Formatters.TradeEngine.Measurement;

/// <summary>The outcome of <c>driver</c>: what a driver signs and sends that nothing holds up.</summary>
/// <param name="Queue">Where it sent.</param>
/// <param name="Source">Where the messages came from.</param>
/// <param name="AverageBodyByteCount">Of signed bodies.</param>
/// <param name="Cases">One for each signature.</param>
internal sealed record DriverReport(RunInfo Run, QueueInfo Queue, string Source, double AverageBodyByteCount, IReadOnlyList<DriverCase> Cases)
    : IMeasuredReport
{
    public string Verb => "engine driver";

    public IReadOnlyList<Series> Series =>
    [
        .. Cases.Select(item => Bench.Reports.Series.OfRates($"driver/{item.Signature}", item.MessagesPerSecond)),
        .. Cases.Select(item => new Series($"driver/{item.Signature}/processor", "us/msg", IsHigherBetter: false, item.ProcessorMicroseconds)),
    ];

    /// <summary>Figure 17.</summary>
    public IReadOnlyList<Figure> Figures =>
    [
        new(
            "Figure 17: a driver alone",
            "Messages that one driver takes from a set, signs and sends. Hollow marks: the study's driver in C++ and in C#, on its machines.",
            Bench.Reports.Series.MessagesPerSecond,
            null,
            [.. Cases.Select(item => item.Signature), "C++, 2005", "C#, 2005"],
            [
                new FigureLine("here", [.. Cases.Select(item => (double?)item.MessagesPerSecond.Max()), null, null]),
                new FigureLine(
                    "the study", [.. Cases.Select(_ => (double?)null), EngineStudy.NativeDriver, EngineStudy.ManagedDriver], IsStudy: true),
            ]),
    ];
}

/// <param name="Signature">The algorithm.</param>
/// <param name="ProcessorMicroseconds">Processor time of a message, round by round.</param>
internal sealed record DriverCase(string Signature, IReadOnlyList<double> MessagesPerSecond, IReadOnlyList<double> ProcessorMicroseconds);
