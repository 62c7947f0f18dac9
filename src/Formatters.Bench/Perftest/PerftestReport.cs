namespace Formatters.Bench.Perftest;

/// <summary>The outcome of <c>perftest</c>: what <c>--json</c> writes.</summary>
internal sealed record PerftestReport : IMeasuredReport
{
    public string Verb => "perftest";
    public required RunInfo Run { get; init; }

    /// <summary>The timed operation.</summary>
    public required PerftestOperation Operation { get; init; }

    /// <summary>Gets how many queues each message was sent to.</summary>
    public required int QueueCount { get; init; }

    /// <summary>The cases by kind of message.</summary>
    public required IReadOnlyList<PerftestSection> Sections { get; init; }

    public IReadOnlyList<Series> Series =>
        [.. Sections.SelectMany(section => section.Rows.Select(row => Reports.Series.OfRates(
            $"{Operation}/{section.Queue.DeliveryMode}/{row.Payload}{(row.Route == PerftestRow.Local ? "" : ", " + row.Route)}", row.Rounds)))];

    /// <summary>The link that the rows <c>remote</c> were measured over; null without them.</summary>
    public string? Link { get; init; }

    /// <summary>Gets how long a byte takes over the link and back, measured without a queue, in milliseconds; null without a link.</summary>
    public double? LinkRoundTripMilliseconds { get; init; }

    /// <summary>The requested rows that were not measured, each with the reason.</summary>
    public IReadOnlyList<string> NotMeasured { get; init; } = [];
#if NET

    /// <summary>The study's findings, and the results here.</summary>
    public IReadOnlyList<Compare.Finding> Findings { get; init; } = [];
#endif
}

/// <summary>The cases of one kind of message.</summary>
/// <param name="Queue">The queue in that mode.</param>
/// <param name="IsOffered">Whether it has the mode; there are no rows if not.</param>
/// <param name="Rows">One row a payload.</param>
internal sealed record PerftestSection(QueueInfo Queue, bool IsOffered, IReadOnlyList<PerftestRow> Rows);

/// <param name="Payload">The payload's name.</param>
/// <param name="BodyBytes">The length of one body in bytes.</param>
/// <param name="BatchCount">The messages of one batch.</param>
/// <param name="Rate">Messages per second, over the batches.</param>
/// <param name="Rounds">Messages per second, batch by batch.</param>
/// <param name="Ratio">Messages per second over those of the row BinaryFormatter of the same kind in the same round; null without that row.</param>
/// <param name="Use">What this process needed for each message, preparation and purging of the batches included.</param>
internal sealed record PerftestRow(
    string Payload, int BodyBytes, int BatchCount, Statistics Rate, IReadOnlyList<double> Rounds, RateRatio? Ratio, ResourceUse? Use)
{
    /// <summary>The plain way to the queue.</summary>
    internal const string Local = "local";

    /// <summary>By way of a proxy with delay and bandwidth.</summary>
    internal const string Remote = "remote";

    /// <summary>By a program in C.</summary>
    internal const string Native = "C";

    /// <summary>The way to the queue: <c>local</c>, <c>remote</c>, <c>C</c>, <c>1 send to 5</c>, <c>5 sends</c>.</summary>
    public string Route { get; init; } = Local;

    /// <summary>The figure of the study's Appendix A for the same; null where it has none.</summary>
    public StudyFigure? Study { get; init; }
}
