using System.CommandLine;
using Formatters.Bench.Compare;
using CompareOptions = Formatters.Bench.Compare.CompareOptions;
using Formatters.Bench.Own;
using Formatters.Bench.Perftest;
using Formatters.Orders;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>compare</c>: the formatters of the order over one queue.</summary>
internal static class CompareCommand
{
    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        var defaults = new CompareOptions();
        var queue = new Option<string>("--queue")
        {
            Description = "The queue between sender and receiver, which must be empty.",
            HelpName = "address",
            DefaultValueFactory = _ => defaults.Queue,
        };
        Option<int> items = CommonOptions.CreateCount("--items", "Line items of each order, 0 to 10,000.", SampleOrders.DefaultLineItemCount,
            PerftestLimits.MaxLineItems, min: 0);
        var formatters = new Option<string[]>("--formatter")
        {
            Description = "A formatter to measure; may be repeated. Default: all. A wrong name lists them.",
            HelpName = "name",
            AllowMultipleArgumentsPerToken = true,
        };
        var study = new Option<bool>("--study") { Description = "As the study of 2004: ratios to BinaryFormatter, Int32s "
            + "too, its findings beside those of here." };
        var quick = new Option<bool>("--quick") { Description = "A coarser measurement, in about 20 seconds." };
        var type = new OwnTypeOptions(isRequired: false);
        Option<DeliveryMode> mode = CommonOptions.CreateMode();
        Option<bool> purge = CommonOptions.CreatePurge();
        var files = new ResultFiles();
        var command = new Command("compare", "Compares the formatters: every one sends and receives orders over one queue.")
        {
            queue, items, formatters, type.Assemblies, type.Type, type.Sample, type.Samples, study, mode, quick, purge, files.Json, files.Csv,
        };
        command.SetAction(async (result, cancellationToken) =>
        {
            files.Check(result);
            OwnOptions? own = type.Read(result);
            if (own is not null && result.GetResult(items) is { Implicit: false })
                throw new UsageException("--items applies only to the study's order, which --type replaces.");
            if (own is not null && result.GetValue(study))
                throw new UsageException("--study is about the study's order, which --type replaces.");
            var options = new CompareOptions
            {
                Study = result.GetValue(study),
                Own = own,
                Libraries = type.ReadLibraries(result),
                Queue = result.GetValue(queue)!,
                LineItems = result.GetValue(items),
                Formatters = result.GetValue(formatters) ?? [],
                Mode = result.GetValue(mode),
                Quick = result.GetValue(quick),
                Purge = result.GetValue(purge),
            };
            var run = new CompareRun(connector, options, clock, error);
            string commandLine = CommonOptions.Describe(result);
            CompareReport report = await RunProgress.RunAsync(error, progress => run.RunAsync(commandLine, progress, cancellationToken));
            CompareText.Print(output, report);
            files.Write(result, report, ReportJson.Default.CompareReport, CompareCsv.Write);
            return report.ExitCode();
        });
        return command;
    }
}
