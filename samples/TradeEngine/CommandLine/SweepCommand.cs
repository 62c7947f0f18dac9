using System.CommandLine;
using Formatters.Bench.Compare;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Measurement;
using Formatters.TradeEngine.Runs;
using Formatters.TradeEngine.Simulation;

namespace Formatters.TradeEngine.CommandLine;

/// <summary>The verb <c>sweep</c>: the engine in several cases.</summary>
internal static class SweepCommand
{
    private const string OfNodes = "nodes";
    private const string OfLoad = "load";
    private const string OfInbound = "inbound";
    private const string OfCores = "cores";

    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        var shared = new SharedOptions();
        var kind = new Option<string>("--of")
        {
            Description = "nodes: component processes by databases, over a broker and PostgreSQL, each beside its "
                + "simulation; load: the response time by the rate; "
                + "inbound: the start by in-bound queues; cores: one processor against more.",
            HelpName = "what",
            DefaultValueFactory = _ => OfLoad,
        };
        kind.AcceptOnlyFromAmong(OfNodes, OfLoad, OfInbound, OfCores);
        Option<int> trades = CommonOptions.CreateCount(
            "--trades", "The number of trades in each run; with load, at full load: a slower run takes as long, with fewer.", 5_000, 10_000_000);
        Option<int> rounds = CommonOptions.CreateCount(
            "--rounds",
            "The number of rounds, in which the cases take turns in changing order; fewer than 7 decide nothing. Runs before them warm up.",
            Findings.MinRounds,
            100);
        Option<int?> warmUp =
            SharedOptions.CreateWarmUp("The number of trades that each run sends before its measurement. Default: 2,000 with nodes, "
            + "a quarter of the trades with load, 200 otherwise.");
        Option<string?> transfer = SharedOptions.CreateTransfer();
        Option<SharedOptions.Counts> nodes = SharedOptions.CreateCounts("--nodes", "With nodes: how many processes.", [1, 2, 4], 64);
        Option<SharedOptions.Counts> loads = SharedOptions.CreateCounts("--loads",
            "With load: the rates, in percent of what the engine reaches when more is due than it can do.", [10, 25, 50, 75, 90, 100], 200);
        Option<SharedOptions.Counts> inbound = SharedOptions.CreateCounts("--inbound", "With inbound: how many in-bound queues.", [1, 2, 4], 64);
        Option<SharedOptions.Counts> databases = SharedOptions.CreateCounts("--by-databases", "With nodes: how many databases.", [1, 2, 4], 64);
        Option<bool> purge = CommonOptions.CreatePurge();
        var files = new ResultFiles();
        var command = new Command("sweep", "Runs the engine in several cases, and puts them side by side.")
        {
            kind, trades, rounds, warmUp, nodes, databases, loads, inbound, transfer, purge, files.Json,
        };
        foreach (Option option in shared.All.Where(option => option != shared.Databases))
            command.Options.Add(option);
        command.SetAction(async (result, cancellationToken) =>
        {
            files.Check(result);
            string what = result.GetValue(kind)!;
            string? queues = result.GetValue(shared.Queues);
            string? place = result.GetValue(shared.Store);
            if (what == OfNodes)
                SharedOptions.CheckShared(queues, place);
            string? folder = queues is null || place is null ? SharedOptions.NewFolderName() : null;
            EngineRunOptions options = shared.ToRunOptions(result, folder) with
            {
                Set = new MessageSetOptions { Seed = result.GetValue(shared.Seed), TradeCount = result.GetValue(trades) },
                Purges = result.GetValue(purge),
                Transfer = result.GetValue(transfer),
                MonitorInterval = TimeSpan.FromMilliseconds(20),
            };
            IReadOnlyList<SweepCase> cases = WithDistinctNames(what switch
            {
                OfNodes => [.. result.GetValue(databases)!.Values.SelectMany(database => result.GetValue(nodes)!.Values.Select(node =>
                    new SweepCase(Invariant($"{node} node{Plural(node)}, {database} database{Plural(database)}"), node, database, null, null)))],
                // An open loop: its driver does not wait for the engine.
                OfLoad => [.. result.GetValue(loads)!.Values.Select(load =>
                    new SweepCase(Invariant($"{load} % load"), 1, 1, load / 100.0,
                        static run => run.Rate is null ? run : run with { MaxBacklog = 0 }))],
                OfInbound => [.. result.GetValue(inbound)!.Values.Select(count =>
                    new SweepCase(Invariant($"{count} queue{Plural(count)}"), 1, 1, null,
                        run => run with { InboundQueueCount = count, RouterCount = count, MaxBacklog = 0 }))],
                _ => [.. Enumerable.Range(1, Environment.ProcessorCount).Where(int.IsPow2).Select(count =>
                    new SweepCase(Invariant($"{count} core{Plural(count)}"), 1, 1, null, run => run with { Cores = count }))],
            });
            try
            {
                var sweep = new EngineSweep(connector, clock, options, result.GetValue(warmUp), place, folder, CommonOptions.Describe(result));
                SweepReport report = await RunProgress.RunAsync(error, progress =>
                    sweep.RunAsync(progress.Stage("runs"), what, cases, result.GetValue(rounds), cancellationToken));
                SweepText.Print(output, report);
                files.Write(result, report, EngineJson.Default.SweepReport);
                return report.Points.All(point => point.IsRight) ? report.ExitCode() : ExitCodes.Failure;
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

    /// <summary>Cases with the same parameters have numbers.</summary>
    private static SweepCase[] WithDistinctNames(IReadOnlyList<SweepCase> cases) =>
        [.. cases.Select((item, i) => cases.Take(i).Count(other => other.Name == item.Name) is > 0 and var before
            ? item with { Name = Invariant($"{item.Name} ({before + 1})") }
            : item)];

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static string Plural(int count) => count == 1 ? "" : "s";

    private static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
