using System.Text.Json;
using Formatters.Bench.Compare;
using Formatters.Bench.Factors;
using Formatters.Bench.Own;
using Formatters.Bench.Throughput;

namespace Formatters.Bench.Report;

/// <summary>The parts of a result file that a report draws beside the series; each is null unless the file's verb writes it.</summary>
internal sealed record ReportPart
{
    /// <summary>The queue of <c>compare</c>, <c>own</c>, <c>factors</c>, <c>throughput</c> and <c>engine</c>; <c>engine sweep</c> has a string
    /// of that name.</summary>
    public JsonElement? Queue { get; init; }

    /// <summary>A study's findings, and the results here.</summary>
    public IReadOnlyList<Finding>? Findings { get; init; }

    /// <summary>The claims of <c>factors</c>.</summary>
    public IReadOnlyList<ClaimRow>? Claims { get; init; }

    /// <summary>Each queue of <c>senders</c> with its findings; other verbs have something else of that name.</summary>
    public JsonElement? Queues { get; init; }

    /// <summary>The kinds of messages of <c>perftest</c>.</summary>
    public IReadOnlyList<SectionPart>? Sections { get; init; }

    /// <summary>The rows of <c>throughput</c>'s senders.</summary>
    public IReadOnlyList<ThroughputRow>? Sends { get; init; }

    /// <summary>The rows of its receivers.</summary>
    public IReadOnlyList<ThroughputRow>? Receives { get; init; }

    /// <summary>Its run as a whole.</summary>
    public ThroughputSummary? Summary { get; init; }

    /// <summary>The steps of <c>throughput --ramp</c>.</summary>
    public IReadOnlyList<RampStep>? Steps { get; init; }

    /// <summary>The recommendation of <c>own</c>.</summary>
    public OwnAdvice? Advice { get; init; }

    /// <summary>The formatters that were left out.</summary>
    public IReadOnlyList<OwnRefusal>? Refused { get; init; }

    /// <summary>Figures that a verb has drawn up itself.</summary>
    public IReadOnlyList<Figure>? Figures { get; init; }

    /// <summary>The result of <c>engine</c>.</summary>
    public JsonElement? Result { get; init; }

    /// <summary>The findings by queue.</summary>
    internal IReadOnlyList<(string Queue, IReadOnlyList<Finding> Findings)> AllFindings()
    {
        var all = new List<(string, IReadOnlyList<Finding>)>();
        if (Findings is { Count: > 0 } own)
            all.Add(("", own));
        if (Queues is not { ValueKind: JsonValueKind.Array } queues)
            return all;
        foreach (JsonElement queue in queues.EnumerateArray())
        {
            if (queue.ValueKind == JsonValueKind.Object
                && queue.Deserialize(ReportJson.Default.QueueFindingsPart) is { Findings: { Count: > 0 } findings, Product: var product })
                all.Add((product ?? "", findings));
        }

        return all;
    }

    /// <summary>The one queue that the file is about; null where it names none.</summary>
    internal QueueInfo? OneQueue => Queue is { ValueKind: JsonValueKind.Object } queue ? queue.Deserialize(ReportJson.Default.QueueInfo) : null;

    /// <summary>The product of the one queue that the file is about; null where it names none.</summary>
    internal string? Product => OneQueue?.Product ?? (Sections is [{ Queue.Product: { } product }, ..] ? product : null);
}

/// <summary>A queue of <c>senders</c>.</summary>
internal sealed record QueueFindingsPart(string? Product, IReadOnlyList<Finding>? Findings);

/// <summary>A kind of messages of <c>perftest</c>.</summary>
internal sealed record SectionPart(QueueInfo? Queue);
