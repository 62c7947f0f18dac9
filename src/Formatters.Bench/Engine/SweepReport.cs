using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json.Serialization;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Engine;

/// <summary>The outcome of <c>engine sweep</c>: runs that differ in one thing or two.</summary>
/// <param name="Run">How it was obtained.</param>
/// <param name="Kind">What differs: <c>nodes</c>, <c>load</c>, <c>inbound</c> or <c>cores</c>.</param>
/// <param name="Queues">Where the queues are.</param>
/// <param name="Store">Where the trades are.</param>
/// <param name="Points">The runs, in the order in which they ran.</param>
internal sealed record SweepReport(
    RunInfo Run, string Kind, [property: JsonPropertyName("queue")] string Queues, string Store, IReadOnlyList<SweepPoint> Points) : IMeasuredReport
{
    /// <inheritdoc/>
    public string Verb => "engine sweep";

    /// <inheritdoc/>
    public IReadOnlyList<Series> Series =>
    [
        .. Points.GroupBy(point => point.Name).Select(group => Reports.Series.OfRates($"sweep/{group.Key}", [.. group.Select(point => point.MessagesPerSecond)])),
    ];

    /// <summary>The study's figures that these runs make.</summary>
    public IReadOnlyList<Figure> Figures => Kind switch
    {
        "nodes" => [RateByNodes(), RateOfEachNode(), InsertRate(), DiskQueue(), LossByNodes()],
        "load" => [ResponseByThroughput()],
        "inbound" => [StartByInbound()],
        _ => [RateByCores()],
    };

    private int[] Nodes => [.. Points.Select(point => point.Nodes).Distinct().Order()];

    private int[] Databases => [.. Points.Select(point => point.Databases).Distinct().Order()];

    private Figure RateByNodes() => new(
        "Figures 11 and 12: messages a second by nodes and databases",
        "Component processes on one machine. Simulated: from the processor time that these runs took. Hollow mark: the study, eight nodes and four database servers.",
        Reports.Series.MessagesPerSecond,
        "nodes",
        [.. Nodes.Append(8).Distinct().Order().Select(Text)],
        [
            .. Databases.Select(databases => Line($"{databases} database{(databases == 1 ? "" : "s")}", databases, point => point.MessagesPerSecond)),
            .. Databases.Select(databases => Line($"{databases}, simulated", databases, point => point.Simulated?.MessagesPerSecond)),
            new FigureLine("the study", [.. Nodes.Append(8).Distinct().Order().Select(nodes => nodes == 8 ? (double?)EngineStudy.MessagesPerSecond : null)], IsStudy: true),
        ]);

    private Figure RateOfEachNode() => ByNodes(
        "Figure 7: messages a second of each node", "In the study it fell with the second node while there was one database.",
        Reports.Series.MessagesPerSecond, point => point.MessagesPerSecond / point.Nodes);

    private Figure InsertRate() => ByNodes(
        "Figure 8: rows inserted a second", "Rows of trades and of the audit trail. In the study inserts fell with the number of nodes while there was one database.",
        "rows/s", point => point.InsertRate);

    private Figure DiskQueue() => ByNodes(
        "Figure 8, its cause: requests at the disk",
        "How many requests the busiest disk of the machine had on average, those of other programs included.", "requests", point => point.DiskQueue);

    private Figure LossByNodes() => ByNodes(
        "Figure 13: response time by nodes", "Median from a trade's last message to its CLS.", "ms", point => point.LatencySeconds * 1000);

    private Figure ByNodes(string title, string caption, string unit, System.Func<SweepPoint, double?> of) => new(
        title, caption, unit, "nodes", [.. Nodes.Select(Text)],
        [.. Databases.Select(databases => new FigureLine(
            $"{databases} database{(databases == 1 ? "" : "s")}", [.. Nodes.Select(nodes => Median(databases, nodes, of))]))]);

    private FigureLine Line(string name, int databases, System.Func<SweepPoint, double?> of) =>
        new(name, [.. Nodes.Append(8).Distinct().Order().Select(nodes => Median(databases, nodes, of))]);

    private double? Median(int databases, int nodes, System.Func<SweepPoint, double?> of)
    {
        double?[] values = [.. Points.Where(point => point.Databases == databases && point.Nodes == nodes).Select(of).Where(value => value is not null).Order()];
        return values.Length == 0 ? null : values[values.Length / 2];
    }

    private Figure ResponseByThroughput()
    {
        SweepPoint[] points = [.. Points.OrderBy(point => point.MessagesPerSecond)];
        return new Figure(
            "Figures 13 and 16: measured Little's-law curve",
            "Time of a message in the network by the messages a second that the driver sent: R = N / X by the lengths of all queues, and the median from a trade's last message to its CLS. "
            + "Hollow mark: the study's sample, a node at its limit.",
            "ms",
            Reports.Series.MessagesPerSecond,
            [.. points.Select(point => point.MessagesPerSecond.ToString("0", CultureInfo.InvariantCulture))],
            [
                new FigureLine("R by the lengths", [.. points.Select(point => (double?)(point.ResponseSeconds * 1000))]),
                new FigureLine("to the CLS, median", [.. points.Select(point => (double?)(point.LatencySeconds * 1000))]),
            ]);
    }

    private Figure StartByInbound() => new(
        "Figure 5, its cure: the start by in-bound queues",
        "From the first message sent to the first CLS, all messages sent at once. The study: several seconds with one queue.",
        "ms",
        null,
        [.. Points.Select(point => point.Name).Distinct()],
        [
            new FigureLine("first CLS", [.. Points.GroupBy(point => point.Name).Select(group => (double?)(group.Average(point => point.StartSeconds) * 1000))]),
        ]);

    private Figure RateByCores() => new(
        "Scale-up: one core against two",
        "Messages a second of the whole network in one process.",
        Reports.Series.MessagesPerSecond,
        null,
        [.. Points.Select(point => point.Name).Distinct()],
        [new FigureLine("here", [.. Points.GroupBy(point => point.Name).Select(group => (double?)group.Average(point => point.MessagesPerSecond))])]);

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}

/// <summary>A run of a sweep.</summary>
/// <param name="Name">What was different.</param>
/// <param name="Nodes">How many processes ran the components; 1 if that of the driver did.</param>
/// <param name="Databases">How many databases.</param>
/// <param name="MessagesPerSecond">In-bound messages a second.</param>
/// <param name="InsertRate">Rows a second; null where the store has no rows.</param>
/// <param name="DiskQueue">Requests at the busiest disk, on average.</param>
/// <param name="StartSeconds">To the first CLS.</param>
/// <param name="LatencySeconds">From a trade's last message to its CLS, median.</param>
/// <param name="ResponseSeconds">R of the network, by the lengths.</param>
/// <param name="ProcessorUtilization">Of the engine's processes, as a share of the processors.</param>
/// <param name="Processors">Processor time of a message.</param>
/// <param name="IsRight">Whether every trade ended as it must.</param>
/// <param name="Simulated">What the simulation says of this case; null where it was not asked.</param>
internal sealed record SweepPoint(
    string Name,
    int Nodes,
    int Databases,
    double MessagesPerSecond,
    double? InsertRate,
    double DiskQueue,
    double StartSeconds,
    double LatencySeconds,
    double ResponseSeconds,
    double ProcessorUtilization,
    Formatters.TradeEngine.Runs.ProcessorShares Processors,
    bool IsRight,
    Formatters.TradeEngine.Simulation.SimulationResult? Simulated);
