using System;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using Formatters.Bench.Engine;
using Formatters.Bench.Reports;
using Formatters.Queues;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Messages;
using Formatters.TradeEngine.Runs;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>engine</c>.</summary>
internal static class EngineCommand
{
    internal const string Name = "engine";

    private const int QuickTrades = 4_000;

    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        var quick = new Option<bool>("--quick") { Description =
            "4,000 trades with bad, doubled, changed and missing messages and killed components, in under a minute." };
        var trades = new Option<int>("--trades") { Description = "How many trades of seven messages.", HelpName = "number", DefaultValueFactory = _ => 20_000 };
        trades.Validators.Add(CommonOptions.InRange(trades, 1, 10_000_000));
        var queues = new Option<string?>("--queues")
        {
            Description = "Where the queues are: an address up to the name of a queue, as amqp://localhost/engine- or memory:. Without: in a new folder below the current directory.",
            HelpName = "prefix",
        };
        var store = new Option<string?>("--store")
        {
            Description = "Where the trades are: a folder, or postgres://user:password@host/database. Without: in a new folder below the current directory.",
            HelpName = "place",
        };
        Option<int> databases = CreateCount("--databases", "On how many databases a new store has the trades.", 1, 64);
        var format = new Option<string>("--format") { Description = string.Join(", ", MessageFormats.All.Select(item => item.Name)) + ".",
            HelpName = "name", DefaultValueFactory = _ => "xml" };
        format.Validators.Add(result =>
        {
            if (result.Tokens.Count == 1 && MessageFormats.Find(result.Tokens[0].Value) is null)
                result.AddError($"'{result.Tokens[0].Value}' is none of {string.Join(", ", MessageFormats.All.Select(item => item.Name))}.");
        });
        var signature = new Option<string>("--signature") { Description = "How the driver signs: hmac or ecdsa.", HelpName = "name",
            DefaultValueFactory = _ => "hmac" };
        signature.AcceptOnlyFromAmong("hmac", "ecdsa");
        Option<int> inbound = CreateCount("--inbound-queues", "How many queues the driver sends to, each with a router of its own.", 1, 64);
        Option<int> instances = CreateCount("--instances", "How many instances of each of ALC, NPR and SET; NOE has one for two of them.", 2, 64);
        Option<int> batch = CreateCount("--batch", "How many messages a component takes at once.", 256, 10_000);
        Option<int> backlog = CreateCount("--backlog", "The driver waits while there are more messages in the in-bound queues; 0: it does not.",
            20_000, int.MaxValue, min: 0);
        Option<int> kills = CreateCount("--kills", "How many components are killed on the way.", 0, 1_000_000, min: 0);
        Option<int> seed = CreateCount("--seed", "The seed of all that is random.", 1, int.MaxValue, min: 0);
        Option<double> bad = CreateShare("--bad", "Bad messages, as a share of the good ones: 0.01 is one in a hundred.");
        Option<double> duplicates = CreateShare("--duplicates", "Messages that are sent twice.");
        Option<double> changes = CreateShare("--changes", "Trades with a message that is replaced, cancelled or rejected.");
        Option<double> gaps = CreateShare("--gaps", "Trades that lack a message.");
        var rate = new Option<double?>("--rate") { Description = "Messages a second that the driver sends. Without: as many as it can.", HelpName = "number" };
        var interval = new Option<int>("--interval") { Description = "How often the monitor reads the lengths of the queues.", HelpName = "ms",
            DefaultValueFactory = _ => 100 };
        interval.Validators.Add(CommonOptions.InRange(interval, 1, 60_000));
        var setFile = new Option<FileInfo?>("--set") { Description =
            "A file with the messages, as --write-set makes it with the same seed and shares.", HelpName = "file" };
        var writeSet = new Option<FileInfo?>("--write-set") { Description = "Writes the messages into a text file, XML, and ends.", HelpName = "file" };
        Option<bool> purge = CommonOptions.CreatePurge();
        Option<FileInfo?> json = CommonOptions.CreateJson();
        Option<FileInfo?> csv = CommonOptions.CreateCsv();
        var command = new Command(Name,
            "Runs a transaction engine that matches trades over queues, checks what comes out, and analyses it as a queueing network.")
        {
            quick, trades, queues, store, databases, format, signature, inbound, instances, batch, backlog, kills, seed, bad, duplicates, changes,
                gaps, rate, interval, setFile, writeSet, purge, json, csv,
        };
        command.SetAction(async (result, cancellationToken) =>
        {
            bool isQuick = result.GetValue(quick);
            var set = new MessageSetOptions
            {
                Seed = result.GetValue(seed),
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
                await output.WriteLineAsync($"{Numbers.Count(count)} messages of {Numbers.Count(set.TradeCount)} trades, {Numbers.Count(file.Length)} bytes, in {file.Name}.");
                return ExitCodes.Success;
            }

            if (result.GetValue(setFile) is { Exists: false } missing)
                throw new UsageException($"--set: there is no file '{missing.FullName}'.");
            CommonOptions.CheckFiles(result.GetValue(json), result.GetValue(csv));
            string? folder = null;
            if (result.GetValue(queues) is null || result.GetValue(store) is null)
                folder = "formatters-bench-" + Guid.NewGuid().ToString("N")[..8];
            int instanceCount = result.GetValue(instances);
            var options = new EngineRunOptions
            {
                QueuePrefix = result.GetValue(queues) ?? $"file:{folder}/queues/",
                Set = set,
                SetFile = result.GetValue(setFile),
                Formats = MessageFormats.Find(result.GetValue(format)!)!,
                Signature = result.GetValue(signature) == "ecdsa" ? SignatureAlgorithm.EcdsaP256 : SignatureAlgorithm.HmacSha256,
                InboundQueueCount = result.GetValue(inbound),
                RouterCount = result.GetValue(inbound),
                NoticeCount = (instanceCount + 1) / 2,
                InstanceCount = instanceCount,
                BatchSize = result.GetValue(batch),
                MaxBacklog = result.GetValue(backlog),
                Rate = result.GetValue(rate),
                MonitorInterval = TimeSpan.FromMilliseconds(result.GetValue(interval)),
                Kills = isQuick && !IsGiven(result, kills) ? 20 : result.GetValue(kills),
                Purges = result.GetValue(purge),
            };
            try
            {
                EngineReport report = await EngineMeasurement.RunAsync(
                    error, connector, result.GetValue(store) ?? $"{folder}/store", result.GetValue(databases), options,
                        CommonOptions.Describe(result), clock, cancellationToken);
                EngineText.Print(output, report);
                CommonOptions.WriteFiles(
                    result.GetValue(json),
                    result.GetValue(csv),
                    stream => JsonSerializer.Serialize(stream, report, ReportJson.Default.EngineReport),
                    writer => EngineCsv.Write(writer, report));
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

    private static bool IsGiven(ParseResult result, Option option) => result.GetResult(option) is { Implicit: false };

    private static Option<int> CreateCount(string name, string description, int byDefault, int max, int min = 1)
    {
        var option = new Option<int>(name) { Description = description, HelpName = "number", DefaultValueFactory = _ => byDefault };
        option.Validators.Add(CommonOptions.InRange(option, min, max));
        return option;
    }

    private static Option<double> CreateShare(string name, string description)
    {
        var option = new Option<double>(name) { Description = description, HelpName = "share" };
        option.Validators.Add(CommonOptions.InRange(option, 0, 1));
        return option;
    }
}
