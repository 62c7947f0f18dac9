using System.CommandLine;
using Formatters.Bench.Limits;
using Formatters.Bench.Senders;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>limits</c>: what is at the limit of a queue.</summary>
internal static class LimitsCommand
{
    private const int MaxSenders = 1_000;

    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        Argument<string[]> queues = NewFolder.CreateQueues();
        Option<int[]> senders = CommonOptions.CreateNumbers(
            "--senders", "How many senders send recoverable messages at the same time. [default: 1,2,5,10,20,50]", 1, MaxSenders);
        Option<bool> processes = SendersCommand.CreateProcesses();
        Option<int> size = CommonOptions.CreateCount("--size", "Bytes of a recoverable message's body.", 1024, 16 << 20, min: 0, helpName: "bytes");
        Option<int> expressSize =
            CommonOptions.CreateCount("--express-size", "Bytes of an express message's body, at least 8.", 100, 16 << 20, min: 8, helpName: "bytes");
        Option<int> rounds = CommonOptions.CreateCount("--rounds", "How often every case is measured, in turn.", 5, 1_000);
        Option<double> seconds = CommonOptions.CreateNumber("--seconds-per-case", "How long each measurement takes.", 0.01, 3_600, 1);
        Option<int> recovery =
            CommonOptions.CreateCount("--recovery-mib", "MiB of the log that is opened again; 0 to skip it.", 256, 1 << 20, min: 0);
        Option<double> delay = CommonOptions.CreateNumber("--flush-delay",
            "Milliseconds added to each flush of a folder's disk, to emulate a slower one; the report shows it.", 0, 10_000, helpName: "ms");
        Option<bool> purge = CommonOptions.CreatePurge();
        var files = new ResultFiles();
        var command = new Command("limits",
            "Measures queues without formatters, compared with what their disk could do: messages per second by "
            + "number of senders, and the time to open.")
        {
            queues, senders, processes, size, expressSize, rounds, seconds, recovery, delay, purge, files.Json, files.Csv,
        };
        command.SetAction(async (result, cancellationToken) =>
        {
            await using var folder = new NewFolder();
            files.Check(result);
            SendersCommand.CheckProcesses(result, processes, queues);
            if (result.GetValue(processes) && result.GetValue(size) < SendersOptions.MinByteCount)
                throw new UsageException(
                    $"--processes needs bodies of at least {SendersOptions.MinByteCount} bytes, in which each message has its number.");
            var options = new LimitsOptions
            {
                Queues = folder.QueuesOf(result.GetValue(queues), "limits"),
                Senders = result.GetValue(senders) is { Length: > 0 } counts ? counts : [1, 2, 5, 10, 20, 50],
                Processes = result.GetValue(processes),
                ByteCount = result.GetValue(size),
                ExpressByteCount = result.GetValue(expressSize),
                Rounds = result.GetValue(rounds),
                CaseTime = TimeSpan.FromSeconds(result.GetValue(seconds)),
                RecoveryByteCount = (long)result.GetValue(recovery) << 20,
                FlushDelay = TimeSpan.FromMilliseconds(result.GetValue(delay)),
                Purge = result.GetValue(purge),
            };
            QueueConnector used = connector;
            await using FileQueueProvider? emulated = options.FlushDelay > TimeSpan.Zero
                ? new FileQueueProvider(new FileQueueOptions { EmulatedFlushDelay = options.FlushDelay })
                : null;
            if (emulated is not null)
                used = ToolQueues.CreateConnector(emulated);
            var run = new LimitsRun(used, options, clock, error);
            string commandLine = CommonOptions.Describe(result);
            LimitsReport report = await RunProgress.RunAsync(error, progress => run.RunAsync(commandLine, progress, cancellationToken));
            LimitsText.Print(output, report);
            files.Write(result, report, ReportJson.Default.LimitsReport, LimitsCsv.Write);
            return report.ExitCode();
        });
        return command;
    }
}
