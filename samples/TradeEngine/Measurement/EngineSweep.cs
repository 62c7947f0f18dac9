using Formatters.TradeEngine.CommandLine;
using Formatters.TradeEngine.Runs;
using Formatters.TradeEngine.Simulation;

namespace Formatters.TradeEngine.Measurement;

/// <param name="Name">For the table.</param>
/// <param name="Nodes">How many component processes.</param>
/// <param name="Load">The rate, as a share of full load; null for no rate.</param>
/// <param name="Change">Changes the options; null for nothing.</param>
internal sealed record SweepCase(string Name, int Nodes, int Databases, double? Load, Func<EngineRunOptions, EngineRunOptions>? Change);

/// <summary>Runs the cases of a sweep.</summary>
/// <param name="warmTrades">How many trades each run sends before its measurement; null: as many as the kind of the sweep needs.</param>
/// <param name="store">Where the trades are; null: in a new folder.</param>
/// <param name="folder">The folder of this sweep; null if it needs none.</param>
internal sealed class EngineSweep(
    QueueConnector connector, TimeProvider clock, EngineRunOptions options, int? warmTrades, string? store, string? folder, string commandLine)
{
    /// <summary>Enough for a new process to have compiled its code.</summary>
    private const int WarmTradesOfNodes = 2_000;

    private const int WarmTradesOfOthers = 200;

    /// <summary>By how much the rate is raised until the engine does not keep up.</summary>
    private const double RateStep = 1.4;

    private const double KeepsUp = 0.9;

    /// <summary>How many runs at a rate that is too high tell the rate of full load.</summary>
    private const int LimitRuns = 3;

    private readonly List<EngineReport> _ofFirstCase = [];
    private int _runs;

    internal async Task<SweepReport> RunAsync(
        IProgress<double> progress, string kind, IReadOnlyList<SweepCase> cases, int rounds, CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        bool hasProcesses = kind == "nodes";
        // All queues of all cases, before the first run: those after it delete what the ones before have left.
        if (!IsOwn(options.QueuePrefix))
        {
            EngineRunOptions largest = cases.Select(item => item.Change?.Invoke(options) ?? options).MaxBy(static run => run.InboundQueueCount)!;
            largest = largest with { Clearings = store is null ? null : EngineStores.ClearingsOf(store) };
            await EngineMeasurement.CheckQueuesAsync(connector, largest, hasProcesses, cancellationToken);
        }

        bool hasLoads = cases.Any(item => item.Load is not null);
        // Nothing that warms up is measured: the runs that find full load, or a round of all cases.
        double? limit = hasLoads ? await FindLimitAsync(cases[0], cancellationToken) : null;
        foreach (SweepCase item in hasLoads ? [] : cases)
            await RunCheckedAsync(item, null, hasProcesses, cancellationToken);
        int before = _runs;
        double flush = hasProcesses ? EngineSimulations.MeasureFlush(".") : 0;
        var points = new List<SweepPoint>();
        int round = 0;
        int done = await Rounds.RunAsync(
            [.. Enumerable.Range(0, cases.Count)],
            completed =>
            {
                round = completed;
                return completed < rounds;
            },
            async i =>
            {
                EngineReport report = await RunAsync(cases[i], cases[i].Load * limit, hasProcesses, cancellationToken);
                points.Add(ToPoint(cases[i], round, report));
                if (i == 0)
                    _ofFirstCase.Add(report);
                progress.Report((double)(_runs - before) / (cases.Count * rounds));
            },
            cancellationToken);
        // The round that was not finished does not count.
        points.RemoveAll(point => point.Round >= done);
        _ofFirstCase.RemoveRange(done, _ofFirstCase.Count - done);

        // In the order of the cases, whatever that of their turns was.
        IEnumerable<SweepPoint> all = hasProcesses ? Foretell(points, flush) : points;
        points = [.. all.OrderBy(point => point.Round).ThenBy(point => cases.TakeWhile(item => item.Name != point.Name).Count())];
        return new SweepReport(recorder.Finish(done < rounds), kind, Shown(options.QueuePrefix), Shown(store ?? "a new folder"), points)
        {
            Limit = limit,
            Findings = SweepFindings.Judge(kind, points),
        };
    }

    /// <summary>Finds the messages a second that the engine reaches when more are due than it can do.</summary>
    private async Task<double> FindLimitAsync(SweepCase item, CancellationToken cancellationToken)
    {
        item = item with { Load = 1 };
        double rate = await RunCheckedAsync(item, null, false, cancellationToken);
        while (await RunCheckedAsync(item, rate, false, cancellationToken) > KeepsUp * rate)
            rate *= RateStep;
        var reached = new List<double>();
        while (reached.Count < LimitRuns)
            reached.Add(await RunCheckedAsync(item, rate, false, cancellationToken));
        return Statistics.Of(reached).Median;
    }

    /// <summary>Runs a case that is not measured.</summary>
    /// <returns>Messages a second.</returns>
    /// <exception cref="QueueException">It did not end as it must.</exception>
    private async Task<double> RunCheckedAsync(SweepCase item, double? rate, bool hasProcesses, CancellationToken cancellationToken)
    {
        EngineReport report = await RunAsync(item, rate, hasProcesses, cancellationToken);
        return report.Result.IsRight
            ? report.Result.MessagesPerSecond
            : throw new QueueException($"The run to warm up did not end as it must: {report.Result.Clearings} "
            + $"CLS of {report.Result.ExpectedClearings}.");
    }

    /// <summary>Whether the queues are in a folder that this run has made.</summary>
    private bool IsOwn(string prefix) => folder is not null && prefix.StartsWith("file:" + folder, StringComparison.Ordinal);

    private static string Shown(string address) => address.Contains('@', StringComparison.Ordinal) ? QueueAddress.Parse(address).ToString() : address;

    /// <summary>Gives each case what the simulation of its machine says, from the figures of the first case alone: of its round with the median
    /// rate.</summary>
    private IEnumerable<SweepPoint> Foretell(IEnumerable<SweepPoint> points, double flush)
    {
        EngineReport median = _ofFirstCase.OrderBy(report => report.Result.MessagesPerSecond).ElementAt(_ofFirstCase.Count / 2);
        SimulationOptions simulation = EngineSimulations.Of(median.Result, options.InstanceCount, options.BatchSize, flush) with
        {
            SharedProcessors = Environment.ProcessorCount,
        };
        return points.GroupBy(point => (point.Nodes, point.Databases)).SelectMany(group =>
        {
            SimulationResult simulated = EngineSimulation.Run(simulation with { Nodes = group.Key.Nodes, Databases = group.Key.Databases });
            return group.Select(point => point with { Simulated = simulated });
        });
    }

    private static SweepPoint ToPoint(SweepCase item, int round, EngineReport report)
    {
        EngineRunResult result = report.Result;
        return new SweepPoint(
            item.Name,
            item.Nodes,
            item.Databases,
            result.MessagesPerSecond,
            report.InsertRate,
            result.DiskQueue,
            result.StartSeconds ?? 0,
            result.Latency?.Median ?? 0,
            result.Analysis.ResponseSeconds,
            result.Analysis.ProcessorUtilization,
            result.Processors,
            result.IsRight,
            null)
        {
            Round = round,
            Load = item.Load,
        };
    }

    private async Task<EngineReport> RunAsync(SweepCase item, double? rate, bool hasProcesses, CancellationToken cancellationToken)
    {
        string own = string.Create(CultureInfo.InvariantCulture, $"{folder}/{_runs++}");
        EngineRunOptions run = options with { Rate = rate };
        // A slow run takes as long as a fast one: it has fewer trades.
        int trades = Math.Max(100, (int)(run.Set.TradeCount * Math.Min(1, item.Load ?? 1)));
        run = run with
        {
            Set = run.Set with { TradeCount = trades },
            WarmTrades = warmTrades ?? (hasProcesses ? WarmTradesOfNodes : rate is null ? WarmTradesOfOthers : (trades + 3) / 4),
        };
        if (IsOwn(run.QueuePrefix))
            run = run with { QueuePrefix = $"file:{own}/queues/" };
        run = item.Change?.Invoke(run) ?? run;
        // In a folder each run has a store of its own.
        string place = store is null ? own
            + "/store" : EngineStores.IsPostgreSql(store) ? store : string.Create(CultureInfo.InvariantCulture, $"{store}/{_runs}");
        // What a run before has left is ours.
        if (_runs > 1 && EngineStores.IsPostgreSql(place))
            run = run with { Purges = true };
        using EngineKeyFile? key = hasProcesses ? EngineKeyFile.Create(null, run.Signature) : null;
        await using NodeFleet? fleet = key is null
            ? null
            : new NodeFleet(SweepCommand.NodeArguments(run, place, item.Databases, key.NodeEntry), item.Nodes, 0);
        run = run with { Fleet = fleet, Key = key?.Key };
        EngineReport report =
            await EngineMeasurement.RunAsync((IProgress<double>?)null, connector, place, item.Databases, run, commandLine, clock, cancellationToken);
        if (folder is not null && Directory.Exists(own))
            Directory.Delete(own, recursive: true);
        return report;
    }
}
