using Formatters.TradeEngine.Simulation;

namespace Formatters.TradeEngine.Measurement;

/// <summary>The outcome of <c>simulate</c>: the engine on several machines.</summary>
/// <param name="MeasuredRate">Messages a second of the run that the times are from.</param>
/// <param name="RowsOfMessage">How many rows a message added there; null where the store has no rows.</param>
/// <param name="Machines">On what and with which times.</param>
internal sealed record SimulationReport(
    RunInfo Run, double MeasuredRate, double? RowsOfMessage, SimulatedMachines Machines, IReadOnlyList<SimulationPoint> Points) : IMeasuredReport
{
    public string Verb => "engine simulate";

    public IReadOnlyList<Series> Series =>
    [
        .. Points.Select(point => Bench.Reports.Series.OfRates(
            string.Create(CultureInfo.InvariantCulture, $"simulate/{point.Nodes}/{point.Databases}"), [point.Result.MessagesPerSecond])),
    ];

    /// <summary>The study's figures, by the simulation.</summary>
    public IReadOnlyList<Figure> Figures =>
    [
        RateByNodes(),
        ByNodes("Figure 7, simulated: messages a second of each node", "In the study it fell with the third node while there was one database.",
            Bench.Reports.Series.MessagesPerSecond, point => point.Result.MessagesPerSecond / point.Nodes),
        ByNodes("Figure 8, simulated: rows inserted a second for each node",
            "In the study inserts fell with the number of nodes while there was one database.",
            "rows/s", point => RowsOfMessage * point.Result.MessagesPerSecond / point.Nodes),
        ByNodes("Figure 8, its cause, simulated: batches at the disk",
            "How many wait for the disk of a database or are being written to it, on average.",
            "batches", point => point.Result.DiskQueue),
        ByNodes("Figure 13, simulated: response time by nodes", "Of a message after the in-bound queue.", "ms",
            point => point.Result.ResponseSeconds * 1000),
    ];

    private int[] Nodes => [.. Points.Select(point => point.Nodes).Distinct().Order()];

    private Figure RateByNodes()
    {
        Figure rates = ByNodes(
            "Figures 11 and 12, simulated: messages a second by nodes and databases",
            "Each node and each database on a machine of its own. Hollow mark: the study, eight nodes and four database servers.",
            Bench.Reports.Series.MessagesPerSecond,
            point => point.Result.MessagesPerSecond);
        return rates with
        {
            Lines = [.. rates.Lines,
                new FigureLine("the study", [.. Nodes.Select(nodes => nodes == 8 ? (double?)EngineStudy.MessagesPerSecond : null)], IsStudy: true)],
        };
    }

    private Figure ByNodes(string title, string caption, string unit, Func<SimulationPoint, double?> of) => new(
        title, caption, unit, "nodes", [.. Nodes.Select(nodes => nodes.ToString(CultureInfo.InvariantCulture))],
        [.. Points.Select(point => point.Databases).Distinct().Order().Select(databases => new FigureLine(
            $"{databases} database{(databases == 1 ? "" : "s")}",
            [.. Nodes.Select(nodes => Points.Where(point => point.Databases == databases && point.Nodes == nodes).Select(of).FirstOrDefault())]))]);
}

/// <summary>The machines of a simulation, and the times of a message there, in seconds of one processor.</summary>
/// <param name="Drivers">How many send messages and take the CLS.</param>
/// <param name="Brokers">How many have queues.</param>
/// <param name="Database">Of a database server.</param>
/// <param name="Flush">How long a flush of a database's disk takes.</param>
/// <param name="Disk">How long such a disk takes to write what a message adds; zero: it is no limit.</param>
internal sealed record SimulatedMachines(
    int Processors, int Drivers, int Brokers, double Node, double Database, double Broker, double Driver, double Flush, double Disk);

/// <summary>A simulated engine.</summary>
/// <param name="Nodes">How many machines run components.</param>
/// <param name="Result">What it reaches.</param>
internal sealed record SimulationPoint(int Nodes, int Databases, SimulationResult Result);
