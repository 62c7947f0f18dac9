using System;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using Formatters.Bench.Reports;
using Formatters.Bench.Senders;
using Formatters.Queues;
using Formatters.Tools.Queues;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>senders</c>.</summary>
internal static class SendersCommand
{
    private const int MaxThreads = 1_000;
    private const int MaxByteCount = 16 << 20;

    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        Argument<string[]> queues = NewFolder.CreateQueues();
        var modes = new Option<SendersMode[]>("--mode")
        {
            Description = "express, recoverable, internal (transactions of the queue) or external (transactions over the queue and --database). [default: all]",
            HelpName = "mode,...",
            CustomParser = result => CommonOptions.ParseWords<SendersMode>(result),
        };
        Option<int[]> sizes = CommonOptions.CreateNumbers("--sizes", "Bytes of a body. [default: those of the study, 10 to 10,000]", SendersOptions.MinByteCount, MaxByteCount);
        Option<int[]> threads = CommonOptions.CreateNumbers("--senders", "How many senders at once. [default: those of the study, 1 to 50]", 1, MaxThreads);
        Option<int[]> receivers = CommonOptions.CreateNumbers("--receivers", "How many receivers afterwards. [default: as many as senders]", 1, MaxThreads);
        var processes = new Option<bool>("--processes") { Description = "Each sender is a process of its own; only over a broker. Default: a thread." };
        var parts = new Option<SendersPart[]>("--part")
        {
            Description = "Only tables, advice, headers, memory or network; may be repeated. [default: all]",
            HelpName = "part,...",
            CustomParser = result => CommonOptions.ParseWords<SendersPart>(result),
        };
        var database = new Option<string?>("--database") { Description = "A database of PostgreSQL, for external transactions over queues in a folder.", HelpName = "postgres://..." };
        var rounds = new Option<int>("--rounds") { Description = "How often every case is measured, in turn.", HelpName = "number", DefaultValueFactory = _ => 7 };
        rounds.Validators.Add(CommonOptions.InRange(rounds, 1, 1_000));
        Option<double> seconds = CommonOptions.CreateNumber("--seconds-per-case", "How long each measurement takes, each way.", 0.01, 3_600, 0.3);
        var most = new Option<int>("--max-messages") { Description = "How many messages a measurement sends at most.", HelpName = "number", DefaultValueFactory = _ => 200_000 };
        most.Validators.Add(CommonOptions.InRange(most, 1, 100_000_000));
        Option<bool> purge = CommonOptions.CreatePurge();
        Option<FileInfo?> json = CommonOptions.CreateJson();
        Option<FileInfo?> csv = CommonOptions.CreateCsv();
        var command = new Command("senders", "Repeats the study of 1998: sizes by senders by delivery, sent and then received, beside its figures.")
        {
            queues, modes, sizes, threads, receivers, processes, parts, database, rounds, seconds, most, purge, json, csv,
        };
        command.SetAction(async (result, cancellationToken) =>
        {
            await using var folder = new NewFolder();
            CommonOptions.CheckFiles(result.GetValue(json), result.GetValue(csv));
            if (result.GetValue(processes) && result.GetValue(queues) is null or { Length: 0 })
                throw new UsageException("--processes needs the address of a broker's queue: a queue in memory or in a folder belongs to one process.");
            SendersMode[] chosen = result.GetValue(modes) is { Length: > 0 } some ? some : Enum.GetValues<SendersMode>();
            SendersPart[] chosenParts = result.GetValue(parts) is { Length: > 0 } named ? named : Enum.GetValues<SendersPart>();
            string? databaseAddress = result.GetValue(database);
            if (databaseAddress is null && result.GetValue(modes) is { } asked && asked.Contains(SendersMode.External))
                throw new UsageException("--mode external needs --database: the transactions are over the queue and a database.");
            var options = new SendersOptions
            {
                Queues = folder.QueuesOf(result.GetValue(queues), "senders"),
                Cases = SendersCase.OfStudy(
                    databaseAddress is null ? [.. chosen.Where(mode => mode != SendersMode.External)] : chosen,
                    result.GetValue(sizes) is { Length: > 0 } bytes ? bytes : null,
                    result.GetValue(threads) is { Length: > 0 } counts ? counts : null,
                    result.GetValue(receivers) is { Length: > 0 } receiverCounts ? receiverCounts : null,
                    chosenParts),
                Parts = chosenParts,
                Processes = result.GetValue(processes),
                Database = databaseAddress,
                Rounds = result.GetValue(rounds),
                CaseTime = TimeSpan.FromSeconds(result.GetValue(seconds)),
                MaxMessageCount = result.GetValue(most),
                Purge = result.GetValue(purge),
            };
            // The coordinator of external transactions is that of a folder which is open in this provider.
            await using FileQueueProvider? files = databaseAddress is null ? null : new FileQueueProvider();
            QueueConnector used = files is null ? connector : ToolQueues.CreateConnector(files);
            var run = new SendersRun(used, options, clock, error, files);
            string commandLine = CommonOptions.Describe(result);
            SendersReport report = await RunProgress.RunAsync(error, progress => run.RunAsync(commandLine, progress, cancellationToken));
            SendersText.Print(output, report);
            CommonOptions.WriteFiles(
                result.GetValue(json), result.GetValue(csv), stream => JsonSerializer.Serialize(stream, report, ReportJson.Default.SendersReport), writer => SendersCsv.Write(writer, report));
            return report.ExitCode();
        });
        return command;
    }

    /// <summary>The verb of a process that sends: takes orders from the standard input.</summary>
    internal static Command CreateProcess(QueueConnector connector, TimeProvider clock)
    {
        var command = new Command(SenderProcess.Verb, "Sends what senders --processes tells it to.") { Hidden = true };
        command.SetAction((_, cancellationToken) => SenderProcess.RunAsync(connector, Console.In, Console.Out, clock, cancellationToken));
        return command;
    }
}
