using System;
using System.Collections.Generic;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Queues.RabbitMQ;
using Formatters.Tools.Queues;

namespace Formatters.Tools.Commands;

/// <summary>The command <c>queue</c>: shows queues, and repairs them.</summary>
internal static class QueueCommand
{
    internal const string Name = "queue";
    internal const string Purge = "purge";
    internal const string Requeue = "requeue";
    internal const string Salvage = "salvage";

    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock) => new(
        Name, "Lists queues; shows, sends, receives and deletes messages; sends dead letters back; looks for damage.")
    {
        CreateList(output, error, connector, clock),
        CreatePeek(output, error, connector, clock),
        QueueFileCommands.CreateSend(output, connector),
        QueueFileCommands.CreateReceive(output, connector),
        CreatePurge(output, connector),
        CreateRequeue(output, connector),
        CreateVerify(output, error),
        CreateSalvage(output, error),
    };

    private static Command CreateList(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        var addresses = new Argument<string[]>("address") { Description = "Locations (file:folder/, postgres://host/db/, amqp://host/) or queues.", Arity = ArgumentArity.OneOrMore };
        var management = new Option<Uri?>("--management")
        {
            Description = "RabbitMQ's management interface, which has the names of queues and the number of locked messages: http://localhost:15672.",
            HelpName = "url",
            CustomParser = static result =>
            {
                if (Uri.TryCreate(result.Tokens[0].Value, UriKind.Absolute, out Uri? uri) && uri.Scheme is "http" or "https")
                    return uri;
                result.AddError("--management takes an HTTP address, such as http://localhost:15672.");
                return null;
            },
        };
        Option<FileInfo?> json = CommonOptions.CreateJson();
        var command = new Command("list", "Which queues are there, how many messages wait or are locked, and how old is the oldest?") { addresses, management, json };
        command.SetAction(async (result, cancellationToken) =>
        {
            CommonOptions.CheckFiles(result.GetValue(json), null);
            var brokers = new QueueConnector(new RabbitMqQueueProvider(new RabbitMqOptions { ManagementAddress = result.GetValue(management) }));
            var all = new List<QueueStatus>();
            var processes = new List<FolderProcess>();
            bool isWhole = true;
            foreach (QueueAddress address in result.GetValue(addresses)!.SelectMany(QueueAddress.ParseList))
            {
                bool isBroker = result.GetValue(management) is not null && address.Scheme is "amqp" or "amqps";
                IReadOnlyList<QueueStatus> found;
                try
                {
                    found = await (isBroker ? brokers : connector).ListOneAsync(address, cancellationToken);
                    if (address.Uri.IsFile && connector.FindProvider(address) is FileQueueProvider files)
                        processes.AddRange(await files.GetProcessesAsync(FolderOf(address), cancellationToken));
                }
                catch (QueueException e) when (FolderLogView.TryRead(address, e, error, cancellationToken) is { } log)
                {
                    using (log)
                    {
                        found = log.List();
                        isWhole &= log.ExitCode == ExitCodes.Success;
                    }
                }

                all.AddRange(found);
                // A place may be empty; a queue that was named and is not there is a mistake.
                if (found.Count == 0 && address.QueueName.Length > 0 && !IsDatabase(address))
                    throw new QueueException($"There is no queue '{address}'.");
                isWhole &= found.All(static queue => queue.StoppedReason is null);
            }

            QueueList list = QueueList.Of(clock.GetUtcNow(), all, processes);
            list.Print(output);
            CommonOptions.WriteFiles(result.GetValue(json), null, stream => JsonSerializer.Serialize(stream, list, ToolJson.Default.QueueList), static _ => { });
            return isWhole ? ExitCodes.Success : ExitCodes.Failure;
        });
        return command;
    }

    /// <summary>The address of the folder of an address, which is a folder or a queue in one.</summary>
    private static string FolderOf(QueueAddress address)
    {
        string path = Path.TrimEndingDirectorySeparator(address.Uri.LocalPath);
        return new Uri(QueueCheck.IsFolderOfQueues(path) ? path : Path.GetDirectoryName(path)!).AbsoluteUri;
    }

    private static Command CreatePeek(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        var address = new Argument<string>("queue") { Description = "The queue, for example a dead-letter queue." };
        var count = new Option<int>("--count") { Description = "The maximum number of messages to show.", HelpName = "number", DefaultValueFactory = static _ => 20 };
        count.Validators.Add(CommonOptions.InRange(count, 1, 100_000));
        var after = new Option<string?>("--after") { Description = "The position after which to start.", HelpName = "position" };
        var selector = new Option<string?>("--selector") { Description = "Only messages that a selector selects: \"region = 'north'\".", HelpName = "selector" };
        var ready = new Option<bool>("--ready") { Description = "Only messages that can be received now: neither locked nor delayed." };
        var body = new Option<bool>("--body") { Description = "Also show the bodies, without needing their .NET types." };
        Option<FileInfo?> json = CommonOptions.CreateJson();
        var command = new Command("peek", "Shows the messages of a queue, and leaves them there.") { address, count, after, selector, ready, body, json };
        command.SetAction(async (result, cancellationToken) =>
        {
            CommonOptions.CheckFiles(result.GetValue(json), null);
            PeekOptions options;
            try
            {
                options = new PeekOptions
                {
                    MaxCount = result.GetValue(count),
                    After = result.GetValue(after),
                    Selector = result.GetValue(selector),
                    IncludeLocked = !result.GetValue(ready),
                    IncludeDelayed = !result.GetValue(ready),
                };
            }
            catch (InvalidSelectorException e)
            {
                throw new UsageException($"--selector: {e.Message}");
            }

            QueueAddress one = QueueAddress.Parse(result.GetValue(address)!);
            IReadOnlyList<PeekedMessage> messages;
            int exitCode;
            try
            {
                (messages, exitCode) = await PeekAsync(one, options, cancellationToken);
            }
            catch (ArgumentException e) when (options.After is not null)
            {
                throw new UsageException(e, "--after: ");
            }

            PeekList list = PeekList.Of(one, clock.GetUtcNow(), messages, options.MaxCount, result.GetValue(body));
            list.Print(output);
            CommonOptions.WriteFiles(result.GetValue(json), null, stream => JsonSerializer.Serialize(stream, list, ToolJson.Default.PeekList), static _ => { });
            return exitCode;
        });
        return command;

        async Task<(IReadOnlyList<PeekedMessage> Messages, int ExitCode)> PeekAsync(QueueAddress one, PeekOptions options, CancellationToken cancellationToken)
        {
            try
            {
                await QueueCheck.FindAsync(connector, one, cancellationToken);
                await using QueueClient queue = await connector.OpenOneAsync(one, new QueueOptions { DeliveryMode = DeliveryMode.Express, PrefetchCount = 1 }, cancellationToken);
                return (await queue.PeekAsync(options, cancellationToken), ExitCodes.Success);
            }
            catch (QueueException e) when (FolderLogView.TryRead(one, e, error, cancellationToken) is { } log)
            {
                using (log)
                    return (log.Peek(options), log.ExitCode);
            }
        }
    }

    private static Command CreatePurge(TextWriter output, QueueConnector connector)
    {
        var addresses = new Argument<string[]>("queue") { Description = "The queues. Warning: deletes every message in them that is not locked.", Arity = ArgumentArity.OneOrMore };
        var command = new Command(Purge, "Deletes the messages of queues.") { addresses };
        command.SetAction(async (result, cancellationToken) =>
        {
            QueueAddress[] queues = [.. result.GetValue(addresses)!.SelectMany(QueueAddress.ParseList)];
            // All that can be wrong is said before anything is deleted.
            foreach (QueueAddress address in queues)
                await QueueCheck.FindAsync(connector, address, cancellationToken);
            foreach (QueueAddress address in queues)
            {
                await using QueueClient queue = await connector.OpenOneAsync(address, new QueueOptions { DeliveryMode = DeliveryMode.Express }, cancellationToken);
                long count = await queue.PurgeAsync(cancellationToken);
                string locked = await queue.GetLockedCountAsync(cancellationToken) is > 0 and var number ? $"; {Numbers.Count(number)} {(number == 1 ? "is locked, and stays" : "are locked, and stay")}" : "";
                await output.WriteLineAsync($"{queue.Address}: {Numbers.Count(count, "message")} deleted{locked}");
            }

            return ExitCodes.Success;
        });
        return command;
    }

    private static Command CreateRequeue(TextWriter output, QueueConnector connector)
    {
        var queue = new Argument<string>("queue") { Description = "The dead-letter queue." };
        var to = new Option<string?>("--to") { Description = "The queue for all of them. Default: for each, the queue from which it came.", HelpName = "address" };
        var reason = new Option<string?>("--reason") { Description = "Only dead letters with this reason, such as expired or max-delivery-count-exceeded.", HelpName = "word" };
        var limit = new Option<long?>("--limit") { Description = "The maximum number of messages to send back.", HelpName = "number" };
        limit.Validators.Add(CommonOptions.InRange(limit, 1, long.MaxValue));
        Option<FileInfo?> json = CommonOptions.CreateJson();
        var command = new Command(Requeue, "Sends dead letters back to the queues from which they came.") { queue, to, reason, limit, json };
        command.SetAction(async (result, cancellationToken) =>
        {
            CommonOptions.CheckFiles(result.GetValue(json), null);
            var run = new RequeueRun(connector, new RequeueOptions(QueueAddress.Parse(result.GetValue(queue)!), result.GetValue(to) is { } other ? QueueAddress.Parse(other) : null, result.GetValue(reason), result.GetValue(limit)));
            bool isWhole = false;
            try
            {
                isWhole = await run.RunAsync(cancellationToken);
            }
            finally
            {
                if (isWhole || run.Report.RequeuedCount > 0)
                    run.Report.Print(output);
            }

            CommonOptions.WriteFiles(result.GetValue(json), null, stream => JsonSerializer.Serialize(stream, run.Report, ToolJson.Default.RequeueReport), static _ => { });
            return !isWhole ? ExitCodes.Interrupted : run.Report.HasFailures ? ExitCodes.Failure : ExitCodes.Success;
        });
        return command;
    }

    private static Command CreateVerify(TextWriter output, TextWriter error)
    {
        var folder = new Argument<string>("folder") { Description = "The folder of queues: file:queues/ or its path." };
        Option<FileInfo?> json = CommonOptions.CreateJson();
        var command = new Command("verify", "Reads the whole log of a folder, and says what is damaged or lost.") { folder, json };
        command.SetAction(async (result, cancellationToken) =>
        {
            CommonOptions.CheckFiles(result.GetValue(json), null);
            using QueueFolderLog log = await ReadLogAsync(error, result.GetValue(folder)!, cancellationToken);
            FolderLogReport report = FolderLogReport.Of(log);
            report.Print(output);
            CommonOptions.WriteFiles(result.GetValue(json), null, stream => JsonSerializer.Serialize(stream, report, ToolJson.Default.FolderLogReport), static _ => { });
            return report.IsWhole ? ExitCodes.Success : ExitCodes.Failure;
        });
        return command;
    }

    private static Command CreateSalvage(TextWriter output, TextWriter error)
    {
        var folder = new Argument<string>("folder") { Description = "The folder of queues, damaged or not: file:queues/ or its path. It is only read." };
        var to = new Argument<string>("to") { Description = "The new folder, which must not exist or must be empty." };
        Option<FileInfo?> json = CommonOptions.CreateJson();
        var command = new Command(Salvage, "Copies what can be read of a damaged folder into a new one.") { folder, to, json };
        command.SetAction(async (result, cancellationToken) =>
        {
            CommonOptions.CheckFiles(result.GetValue(json), null);
            string target = PathOf(result.GetValue(to)!);
            if (Directory.Exists(target) && Directory.EnumerateFileSystemEntries(target).Any())
                throw new UsageException($"The folder '{target}' is not empty: name a new one.");
            using QueueFolderLog log = await ReadLogAsync(error, result.GetValue(folder)!, cancellationToken);
            long count = await RunProgress.RunAsync(error, isQuiet: true, progress => Task.Run(() => log.Salvage(target, progress.Stage("copying the messages"), cancellationToken), CancellationToken.None));
            FolderLogReport report = FolderLogReport.Of(log) with { SalvagedCount = count };
            report.Print(output);
            CommonOptions.WriteFiles(result.GetValue(json), null, stream => JsonSerializer.Serialize(stream, report, ToolJson.Default.FolderLogReport), static _ => { });
            return report.IsWhole && count == report.MessageCount ? ExitCodes.Success : ExitCodes.Failure;
        });
        return command;
    }

    private static async Task<QueueFolderLog> ReadLogAsync(TextWriter error, string folder, CancellationToken cancellationToken)
    {
        string path = PathOf(folder);
        try
        {
            return await RunProgress.RunAsync(error, isQuiet: true, progress => Task.Run(() => QueueFolderLog.Open(path, progress.Stage("reading the log"), cancellationToken), CancellationToken.None));
        }
        catch (QueueException e)
        {
            // The log could not be read, so it is not known whether it is damaged.
            throw new UsageException(e.Message);
        }
    }

    private static string PathOf(string folder)
    {
        if (folder.StartsWith("file:", StringComparison.OrdinalIgnoreCase))
            return Path.TrimEndingDirectorySeparator(QueueAddress.Parse(folder).Uri.LocalPath);
        int scheme = folder.IndexOf("://", StringComparison.Ordinal);
        return scheme < 0 ? folder : throw new UsageException($"'{folder[..scheme]}:' is not a folder: only queues in a folder (file:) have a log to read.");
    }

    private static bool IsDatabase(QueueAddress address) => address.Scheme is "postgres" or "postgresql" && address.Uri.Segments.Length == 2;
}
