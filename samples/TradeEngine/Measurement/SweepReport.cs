using System.Text.Json.Serialization;
using Formatters.Bench.Compare;
using Formatters.TradeEngine.Runs;
using Formatters.TradeEngine.Simulation;

namespace Formatters.TradeEngine.Measurement;

/// <summary>The outcome of <c>sweep</c>: runs that differ in one thing or two.</summary>
/// <param name="Kind">What differs: <c>nodes</c>, <c>load</c>, <c>inbound</c> or <c>cores</c>.</param>
/// <param name="Store">Where the trades are.</param>
/// <param name="Points">The measured runs, round by round, in the order of the cases.</param>
internal sealed record SweepReport(
    RunInfo Run, string Kind, [property: JsonPropertyName("queue")] string Queues, string Store, IReadOnlyList<SweepPoint> Points) : IMeasuredReport
{
    public string Verb => "engine sweep";

    /// <summary>Messages a second of full load; null where the cases have no load.</summary>
    public double? Limit { get; init; }

    /// <summary>The study's claims of the cases, with verdicts.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    public IReadOnlyList<Series> Series =>
    [
        .. Cases.Select(rounds => Bench.Reports.Series.OfRates($"sweep/{rounds.Key}", [.. rounds.Select(point => point.MessagesPerSecond)])),
        .. Kind switch
        {
            "load" =>
                Cases.SelectMany(rounds =>
                    new[] { Times(rounds, "latency", point => point.LatencySeconds), Times(rounds, "response", point => point.ResponseSeconds) }),
            "inbound" => Cases.Select(rounds => Times(rounds, "start", point => point.StartSeconds)),
            _ => [],
        },
    ];

    /// <summary>The rounds of each case.</summary>
    internal IEnumerable<IGrouping<string, SweepPoint>> Cases => Points.GroupBy(point => point.Name);

    /// <summary>The median of a figure over rounds with its interval, which is all that was seen if there are fewer than six; null without a
    /// value.</summary>
    internal static RateRatio? Summarize(IEnumerable<SweepPoint> rounds, Func<SweepPoint, double?> of)
    {
        double[] values = [.. rounds.Select(of).OfType<double>()];
        return RateRatio.Paired(values, values.Select(static _ => 1.0));
    }

    private static Series Times(IGrouping<string, SweepPoint> rounds, string name, Func<SweepPoint, double> of) =>
        new($"sweep/{rounds.Key}/{name}", "ms", IsHigherBetter: false, [.. rounds.Select(point => of(point) * 1000)]);

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
        "Component processes on one machine. Simulated: from the processor time that these runs took. Hollow mark: the "
            + "study, eight nodes and four database servers.",
        Bench.Reports.Series.MessagesPerSecond,
        "nodes",
        [.. Nodes.Append(8).Distinct().Order().Select(Text)],
        [
            .. Databases.Select(databases => Line($"{databases} database{Plural(databases)}", databases, point => point.MessagesPerSecond)),
            .. Databases.Select(databases => Line($"{databases}, simulated", databases, point => point.Simulated?.MessagesPerSecond)),
            new FigureLine("the study",
                [.. Nodes.Append(8).Distinct().Order().Select(nodes => nodes == 8 ? (double?)EngineStudy.MessagesPerSecond : null)], IsStudy: true),
        ]);

    private Figure RateOfEachNode() => ByNodes(
        "Figure 7: messages a second of each node", "In the study it fell with the second node while there was one database.",
        Bench.Reports.Series.MessagesPerSecond, point => point.MessagesPerSecond / point.Nodes);

    private Figure InsertRate() => ByNodes(
        "Figure 8: rows inserted a second",
        "Rows of trades and of the audit trail. In the study inserts fell with the number of nodes while there was one database.",
        "rows/s", point => point.InsertRate);

    private Figure DiskQueue() => ByNodes(
        "Figure 8, its cause: requests at the disk",
        "How many requests the busiest disk of the machine had on average, those of other programs included.", "requests", point => point.DiskQueue);

    private Figure LossByNodes() => ByNodes(
        "Figure 13: response time by nodes", "Median from a trade's last message, sent as fast as the engine takes them, to its CLS.", "ms", point =>
            point.LatencySeconds * 1000);

    private Figure ByNodes(string title, string caption, string unit, Func<SweepPoint, double?> of) => new(
        title, caption, unit, "nodes", [.. Nodes.Select(Text)],
        [.. Databases.Select(databases => Line($"{databases} database{Plural(databases)}", Nodes.Select(nodes => Find(databases, nodes)), of))]);

    private FigureLine Line(string name, int databases, Func<SweepPoint, double?> of) =>
        Line(name, Nodes.Append(8).Distinct().Order().Select(nodes => Find(databases, nodes)), of);

    private static FigureLine Line(string name, IEnumerable<IEnumerable<SweepPoint>> cases, Func<SweepPoint, double?> of)
    {
        RateRatio?[] values = [.. cases.Select(rounds => Summarize(rounds, of))];
        return new FigureLine(name, [.. values.Select(value => value?.Value)])
        {
            Low = [.. values.Select(value => value?.Low)],
            High = [.. values.Select(value => value?.High)],
        };
    }

    private IEnumerable<SweepPoint> Find(int databases, int nodes) => Points.Where(point => point.Databases == databases && point.Nodes == nodes);

    private Figure ResponseByThroughput()
    {
        IEnumerable<SweepPoint>[] cases = [.. Cases.OrderBy(rounds => Summarize(rounds, point => point.MessagesPerSecond)?.Value)];
        return new Figure(
            "Figures 13 and 16: measured Little's-law curve",
            "Time of a message in the network by messages a second, which are due one by one at random times: R = N / X by "
                + "the lengths of all queues, and the median "
            + "from the time at which a trade's last message was due to its CLS. Medians of the rounds, with their intervals.",
            "ms",
            Bench.Reports.Series.MessagesPerSecond,
            [.. cases.Select(rounds => Summarize(rounds, point => point.MessagesPerSecond)!.Value.ToString("0", CultureInfo.InvariantCulture))],
            [
                Line("R by the lengths", cases, point => point.ResponseSeconds * 1000),
                Line("to the CLS, median", cases, point => point.LatencySeconds * 1000),
            ]);
    }

    private Figure StartByInbound() => new(
        "Figure 5, its cure: the start by in-bound queues",
        "From the first message sent to the first CLS of a warm engine, all messages sent at once. The study: several seconds with one queue.",
        "ms",
        null,
        [.. Cases.Select(rounds => rounds.Key)],
        [Line("first CLS", Cases, point => point.StartSeconds * 1000)]);

    private Figure RateByCores() => new(
        "Scale-up: one core against two",
        "Messages a second of the whole network in one process.",
        Bench.Reports.Series.MessagesPerSecond,
        null,
        [.. Cases.Select(rounds => rounds.Key)],
        [Line("here", Cases, point => point.MessagesPerSecond)]);

    private static string Plural(int count) => count == 1 ? "" : "s";

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}

/// <param name="Name">What was different.</param>
/// <param name="Nodes">How many processes ran the components; 1 if that of the driver did.</param>
/// <param name="MessagesPerSecond">In-bound messages a second.</param>
/// <param name="InsertRate">Rows a second; null where the store has no rows.</param>
/// <param name="DiskQueue">Requests at the busiest disk, on average.</param>
/// <param name="StartSeconds">To the first CLS.</param>
/// <param name="LatencySeconds">From the time at which a trade's last message was due to its CLS, median.</param>
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
    ProcessorShares Processors,
    bool IsRight,
    SimulationResult? Simulated)
{
    /// <summary>The round, from 0.</summary>
    public int Round { get; init; }

    /// <summary>The rate as a share of full load; null where the case has none.</summary>
    public double? Load { get; init; }
}
