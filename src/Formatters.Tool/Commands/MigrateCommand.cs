using System;
using System.CommandLine;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Tools.Migrate;

namespace Formatters.Tools.Commands;

/// <summary>Rewrites messages in another format, for the verb <c>migrate</c>.</summary>
internal static class MigrateCommand
{
    internal const string Name = "migrate";

    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector)
    {
        var source = new Argument<string>("from") { Description = "The queue from which messages are taken." };
        var destination = new Argument<string>("to") { Description = "The queue to which they are sent." };
        var reencoding = new ReencodingOptions();
        var errorQueue = new Option<string?>("--error-queue")
        {
            Description = "The queue for messages that cannot be read or would change: unchanged, with the reason in their headers. Without it, the first such message ends the run.",
            HelpName = "address",
        };
        var dryRun = new Option<bool>("--dry-run") { Description = "Read, write and compare all messages that are there now, but move none." };
        var limit = new Option<long?>("--limit") { Description = "The maximum number of messages to take.", HelpName = "number" };
        limit.Validators.Add(CommonOptions.InRange(limit, 1, long.MaxValue));
        Option<double> wait = CommonOptions.CreateNumber("--wait", "End when the source has been empty for so many seconds.", 0, 86_400, 1, helpName: "seconds");
        var command = new Command(Name, "Moves the messages of a queue to another and re-encodes their bodies, losing none.")
        {
            source, destination, errorQueue, dryRun, limit, wait,
        };
        reencoding.AddTo(command);
        command.SetAction(async (result, cancellationToken) =>
        {
            var options = new MigrateOptions
            {
                Source = result.GetValue(source)!,
                Destination = result.GetValue(destination)!,
                ErrorQueue = result.GetValue(errorQueue),
                IsDryRun = result.GetValue(dryRun),
                Limit = result.GetValue(limit),
                Wait = TimeSpan.FromSeconds(result.GetValue(wait)),
                Reencoding = reencoding.Read(result, error),
            };
            var run = new MigrateRun(connector, options);
            long start = Stopwatch.GetTimestamp();
            bool isWhole = false;
            try
            {
                isWhole = await RunProgress.RunAsync(error, progress => run.RunAsync(progress, cancellationToken));
            }
            finally
            {
                if (isWhole || run.Report.Count > 0)
                    run.Report.Print(output, options, options.ErrorQueue is not null, Stopwatch.GetElapsedTime(start));
            }

            if (!isWhole)
                return ExitCodes.Interrupted;
            // A dry run ends as the run would: without an error queue at the first message that is not moved.
            if (options.ErrorQueue is null && run.Report.RefusedCount > 0)
                return run.Report.IsFirstOfNewBody ? ExitCodes.Refused : ExitCodes.Failure;
            return run.Report.NewBodyRefusedCount > 0 ? ExitCodes.Refused : ExitCodes.Success;
        });
        return command;
    }
}
