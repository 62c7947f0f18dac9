using System;
using System.CommandLine;
using System.IO;
using System.Text.Json;
using Formatters.Bench.Own;
using Formatters.Bench.Reports;
using Formatters.Queues;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>own</c>.</summary>
internal static class OwnCommand
{
    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        var type = new OwnTypeOptions(isRequired: true);
        var queue = new Option<string>("--queue") { Description = "The queue between sender and receiver, which must be empty.", HelpName = "address", DefaultValueFactory = static _ => "memory:own" };
        var formatters = new Option<string[]>("--formatter")
        {
            Description = "A formatter to measure, by its row's name or as a static member Namespace.Type.Member of yours; may be repeated. Default: all rows.",
            HelpName = "name",
            AllowMultipleArgumentsPerToken = true,
        };
        var quick = new Option<bool>("--quick") { Description = "A coarser measurement, in about 20 seconds." };
        Option<DeliveryMode> mode = CommonOptions.CreateMode();
        Option<bool> purge = CommonOptions.CreatePurge();
        Option<FileInfo?> json = CommonOptions.CreateJson();
        Option<FileInfo?> csv = CommonOptions.CreateCsv();
        var command = new Command("own", "Measures your own type: which formatters support it, what they lose, how fast they are.")
        {
            type.Assemblies, type.Type, type.Sample, type.Samples, queue, formatters, mode, quick, purge, json, csv,
        };
        command.SetAction(async (result, cancellationToken) =>
        {
            CommonOptions.CheckFiles(result.GetValue(json), result.GetValue(csv));
            OwnOptions options = type.Read(result)! with
            {
                Queue = result.GetValue(queue)!,
                Formatters = result.GetValue(formatters) ?? [],
                Mode = result.GetValue(mode),
                Quick = result.GetValue(quick),
                Purge = result.GetValue(purge),
            };
            var run = new OwnRun(connector, options, clock, error);
            string commandLine = CommonOptions.Describe(result);
            OwnReport report = await RunProgress.RunAsync(error, progress => run.RunAsync(commandLine, progress, cancellationToken));
            OwnText.Print(output, report);
            CommonOptions.WriteFiles(
                result.GetValue(json), result.GetValue(csv), stream => JsonSerializer.Serialize(stream, report, ReportJson.Default.OwnReport), writer => OwnCsv.Write(writer, report));
            return report.ExitCode();
        });
        return command;
    }
}
