using System.CommandLine;
using Formatters.Bench.Senders;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>senders</c>: the throughput of 1, 2, 4, … senders.</summary>
internal static class SendersCommand
{
    private const int MaxThreads = 1_000;
    private const int MaxByteCount = 16 << 20;

    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        Argument<string[]> queues = NewFolder.CreateQueues();
        var modes = new Option<SendersMode[]>("--mode")
        {
            Description =
                "express, recoverable, internal (transactions of the queue) or external (transactions over the queue and --database). [default: all]",
            HelpName = "mode,...",
            CustomParser = result => CommonOptions.ParseWords<SendersMode>(result),
        };
        Option<int[]> sizes = CommonOptions.CreateNumbers("--sizes", "Bytes of a body. [default: those of the study, 10 to 10,000]",
            SendersOptions.MinByteCount, MaxByteCount);
        Option<int[]> threads =
            CommonOptions.CreateNumbers("--senders", "How many senders at once. [default: those of the study, 1 to 50]", 1, MaxThreads);
        Option<int[]> receivers =
            CommonOptions.CreateNumbers("--receivers", "How many receivers afterwards. [default: as many as senders]", 1, MaxThreads);
        Option<bool> processes = CreateProcesses();
        var parts = new Option<SendersPart[]>("--part")
        {
            Description = "Only tables, advice, headers, memory or network; may be repeated. [default: all]",
            HelpName = "part,...",
            CustomParser = result => CommonOptions.ParseWords<SendersPart>(result),
        };
        var database = new Option<string?>("--database") { Description = "A database of PostgreSQL, for "
            + "external transactions over queues in a folder.", HelpName = "postgres://..." };
        Option<int> rounds = CommonOptions.CreateCount("--rounds", "How often every case is measured, in turn.", 7, 1_000);
        Option<double> seconds = CommonOptions.CreateNumber("--seconds-per-case", "How long each measurement takes, each way.", 0.01, 3_600, 0.3);
        Option<int> most = CommonOptions.CreateCount("--max-messages", "How many messages a measurement sends at most.", 200_000, 100_000_000);
        Option<bool> purge = CommonOptions.CreatePurge();
        var files = new ResultFiles();
        var command = new Command("senders", "Repeats the study of 1998: sizes by senders by delivery, sent and then received, beside its figures.")
        {
            queues, modes, sizes, threads, receivers, processes, parts, database, rounds, seconds, most, purge, files.Json, files.Csv,
        };
        command.SetAction(async (result, cancellationToken) =>
        {
            await using var folder = new NewFolder();
            files.Check(result);
            CheckProcesses(result, processes, queues);
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
            await using FileQueueProvider? provider = databaseAddress is null ? null : new FileQueueProvider();
            QueueConnector used = provider is null ? connector : ToolQueues.CreateConnector(provider);
            var run = new SendersRun(used, options, clock, error, provider);
            string commandLine = CommonOptions.Describe(result);
            SendersReport report = await RunProgress.RunAsync(error, progress => run.RunAsync(commandLine, progress, cancellationToken));
            SendersText.Print(output, report);
            files.Write(result, report, ReportJson.Default.SendersReport, SendersCsv.Write);
            return report.ExitCode();
        });
        return command;
    }

    internal static Option<bool> CreateProcesses() =>
        new("--processes") { Description = "Each sender is a process of its own, over a broker or a folder. Default: a thread." };

    internal static void CheckProcesses(ParseResult result, Option<bool> processes, Argument<string[]> queues)
    {
        if (result.GetValue(processes) && result.GetValue(queues) is null or { Length: 0 })
            throw new UsageException("--processes needs the address of a queue that processes share: one in memory belongs to one process.");
    }

    /// <summary>The verb of a process that sends: takes orders from the standard input.</summary>
    internal static Command CreateProcess(QueueConnector connector, TimeProvider clock)
    {
        var command = new Command(SenderProcess.Verb, "Sends what senders --processes tells it to.") { Hidden = true };
        command.SetAction((_, cancellationToken) => SenderProcess.RunAsync(connector, Console.In, Console.Out, clock, cancellationToken));
        return command;
    }
}
