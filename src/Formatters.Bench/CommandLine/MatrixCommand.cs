using System;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Text.Json;
using Formatters.Bench.Matrix;
using Formatters.Bench.Perftest;
using Formatters.Bench.Reports;
using Formatters.Bench.Rows;
using Formatters.Orders;
using Formatters.Queues;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>matrix</c>.</summary>
internal static class MatrixCommand
{
    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        Argument<string[]> queues = NewFolder.CreateQueues();
        var formatters = new Option<string[]>("--formatter") { Description = "A formatter to measure; may be repeated. Default: all.", HelpName = "name", AllowMultipleArgumentsPerToken = true };
        Option<FileInfo[]> assemblies = OwnTypeOptions.CreateLibraries();
        var modes = new Option<DeliveryMode[]>("--mode")
        {
            Description = "express, recoverable or transactional; may be repeated. [default: all that a queue has]",
            HelpName = "mode",
            CustomParser = static result => [.. result.Tokens.Select(token => CommonOptions.ParseWord<DeliveryMode>(result, token.Value, static name => name.ToLowerInvariant()))],
        };
        var items = new Option<int>("--items") { Description = "Line items of each order, 0 to 10,000.", HelpName = "number", DefaultValueFactory = _ => SampleOrders.DefaultLineItemCount };
        items.Validators.Add(CommonOptions.InRange(items, 0, PerftestLimits.MaxLineItems));
        Option<double> seconds = CommonOptions.CreateNumber("--seconds-per-case", "About how long each queue is measured in each mode.", 0.1, 3_600, 15);
        Option<bool> purge = CommonOptions.CreatePurge();
        Option<FileInfo?> json = CommonOptions.CreateJson();
        Option<FileInfo?> csv = CommonOptions.CreateCsv();
        var command = new Command("matrix", "Measures every formatter over every queue in every delivery mode, and checks that nothing is lost or doubled.") { queues, formatters, assemblies, modes, items, seconds, purge, json, csv };
        command.SetAction(async (result, cancellationToken) =>
        {
            CommonOptions.CheckFiles(result.GetValue(json), result.GetValue(csv));
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
            CommonOptions.WriteFiles(
                result.GetValue(json),
                result.GetValue(csv),
                stream => JsonSerializer.Serialize(stream, report, ReportJson.Default.MatrixReport),
                writer => MatrixCsv.Write(writer, report));
            return report.ExitCode();
        });
        return command;
    }
}
