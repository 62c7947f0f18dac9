using System;
using System.Collections.Generic;
using System.CommandLine;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Tools.Queues;

namespace Formatters.Tools.Commands;

/// <summary>The commands <c>queue send</c> and <c>queue receive</c>: files to messages, and messages to files.</summary>
internal static class QueueFileCommands
{
    internal const string Send = "send";
    internal const string Receive = "receive";

    private const string Standard = "-";

    internal static Command CreateSend(TextWriter output, QueueConnector connector)
    {
        var address = new Argument<string>("queue") { Description = "The queue; it is created if it does not exist." };
        var files = new Argument<string[]>("file")
        {
            Description = "Files with one body each, in the order of sending; - for the standard input. A folder: the messages that 'queue receive' wrote there.",
            Arity = ArgumentArity.OneOrMore,
        };
        var contentType = new Option<string?>("--content-type") { Description = "The content type of the bodies.", HelpName = "type" };
        var bodyType = new Option<int>("--body-type") { Description = "The body type of the bodies, a number.", HelpName = "number" };
        var label = new Option<string?>("--label") { Description = "The label.", HelpName = "text" };
        var id = new Option<string?>("--id") { Description = "The message id; only with one file.", HelpName = "id" };
        var correlationId = new Option<string?>("--correlation-id") { Description = "The correlation id.", HelpName = "id" };
        var priority = new Option<int?>("--priority") { Description = "The priority, from 0 to 9. Default: 4.", HelpName = "number" };
        priority.Validators.Add(CommonOptions.InRange(priority, 0, 9));
        Option<double?> life = CommonOptions.CreateOptionalNumber("--time-to-live", "The time after which the message expires, in seconds.", 0.001, 31_536_000_000, "seconds");
        Option<double?> delay = CommonOptions.CreateOptionalNumber("--delay", "The time before which the message cannot be received, in seconds.", 0.001, 31_536_000_000, "seconds");
        var headers = new Option<string[]>("--header") { Description = "A header, a string; may be repeated.", HelpName = "name=value" };
        var command = new Command(Send, "Sends files as messages.") { address, files, contentType, bodyType, label, id, correlationId, priority, life, delay, headers };
        command.SetAction(async (result, cancellationToken) =>
        {
            string[] names = result.GetValue(files)!;
            if (names.Length > 1 && result.GetValue(id) is not null)
                throw new UsageException("--id names one message: give one file.");
            (string Name, string Value)[] pairs = [.. (result.GetValue(headers) ?? []).Select(SplitHeader)];
            // Missing files and bad properties are reported before anything is sent. Bodies are read one at a time.
            (MessageFile? File, MessageProperties Properties)[] sources =
            [
                .. names.SelectMany(static name => name == Standard ? [(null, new MessageProperties())]
                    : FilesOf(name).Select(static file => ((MessageFile?)file, file.ReadProperties()))),
            ];
            await using QueueClient queue = await OpenForSendAsync(connector, result.GetValue(address)!, cancellationToken);
            long sent = 0;
            try
            {
                foreach ((MessageFile? file, MessageProperties properties) in sources)
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    byte[] body = file is null ? ReadStandardInput() : await File.ReadAllBytesAsync(file.Body.FullName, cancellationToken);
                    await SendAsync(queue, Complete(properties, body));
                    sent++;
                }
            }
            finally
            {
                output.WriteLine($"{Numbers.Count(sent)} {(sent == 1 ? "message" : "messages")} sent to {queue.Address}");
            }

            return ExitCodes.Success;

            QueueMessage Complete(MessageProperties properties, byte[] body)
            {
                QueueMessage message = (properties with
                {
                    MessageId = result.GetValue(id) ?? properties.MessageId,
                    ContentType = result.GetValue(contentType) ?? properties.ContentType,
                    BodyType = result.GetResult(bodyType) is { Implicit: false } ? result.GetValue(bodyType) : properties.BodyType,
                    Label = result.GetValue(label) ?? properties.Label,
                    CorrelationId = result.GetValue(correlationId) ?? properties.CorrelationId,
                    Priority = result.GetValue(priority) ?? properties.Priority,
                }).ToMessage(body);
                foreach ((string name, string value) in pairs)
                    message.Headers[name] = value;
                if (result.GetValue(life) is { } seconds)
                    message.TimeToLive = TimeSpan.FromSeconds(seconds);
                if (result.GetValue(delay) is { } wait)
                    message.DueTime = DateTimeOffset.UtcNow.AddSeconds(wait);
                return message;
            }
        });
        return command;
    }

    internal static Command CreateReceive(TextWriter output, QueueConnector connector)
    {
        var address = new Argument<string>("queue") { Description = "The queue." };
        var to = new Option<string>("--to")
        {
            Description = "The file for the body, - for the standard output; with --count or --all a folder, "
                + "which gets two files for each message: its body, and its properties as JSON (NAME.properties.json).",
            HelpName = "file|folder",
            Required = true,
        };
        var count = new Option<long?>("--count") { Description = "The maximum number of messages.", HelpName = "number" };
        count.Validators.Add(CommonOptions.InRange(count, 1, long.MaxValue));
        var all = new Option<bool>("--all") { Description = "All messages: until the queue has been empty for the time of --wait." };
        Option<double> wait = CommonOptions.CreateNumber("--wait", "How long to wait for a message, in seconds.", 0, 86_400, 1, helpName: "seconds");
        var selector = new Option<string?>("--selector") { Description = "Only messages that a selector selects: \"region = 'north'\".", HelpName = "selector" };
        var command = new Command(Receive, "Receives messages, and writes them to files.") { address, to, count, all, wait, selector };
        command.SetAction(async (result, cancellationToken) =>
        {
            bool isMany = result.GetValue(all) || result.GetValue(count) is not null;
            if (result.GetValue(all) && result.GetValue(count) is not null)
                throw new UsageException("--all and --count exclude each other.");
            string target = result.GetValue(to)!;
            if (isMany && (target == Standard || File.Exists(target)))
                throw new UsageException("With --count or --all, --to names a folder.");
            if (!isMany && target != Standard)
                CheckNew(new FileInfo(target));
            QueueAddress one = QueueAddress.Parse(result.GetValue(address)!);
            await QueueCheck.FindAsync(connector, one, cancellationToken);
            QueueOptions options;
            try
            {
                options = new QueueOptions { DeliveryMode = DeliveryMode.Express, ReceiveMode = ReceiveMode.PeekLock, PrefetchCount = 1, Selector = result.GetValue(selector) };
            }
            catch (InvalidSelectorException e)
            {
                throw new UsageException($"--selector: {e.Message}");
            }

            Func<FileInfo> next = isMany ? NewFilesOf(target) : () => new FileInfo(target);
            long received = 0;
            try
            {
                await using QueueClient queue = await connector.OpenOneAsync(one, options, cancellationToken);
                long limit = result.GetValue(count) ?? (isMany ? long.MaxValue : 1);
                while (received < limit && await queue.ReceiveAsync(TimeSpan.FromSeconds(result.GetValue(wait)), null, cancellationToken) is { } message)
                {
                    await WriteAsync(message, target == Standard ? null : next);
                    received++;
                }
            }
            finally
            {
                if (target != Standard)
                    output.WriteLine($"{Numbers.Count(received)} {(received == 1 ? "message" : "messages")} received from {one}");
            }

            if (received > 0 || isMany)
                return ExitCodes.Success;
            throw new QueueException($"'{one}' has no message that can be received now.");
        });
        return command;

        // A message leaves its queue when its files are on the disk.
        static async Task WriteAsync(ReceivedMessage message, Func<FileInfo>? next)
        {
            try
            {
                if (next is null)
                {
                    await using Stream stream = Console.OpenStandardOutput();
                    await stream.WriteAsync(message.Body.ToArray());
                    await stream.FlushAsync();
                }
                else
                {
                    FileInfo file = next();
                    while (!new MessageFile(file).TryWrite(message))
                    {
                        // Another run took the number first.
                        FileInfo other = next();
                        file = other.FullName != file.FullName ? other : throw new IOException($"'{file.FullName}' exists already.");
                    }
                }
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or RefusedHeaderException)
            {
                await message.ReturnAsync(CancellationToken.None);
                throw e is RefusedHeaderException ? new QueueException(e.Message) : e;
            }

            await message.AcknowledgeAsync(CancellationToken.None);
        }
    }

    private static async Task SendAsync(QueueClient queue, QueueMessage message)
    {
        try
        {
            await queue.SendAsync(message, transaction: null, CancellationToken.None);
        }
        catch (ArgumentException e)
        {
            throw new UsageException(e, $"{queue.Address} does not accept the message: ");
        }
    }

    /// <summary>Opens a queue so that a completed send is on its disk, if the queue offers that.</summary>
    private static async Task<QueueClient> OpenForSendAsync(QueueConnector connector, string address, CancellationToken cancellationToken)
    {
        QueueAddress one = QueueAddress.Parse(address);
        (_, bool isRecoverable) = await Modes.ProbeAsync(connector, address, DeliveryMode.Recoverable, cancellationToken);
        return await connector.OpenOneAsync(one, new QueueOptions { DeliveryMode = isRecoverable ? DeliveryMode.Recoverable : DeliveryMode.Express }, cancellationToken);
    }

    private static (string Name, string Value) SplitHeader(string pair) =>
        pair.Split('=', 2) is [{ Length: > 0 } name, { } value] ? (name, value) : throw new UsageException($"--header takes name=value, not '{pair}'.");

    private static byte[] ReadStandardInput()
    {
        using Stream input = Console.OpenStandardInput();
        using var body = new MemoryStream();
        input.CopyTo(body);
        return body.ToArray();
    }

    /// <summary>Returns the messages of a folder in the order of their names, or the file itself.</summary>
    private static IEnumerable<MessageFile> FilesOf(string name)
    {
        var folder = new DirectoryInfo(name);
        if (!folder.Exists)
            return [new MessageFile(new FileInfo(name) is { Exists: true } file ? file : throw CommonOptions.Missing(new FileInfo(name)))];
        FileInfo[] bodies = [.. folder.GetFiles().Where(MessageFile.IsBody).OrderBy(static file => file.Name, StringComparer.Ordinal)];
        return bodies.Length > 0 ? bodies.Select(static body => new MessageFile(body)) : throw new UsageException($"The folder '{folder.FullName}' has no files with bodies.");
    }

    /// <summary>Returns a function that names new files in a folder: after the last one that is there.</summary>
    private static Func<FileInfo> NewFilesOf(string name)
    {
        DirectoryInfo folder = Directory.CreateDirectory(name);
        long last = folder.GetFiles().Select(static file => long.TryParse(file.Name.Split('.')[0], NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : 0)
            .DefaultIfEmpty(0).Max();
        return () => new FileInfo(Path.Combine(folder.FullName, string.Create(CultureInfo.InvariantCulture, $"{++last:D8}.body")));
    }

    private static void CheckNew(FileInfo file)
    {
        if (WholeFile.IsStream(file))
            return;
        foreach (FileInfo one in new[] { file, new MessageFile(file).Properties })
        {
            if (one.Exists || Directory.Exists(one.FullName))
                throw new UsageException($"'{one.FullName}' exists already: name a new file.");
        }

        try
        {
            WholeFile.Check(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"--to: the file cannot be written: {e.Message}");
        }
    }
}
