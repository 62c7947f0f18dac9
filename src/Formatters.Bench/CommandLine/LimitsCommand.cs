using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using Formatters.Bench.Reports;
using Formatters.Bench.Limits;
using Formatters.Queues;
using Formatters.Tools.Queues;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>limits</c>.</summary>
internal static class LimitsCommand
{
    private const int MaxSenders = 1_000;

    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        Argument<string[]> queues = NewFolder.CreateQueues();
        var senders = new Option<int[]>("--senders")
        {
            Description = "How many senders send recoverable messages at the same time. [default: 1,2,5,10,20,50]",
            HelpName = "n,n,...",
            CustomParser = ParseSenders,
        };
        var size = new Option<int>("--size") { Description = "Bytes of a recoverable message's body.", HelpName = "bytes", DefaultValueFactory = _ => 1024 };
        size.Validators.Add(CommonOptions.InRange(size, 0, 16 << 20));
        var expressSize = new Option<int>("--express-size") { Description = "Bytes of an express message's body, at least 8.", HelpName = "bytes", DefaultValueFactory = _ => 100 };
        expressSize.Validators.Add(CommonOptions.InRange(expressSize, 8, 16 << 20));
        var rounds = new Option<int>("--rounds") { Description = "How often every case is measured, in turn.", HelpName = "number", DefaultValueFactory = _ => 5 };
        rounds.Validators.Add(CommonOptions.InRange(rounds, 1, 1_000));
        Option<double> seconds = CommonOptions.CreateNumber("--seconds-per-case", "How long each measurement takes.", 0.01, 3_600, 1);
        var recovery = new Option<int>("--recovery-mib") { Description = "MiB of the log that is opened again; 0 to skip it.", HelpName = "number", DefaultValueFactory = _ => 256 };
        recovery.Validators.Add(CommonOptions.InRange(recovery, 0, 1 << 20));
        Option<double> delay = CommonOptions.CreateNumber("--flush-delay", "Milliseconds added to each flush of a folder's disk, to emulate a slower one; the report shows it.", 0, 10_000, helpName: "ms");
        Option<bool> purge = CommonOptions.CreatePurge();
        Option<FileInfo?> json = CommonOptions.CreateJson();
        Option<FileInfo?> csv = CommonOptions.CreateCsv();
        var command = new Command("limits", "Measures queues without formatters, compared with what their disk could do: messages per second by number of senders, and the time to open.")
        {
            queues, senders, size, expressSize, rounds, seconds, recovery, delay, purge, json, csv,
        };
        command.SetAction(async (result, cancellationToken) =>
        {
            await using var folder = new NewFolder();
            CommonOptions.CheckFiles(result.GetValue(json), result.GetValue(csv));
            var options = new LimitsOptions
            {
                Queues = folder.QueuesOf(result.GetValue(queues), "limits"),
                Senders = result.GetValue(senders) is { Length: > 0 } counts ? counts : [1, 2, 5, 10, 20, 50],
                ByteCount = result.GetValue(size),
                ExpressByteCount = result.GetValue(expressSize),
                Rounds = result.GetValue(rounds),
                CaseTime = TimeSpan.FromSeconds(result.GetValue(seconds)),
                RecoveryByteCount = (long)result.GetValue(recovery) << 20,
                FlushDelay = TimeSpan.FromMilliseconds(result.GetValue(delay)),
                Purge = result.GetValue(purge),
            };
            QueueConnector used = connector;
            await using FileQueueProvider? emulated = options.FlushDelay > TimeSpan.Zero ? new FileQueueProvider(new FileQueueOptions { EmulatedFlushDelay = options.FlushDelay }) : null;
            if (emulated is not null)
                used = ToolQueues.CreateConnector(emulated);
            var run = new LimitsRun(used, options, clock, error);
            string commandLine = CommonOptions.Describe(result);
            LimitsReport report = await RunProgress.RunAsync(error, progress => run.RunAsync(commandLine, progress, cancellationToken));
            LimitsText.Print(output, report);
            CommonOptions.WriteFiles(
                result.GetValue(json), result.GetValue(csv), stream => JsonSerializer.Serialize(stream, report, ReportJson.Default.LimitsReport), writer => LimitsCsv.Write(writer, report));
            return report.ExitCode();
        });
        return command;
    }

    private static int[] ParseSenders(ArgumentResult result)
    {
        var numbers = new List<int>();
        foreach (string part in result.Tokens.SelectMany(static token => token.Value.Split(',')))
        {
            if (int.TryParse(part, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number is >= 1 and <= MaxSenders)
                numbers.Add(number);
            else
                result.AddError($"--senders takes numbers from 1 to {MaxSenders:#,0}, separated by commas, not '{part}'.");
        }

        return [.. numbers.Distinct()];
    }
}
