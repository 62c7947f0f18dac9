using System.CommandLine;
using Formatters.Bench.Own;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>own</c>: the formatters of the user's type.</summary>
internal static class OwnCommand
{
    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        var type = new OwnTypeOptions(isRequired: true);
        var queue = new Option<string>("--queue") { Description = "The queue between sender and receiver, which must be empty.", HelpName = "address",
            DefaultValueFactory = static _ => "memory:own" };
        var formatters = new Option<string[]>("--formatter")
        {
            Description =
                "A formatter to measure, by its row's name or as a static member Namespace.Type.Member of yours; may be repeated. Default: all rows.",
            HelpName = "name",
            AllowMultipleArgumentsPerToken = true,
        };
        var quick = new Option<bool>("--quick") { Description = "A coarser measurement, in about 20 seconds." };
        Option<DeliveryMode> mode = CommonOptions.CreateMode();
        Option<bool> purge = CommonOptions.CreatePurge();
        var files = new ResultFiles();
        var command = new Command("own", "Measures your own type: which formatters support it, what they lose, how fast they are.")
        {
            type.Assemblies, type.Type, type.Sample, type.Samples, queue, formatters, mode, quick, purge, files.Json, files.Csv,
        };
        command.SetAction(async (result, cancellationToken) =>
        {
            files.Check(result);
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
            files.Write(result, report, ReportJson.Default.OwnReport, OwnCsv.Write);
            return report.ExitCode();
        });
        return command;
    }
}
