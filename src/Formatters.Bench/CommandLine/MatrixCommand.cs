using System.CommandLine;
using Formatters.Bench.Matrix;
using Formatters.Bench.Perftest;
using Formatters.Orders;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>matrix</c>: formatters by queues.</summary>
internal static class MatrixCommand
{
    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        Argument<string[]> queues = NewFolder.CreateQueues();
        var formatters = new Option<string[]>("--formatter") { Description = "A formatter to measure; may be repeated. Default: all.",
            HelpName = "name", AllowMultipleArgumentsPerToken = true };
        Option<FileInfo[]> assemblies = OwnTypeOptions.CreateLibraries();
        var modes = new Option<DeliveryMode[]>("--mode")
        {
            Description = "express, recoverable or transactional; may be repeated. [default: all that a queue has]",
            HelpName = "mode",
            CustomParser = static result =>
                [.. result.Tokens.Select(token =>
                    CommonOptions.ParseWord<DeliveryMode>(result, token.Value, static name => name.ToLowerInvariant()))],
        };
        Option<int> items = CommonOptions.CreateCount("--items", "Line items of each order, 0 to 10,000.", SampleOrders.DefaultLineItemCount,
            PerftestLimits.MaxLineItems, min: 0);
        Option<double> seconds =
            CommonOptions.CreateNumber("--seconds-per-case", "About how long each queue is measured in each mode.", 0.1, 3_600, 15);
        Option<bool> purge = CommonOptions.CreatePurge();
        var files = new ResultFiles();
        var command = new Command("matrix",
            "Measures every formatter over every queue in every delivery mode, and checks that nothing is lost or doubled.") { queues, formatters,
            assemblies, modes, items, seconds, purge, files.Json, files.Csv };
        command.SetAction(async (result, cancellationToken) =>
        {
            files.Check(result);
            await using var folder = new NewFolder();
            var options = new MatrixOptions
            {
                Queues = folder.QueuesOf(result.GetValue(queues), "matrix"),
                Modes = result.GetValue(modes) is { Length: > 0 } some ? [.. some.Distinct().Order()] : Enum.GetValues<DeliveryMode>(),
                Formatters = result.GetValue(formatters) ?? [],
                Libraries = LibraryOrderRows.Create(result.GetValue(assemblies) ?? []),
                LineItems = result.GetValue(items),
                CellTime = TimeSpan.FromSeconds(result.GetValue(seconds)),
                Purge = result.GetValue(purge),
            };
            var run = new MatrixRun(connector, options, clock, error);
            string commandLine = CommonOptions.Describe(result);
            MatrixReport report = await RunProgress.RunAsync(error, progress => run.RunAsync(commandLine, progress, cancellationToken));
            MatrixText.Print(output, report);
            files.Write(result, report, ReportJson.Default.MatrixReport, MatrixCsv.Write);
            return report.ExitCode();
        });
        return command;
    }
}
