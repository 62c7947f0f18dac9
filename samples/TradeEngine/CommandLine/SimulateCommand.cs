using System.CommandLine;
using System.Text.Json;
using Formatters.TradeEngine.Measurement;
using Formatters.TradeEngine.Simulation;

namespace Formatters.TradeEngine.CommandLine;

/// <summary>The verb <c>simulate</c>: what more machines would reach.</summary>
internal static class SimulateCommand
{
    internal static Command Create(TextWriter output, TimeProvider clock)
    {
        var file = new Argument<FileInfo>("engine.json") { Description = "The result of a run with --processes, "
            + "which tells the processor time of each part." };
        Option<SharedOptions.Counts> nodes = SharedOptions.CreateCounts("--nodes", "How many machines run components.", [1, 2, 4, 8], 1_000);
        Option<SharedOptions.Counts> databases = SharedOptions.CreateCounts("--by-databases", "How many database servers.", [1, 2, 4], 1_000);
        Option<int> drivers =
            CommonOptions.CreateCount("--drivers", "How many machines send messages and take the CLS: eight in the study.", 1, 1_000);
        Option<int> brokers = CommonOptions.CreateCount(
            "--brokers", "How many machines have queues; each node uses one. In the study every node had queues of its own.", 1, 1_000);
        Option<int> processors = CommonOptions.CreateCount("--machine-processors", "The processors of each machine.", 2, 1_024);
        Option<double> flush =
            CommonOptions.CreateNumber("--flush", "How long a flush of a database's disk takes, in milliseconds.", 0.001, 1_000, 1);
        Option<double?> disk = CommonOptions.CreateOptionalNumber(
            "--disk", "Megabytes per second that the disk of a database writes. Default: no limit.", 0.001, 1e6, "number");
        var files = new ResultFiles();
        var command = new Command("simulate", "Simulates the engine on several machines, from what a run has measured.")
        {
            file, nodes, databases, drivers, brokers, processors, flush, disk, files.Json,
        };
        command.SetAction(result =>
        {
            files.Check(result);
            EngineReport report = Read(result.GetValue(file)!);
            if (report.NodeProcesses is null || report.Result.Processors.Nodes <= 0)
                throw new UsageException("The run had no component processes (--processes): the processor time of each part is not known.");
            if (result.GetValue(disk) is not null && report.Result.StoreByteCount is null)
                throw new UsageException("--disk: the result does not say how much the store of the run has written.");
            var recorder = new RunRecorder(CommonOptions.Describe(result), clock);
            SimulationOptions options = EngineSimulations.Of(
                report.Result, report.Instances, report.BatchSize, result.GetValue(flush) / 1000, result.GetValue(disk) * 1e6) with
            {
                Drivers = result.GetValue(drivers),
                Brokers = result.GetValue(brokers),
                ProcessorsPerMachine = result.GetValue(processors),
            };
            var points = new List<SimulationPoint>();
            foreach (int database in result.GetValue(databases)!.Values)
            {
                foreach (int node in result.GetValue(nodes)!.Values)
                    points.Add(new SimulationPoint(node, database, EngineSimulation.Run(options with { Nodes = node, Databases = database })));
            }

            var machines = new SimulatedMachines(
                options.ProcessorsPerMachine, options.Drivers, options.Brokers, report.Result.Processors.Nodes, options.DatabaseSeconds,
                options.BrokerSeconds,
                options.DriverSeconds, options.FlushSeconds, options.DiskSeconds);
            var simulation = new SimulationReport(
                recorder.Finish(isInterrupted: false), report.Result.MessagesPerSecond, (double?)report.InsertedRows / report.Result.Sent, machines,
                points);
            Print(output, simulation);
            files.Write(result, simulation, EngineJson.Default.SimulationReport);
            return ExitCodes.Success;
        });
        return command;
    }

    private static void Print(TextWriter output, SimulationReport report)
    {
        SimulatedMachines machines = report.Machines;
        output.WriteLine("What the engine would reach with each node and each database on a machine of its own");
        output.WriteLine();
        TextWrap.Print(output, "  from        ", string.Create(CultureInfo.InvariantCulture,
            $"a run of {report.MeasuredRate:N0} messages a second; us a message: nodes {machines.Node * 1e6:N0}, database "
                + $"{machines.Database * 1e6:N0}, broker {machines.Broker * 1e6:N0}, driver and sink {machines.Driver * 1e6:N0}"));
        TextWrap.Print(output, "  machines    ", FormattableString.Invariant(
            $"{machines.Processors} processors each; {machines.Drivers} of drivers, {machines.Brokers} of queues"));
        TextWrap.Print(output, "  disk        ", FormattableString.Invariant($"{machines.Flush * 1000:0.###} ms a flush")
            + (machines.Disk > 0 ? FormattableString.Invariant($", {machines.Disk * 1e6:N0} us to write a message") : ""));
        output.WriteLine();
        var table = new TextTable(("nodes", 5), ("databases", 9), ("msg/s", 8), ("of a node", 9), ("nodes", 6), ("database", 8), ("broker", 6),
            ("disk", 6), ("ms", 6));
        foreach (SimulationPoint point in report.Points)
        {
            SimulationResult simulated = point.Result;
            table.Add(
                Numbers.Count(point.Nodes),
                Numbers.Count(point.Databases),
                Numbers.Rate(simulated.MessagesPerSecond),
                Numbers.Rate(simulated.MessagesPerSecond / point.Nodes),
                Numbers.Percent(simulated.NodeUtilization),
                Numbers.Percent(simulated.DatabaseUtilization),
                Numbers.Percent(simulated.BrokerUtilization),
                simulated.DiskQueue.ToString("N1", CultureInfo.InvariantCulture),
                (simulated.ResponseSeconds * 1000).ToString("N0", CultureInfo.InvariantCulture));
        }

        table.Print(output);
        TextWrap.Print(output, "  ", string.Create(CultureInfo.InvariantCulture,
            $"of a node: messages a second of each node. Percent: used of the processors of nodes, database and broker. disk: batches at the disk of "
                + $"a database. ms: time of a message in the network after the in-bound queue. The study: {EngineStudy.MessagesPerSecond:N0} "
                + $"messages a second on 8 nodes and 4 databases."));
    }

    private static EngineReport Read(FileInfo file)
    {
        try
        {
            using FileStream stream = file.OpenRead();
            return JsonSerializer.Deserialize(stream, EngineJson.Default.EngineReport) is { Result: not null } report
                ? report
                : throw new UsageException($"'{file.FullName}' is not a result of run.");
        }
        catch (JsonException e)
        {
            throw new UsageException($"'{file.FullName}' is not a result of run: {e.Message}");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"'{file.FullName}' cannot be read: {e.Message}");
        }
    }
}
