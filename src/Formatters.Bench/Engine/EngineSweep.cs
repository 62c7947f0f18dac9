using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.CommandLine;
using Formatters.Bench.Reports;
using Formatters.Queues;
using Formatters.TradeEngine.Runs;
using Formatters.TradeEngine.Simulation;

namespace Formatters.Bench.Engine;

/// <summary>A case of a sweep.</summary>
/// <param name="Name">For the table.</param>
/// <param name="Nodes">How many component processes.</param>
/// <param name="Databases">How many databases.</param>
/// <param name="Load">The rate, as a share of what a run without a limit reaches; null for no limit.</param>
/// <param name="Change">Changes the options; null for nothing.</param>
internal sealed record SweepCase(string Name, int Nodes, int Databases, double? Load, Func<EngineRunOptions, EngineRunOptions>? Change);

/// <summary>Runs the cases of a sweep.</summary>
internal sealed class EngineSweep(
    QueueConnector connector, TimeProvider clock, EngineRunOptions options, string? store, string? folder, string commandLine)
{
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

        double? limit = null;
        if (cases.Any(item => item.Load is not null))
            limit = (await RunAsync(cases[0] with { Load = null }, null, hasProcesses, 1, cancellationToken)).Result.MessagesPerSecond;
        double flush = hasProcesses ? EngineSimulations.MeasureFlush(".") : 0;
        var points = new List<SweepPoint>();
        for (int round = 0; round < rounds; round++)
        {
            for (int i = 0; i < cases.Count; i++)
            {
                SweepCase item = cases[i];
                double? rate = item.Load * limit;
                EngineReport report = await RunAsync(item, rate, hasProcesses, rate is { } slow ? Math.Min(1, slow / limit!.Value) : 1, cancellationToken);
                points.Add(ToPoint(item, report, flush));
                progress.Report(((round * cases.Count) + i + 1.0) / (rounds * cases.Count));
            }
        }

        // Of the first case: what one process and one database take is what the others are foretold from.
        if (hasProcesses)
            points = [.. Foretell(points, flush)];
        return new SweepReport(recorder.Finish(isInterrupted: false), kind, Shown(options.QueuePrefix), Shown(store ?? "a new folder"), points);
    }

    /// <summary>Whether the queues are in a folder that this run has made.</summary>
    private bool IsOwn(string prefix) => folder is not null && prefix.StartsWith("file:" + folder, StringComparison.Ordinal);

    private static string Shown(string address) => address.Contains('@', StringComparison.Ordinal) ? QueueAddress.Parse(address).ToString() : address;

    private readonly List<(SweepPoint Point, EngineReport Report)> _measured = [];

    /// <summary>Gives each case what the simulation of its machine says, from the figures of the first case alone.</summary>
    private IEnumerable<SweepPoint> Foretell(IEnumerable<SweepPoint> points, double flush)
    {
        SimulationOptions simulation = EngineSimulations.Of(_measured[0].Report.Result, options.InstanceCount, options.BatchSize, flush) with
        {
            SharedProcessors = Environment.ProcessorCount,
        };
        foreach (SweepPoint point in points)
            yield return point with { Simulated = EngineSimulation.Run(simulation with { Nodes = point.Nodes, Databases = point.Databases }) };
    }

    private SweepPoint ToPoint(SweepCase item, EngineReport report, double flush)
    {
        EngineRunResult result = report.Result;
        var point = new SweepPoint(
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
            null);
        _measured.Add((point, report));
        return point;
    }

    private async Task<EngineReport> RunAsync(SweepCase item, double? rate, bool hasProcesses, double share, CancellationToken cancellationToken)
    {
        string own = string.Create(CultureInfo.InvariantCulture, $"{folder}/{_runs++}");
        EngineRunOptions run = options with { Rate = rate };
        // A slow run takes as long as a fast one: it has fewer trades.
        run = run with { Set = run.Set with { TradeCount = Math.Max(100, (int)(run.Set.TradeCount * share)) } };
        if (IsOwn(run.QueuePrefix))
            run = run with { QueuePrefix = $"file:{own}/queues/" };
        run = item.Change?.Invoke(run) ?? run;
        // In a folder each run has a store of its own.
        string place = store is null ? own + "/store" : EngineStores.IsPostgreSql(store) ? store : string.Create(CultureInfo.InvariantCulture, $"{store}/{_runs}");
        // What a run before has left is ours.
        if (_runs > 1 && EngineStores.IsPostgreSql(place))
            run = run with { Purges = true };
        using EngineKeyFile? key = hasProcesses ? EngineKeyFile.Create(null, run.Signature) : null;
        await using NodeFleet? fleet = key is null
            ? null
            : new NodeFleet(EngineSweepCommand.NodeArguments(run, place, item.Databases, key.NodeEntry), item.Nodes, 0);
        run = run with { Fleet = fleet, Key = key?.Key };
        EngineReport report = await EngineMeasurement.RunAsync((IProgress<double>?)null, connector, place, item.Databases, run, commandLine, clock, cancellationToken);
        if (folder is not null && Directory.Exists(own))
            Directory.Delete(own, recursive: true);
        return report;
    }
}
