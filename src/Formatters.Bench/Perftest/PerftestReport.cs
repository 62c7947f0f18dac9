using System.Collections.Generic;
using System.Linq;
using Formatters.Bench.Measurement;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Perftest;

/// <summary>The outcome of <c>perftest</c>: what <c>--json</c> writes.</summary>
internal sealed record PerftestReport : IMeasuredReport
{
    /// <inheritdoc/>
    public string Verb => "perftest";

    /// <summary>What was run, where and when.</summary>
    public required RunInfo Run { get; init; }

    /// <summary>What was timed.</summary>
    public required PerftestOperation Operation { get; init; }

    /// <summary>How many queues each message was sent to.</summary>
    public required int QueueCount { get; init; }

    /// <summary>The cases by kind of message.</summary>
    public required IReadOnlyList<PerftestSection> Sections { get; init; }

    /// <inheritdoc/>
    public IReadOnlyList<Series> Series =>
        [.. Sections.SelectMany(section => section.Rows.Select(row => Reports.Series.OfRates($"{Operation}/{section.Queue.DeliveryMode}/{row.Payload}", row.Rounds)))];
}

/// <summary>The cases of one kind of message.</summary>
/// <param name="Queue">The queue in that mode.</param>
/// <param name="IsOffered">Whether it has the mode; there are no rows if not.</param>
/// <param name="Rows">One row a payload.</param>
internal sealed record PerftestSection(QueueInfo Queue, bool IsOffered, IReadOnlyList<PerftestRow> Rows);

/// <summary>One case.</summary>
/// <param name="Payload">The payload's name.</param>
/// <param name="BodyBytes">The length of one body in bytes.</param>
/// <param name="BatchCount">The messages of one batch.</param>
/// <param name="Rate">Messages per second, over the batches.</param>
/// <param name="Rounds">Messages per second, batch by batch.</param>
/// <param name="Ratio">Messages per second over those of the row BinaryFormatter of the same kind in the same round; null without that row.</param>
/// <param name="Use">What this process needed for each message, preparation and purging of the batches included.</param>
internal sealed record PerftestRow(
    string Payload, int BodyBytes, int BatchCount, Statistics Rate, IReadOnlyList<double> Rounds, RateRatio? Ratio, ResourceUse? Use);
