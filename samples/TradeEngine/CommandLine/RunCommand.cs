using System.CommandLine;
using Formatters.Envelopes;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Measurement;
using Formatters.TradeEngine.Runs;

namespace Formatters.TradeEngine.CommandLine;

internal static class RunCommand
{
    private const int QuickTrades = 4_000;
    private const int MaxWarmTrades = 2_000;

    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        var shared = new SharedOptions();
        var quick = new Option<bool>("--quick") { Description =
            "4,000 trades with bad, doubled, changed and missing messages and killed components, in under a minute." };
        Option<int> trades = CommonOptions.CreateCount("--trades", "The number of trades, of seven messages each.", 20_000, 10_000_000);
        var signature = new Option<string>("--signature") { Description = "How the driver signs: hmac or ecdsa.", HelpName = "name",
            DefaultValueFactory = _ => "hmac" };
        signature.AcceptOnlyFromAmong("hmac", "ecdsa");
        Option<int> backlog =
            CommonOptions.CreateCount("--backlog", "The driver waits while the in-bound queues hold more messages than this; 0: it never waits.",
            20_000, int.MaxValue, min: 0);
        Option<int> kills = CommonOptions.CreateCount("--kills", "How many components are killed during the run.", 0, 1_000_000, min: 0);
        Option<double> bad = CreateShare("--bad", "Bad messages, as a share of the good ones: 0.01 is one in a hundred.");
        Option<double> duplicates = CreateShare("--duplicates", "Messages that are sent twice.");
        Option<double> changes = CreateShare("--changes", "Trades with a message that is replaced, cancelled or rejected.");
        Option<double> gaps = CreateShare("--gaps", "Trades that lack a message.");
        Option<double?> rate = CommonOptions.CreateOptionalNumber(
            "--rate", "Messages per second that are due, one by one at random times, whether the engine keeps up or not. "
                + "Default: as many as the driver can send.",
            0.001, 1e9, "number");
        Option<int?> warmUp = SharedOptions.CreateWarmUp(
            "The number of trades that are sent before the measurement; they are checked, too. Default: as many as --trades, up to 2,000.");
        Option<string?> transfer = SharedOptions.CreateTransfer();
        Option<int> interval =
            CommonOptions.CreateCount("--interval", "How often the monitor reads the lengths of the queues.", 100, 60_000, helpName: "ms");
        Option<int?> processes = CommonOptions.CreateOptionalCount("--processes",
            "How many processes run the components; each process runs all of them. 0: they run elsewhere (node). With 1 "
            + "or more, --kills kills whole processes. " + "Default: this process runs them.", 0, 64);
        Option<string?> key = NodeCommand.CreateKey();
        Option<int?> cores =
            CommonOptions.CreateOptionalCount("--cores", "How many processors this process may use. Default: all.", 1, Environment.ProcessorCount);
        var setFile = new Option<FileInfo?>("--set") { Description =
            "A file with the messages, written by --write-set with the same seed and shares; the trades are those of the file.", HelpName = "file" };
        var writeSet = new Option<FileInfo?>("--write-set") { Description = "Write the messages to an XML text file, and end.", HelpName = "file" };
        Option<bool> purge = CommonOptions.CreatePurge();
        var files = new ResultFiles();
        var command = new Command("run",
            "Runs a transaction engine that matches trades over queues, checks what comes out, and analyses it as a queueing network.")
        {
            quick, trades, signature, backlog, kills, bad, duplicates, changes, gaps, rate, warmUp, transfer, interval, processes, key, cores,
            setFile, writeSet, purge, files.Json, files.Csv,
        };
        foreach (Option option in shared.All)
            command.Options.Add(option);
        command.SetAction(async (result, cancellationToken) =>
        {
            bool isQuick = result.GetValue(quick);
            var set = new MessageSetOptions
            {
                Seed = result.GetValue(shared.Seed),
                TradeCount = isQuick && !IsGiven(result, trades) ? QuickTrades : result.GetValue(trades),
                BadShare = Share(bad, 0.01),
                DuplicateShare = Share(duplicates, 0.01),
                ChangeShare = Share(changes, 0.01),
                IncompleteShare = Share(gaps, 0.005),
            };
            if (result.GetValue(writeSet) is { } file)
            {
                long count = 0;
                WholeFile.Write(file, stream => count = MessageSetFile.Write(stream, MessageSet.Create(set).GetMessages()));
                await output.WriteLineAsync($"{Numbers.Count(count)} messages of {Numbers.Count(set.TradeCount)} trades, "
                    + $"{Numbers.Count(file.Length)} bytes, in {file.Name}.");
                return ExitCodes.Success;
            }

            if (result.GetValue(setFile) is { Exists: false } missing)
                throw CommonOptions.Missing(missing, "--set: ");
            if (result.GetValue(setFile) is { } given)
                set = RequireSame(given, set, IsGiven(result, trades));
            files.Check(result);
            string? place = result.GetValue(shared.Store);
            int? processCount = result.GetValue(processes);
            if (processCount is not null)
                SharedOptions.CheckShared(result.GetValue(shared.Queues), place);
            if (processCount == 0 && result.GetValue(key) is null)
                throw new UsageException("--processes 0: --key names the file with the key that the component processes verify with.");
            if (processCount == 0 && result.GetValue(kills) > 0)
                throw new UsageException("--processes 0: --kills cannot kill components that run elsewhere.");
            string? folder = result.GetValue(shared.Queues) is null || place is null ? SharedOptions.NewFolderName() : null;
            EngineRunOptions options = shared.ToRunOptions(result, folder) with
            {
                Set = set,
                SetFile = result.GetValue(setFile),
                Signature = result.GetValue(signature) == "ecdsa" ? SignatureAlgorithm.EcdsaP256 : SignatureAlgorithm.HmacSha256,
                MaxBacklog = result.GetValue(backlog),
                Rate = result.GetValue(rate),
                WarmTrades = result.GetValue(warmUp) ?? Math.Min(set.TradeCount, MaxWarmTrades),
                Transfer = result.GetValue(transfer),
                MonitorInterval = TimeSpan.FromMilliseconds(result.GetValue(interval)),
                Kills = isQuick && !IsGiven(result, kills) ? 20 : result.GetValue(kills),
                Purges = result.GetValue(purge),
                Cores = result.GetValue(cores),
                Key = result.GetValue(key) is { } entry ? NodeCommand.ReadKey(entry, signs: true) : null,
            };
            using EngineKeyFile? keyFile = processCount > 0 ? EngineKeyFile.Create(result.GetValue(key), options.Signature) : null;
            if (keyFile is not null)
                options = options with { Key = keyFile.Key };
            await using NodeFleet? fleet = processCount is > 0 and { } number
                ? new NodeFleet(SweepCommand.NodeArguments(options, place!, result.GetValue(shared.Databases), keyFile!.NodeEntry), number,
                    options.Kills)
                : null;
            options = options with { Fleet = processCount == 0 ? new NodesElsewhere(1) : fleet };
            try
            {
                EngineReport report =
                    await EngineMeasurement.RunAsync(error, connector, place ?? $"{folder}/store", result.GetValue(shared.Databases), options,
                    CommonOptions.Describe(result), clock, cancellationToken);
                EngineText.Print(output, report);
                files.Write(result, report, EngineJson.Default.EngineReport, EngineCsv.Write);
                return report.Result.IsRight ? ExitCodes.Success : ExitCodes.Failure;
            }
            finally
            {
                if (folder is not null && Directory.Exists(folder))
                    Directory.Delete(folder, recursive: true);
            }

            double Share(Option<double> option, double ofQuick) => isQuick && !IsGiven(result, option) ? ofQuick : result.GetValue(option);
        });
        return command;
    }

    /// <summary>Makes sure that a file has the messages by which the run is checked.</summary>
    /// <param name="isCountGiven">Whether the number of trades was given: it must be that of the file, then.</param>
    /// <returns>The options of the set, with the file's number of trades.</returns>
    private static MessageSetOptions RequireSame(FileInfo file, MessageSetOptions options, bool isCountGiven)
    {
        try
        {
            using FileStream stream = file.OpenRead();
            MessageSetOptions found = options with { TradeCount = MessageSetFile.CountTrades(stream) };
            if (isCountGiven && found.TradeCount != options.TradeCount)
                throw new UsageException(
                    $"--trades {Numbers.Count(options.TradeCount)}: '{file.Name}' has {Numbers.Count(found.TradeCount)}. Leave --trades out.");
            stream.Position = 0;
            return MessageSetFile.FindDifference(stream, MessageSet.Create(found).GetMessages()) is { } number
                ? throw new UsageException($"--set: message {Numbers.Count(number)} of '{file.Name}' is not one of this seed and these shares. "
                    + "Name the --seed, --bad, --duplicates, --changes and --gaps with which the file was written.")
                : found;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            throw new UsageException($"--set: {e.Message}");
        }
    }

    private static bool IsGiven(ParseResult result, Option option) => result.GetResult(option) is { Implicit: false };

    private static Option<double> CreateShare(string name, string description) =>
        CommonOptions.CreateNumber(name, description, 0, 1, helpName: "share");
}
