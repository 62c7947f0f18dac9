using Formatters.Bench.Own;

namespace Formatters.Bench.Compare;

/// <summary>The outcome of <c>compare</c>: what the table shows, and what <c>--json</c> writes.</summary>
internal sealed record CompareReport : IMeasuredReport
{
    public string Verb => "compare";
    public required RunInfo Run { get; init; }

    /// <summary>The queue between sender and receiver.</summary>
    public required QueueInfo Queue { get; init; }

    /// <summary>The type of the user's that the rows are over; null for the study's order.</summary>
    public string? Type { get; init; }

    /// <summary>Formatters that do not take that type, or lose or change something in it: they are not compared.</summary>
    public IReadOnlyList<OwnRefusal> Refused { get; init; } = [];

    /// <summary>The row that ratios are to: MessagePack-CSharp; with <c>--study</c>, or without that row, BinaryFormatter, where it takes the
    /// type.</summary>
    public string Base { get; init; } = OrderFormatterRows.Legacy;

    /// <summary>The line items of each order.</summary>
    public required int LineItems { get; init; }

    /// <summary>The messages of one batch: sent, then received.</summary>
    public required int BatchCount { get; init; }

    /// <summary>The formatters over the order.</summary>
    public required IReadOnlyList<CompareRow> Orders { get; init; }

    /// <summary>The formatters over an Int32.</summary>
    public required IReadOnlyList<CompareRow> Int32s { get; init; }

    /// <summary>The study's findings, each with what was measured here.</summary>
    public required IReadOnlyList<Finding> Findings { get; init; }

    public IReadOnlyList<Series> Series =>
        [.. Orders.SelectMany(row => row.ToSeries(Type ?? "order", Base)), .. Int32s.SelectMany(static row => row.ToSeries("Int32"))];
}

/// <summary>One formatter's line.</summary>
/// <param name="BodyBytes">The length of one body in bytes.</param>
/// <param name="Send">Messages sent per second, over the rounds.</param>
/// <param name="Receive">Messages received and read per second, over the rounds.</param>
/// <param name="SendRatio">Messages sent per second over those of the base row in the same round; null without that row.</param>
/// <param name="ReceiveRatio">The same for messages received; null without that row.</param>
/// <param name="WriteNanoseconds">Time to write one body, without a queue; null if the run was ended before.</param>
/// <param name="ReadNanoseconds">Time to read one body, without a queue; null if the run was ended before.</param>
/// <param name="SendRounds">Messages sent per second, round by round.</param>
/// <param name="ReceiveRounds">Messages received and read per second, round by round.</param>
/// <param name="SendUse">What this process needed to write and send a message.</param>
/// <param name="ReceiveUse">What this process needed to receive and read a message.</param>
/// <param name="CanChange">Whether readers may have other members than writers; null if that is not known.</param>
internal sealed record CompareRow(
    string Formatter,
    int BodyBytes,
    Statistics Send,
    Statistics Receive,
    RateRatio? SendRatio,
    RateRatio? ReceiveRatio,
    double? WriteNanoseconds,
    double? ReadNanoseconds,
    IReadOnlyList<double> SendRounds,
    IReadOnlyList<double> ReceiveRounds,
    ResourceUse? SendUse = null,
    ResourceUse? ReceiveUse = null,
    bool? CanChange = null)
{
    /// <summary>The rounds, under the names of what was sent.</summary>
    /// <param name="baseRow">The row that ratios are to.</param>
    internal IEnumerable<Series> ToSeries(string payload, string baseRow = OrderFormatterRows.Legacy) =>
    [
        Series.OfRates($"{payload}/{Formatter}/send", SendRounds) with { Reference = $"{payload}/{baseRow}/send" },
        Series.OfRates($"{payload}/{Formatter}/receive", ReceiveRounds) with { Reference = $"{payload}/{baseRow}/receive" },
    ];
}
