using System;
using System.Collections.Generic;
using System.CommandLine;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Formatters.ActiveX;
using Formatters.Envelopes;
using Formatters.Inspection;
using Formatters.Queues;
using Formatters.Tools.Queues;

namespace Formatters.Tools.Commands;

/// <summary>Shows what is in bodies and queues, for the verb <c>inspect</c>.</summary>
internal static class InspectCommand
{
    private const string ActiveX = "activex";
    private const string StandardInput = "-";

    /// <summary>The maximum number of unacknowledged messages of a RabbitMQ receiver.</summary>
    private const int MaxReceiveCount = ushort.MaxValue;

    private static readonly TimeSpan ReceiveTimeout = TimeSpan.FromSeconds(1);

    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector)
    {
        var file = new Argument<string?>("file") { Description = "A file with one message body; - for the standard input.", Arity = ArgumentArity.ZeroOrOne };
        var queue = new Option<string?>("--queue") { Description = "Instead of a file: the messages that wait in a queue. They stay there, and are not counted as delivered.", HelpName = "address" };
        var count = new Option<int>("--count") { Description = "With --queue: the maximum number of messages to print.", HelpName = "number", DefaultValueFactory = static _ => 20 };
        count.Validators.Add(CommonOptions.InRange(count, 1, 100_000));
        var id = new Option<string?>("--id") { Description = "With --queue: only the message with this id.", HelpName = "id" };
        var giveBack = new Option<bool>("--return") { Description = "With --queue, for RabbitMQ, which cannot show messages otherwise: receive the messages and give them back. Each counts as delivered once more." };
        var format = new Option<string>("--format")
        {
            Description = $"The wire format: {Names}. Default: by content type or body type, else guessed from the bytes.",
            HelpName = "name",
        };
        var contentType = new Option<string>("--content-type") { Description = "The content type that the message had. Default: that in the file's properties, if queue receive has written it.", HelpName = "type" };
        var bodyType = new Option<int>("--body-type") { Description = "The body type that the message had; for ActiveX bodies the VARTYPE.", HelpName = "number" };
        var offsets = new Option<bool>("--offsets") { Description = "Show the offset of each value, in hexadecimal." };
        var maxBytes = new Option<int>("--max-bytes")
        {
            Description = "The maximum length of the body, in bytes.",
            HelpName = "number",
            DefaultValueFactory = static _ => FormatterLimits.Default.MaxBodyByteCount,
        };
        var maxChars = new Option<long>("--max-chars")
        {
            Description = "The maximum number of characters to print.",
            HelpName = "number",
            DefaultValueFactory = static _ => InspectionOptions.Default.MaxCharCount,
        };
        Option<double> timeout = CommonOptions.CreateNumber("--timeout", "How long a pipe or device may deliver no data, in seconds.", 0, 1_000_000, 10, helpName: "seconds");
        var signingKeys = new Option<string[]>("--signing-key")
        {
            Description = "A key to verify signed bodies: its id, and a file with the secret of HMAC-SHA256, or a public key for ECDSA in PEM. May be repeated.",
            HelpName = "id=file",
        };
        var encryptionKeys = new Option<string[]>("--encryption-key")
        {
            Description = "A key to decrypt encrypted bodies: its id, and a file with its 16, 24 or 32 bytes. May be repeated.",
            HelpName = "id=file",
        };
        maxBytes.Validators.Add(CommonOptions.InRange(maxBytes, 1, Array.MaxLength));
        maxChars.Validators.Add(CommonOptions.InRange(maxChars, 1, long.MaxValue));
        var command = new Command("inspect", "Prints a message body as JSON, without needing its .NET type.")
        {
            file, queue, count, id, giveBack, format, contentType, bodyType, offsets, maxBytes, maxChars, timeout, signingKeys, encryptionKeys,
        };
        command.SetAction(async (result, cancellationToken) =>
        {
            string? path = result.GetValue(file), address = result.GetValue(queue), name = result.GetValue(format);
            if (path is null == address is null)
                throw new UsageException("inspect takes either a file (- is the standard input) or --queue.");
            if (address is null && (result.GetResult(count) is { Implicit: false } || result.GetValue(id) is not null || result.GetValue(giveBack)))
                throw new UsageException("--count, --id and --return go with --queue.");
            InspectionOptions options = new()
            {
                ShowOffsets = result.GetValue(offsets),
                MaxCharCount = result.GetValue(maxChars),
                Limits = FormatterLimits.Default with { MaxBodyByteCount = int.MaxValue, MaxElementCount = int.MaxValue },
                SigningKeys = KeyFiles.Read(result.GetValue(signingKeys), "--signing-key", KeyFiles.ToSigningKey),
                EncryptionKeys = KeyFiles.Read(result.GetValue(encryptionKeys), "--encryption-key", static (id, bytes) => EncryptionKey.AesGcm(id, bytes)),
            };
            if (address is null)
            {
                byte[] bytes = ReadFile(path!, result.GetValue(maxBytes), TimeSpan.FromSeconds(result.GetValue(timeout)));
                bool isTagged = result.GetResult(bodyType) is { Implicit: false } || result.GetValue(contentType) is not null;
                MessageProperties properties = path == StandardInput || isTagged ? new() : new MessageFile(new FileInfo(path!)).ReadProperties();
                Inspect(isTagged
                    ? new MessageBody(bytes, result.GetValue(bodyType), result.GetValue(contentType))
                    : new MessageBody(bytes, properties.BodyType, properties.ContentType));
                return ExitCodes.Success;
            }

            int printed = 0;
            int failed = 0;
            await foreach (Shown message in ShowAsync(connector, error, address, result.GetValue(count), result.GetValue(id), result.GetValue(giveBack), cancellationToken))
            {
                string tag = message.Body.ContentType ?? string.Create(CultureInfo.InvariantCulture, $"body type {message.Body.BodyType}");
                output.WriteLine(string.Create(
                    CultureInfo.InvariantCulture, $"// {message.Position}, id {JsonEncodedText.Encode(message.MessageId ?? "")}, {JsonEncodedText.Encode(tag)}, {message.Body.ByteCount} bytes"));
                printed++;
                try
                {
                    if (message.Body.ByteCount > result.GetValue(maxBytes))
                        throw new MessageFormatException(MessageFormatErrorCode.LimitExceeded, "The body is longer than --max-bytes: it was not printed.");
                    Inspect(new MessageBody(
                        message.Body.ToArray(),
                        result.GetResult(bodyType) is { Implicit: false } ? result.GetValue(bodyType) : message.Body.BodyType,
                        result.GetValue(contentType) ?? message.Body.ContentType));
                }
                catch (MessageFormatException e)
                {
                    // The others are printed all the same.
                    failed++;
                    error.WriteLine($"{ToolInfo.Name}: message {message.Position}: {e.Message}");
                }
            }

            if (printed == 0 && result.GetValue(id) is { } missing)
                throw new QueueException($"There is no message with the id '{missing}' in '{QueueAddress.Parse(address)}'.");
            return failed > 0 ? ExitCodes.Failure : ExitCodes.Success;

            void Inspect(MessageBody body) => Choose(name, body, error).Inspect(body.Bytes.FirstSpan, output, options);
        });
        return command;
    }

    /// <summary>A message that is printed.</summary>
    private readonly record struct Shown(string Position, string? MessageId, MessageBody Body);

    /// <summary>Looks at the messages of a queue, which stay there, or come back.</summary>
    private static async IAsyncEnumerable<Shown> ShowAsync(
        QueueConnector connector, TextWriter error, string address, int maxCount, string? id, bool mayReceive, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        QueueAddress one = QueueAddress.Parse(address);
        FolderLogView? view = null;
        try
        {
            await QueueCheck.FindAsync(connector, one, cancellationToken);
        }
        catch (QueueException e) when ((view = FolderLogView.TryRead(one, e, error, cancellationToken)) is not null)
        {
            // The log is printed below.
        }

        if (view is not null)
        {
            using (view)
            {
                IReadOnlyList<PeekedMessage> peeked = view.Peek(new PeekOptions { MaxCount = id is null ? maxCount : int.MaxValue });
                foreach (PeekedMessage message in peeked.Where(message => id is null || message.MessageId == id).Take(maxCount))
                    yield return new Shown(message.Position, message.MessageId, message.Body);
            }

            yield break;
        }

        // A receiver holds all it has received: with a smaller window the broker would send no more.
        int window = mayReceive ? id is null ? Math.Min(maxCount, MaxReceiveCount) : MaxReceiveCount : 1;
        await using QueueClient queue = await connector.OpenOneAsync(one, new QueueOptions { DeliveryMode = DeliveryMode.Express, PrefetchCount = window }, cancellationToken);
        if (!queue.Capabilities.Supports(QueueFeatures.Peek) && !mayReceive)
        {
            throw new UsageException(
                $"'{queue.Address}': {queue.Capabilities.Product} shows no messages without a delivery. --return receives them, prints them and gives them back; each then counts as delivered once more.");
        }

        IAsyncEnumerable<Shown> messages = queue.Capabilities.Supports(QueueFeatures.Peek) ? PeekAsync(queue, maxCount, id, cancellationToken) : ReceiveAsync(queue, maxCount, id, window, cancellationToken);
        await foreach (Shown message in messages)
            yield return message;
    }

    /// <summary>Receives messages, and gives them back when all are shown.</summary>
    private static async IAsyncEnumerable<Shown> ReceiveAsync(QueueClient queue, int maxCount, string? id, int window, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var held = new List<ReceivedMessage>();
        try
        {
            for (int found = 0; found < maxCount && held.Count < window && await queue.ReceiveAsync(ReceiveTimeout, null, cancellationToken) is { } message;)
            {
                held.Add(message);
                if (id is not null && message.MessageId != id)
                    continue;
                found++;
                yield return new Shown(held.Count.ToString(CultureInfo.InvariantCulture), message.MessageId, message.Body);
            }
        }
        finally
        {
            // In reverse order: each is returned to the position before the next one.
            for (int i = held.Count - 1; i >= 0; i--)
                await held[i].ReturnAsync(CancellationToken.None);
        }
    }

    private static async IAsyncEnumerable<Shown> PeekAsync(QueueClient queue, int maxCount, string? id, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        const int PageCount = 100;
        string? after = null;
        for (int found = 0; found < maxCount;)
        {
            // The one that is asked for may be anywhere.
            int count = id is null ? Math.Min(PageCount, maxCount - found) : PageCount;
            IReadOnlyList<PeekedMessage> messages = await queue.PeekAsync(new PeekOptions { MaxCount = count, After = after, IncludeLocked = true, IncludeDelayed = true }, cancellationToken);
            foreach (PeekedMessage message in messages)
            {
                if ((id is not null && message.MessageId != id) || found == maxCount)
                    continue;
                found++;
                yield return new Shown(message.Position, message.MessageId, message.Body);
            }

            if (messages.Count < count)
                yield break;
            after = messages[^1].Position;
        }
    }

    /// <summary>Reads a file, which may be a pipe or a device that has no end, or has nothing to give.</summary>
    private static byte[] ReadFile(string path, int maxByteCount, TimeSpan timeout)
    {
        FileInfo? file = path == StandardInput ? null : new FileInfo(path);
        if (Directory.Exists(file?.FullName))
        {
            throw new UsageException($"'{file.FullName}' is a folder, and inspect reads one body from a file. For messages in a folder of queues, name a queue: "
                + $"--queue file:{Path.TrimEndingDirectorySeparator(path)}/NAME. Their names: '{ToolInfo.Name} queue list file:{Path.TrimEndingDirectorySeparator(path)}/'.");
        }

        if (file is { Exists: false })
            throw CommonOptions.Missing(file);
        string source = file is null ? "The standard input" : $"'{file.FullName}'";
        var body = new MemoryStream();
        // A thread that waits for a pipe cannot be called back: it is left to the end of the process.
        using var progress = new AutoResetEvent(false);
        var reading = Task.Factory.StartNew(
            () =>
            {
                byte[] buffer = new byte[64 * 1024];
                using Stream stream = file?.Open(FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete) ?? Console.OpenStandardInput();
                for (int count; body.Length <= maxByteCount && (count = stream.Read(buffer)) > 0;)
                {
                    body.Write(buffer, 0, count);
                    Signal();
                }
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        while (!reading.IsCompleted)
        {
            if (WaitHandle.WaitAny([progress, ((IAsyncResult)reading).AsyncWaitHandle], timeout) == WaitHandle.WaitTimeout)
                throw new TimeoutException(string.Create(CultureInfo.InvariantCulture, $"{source} has delivered no data for {timeout.TotalSeconds:0.##} s, and has not ended (--timeout)."));
        }

        reading.GetAwaiter().GetResult();
        return body.Length <= maxByteCount
            ? body.ToArray()
            : throw new MessageFormatException(
                MessageFormatErrorCode.LimitExceeded, string.Create(CultureInfo.InvariantCulture, $"{source} has more than {maxByteCount} bytes (--max-bytes): it was not printed."));

        void Signal()
        {
            try
            {
                progress.Set();
            }
            catch (ObjectDisposedException)
            {
                // Nobody waits any more.
            }
        }
    }

    private static string Names => string.Join(", ", MessageInspector.All.Select(static inspector => inspector.Name)) + ", " + ActiveX;

    private static MessageInspector Choose(string? name, MessageBody body, TextWriter error)
    {
        if (name is null)
        {
            MessageInspector detected = MessageInspector.Detect(body);
            if (body.ContentType is null && body.BodyType == 0)
                error.WriteLine($"{ToolInfo.Name}: format guessed from the bytes: {detected.Name} (--format)");
            return detected;
        }

        if (string.Equals(name, ActiveX, StringComparison.OrdinalIgnoreCase))
        {
            return body.BodyType != VarTypes.Empty && MessageInspector.Detect(new MessageBody(body.Bytes, body.BodyType, ContentTypes.ActiveX)) is { Name: ActiveX } inspector
                ? inspector
                : throw new UsageException("An ActiveX body does not contain its own type: give its VARTYPE with --body-type, for example 31 for a string.");
        }

        return MessageInspector.Find(name) ?? throw new UsageException($"'{name}' is not one of {Names}.");
    }
}
