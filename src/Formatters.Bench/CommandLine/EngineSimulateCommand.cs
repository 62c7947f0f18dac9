using System;
using System.CommandLine;
using System.Globalization;
using System.IO;
using System.Text.Json;
using Formatters.Bench.Engine;
using Formatters.Bench.Reports;
using Formatters.TradeEngine.Simulation;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>engine simulate</c>: what more machines would reach.</summary>
internal static class EngineSimulateCommand
{
    internal static Command Create(TextWriter output)
    {
        var file = new Argument<FileInfo>("engine.json") { Description = "The result of a run with --processes, which tells the processor time of each part." };
        Option<int[]> nodes = EngineSharedOptions.CreateCounts("--nodes", "How many machines run components.", [1, 2, 4, 8], 1_000);
        Option<int[]> databases = EngineSharedOptions.CreateCounts("--by-databases", "How many database servers.", [1, 2, 4], 1_000);
        Option<int> processors = EngineSharedOptions.CreateCount("--machine-processors", "The processors of each machine.", 2, 1_024);
        Option<double> flush = CommonOptions.CreateNumber("--flush", "How long a flush of a database's disk takes, in milliseconds.", 0.001, 1_000, 1);
        var command = new Command("simulate", "Simulates the engine on several machines, from what a run has measured.") { file, nodes, databases, processors, flush };
        command.SetAction(result =>
        {
            EngineReport report = Read(result.GetValue(file)!);
            if (report.NodeProcesses is null || report.Result.Processors.Nodes <= 0)
                throw new UsageException("The run had no component processes (--processes): nobody knows how much of its processor time is whose.");
            SimulationOptions options = EngineSimulations.Of(report.Result, report.Instances, report.BatchSize, result.GetValue(flush) / 1000) with
            {
                ProcessorsPerMachine = result.GetValue(processors),
            };
            output.WriteLine("What the engine would reach with each node, database, broker and driver on a machine of its own");
            output.WriteLine();
            output.WriteLine(FormattableString.Invariant(
                $"  from a run of {report.Result.MessagesPerSecond:N0} messages a second; us a message: nodes {report.Result.Processors.Nodes * 1e6:N0}, database {options.DatabaseSeconds * 1e6:N0}, broker {options.BrokerSeconds * 1e6:N0}, driver and sink {options.DriverSeconds * 1e6:N0}"));
            output.WriteLine();
            var table = new TextTable(("nodes", 5), ("databases", 9), ("msg/s", 8), ("nodes", 6), ("database", 8), ("broker", 6), ("disk", 5), ("ms", 6));
            foreach (int database in result.GetValue(databases)!)
            {
                foreach (int node in result.GetValue(nodes)!)
                {
                    SimulationResult simulated = EngineSimulation.Run(options with { Nodes = node, Databases = database });
                    table.Add(
                        Numbers.Count(node),
                        Numbers.Count(database),
                        Numbers.Rate(simulated.MessagesPerSecond),
                        Numbers.Percent(simulated.NodeUtilization),
                        Numbers.Percent(simulated.DatabaseUtilization),
                        Numbers.Percent(simulated.BrokerUtilization),
                        simulated.DiskQueue.ToString("N1", CultureInfo.InvariantCulture),
                        (simulated.ResponseSeconds * 1000).ToString("N0", CultureInfo.InvariantCulture));
                }
            }

            table.Print(output);
            output.WriteLine(FormattableString.Invariant($"The study: {EngineStudy.MessagesPerSecond:N0} messages a second on 8 nodes and 4 databases."));
            return ExitCodes.Success;
        });
        return command;
    }

    private static EngineReport Read(FileInfo file)
    {
        try
        {
            using FileStream stream = file.OpenRead();
            return JsonSerializer.Deserialize(stream, ReportJson.Default.EngineReport) is { Result: not null } report
                ? report
                : throw new UsageException($"'{file.FullName}' is not a result of the verb engine.");
        }
        catch (JsonException e)
        {
            throw new UsageException($"'{file.FullName}' is not a result of the verb engine: {e.Message}");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"'{file.FullName}' cannot be read: {e.Message}");
        }
    }
}
