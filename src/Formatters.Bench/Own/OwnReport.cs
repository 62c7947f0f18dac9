using Formatters.Bench.Compare;

namespace Formatters.Bench.Own;

/// <summary>The report of <c>own</c>.</summary>
internal sealed record OwnReport : IMeasuredReport
{
    public string Verb => "own";
    public required RunInfo Run { get; init; }

    /// <summary>The queue between sender and receiver.</summary>
    public required QueueInfo Queue { get; init; }

    /// <summary>The type of the user.</summary>
    public required string Type { get; init; }

    /// <summary>Gets how many samples were sent in turn.</summary>
    public required int SampleCount { get; init; }

    /// <summary>The messages of one batch: sent, then received.</summary>
    public required int BatchCount { get; init; }

    /// <summary>The row that ratios are to: JSON, or the fastest row if JSON does not support the type or changes something in it.</summary>
    public required string Base { get; init; }

    /// <summary>The formatters that take the type; those that keep everything first.</summary>
    public required IReadOnlyList<OwnRow> Rows { get; init; }

    /// <summary>The formatters that do not take the type.</summary>
    public required IReadOnlyList<OwnRefusal> Refused { get; init; }

    /// <summary>The recommendation; null where every formatter changes something, or the run ended before the formatters were measured
    /// alone.</summary>
    public required OwnAdvice? Advice { get; init; }

    /// <summary>The rounds of the formatters that keep everything: the others are not compared with them.</summary>
    public IReadOnlyList<Series> Series => [.. Rows.Where(static row => row.Changes.Count == 0).SelectMany(row => row.ToSeries(Base))];
}

/// <summary>A formatter that takes the type.</summary>
/// <param name="Description">What writes the bytes.</param>
/// <param name="Changes">What is lost or changed by a round trip, as <c>Order.Note: dropped (a value became null)</c>; empty if nothing is.</param>
/// <param name="CanChange">Whether a reader with other members than the writer reads the body; null if that is not known, as of a formatter of
/// the user's.</param>
/// <param name="IsForNewBodies">Whether one would choose it today.</param>
/// <param name="Rates">Its rates over the queue.</param>
/// <param name="WriteRounds">Nanoseconds to write one body, without a queue, round by round.</param>
/// <param name="ReadRounds">Nanoseconds to read one body, without a queue, round by round.</param>
/// <param name="Ratio">How many times as fast as the row <see cref="OwnReport.Base"/> it writes and reads a body, without a queue; null if the run
/// ended before that was measured.</param>
internal sealed record OwnRow(
    string Formatter,
    string Description,
    IReadOnlyList<string> Changes,
    bool? CanChange,
    bool IsForNewBodies,
    CompareRow Rates,
    IReadOnlyList<double> WriteRounds,
    IReadOnlyList<double> ReadRounds,
    RateRatio? Ratio)
{
    internal IEnumerable<double> BodiesPerSecond => WriteRounds.Zip(ReadRounds, static (write, read) => 1e9 / (write + read));

    internal IEnumerable<Series> ToSeries(string baseRow) =>
    [
        .. Rates.ToSeries("own", baseRow),
        new Series($"own/{Formatter}/write", "ns", IsHigherBetter: false, WriteRounds) { Reference = $"own/{baseRow}/write" },
        new Series($"own/{Formatter}/read", "ns", IsHigherBetter: false, ReadRounds) { Reference = $"own/{baseRow}/read" },
    ];
}

/// <summary>A formatter that does not take the type.</summary>
/// <param name="Reason">The error, in a line.</param>
internal sealed record OwnRefusal(string Formatter, string Reason);

/// <param name="Reasons">Why, and what speaks against it: sentences.</param>
internal sealed record OwnAdvice(string Formatter, IReadOnlyList<string> Reasons);
