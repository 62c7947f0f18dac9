using System;
using System.Collections.Generic;
using System.CommandLine;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Engine;
using Formatters.Bench.Reports;
using Formatters.Queues;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Runs;
using Formatters.TradeEngine.Simulation;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>engine sweep</c>: the engine in several cases.</summary>
internal static class EngineSweepCommand
{
    private const string OfNodes = "nodes";
    private const string OfLoad = "load";
    private const string OfInbound = "inbound";
    private const string OfCores = "cores";

    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        var shared = new EngineSharedOptions();
        var kind = new Option<string>("--of")
        {
            Description = "nodes: component processes by databases, over a broker and PostgreSQL, each beside its simulation; load: the response time by the rate; "
                + "inbound: the start by in-bound queues; cores: one processor against more.",
            HelpName = "what",
            DefaultValueFactory = _ => OfLoad,
        };
        kind.AcceptOnlyFromAmong(OfNodes, OfLoad, OfInbound, OfCores);
        Option<int> trades = EngineSharedOptions.CreateCount("--trades", "The number of trades in each run.", 5_000, 10_000_000);
        Option<int> rounds = EngineSharedOptions.CreateCount("--rounds", "The number of rounds, in which the cases take turns.", 1, 100);
        Option<int[]> nodes = EngineSharedOptions.CreateCounts("--nodes", "With nodes: how many processes.", [1, 2, 4], 64);
        Option<int[]> loads = EngineSharedOptions.CreateCounts("--loads", "With load: the rates, in percent of what a run without a limit reaches.", [10, 25, 50, 75, 90], 100);
        Option<int[]> inbound = EngineSharedOptions.CreateCounts("--inbound", "With inbound: how many in-bound queues.", [1, 2, 4], 64);
        Option<int[]> databases = EngineSharedOptions.CreateCounts("--by-databases", "With nodes: how many databases.", [1, 2, 4], 64);
        Option<bool> purge = CommonOptions.CreatePurge();
        Option<FileInfo?> json = CommonOptions.CreateJson();
        var command = new Command("sweep", "Runs the engine in several cases, and puts them side by side.") { kind, trades, rounds, nodes, databases, loads, inbound, purge, json };
        foreach (Option option in shared.All.Where(option => option != shared.Databases))
            command.Options.Add(option);
        command.SetAction(async (result, cancellationToken) =>
        {
            CommonOptions.CheckFiles(result.GetValue(json), null);
            string what = result.GetValue(kind)!;
            string? queues = result.GetValue(shared.Queues);
            string? place = result.GetValue(shared.Store);
            if (what == OfNodes)
                EngineSharedOptions.CheckShared(queues, place);
            string? folder = queues is null || place is null ? EngineSharedOptions.NewFolderName() : null;
            EngineRunOptions options = shared.ToRunOptions(result, folder) with
            {
                Set = new MessageSetOptions { Seed = result.GetValue(shared.Seed), TradeCount = result.GetValue(trades) },
                Purges = result.GetValue(purge),
                MonitorInterval = TimeSpan.FromMilliseconds(20),
            };
            IReadOnlyList<SweepCase> cases = what switch
            {
                OfNodes => [.. result.GetValue(databases)!.SelectMany(database => result.GetValue(nodes)!.Select(node =>
                    new SweepCase(Invariant($"{node} node{Plural(node)}, {database} database{Plural(database)}"), node, database, null, null)))],
                OfLoad => [.. result.GetValue(loads)!.Select(load => new SweepCase(Invariant($"{load} %"), 1, 1, load / 100.0, null))],
                OfInbound => [.. result.GetValue(inbound)!.Select(count =>
                    new SweepCase(Invariant($"{count} queue{Plural(count)}"), 1, 1, null, run => run with { InboundQueueCount = count, RouterCount = count, MaxBacklog = 0 }))],
                _ => [.. Enumerable.Range(1, Environment.ProcessorCount).Where(int.IsPow2).Select(count =>
                    new SweepCase(Invariant($"{count} core{Plural(count)}"), 1, 1, null, run => run with { Cores = count }))],
            };
            try
            {
                var sweep = new EngineSweep(connector, clock, options, place, folder, CommonOptions.Describe(result));
                SweepReport report = await RunProgress.RunAsync(error, progress =>
                    sweep.RunAsync(progress.Stage("runs"), what, cases, result.GetValue(rounds), cancellationToken));
                SweepText.Print(output, report);
                if (result.GetValue(json) is { } file)
                    WholeFile.Write(file, stream => JsonSerializer.Serialize(stream, report, ReportJson.Default.SweepReport));
                return report.Points.All(point => point.IsRight) ? ExitCodes.Success : ExitCodes.Failure;
            }
            finally
            {
                if (folder is not null && Directory.Exists(folder))
                    Directory.Delete(folder, recursive: true);
            }
        });
        return command;
    }

    /// <summary>The arguments of component processes for a run.</summary>
    internal static IReadOnlyList<string> NodeArguments(EngineRunOptions options, string store, int databaseCount, string key) =>
    [
        "--queues", options.QueuePrefix, "--store", store, "--databases", Text(databaseCount), "--format", options.Formats.Name,
        "--inbound-queues", Text(options.InboundQueueCount), "--instances", Text(options.InstanceCount), "--batch", Text(options.BatchSize),
        "--bundle", Text(options.BundleSize), "--seed", Text(options.Set.Seed), "--key", key,
    ];

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static string Plural(int count) => count == 1 ? "" : "s";

    private static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
